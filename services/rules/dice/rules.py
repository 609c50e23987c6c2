"""Collects what is done to dice, or to a group, while it is read; checks what can be said word by word."""

from __future__ import annotations

from functools import lru_cache

from services.rules.dice.dialect import Use, Word
from services.rules.dice.faces import extent
from services.rules.dice.pool import (
    Compare,
    Comparison,
    Count,
    CountKind,
    Dice,
    DieKind,
    Explode,
    ExplodeKind,
    Group,
    Node,
    Reroll,
    RerollKind,
    Select,
    SelectKind,
    Sort,
)

_ORDER = {
    Use.REROLL: 0,
    Use.UNIQUE: 0,
    Use.EXPLODE: 1,
    Use.LOWEST: 2,
    Use.HIGHEST: 2,
    Use.SELECT: 3,
    Use.WHERE: 4,
    Use.COUNT: 5,
}
_FOR_GROUPS = (Use.SELECT, Use.WHERE, Use.COUNT, Use.SORT, Use.SHOWN_ONLY)
_selected = lru_cache(maxsize=256)(Select)
"""Selections by number, made once: they are values."""

_BY_LOWEST = (CountKind.FAILURES, CountKind.DEDUCT, CountKind.SUBTRACT)


class RuleError(Exception):
    """A rule that cannot stand where it stands.

    Attributes:
        expected: What could stand there instead.
    """

    def __init__(self, *expected: str) -> None:
        self.expected = expected
        super().__init__(*expected)


class Rules:
    """What is done to the dice of one term, in the order read.

    Args:
        kind: Which die; None for a group.
        ordered: The dialect, where it applies rules in the order written: then that has to be ours.

    Attributes:
        places: Where in the text a part was written: `reroll`, `unique`, `lowest`, `highest`, `explode`, and
            the selections by their index.
    """

    __slots__ = (
        "_counts",
        "_explode",
        "_highest",
        "_kind",
        "_last",
        "_lowest",
        "_ordered",
        "_points",
        "_reroll",
        "_select",
        "_sort",
        "_unique",
        "places",
    )

    def __init__(self, kind: DieKind | None, ordered: str = "") -> None:
        self.places: dict[str | int, int] = {}
        self._kind = kind
        self._ordered = ordered
        self._last: Word | None = None
        self._reroll: RerollKind | None = None
        self._points: tuple[Compare, ...] = ()
        self._unique = False
        self._lowest: int | None = None
        self._highest: int | None = None
        self._explode: Explode | None = None
        self._select: tuple[Select, ...] = ()
        self._counts: tuple[Count, ...] = ()
        self._sort: Sort | None = None

    @property
    def any(self) -> bool:
        """Whether something is done that selects, counts or sorts."""
        return bool(self._select or self._counts or self._sort)

    def select(self, kind: SelectKind, count: int, place: int) -> None:
        """Keeps or drops the highest or lowest."""
        self.places[len(self._select)] = place
        self._select = (*self._select, _selected(kind, count))

    def succeed(self, point: Compare) -> None:
        """Counts successes."""
        self._counts = (*self._counts, Count(CountKind.SUCCESS, point))

    def add(self, word: Word, point: Compare | None, value: int | None, place: int) -> None:
        """Adds one rule with what followed its word.

        Raises:
            RuleError: It cannot stand here.
        """
        if self._kind is None and word.use not in _FOR_GROUPS:
            raise RuleError("a rule for a group: keep, drop, count or sort")
        if self._ordered:
            self._in_order(word)
        meaning = word.meaning
        match word.use:
            case Use.SELECT:
                assert isinstance(meaning, SelectKind)
                self.select(meaning, 1 if value is None else value, place)
            case Use.WHERE:
                assert isinstance(meaning, SelectKind)
                if point is None:
                    raise RuleError("a compare point such as '>=4'")
                self.places[len(self._select)] = place
                self._select = (*self._select, Select(meaning, 0, point))
            case Use.REROLL:
                assert isinstance(meaning, RerollKind)
                self._add_reroll(meaning, point or self._default(lowest=True), place)
            case Use.EXPLODE:
                assert isinstance(meaning, ExplodeKind)
                if self._explode is not None:
                    raise RuleError("one explosion")
                self.places["explode"] = place
                self._explode = Explode(meaning, point or self._default(lowest=False))
            case Use.COUNT:
                assert isinstance(meaning, CountKind)
                self._counts = (*self._counts, self._count(meaning, point))
            case Use.LOWEST | Use.HIGHEST:
                self._clamp(word, value, place)
            case Use.UNIQUE:
                self.places["unique"] = place
                self._unique = True
            case Use.SORT:
                assert isinstance(meaning, Sort)
                if self._sort not in (None, meaning):
                    raise RuleError("one order")
                self._sort = meaning
            case Use.SHOWN_ONLY:
                pass
            case Use.REFUSED:
                raise RuleError(f"another rule: {meaning}")

    def dice(self, count: int | Node, kind: DieKind) -> Dice:
        """The dice with all that is done to them."""
        reroll = None if self._reroll is None else Reroll(self._reroll, self._points)
        return Dice(
            count,
            kind,
            reroll,
            self._unique,
            self._lowest,
            self._highest,
            self._explode,
            self._select,
            self._counts,
            self._sort,
        )

    def group(self, members: tuple[Node, ...]) -> Group:
        """The group with all that is done to it."""
        return Group(members, self._select, self._counts, self._sort)

    def _add_reroll(self, kind: RerollKind, point: Compare, place: int) -> None:
        if self._reroll not in (None, kind):
            raise RuleError("rerolls that all happen once, or all until none is left")
        self.places.setdefault("reroll", place)
        self._reroll = kind
        if point not in self._points:
            self._points = (*self._points, point)

    def _clamp(self, word: Word, value: int | None, place: int) -> None:
        if value is None:
            raise RuleError("a number")
        lowest = word.use is Use.LOWEST
        if (self._lowest if lowest else self._highest) is not None:
            raise RuleError(f"one {word.use.value} value")
        self.places[word.use.value] = place
        if lowest:
            self._lowest = value
        else:
            self._highest = value

    def _count(self, kind: CountKind, point: Compare | None) -> Count:
        if kind in (CountKind.EVEN, CountKind.ODD):
            return Count(kind)
        if point is None and kind is CountKind.MARGIN:
            raise RuleError("a compare point such as '>=12'")
        return Count(kind, point or self._default(lowest=kind in _BY_LOWEST))

    def _default(self, *, lowest: bool) -> Compare:
        """The point that is meant where none is written: the lowest, or the highest, face."""
        values = None if self._kind is None else extent(self._kind)
        if values is None:
            # A group has no faces, and a die whose sides are rolled has no highest yet.
            raise RuleError("a compare point such as '>=5'")
        return Compare(Comparison.EQUAL, values[0] if lowest else values[1])

    def _in_order(self, word: Word) -> None:
        before, self._last = self._last, word
        if before is None or word.use not in _ORDER or before.use not in _ORDER:
            return
        raised = word.use in (Use.LOWEST, Use.HIGHEST) and before.use is Use.SELECT
        if _ORDER[word.use] >= _ORDER[before.use]:
            return
        if raised:
            # The highest stay the highest when all are raised or lowered: the order makes no difference.
            self._last = before
            return
        raise RuleError(
            f"'{word.text}' before '{before.text}': {self._ordered} applies rules in the order written"
        )
