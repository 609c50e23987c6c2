"""Reads our own map files back, of any kind, from anybody's hands.

A grid map must be sound (`soundness`); a map of another kind must pass the gates its kind sets for it, which
are worked out anew from what the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from services.map.exports.refusals import MOST_PROBLEMS, read_object, refusal, refused
from services.map.exports.soundness import faults
from services.map.generation.grid import canonical
from services.map.kind import AnyMapKind
from services.rules.engine.codec import CodecError
from services.rules.engine.problem import KeyPath, Problems, RuleProblem

RULE = "map file"
MAX_FILE = 8 * 1024 * 1024
"""Twice the largest map of any kind; every look at a map reads all of it."""

MAX_DEPTH = 32
"""Lists and objects around a value; no kind of map comes near."""

_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What code meets that reads a model no generator would make."""


@dataclass(frozen=True, slots=True)
class OwnMap:
    """A map read from its file.

    Attributes:
        kind: `dungeon`, `cave`, `battle` or `imported` of a grid map; else the slug of its kind.
        model: The map: a `GridMap` or the model of its kind.
    """

    kind: str
    model: Any


def from_own(data: bytes, kinds: Mapping[str, AnyMapKind]) -> OwnMap | Problems:
    """The map of a map file, or everything that is wrong with the file.

    Args:
        data: The file, as it was uploaded.
        kinds: The kinds of sheets by the `format` of their files, `hearthforge-region` and so on; those of
            cells share a format.
    """
    document = read_object(data, RULE, MAX_FILE)
    if isinstance(document, Problems):
        return document
    strange = next(_strange(document), None)
    if strange is not None:
        return refused([strange])
    name = document.get("format")
    if name == canonical.FORMAT:
        return _read(str(document.get("kind")), document, canonical.from_data, faults)
    if not isinstance(name, str) or name not in kinds:
        message = "A map file says its format."
        allowed = (canonical.FORMAT, *sorted(kinds))
        return refused([refusal("unknown_format", message, RULE, ("format",), name, allowed)])
    kind = kinds[name]
    return _read(kind.slug, document, kind.filed.from_data, lambda model: _gates(kind, model))


def _read(
    slug: str,
    document: dict[str, Any],
    read: Callable[[Mapping[str, Any]], Any],
    inspect: Callable[[Any], Iterable[RuleProblem]],
) -> OwnMap | Problems:
    try:
        model = read(document)
        problems = list(islice(inspect(model), MOST_PROBLEMS))
    except _UNREADABLE as error:
        return refused([_problem(error)])
    return refused(problems) if problems else OwnMap(slug, model)


def _gates(kind: AnyMapKind, model: Any) -> Iterable[RuleProblem]:
    for fault in kind.inspect_played(model).faults:
        yield refusal("malformed", f"The map fails a gate: {fault}.", RULE)


def _strange(document: dict[str, Any]) -> Iterator[RuleProblem]:
    """Find what no map file holds, whatever its kind.

    That are texts with control characters (line ends excepted) or marks that turn the direction of writing,
    and lists or objects too deep in others.
    """
    waiting: list[tuple[KeyPath, Any]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        match value:
            case str() if not value.replace("\n", " ").isprintable():
                message = "A text is made of letters, signs and line ends."
                yield refusal("malformed", message, RULE, path, ascii(value))
            case dict() | list() if len(path) >= MAX_DEPTH:
                message = f"Lists and objects in a file are nested at most {MAX_DEPTH} deep."
                yield refusal("too_deep", message, RULE, path[:2], f"over {MAX_DEPTH}", MAX_DEPTH)
                return
            case dict():
                waiting += [((*path, key), item) for key, item in value.items()]
            case list():
                waiting += [((*path, index), item) for index, item in enumerate(value)]


def _problem(error: BaseException) -> RuleProblem:
    """What went wrong, with the path where the error or its cause tells it."""
    cause = error.__cause__ or error
    if isinstance(cause, CodecError):
        message = f"Expected {cause.expected}."
        return refusal("wrong_type", message, RULE, cause.path, cause.found, cause.expected)
    if isinstance(cause, KeyError) and cause.args:
        path: KeyPath = (str(cause.args[0]),)
        return refusal("key_missing", f"The key {path[0]} is missing.", RULE, path, None, path[0])
    return refusal("malformed", f"This is no such map: {cause}.", RULE, _path(str(cause)))


def _path(message: str) -> KeyPath:
    """The key a map file's error begins with (`cells: expected ...`), if it does."""
    key, colon, _ = message.partition(":")
    return (key,) if colon and key.isidentifier() else ()
