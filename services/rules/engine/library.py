"""Looking for content: by kind, by words, by what the fields of its entries say, in some order.

Any content can be searched, a table's own too: what there is to filter by is read from the entries' types.
Fields within fields are joined by dots (`size.speed`); a field with several values, or one that lies within
a list, fits when any of its values does. Texts and fields of a shelf are read once and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from services.rules.engine.content import Content
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.engine.shelf_index import (
    REMEMBERED,
    Leaf,
    LeafKind,
    ShelfIndex,
    folded,
    index_of,
    plain_key,
)
from services.rules.engine.spelling import STORED, Spelling

BOOK, NAME, RELEVANCE = "book", "name", "relevance"
MOST_VALUES = 100
RULE = "content search"

_NAMED_WHOLE, _NAME_BEGINS = 60, 20
_IN_NAME, _BEGINS_IN_NAME, _IN_TEXT, _BEGINS_IN_TEXT = 12, 8, 3, 2


class Relation(Enum):
    """How a field is to stand to the values of a condition."""

    EQUALS = "equals"
    ONE_OF = "one_of"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    HAS = "has"
    """A list has this value, or a text these words."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition; an entry must fit them all.

    Attributes:
        field: Path of a field, with or without underscores and capitals.
        relation: How it is to stand to them.
        values: The value, or the values of which one will do, as text.
        path: Where the condition stands in the request.
    """

    field: str
    relation: Relation
    values: tuple[str, ...]
    path: KeyPath = ("where",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is looked for.

    Attributes:
        kind: Only this kind; None for all.
        search: Words, each of which must begin a word of the entry's name or of another text of it.
        where: Conditions.
        order: `name`, `book`, `relevance` or the path of a field, with `-` before it for the other way round;
            empty for relevance where words are given, and the book otherwise.
        first: How many at most.
        after: Id of the entry behind which to go on.
    """

    kind: str | None = None
    search: str = ""
    where: tuple[Condition, ...] = ()
    order: str = ""
    first: int = 20
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry that was found.

    Attributes:
        text: What it is, in a sentence or two; empty where the content does not say.
    """

    id: str
    kind: str
    name: str
    text: str
    entry: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found.

    Attributes:
        hits: In order.
        total: How many fit in all, before and behind these too.
        more: Whether more follow.
    """

    hits: tuple[Hit, ...]
    total: int
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentField:
    """A field that content of a kind can be filtered and ordered by.

    Attributes:
        name: Its path: `size.speed`.
        kind: What it holds.
        many: Whether an entry may have several values.
        optional: Whether an entry may have none.
        values: What it may say: every word of a closed list, or what entries share; empty where each
            entry says its own.
        least: Smallest number among the entries; nothing for a field without numbers.
        most: Largest number.
    """

    name: str
    kind: LeafKind
    many: bool
    optional: bool
    values: tuple[str, ...]
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentKind:
    """A kind of content.

    Attributes:
        kind: As it stands in content ids.
        title: What a heading says.
        count: How many entries there are.
        fields: What it can be filtered and ordered by.
    """

    kind: str
    title: str
    count: int
    fields: tuple[ContentField, ...]


def kinds(content: Content, spelling: Spelling = STORED) -> tuple[ContentKind, ...]:
    """The kinds of a content, with what each can be filtered by, in the order of the content."""
    return tuple(_kind(index, spelling) for index in _indexes(content))


@lru_cache(maxsize=REMEMBERED)
def _kind(index: ShelfIndex, spelling: Spelling) -> ContentKind:
    return ContentKind(
        kind=index.kind,
        title=index.kind.replace("_", " ").capitalize(),
        count=len(index.hits),
        fields=tuple(_field(leaf, index, spelling) for leaf in index.leaves.values()),
    )


def entry(content: Content, entry_id: str) -> Hit | None:
    """The entry of an id; None when there is none."""
    for index in _indexes(content):
        place = index.places.get(entry_id)
        if place is not None:
            return _hit(index, place)
    return None


def search(content: Content, wanted: Wanted, spelling: Spelling = STORED) -> Found | Problems:
    """The entries that fit, or everything that is wrong with the question.

    Args:
        content: Where to look.
        wanted: What is looked for.
        spelling: How the names of fields and the words of closed lists are told in problems; in the question
            each may be spelled as it is stored as well.
    """
    indexes = _indexes(content)
    chosen = [index for index in indexes if wanted.kind in (None, index.kind)]
    if not chosen:
        known = tuple(index.kind for index in indexes)
        text = "There is no such kind of content."
        return Problems((RuleProblem("kind_unknown", text, RULE, ("kind",), wanted.kind, known),))
    words = folded(wanted.search).split()
    problems: list[RuleProblem] = []
    tests = [_reading(condition, chosen, spelling, problems) for condition in wanted.where]
    order = _order(wanted, chosen, spelling, problems, words=bool(words))
    if wanted.after is not None and not any(wanted.after in index.places for index in chosen):
        text = "There is no such entry to go on behind."
        problems.append(RuleProblem("entry_unknown", text, RULE, ("after",), wanted.after))
    if problems:
        return Problems(tuple(problems))
    return _page(wanted, order(_lines(chosen, words, tests)))


