"""Dice that scenes take, and rests: what another service asks for, and by which batch it is found again for
ever.

A move's rolls are one batch, named by the scene and the move's key; those of a rest by the character and the
rest's key. Rolls are never deleted, so whoever asks again under the same key, a day or a crash later, gets
the faces that fell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol, TypeVar

import orjson

from services.dice.chain.entropy import read_entropy
from services.dice.library.checks import MAX_LABEL
from services.dice.rolls.models import RollRow
from services.dice.rolls.reader import Asked
from services.dice.rolls.replay import Ready, stored_plan
from services.rules.dice.effort import effort
from services.rules.dice.notation import Lexicon, parse
from services.rules.engine.codec import Codec, CodecError
from services.rules.engine.registry import mechanics, named_dice
from services.shared.ids import is_id
from services.shared.problems import InvalidInput
from services.shared.wording import line_issues

MAX_KEY = 200
MAX_ROLLS = 100
MAX_DICE = 100
MIN_SIDES, MAX_SIDES = 2, 1_000
_DICE = re.compile(r"([1-9][0-9]{0,2})d([1-9][0-9]{0,3}|[a-z][a-z_]{0,39})")
_NAME_DIGITS = 36
DrawT = TypeVar("DrawT")


@dataclass(frozen=True, slots=True)
class SceneRoll:
    """Some equal dice.

    Attributes:
        expression: `5d6` or `9dresource`, and nothing but a number of dice and of sides, or the name of a
            game's own die.
        label: what they are for, from 1 to 120 characters.
        secret: whether only the GMs may see them.
        character: id of the character who rolls, if it is one.
    """

    expression: str
    label: str
    secret: bool
    character: str | None = None


@dataclass(frozen=True, slots=True)
class RestRoll:
    """Some equal dice that a character rolls at a rest, open to its table.

    Attributes:
        expression: as that of a `SceneRoll`.
        label: what they are for, from 1 to 120 characters.
    """

    expression: str
    label: str


@dataclass(frozen=True, slots=True)
class RestDraw:
    """The dice of one step of a rest.

    Attributes:
        campaign: id of the campaign where the character sits; None for one that sits at no table.
        key: names the step among those of the character, up to 200 characters.
        rolls: from 1 to 100, in the order in which they fall.
    """

    campaign: str | None
    key: str
    rolls: tuple[RestRoll, ...]


@dataclass(frozen=True, slots=True)
class SceneDraw:
    """The dice of one move.

    Attributes:
        campaign: id of the campaign at whose table the scene is played.
        key: names the move within its scene, up to 200 characters.
        rolls: from 1 to 100, in the order in which they fall.
        entropy: the player's own random bytes, in hexadecimal or base64url; None leaves them to the service.
    """

    campaign: str
    key: str
    rolls: tuple[SceneRoll, ...]
    entropy: str | None = None


_CODEC = Codec(SceneDraw, "dice/scene-draw")
_RESTS = Codec(RestDraw, "dice/rest-draw")


class Draws(Protocol):
    """Dice that another service asks for, found to be in order."""

    @property
    def turn(self) -> str:
        """What takes turns: while its dice fall, no others of the same fall."""

    @property
    def batch(self) -> str:
        """The name of the batch: the same for the same dice, and longer than any that is drawn."""

    def rolls(self, account: str) -> Iterator[Asked]:
        """Return the rolls as any other request for dice of an account."""

    def gave(self, rows: Sequence[RollRow]) -> bool:
        """Tell whether these rolls, kept under this name, are those asked for."""


@dataclass(frozen=True, slots=True)
class SceneAsked:
    """The dice of one move, found to be in order.

    Attributes:
        scene: id of the scene.
        draw: what is asked for.
        entropy: the player's own random bytes, if given.
    """

    scene: str
    draw: SceneDraw
    entropy: bytes | None

    @property
    def batch(self) -> str:
        """The name of the batch: the same for the same scene and key, and longer than any that is drawn."""
        return _batch(self.scene, self.draw.key)

    @property
    def turn(self) -> str:
        """What takes turns: the scene."""
        return f"scene:{self.scene}"

    def rolls(self, _account: str) -> Iterator[Asked]:
        """Returns the rolls as any other request for dice.

        The player's entropy goes into the open ones alone. Once a later secret roll is revealed, it is all
        that keeps the earlier ones secret: it must be known to nobody and stand in no open receipt.
        """
        for roll in self.draw.rolls:
            yield Asked(
                place=self.draw.campaign,
                ready=_ready(roll.expression),
                campaign=self.draw.campaign,
                character=roll.character,
                scene=self.scene,
                label=roll.label,
                secret=roll.secret,
                entropy=None if roll.secret else self.entropy,
            )

    def gave(self, rows: Sequence[RollRow]) -> bool:
        """Tell whether these rolls, kept under this name, are those asked for.

        Who asks and the entropy do not matter: a move that is tried again with other random bytes must not
        get other faces.
        """
        return [
            (row.campaign, row.expression, row.label, was_secret(row), row.character) for row in rows
        ] == [
            (self.draw.campaign, roll.expression, roll.label, roll.secret, roll.character)
            for roll in self.draw.rolls
        ]


@dataclass(frozen=True, slots=True)
class RestAsked:
    """The dice of one step of a rest, found to be in order.

    Attributes:
        character: id of the character that rests.
        draw: what is asked for.
    """

    character: str
    draw: RestDraw

    @property
    def batch(self) -> str:
        """The name of the batch: the same for the same character and key."""
        return _batch(self.character, self.draw.key)

    @property
    def turn(self) -> str:
        """What takes turns: the rests of the character."""
        return f"rest:{self.character}"

    def rolls(self, account: str) -> Iterator[Asked]:
        """Return the rolls as any other request for dice of an account."""
        for roll in self.draw.rolls:
            yield Asked(
                place=self.draw.campaign or account,
                ready=_ready(roll.expression),
                campaign=self.draw.campaign,
                character=self.character,
                label=roll.label,
            )

    def gave(self, rows: Sequence[RollRow]) -> bool:
        """Tell whether these rolls, kept under this name, are those asked for, wherever they were made."""
        return [(row.expression, row.character) for row in rows] == [
            (roll.expression, self.character) for roll in self.draw.rolls
        ]


def _batch(thing: str, key: str) -> str:
    named = orjson.dumps([thing, key])
    return f"bat_{sha256(named).hexdigest()[:_NAME_DIGITS]}"


def was_secret(row: RollRow) -> bool:
    """Tell whether a roll was made in secret, even if it was revealed since."""
    return row.secret_seq is not None


def read_scene_draw(scene: str, body: bytes) -> SceneAsked:
    """Read a request for the dice of one move.

    Args:
        scene: id of the scene.
        body: JSON, a ``SceneDraw``; keys that are unknown are refused.

    Raises:
        InvalidInput: naming the first thing that is wrong with it.
    """
    draw = _read(_CODEC, body)
    _check(scene, draw)
    entropy = None if draw.entropy is None else read_entropy(draw.entropy, "entropy")
    return SceneAsked(scene, draw, entropy)


def read_rest_draw(character: str, body: bytes) -> RestAsked:
    """Read a request for the dice of one step of a rest.

    Args:
        character: id of the character that rests.
        body: JSON, a ``RestDraw``; keys that are unknown are refused.

    Raises:
        InvalidInput: naming the first thing that is wrong with it.
    """
    draw = _read(_RESTS, body)
    if not is_id(character, "chr"):
        raise _malformed("This is no id of a character.", "character")
    if draw.campaign is not None and not is_id(draw.campaign, "cmp"):
        raise _malformed("This is no id of a campaign.", "campaign")
    _check_rolls(draw)
    return RestAsked(character, draw)


def _check(scene: str, draw: SceneDraw) -> None:
    """Refuse the first value that is out of bounds."""
    if not is_id(scene, "scn"):
        raise _malformed("This is no id of a scene.", "scene")
    if not is_id(draw.campaign, "cmp"):
        raise _malformed("This is no id of a campaign.", "campaign")
    _check_rolls(draw)
    for place, roll in enumerate(draw.rolls):
        if roll.character is not None and not is_id(roll.character, "chr"):
            raise _malformed("This is no id of a character.", "rolls", place, "character")


def _check_rolls(draw: SceneDraw | RestDraw) -> None:
    """Refuse the first value of dice that is out of bounds."""
    rolls: Sequence[SceneRoll | RestRoll] = draw.rolls
    if not 1 <= len(draw.key) <= MAX_KEY:
        raise _malformed(f"A key has 1 to {MAX_KEY} characters.", "key")
    if not 1 <= len(draw.rolls) <= MAX_ROLLS:
        raise _malformed(f"From 1 to {MAX_ROLLS} rolls go into one move.", "rolls")
    for place, roll in enumerate(rolls):
        if not _are_dice(roll.expression):
            raise _malformed(
                f"Dice are written `NdS`, with 1 to {MAX_DICE} dice of {MIN_SIDES} to {MAX_SIDES} sides, or "
                "of a game's own.",
                *("rolls", place, "expression"),
            )
        for issue in line_issues(roll.label, "rolls", str(place), "label", most=MAX_LABEL):
            raise _malformed(issue.message, "rolls", place, "label")


def _read(codec: Codec[DrawT], body: bytes) -> DrawT:
    try:
        return codec.read(orjson.loads(body))
    except orjson.JSONDecodeError as error:
        raise _malformed("The body is no JSON.") from error
    except CodecError as error:
        raise _malformed(f"Expected {error.expected}.", *error.path) from error


def _are_dice(expression: str) -> bool:
    found = _DICE.fullmatch(expression)
    if found is None or int(found[1]) > MAX_DICE:
        return False
    return MIN_SIDES <= int(found[2]) <= MAX_SIDES if found[2].isdigit() else found[2] in named_dice()


def _ready(expression: str) -> Ready:
    """Make dice ready, with the faces written down that a game's own have today."""
    if expression[-1].isdigit():
        ready = stored_plan(expression, None)
        return Ready(ready, expression, None, effort(ready.expression.node))
    return Ready.of(parse(expression, Lexicon(dice=named_dice(), mechanics=mechanics())))


def _malformed(message: str, *path: str | int) -> InvalidInput:
    return InvalidInput.single("MALFORMED", message, *(str(step) for step in path))
