"""Dataclasses as GraphQL inputs, and back again. Use it by way of ``services.shared.mirror``."""

import dataclasses
import enum
import typing
from collections.abc import Callable, Mapping
from typing import Any

import strawberry

from services.shared.bounds import bounds_in
from services.shared.graphql.constraint import constraint
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.hints import (
    ENTRY,
    PLAIN,
    attribute_descriptions,
    element,
    entry,
    hints_of,
    is_dataclass,
    is_enum,
    label,
    members,
    named_id,
    optional,
    stripped,
    summary,
)
from services.shared.graphql.later import Later
from services.shared.problems import PublicError

IDEMPOTENCY_KEY = "idempotency_key"
KEY_WORDS = (
    "1 to 255 characters: the same key with the same request has one effect and one answer for 24 hours."
)

_inputs: dict[type, Any] = {}
_readers: dict[type, Callable[[Any], Any]] = {}
_domains: dict[type, type] = {}
_entries: dict[tuple[Any, Any], type] = {}


def mirror_input(cls: type, *, name: str | None = None) -> Any:
    """Give the GraphQL input of a dataclass: required where it has no default; ``to_domain`` reads it back.

    Args:
        cls: the dataclass; each has one input, the same each time.
        name: of the input, where it is mirrored first; the class's own with ``Input`` behind it otherwise.

    Raises:
        TypeError: something in it has no GraphQL form.
    """
    if cls in _inputs:
        return _inputs[cls]
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"{cls!r} is no dataclass")
    return _register(cls, name or f"{cls.__name__}Input")


def _register(cls: type, name: str, *, request: bool = False) -> Any:
    _inputs[cls] = Later(name, lambda: _inputs[cls])
    try:
        made = _make_input(cls, name, request=request)
    except BaseException:
        del _inputs[cls]
        raise
    _inputs[cls] = made
    _domains[made] = cls
    return made


def mirror_request(cls: type, name: str) -> Any:
    """Give the GraphQL input of what a mutation is asked: a dataclass, with an ``idempotencyKey`` beside it.

    Args:
        cls: the dataclass, or an input that has the key itself.
        name: of the input.

    Raises:
        TypeError: something in it has no GraphQL form, or an input of one's own has no key or another name.
    """
    definition = getattr(cls, "__strawberry_definition__", None)
    if definition is None:
        if cls in _inputs:
            raise TypeError(f"{cls!r} has an input already: mutations are reflected before what holds them")
        return _register(cls, name, request=True)
    names = [field.python_name for field in definition.fields]
    if definition.name != name or IDEMPOTENCY_KEY not in names:
        raise TypeError(f"the input {definition.name} must be called {name} and hold {IDEMPOTENCY_KEY}")
    return cls


def stand_for(cls: type, given: Any, read: Callable[[Any], Any]) -> None:
    """Let an input of one's own stand for a dataclass, wherever the dataclass is reflected from now on.

    Args:
        cls: the dataclass.
        given: its input, a @oneOf one for instance.
        read: turns an instance of the input into the dataclass.
    """
    _inputs[cls] = given
    _readers[given] = read


def to_domain(value: Any) -> Any:
    """Turn an instance of a mirrored input, or a list of them, into the domain object it stands for.

    What was left out, or is null where the dataclass has no None, takes the dataclass's default.

    Raises:
        PublicError: ``BAD_USER_INPUT``, in the words of the dataclass, where it refuses the values itself.
    """
    if isinstance(value, list):
        return tuple(to_domain(item) for item in value)
    if (read := _readers.get(type(value))) is not None:
        return read(value)
    cls = _domains.get(type(value))
    if cls is None:
        return value
    hints = hints_of(cls)
    given = {}
    for field in dataclasses.fields(cls):
        found = getattr(value, field.name, strawberry.UNSET)
        if found is strawberry.UNSET or (found is None and not optional(hints[field.name])):
            continue
        given[field.name] = _shaped(found, hints[field.name])
    try:
        return cls(**given)
    except ValueError as error:
        raise PublicError("BAD_USER_INPUT", str(error)) from error


def one_of(name: str, fields: Mapping[str, Any], *, description: str) -> Any:
    """Make a @oneOf input: exactly one of the fields must be given.

    Args:
        name: of the input type.
        fields: input types by field name; each is described as its type is.
        description: for the schema.
    """
    annotations = {field: typing.Optional[kind] for field, kind in fields.items()}  # noqa: UP045
    members = {
        field: strawberry.field(default=strawberry.UNSET, description=_description(kind))
        for field, kind in fields.items()
    }
    bare = type(name, (), {"__annotations__": annotations, **members})
    return strawberry.input(bare, one_of=True, description=description)