# Entries in order


@dataclass(slots=True)
class _Line:
    """An entry of a chosen shelf.

    Attributes:
        score: How well the words fit; 0 where they do not, or where there are none.
        fits: Whether it is among what is looked for.
    """

    index: ShelfIndex
    place: int
    score: int
    fits: bool


_Fits = Callable[[ShelfIndex, int], bool]
_Order = Callable[[list[_Line]], list[_Line]]


def _lines(chosen: Sequence[ShelfIndex], words: Sequence[str], tests: Sequence[_Fits]) -> list[_Line]:
    lines = []
    for index in chosen:
        for place in range(len(index.hits)):
            score = _score(index.names[place], index.texts[place], words) if words else 0
            fits = (bool(score) or not words) and all(test(index, place) for test in tests)
            lines.append(_Line(index, place, score, fits))
    return lines


def _score(name: str, text: str, words: Sequence[str]) -> int:
    """How well words fit; 0 when one of them does not. Texts begin and end with a blank, as words do."""
    score = 0
    for word in words:
        begins, whole = f" {word}", f" {word} "
        if begins in name:
            score += _IN_NAME if whole in name else _BEGINS_IN_NAME
        elif begins in text:
            score += _IN_TEXT if whole in text else _BEGINS_IN_TEXT
        else:
            return 0
    phrase = f" {' '.join(words)}"
    if name.startswith(phrase):
        score += _NAMED_WHOLE if name == f"{phrase} " else _NAME_BEGINS
    return score


def _page(wanted: Wanted, lines: Sequence[_Line]) -> Found:
    """The page behind an entry, which need not fit itself: what it stands behind stays the same."""
    hits: list[Hit] = []
    behind, total, more = wanted.after is None, 0, False
    for line in lines:
        total += line.fits
        if behind and line.fits:
            if len(hits) < wanted.first:
                hits.append(_hit(line.index, line.place))
            else:
                more = True
        behind = behind or line.index.hits[line.place][0] == wanted.after
    return Found(hits=tuple(hits), total=total, more=more)


def _hit(index: ShelfIndex, place: int) -> Hit:
    entry_id, name, text, found = index.hits[place]
    return Hit(id=entry_id, kind=index.kind, name=name, text=text, entry=found)


def _order(
    wanted: Wanted,
    chosen: Sequence[ShelfIndex],
    spelling: Spelling,
    problems: list[RuleProblem],
    *,
    words: bool,
) -> _Order:
    asked = wanted.order or (RELEVANCE if words else BOOK)
    down, by = asked.startswith("-"), asked.removeprefix("-")
    key = plain_key(by)
    if key == BOOK:
        return lambda lines: lines[::-1] if down else lines
    if key == RELEVANCE:
        # What fits best comes first of itself.
        return lambda lines: _sorted(lines, lambda line: line.score, not down)
    if key == NAME:
        return lambda lines: _sorted(lines, lambda line: line.index.names[line.place], down)
    if not any(key in index.leaves for index in chosen):
        fields = (NAME, BOOK, RELEVANCE, *_known_fields(chosen, spelling))
        text = "There is nothing of this name to order by."
        problems.append(RuleProblem("order_unknown", text, RULE, ("order_by",), wanted.order, fields))
    return lambda lines: _by_field(lines, key, down=down)


def _sorted(lines: list[_Line], key: Callable[[_Line], Any], down: bool) -> list[_Line]:
    # Sorting keeps the order of the book among equals, either way.
    return sorted(lines, key=key, reverse=down)


def _by_field(lines: list[_Line], key: str, *, down: bool) -> list[_Line]:
    """Entries that say nothing of the field come last, either way."""
    said: list[_Line] = []
    silent: list[_Line] = []
    for line in lines:
        (said if line.index.sort_key(key, line.place) is not None else silent).append(line)
    return [*_sorted(said, lambda line: line.index.sort_key(key, line.place), down), *silent]


# Conditions


