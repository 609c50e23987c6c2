"""The rules of every move, a file for each chapter of the book.

`realm` (Creating The Map of the Realm), `conflict` (Conflict Rolls), `turns` (Turn Actions), and the actions:
`journey`, `artifact` (Create an Artifact of Wondrous Power), `recruit`, `vault`, `be_tested`, `dragon`,
`ruins`, `village`, `forest`, `prince`; `heroines` (what goes from hand to hand), `table` (the game master).
Shared by several: `dice` (as they fall, are gained and lost), `purchase` (what a total buys).

Each rule reads from top to bottom: what it refuses, what happens, the dice and answers it needs. Who may
react to a Conflict stands in `conflict`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from services.rules.engine.play import GM
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.forgeborn.play.effects import kept_from
from services.rules.systems.forgeborn.play.moves import (
    Answer,
    AskVault,
    AssistVillage,
    BeseechPrince,
    BeTested,
    CallOff,
    CollectGrant,
    Commune,
    CreateArtifact,
    Describe,
    DropDice,
    ExploreRuins,
    FaceDragon,
    Give,
    Journey,
    Move,
    Pass,
    Recruit,
    SetTimeLimit,
    Take,
    TakeFavour,
)
from services.rules.systems.forgeborn.play.rules import (
    artifact,
    be_tested,
    dragon,
    forest,
    heroines,
    journey,
    prince,
    realm,
    recruit,
    ruins,
    table,
    turns,
    vault,
    village,
)
from services.rules.systems.forgeborn.play.rules.turns import GameTurn
from services.rules.systems.forgeborn.play.state import Game, Phase

Rule = Callable[[GameTurn, Any], Steps | None]
"""A rule; None of one that needs neither dice nor answers."""

RULES: Mapping[type, Rule] = {
    DropDice: realm.drop,
    Journey: journey.journey,
    Pass: turns.pass_turn,
    FaceDragon: dragon.face,
    ExploreRuins: ruins.explore,
    AssistVillage: village.assist,
    BeseechPrince: prince.beseech,
    TakeFavour: prince.take_favour,
    BeTested: be_tested.be_tested,
    CreateArtifact: artifact.create,
    Recruit: recruit.recruit,
    AskVault: vault.ask,
    CollectGrant: vault.collect,
    Commune: forest.commune,
    Give: heroines.give,
    Take: heroines.take,
}
"""The rules of the players' moves."""

MASTERS: Mapping[type, Rule] = {
    Describe: table.describe,
    SetTimeLimit: table.set_limit,
    CallOff: table.call_off,
}
"""The rules of the game master's moves."""

ANSWERS = get_args(Answer)


def rule(turn: GameTurn, move: Move) -> Steps:
    """What happens when a move is made."""
    _refuse_wrong_actor(turn.state, move)
    _refuse_kept(turn, move)
    found = RULES.get(type(move)) or MASTERS[type(move)]
    steps = found(turn, move)
    if steps is not None:
        yield from steps


def _refuse_kept(turn: GameTurn, move: Move) -> None:
    """Refuses what something that lasts on her forbids a Smith or Heroine whose turn it is."""
    game = turn.state
    kept = kept_from(game, move.actor, type(move).__name__, turns.catalog_of(turn))
    if kept is not None and game.player_of(move.actor) == game.turn.smith:
        raise Refused(Problems((kept,)))


def _refuse_wrong_actor(game: Game, move: Move) -> None:
    if game.phase is Phase.OVER:
        refuse("scene_over", "The game is over.", "Face the Dragon", ("actor",), move.actor)
    if move.actor != GM and not game.player_of(move.actor):
        turns.refuse_stranger(game, move.actor)
    if isinstance(move, ANSWERS):
        refuse("nothing_asked", "Nothing is asked that this answers.", turns.BOOK, ("actor",), move.actor)
    if (move.actor == GM) != (type(move) in MASTERS) and not isinstance(move, DropDice):
        master = type(move) in MASTERS
        text = f"Only {'the game master' if master else 'a player'} does this."
        refuse("not_yours", text, turns.BOOK, ("actor",), move.actor, GM if master else game.turn.smith)
