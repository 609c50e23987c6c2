"""What can be asked of scenes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NewType

from services.rules.engine.setups import MOST_CAST
from services.shared.bounds import Count, Line
from services.shared.problems import Issue

CharacterId = NewType("CharacterId", str)
PackId = NewType("PackId", str)
MAX_TITLE = 120
MAX_PACKS = 8
_ENTROPY = re.compile(r"[A-Za-z0-9_-]{22,128}={0,2}")


@dataclass(frozen=True, slots=True)
class Entropy:
    """Random bytes of a player's own, as text."""

    @property
    def words(self) -> str:
        """Return what it is."""
        return "16 to 64 random bytes, in hexadecimal or base64url."

    @property
    def constraint(self) -> Mapping[str, int]:
        """Return the lengths of the text."""
        return {"minLength": 22, "maxLength": 130}

    def issues(self, value: str, *path: str) -> list[Issue]:
        """Find a text that is none."""
        if _ENTROPY.fullmatch(value):
            return []
        return [Issue("ENTROPY", f"Entropy is {self.words}", list(path))]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartScene:
    """A scene to be started (GM). Either `setup` or `setupName` says what the game begins with.

    Attributes:
        campaign_id: At whose table.
        system: Slug of the game.
        setup: What the game wants to know beforehand, in its JSON form; `sceneRules` has the schema.
        setup_name: Or the name of one of the game's own setups, or of an opening that its campaign offers.
        characters: Ids of the characters at the table that take part, each once. When omitted, those whose
            tokens stand on the map, if there is one.
        map_id: A map that the game is played on, and that you run: the scene is set there as the map is now.
            Heroes start where their tokens stand, and so do creatures that tokens name. From then on the
            scene leads the map: it follows the scene until that is over. `sceneRules` says which maps fit.
        title: What it is called; the game's own title when omitted.
        packs: Ids of content packs that are shared with the campaign, in order, each in its newest version:
            the scene is played with them as they are now, whatever becomes of them. Left out, all of its
            game, the oldest first; an empty list is the book alone.
    """

    campaign_id: str
    system: str
    setup: object | None = None
    setup_name: str | None = None
    characters: Annotated[tuple[CharacterId, ...], Count(0, MOST_CAST)] | None = None
    map_id: str | None = None
    title: Annotated[str, Line(MAX_TITLE)] | None = None
    packs: Annotated[tuple[PackId, ...], Count(0, MAX_PACKS)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformMove:
    """A move to be made: players move their own characters, GMs any actor.

    Attributes:
        scene_id: In which scene.
        expected_seq: The scene's `seq` that you saw; for an answer, any since the question was asked.
        move: The move in the game's JSON form as `legalMoves` hands it out, its fields filled in;
            `sceneRules` has the schema.
        entropy: Of your own for the dice, made anew for each move.
    """

    scene_id: str
    expected_seq: int
    move: object
    entropy: Annotated[str, Entropy()] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayBot:
    """A move that a bot is to choose.

    Attributes:
        scene_id: In which scene.
        expected_seq: The scene's `seq` that you saw.
        actor: An actor that you may move.
        bot: Id of one of the scene's `bots`; the game's own simple player when omitted.
    """

    scene_id: str
    expected_seq: int
    actor: str
    bot: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoMove:
    """The last move that still stands is to be taken back (GM).

    Attributes:
        scene_id: In which scene.
        expected_seq: The scene's `seq` that you saw.
    """

    scene_id: str
    expected_seq: int


@dataclass(frozen=True, slots=True)
class DeleteScene:
    """A scene that is to be deleted (GM).

    Attributes:
        id: Of the scene.
    """

    id: str
