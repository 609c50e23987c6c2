"""Reads statements back: strictly, because whoever reads them must not trust whoever sent them.

Every member has its type and bounds, none may be missing or unknown, and a body must be written in the one
form that bodies have: a text that can be read means one thing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from services.rules.dice.stream import FOUR_BYTES
from services.rules.dice.vr1.seeds import CLIENT_BYTES, EPOCH_BYTES, MAX_LENGTH, SEED_BYTES
from services.rules.dice.vr1.statements import (
    ALGORITHM,
    HASH_BYTES,
    KEY_BYTES,
    ROLL_OF_VOID,
    SCHEME,
    Body,
    Chain,
    Closing,
    Commitment,
    Entropy,
    Head,
    Link,
    PublishedKey,
    Receipt,
    Statement,
    Table,
    View,
    Void,
    write_body,
)

_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_FRACTION = re.compile(r"-?[1-9][0-9]*/[1-9][0-9]*")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


class StatementError(ValueError):
    """A text is no statement, or none in the form that statements have."""


def read_line(text: str) -> Statement | Link | PublishedKey:
    """Reads a line of an export.

    Raises:
        StatementError: It is no statement, link or key.
    """
    found = _object(text)
    kind: type[Statement | Link | PublishedKey]
    if "body" in found:
        kind = Statement
    elif "number" in found:
        kind = Link
    else:
        kind = PublishedKey
        if found.pop("algorithm", None) != ALGORITHM:
            raise StatementError("this is no statement, and no key of the algorithm Ed25519")
    return kind(**_members(found, _LINES[kind]))


def read_body(text: str) -> Body:
    """Reads the body of a statement.

    Raises:
        StatementError: It is no body, or not written in the one form that bodies have.
    """
    found = _object(text)
    kind = found.pop("kind", None)
    body_type = _KINDS.get(kind) if isinstance(kind, str) else None
    if body_type is None:
        raise StatementError("this is no kind of statement")
    readers = _BODIES[body_type]
    if body_type is Void and not ROLL_OF_VOID & found.keys():
        readers = {name: read for name, read in readers.items() if name not in ROLL_OF_VOID}
    body: Body = body_type(**_members(found, readers))
    if write_body(body) != text:
        raise StatementError("this is not written in the one form that statements have")
    return body


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise StatementError("this is no JSON") from error
    if not isinstance(found, dict):
        raise StatementError("this is no JSON object")
    return found


def _members(found: Mapping[str, Any], readers: Mapping[str, Callable[[Any], Any]]) -> dict[str, Any]:
    if found.keys() != readers.keys():
        odd = ", ".join(sorted(found.keys() ^ readers.keys()))
        raise StatementError(f"members that are missing or unknown: {odd[:200]}")
    members = {}
    for name, read in readers.items():
        try:
            members[name] = read(found[name])
        except (TypeError, ValueError, KeyError) as error:
            raise StatementError(f"`{name}` is not what it should be") from error
    return members


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _hex_text(value: Any, sizes: range) -> str:
    if not _HEX.fullmatch(_text(value)) or len(value) // 2 not in sizes:
        raise ValueError
    return str(value)


def _hex_of(size: int) -> Callable[[Any], str]:
    return lambda value: _hex_text(value, range(size, size + 1))


def _bytes_of(sizes: range) -> Callable[[Any], bytes]:
    return lambda value: bytes.fromhex(_hex_text(value, sizes))


def _exactly(size: int) -> Callable[[Any], bytes]:
    return _bytes_of(range(size, size + 1))


def _whole(minimum: int, maximum: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not minimum <= value <= maximum:
            raise ValueError
        return value

    return read


def _nullable(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _listed(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def every(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError
        return tuple([read(item) for item in value])

    return every


def _moment(value: Any) -> datetime:
    if not _MOMENT.fullmatch(_text(value)):
        raise ValueError
    return datetime.fromisoformat(value)


def _total(value: Any) -> int | Fraction:
    if type(value) is int:
        return value
    if not _FRACTION.fullmatch(_text(value)):
        raise ValueError
    return Fraction(value)


def _face(value: Any) -> tuple[str, int]:
    label, counts = value
    if type(counts) is not int:
        raise TypeError
    return _text(label), counts


def _tables(value: Any) -> dict[str, Table]:
    if not isinstance(value, dict):
        raise TypeError
    return {name: _table(table) for name, table in value.items()}


def _table(value: Any) -> Table:
    if not isinstance(value, dict) or value.keys() != {"faces", "sha256"}:
        raise TypeError
    return Table(_listed(_face)(value["faces"]), _HASH(value["sha256"]))


def _scheme(value: Any) -> str:
    if value != SCHEME:
        raise ValueError
    return SCHEME


_EPOCH = _exactly(EPOCH_BYTES)
_SEED = _exactly(SEED_BYTES)
_HASH = _exactly(HASH_BYTES)
_NUMBER = _whole(1, MAX_LENGTH)
_USED = _whole(0, MAX_LENGTH)
_DIE = _whole(1, FOUR_BYTES)
_SIGNED = {"hash": _hex_of(HASH_BYTES), "key": _hex_of(KEY_BYTES), "signature": _hex_of(64)}
_DRAWN = {
    "epoch": _EPOCH,
    "number": _NUMBER,
    "client": _bytes_of(CLIENT_BYTES),
    "entropy": Entropy,
    "seed": _SEED,
    "previous": _HASH,
    "at": _moment,
}
_LINES: Mapping[type, Mapping[str, Callable[[Any], Any]]] = {
    Statement: {"body": _text, **_SIGNED},
    Link: {"number": _NUMBER, **_SIGNED},
    PublishedKey: {
        "key": _hex_of(KEY_BYTES),
        "public": _hex_of(32),
        "made": _moment,
        "retired": _nullable(_moment),
    },
}
_BODIES: Mapping[type, Mapping[str, Callable[[Any], Any]]] = {
    Commitment: {
        "scheme": _scheme,
        "epoch": _EPOCH,
        "place": _text,
        "chain": Chain,
        "ordinal": _whole(1, 2**31 - 1),
        "anchor": _SEED,
        "length": _NUMBER,
        "previous": _nullable(_HASH),
        "at": _moment,
    },
    Receipt: {
        **_DRAWN,
        "roll": _text,
        "expression": _text,
        "dice": _listed(_DIE),
        "faces": _listed(_DIE),
        "tables": _tables,
        "total": _total,
    },
    Void: {
        **_DRAWN,
        "reason": _text,
        "roll": _text,
        "account": _text,
        "expression": _text,
        "dice": _listed(_DIE),
        "faces": _listed(_DIE),
        "tables": _tables,
    },
    Closing: {"epoch": _EPOCH, "used": _USED, "seed": _nullable(_SEED), "previous": _HASH, "at": _moment},
    Head: {"epoch": _EPOCH, "used": _USED, "head": _HASH, "view": View, "at": _moment},
}
_KINDS: Mapping[str, type[Body]] = {kind.KIND: kind for kind in (Commitment, Receipt, Void, Closing, Head)}
