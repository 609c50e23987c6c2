"""Frozen dataclasses and enums to versioned JSON-able dicts and back, exactly.

The JSON form follows the types: a dataclass is an object with its field names, an enum its value, a tuple
an array, a mapping an object, a fraction the text "5/36", a union of dataclasses an object with a `kind`;
what is hinted as `Any` is JSON already and stays as it is.
Reading is strict: an unknown key, a missing one, or a value of another type is a `CodecError` with its path.
A field with a default may be left out, so that a client need not spell out every empty list.

Types are looked into once: each becomes a function that writes and one that reads, those of a dataclass when
it is first met, since types may hold themselves.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, Generic, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from services.rules.engine.carried import stated_fields
from services.rules.engine.frozen import replace
from services.rules.engine.problem import KeyPath, RuleProblem, RulesError, path_text
from services.rules.engine.spelling import STORED, Spelling, nearest

T = TypeVar("T")

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None
"""What `json.loads` returns."""

Writer = Callable[[Any], Json]
"""Returns the JSON form of a value of one type.

Raises:
    TypeError: The type, or the value under it, has no JSON form.
"""

Reader = Callable[[Any, KeyPath, Spelling], Any]
"""Returns the value of one type that a JSON form stands for: the form, where it stands, its spelling.

Raises:
    CodecError: It does not fit.
    TypeError: The type itself has no JSON form.
"""

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
            allowed=self.meant or self.expected,
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
    _write: Writer = field(init=False, repr=False, compare=False)
    _read: Reader = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_write", _writer(self.type))
        object.__setattr__(self, "_read", _reader(self.type))

    def dump(self, value: T) -> dict[str, Json]:
        """The value as a JSON-able document."""
        return {"type": self.name, "version": self.version, "data": self._write(value)}

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
        return self._carrying(self._read(data, ("data",), STORED))

    def read(self, data: object, spelling: Spelling = STORED) -> T:
        """The value of a bare JSON form, without the envelope: what a client sends as input.

        Raises:
            CodecError: It does not fit.
        """
        return self._carrying(self._read(data, (), spelling))

    def _carrying(self, value: Any) -> T:
        return cast(T, replace(value, **self.carries) if self.carries else value)


def encode(hint: Any, value: object) -> Json:
    """The JSON form of a value, read as a type (a union of dataclasses needs the type to know its `kind`s).

    Raises:
        TypeError: The type, or the value under it, has no JSON form.
    """
    return _writer(hint)(value)


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
    return _reader(hint)(data, path, spelling)


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


class _Part(NamedTuple):
    """A field of a dataclass: `plain` is its type where values of that are their own JSON form, else None."""

    name: str
    plain: Any
    write: Writer
    read: Reader
    required: bool


@cache
def _parts(dataclass_type: Any) -> tuple[_Part, ...]:
    hints = typing.get_type_hints(dataclass_type)
    return tuple(
        _Part(
            item.name,
            _plain(hints[item.name]),
            _writer(hints[item.name]),
            _reader(hints[item.name]),
            item.default is MISSING and item.default_factory is MISSING,
        )
        for item in stated_fields(dataclass_type)
    )


@cache
def _spelled_parts(dataclass_type: Any, spelling: Spelling) -> Mapping[str, _Part]:
    """The fields of a dataclass by how they are spelled."""
    return {spelling.name(part.name): part for part in _parts(dataclass_type)}


def _plain(hint: Any) -> Any:
    return hint if hint in _PLAIN else None


def _type_name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else str(hint)


def _endless(members: tuple[Any, ...]) -> bool:
    """Whether a tuple's arguments are those of `tuple[X, ...]`."""
    return len(members) == _ELLIPSIS_FORM and members[1] is Ellipsis


_ELLIPSIS_FORM = 2  # tuple[X, ...] has the two arguments X and Ellipsis


def _require_length(members: tuple[Any, ...], length: int, path: KeyPath) -> None:
    if len(members) != length:
        raise CodecError(path, f"{length} items", f"exactly {len(members)} items")


# Writing


def _writer(hint: Any) -> Writer:
    if isinstance(hint, type):
        return _class_writer(hint)
    # Unions that differ in their order alone are equal, so these are remembered by what they are part of.
    origin, members = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union_writer(members)
    if origin is tuple:
        return _list_writer(hint, members[0]) if _endless(members) else _tuple_writer(hint, members)
    if origin is Sequence:
        return _list_writer(hint, members[0], Sequence)
    if origin is Mapping:
        return _mapping_writer(hint, members[1])
    return partial(_write_nothing, hint)


