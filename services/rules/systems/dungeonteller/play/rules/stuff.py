"""What is in hand, taken, given and laid down; and whether somebody dodges by themselves (Stuff)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.dungeonteller.belongings import SHIELD
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.outfit import hand_problems, wear_problem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Gone, ThingSet
from services.rules.systems.dungeonteller.play.moves import Drink, Give, Stance, Take, Wield
from services.rules.systems.dungeonteller.play.pools import as_weapon
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import show_oneself
from services.rules.systems.dungeonteller.play.state import Arm, Being, Reflex, Thing
from services.rules.systems.dungeonteller.play.targeting import target_problem, thing_called, touch_problem
from services.rules.systems.dungeonteller.things import TreasureKind


def wield(desk: Desk, move: Wield) -> None:
    """Take weapons in hand, as far as two hands go; a shield is held like a weapon, and protects."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    wanted: list[tuple[KeyPath, Arm]] = []
    for index, arm_id in enumerate(move.arms):
        found = next((arm for arm in being.arms if arm.id == arm_id and not arm.natural), None)
        if found is None:
            own = tuple(arm.id for arm in being.arms if not arm.natural)
            raise refused(
                RuleProblem("item_not_owned", "No card, no thing.", "Stuff", ("arms", index), arm_id, own)
            )
        wanted.append((("arms", index), found))
    shield = any(arm.item == SHIELD for _, arm in wanted)
    weapons = tuple((path, as_weapon(arm)) for path, arm in wanted if arm.item != SHIELD)
    problems = tuple(
        replace(problem, path=("arms",)) if problem.code == "hands_full" else problem
        for problem in hand_problems(weapons, shield=shield)
    )
    figures = catalog.weapons[SHIELD]
    heavy = wear_problem(figures.name, figures.armor, being.ratings.muscle, ("arms",)) if shield else None
    if heavy is not None:
        problems = (*problems, heavy)
    refuse_if(Problems(problems) if problems else None)
    held = {arm.id for _, arm in wanted}
    now = desk.being(being.id)
    arms = tuple(arm if arm.natural else replace(arm, held=arm.id in held) for arm in now.arms)
    armor = now.armor + figures.armor * (shield - now.shield)
    desk.set(replace(now, arms=arms, shield=shield, armor=armor))
    names = " and ".join(arm.name for _, arm in wanted) or "nothing"
    desk.say("wielded", f"{being.name} now holds {names}.", by=being.id)


def take(desk: Desk, move: Take) -> None:
    """Take a thing within reach."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    thing = thing_called(scene, being, move.thing)
    if thing is None or thing.at is None or thing.solid:
        raise refused(
            RuleProblem(
                "thing_unknown", "There is nothing like that to take.", "Stuff", ("thing",), move.thing
            )
        )
    refuse_if(touch_problem(being, thing.at, thing.name, ("thing",)))
    show_oneself(desk, being.id)
    hand_over(desk, thing, being.id, catalog)
    desk.say("taken", f"{being.name} takes {thing.name}.", by=being.id, targets=(thing.id,))


def give(desk: Desk, move: Give) -> None:
    """Give a thing or a weapon to somebody within reach, or lay it down."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    thing = next((one for one in scene.things if one.id == move.thing and one.holder == being.id), None)
    arm = next((arm for arm in being.arms if arm.id == move.thing and not arm.natural), None)
    if thing is None and arm is None:
        raise refused(RuleProblem("item_not_owned", "No card, no thing.", "Stuff", ("thing",), move.thing))
    if move.to:
        refuse_if(target_problem(scene, being, move.to, ("to",), touch=True))
    show_oneself(desk, being.id)
    given = thing if thing is not None else _put_away(desk, being.id, arm)
    other = desk.scene.being(move.to)
    if other is not None:
        hand_over(desk, given, other.id, catalog)
        text = f"{being.name} gives {given.name} to {other.name}."
    else:
        desk.do(ThingSet(thing=replace(given, holder="", at=desk.being(being.id).at)))
        text = f"{being.name} lays {given.name} down."
    desk.say("given", text, by=being.id, targets=(move.to,) if move.to else ())


