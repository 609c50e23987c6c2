"""Whom a move may be aimed at, and with what."""

from __future__ import annotations

from services.rules.engine.grid import Square, distance
from services.rules.engine.play import GM
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.checks import WEAPON_CAP
from services.rules.systems.dungeonteller.play.conditions import (
    in_sight,
    knows_of,
)
from services.rules.systems.dungeonteller.play.state import (
    Arm,
    Being,
    Effect,
    EffectKind,
    Scene,
    Thing,
)

TOUCH = 1
"""Paces within which a being can be touched or hit hand to hand."""


def target_problem(
    scene: Scene, being: Being, target_id: str, path: KeyPath, *, touch: bool = False, shown: bool = False
) -> RuleProblem | None:
    """Why a being cannot be aimed at: what is hidden, and not shown, is as unknown as what is not there."""
    target = scene.being(target_id)
    if target is None or not (shown or knows_of(being, target)):
        known = tuple(other.id for other in scene.beings if other.id != being.id and knows_of(being, other))
        return RuleProblem(
            "unknown_target", "There is nobody like that here.", "Actions", path, target_id, known
        )
    if touch:
        return touch_problem(being, target.at, target.name, path)
    if target.id != being.id and not in_sight(scene, being.at, target.at):
        return RuleProblem(
            "target_out_of_sight",
            f"{being.name} cannot see {target.name}.",
            "Actions / Shoot",
            path,
            target_id,
        )
    return None


def touch_problem(being: Being, at: Square, name: str, path: KeyPath) -> RuleProblem | None:
    """Why a being cannot reach a square with their hands."""
    far = distance(being.at, at)
    if far <= TOUCH:
        return None
    return RuleProblem(
        "target_out_of_reach", f"{name} is {far} paces away.", "Actions / Battle", path, far, TOUCH
    )


def foe_problem(
    scene: Scene, being: Being, target_id: str, path: KeyPath, action: Action, *, shown: bool = False
) -> RuleProblem | None:
    """Why a being cannot be attacked: unknown, too far, out already, mist, or kept away by a power."""
    problem = target_problem(scene, being, target_id, path, touch=action is Action.BATTLE, shown=shown)
    if problem is not None:
        return problem
    target = scene.being(target_id)
    assert target is not None
    if target.id == being.id:
        return RuleProblem(
            "target_is_self", "Nobody attacks themselves.", "Actions / Battle", path, target_id
        )
    if target.out:
        return RuleProblem(
            "target_out", f"{target.name} is knocked out already.", "Basics / Luck", path, target_id
        )
    if scene.has(target.id, EffectKind.MIST):
        return RuleProblem(
            "target_untouchable",
            f"{target.name} is mist, and cannot be hit.",
            "Wizard / Mistform",
            path,
            target_id,
        )
    for effect in scene.effects_on(being.id, EffectKind.DRIVEN_AWAY):
        if effect.source == target.id:
            rule = "Paladin / Drive Away Undead"
            return RuleProblem(
                "driven_away", f"{being.name} cannot attack {target.name} this turn.", rule, path, target_id
            )
    return None


def arm_of(being: Being, action: Action, arm_id: str, path: KeyPath = ("arm",)) -> Arm | RuleProblem | None:
    """What a being fights with; None for bare fists, or for a creature that needs nothing named.

    A creature that names nothing uses its best claws or teeth for this action.
    """
    fitting = tuple(arm for arm in being.arms if action in arm.use and (arm.natural or arm.held))
    if not arm_id:
        return max((arm for arm in fitting if arm.natural), key=lambda arm: arm.dice, default=None)
    found = next((arm for arm in fitting if arm.id == arm_id), None)
    if found is None:
        return RuleProblem(
            "arm_not_in_hand",
            f"{being.name} does not hold that for {action.label}.",
            "Stuff",
            path,
            arm_id,
            tuple(arm.id for arm in fitting),
        )
    return found


def best_arm(being: Being, action: Action) -> Arm | None:
    """The weapon in hand that adds most dice to an action."""
    cap = being.ratings.of(WEAPON_CAP[action])
    fitting = tuple(arm for arm in being.arms if action in arm.use and (arm.natural or arm.held))
    return max(fitting, key=lambda arm: arm.dice if arm.natural else min(arm.dice, cap), default=None)


def inspired_problem(scene: Scene, being: Being, dice: int) -> RuleProblem | None:
    """Why a being cannot use lent dice: nobody lent them so many."""
    lent = sum(effect.amount for effect in lent_to(scene, being))
    if 0 <= dice <= lent:
        return None
    return RuleProblem(
        "not_so_many_lent", f"Only {lent} dice are lent.", "Paladin / Inspire", ("inspired",), dice, (0, lent)
    )


def lent_to(scene: Scene, being: Being) -> tuple[Effect, ...]:
    """What friends have lent and is still there."""
    return tuple(
        effect
        for effect in scene.effects
        if effect.kind == EffectKind.INSPIRED
        and effect.bearer != being.id
        and (giver := scene.being(effect.bearer)) is not None
        and giver.side is being.side
    )


def thing_called(scene: Scene, being: Being, thing_id: str) -> Thing | None:
    """A thing a being knows of."""
    for thing in scene.things:
        if thing.id == thing_id and (thing.hidden is None or being.id in thing.found_by):
            return thing
    return None


def player_of(scene: Scene, actor: str) -> str:
    """Whose player moves an actor: a cast member's id, or the game master."""
    being = scene.being(actor)
    if being is None:
        return GM
    leader = scene.being(being.leader) if being.leader else being
    return leader.id if leader is not None and leader.hero else GM
