"""Frozen dataclasses and enums to versioned JSON-able dicts and back, exactly.

The JSON form follows the types: a dataclass is an object with its field names, an enum its value, a tuple
an array, a mapping an object, a fraction the text "5/36", a union of dataclasses an object with a `kind`;
what is hinted as `Any` is JSON already and stays as it is.
Reading is strict: an unknown key, a missing one, or a value of another type is a `CodecError` with its path.
A field with a default may be left out, so that a client need not spell out every empty list.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Generic, TypeVar, Union, cast, get_args, get_origin

from services.rules.engine.carried import stated_fields
from services.rules.engine.frozen import replace
from services.rules.engine.problem import KeyPath, RuleProblem, RulesError, path_text
from services.rules.engine.spelling import STORED, Spelling, nearest

T = TypeVar("T")

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
"""What `json.loads` returns."""

KIND = "kind"
"""The key that says which member of a union of dataclasses an object is."""


class CodecError(RulesError):
    """A value does not fit the type it is read as.

    Attributes:
        path: Where it stands in the document.
        found: The offending value, or its type's name when it is an object or array.
        expected: What would fit.
        meant: The name among several that was likely meant; None where none is near.
    """

    def __init__(self, path: KeyPath, found: object, expected: str, known: Iterable[str] = ()) -> None:
        self.path = path
        self.found = found if isinstance(found, str | int | bool | None) else type(found).__name__
        self.expected = expected
        self.meant = nearest(found, known) if isinstance(found, str) else None
        super().__init__(f"{path_text(path) or 'document'}: found {self.found!r}, expected {expected}")

    def problem(self) -> RuleProblem:
        """The same as a problem a service can hand to its client."""
        return RuleProblem(
            code="value_malformed",
            message=f"Expected {self.expected}." + (f" Is `{self.meant}` meant?" if self.meant else ""),
            rule="document shape",
            path=self.path,
            found=self.found,
            allowed=self.expected,
        )


@dataclass(frozen=True, slots=True)
class Codec(Generic[T]):
    """Reads and writes one dataclass as a document `{"type", "version", "data"}`.

    Attributes:
        type: The dataclass.
        name: The document's type name: `dungeonteller/sheet`.
        version: The version written. Raise it when the shape changes, and add an upgrade.
        upgrades: From each older version to the next one, on the JSON form.
        carries: What values that are read carry along, by field; see `carried`.
    """

    type: type[T]
    name: str
    version: int = 1
    upgrades: Mapping[int, Callable[[dict[str, Json]], dict[str, Json]]] = field(default_factory=dict)
    carries: Mapping[str, Any] = field(default_factory=dict)

    def dump(self, value: T) -> dict[str, Json]:
        """The value as a JSON-able document."""
        return {"type": self.name, "version": self.version, "data": encode(self.type, value)}

    def load(self, document: object) -> T:
        """The value of a document, upgraded when it is of an older version.

        Raises:
            CodecError: The document is of another type, of a newer version, or does not fit.
        """
        if not isinstance(document, dict):
            raise CodecError((), document, "an object")
        unknown = sorted(document.keys() - {"type", "version", "data"})
        if unknown:
            raise CodecError((unknown[0],), unknown[0], "type, version and data only")
        if document.get("type") != self.name:
            raise CodecError(("type",), document.get("type"), repr(self.name))
        version = document.get("version")
        if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= self.version:
            raise CodecError(("version",), version, f"a version from 1 to {self.version}")
        data = document.get("data")
        while version < self.version:
            if not isinstance(data, dict):
                raise CodecError(("data",), data, "an object")
            if version not in self.upgrades:
                raise CodecError(
                    ("version",), version, f"version {self.version}: there is no way up from here"
                )
            data = self.upgrades[version](data)
            version += 1
        return self._carrying(decode(self.type, data, ("data",)))

    def read(self, data: object, spelling: Spelling = STORED) -> T:
        """The value of a bare JSON form, without the envelope: what a client sends as input.

        Raises:
            CodecError: It does not fit.
        """
        return self._carrying(decode(self.type, data, (), spelling))

    def _carrying(self, value: Any) -> T:
        return cast(T, replace(value, **self.carries) if self.carries else value)


def encode(hint: Any, value: object) -> Json:
    """The JSON form of a value, read as a type (a union of dataclasses needs the type to know its `kind`s).

    Raises:
        TypeError: The type, or the value under it, has no JSON form.
    """
    # What most values are comes first: plain ones, then dataclasses.
    if type(value) is hint:
        if hint in _PLAIN:
            return cast(Json, value)
        if is_dataclass(hint):
            return {name: encode(part, getattr(value, name)) for name, part, _ in _parts(hint)}
    if hint is Any:
        return cast(Json, value)
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _encode_union(get_args(hint), value)
    if origin is tuple and isinstance(value, tuple):
        members = _tuple_members(hint, len(value))
        return [encode(member, item) for member, item in zip(members, value, strict=True)]
    if origin is Mapping and isinstance(value, Mapping):
        _, item_type = get_args(hint)
        return {_key_text(key): encode(item_type, item) for key, item in value.items()}
    if isinstance(value, Enum) and hint is type(value):
        return cast(Json, value.value)
    if hint is Fraction and isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if hint in _PLAIN and type(value) in _ACCEPTED[hint]:
        return cast(Json, value)
    raise TypeError(f"no JSON form for {type(value).__name__} as {_type_name(hint)}")


def decode(hint: Any, data: object, path: KeyPath = (), spelling: Spelling = STORED) -> Any:
    """The value a JSON form stands for, read as a type.

    Args:
        hint: The type.
        data: The form.
        path: Where it stands in the document.
        spelling: How its names and words are written.

    Raises:
        CodecError: It does not fit.
        TypeError: The type itself has no JSON form.
    """
    # What most values are comes first: plain ones, then dataclasses.
    if type(data) is hint and hint in _PLAIN:
        return data
    if hint is Any:
        return data
    if isinstance(hint, type) and is_dataclass(hint):
        return _decode_fields(hint, data, path, spelling)
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _decode_union(get_args(hint), data, path, spelling)
    if origin is tuple:
        if not isinstance(data, list | tuple):
            raise CodecError(path, data, "a list")
        members = _tuple_members(hint, len(data), path)
        return tuple(
            decode(member, item, (*path, index), spelling)
            for index, (member, item) in enumerate(zip(members, data, strict=True))
        )
    if origin is Mapping:
        key_type, item_type = get_args(hint)
        if not isinstance(data, dict):
            raise CodecError(path, data, "an object")
        return types.MappingProxyType(
            {
                decode(key_type, key, (*path, key), spelling): decode(item_type, item, (*path, key), spelling)
                for key, item in data.items()
            }
        )
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _decode_enum(hint, data, path, spelling)
    if hint is Fraction:
        return _decode_fraction(data, path)
    if hint in _PLAIN:
        if type(data) not in _ACCEPTED[hint]:
            raise CodecError(path, data, _PLAIN[hint])
        return float(cast(float, data)) if hint is float else data
    raise TypeError(f"no JSON form for the type {_type_name(hint)}")


_PLAIN: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    type(None): "null",
}
_ACCEPTED: dict[Any, tuple[type, ...]] = {
    bool: (bool,),
    int: (int,),
    float: (float, int),
    str: (str,),
    type(None): (type(None),),
}


@cache
def _parts(dataclass_type: Any) -> tuple[tuple[str, Any, bool], ...]:
    """The fields of a dataclass: name, type, and whether a value is required."""
    types_of = typing.get_type_hints(dataclass_type)
    return tuple(
        (item.name, types_of[item.name], item.default is MISSING and item.default_factory is MISSING)
        for item in stated_fields(dataclass_type)
    )


@cache
def _spelled_parts(dataclass_type: Any, spelling: Spelling) -> Mapping[str, tuple[str, Any, bool]]:
    """The fields of a dataclass by how they are spelled."""
    return {spelling.name(part[0]): part for part in _parts(dataclass_type)}


def _type_name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _key_text(key: object) -> str:
    text = key.value if isinstance(key, Enum) else key
    if not isinstance(text, str):
        raise TypeError(f"a mapping's keys are texts, not {type(key).__name__}")
    return text


def _tuple_members(hint: Any, length: int, path: KeyPath = ()) -> tuple[Any, ...]:
    members = get_args(hint)
    if len(members) == _ELLIPSIS_FORM and members[1] is Ellipsis:
        return (members[0],) * length
    if len(members) != length:
        raise CodecError(path, f"{length} items", f"exactly {len(members)} items")
    return members


_ELLIPSIS_FORM = 2  # tuple[X, ...] has the two arguments X and Ellipsis


def _encode_union(members: tuple[Any, ...], value: object) -> Json:
    if value is None and type(None) in members:
        return None
    dataclasses = [member for member in members if is_dataclass(member)]
    if type(value) in dataclasses:
        form = encode(type(value), value)
        if len(dataclasses) > 1 and isinstance(form, dict):
            return {KIND: type(value).__name__, **form}
        return form
    for member in members:
        if not is_dataclass(member):
            try:
                return encode(member, value)
            except TypeError:
                continue
    raise TypeError(f"no JSON form for {type(value).__name__} in a union")


def _decode_union(members: tuple[Any, ...], data: object, path: KeyPath, spelling: Spelling) -> Any:
    if data is None and type(None) in members:
        return None
    dataclasses = [member for member in members if is_dataclass(member)]
    if isinstance(data, dict) and dataclasses:
        if len(dataclasses) == 1:
            return decode(dataclasses[0], data, path, spelling)
        kinds = {cast(type, member).__name__: member for member in dataclasses}
        kind = data.get(KIND)
        if not isinstance(kind, str) or kind not in kinds:
            raise CodecError((*path, KIND), kind, f"one of {', '.join(sorted(kinds))}", kinds)
        rest = {key: item for key, item in data.items() if key != KIND}
        return decode(kinds[kind], rest, path, spelling)
    expected: list[str] = ["an object"] if dataclasses else []
    for member in members:
        if is_dataclass(member):
            continue
        try:
            return decode(member, data, path, spelling)
        except CodecError as error:
            if error.path != path:
                raise
            expected.append(error.expected)
    raise CodecError(path, data, " or ".join(expected))


_FRACTION = re.compile(r"-?[0-9]{1,300}/[0-9]{1,300}")


def _decode_fraction(data: object, path: KeyPath) -> Fraction:
    if isinstance(data, str) and _FRACTION.fullmatch(data) and int(data.partition("/")[2]):
        return Fraction(data)
    raise CodecError(path, data, 'a fraction such as "5/36"')


def _decode_enum(hint: type[Enum], data: object, path: KeyPath, spelling: Spelling) -> Enum:
    member = words(hint, spelling).get((type(data), data)) if type(data) in _PLAIN else None
    if member is None:
        known = [str(spelling.word(one)) for one in hint]
        raise CodecError(path, data, "one of " + ", ".join(known), known)
    return member


@cache
def words(hint: type[Enum], spelling: Spelling) -> Mapping[tuple[type, object], Enum]:
    """The members of an enum by how they are spelled; by the type of that too, since 1, 1.0 and true are
    equal."""
    return {(type(word), word): member for member in hint for word in (spelling.word(member),)}


def _decode_fields(hint: Any, data: object, path: KeyPath, spelling: Spelling) -> Any:
    if not isinstance(data, dict):
        raise CodecError(path, data, "an object")
    parts = _spelled_parts(hint, spelling)
    for key in data:
        if key not in parts:
            raise CodecError((*path, str(key)), str(key), f"a key out of {', '.join(parts)}", parts)
    values: dict[str, Any] = {}
    for key, (name, part, required) in parts.items():
        if key in data:
            values[name] = decode(part, data[key], (*path, key), spelling)
        elif required:
            raise CodecError((*path, key), None, "a value: this key is required")
    try:
        return hint(**values)
    except ValueError as error:
        # A dataclass that guards its own invariant (an explained number that adds up) speaks for itself.
        raise CodecError(path, data, str(error)) from error
