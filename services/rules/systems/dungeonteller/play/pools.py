"""How many dice a being in a scene rolls: the card's count with all that lasts on them, each step explained.

The order is that of ruling P3: add, take away, cut to Luck, one die stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from services.rules.engine.effects import parts
from services.rules.engine.explain import Explained, Part
from services.rules.engine.frozen import replace
from services.rules.engine.identity import remembered
from services.rules.engine.play import EVERYONE, Audience, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog, Weapon
from services.rules.systems.dungeonteller.checks import (
    DARK,
    DIM,
    Actor,
    Defence,
    Moment,
    Pace,
    attack_pool,
    bonuses_of_gear,
    count_dice,
    forbidden,
)
from services.rules.systems.dungeonteller.movement import Mover, pace_for
from services.rules.systems.dungeonteller.play.conditions import areas_at, armor_against, light_at
from services.rules.systems.dungeonteller.play.effects import effect_rules
from services.rules.systems.dungeonteller.play.equipment import bonus_dice
from services.rules.systems.dungeonteller.play.secrecy import known_to_all
from services.rules.systems.dungeonteller.play.state import AreaKind, Arm, Being, Effect, EffectKind, Scene
from services.rules.systems.dungeonteller.powers import Attack, Light

LOCUST_ACTIONS = (Action.NOTICE, Action.SHOOT, Action.TALK)
"""Actions of which locusts leave one die (More Wizard Powers / Call Vermin)."""

PIN_SPARES = (Action.RESIST, Action.TALK)
POISON_LOSS = 2
SPELL = "dungeonteller:situation/spell"
POISON = "dungeonteller:situation/poison"


@dataclass(frozen=True, slots=True)
class ActionRoll:
    """What a being rolls when it does something.

    Attributes:
        actions: The action, and those whose dice come on top.
        situations: Content ids of what holds for this roll alone.
        against: The foe, if it is rolled against one.
        extra: Further steps.
        gear: Content ids of gear that is used.
        inspired: Lent dice.
    """

    actions: tuple[Action, ...]
    situations: tuple[str, ...] = ()
    against: Being | None = None
    extra: tuple[Part, ...] = ()
    gear: tuple[str, ...] = ()
    inspired: int = 0


def actor_of(scene: Scene, catalog: Catalog, being: Being) -> Actor:
    """A being as the pools count them, with ratings as what lasts on them leaves them."""
    ratings = being.ratings
    swarmed = LOCUST_ACTIONS if any(areas_at(scene, being.at, AreaKind.LOCUSTS)) else ()
    if swarmed:
        ratings = replace(ratings, **{one.value: min(ratings.of(one), 1) for one in swarmed})
    for effect in scene.effects_on(being.id, EffectKind.SPARKLING):
        ratings = replace(ratings, sneak=min(ratings.sneak, effect.amount))
    return Actor(
        ratings=ratings,
        sight=being.sight,
        bonuses=bonus_dice(scene, catalog, being),
        steady=being.steady,
        luck=being.luck,
        one_die=swarmed,
    )


def pace_of(scene: Scene, being: Being) -> Pace:
    """How a being moves in the turn that is going on; whoever's turn it is not stands still."""
    if scene.turn.whose != being.id:
        return Pace.STILL
    mover = Mover(move=being.move, can_double_move=being.can_double_move, can_run=being.can_run)
    pace = pace_for(scene.turn.paces, mover)
    return Pace.RUN if isinstance(pace, RuleProblem) else pace


def moment_of(
    scene: Scene,
    being: Being,
    action: Action,
    arm: Arm | None = None,
    situations: tuple[str, ...] = (),
    *,
    reacting: bool = False,
) -> Moment:
    """What holds while a being rolls: the place, the light they stand in, how they move."""
    holds = {*scene.field.situations, *situations}
    if action is Action.NOTICE and not scene.has(being.id, EffectKind.DARKSIGHT):
        light = light_at(scene, being.at)
        holds |= {DIM} if light is Light.DIM else {DARK} if light is Light.DARK else set()
    return Moment(
        situations=frozenset(holds),
        weapon=None if arm is None or arm.natural else as_weapon(arm),
        pace=Pace.STILL if reacting else pace_of(scene, being),
    )


@remembered(1024)
def as_weapon(arm: Arm) -> Weapon:
    """Something to fight with as the pools know it."""
    return Weapon(
        id=arm.item,
        name=arm.name,
        dice=arm.dice,
        hands=arm.hands,
        gold=0,
        use=arm.use,
        summary="",
        counts_as=arm.counts_as,
    )


