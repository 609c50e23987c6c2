"""Tracks of a character that move outside scenes, and the rests that restore them.

Luck that a fall down the stairs takes, health that a healer restores: between scenes a table moves a track by
hand, within the bounds of the game. Choices and sheet are moved together; the rules of creation are not asked
again, and the sheet is the one that those choices build.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from services.rules.engine.play import Choice, Faces, Roll
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.steps import Refused

RULE = "tracks outside scenes"

ChoicesT = TypeVar("ChoicesT")
SheetT = TypeVar("SheetT")
ContentT = TypeVar("ContentT")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackKind:
    """A track of a game's characters that moves outside scenes.

    Attributes:
        key: Stable within the game; the id of the sheet's track: `luck`.
        label: The game's word for it.
        unit: What it counts, of one: "point", "Harm".
        at_least: What it means to stand at its least, in plain words.
        at_most: What it means to stand at its most, in plain words.
        source: The section of the book.
        entries: The kinds of what it counts, of which each rise names one; none where all are alike.
    """

    key: str
    label: str
    unit: str
    at_least: str
    at_most: str
    source: str
    entries: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class TrackState:
    """Where a track of a character stands, and how far it can move.

    Attributes:
        key: Of the track.
        current: Where it stands.
        least: The least it can stand at.
        most: The most it can stand at.
        full: Where it stands when nothing has moved it.
    """

    key: str
    current: int
    least: int
    most: int
    full: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackMove:
    """A track to be moved: by a number, or to one.

    Attributes:
        key: Of the track.
        by: How far, down where it is negative; None where it is moved to a value.
        to: Where to; None where it is moved by a number.
        entry: Of a track with entries: which kind comes, or goes first; None for whichever goes.
    """

    key: str
    by: int | None = None
    to: int | None = None
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A track that was moved.

    Attributes:
        kind: The track.
        before: Where it stood.
        after: Where it stands.
        entry: The kind of what came or went; None where all are alike, or none was named.
        words: Why, in the table's words; empty where it was not said.
    """

    kind: TrackKind
    before: int
    after: int
    entry: str | None
    words: str

    @property
    def text(self) -> str:
        """The move in plain words: "Luck 5 to 3"."""
        return f"{self.kind.label} {self.before} to {self.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestAction:
    """What a character can do at a rest.

    Attributes:
        key: Stable within the rest.
        label: What a button says.
        text: What it does, in plain words.
        choices: One of them is to be chosen; none where there is nothing to choose.
        words: What to say in words; empty where there is nothing to say.
        words_needed: Whether it is not whole without words.
    """

    key: str
    label: str
    text: str
    choices: tuple[Choice, ...] = ()
    words: str = ""
    words_needed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenAction:
    """An action of a rest that a player chooses.

    Attributes:
        key: Of the action.
        choice: The choice that it asks for, if any.
        words: The words that it asks for, if any.
    """

    key: str
    choice: str | None = None
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterRest(Generic[ChoicesT, SheetT, ContentT]):
    """A rest that a character takes outside scenes.

    Attributes:
        rest: What it is called, and what it restores.
        take: The choices after it: a generator that yields dice and takes their faces. Raises ``Refused``
            before its first dice.
        most_actions: How many actions it has; 0 for a rest without any.
        actions: What the character can do at it, as they are now.
    """

    rest: DayRest
    take: Callable[
        [ChoicesT, SheetT, Sequence[ChosenAction], ContentT], Generator[tuple[Roll, ...], Faces, ChoicesT]
    ]
    most_actions: int = 0
    actions: Callable[[SheetT, ContentT], tuple[RestAction, ...]] = lambda _sheet, _content: ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracks(Generic[ChoicesT, SheetT, ContentT]):
    """How a game's characters fare outside scenes: declared once, in its own folder.

    Attributes:
        kinds: The tracks that can be moved.
        states: Where they stand, in the order of ``kinds``.
        put: The choices with one track moved within its bounds; raises ``Refused``.
        sheet: A sheet with how its character fares by other choices; all else of it stays.
        rests: The rests, the slightest first.
    """

    kinds: tuple[TrackKind, ...]
    states: Callable[[SheetT], tuple[TrackState, ...]]
    put: Callable[[ChoicesT, SheetT, Moved], ChoicesT]
    sheet: Callable[[SheetT, ChoicesT, ContentT], SheetT]
    rests: tuple[CharacterRest[ChoicesT, SheetT, ContentT], ...] = ()
    _by_key: Mapping[str, TrackKind] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {kind.key: kind for kind in self.kinds})

    def find_rest(self, key: str) -> CharacterRest[ChoicesT, SheetT, ContentT] | None:
        """A rest by its key."""
        return next((each for each in self.rests if each.rest.key == key), None)

    def move(
        self, choices: ChoicesT, sheet: SheetT, moves: Sequence[TrackMove], words: str, content: ContentT
    ) -> tuple[ChoicesT, SheetT, tuple[Moved, ...]] | Problems:
        """Move tracks of a character, all of them or none.

        Args:
            choices: What was chosen for it.
            sheet: Its sheet.
            moves: Each of another track.
            words: Why, in the table's words; may be empty.
            content: The game's content.

        Returns:
            The choices, the sheet and what was moved; or every move that is refused, by a path that begins
            with ``moves``.
        """
        found: list[Moved] = []
        problems: list[RuleProblem] = []
        states = {state.key: state for state in self.states(sheet)}
        for place, move in enumerate(moves):
            twice = move.key in {each.key for each in moves[:place]}
            known = self._checked(move, states.get(move.key), ("moves", place), twice=twice)
            if isinstance(known, RuleProblem):
                problems.append(known)
            else:
                found.append(Moved(self._by_key[move.key], *known, move.entry, words))
        if problems:
            return Problems(tuple(problems))
        for place, each in enumerate(found):
            try:
                choices = self.put(choices, sheet, each)
            except Refused as refused:
                return Problems(tuple(_under(broken, ("moves", place)) for broken in refused.problems))
        return choices, self.sheet(sheet, choices, content), tuple(found)

    def _checked(
        self, move: TrackMove, state: TrackState | None, path: KeyPath, *, twice: bool
    ) -> tuple[int, int] | RuleProblem:
        """Where a track stands and where it is moved; or why it is not."""
        if state is None:
            keys = tuple(self._by_key)
            text = "The game has no such track." if keys else "No track of this game moves outside scenes."
            return RuleProblem("track_unknown", text, RULE, (*path, "key"), move.key[:80], keys)
        kind = self._by_key[move.key]
        if twice:
            text = "A request moves each track once."
            return RuleProblem("track_twice", text, RULE, (*path, "key"), move.key)
        if (move.by is None) == (move.to is None):
            text = "A track is moved by a number, or to one."
            return RuleProblem("track_by_or_to", text, RULE, path)
        name, after = ("to", move.to) if move.by is None else ("by", state.current + move.by)
        assert after is not None
        if not state.least <= after <= state.most:
            text = f"{kind.label} is from {state.least} to {state.most} here."
            bounds = (state.least, state.most)
            return RuleProblem("track_out_of_bounds", text, kind.source, (*path, name), after, bounds)
        return self._with_entry(kind, move, state.current, after, path)

    def _with_entry(
        self, kind: TrackKind, move: TrackMove, before: int, after: int, path: KeyPath
    ) -> tuple[int, int] | RuleProblem:
        entries = tuple(each.value for each in kind.entries)
        if move.entry is None and entries and after > before:
            text = f"Say which {kind.unit} comes."
            return RuleProblem("entry_missing", text, kind.source, (*path, "entry"), None, entries)
        if move.entry is not None and move.entry not in entries:
            text = f"There is no such {kind.unit}." if entries else f"Each {kind.unit} is like the others."
            where = (*path, "entry")
            return RuleProblem("entry_unknown", text, kind.source, where, move.entry[:80], entries)
        return before, after


