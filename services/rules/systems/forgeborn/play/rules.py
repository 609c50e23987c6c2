"""What a move means: who may make it, the plan of each kind of move, and the events it comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.rules.engine.play import GM, Check, Faces
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.play.conflict import (
    one,
    plan_approve,
    plan_claim,
    plan_conflict,
    plan_recruit,
    plan_test,
    plan_throw,
)
from services.rules.systems.forgeborn.play.creation import (
    plan_bestow,
    plan_create,
    plan_imbue,
    plan_join,
)
from services.rules.systems.forgeborn.play.desk import Desk, Plan
from services.rules.systems.forgeborn.play.events import Event
from services.rules.systems.forgeborn.play.master import (
    plan_call_off,
    plan_describe,
    plan_drop,
    plan_limit,
    plan_ruin,
    plan_trouble,
)
from services.rules.systems.forgeborn.play.moves import (
    Approve,
    AskVault,
    AssistVillage,
    BeseechPrince,
    Bestow,
    BeTested,
    CallOff,
    ChooseReward,
    Claim,
    CollectGrant,
    Commune,
    CreateArtifact,
    Decline,
    Describe,
    DropDice,
    DropRuin,
    ExploreRuins,
    FaceDragon,
    FindTrouble,
    Give,
    Imbue,
    Join,
    Journey,
    LoseDie,
    Move,
    Pass,
    Recruit,
    SetTimeLimit,
    Take,
    TakeFavour,
    Throw,
    Vote,
)
from services.rules.systems.forgeborn.play.state import Game, Phase
from services.rules.systems.forgeborn.play.vault import plan_ask, plan_collect, plan_decline, plan_vote
from services.rules.systems.forgeborn.play.wandering import (
    plan_commune,
    plan_favour,
    plan_give,
    plan_journey,
    plan_lose,
    plan_pass,
    plan_reward,
    plan_take,
)
from services.rules.systems.forgeborn.play.where import nobody

Planner = Callable[[Game, Catalog, Any], Plan | Problems]

MASTERS: dict[type, Planner] = {
    Approve: plan_approve,
    Describe: plan_describe,
    SetTimeLimit: plan_limit,
    CallOff: plan_call_off,
}
"""Moves that are the game master's alone."""

PLANNERS: dict[type, Planner] = {
    DropDice: plan_drop,
    DropRuin: plan_ruin,
    FindTrouble: plan_trouble,
    Journey: plan_journey,
    Pass: plan_pass,
    FaceDragon: plan_conflict,
    ExploreRuins: plan_conflict,
    AssistVillage: plan_conflict,
    BeseechPrince: plan_conflict,
    BeTested: plan_test,
    CreateArtifact: plan_create,
    Recruit: plan_recruit,
    AskVault: plan_ask,
    CollectGrant: plan_collect,
    Commune: plan_commune,
    TakeFavour: plan_favour,
    Give: plan_give,
    Take: plan_take,
    Throw: plan_throw,
    Join: plan_join,
    Imbue: plan_imbue,
    Bestow: plan_bestow,
    Vote: plan_vote,
    Claim: plan_claim,
    Decline: plan_decline,
    ChooseReward: plan_reward,
    LoseDie: plan_lose,
    **MASTERS,
}


def plan(game: Game, catalog: Catalog, move: Move) -> Plan | Problems:
    """The plan of a move, or every rule it breaks."""
    problem = _may_move(game, move)
    return one(problem) if problem is not None else PLANNERS[type(move)](game, catalog, move)


def check(game: Game, catalog: Catalog, move: Move) -> Check | Problems:
    """The dice of a move."""
    found = plan(game, catalog, move)
    return found if isinstance(found, Problems) else Check(found.rolls)


def decide(game: Game, catalog: Catalog, move: Move, faces: Faces) -> tuple[Event, ...] | Problems:
    """What happens when the dice of a move fall so."""
    found = plan(game, catalog, move)
    if isinstance(found, Problems):
        return found
    names = (roll.id for roll in found.rolls)
    desk = Desk(game, catalog, found.rolls, dict(zip(names, faces, strict=True)))
    found.resolve(desk)
    return tuple(desk.events)


def _may_move(game: Game, move: Move) -> RuleProblem | None:
    """Why somebody may not make a move of this kind at all."""
    if game.phase is Phase.OVER:
        return RuleProblem("game_over", "The game is over.", "Face the Dragon", ("actor",), move.actor)
    if (move.actor == GM) == (type(move) in MASTERS) or isinstance(move, DropDice):
        return None if move.actor == GM or game.player_of(move.actor) else nobody(game, move.actor)
    master = type(move) in MASTERS
    text = f"Only {'the game master' if master else 'a player'} does this."
    allowed = GM if master else game.turn.smith
    return RuleProblem("wrong_actor", text, "Turn Actions", ("actor",), move.actor, allowed)
