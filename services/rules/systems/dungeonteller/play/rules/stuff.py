"""What is in hand, taken, given and laid down; and whether a being dodges by themselves (Stuff)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.dungeonteller.belongings import SHIELD
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.outfit import hand_problems, wear_problem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import (
    ArmGained,
    ArmLost,
    GoldGained,
    StanceTaken,
    ThingAdded,
    ThingGone,
    ThingLaidDown,
    ThingTaken,
    Wielded,
)
from services.rules.systems.dungeonteller.play.moves import Drink, Give, Stance, Take, Wield
from services.rules.systems.dungeonteller.play.pools import as_weapon
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.battle import show_oneself
from services.rules.systems.dungeonteller.play.rules.gear import spend
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
    armor = being.armor + figures.armor * (shield - being.shield)
    held = tuple(arm.id for _, arm in wanted)
    desk.do(Wielded(being=being.id, held=held, shield=shield, armor=armor))


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
    desk.say("taken", by=being.id, targets=(thing.id,))
    hand_over(desk, thing, being.id, catalog)


def give(desk: Desk, move: Give) -> None:
    """Give a thing or a weapon to a being within reach, or lay it down."""
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
    code = "given" if move.to else "laid_down"
    desk.say(code, by=being.id, targets=(move.to,) if move.to else (), words=given.name)
    other = desk.scene.being(move.to)
    if other is not None:
        hand_over(desk, given, other.id, catalog)
    elif thing is not None:
        desk.do(ThingLaidDown(thing=thing.id, at=desk.being(being.id).at))
    else:
        desk.do(ThingAdded(thing=replace(given, at=desk.being(being.id).at)))


def _put_away(desk: Desk, being_id: str, arm: Arm | None) -> Thing:
    """A weapon leaves its owner's hands and is a thing again."""
    assert arm is not None
    lose_arm(desk, being_id, arm)
    return Thing(id=desk.number("thing"), name=arm.name, item=arm.item, magical=arm.magical)


def lose_arm(desk: Desk, being_id: str, arm: Arm) -> None:
    """A being has a weapon no longer; a shield that was held protects no more."""
    being = desk.being(being_id)
    lost_shield = arm.item == SHIELD and being.shield
    armor = being.armor - (desk.catalog.weapons[SHIELD].armor if lost_shield else 0)
    shield = being.shield and not lost_shield
    desk.do(ArmLost(being=being_id, arm=arm.id, shield=shield, armor=armor))


def hand_over(desk: Desk, thing: Thing, to: str, catalog: Catalog) -> None:
    """A thing gets into a being's hands: gold into the purse, a weapon among the weapons."""
    being = desk.being(to)
    there = any(one.id == thing.id for one in desk.scene.things)
    if thing.gold:
        if there:
            desk.do(ThingGone(thing=thing.id))
        desk.do(GoldGained(being=to, gold=thing.gold))
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
        if there:
            desk.do(ThingGone(thing=thing.id))
        desk.do(ArmGained(being=to, arm=arm))
    elif there:
        desk.do(ThingTaken(thing=thing.id, by=to))
    else:
        desk.do(ThingAdded(thing=replace(thing, holder=to, at=None, hidden=None, found_by=())))


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
    desk.say("drunk", by=being.id, targets=(thing.id,))
    spend(desk, thing)
    desk.gain(being.id, treasure.luck or 0, treasure.id)


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
    desk.do(StanceTaken(being=being.id, reflex=Reflex(move.reflex)))