NO_TRACKS: Tracks[Any, Any, Any] = Tracks(
    kinds=(),
    states=lambda _sheet: (),
    put=lambda choices, _sheet, _moved: choices,
    sheet=lambda sheet, _choices, _content: sheet,
)
"""Of a game whose numbers move in its scenes alone, and begin each scene anew."""

AnyTracks = Tracks[Any, Any, Any]
"""Tracks whose types the caller does not know."""


def check_actions(
    chosen: Sequence[ChosenAction], offered: Sequence[RestAction], most: int, source: str
) -> None:
    """Refuse actions that a rest does not have.

    Args:
        chosen: What is to be done, in order.
        offered: What can be done.
        most: How many actions the rest has.
        source: Where the rule of the rest stands.

    Raises:
        Refused: by paths that begin with ``actions``.
    """
    known = {each.key: each for each in offered}
    found: list[RuleProblem] = []
    if len(chosen) > most:
        text = f"This rest has at most {most} actions." if most else "This rest has no actions."
        found.append(RuleProblem("too_many_rest_actions", text, source, ("actions",), len(chosen), most))
    for place, each in enumerate(chosen[:most]):
        path: KeyPath = ("actions", place)
        action = known.get(each.key)
        if action is None:
            text, keys = "There is no such action at this rest.", tuple(known)
            found.append(RuleProblem("rest_action_unknown", text, source, (*path, "key"), each.key, keys))
            continue
        values = tuple(choice.value for choice in action.choices)
        if (each.choice is not None or values) and each.choice not in values:
            text, where = "Choose one of what there is to choose from.", (*path, "choice")
            found.append(RuleProblem("rest_choice_unknown", text, source, where, each.choice, values))
        if action.words_needed and not each.words.strip():
            where = (*path, "words")
            found.append(RuleProblem("rest_words_missing", action.words, source, where))
    if found:
        raise Refused(Problems(tuple(found)))


def _under(problem: RuleProblem, path: KeyPath) -> RuleProblem:
    more = (problem.code, problem.message, problem.rule)
    return RuleProblem(*more, (*path, *problem.path), problem.found, problem.allowed)
