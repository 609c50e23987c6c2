"""What a move means: who may make it now, the plan of each kind of move, and the events it comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.rules.engine.play import GM, Check, Faces
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play import powers as _powers
from services.rules.systems.dungeonteller.play.aiming import one
from services.rules.systems.dungeonteller.play.answering import plan_answer
from services.rules.systems.dungeonteller.play.carrying import (
    plan_drink,
    plan_give,
    plan_stance,
    plan_take,
    plan_wield,
)
from services.rules.systems.dungeonteller.play.conditions import action_problem, idle_problem
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.doors import plan_wedge
from services.rules.systems.dungeonteller.play.events import Event
from services.rules.systems.dungeonteller.play.fighting import plan_attack
from services.rules.systems.dungeonteller.play.going import plan_go, plan_steer
from services.rules.systems.dungeonteller.play.holding import plan_dismiss, plan_squeeze, plan_struggle
from services.rules.systems.dungeonteller.play.master import MASTERS
from services.rules.systems.dungeonteller.play.moves import (
    Answer,
    Attack,
    Dismiss,
    Drink,
    EndTurn,
    Give,
    Go,
    Move,
    Rest,
    Squeeze,
    Stance,
    Steer,
    Struggle,
    Take,
    Try,
    UsePower,
    Wedge,
    Wield,
)
from services.rules.systems.dungeonteller.play.state import Being, Scene
from services.rules.systems.dungeonteller.play.trying import plan_try
from services.rules.systems.dungeonteller.play.turns import plan_end, plan_rest
from services.rules.systems.dungeonteller.play.use import plan_power

__all__ = ["check", "decide", "plan"]

Planner = Callable[[Scene, Catalog, Any], Plan | Problems]

PLANNERS: dict[type, Planner] = {
    Go: plan_go,
    Attack: plan_attack,
    UsePower: plan_power,
    Try: plan_try,
    Rest: plan_rest,
    EndTurn: plan_end,
    Answer: plan_answer,
    Struggle: plan_struggle,
    Squeeze: plan_squeeze,
    Dismiss: plan_dismiss,
    Steer: plan_steer,
    Wield: plan_wield,
    Take: plan_take,
    Give: plan_give,
    Drink: plan_drink,
    Wedge: plan_wedge,
    Stance: plan_stance,
    **MASTERS,
}
ACTIONS = (Attack, UsePower, Try, Squeeze, Drink, Wedge)
"""Moves that take the action of the turn."""

ANY_TIME = (Stance,)
"""Moves that may be made in anybody's turn."""

POWERS = _powers


def plan(scene: Scene, catalog: Catalog, move: Move) -> Plan | Problems:
    """The plan of a move, or every rule it breaks."""
    problem = _may_move(scene, catalog, move)
    if problem is not None:
        return one(problem)
    return PLANNERS[type(move)](scene, catalog, move)


def check(scene: Scene, catalog: Catalog, move: Move) -> Check | Problems:
    """The dice of a move."""
    found = plan(scene, catalog, move)
    return found if isinstance(found, Problems) else Check(found.rolls)


def decide(scene: Scene, catalog: Catalog, move: Move, faces: Faces) -> tuple[Event, ...] | Problems:
    """What happens when the dice of a move fall so."""
    found = plan(scene, catalog, move)
    if isinstance(found, Problems):
        return found
    names = tuple(roll.id for roll in found.rolls)
    desk = Desk(scene, catalog, found.rolls, dict(zip(names, faces, strict=True)))
    found.resolve(desk)
    desk.close()
    return tuple(desk.events)


def _may_move(scene: Scene, catalog: Catalog, move: Move) -> RuleProblem | None:
    """Why somebody may not make a move of this kind now."""
    if scene.ended is not None:
        return RuleProblem("scene_ended", "This scene is over.", "scene")
    master = type(move) in MASTERS
    if master or move.actor == GM:
        if master and move.actor == GM:
            return None
        who = "the game master" if master else "somebody in the scene"
        return RuleProblem("wrong_actor", f"Only {who} does this.", "scene", ("actor",), move.actor)
    being = scene.being(move.actor)
    if being is None:
        return RuleProblem(
            "actor_unknown", "There is nobody like that here.", "scene", ("actor",), move.actor
        )
    if scene.prompt is not None and not isinstance(move, Answer):
        return RuleProblem(
            "answer_first", "Somebody has to answer first.", "scene", (), scene.prompt.actor, scene.prompt.id
        )
    if isinstance(move, Answer | Stance):
        return None
    return _turn_problem(scene, catalog, being, move)


def _turn_problem(scene: Scene, catalog: Catalog, being: Being, move: Move) -> RuleProblem | None:
    whose = scene.turn.whose
    if whose != being.id:
        return RuleProblem(
            "not_your_turn", "It is somebody else's turn.", "Actions [P15]", ("actor",), being.id, whose
        )
    if isinstance(move, EndTurn):
        return None
    if not isinstance(move, ACTIONS):
        return idle_problem(scene, being)
    if scene.turn.acted and not (isinstance(move, UsePower) and at_will(catalog, move.power)):
        return RuleProblem("action_used", "One action a turn.", "Actions", ("actor",), being.id)
    return action_problem(scene, being)


def at_will(catalog: Catalog, power_id: str) -> bool:
    """Whether a power takes no action: nothing is rolled and nothing paid for it, as for Starlight."""
    power = catalog.powers.get(power_id)
    return power is not None and not power.roll and power.luck_cost == 0 and not power.reaction
