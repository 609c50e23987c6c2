"""What is asked about tracks and rests, with the bounds of each member."""

from dataclasses import dataclass
from typing import Annotated

from services.rules.engine.tracks import ChosenAction, TrackMove
from services.shared.bounds import Count, Line

MAX_REASON = 200
MAX_KEY = 120
MAX_MOVES = 20
MAX_ACTIONS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterTrackMove(TrackMove):
    """A track to be moved: by a number, or to one.

    Attributes:
        key: Of the track, as `GameSystem.tracks` lists them.
        by: How far, down where it is negative; or name `to`.
        to: Where to; or name `by`.
        entry: Of a track with entries: which kind comes, or goes first. Left out, the latest go.
    """

    key: Annotated[str, Line(MAX_KEY)]
    entry: Annotated[str, Line(MAX_KEY)] | None = None


@dataclass(frozen=True, slots=True)
class MoveCharacterTracks:
    """Tracks of a character to be moved outside scenes: all of them, or none.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        moves: Each of another track.
        reason: Why, for the history; of Harm and the like also what it is called.
    """

    character_id: str
    version: int
    moves: Annotated[tuple[CharacterTrackMove, ...], Count(1, MAX_MOVES)]
    reason: Annotated[str, Line(MAX_REASON, 0)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRestAction(ChosenAction):
    """Something to do at a rest.

    Attributes:
        key: Of the action, as `Character.rests` lists them.
        choice: The choice that it asks for, if any.
        words: The words that it asks for, if any.
    """

    key: Annotated[str, Line(MAX_KEY)]
    choice: Annotated[str, Line(MAX_KEY)] | None = None
    words: Annotated[str, Line(MAX_REASON, 0)] = ""


@dataclass(frozen=True, slots=True)
class RestCharacter:
    """A character that rests outside scenes.

    Attributes:
        character_id: Id of the character.
        version: The version you saw.
        rest: Key of the rest, as `GameSystem.rests` lists them.
        actions: What it does, in order, where the rest has actions.
    """

    character_id: str
    version: int
    rest: Annotated[str, Line(MAX_KEY)]
    actions: Annotated[tuple[CharacterRestAction, ...], Count(0, MAX_ACTIONS)] = ()
