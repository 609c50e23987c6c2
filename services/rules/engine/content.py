"""TOML files to frozen data, with ids and checked references.

A content file holds one kind of thing: one table per entry, its key the entry's slug. An entry's id is
`<system>:<kind>/<slug>`, for example `dungeonteller:power/zap`. Any text inside content that is shaped like
such an id is a reference, and must name an entry that exists.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar, cast

from services.rules.engine.codec import CodecError, decode
from services.rules.engine.problem import KeyPath, RulesError, path_text

T_co = TypeVar("T_co", covariant=True)
EntryT = TypeVar("EntryT")

CONTENT_ID = re.compile(r"[a-z][a-z0-9_]*:[a-z][a-z0-9_]*/[a-z0-9]+(?:-[a-z0-9]+)*")
"""What a content id looks like; the whole text must match."""

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class ContentError(RulesError):
    """A content file is malformed.

    Attributes:
        file: Name of the file.
        path: Key path inside it.
        reason: What is wrong there.
    """

    def __init__(self, file: str, path: KeyPath, reason: str) -> None:
        self.file = file
        self.path = path
        self.reason = reason
        super().__init__(f"{file}: {path_text(path) or 'whole file'}: {reason}")


@dataclass(frozen=True, slots=True)
class Shelf(Generic[T_co]):
    """All entries of one kind, in the order of the file.

    Attributes:
        system: Slug of the game system.
        kind: What the entries are: `power`.
        file: The file they were read from.
        entries: By content id.
    """

    system: str
    kind: str
    file: str
    entries: Mapping[str, T_co]

    def __iter__(self) -> Iterator[T_co]:
        return iter(self.entries.values())

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, entry_id: object) -> bool:
        return entry_id in self.entries

    def __getitem__(self, entry_id: str) -> T_co:
        return self.entries[entry_id]

    def get(self, entry_id: str) -> T_co | None:
        """The entry of this id, or None."""
        return self.entries.get(entry_id)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id on the shelf."""
        return tuple(self.entries)


class Content(Protocol):
    """A system's content: a frozen dataclass of shelves and settings."""

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf, for checks that run over all content."""


def content_id(system: str, kind: str, slug: str) -> str:
    """The id of an entry: `dungeonteller:power/zap`."""
    return f"{system}:{kind}/{slug}"


def slug_of(entry_id: str) -> str:
    """The last part of a content id: `zap` of `dungeonteller:power/zap`."""
    return entry_id.rpartition("/")[2]


def load_shelf(
    folder: Traversable, file: str, *, system: str, kind: str, entry: type[EntryT]
) -> Shelf[EntryT]:
    """Reads one content file.

    Args:
        folder: Where the file is: `importlib.resources.files(package) / "content"`, or a table's own pack.
        file: Its name.
        system: Slug of the game system.
        kind: What the entries are.
        entry: The frozen dataclass of one entry; its field `id` is filled with the content id.

    Raises:
        ContentError: The file cannot be parsed, a key is not a slug, or an entry does not fit the dataclass.
    """
    entries: dict[str, EntryT] = {}
    for slug, table in read_toml(folder, file).items():
        if not _SLUG.fullmatch(slug):
            raise ContentError(file, (slug,), "a key is lower-case words joined by hyphens")
        if not isinstance(table, dict):
            raise ContentError(file, (slug,), f"expected a table, found {type(table).__name__}")
        entry_id = content_id(system, kind, slug)
        if "id" in table:
            raise ContentError(file, (slug, "id"), "the id comes from the key and is not written")
        entries[entry_id] = cast(EntryT, _decode_entry(entry, {"id": entry_id, **table}, file, (slug,)))
    return Shelf(system, kind, file, MappingProxyType(entries))


def load_settings(folder: Traversable, file: str, settings: type[EntryT]) -> EntryT:
    """Reads a file that is one value as a whole, such as a table's settings.

    Raises:
        ContentError: The file cannot be parsed or does not fit the dataclass.
    """
    return cast(EntryT, _decode_entry(settings, read_toml(folder, file), file, ()))


def read_toml(folder: Traversable, file: str) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        ContentError: It is missing or is not TOML.
    """
    try:
        return tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ContentError(file, (), str(error)) from error


def _decode_entry(entry: Any, table: object, file: str, path: KeyPath) -> Any:
    try:
        return decode(entry, table, path)
    except CodecError as error:
        raise ContentError(file, error.path, f"found {error.found!r}, expected {error.expected}") from error


def unresolved_references(shelves: Iterable[Shelf[Any]]) -> tuple[ContentError, ...]:
    """Every reference in the shelves that names no entry, with file and key path (returned, not raised)."""
    shelved = tuple(shelves)
    known = {entry_id for shelf in shelved for entry_id in shelf.entries}
    return tuple(
        ContentError(shelf.file, path, f"no such entry: {reference}")
        for shelf in shelved
        for entry_id, entry in shelf.entries.items()
        for path, reference in _references(entry, (slug_of(entry_id),))
        if reference not in known
    )


def _references(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    match value:
        case str() if CONTENT_ID.fullmatch(value):
            yield path, value
        case tuple():
            for index, item in enumerate(value):
                yield from _references(item, (*path, index))
        case Mapping():
            for key, item in value.items():
                yield from _references(item, (*path, str(key)))
        case _ if is_dataclass(value):
            for item in fields(value):
                if item.name != "id":
                    yield from _references(getattr(value, item.name), (*path, item.name))
        case _:
            return
