"""A shelf as it is looked through: the texts of its entries, folded, and the values of their fields.

It is made once for a shelf. A table's own content shares the shelves that it adds nothing to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, get_args, get_origin

from services.rules.engine.content import CONTENT_ID, Shelf, slug_of
from services.rules.engine.forms import public_members, union_members

REMEMBERED = 512
DEEPEST = 5
TEXTS = ("summary", "text", "help")
"""Fields that say what an entry is, the likeliest first."""

_NO_WORD = re.compile(r"[^0-9a-z]+")
_DROPPED = str.maketrans("", "", "'’")


class LeafKind(Enum):
    """What a field holds.

    Attributes:
        TEXT: Words, a content id, or true or false.
        NUMBER: A number, which can be compared.
        FLAG: True or false.
        WORD: A word out of a closed list.
        REFERENCE: The id of an entry; its slug does as well.
    """

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    WORD = "word"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field that holds plain values, at whatever depth.

    Attributes:
        path: Names that lead to it.
        many: Whether an entry may have several.
        optional: Whether an entry may have none.
        words: Members of its enum; empty for a field without words.
    """

    path: tuple[str, ...]
    kind: LeafKind
    many: bool
    optional: bool
    words: tuple[Enum, ...] = ()


def folded(text: str) -> str:
    """Words in small letters without accents, with a blank round each: ` leaders pledge `."""
    bare = text.translate(_DROPPED).casefold()
    if not bare.isascii():
        # Taken apart, a sign may be a capital again (Unicode, compatibility caseless matching).
        bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", bare).casefold())
        bare = "".join(sign for sign in bare if not unicodedata.combining(sign))
    if not bare.isascii():
        # Letters of other scripts are letters all the same.
        bare = "".join(sign if sign.isalnum() else " " for sign in bare)
        return f" {' '.join(bare.split())} "
    return f" {_NO_WORD.sub(' ', bare).strip()} "


def plain_key(name: str) -> str:
    """A name however it is spelled: `min_range`, `minRange` and `Min-Range` are one."""
    return name.replace("_", "").replace("-", "").replace(" ", "").casefold()


class ShelfIndex:
    """What is looked up in a shelf.

    Attributes:
        kind: Of its entries.
        hits: Id, name, text and entry of each.
        names: Their names, folded.
        texts: All that they say, folded.
        places: By id.
        leaves: Their fields, by `plain_key` of the path.
    """

    def __init__(self, shelf: Shelf[Any]) -> None:
        self.kind = shelf.kind
        self._entries = tuple(shelf)
        self.hits = [
            (entry_id, name_of(entry, entry_id), text_of(entry), entry)
            for entry_id, entry in shelf.entries.items()
        ]
        self.places = {hit[0]: place for place, hit in enumerate(self.hits)}
        self.names = [folded(hit[1]) for hit in self.hits]
        self.texts = [folded(" ".join(_said(entry))) for entry in self._entries]
        self.leaves: dict[str, Leaf] = {}
        for cls in dict.fromkeys(type(entry) for entry in self._entries):
            for leaf in _leaves(cls, (), many=False, optional=False, within=()):
                self.leaves.setdefault(plain_key(".".join(leaf.path)), leaf)
        self.leaves = {key: self._referring(leaf) for key, leaf in self.leaves.items()}

    def _referring(self, leaf: Leaf) -> Leaf:
        """A text whose values are all content ids is a reference."""
        if leaf.kind is not LeafKind.TEXT:
            return leaf
        said = [text for entry in self._entries for text in _values(entry, leaf.path) if text]
        if not said or not all(CONTENT_ID.fullmatch(text) for text in said):
            return leaf
        return Leaf(leaf.path, LeafKind.REFERENCE, leaf.many, leaf.optional)

    @cached_property
    def values(self) -> Mapping[str, list[tuple[Any, ...]]]:
        """What each entry says in each field: texts folded, numbers as fractions."""
        return {
            key: [
                tuple(_kept(value, leaf.kind) for value in _values(entry, leaf.path))
                for entry in self._entries
            ]
            for key, leaf in self.leaves.items()
        }

    def distinct(self, key: str) -> tuple[Any, ...]:
        """Every value of a field once, in the order of the book; none for a field that is not here."""
        return tuple(dict.fromkeys(value for line in self.values.get(key, ()) for value in line))

    def written(self, key: str) -> tuple[str, ...]:
        """The values of a field of texts as they are written."""
        path = self.leaves[key].path
        return tuple(dict.fromkeys(text for entry in self._entries for text in _values(entry, path) if text))

    def shares(self, key: str) -> bool:
        """Whether entries share values of a field of texts, so that it groups them."""
        if self.leaves[key].kind not in (LeafKind.TEXT, LeafKind.REFERENCE):
            return False
        values = [value for line in self.values[key] for value in line]
        return len(set(values)) < len(values)

    def sort_key(self, key: str, place: int) -> Any | None:
        """What an entry is ordered by; its first value where it has several, None where it has none."""
        leaf = self.leaves.get(key)
        if leaf is None or not self.values[key][place]:
            return None
        value = self.values[key][place][0]
        match leaf.kind:
            case LeafKind.WORD:
                return 0, leaf.words.index(value), ""
            case LeafKind.NUMBER | LeafKind.FLAG:
                return 0, value, ""
            case _:
                return 1, 0, value


