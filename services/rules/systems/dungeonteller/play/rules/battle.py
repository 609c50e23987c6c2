"""Battle and Shoot, at foes, things and swarms, and the powers that hit (Actions / Battle, Shoot)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import BATTLE, DODGE_COST, SHOOT, Defence, attack_pool
from services.rules.systems.dungeonteller.play.conditions import armor_against, in_sight
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import (
    AreaEnded,
    AreaHurt,
    Happened,
    ThingDamaged,
    ThingGone,
)
from services.rules.systems.dungeonteller.play.moves import Attack as AttackMove
from services.rules.systems.dungeonteller.play.pools import (
    actor_of,
    as_roll,
    attack_dice,
    moment_of,
    parts_of,
)
from services.rules.systems.dungeonteller.play.refusals import refuse_if, refused
from services.rules.systems.dungeonteller.play.rules.dodge import DODGE, dodgers
from services.rules.systems.dungeonteller.play.secrecy import known_to_all
from services.rules.systems.dungeonteller.play.sentences import causes
from services.rules.systems.dungeonteller.play.state import (
    Area,
    Arm,
    Being,
    Creature,
    EffectKind,
    Scene,
    Thing,
)
from services.rules.systems.dungeonteller.play.targeting import (
    arm_of,
    foe_problem,
    inspired_problem,
    lent_to,
    thing_called,
    touch_problem,
)
from services.rules.systems.dungeonteller.powers import Attack

ATTACKS = {Action.BATTLE: BATTLE, Action.SHOOT: SHOOT}


@dataclass(frozen=True, slots=True)
class Blow:
    """One roll of an attack at one foe.

    Attributes:
        roll: The roll's name.
        path: Where the foe stands in the move.
        dice: Dice of this blow where the pool is shared among several; None for the whole pool.
        shown: Whether the foe shows itself by what it does now, however well it was hidden.
    """

    target: str
    roll: str = "attack"
    path: KeyPath = ("target",)
    dice: int | None = None
    shown: bool = False


After = Callable[[Desk, Being, str, int], Steps]
"""What a blow does beyond Luck: the desk, who struck, whom, and the successes that got through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assault:
    """An attack at one foe, or a pool shared between several.

    Attributes:
        being: Who attacks.
        attack: How the attack hits.
        blows: Each foe and the dice for it.
        arm: What is fought with.
        inspired: Lent dice.
        cost: Luck the attacker pays.
        cause: What it is called where Luck is lost to it: a content id, or a name of a cause; Battle or Shoot
            when empty.
        power: Content id of the power, if it is one.
        free: Whether it takes no action of its own.
        after: What it does in place of taking Luck; None for taking Luck.
        opening: What else the use of a power takes; it returns successes made before, as for a spell worked
            up.
        beside: What else is rolled in the same breath: by the foe against it, or by how it falls.
    """

    being: Being
    attack: Attack
    blows: tuple[Blow, ...]
    arm: Arm | None
    inspired: int = 0
    cost: int = 0
    cause: str = ""
    power: str = ""
    free: bool = False
    after: After | None = None
    opening: Callable[[], int] | None = None
    beside: tuple[Roll, ...] = ()


def attack(desk: Desk, move: AttackMove) -> Steps:
    """Battle or Shoot."""
    scene = desk.scene
    being = _being(scene, move.actor)
    if move.action not in ATTACKS:
        raise refused(
            RuleProblem(
                "action_is_no_attack",
                "Only Battle and Shoot attack.",
                "Actions",
                ("action",),
                move.action.value,
                tuple(action.value for action in ATTACKS),
            )
        )
    thing = thing_called(scene, being, move.target)
    swarm = next((area for area in scene.areas if area.id == move.target and is_swarm(area)), None)
    if thing is not None or swarm is not None:
        yield from _attack_object(desk, move, being, thing or swarm)
        return
    arm = arm_of(being, move.action, move.arm)
    if isinstance(arm, RuleProblem):
        raise refused(arm)
    blows = (Blow(move.target),)
    assault = Assault(being=being, attack=ATTACKS[move.action], blows=blows, arm=arm, inspired=move.inspired)
    yield from land_blows(desk, assault)


