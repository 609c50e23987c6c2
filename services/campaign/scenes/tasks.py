"""Questions to the rules of scenes that may take long; each is answered here or in a worker process.

They take and give what can be pickled: documents, never rows. ``Games`` is what each process knows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from services.campaign.scenes.bots import bots, think
from services.campaign.scenes.checks import CheckedMove, RejectedMove, checked
from services.campaign.scenes.games import Games, Played, game_of
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.positions import Documents, read
from services.campaign.scenes.rulings import offered
from services.rules.engine import board
from services.rules.engine.driver import fold, state_hash
from services.rules.engine.play import AnyPlay, LegalMove
from services.rules.engine.sampling import Choose

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scene played again.

    Attributes:
        document: the state that its moves led to.
        hash: of that state.
        opening: hash of the state that it began with.
    """

    document: dict[str, Any]
    hash: str
    opening: str


def legal_moves(
    games: Games, by: Played, found: Documents, who: Participant, actor: str | None
) -> tuple[LegalMove, ...]:
    """Return what an actor may do, or all that a member may move."""
    at = read(_play(games, by), found)
    known = [each.id for each in at.card(who.eyes).actors]
    return offered(at, who, known, actor)


def checked_move(
    games: Games, by: Played, found: Documents, who: Participant, move: dict[str, Any]
) -> CheckedMove | RejectedMove:
    """Return what a move would come to first, or why it may not be made.

    Args:
        games: what the process knows.
        by: what the scene is played by.
        found: where it stands.
        who: whose move it is.
        move: its document.

    Raises:
        CodecError: the game no longer knows what was written.
    """
    return checked(read(_play(games, by), found), who, move)


def thought(
    games: Games, by: Played, found: Documents, actor: str, bot: str, choose: Choose
) -> dict[str, Any] | None:
    """Have a bot choose a move, and gives its document; None where there is nothing to do."""
    play = _play(games, by)
    chosen = next(each for each in bots(play) if each.id == bot)
    move = think(chosen, read(play, found), actor, choose)
    return None if move is None else play.move_codec.dump(move)


def replayed(games: Games, by: Played, opening: Document, moves: Sequence[str]) -> Replayed:
    """Play a scene again from its opening.

    Args:
        games: what the process knows.
        by: what it is played by.
        opening: document of the state that it began with.
        moves: the events of each move, as JSON.

    Raises:
        CodecError: the game no longer knows what was written.
    """
    play = _play(games, by)
    first = play.state_codec.load(opening)
    state = fold(
        play, first, (play.event_codec.load(event) for events in moves for event in orjson.loads(events))
    )
    return Replayed(play.state_codec.dump(state), state_hash(play, state), state_hash(play, first))


def picture(
    games: Games, by: Played, found: Documents, who: Participant, portraits: Mapping[str, str]
) -> str:
    """Draw a scene as a member may know it, with these portraits by the ids of characters."""
    play = _play(games, by)
    return board.picture(play, read(play, found._replace(waiting=None)).view(who.eyes), portraits)


def _play(games: Games, by: Played) -> AnyPlay:
    game = game_of(games, by)
    assert game is not None and game.play is not None
    return game.play