def _put_away(desk: Desk, being_id: str, arm: Arm | None) -> Thing:
    """A weapon leaves its owner's hands and is a thing again."""
    assert arm is not None
    being = desk.being(being_id)
    arms = list(being.arms)
    arms.remove(arm)
    lost_shield = arm.item == SHIELD and being.shield
    armor = being.armor - (desk.catalog.weapons[SHIELD].armor if lost_shield else 0)
    desk.set(replace(being, arms=tuple(arms), armor=armor, shield=being.shield and not lost_shield))
    return Thing(id=desk.number("thing"), name=arm.name, item=arm.item, magical=arm.magical)


def hand_over(desk: Desk, thing: Thing, to: str, catalog: Catalog) -> None:
    """A thing gets into somebody's hands: gold into the purse, a weapon among the weapons."""
    being = desk.being(to)
    if thing.gold:
        desk.do(Gone(id=thing.id))
        desk.set(replace(being, gold=being.gold + thing.gold))
        return
    weapon = catalog.weapon_of(thing.item)
    if weapon is not None and not weapon.free:
        same = sum(arm.item == weapon.id for arm in being.arms)
        arm = Arm(
            id=weapon.id if not same else f"{weapon.id}#{_next_number(being, weapon.id)}",
            name=thing.name,
            dice=weapon.dice,
            hands=weapon.hands,
            use=weapon.use,
            magical=thing.magical,
            counts_as=weapon.counts_as,
        )
        desk.do(Gone(id=thing.id))
        desk.set(replace(being, arms=(*being.arms, arm)))
        return
    desk.do(ThingSet(thing=replace(thing, holder=to, at=None, hidden=None, found_by=())))


def drink(desk: Desk, move: Drink) -> None:
    """Drink something that gives Luck back, up to the maximum; one gulp and it is gone."""
    scene, catalog = desk.scene, desk.catalog
    being = scene.being(move.actor)
    assert being is not None
    thing = next((one for one in scene.things if one.id == move.thing and one.holder == being.id), None)
    treasure = None if thing is None else catalog.treasures.get(thing.item)
    if thing is None or treasure is None or treasure.kind is not TreasureKind.DRINK:
        text = f"{being.name} has no such drink."
        raise refused(RuleProblem("item_not_owned", text, "Stuff", ("thing",), move.thing))
    desk.spend_action()
    show_oneself(desk, being.id)
    if thing.count > 1:
        desk.do(ThingSet(thing=replace(thing, count=thing.count - 1)))
    else:
        desk.do(Gone(id=thing.id))
    desk.say("drunk", f"{being.name} drinks {thing.name}.", by=being.id, targets=(thing.id,))
    desk.gain(being.id, treasure.luck or 0, thing.name)


def _next_number(being: Being, item: str) -> int:
    """A number that none of several of a kind has yet."""
    taken = {arm.id for arm in being.arms}
    return next(number for number in range(2, len(taken) + 3) if f"{item}#{number}" not in taken)


def stance(desk: Desk, move: Stance) -> None:
    """Say whether one dodges by oneself (Powers for Everyone / Dodge)."""
    scene = desk.scene
    being = scene.being(move.actor)
    assert being is not None
    known = tuple(reflex.value for reflex in Reflex)
    if move.reflex not in known:
        raise refused(
            RuleProblem(
                "reflex_unknown",
                "That is no way to dodge.",
                "Powers for Everyone / Dodge",
                ("reflex",),
                move.reflex,
                known,
            )
        )
    now: Being = desk.being(being.id)
    desk.set(replace(now, reflex=Reflex(move.reflex)))
    desk.say("stance", f"{being.name} is ready.", by=being.id)
