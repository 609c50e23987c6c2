"""Battle and Shoot, at foes, things and swarms, and the powers that hit (Actions / Battle, Shoot)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import BATTLE, DODGE_COST, SHOOT, Defence, attack_pool
from services.rules.systems.dungeonteller.play.aiming import (
    arm_of,
    ask_to_dodge,
    dodges,
    foe_problem,
    inspired_problem,
    lent_to,
    one,
    thing_called,
    touch_problem,
)
from services.rules.systems.dungeonteller.play.conditions import armor_against, in_sight
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.discretion import known_to
from services.rules.systems.dungeonteller.play.events import AreaSet, Gone, ThingSet
from services.rules.systems.dungeonteller.play.moves import Attack as AttackMove
from services.rules.systems.dungeonteller.play.moves import UsePower
from services.rules.systems.dungeonteller.play.pools import (
    actor_of,
    as_roll,
    attack_dice,
    moment_of,
    parts_of,
)
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Arm,
    Being,
    Creature,
    EffectKind,
    Prompt,
    Scene,
    Thing,
)
from services.rules.systems.dungeonteller.powers import Attack

SWARMS = (AreaKind.LOCUSTS, AreaKind.SCARABS, AreaKind.SCORPIONS)
ATTACKS = {Action.BATTLE: BATTLE, Action.SHOOT: SHOOT}


@dataclass(frozen=True, slots=True)
class Blow:
    """One roll of an attack at one foe.

    Attributes:
        roll: The roll's name.
        path: Where the foe stands in the move.
        dice: Dice of this blow where the pool is shared among several; None for the whole pool.
    """

    target: str
    roll: str = "attack"
    path: KeyPath = ("target",)
    dice: int | None = None


After = Callable[[Desk, Being, str, int], None]
"""What a blow does beyond Luck: the desk, who struck, whom, and the successes that got through."""


def plan_attack(
    scene: Scene, catalog: Catalog, move: AttackMove, prompt: Prompt | None = None
) -> Plan | Problems:
    """Battle or Shoot."""
    being = _being(scene, move.actor)
    if move.action not in ATTACKS:
        return one(
            RuleProblem(
                "action_is_no_attack",
                "Only Battle and Shoot attack.",
                "Actions",
                ("action",),
                move.action.value,
                tuple(action.value for action in ATTACKS),
            )
        )
    attack = ATTACKS[move.action]
    thing = thing_called(scene, being, move.target)
    swarm = next((area for area in scene.areas if area.id == move.target and area.kind in SWARMS), None)
    if thing is not None or swarm is not None:
        return _plan_on_object(scene, catalog, move, being, thing or swarm)
    arm = arm_of(being, move.action, move.arm)
    if isinstance(arm, RuleProblem):
        return one(arm)
    return plan_blows(
        scene,
        catalog,
        being,
        move,
        attack,
        (Blow(move.target),),
        arm=arm,
        prompt=prompt,
        inspired=move.inspired,
    )


def plan_blows(
    scene: Scene,
    catalog: Catalog,
    being: Being,
    move: AttackMove | UsePower,
    attack: Attack,
    blows: Sequence[Blow],
    *,
    arm: Arm | None,
    prompt: Prompt | None,
    inspired: int = 0,
    cost: int = 0,
    what: str = "",
    free: bool = False,
    after: After | None = None,
    extra: tuple[Part, ...] = (),
    opening: Callable[[Desk], int] | None = None,
) -> Plan | Problems:
    """An attack at one foe, or a pool shared between several.

    Args:
        scene: Where.
        catalog: The content.
        being: Who attacks.
        move: The move, which waits when somebody has to be asked whether they dodge.
        attack: How the attack hits.
        blows: Each foe and the dice for it.
        arm: What is fought with.
        prompt: Answers given so far.
        inspired: Lent dice.
        cost: Luck the attacker pays.
        what: What it is called; "Battle" or "Shoot" when empty.
        free: Whether it takes no action of its own.
        after: What it does in place of taking Luck; None for taking Luck.
        extra: Further steps of the pool.
        opening: What else the use of a power takes; it gives successes made before, as for a spell worked up.
    """
    power = move.power if isinstance(move, UsePower) else ""
    targets = []
    for blow in blows:
        problem = foe_problem(scene, being, blow.target, blow.path, attack.action)
        if problem is not None:
            return one(problem)
        target = scene.being(blow.target)
        assert target is not None
        targets.append(target)
    problem = inspired_problem(scene, being, inspired)
    if problem is not None:
        return one(problem)
    choice = dodges(scene, catalog, being, tuple(targets), attack, prompt)
    if choice.asks is not None:
        first = attack_dice(
            scene, catalog, being, targets[0], attack, arm=arm, inspired=inspired, extra=extra
        )
        return one(first) if isinstance(first, RuleProblem) else ask_to_dodge(move, choice.asks, prompt)
    rolls = []
    for blow, target in zip(blows, targets, strict=True):
        dodging = target.id in choice.dodging
        dice = attack_dice(
            scene, catalog, being, target, attack, arm=arm, dodging=dodging, inspired=inspired, extra=extra
        )
        if isinstance(dice, RuleProblem):
            return one(dice)
        if blow.dice is not None:
            dice = share_of(scene, catalog, being, target, attack, blow.dice, dodging=dodging)
        label = f"{what or attack.action.label} against {target.name}"
        rolls.append(as_roll(scene, blow.roll, being, label, dice, about=(target.id,)))

    def resolve(desk: Desk) -> None:
        desk.pay(being.id, cost, what)
        for dodger in choice.dodging:
            desk.pay(dodger, DODGE_COST, "a dodge")
        if not free:
            desk.spend_action()
        if inspired:
            use_lent(desk, being, inspired)
        before = 0 if opening is None else opening(desk)
        show_oneself(desk, being.id)
        for blow, target in zip(blows, targets, strict=True):
            successes = desk.successes(blow.roll) + before
            strike(desk, being, target, attack.action, successes, what, after, power)

    return Plan(tuple(rolls), resolve)


def share_of(
    scene: Scene, catalog: Catalog, being: Being, target: Being, attack: Attack, dice: int, *, dodging: bool
) -> Explained:
    """Dice of one group of a shared pool, after this foe's own Armor or Dodge (ruling P21)."""
    armor = armor_against(scene, catalog, target, attack.action, being) if attack.armor_counts else 0
    stunt = target.ratings.stunt if dodging else 0
    taken = max(armor, stunt)
    counted = Explained.of(Part(dice, "this group", "Powers [P21]"))
    if any(effect.by == target.id for effect in scene.effects_on(being.id, EffectKind.AFRAID)):
        counted = counted.plus(-1, f"afraid of {target.name}", "More Wizard Powers / Fear")
    if taken:
        counted = counted.plus(-taken, "Armor or Dodge", "Stuff / Armor [P4]")
    return counted.at_least(1, "one die always stays", "Actions / Battle [P5]")


