"""What a move means: who may make it now, and the rule of each kind of move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.rules.engine.play import GM, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.engine.steps import Refused, Steps, tried
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import action_problem, idle_problem
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.knowledge import as_known
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
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules import powers as _powers
from services.rules.systems.dungeonteller.play.rules.action import attempt
from services.rules.systems.dungeonteller.play.rules.battle import attack, show_oneself
from services.rules.systems.dungeonteller.play.rules.dismissal import dismiss
from services.rules.systems.dungeonteller.play.rules.doors import wedge
from services.rules.systems.dungeonteller.play.rules.grapple import squeeze, struggle
from services.rules.systems.dungeonteller.play.rules.master import MASTERS
from services.rules.systems.dungeonteller.play.rules.moving import go, steer
from services.rules.systems.dungeonteller.play.rules.power import Use, spend, use_power
from services.rules.systems.dungeonteller.play.rules.stuff import drink, give, stance, take, wield
from services.rules.systems.dungeonteller.play.rules.turn import end, rest
from services.rules.systems.dungeonteller.play.state import Being, Scene

__all__ = ["first_rolls", "make"]

RULES: dict[type, Callable[[Desk, Any], Steps | None]] = {
    Go: go,
    Attack: attack,
    UsePower: use_power,
    Try: attempt,
    Rest: rest,
    EndTurn: end,
    Struggle: struggle,
    Squeeze: squeeze,
    Dismiss: dismiss,
    Steer: steer,
    Wield: wield,
    Take: take,
    Give: give,
    Drink: drink,
    Wedge: wedge,
    Stance: stance,
    **MASTERS,
}
"""The rule of each kind of move; that of a move without dice and questions is a plain function."""

ACTIONS = (Attack, UsePower, Try, Squeeze, Drink, Wedge)
"""Moves that take the action of the turn."""

ANY_TIME = (Stance,)
"""Moves that may be made in anybody's turn."""

POWERS = _powers


def make(desk: Desk, move: Move) -> Steps:
    """What happens when a move is made: what its mover knows refuses it, the rest stops it (ruling P36)."""
    known = desk.scene if desk.is_trial else as_known(desk.scene, move.actor)
    if known is desk.scene:
        yield from _ruled(desk, move)
    else:
        desk.check(lambda trial: _ruled(trial, move), known)
        yield from _ruled_or_foiled(desk, move)
    desk.close()


def _ruled(desk: Desk, move: Move) -> Steps:
    """The rule of a move, for who may make it now."""
    refuse_if(_may_move(desk.scene, desk.catalog, move))
    steps = RULES[type(move)](desk, move)
    if steps is not None:
        yield from steps


def _ruled_or_foiled(desk: Desk, move: Move) -> Steps:
    """The rule of a move; one that the true scene refuses, before anything happens, is foiled."""
    try:
        yield from _ruled(desk, move)
    except Refused:
        if desk.events:
            raise
        yield from _foiled(desk, move)


def _foiled(desk: Desk, move: Move) -> Steps:
    """A move that what its mover does not know stands against: it costs what it costs, and does nothing."""
    if isinstance(move, UsePower):
        being = desk.being(move.actor)
        use = Use(desk.scene, desk.catalog, being, desk.catalog.powers[move.power], move)
        spend(desk, use, use.cost)
    elif isinstance(move, ACTIONS):
        desk.spend_action()
        show_oneself(desk, move.actor)
    desk.say("foiled", by=move.actor)
    yield from ()


def first_rolls(scene: Scene, catalog: Catalog, move: Move) -> tuple[Roll, ...] | None:
    """The dice that a move takes first, none where it asks or acts before; None for one that is not legal."""
    try:
        return tried(lambda turn: make(Desk(turn, catalog), move), scene)
    except Refused:
        return None


def _may_move(scene: Scene, catalog: Catalog, move: Move) -> RuleProblem | None:
    """Why a being may not make a move of this kind now."""
    if scene.ended is not None:
        return RuleProblem("scene_over", "This scene is over.", "scene")
    master = type(move) in MASTERS
    if master or move.actor == GM:
        if master and move.actor == GM:
            return None
        who = "the game master" if master else "somebody in the scene"
        return RuleProblem("not_yours", f"Only {who} does this.", "scene", ("actor",), move.actor)
    being = scene.being(move.actor)
    if being is None:
        return RuleProblem(
            "unknown_actor", "There is nobody like that here.", "scene", ("actor",), move.actor
        )
    if isinstance(move, Answer):
        return RuleProblem("nothing_asked", "Nobody asked that.", "Powers", ("actor",), move.actor)
    if isinstance(move, ANY_TIME):
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