def land_blows(desk: Desk, assault: Assault) -> Steps:
    """An attack: whoever may dodge is asked, its dice fall, it is paid for, and each blow lands or misses."""
    being, attack = assault.being, assault.attack
    targets = tuple(_aimed_at(desk.scene, being, blow, attack) for blow in assault.blows)
    refuse_if(inspired_problem(desk.scene, being, assault.inspired))
    dice = [
        _dice_of(desk, assault, blow, target) for blow, target in zip(assault.blows, targets, strict=True)
    ]
    dodging = yield from dodgers(desk, being, targets, attack)
    rolls = [
        _blow_roll(
            desk,
            assault,
            blow,
            target,
            _dice_of(desk, assault, blow, target, dodging=True) if target.id in dodging else plain,
        )
        for blow, target, plain in zip(assault.blows, targets, dice, strict=True)
    ]
    yield from desk.roll(*rolls, *assault.beside)
    desk.pay(being.id, assault.cost, assault.power)
    for target in targets:
        if target.id in dodging:
            desk.pay(target.id, DODGE_COST, DODGE)
    if not assault.free:
        desk.spend_action()
    if assault.inspired:
        use_lent(desk, being, assault.inspired)
    before = 0 if assault.opening is None else assault.opening()
    show_oneself(desk, being.id)
    for blow, target in zip(assault.blows, targets, strict=True):
        yield from strike(desk, assault, target, desk.successes(blow.roll) + before)


def _aimed_at(scene: Scene, being: Being, blow: Blow, attack: Attack) -> Being:
    refuse_if(foe_problem(scene, being, blow.target, blow.path, attack.action, shown=blow.shown))
    return _being(scene, blow.target)


def _dice_of(desk: Desk, assault: Assault, blow: Blow, target: Being, *, dodging: bool = False) -> Explained:
    """Dice of a blow after its foe's Armor or Dodge; it is refused where it cannot be tried."""
    scene, being, attack = desk.scene, assault.being, assault.attack
    dice = attack_dice(scene, desk.catalog, being, target, attack, assault.arm, dodging, assault.inspired)
    if isinstance(dice, RuleProblem):
        raise refused(dice)
    if blow.dice is None:
        return dice
    return share_of(scene, desk.catalog, being, target, attack, blow.dice, dodging=dodging)


def _blow_roll(desk: Desk, assault: Assault, blow: Blow, target: Being, dice: Explained) -> Roll:
    label = f"{_words_of(desk.catalog, assault)} against {target.name}"
    return as_roll(desk.scene, blow.roll, assault.being, label, dice, about=(target.id,))


def _words_of(catalog: Catalog, assault: Assault) -> str:
    """What an attack is called."""
    power = catalog.powers.get(assault.power)
    if assault.cause:
        return causes()[assault.cause]
    return assault.attack.action.label if power is None else power.name


def share_of(
    scene: Scene, catalog: Catalog, being: Being, target: Being, attack: Attack, dice: int, *, dodging: bool
) -> Explained:
    """Dice of one group of a shared pool, after this foe's own Armor or Dodge (ruling P21)."""
    armor = armor_against(scene, catalog, target, attack.action, being) if attack.armor_counts else 0
    stunt = target.ratings.stunt if dodging else 0
    taken = max(armor, stunt)
    counted = Explained.of(Part(dice, "this group", "Powers [P21]"))
    if any(effect.source == target.id for effect in scene.effects_on(being.id, EffectKind.AFRAID)):
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