@cache
def _class_writer(hint: type) -> Writer:
    if hint is cast(Any, Any):
        return lambda value: cast(Json, value)
    if is_dataclass(hint):
        return partial(_write_fields, hint)
    if hint in _PLAIN:
        return partial(_write_plain, hint, _ACCEPTED[hint])
    if issubclass(hint, Enum):
        return partial(_write_enum, hint)
    return _write_fraction if hint is Fraction else partial(_write_nothing, hint)


def _write_nothing(hint: Any, value: object) -> Json:
    raise TypeError(f"no JSON form for {type(value).__name__} as {_type_name(hint)}")


def _write_plain(hint: type, accepted: tuple[type, ...], value: object) -> Json:
    return cast(Json, value) if type(value) in accepted else _write_nothing(hint, value)


def _write_enum(hint: type[Enum], value: Any) -> Json:
    return cast(Json, value.value) if type(value) is hint else _write_nothing(hint, value)


def _write_fraction(value: object) -> Json:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return _write_nothing(Fraction, value)


def _write_fields(hint: Any, value: object) -> Json:
    kind: Any = type(value)
    if kind is not hint:
        return _write_nothing(hint, value)
    form: dict[str, Json] = {}
    for name, plain, write, _, _ in _parts(kind):
        item = getattr(value, name)
        form[name] = item if type(item) is plain else write(item)
    return form


def _list_writer(hint: Any, member: Any, kind: Any = tuple) -> Writer:
    plain, write = _plain(member), _writer(member)

    def written(value: Any) -> Json:
        if not isinstance(value, kind):
            return _write_nothing(hint, value)
        return [item if type(item) is plain else write(item) for item in value]

    return written


def _tuple_writer(hint: Any, members: tuple[Any, ...]) -> Writer:
    writers = tuple(_writer(member) for member in members)

    def written(value: Any) -> Json:
        if not isinstance(value, tuple):
            return _write_nothing(hint, value)
        _require_length(members, len(value), ())
        return [write(item) for write, item in zip(writers, value, strict=True)]

    return written


def _mapping_writer(hint: Any, member: Any) -> Writer:
    plain, write = _plain(member), _writer(member)

    def written(value: Any) -> Json:
        if not isinstance(value, Mapping):
            return _write_nothing(hint, value)
        return {_key_text(key): item if type(item) is plain else write(item) for key, item in value.items()}

    return written


def _key_text(key: object) -> str:
    text = key.value if isinstance(key, Enum) else key
    if not isinstance(text, str):
        raise TypeError(f"a mapping's keys are texts, not {type(key).__name__}")
    return text


def _union_writer(members: tuple[Any, ...]) -> Writer:
    dataclasses = {member: _writer(member) for member in members if is_dataclass(member)}
    plain = {member for member in members if member in _PLAIN}
    others = [_writer(member) for member in members if not is_dataclass(member)]

    def written(value: Any) -> Json:
        kind = type(value)
        if kind in plain:
            return cast(Json, value)
        if kind in dataclasses:
            form = cast("dict[str, Json]", dataclasses[kind](value))
            return {KIND: kind.__name__, **form} if len(dataclasses) > 1 else form
        for write in others:
            try:
                return write(value)
            except TypeError:
                continue
        raise TypeError(f"no JSON form for {kind.__name__} in a union")

    return written


# Reading


def _reader(hint: Any) -> Reader:
    if isinstance(hint, type):
        return _class_reader(hint)
    origin, members = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union_reader(members)
    if origin is tuple:
        return _list_reader(members[0]) if _endless(members) else _tuple_reader(members)
    if origin is Mapping:
        return _mapping_reader(*members)
    return partial(_read_nothing, hint)


@cache
def _class_reader(hint: type) -> Reader:
    if hint is cast(Any, Any):
        return lambda data, _path, _spelling: data
    if is_dataclass(hint):
        return partial(_read_fields, hint)
    if hint in _PLAIN:
        return partial(_read_plain, hint, _ACCEPTED[hint])
    if issubclass(hint, Enum):
        return partial(_read_enum, hint)
    return _read_fraction if hint is Fraction else partial(_read_nothing, hint)


def _read_nothing(hint: Any, _data: object, _path: KeyPath, _spelling: Spelling) -> Any:
    raise TypeError(f"no JSON form for the type {_type_name(hint)}")