def whole_pool(
    scene: Scene, catalog: Catalog, being: Being, attack: Attack, arm: Arm | None, inspired: int = 0
) -> Explained | RuleProblem:
    """The pool that is shared among groups, before any foe's Armor, cut to Luck (ruling P21)."""
    moment = moment_of(scene, being, attack.action, arm)
    parts = parts_of(scene, being, attack.action, arm=arm, inspired=inspired)
    found = attack_pool(actor_of(scene, catalog, being), attack, moment, Defence(), catalog.settings, parts)
    return found if isinstance(found, RuleProblem) else found.dice


def strike(
    desk: Desk,
    being: Being,
    target: Being,
    action: Action,
    successes: int,
    what: str,
    after: After | None,
    power: str = "",
) -> None:
    """One blow lands or misses."""
    name = what or action.label
    if successes:
        text = f"{being.name} hits {target.name} with {name}: {successes}."
    else:
        text = f"{being.name} misses {target.name}."
    code = "attack.hit" if successes else "attack.missed"
    rule = desk.catalog.powers[power].source if power else f"Actions / {action.label}"
    desk.say(code, text, by=being.id, targets=(target.id,), power=power, successes=successes, rule=rule)
    if target.creature is Creature.PHANTOM:
        desk.vanish(target.id)
    elif after is not None:
        for effect in desk.scene.effects_on(target.id, EffectKind.RESTING):
            desk.change(effect, 1)
        after(desk, being, target.id, successes)
    elif action in ATTACKS:
        desk.hit(target.id, being.id, successes, action, f"{being.name}'s {name}")
    else:
        desk.lose(target.id, successes, f"{being.name}'s {name}", by=being.id)