def strike(desk: Desk, assault: Assault, target: Being, successes: int) -> Steps:
    """One blow lands or misses."""
    being, action, power = assault.being, assault.attack.action, assault.power
    cause = assault.cause or power or action.value
    code = "attack.hit" if successes else "attack.missed"
    rule = desk.catalog.powers[power].source if power else f"Actions / {action.label}"
    desk.do(
        Happened(
            code=code,
            by=being.id,
            targets=(target.id,),
            power=power,
            successes=successes,
            words=_words_of(desk.catalog, assault),
            rule=rule,
        )
    )
    if target.creature is Creature.PHANTOM:
        desk.vanish(target.id)
    elif assault.after is not None:
        for effect in desk.scene.effects_on(target.id, EffectKind.RESTING):
            desk.change(effect, 1)
        yield from assault.after(desk, being, target.id, successes)
    elif action in ATTACKS:
        desk.hit(target.id, being.id, successes, action, cause)
    else:
        desk.lose(target.id, successes, cause, by=being.id)


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
    """Whoever acts openly is seen: neither hidden nor cloaked any more."""
    desk.uncloak(being_id)
    come_into_view(desk, being_id)


def come_into_view(desk: Desk, being_id: str) -> None:
    """Whoever is seen or heard comes out of hiding, unless they are invisible."""
    being = desk.being(being_id)
    if being.hidden is not None and not desk.scene.has(being_id, EffectKind.INVISIBLE):
        desk.show(being_id)


def _attack_object(desk: Desk, move: AttackMove, being: Being, found: Thing | Area | None) -> Steps:
    """Battle or Shoot at a thing or a swarm: no Armor, one success hits (Actions / Shoot; Call Vermin)."""
    scene, catalog = desk.scene, desk.catalog
    assert found is not None
    squares = found.squares if isinstance(found, Area) else (found.at,) if found.at else ()
    name = found.kind if isinstance(found, Area) else found.name
    if not squares:
        raise refused(
            RuleProblem("target_held", f"Somebody holds {name}.", "Actions", ("target",), move.target)
        )
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
    refuse_if(problem or inspired_problem(scene, being, move.inspired))
    assert not isinstance(arm, RuleProblem)
    dice = whole_pool(scene, catalog, being, ATTACKS[move.action], arm, move.inspired)
    if isinstance(dice, RuleProblem):
        raise refused(dice)

    label = f"{move.action.label} at {name}"
    yield from desk.roll(as_roll(scene, "attack", being, label, dice, about=(found.id,)))
    desk.spend_action()
    show_oneself(desk, being.id)
    use_lent(desk, being, move.inspired)
    successes = desk.successes("attack")
    hit_object(desk, being, found, successes, move.action)


def hit_object(desk: Desk, being: Being, found: Thing | Area, successes: int, action: Action) -> None:
    """A thing loses Luck for each success; a swarm one at most, and none to a Shoot."""
    code = "attack.hit.object" if successes else "attack.missed"
    desk.say(code, by=being.id, targets=(found.id,), successes=successes)
    if isinstance(found, Area):
        left = (found.luck or 0) - swarm_loss(action, successes)
        if left <= 0:
            desk.say("swarm.gone", targets=(found.id,))
            desk.do(AreaEnded(area=found.id))
        else:
            desk.do(AreaHurt(area=found.id, luck=left))
    elif found.luck is not None and successes:
        if successes >= found.luck:
            break_thing(desk, found)
        else:
            desk.do(ThingDamaged(thing=found.id, luck=found.luck - successes))


def is_swarm(area: Area) -> bool:
    """Whether what lies on the grid can be fought."""
    rule = zone_rules().get(area.kind)
    return rule is not None and rule.swarm


def swarm_loss(action: Action, successes: int) -> int:
    """Luck a swarm loses: one at most to a Battle roll, none to a Shoot (Call Vermin)."""
    return min(successes, 1) if action is Action.BATTLE else 0


def break_thing(desk: Desk, thing: Thing) -> None:
    """A thing is destroyed."""
    desk.say("destroyed", targets=(thing.id,), audience=known_to_all(desk.scene, (thing.holder,)))
    desk.do(ThingGone(thing=thing.id))


def _being(scene: Scene, being_id: str) -> Being:
    found = scene.being(being_id)
    assert found is not None
    return found