def _description(kind: Any) -> str | None:
    """Return what an input type says of itself."""
    definition = getattr(kind, "__strawberry_definition__", None)
    return None if definition is None else definition.description


def chosen(value: Any) -> tuple[str, Any]:
    """Give the one field of a @oneOf input that was given, and what it holds."""
    for field in dataclasses.fields(value):
        found = getattr(value, field.name)
        if found is not strawberry.UNSET and found is not None:
            return field.name, found
    raise ValueError("exactly one field must be given")


def _make_input(cls: type, name: str, *, request: bool = False) -> type:
    descriptions = attribute_descriptions(cls)
    hints = hints_of(cls)
    namespace: dict[str, Any] = {}
    annotations: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        kind = _kind(named_id(field.name, hints[field.name]))
        annotations[field.name], default = _defaulted(field, kind)
        bounds = bounds_in(hints[field.name])
        words = " ".join([descriptions.get(field.name, ""), *(bound.words for bound in bounds)]).strip()
        namespace[field.name] = strawberry.field(
            description=words or None, directives=[constraint(bounds)] if bounds else (), **default
        )
    if request:
        annotations[IDEMPOTENCY_KEY] = typing.Optional[str]  # noqa: UP045
        namespace[IDEMPOTENCY_KEY] = strawberry.field(default=None, description=KEY_WORDS)
    bare = type(name, (), {"__annotations__": annotations, **namespace})
    made: type = strawberry.input(bare, description=summary(cls))
    return made


def _kind(hint: Any) -> Any:
    hint = stripped(hint)
    if len(members(hint)) > 1:
        raise TypeError(f"{hint!r} cannot be an input: use one_of")
    if optional(hint):
        return typing.Optional[_kind(members(hint)[0])]  # noqa: UP045
    if typing.get_origin(hint) is typing.Literal:
        return type(typing.get_args(hint)[0])
    if (pair := entry(hint)) is not None:
        return list[_entry(*pair)]  # type: ignore[misc]
    if (inner := element(hint)) is not None:
        return list[_kind(inner)]  # type: ignore[misc]
    if is_enum(hint):
        return mirror_enum(hint)
    if is_dataclass(hint):
        return mirror_input(hint)
    if hint in PLAIN or hasattr(hint, "_scalar_definition"):
        return PLAIN.get(hint, hint)
    raise TypeError(f"{hint!r} has no GraphQL form")


def _entry(key: Any, value: Any) -> type:
    if (key, value) not in _entries:
        kinds = {"key": _kind(key), "value": _kind(value)}
        name = f"{label(kinds['key'])}{label(kinds['value']).removesuffix('Input')}EntryInput"
        members = {name: strawberry.field(description=text) for name, text in ENTRY.items()}
        bare = type(name, (), {"__annotations__": kinds, **members})
        _entries[key, value] = strawberry.input(bare, description="One entry of a table.")
    return _entries[key, value]


def _defaulted(field: "dataclasses.Field[Any]", kind: Any) -> tuple[Any, dict[str, Any]]:
    if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
        return kind, {}
    if isinstance(field.default, bool | int | float | str | enum.Enum):
        return kind, {"default": field.default}
    if field.default in ((), frozenset()) or field.default_factory in (tuple, list, frozenset):
        return kind, {"default_factory": list}
    # Any other default is the dataclass's own business: leaving the field out brings it about.
    return typing.Optional[kind], {"default": strawberry.UNSET}  # noqa: UP045


def _shaped(value: Any, hint: Any) -> Any:
    """Give an input's value the shape that its dataclass asks for."""
    hint = stripped(hint)
    if value is None or len(members(hint)) > 1:
        return value
    hint = stripped(members(hint)[0])
    if hint is object:
        return value
    if (pair := entry(hint)) is not None:
        return {_shaped(item.key, pair[0]): _shaped(item.value, pair[1]) for item in value}
    if (inner := element(hint)) is not None:
        origin = typing.get_origin(hint)
        make: Callable[[Any], Any] = origin if origin in (list, set, frozenset) else tuple
        return make(_shaped(item, inner) for item in value)
    return to_domain(value)