def use_lent(desk: Desk, being: Being, dice: int) -> None:
    """Lent dice are used up, the oldest first."""
    left = dice
    for effect in lent_to(desk.scene, being):
        used = min(left, effect.amount)
        left -= used
        if used == effect.amount:
            desk.lift(effect)
        elif used:
            desk.change(effect, effect.amount - used)


def show_oneself(desk: Desk, being_id: str) -> None:
    """Whoever acts openly is no longer hidden, nor cloaked."""
    desk.uncloak(being_id)
    come_into_view(desk, being_id)


def come_into_view(desk: Desk, being_id: str) -> None:
    """Whoever is seen or heard is no longer hidden, unless they are invisible."""
    being = desk.being(being_id)
    if being.hidden is not None and not desk.scene.has(being_id, EffectKind.INVISIBLE):
        desk.set(replace(being, hidden=None, found_by=()))


def _plan_on_object(
    scene: Scene, catalog: Catalog, move: AttackMove, being: Being, found: Thing | Area | None
) -> Plan | Problems:
    """Battle or Shoot at a thing or a swarm: no Armor, one success hits (Actions / Shoot; Call Vermin)."""
    assert found is not None
    squares = found.squares if isinstance(found, Area) else (found.at,) if found.at else ()
    name = found.kind.value if isinstance(found, Area) else found.name
    if not squares:
        return one(RuleProblem("target_held", f"Somebody holds {name}.", "Actions", ("target",), move.target))
    near = min(squares, key=lambda square: max(abs(square.x - being.at.x), abs(square.y - being.at.y)))
    problem = (
        touch_problem(being, near, name, ("target",))
        if move.action is Action.BATTLE
        else None
        if in_sight(scene, being.at, near) or near == being.at
        else RuleProblem(
            "target_out_of_sight", "It is out of sight.", "Actions / Shoot", ("target",), move.target
        )
    )
    arm = arm_of(being, move.action, move.arm)
    if problem is None and isinstance(arm, RuleProblem):
        problem = arm
    problem = problem or inspired_problem(scene, being, move.inspired)
    if problem is not None:
        return one(problem)
    assert not isinstance(arm, RuleProblem)
    dice = whole_pool(scene, catalog, being, ATTACKS[move.action], arm, move.inspired)
    if isinstance(dice, RuleProblem):
        return one(dice)

    def resolve(desk: Desk) -> None:
        desk.spend_action()
        show_oneself(desk, being.id)
        use_lent(desk, being, move.inspired)
        successes = desk.successes("attack")
        hit_object(desk, being, found, successes, move.action)

    label = f"{move.action.label} at {name}"
    return Plan((as_roll(scene, "attack", being, label, dice, about=(found.id,)),), resolve)


def hit_object(desk: Desk, being: Being, found: Thing | Area, successes: int, action: Action) -> None:
    """A thing loses Luck for each success; a swarm one at most, and none to a Shoot."""
    name = found.kind.value if isinstance(found, Area) else found.name
    code = "attack.hit" if successes else "attack.missed"
    verb = "hits" if successes else "misses"
    desk.say(code, f"{being.name} {verb} {name}.", by=being.id, targets=(found.id,), successes=successes)
    if isinstance(found, Area):
        left = (found.luck or 0) - swarm_loss(action, successes)
        if left <= 0:
            desk.do(Gone(id=found.id))
            desk.say("gone", f"The {name} are gone.", targets=(found.id,))
        else:
            desk.do(AreaSet(area=replace(found, luck=left)))
    elif found.luck is not None and successes:
        if successes >= found.luck:
            break_thing(desk, found)
        else:
            desk.do(ThingSet(thing=replace(found, luck=found.luck - successes)))


def swarm_loss(action: Action, successes: int) -> int:
    """Luck a swarm loses: one at most to a Battle roll, none to a Shoot (Call Vermin)."""
    return min(successes, 1) if action is Action.BATTLE else 0


def break_thing(desk: Desk, thing: Thing) -> None:
    """A thing is destroyed."""
    audience = known_to(desk.scene, (thing.id, thing.holder))
    desk.do(Gone(id=thing.id))
    text = f"{capital(thing.name)} is broken to pieces."
    desk.say("destroyed", text, targets=(thing.id,), audience=audience)


def _being(scene: Scene, being_id: str) -> Being:
    found = scene.being(being_id)
    assert found is not None
    return found


def capital(words: str) -> str:
    """Words as a sentence begins with them."""
    return words[:1].upper() + words[1:]
