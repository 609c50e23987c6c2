"""Reflects frozen dataclasses, enums and their docstrings into GraphQL: nothing is written twice.

Resolvers hand out domain objects; the mirrored types say how they look:

=======================  ==========================================
Python                   GraphQL
=======================  ==========================================
frozen dataclass         object type, described by its docstring
its public properties    fields, like its attributes
``Attributes:`` lines    descriptions of the fields
Enum                     enum of the member names
tuple, list, frozenset   list
Mapping[K, V]            list of entries with ``key`` and ``value``
A | B (dataclasses)      union ``AOrB``
X | None                 nullable
=======================  ==========================================

``mirror_input`` and ``to_domain`` do the same for what comes in; ``one_of`` and ``chosen`` for a choice.
"""

import dataclasses
import enum
import inspect
import re
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import strawberry
from strawberry.federation import type as federated_type

_outputs: dict[tuple[type, str | None], type] = {}
_inputs: dict[type, type] = {}
_domain_of_input: dict[type, type] = {}
_unions: dict[frozenset[type], Any] = {}
_entries: dict[tuple[Any, Any], type] = {}


def mirror(
    cls: type, *, name: str | None = None, interfaces: Sequence[type] = (), shareable: bool = False
) -> Any:
    """Give the GraphQL type of a dataclass or enum; the same one each time.

    Args:
        cls: frozen dataclass or enum.
        name: of the GraphQL type; the class's own name when omitted.
        interfaces: mirrored or Strawberry interfaces that it implements.
        shareable: whether other subgraphs have the same type.

    Raises:
        TypeError: the class, or something in it, has no GraphQL form.
    """
    if issubclass(cls, enum.Enum):
        return _mirror_enum(cls, name)
    if (cls, name) not in _outputs:
        _outputs[cls, name] = _make_output(cls, name or cls.__name__, tuple(interfaces), shareable)
    return _outputs[cls, name]


def mirror_interface(cls: type, *, name: str | None = None) -> Any:
    """Give the GraphQL interface with the fields of a protocol or dataclass."""
    found = _outputs.get((cls, name))
    if found is None:
        descriptions = _attribute_descriptions(cls)
        namespace, annotations = _output_fields(cls, descriptions)
        bare = type(
            name or cls.__name__, (), {"__annotations__": annotations, "__doc__": cls.__doc__, **namespace}
        )
        found = strawberry.interface(bare, description=_summary(cls))
        _outputs[cls, name] = found
    return found


def mirror_input(cls: type, *, name: str | None = None) -> Any:
    """Give the GraphQL input of a dataclass: required where it has no default; ``to_domain`` reads it back.

    Raises:
        TypeError: something in it has no GraphQL form.
    """
    if cls in _inputs:
        return _inputs[cls]
    descriptions = _attribute_descriptions(cls)
    hints = typing.get_type_hints(cls)
    namespace: dict[str, Any] = {}
    annotations: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        annotations[field.name], default = _input_field(field, _input_type(hints[field.name]))
        description = descriptions.get(field.name)
        namespace[field.name] = strawberry.field(description=description, **default)
    bare = type(name or f"{cls.__name__}Input", (), {"__annotations__": annotations, **namespace})
    made = strawberry.input(bare, description=_summary(cls))
    _inputs[cls] = made
    _domain_of_input[made] = cls
    return made


def to_domain(value: Any) -> Any:
    """Turn an instance of a mirrored input, or a list of them, into the domain object it stands for.

    What was left out, or is null where the dataclass has no None, takes the dataclass's default.

    Raises:
        ValueError: the dataclass itself refuses the values.
    """
    if isinstance(value, list):
        return tuple(to_domain(item) for item in value)
    cls = _domain_of_input.get(type(value))
    if cls is None:
        return value
    hints = typing.get_type_hints(cls)
    given = {}
    for field in dataclasses.fields(cls):
        found = getattr(value, field.name, strawberry.UNSET)
        if found is strawberry.UNSET or (found is None and not _optional(hints[field.name])):
            continue
        given[field.name] = _shaped(to_domain(found), hints[field.name])
    return cls(**given)


def one_of(name: str, fields: Mapping[str, Any], *, description: str) -> Any:
    """Make a @oneOf input: exactly one of the fields must be given.

    Args:
        name: of the input type.
        fields: input types by field name.
        description: for the schema.
    """
    annotations = {field: kind | None for field, kind in fields.items()}
    bare = type(name, (), {"__annotations__": annotations, **dict.fromkeys(fields, strawberry.UNSET)})
    return strawberry.input(bare, one_of=True, description=description)


def chosen(value: Any) -> tuple[str, Any]:
    """Give the one field of a @oneOf input that was given, and what it holds."""
    for field in dataclasses.fields(value):
        found = getattr(value, field.name)
        if found is not strawberry.UNSET and found is not None:
            return field.name, found
    raise ValueError("exactly one field must be given")


# Output


def _make_output(cls: type, name: str, interfaces: tuple[type, ...], shareable: bool) -> type:
    if not dataclasses.is_dataclass(cls):
        raise TypeError(f"{cls!r} is neither a dataclass nor an enum")
    namespace, annotations = _output_fields(cls, _attribute_descriptions(cls))

    def is_type_of(_type: type, value: object, _info: object) -> bool:
        return isinstance(value, cls) or type(value) is made

    bare = type(
        name, interfaces, {"__annotations__": annotations, "is_type_of": classmethod(is_type_of), **namespace}
    )
    made: type = federated_type(bare, description=_summary(cls), shareable=shareable)
    return made