def _read_plain(hint: type, accepted: tuple[type, ...], data: Any, path: KeyPath, _spelling: Spelling) -> Any:
    if type(data) not in accepted:
        raise CodecError(path, data, _PLAIN[hint])
    return float(data) if hint is float else data


def _list_reader(member: Any) -> Reader:
    plain, read = _plain(member), _reader(member)

    def value_of(data: Any, path: KeyPath, spelling: Spelling) -> Any:
        if not isinstance(data, list | tuple):
            raise CodecError(path, data, "a list")
        return tuple(
            [
                item if type(item) is plain else read(item, (*path, index), spelling)
                for index, item in enumerate(data)
            ]
        )

    return value_of


def _tuple_reader(members: tuple[Any, ...]) -> Reader:
    readers = tuple(_reader(member) for member in members)

    def value_of(data: Any, path: KeyPath, spelling: Spelling) -> Any:
        if not isinstance(data, list | tuple):
            raise CodecError(path, data, "a list")
        _require_length(members, len(data), path)
        each = enumerate(zip(readers, data, strict=True))
        return tuple([read(item, (*path, index), spelling) for index, (read, item) in each])

    return value_of


def _mapping_reader(key_type: Any, item_type: Any) -> Reader:
    plain, read_key, read = _plain(item_type), _reader(key_type), _reader(item_type)

    def value_of(data: Any, path: KeyPath, spelling: Spelling) -> Any:
        if not isinstance(data, dict):
            raise CodecError(path, data, "an object")
        return types.MappingProxyType(
            {
                read_key(key, (*path, key), spelling): item
                if type(item) is plain
                else read(item, (*path, key), spelling)
                for key, item in data.items()
            }
        )

    return value_of


def _union_reader(members: tuple[Any, ...]) -> Reader:
    dataclasses = {cast(type, member).__name__: _reader(member) for member in members if is_dataclass(member)}
    others = [_reader(member) for member in members if not is_dataclass(member)]

    def value_of(data: Any, path: KeyPath, spelling: Spelling) -> Any:
        if data is None and type(None) in members:
            return None
        if isinstance(data, dict) and dataclasses:
            return _read_one_of(dataclasses, data, path, spelling)
        expected: list[str] = ["an object"] if dataclasses else []
        for read in others:
            try:
                return read(data, path, spelling)
            except CodecError as error:
                if error.path != path:
                    raise
                expected.append(error.expected)
        raise CodecError(path, data, " or ".join(expected))

    return value_of


def _read_one_of(kinds: Mapping[str, Reader], data: Any, path: KeyPath, spelling: Spelling) -> Any:
    if len(kinds) == 1:
        return next(iter(kinds.values()))(data, path, spelling)
    kind = data.get(KIND)
    if not isinstance(kind, str) or kind not in kinds:
        raise CodecError((*path, KIND), kind, f"one of {', '.join(sorted(kinds))}", kinds)
    return kinds[kind]({key: item for key, item in data.items() if key != KIND}, path, spelling)


_FRACTION = re.compile(r"-?[0-9]{1,300}/[0-9]{1,300}")


def _read_fraction(data: object, path: KeyPath, _spelling: Spelling) -> Fraction:
    if isinstance(data, str) and _FRACTION.fullmatch(data):
        numerator, _, denominator = data.partition("/")
        if int(denominator):
            return Fraction(int(numerator), int(denominator))
    raise CodecError(path, data, 'a fraction such as "5/36"')


def _read_enum(hint: type[Enum], data: object, path: KeyPath, spelling: Spelling) -> Enum:
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


def _read_fields(hint: Any, data: object, path: KeyPath, spelling: Spelling) -> Any:
    if not isinstance(data, dict):
        raise CodecError(path, data, "an object")
    parts = _spelled_parts(hint, spelling)
    for key in data:
        if key not in parts:
            raise CodecError((*path, str(key)), str(key), f"a key out of {', '.join(parts)}", parts)
    values: dict[str, Any] = {}
    for key, (name, plain, _, read, required) in parts.items():
        if key in data:
            item = data[key]
            values[name] = item if type(item) is plain else read(item, (*path, key), spelling)
        elif required:
            raise CodecError((*path, key), None, "a value: this key is required")
    try:
        return hint(**values)
    except ValueError as error:
        # A dataclass that guards its own invariant (an explained number that adds up) speaks for itself.
        raise CodecError(path, data, str(error)) from error