def parts_of(
    scene: Scene,
    being: Being,
    action: Action,
    *,
    against: Being | None = None,
    arm: Arm | None = None,
    inspired: int = 0,
) -> tuple[Part, ...]:
    """Every step that what lasts on a being adds to their dice or takes away."""
    found: list[Part] = []
    if arm is not None and arm.natural and arm.dice:
        found.append(Part(arm.dice, arm.name, "bestiary"))
    if inspired:
        found.append(Part(inspired, "lent by a friend", "Paladin / Inspire"))
    found += _lasting_parts(scene, being, action, against)
    if action in (Action.NOTICE, Action.SHOOT):
        thickest = max((area.amount for area in areas_at(scene, being.at, AreaKind.FOG)), default=0)
        if thickest:
            found.append(Part(-thickest, "in the fog", "More Wizard Powers / Fog Cloud"))
    return tuple(found)


def _lasting_parts(scene: Scene, being: Being, action: Action, against: Being | None) -> Iterator[Part]:
    counting = tuple(each for each in scene.effects_on(being.id) if _counts(scene, each, against))
    yield from parts(counting, effect_rules(), being.id, action.value)
    for effect in counting:
        holder = scene.being(effect.source) if effect.kind == EffectKind.PINNED else None
        if holder is not None and action not in PIN_SPARES:
            yield Part(-holder.ratings.muscle, f"held by {holder.name}", "Powers for Everyone / Pin [P32]")


def _counts(scene: Scene, effect: Effect, against: Being | None) -> bool:
    """Whether an effect counts for a roll: sparkles show whoever is unseen, and fear is of one alone."""
    if effect.kind in (EffectKind.CLOAKED, EffectKind.INVISIBLE):
        return not scene.has(effect.bearer, EffectKind.SPARKLING)
    return effect.kind != EffectKind.AFRAID or (against is not None and effect.source == against.id)


def pool(
    scene: Scene, catalog: Catalog, being: Being, roll: ActionRoll, *, reacting: bool = False
) -> Explained | RuleProblem:
    """Dice of actions rolled together, or why they cannot be rolled.

    Args:
        scene: Where.
        catalog: The content.
        being: Who rolls.
        roll: What is rolled.
        reacting: Whether it is rolled outside one's own action, and so never forbidden or hasty.
    """
    action = roll.actions[0]
    attack = Attack(action=action, adds=roll.actions[1:])
    actor = actor_of(scene, catalog, being)
    if roll.gear:
        actor = actor.with_bonuses(bonuses_of_gear(catalog, roll.gear))
    moment = moment_of(scene, being, action, situations=roll.situations, reacting=reacting)
    if not reacting:
        problem = forbidden(actor, attack, moment, catalog.settings)
        if problem is not None:
            return problem
    steps = parts_of(scene, being, action, against=roll.against, inspired=roll.inspired)
    return count_dice(actor, attack, moment, (*steps, *roll.extra))


def reaction(
    scene: Scene,
    catalog: Catalog,
    being: Being,
    actions: tuple[Action, ...],
    *,
    situations: tuple[str, ...] = (),
    extra: tuple[Part, ...] = (),
) -> Explained:
    """Dice a being rolls because of what others do; they can always be rolled."""
    roll = ActionRoll(actions, situations=situations, extra=extra)
    dice = pool(scene, catalog, being, roll, reacting=True)
    assert not isinstance(dice, RuleProblem)
    return dice


@remembered(64)
def attack_dice(
    scene: Scene,
    catalog: Catalog,
    being: Being,
    target: Being,
    attack: Attack,
    arm: Arm | None,
    dodging: bool,
    inspired: int,
) -> Explained | RuleProblem:
    """Dice of an attack after the target's Armor or Dodge, or why it cannot be tried (rulings P3, P4).

    An attack is tried, offered and made in the same scene: what was counted for the one serves the others.
    """
    armor = armor_against(scene, catalog, target, attack.action, being)
    defence = Defence(armor=armor, dodge=target.ratings.stunt if dodging else 0)
    moment = moment_of(scene, being, attack.action, arm)
    actor = actor_of(scene, catalog, being)
    steps = parts_of(scene, being, attack.action, against=target, arm=arm, inspired=inspired)
    found = attack_pool(actor, attack, moment, defence, catalog.settings, steps)
    return found if isinstance(found, RuleProblem) else found.dice


def as_roll(
    scene: Scene,
    name: str,
    being: Being,
    label: str,
    dice: Explained,
    *,
    about: tuple[str, ...] = (),
    audience: Audience = EVERYONE,
    needed: int = 1,
) -> Roll:
    """The dice as a roll of a check, kept to those who may know of all it is about.

    Args:
        scene: Where.
        name: The roll's name in its check.
        being: Who rolls.
        label: What for.
        dice: How many.
        about: Ids of the others whom the label names.
        audience: Whom it is meant for.
        needed: Successes that are hoped for.
    """
    return Roll(
        id=name,
        actor=being.id,
        label=label,
        dice=dice,
        audience=audience & known_to_all(scene, (being.id, *about)),
        odds=f"dungeonteller:action({dice.value}, {needed})",
    )