def _output_fields(cls: type, descriptions: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    hints = typing.get_type_hints(cls)
    wanted = {name: hint for name, hint in hints.items() if not name.startswith("_")}
    for name, member in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        returned = typing.get_type_hints(member.fget).get("return")
        if not name.startswith("_") and returned is not None:
            wanted[name] = returned
            if member.__doc__ and name not in descriptions:
                descriptions = {**descriptions, name: member.__doc__.strip().split("\n\n")[0]}
    annotations = {
        name: _output_type(hint)
        for name, hint in wanted.items()
        if typing.get_origin(hint) is not typing.ClassVar
    }
    namespace: dict[str, Any] = {}
    for name, kind in annotations.items():
        described: Any = strawberry.field(description=descriptions.get(name))
        namespace[name] = described(_pairs(name, kind)) if _is_mapping(wanted[name]) else described
    return namespace, annotations


def _is_mapping(hint: Any) -> bool:
    origin = typing.get_origin(hint)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _pairs(name: str, kind: Any) -> Any:
    entry = typing.get_args(kind)[0]

    def resolver(root: Any) -> Any:
        return [entry(key=key, value=value) for key, value in getattr(root, name).items()]

    resolver.__annotations__ = {"root": Any, "return": kind}
    return resolver


def _output_type(hint: Any) -> Any:
    origin = typing.get_origin(hint)
    arguments = typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _union([argument for argument in arguments if argument is not type(None)], _optional(hint))
    if origin is typing.Literal:
        return type(arguments[0])
    if origin is not None and isinstance(origin, type):
        if _is_mapping(hint):
            return list[_entry(arguments[0], arguments[1])]  # type: ignore[misc]
        return list[_output_type(arguments[0])]  # type: ignore[misc]
    if isinstance(hint, type) and (dataclasses.is_dataclass(hint) or issubclass(hint, enum.Enum)):
        return (
            hint
            if hasattr(hint, "__strawberry_definition__") and not issubclass(hint, enum.Enum)
            else mirror(hint)
        )
    return hint


def _union(members: list[Any], optional: bool) -> Any:
    if len(members) == 1:
        made = _output_type(members[0])
    else:
        key = frozenset(members)
        if key not in _unions:
            name = "Or".join(member.__name__ for member in members)
            kinds = tuple(_output_type(member) for member in members)
            _unions[key] = typing.Annotated[typing.Union[kinds], strawberry.union(name)]  # noqa: UP007
        made = _unions[key]
    return typing.Optional[made] if optional else made  # noqa: UP045


def _entry(key: Any, value: Any) -> type:
    if (key, value) not in _entries:
        shown = _output_type(value)
        name = f"{_label(_output_type(key))}{_label(shown)}Entry"
        bare = type(name, (), {"__annotations__": {"key": _output_type(key), "value": shown}})
        _entries[key, value] = strawberry.type(bare, description="One entry of a table.")
    return _entries[key, value]


def _label(kind: Any) -> str:
    return str(getattr(kind, "__name__", kind)).capitalize()


def _mirror_enum(cls: type[enum.Enum], name: str | None) -> Any:
    if not hasattr(cls, "__strawberry_definition__"):
        strawberry.enum(cls, name=name, description=_summary(cls))
    return cls


# Input


def _input_type(hint: Any) -> Any:
    origin = typing.get_origin(hint)
    arguments = typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        members = [argument for argument in arguments if argument is not type(None)]
        if len(members) != 1:
            raise TypeError(f"{hint!r} cannot be an input: use one_of")
        return typing.Optional[_input_type(members[0])]  # noqa: UP045
    if origin is typing.Literal:
        return type(arguments[0])
    if origin is not None and isinstance(origin, type):
        if issubclass(origin, Mapping):
            raise TypeError(f"{hint!r} cannot be an input: use a tuple of dataclasses")
        return list[_input_type(arguments[0])]  # type: ignore[misc]
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _mirror_enum(hint, None)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return mirror_input(hint)
    return hint


def _input_field(field: "dataclasses.Field[Any]", kind: Any) -> tuple[Any, dict[str, Any]]:
    if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
        return kind, {}
    if isinstance(field.default, bool | int | float | str | enum.Enum):
        return kind, {"default": field.default}
    if field.default == () or field.default_factory in (tuple, list, frozenset):
        return kind, {"default_factory": list}
    # Any other default is the dataclass's own business: leaving the field out brings it about.
    return typing.Optional[kind], {"default": strawberry.UNSET}  # noqa: UP045


def _shaped(value: Any, hint: Any) -> Any:
    origin = typing.get_origin(hint)
    if isinstance(value, tuple) and isinstance(origin, type) and origin in (list, frozenset, set):
        return origin(value)
    return value


def _optional(hint: Any) -> bool:
    return type(None) in typing.get_args(hint)


# Words


def _summary(cls: type) -> str | None:
    document = inspect.getdoc(cls)
    if not document or document.startswith(f"{cls.__name__}("):
        return None
    return " ".join(document.split("\n\n")[0].split())


_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


def _attribute_descriptions(cls: type) -> dict[str, str]:
    document = inspect.getdoc(cls) or ""
    _, _, section = document.partition("Attributes:\n")
    return {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(section)}