def _reading(
    condition: Condition, chosen: Sequence[ShelfIndex], spelling: Spelling, problems: list[RuleProblem]
) -> _Fits:
    key = plain_key(condition.field)
    having = [index for index in chosen if key in index.leaves]
    place = (*condition.path, condition.relation.value)
    if not having:
        text = "There is no such field here."
        known, where = _known_fields(chosen, spelling), (*condition.path, "field")
        problems.append(RuleProblem("field_unknown", text, RULE, where, condition.field[:200], known))
        return _never
    if condition.relation in (Relation.AT_LEAST, Relation.AT_MOST):
        having = [index for index in having if index.leaves[key].kind is LeafKind.NUMBER]
        if not having:
            text = "Only a number is at least or at most something."
            numbers = _known_fields(chosen, spelling, LeafKind.NUMBER)
            problems.append(RuleProblem("field_no_number", text, RULE, place, condition.field[:200], numbers))
            return _never
    # Two kinds may mean different things by one word, and one of them may not know it.
    sought: dict[str, list[Any]] = {index.kind: [] for index in having}
    for value in condition.values:
        read = {index.kind: list(_read(value, key, index)) for index in having}
        if not any(read.values()):
            problems.append(_misfit(value, key, having, spelling, place))
            return _never
        for kind, values in read.items():
            sought[kind] += values
    return lambda index, line: _holds(index, line, key, condition.relation, sought.get(index.kind, []))


def _never(_index: ShelfIndex, _place: int) -> bool:
    return False


def _holds(index: ShelfIndex, place: int, key: str, relation: Relation, sought: list[Any]) -> bool:
    if not sought:
        return False
    found = index.values[key][place]
    match relation:
        case Relation.AT_LEAST:
            return any(value >= sought[0] for value in found)
        case Relation.AT_MOST:
            return any(value <= sought[0] for value in found)
        case Relation.HAS if index.leaves[key].kind is LeafKind.TEXT:
            return any(all(f" {word}" in value for word in sought[0].split()) for value in found)
        case _:
            return any(value in sought for value in found)


def _read(text: str, key: str, index: ShelfIndex) -> Iterator[Any]:
    """What a text may mean in a field of a kind, in the form in which its values are kept."""
    leaf = index.leaves[key]
    match leaf.kind:
        case LeafKind.NUMBER:
            number = _number(text)
            if number is not None:
                yield number
        case LeafKind.FLAG:
            if text.strip().lower() in ("true", "false"):
                yield text.strip().lower() == "true"
        case LeafKind.WORD:
            wanted = plain_key(text)
            for word in leaf.words:
                if wanted in (plain_key(word.name), plain_key(str(word.value))):
                    yield word
        case LeafKind.REFERENCE:
            slug = folded(text).split()
            for value in index.distinct(key):
                if value == text or _slug_words(value) == slug:
                    yield value
        case LeafKind.TEXT:
            yield folded(text)


def _number(text: str) -> Fraction | None:
    if len(text) > 40 or "e" in text.lower():
        return None
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        return None


def _slug_words(entry_id: str) -> list[str]:
    return folded(entry_id.rpartition("/")[2]).split()


def _misfit(
    wrong: str, key: str, having: Sequence[ShelfIndex], spelling: Spelling, path: KeyPath
) -> RuleProblem:
    if having[0].leaves[key].kind is LeafKind.NUMBER:
        return RuleProblem("value_no_number", "A number belongs here.", RULE, path, wrong[:200], "a number")
    values = (value for index in having for value in _values(index.leaves[key], index, spelling))
    known = tuple(dict.fromkeys(values))[:MOST_VALUES]
    return RuleProblem("value_unknown", "This field says no such thing.", RULE, path, wrong[:200], known)


# Fields


def _field(leaf: Leaf, index: ShelfIndex, spelling: Spelling) -> ContentField:
    key = plain_key(".".join(leaf.path))
    values = index.values[key]
    numbers = [value for line in values for value in line] if leaf.kind is LeafKind.NUMBER else []
    listed = leaf.kind in (LeafKind.WORD, LeafKind.FLAG) or index.shares(key)
    return ContentField(
        name=spelling.path(leaf.path),
        kind=leaf.kind,
        many=leaf.many,
        optional=leaf.optional,
        values=_values(leaf, index, spelling)[:MOST_VALUES] if listed else (),
        least=float(min(numbers)) if numbers else None,
        most=float(max(numbers)) if numbers else None,
    )


def _values(leaf: Leaf, index: ShelfIndex, spelling: Spelling) -> tuple[str, ...]:
    match leaf.kind:
        case LeafKind.WORD:
            return tuple(str(spelling.word(word)) for word in leaf.words)
        case LeafKind.FLAG:
            return ("true", "false")
        case LeafKind.NUMBER:
            return ()
        case _:
            return index.written(plain_key(".".join(leaf.path)))


def _known_fields(
    chosen: Sequence[ShelfIndex], spelling: Spelling, kind: LeafKind | None = None
) -> tuple[str, ...]:
    names = (
        spelling.path(leaf.path)
        for index in chosen
        for leaf in index.leaves.values()
        if kind in (None, leaf.kind)
    )
    return tuple(dict.fromkeys(names))[:MOST_VALUES]


def _indexes(content: Content) -> list[ShelfIndex]:
    return [index_of(shelf) for shelf in content.shelves()]
