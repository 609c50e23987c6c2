"""Reads the text of a golden playthrough; the format is told in `engine.playthrough`.

A text is a title and blocks. Some blocks begin something (`build`, `scene`, `campaign`, `move`), the others
belong to what was begun last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from services.rules.engine.codec import Json
from services.rules.engine.problem import RulesError

NAMED_SETUP = "system-setup"
"""The line of a `scene` block that takes one of the system's own setups by name."""
CAST, BEGINS = "cast", "order"
"""The lines of a `scene` block that says who takes part, and of a `begins` block that names a scene of the
campaign."""


class PlaythroughError(RulesError):
    """A playthrough cannot be read."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {reason}")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One line of a `sheet`, `now` or `outcome` block: at this path stands this value."""

    line: int
    path: str
    value: Json


@dataclass(frozen=True, slots=True)
class Rejection:
    """One line of a `rejected` or `refused` block; without a path the problem concerns the whole."""

    line: int
    code: str
    path: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of a `told` block."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class BuildStep:
    """Choices and their outcome: expectations or rejections, never both."""

    line: int
    choices: Mapping[str, Json]
    sheet: tuple[Expectation, ...]
    rejected: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveStep:
    """A move of a scene and its outcome, or the beginning of a scene of a campaign.

    Attributes:
        begins: Name of a scene that is begun from the campaign; empty for a move. Its heroes are those of
            the campaign whom `move` names under `cast`; what is expected is expected of the scene.
        move: In its JSON form.
        rolls: The faces of each of its rolls, by the roll's id.
        asked: Every question that is then open, as `actor: id`.
        state: What the state then says.
        told: What the log then says.
        outcome: How the scene then stands.
        refused: The rules it breaks; then nothing else is expected, and nothing happens.
    """

    line: int
    begins: str
    move: Mapping[str, Json]
    rolls: Mapping[str, tuple[int, ...]]
    asked: tuple[Sentence, ...]
    state: tuple[Expectation, ...]
    told: tuple[Sentence, ...]
    outcome: tuple[Expectation, ...]
    refused: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStep:
    """A scene: how it begins, and its moves in order.

    Attributes:
        named: Name of one of the system's setups; empty for none.
        setup: The setup in its JSON form; beside a named one, what is different.
        cast: Names of heroes built above, by the id they have as actors.
        state: What the opening state says.
        outcome: How the scene stands before any move.
        refused: The rules the setup breaks; then there are no moves.
        of_campaign: Whether it is the system's state of a campaign, and no scene of it.
    """

    line: int
    named: str
    setup: Mapping[str, Json]
    cast: Mapping[str, str]
    state: tuple[Expectation, ...]
    outcome: tuple[Expectation, ...]
    refused: tuple[Rejection, ...]
    moves: tuple[MoveStep, ...]
    of_campaign: bool = False


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A title, the heroes that are built, and the scenes that are played; each in order."""

    title: str
    steps: tuple[BuildStep, ...]
    scenes: tuple[SceneStep, ...] = ()


@dataclass(frozen=True, slots=True)
class _Block:
    """A word at the margin and the lines set in below it."""

    line: int
    word: str
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Passage:
    """A block that begins something, and those that belong to it by their word."""

    head: _Block
    parts: Mapping[str, _Block]

    def lines(self, word: str) -> tuple[tuple[int, str], ...]:
        """The lines of a part; none when it is not there."""
        return self.parts[word].lines if word in self.parts else ()


_PARTS: Mapping[str, tuple[str, ...]] = {
    "build": ("sheet", "rejected"),
    "scene": ("refused", "now", "outcome"),
    "campaign": ("refused", "now", "outcome"),
    "move": ("rolls", "refused", "asked", "now", "told", "outcome"),
    "begins": ("now", "outcome"),
}
"""What begins something, and what may belong to it."""

_ALONE = ("sheet", "rejected", "refused")
"""What belongs to something only where nothing else does."""


def parse_playthrough(text: str) -> Playthrough:
    """Reads a playthrough.

    Raises:
        PlaythroughError: A line is out of place or a value is not JSON; a build, or a whole scene, expects
            nothing.
    """
    title, blocks = _blocks(text)
    passages = tuple(_passages(blocks))
    builds = tuple(_build(passage) for passage in passages if passage.head.word == "build")
    if not title or not builds:
        raise PlaythroughError(1, "a playthrough has a title and at least one build")
    return Playthrough(title, builds, tuple(_scenes(passages)))


def _blocks(text: str) -> tuple[str, tuple[_Block, ...]]:
    """The title, and every block in order."""
    title = ""
    found: list[_Block] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if raw[0].isspace():
            if not found:
                raise PlaythroughError(number, "this line belongs to no block")
            last = found[-1]
            found[-1] = _Block(last.line, last.word, (*last.lines, (number, line)))
        elif line.startswith("title:"):
            title = line.removeprefix("title:").strip()
        else:
            found.append(_Block(number, line, ()))
    return title, tuple(found)


def _passages(blocks: tuple[_Block, ...]) -> Iterator[_Passage]:
    head: _Block | None = None
    parts: dict[str, _Block] = {}
    for block in blocks:
        if block.word in _PARTS:
            if head is not None:
                yield _Passage(head, parts)
            head, parts = block, {}
        elif head is None or not _fits(block.word, head, parts):
            raise PlaythroughError(block.line, f"{block.word!r} is out of place here")
        elif not block.lines:
            raise PlaythroughError(block.line, f"nothing stands below {block.word!r}")
        else:
            parts[block.word] = block
    if head is not None:
        yield _Passage(head, parts)


def _fits(word: str, head: _Block, parts: Mapping[str, _Block]) -> bool:
    if word not in _PARTS[head.word] or any(part in _ALONE for part in parts):
        return False
    if word in _ALONE or word == "rolls":
        return not parts
    return word not in parts


def _build(passage: _Passage) -> BuildStep:
    if not passage.parts:
        raise PlaythroughError(passage.head.line, "this build expects nothing of its outcome")
    return BuildStep(
        passage.head.line,
        _fields(passage.head.lines),
        _expectations(passage.lines("sheet")),
        _rejections(passage.lines("rejected")),
    )


def _scenes(passages: tuple[_Passage, ...]) -> Iterator[SceneStep]:
    scene: _Passage | None = None
    moves: list[MoveStep] = []
    for passage in passages:
        if passage.head.word in ("move", "begins"):
            if scene is None or "refused" in scene.parts:
                raise PlaythroughError(passage.head.line, "there is no scene to make a move in")
            moves.append(_move(passage))
            continue
        if scene is not None:
            yield _scene(scene, tuple(moves))
        scene, moves = (passage if passage.head.word in ("scene", "campaign") else None), []
    if scene is not None:
        yield _scene(scene, tuple(moves))


def _scene(passage: _Passage, moves: tuple[MoveStep, ...]) -> SceneStep:
    line = passage.head.line
    setup = _fields(passage.head.lines)
    named, cast = setup.pop(NAMED_SETUP, ""), setup.pop(CAST, {})
    if not isinstance(named, str):
        raise PlaythroughError(line, f"{NAMED_SETUP} is the name of a setup")
    heroes = (
        {key: name for key, name in cast.items() if isinstance(name, str)} if isinstance(cast, dict) else {}
    )
    if heroes != cast:
        raise PlaythroughError(line, f"{CAST} is an object of heroes' names by the ids of actors")
    checked = any(step.state or step.told or step.outcome or step.refused or step.asked for step in moves)
    if not passage.parts and not checked:
        raise PlaythroughError(line, "this scene expects nothing of what happens in it")
    return SceneStep(
        line=line,
        named=named,
        setup=setup,
        cast=heroes,
        state=_expectations(passage.lines("now")),
        outcome=_expectations(passage.lines("outcome")),
        refused=_rejections(passage.lines("refused")),
        moves=moves,
        of_campaign=passage.head.word == "campaign",
    )


def _move(passage: _Passage) -> MoveStep:
    move = _fields(passage.head.lines)
    begins = move.pop(BEGINS, "") if passage.head.word == "begins" else ""
    if not isinstance(begins, str) or (passage.head.word == "begins" and not begins):
        raise PlaythroughError(passage.head.line, f"{BEGINS} is the name of a scene of the campaign")
    return MoveStep(
        line=passage.head.line,
        begins=begins,
        move=move,
        rolls=dict(_rolls(passage.lines("rolls"))),
        state=_expectations(passage.lines("now")),
        asked=tuple(Sentence(number, line) for number, line in passage.lines("asked")),
        told=tuple(Sentence(number, line) for number, line in passage.lines("told")),
        outcome=_expectations(passage.lines("outcome")),
        refused=_rejections(passage.lines("refused")),
    )


def _rolls(lines: tuple[tuple[int, str], ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name, value in _fields(lines).items():
        faces = value if isinstance(value, list) else [None]
        if any(type(face) is not int for face in faces):
            raise PlaythroughError(lines[0][0], f"the faces of {name} are a list of whole numbers")
        yield name, tuple(face for face in faces if isinstance(face, int))


def _fields(lines: tuple[tuple[int, str], ...]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for number, line in lines:
        key, value = _pair(number, line)
        if key in found:
            raise PlaythroughError(number, f"{key} is given twice")
        found[key] = value
    return found


def _expectations(lines: tuple[tuple[int, str], ...]) -> tuple[Expectation, ...]:
    return tuple(Expectation(number, *_pair(number, line)) for number, line in lines)


def _rejections(lines: tuple[tuple[int, str], ...]) -> tuple[Rejection, ...]:
    found = []
    for number, line in lines:
        code, _, path = line.partition(" at ")
        found.append(Rejection(number, code.strip(), path.strip()))
    return tuple(found)


def _pair(number: int, line: str) -> tuple[str, Json]:
    key, colon, text = line.partition(": ")
    if not colon:
        raise PlaythroughError(number, "expected `name: value`")
    try:
        value: Json = json.loads(text)
    except ValueError as error:
        raise PlaythroughError(number, f"{text!r} is not JSON: {error}") from error
    return key, value
