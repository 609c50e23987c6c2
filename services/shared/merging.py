"""Edits from a version that was replaced: fields that nobody else has changed merge, the others conflict.

An edit names the version that it was made from. A field conflicts where it was changed since to another value
than the edit asks for, and then nothing of the edit is carried out; without such a field the edit is carried
out on what stands there now. Decide inside the unit of work that writes, with the row held. What was changed
since is known by one of two:

- ``merge_fields``: the row keeps for each field the version in which it was changed last.
- ``merge_documents``: the whole of the version that was named is kept.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

import orjson

from services.shared.problems import DifferingField, VersionConflict


class WithFieldVersions(Protocol):
    """A row that is edited field by field.

    Attributes:
        version: counts its edits, from 1.
        field_versions: the version in which each field was changed last, by its name in requests. Of one that
            is missing it is not known: it counts as changed by the last edit.
    """

    version: int
    field_versions: dict[str, int]


class Missing(Enum):
    """Why there is no value.

    Attributes:
        ABSENT: There is none.
        NOT_KEPT: It is not known any more.
    """

    ABSENT = "absent"
    NOT_KEPT = "not_kept"


@dataclass(frozen=True, slots=True)
class Merged:
    """Two edits of one document.

    Attributes:
        document: with what each of them changed; of a field in conflict, what stands there now.
        differing: the fields in conflict.
    """

    document: Any
    differing: tuple[DifferingField, ...] = ()


def merge_fields(
    row: WithFieldVersions, expected: int, yours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> frozenset[str]:
    """Return the names of the fields that an edit changes.

    Args:
        row: as it stands.
        expected: the version that the edit was made from.
        yours: what the edit asks for, by the fields' names in the request.
        theirs: what stands there, by all the names.

    Raises:
        VersionConflict: one of them was changed since, or there is no such version yet.
    """
    changed = [name for name, value in yours.items() if not _same(value, theirs[name])]
    late = [name for name in changed if row.field_versions.get(name, row.version) > expected]
    if late or expected > row.version:
        differing = [DifferingField([name], yours[name], theirs[name]) for name in late or changed]
        raise VersionConflict(expected, row.version, ("version",), differing)
    return frozenset(changed)


def merge_field(expected: int, current: int, name: str, yours: Any, theirs: Any) -> bool:
    """Return whether an edit of a thing with one field to edit has anything left to do.

    Args:
        expected: the version that the edit was made from.
        current: the version there is.
        name: of the field in the request.
        yours: what the edit asks for.
        theirs: what stands there.

    Raises:
        VersionConflict: it was changed since to another value, or there is no such version yet.
    """
    if expected == current:
        return True
    if expected > current or not _same(yours, theirs):
        raise VersionConflict(expected, current, ("version",), [DifferingField([name], yours, theirs)])
    return False


def note_fields(row: WithFieldVersions, fields: Collection[str], changed: Collection[str]) -> None:
    """Write down that an edit changes fields, before the version of the row counts up.

    Args:
        row: the row.
        fields: the names of all its fields.
        changed: those that the edit changes.
    """
    known = {name: row.field_versions.get(name, row.version) for name in fields}
    row.field_versions = known | dict.fromkeys(changed, row.version + 1)


def merge_documents(
    base: Any, yours: Any, theirs: Any, path: tuple[str, ...] = (), *, independent: bool = True
) -> Merged:
    """Merge two edits of a document: objects by their members, all else as a whole.

    Args:
        base: the document, in the form of JSON, that the edit was made from; or ``NOT_KEPT``.
        yours: what the edit makes of it.
        theirs: what stands there.
        path: where it stands in the request.
        independent: whether what only one of the two has changed merges; otherwise each difference between
            them is a conflict.
    """
    if _same(yours, theirs):
        return Merged(theirs)
    if independent and _same(yours, base):
        return Merged(theirs)
    if independent and _same(theirs, base):
        return Merged(yours)
    if not (isinstance(yours, dict) and isinstance(theirs, dict)):
        return Merged(theirs, (DifferingField(list(path), _told(yours), _told(theirs), _told(base)),))
    document: dict[str, Any] = {}
    differing: list[DifferingField] = []
    for name in theirs | yours:
        of_base = base if base is Missing.NOT_KEPT else _member(base, name)
        part = merge_documents(
            of_base, _member(yours, name), _member(theirs, name), (*path, name), independent=independent
        )
        differing += part.differing
        if part.document is not Missing.ABSENT:
            document[name] = part.document
    return Merged(document, tuple(differing))


def _member(document: Any, name: str) -> Any:
    return document.get(name, Missing.ABSENT) if isinstance(document, dict) else Missing.ABSENT


def _same(one: Any, other: Any) -> bool:
    """Compare as JSON, for which 1 and true are two; what is missing is the same as nothing else."""
    if isinstance(one, Missing) or isinstance(other, Missing):
        return one is other and one is Missing.ABSENT
    return orjson.dumps(one, option=_SORTED) == orjson.dumps(other, option=_SORTED)


def _told(value: Any) -> Any:
    return None if isinstance(value, Missing) else value


_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