class _Same:
    """A shelf that equals itself alone: shelves hold mappings, and cannot be hashed."""

    __slots__ = ("shelf",)

    def __init__(self, shelf: Shelf[Any]) -> None:
        self.shelf = shelf

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.shelf is self.shelf

    def __hash__(self) -> int:
        return id(self.shelf)


def index_of(shelf: Shelf[Any]) -> ShelfIndex:
    """The index of a shelf."""
    return _made(_Same(shelf))


@lru_cache(maxsize=REMEMBERED)
def _made(same: _Same) -> ShelfIndex:
    return ShelfIndex(same.shelf)


def name_of(entry: object, entry_id: str) -> str:
    """An entry's name; what its id says where it has none."""
    name = getattr(entry, "name", None)
    return name if isinstance(name, str) and name else slug_of(entry_id).replace("-", " ").capitalize()


def text_of(entry: object) -> str:
    """What an entry is, in plain words; empty where it does not say."""
    for name in TEXTS:
        text = getattr(entry, name, None)
        if isinstance(text, str) and text:
            return text
    return ""


# Reading types and values


def _leaves(
    hint: Any, path: tuple[str, ...], *, many: bool, optional: bool, within: tuple[type, ...]
) -> Iterator[Leaf]:
    """The leaves of a type; a class within itself is not followed for ever."""
    members = union_members(hint)
    optional = optional or type(None) in members
    for member in members:
        origin, arguments = get_origin(member), get_args(member)
        if member is bool:
            yield Leaf(path, LeafKind.FLAG, many, optional)
        elif member in (int, float, Fraction):
            yield Leaf(path, LeafKind.NUMBER, many, optional)
        elif member is str:
            yield Leaf(path, LeafKind.TEXT, many, optional)
        elif isinstance(member, type) and issubclass(member, Enum):
            yield Leaf(path, LeafKind.WORD, many, optional, tuple(member))
        elif isinstance(member, type) and is_dataclass(member):
            if member in within or len(path) >= DEEPEST:
                continue
            for name, part in public_members(member):
                yield from _leaves(
                    part, (*path, name), many=many, optional=optional, within=(*within, member)
                )
        elif isinstance(origin, type) and issubclass(origin, Mapping):
            for name, part in zip(("key", "value"), arguments, strict=True):
                yield from _leaves(part, (*path, name), many=True, optional=True, within=within)
        elif isinstance(origin, type) and issubclass(origin, tuple | list | frozenset | set):
            for part in dict.fromkeys(item for item in arguments if item is not Ellipsis):
                yield from _leaves(part, path, many=True, optional=True, within=within)


def _values(value: Any, path: tuple[str, ...]) -> Iterator[Any]:
    """The plain values that a path leads to."""
    match value:
        case None:
            return
        case tuple() | list() | frozenset() | set():
            for item in value:
                yield from _values(item, path)
        case Mapping() if path:
            yield from _values(tuple(value if path[0] == "key" else value.values()), path[1:])
        case _ if path:
            yield from _values(getattr(value, path[0], None), path[1:])
        case str() | bool() | int() | float() | Fraction() | Enum():
            yield value


def _kept(value: Any, kind: LeafKind) -> Any:
    match kind:
        case LeafKind.NUMBER:
            return Fraction(str(value)) if isinstance(value, float) else Fraction(value)
        case LeafKind.TEXT:
            return folded(value)
        case _:
            return value


def _said(value: Any) -> Iterator[str]:
    """All texts of an entry: its words, the words of its closed lists, and what its references are called."""
    match value:
        case str():
            yield slug_of(value) if CONTENT_ID.fullmatch(value) else value
        case Enum():
            yield str(value.value)
        case tuple() | list() | frozenset() | set():
            for item in value:
                yield from _said(item)
        case Mapping():
            for key, item in value.items():
                yield from _said(key)
                yield from _said(item)
        case _ if is_dataclass(value) and not isinstance(value, type):
            for name, _ in public_members(type(value), properties=False):
                yield from _said(getattr(value, name))
