"""Reflects frozen dataclasses, enums and their docstrings into GraphQL: nothing is written twice.

Resolvers hand out domain objects; the mirrored types say how they look:

============================  =====================================================
Python                        GraphQL
============================  =====================================================
frozen dataclass, exception   object type, described by its docstring
its public properties         fields, like its attributes
``Attributes:`` lines         descriptions of the fields
Enum                          enum of the member names
tuple, list, frozenset        list; sets in the order of their members' ``repr``
Mapping[K, V]                 list of entries with ``key`` and ``value``
A | B (dataclasses)           union ``AOrB``, or as ``mirror_union`` named it
X | None                      nullable
str called ``id``, ``x_id``   ID; a NewType whose name ends in ``Id`` too
``id``                        ``key``, unless the class says that it is ``unique``
Fraction                      scalar ``Fraction``: "5/36"
object                        scalar ``JSON``: any JSON value
int                           Int; ``overrides={"field": BigInt}`` beyond 32 bits
============================  =====================================================

ClassVars and what begins with an underscore stay inside; ``exclude`` keeps more there. A class that is met
within another is mirrored under its own name, unless it was mirrored before: the first one counts. A class
may hold its own kind. Where a class and its subclass both belong to a union or interface, an object is shown
as what it is, not as what it descends from.

``mirror_input`` and ``to_domain`` do the same for what comes in; ``one_of`` and ``chosen`` for a choice,
``stand_for`` where an input of one's own takes a dataclass's place.
"""

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import strawberry
from graphql import default_type_resolver
from strawberry.federation import type as federated_type
from strawberry.federation.schema_directives import Key

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
from services.shared.graphql.inputs import chosen, mirror_input, one_of, stand_for, to_domain
from services.shared.graphql.later import Later

__all__ = [
    "chosen",
    "mirror",
    "mirror_input",
    "mirror_interface",
    "mirror_union",
    "one_of",
    "stand_for",
    "to_domain",
]

_NO_OVERRIDES: Mapping[str, Any] = {}


@dataclasses.dataclass(frozen=True)
class _Look:
    """How one class is to look; two that are equal give the same type."""

    name: str | None = None
    interfaces: tuple[type, ...] = ()
    shareable: bool = False
    directives: tuple[Any, ...] = ()
    overrides: tuple[tuple[str, Any], ...] = ()
    exclude: frozenset[str] = frozenset()
    unique: bool = False

    def called(self, attribute: str) -> str | None:
        """The name of an attribute's field where it is not the attribute's own.

        Caches of clients take two objects with the same type and `id` for one: what is unique only within
        what holds it is a `key`.
        """
        return "key" if attribute == "id" and not self._identified() else None

    def _identified(self) -> bool:
        keyed = any(isinstance(directive, Key) for directive in self.directives)
        return (
            self.unique
            or keyed
            or any(
                field.python_name == "id"
                for interface in self.interfaces
                for field in cast(Any, interface).__strawberry_definition__.fields
            )
        )


_outputs: dict[type, list[tuple[_Look, Any]]] = {}
_unions: dict[frozenset[Any], Any] = {}
_entries: dict[tuple[Any, Any], type] = {}


def mirror(
    cls: type,
    *,
    name: str | None = None,
    interfaces: Sequence[type] = (),
    shareable: bool = False,
    directives: Sequence[Any] = (),
    overrides: Mapping[str, Any] = _NO_OVERRIDES,
    exclude: Sequence[str] = (),
    unique: bool = False,
) -> Any:
    """Give the GraphQL type of a dataclass or enum; the same one each time.

    Args:
        cls: frozen dataclass or enum.
        name: of the GraphQL type; the class's own name when omitted.
        interfaces: mirrored or Strawberry interfaces that it implements.
        shareable: whether other subgraphs have the same type.
        directives: of the type, for instance a federation ``Key``.
        overrides: other GraphQL types for single fields.
        exclude: attributes and properties that are not shown.
        unique: whether its ``id`` is unique in the whole graph; what is unique only within what holds it is
            shown as ``key``. The ``id`` of an interface or of a federation ``Key`` is unique as well.

    Raises:
        TypeError: the class, or something in it, has no GraphQL form.
    """
    if is_enum(cls):
        return mirror_enum(cls, name)
    if not (dataclasses.is_dataclass(cls) or issubclass(cls, Exception) or cls in _outputs):
        raise TypeError(f"{cls!r} is neither a dataclass nor an enum nor an exception")
    look = _Look(
        name,
        tuple(interfaces),
        shareable,
        tuple(directives),
        tuple(sorted(overrides.items(), key=lambda item: item[0])),
        frozenset(exclude),
        unique,
    )
    return _known(cls, look) or _register(cls, look, _make_output)


def mirror_interface(
    cls: type, *, name: str | None = None, beside: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    """Give the GraphQL interface with the fields of a protocol or dataclass.

    Args:
        cls: the protocol or dataclass.
        name: of the interface; that of the class without.
        beside: Strawberry fields with resolvers that it has beside those of the class, by name.

    Name the types that implement it with ``mirror(..., interfaces=[...])``, and those that no root reaches in
    ``build_schema(types=...)``.
    """
    look = _Look(name)
    return _known(cls, look) or _register(cls, look, partial(_make_interface, beside=beside))


def mirror_union(name: str, *classes: type, description: str | None = None) -> Any:
    """Give the union of dataclasses a name: by it goes ``A | B`` in every class that is mirrored later.

    Args:
        name: of the GraphQL union.
        classes: its members.
        description: for the schema.

    Raises:
        ValueError: the same union already goes by another name.
    """
    key = frozenset(classes)
    if key not in _unions:
        _unions[key] = _make_union(name, classes, description)
    elif typing.get_args(_unions[key])[1].graphql_name != name:
        raise ValueError(f"this union is already {typing.get_args(_unions[key])[1].graphql_name}, not {name}")
    return _unions[key]


# Types


def _known(cls: type, look: _Look) -> Any:
    """Give the type that was made for this look; the first one where no look is asked for."""
    made = _outputs.get(cls, [])
    if look == _Look() and made:
        return made[0][1]
    return next((kind for known, kind in made if known == look), None)


def _register(cls: type, look: _Look, make: Callable[[type, _Look], type]) -> type:
    made = _outputs.setdefault(cls, [])
    place = len(made)
    made.append((look, Later(look.name or cls.__name__, lambda: made[place][1])))
    try:
        kind = make(cls, look)
    except BaseException:
        # Whatever was made along with it may hold what is now missing.
        del made[place:]
        raise
    made[place] = (look, kind)
    return kind


def _make_output(cls: type, look: _Look) -> type:
    def is_type_of(_type: type, value: object, _info: object) -> bool:
        return isinstance(value, cls) or type(value) is made

    namespace = {
        **_fields(cls, look),
        "is_type_of": classmethod(is_type_of),
        "__mirrored__": cls,
    }
    bare = type(look.name or cls.__name__, look.interfaces, namespace)
    made: type = federated_type(
        bare,
        description=summary(cls),
        shareable=look.shareable,
        directives=look.directives,
    )
    return made


def _make_interface(cls: type, look: _Look, beside: Mapping[str, Any]) -> type:
    namespace = {**_fields(cls, look), **beside, "resolve_type": staticmethod(_nearest)}
    bare = type(look.name or cls.__name__, (), namespace)
    made: type = strawberry.interface(bare, description=summary(cls))
    return made


def _nearest(value: Any, info: Any, abstract: Any) -> Any:
    """Find the type of an object among those of an interface: the one of the nearest class."""
    mirrored = {
        getattr(kind.extensions["strawberry-definition"].origin, "__mirrored__", None): kind.name
        for kind in info.schema.get_possible_types(abstract)
    }
    for base in type(value).__mro__:
        if base in mirrored:
            return mirrored[base]
    return default_type_resolver(value, info, abstract)


def _fields(cls: type, look: _Look) -> dict[str, Any]:
    """Make the body of a type: annotations, and a described field for each."""
    descriptions = attribute_descriptions(cls)
    wanted = dict(hints_of(cls))
    for name, member in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        returned = typing.get_type_hints(member.fget, include_extras=True).get("return")
        if returned is not None:
            wanted[name] = returned
            document = inspect.getdoc(member)
            if document:
                descriptions.setdefault(name, " ".join(document.split("\n\n")[0].split()))
    overrides = dict(look.overrides)
    annotations: dict[str, Any] = {}
    namespace: dict[str, Any] = {"__annotations__": annotations}
    for name, hint in wanted.items():
        if name.startswith("_") or name in look.exclude:
            continue
        annotations[name] = overrides[name] if name in overrides else _kind(named_id(name, hint))
        field: Any = partial(strawberry.field, name=look.called(name), description=descriptions.get(name))
        convert = _converter(hint)
        namespace[name] = field() if convert is None else field(_reader(name, annotations[name], convert))
    return namespace


def _kind(hint: Any) -> Any:
    hint = stripped(hint)
    if optional(hint):
        return typing.Optional[_union(members(hint))]  # noqa: UP045
    if len(members(hint)) > 1:
        return _union(members(hint))
    if typing.get_origin(hint) is typing.Literal:
        return type(typing.get_args(hint)[0])
    if (pair := entry(hint)) is not None:
        return list[_entry(*pair)]  # type: ignore[misc]
    if (inner := element(hint)) is not None:
        return list[_kind(inner)]  # type: ignore[misc]
    if is_enum(hint):
        return mirror_enum(hint)
    if hasattr(hint, "__strawberry_definition__") or hint in PLAIN or hasattr(hint, "_scalar_definition"):
        return PLAIN.get(hint, hint)
    if is_dataclass(hint) or hint in _outputs:
        return mirror(hint)
    raise TypeError(f"{hint!r} has no GraphQL form")


def _union(hints: list[Any]) -> Any:
    if len(hints) == 1:
        return _kind(hints[0])
    if not all(is_dataclass(hint) for hint in hints):
        raise TypeError(f"{hints!r} has no GraphQL form: a union is of dataclasses")
    key = frozenset(hints)
    if key not in _unions:
        _unions[key] = _make_union("Or".join(hint.__name__ for hint in hints), hints, None)
    return _unions[key]


def _make_union(name: str, classes: Sequence[type], description: str | None) -> Any:
    # Strawberry takes the first member that an object is an instance of: subclasses go before their bases.
    ordered = sorted(classes, key=lambda cls: -len(cls.__mro__))
    kinds = tuple(_kind(cls) for cls in ordered)
    return typing.Annotated[typing.Union[kinds], strawberry.union(name, description=description)]  # noqa: UP007


def _entry(key: Any, value: Any) -> type:
    if (key, value) not in _entries:
        kinds = {"key": _kind(key), "value": _kind(value)}
        members = {name: strawberry.field(description=text) for name, text in ENTRY.items()}
        called = f"{label(kinds['key'])}{label(kinds['value'])}Entry"
        bare = type(called, (), {"__annotations__": kinds, **members})
        made = federated_type(bare, shareable=True, description="One entry of a table.")
        _entries[key, value] = made
    return _entries[key, value]


# Values: what a resolver must hand out otherwise than it is


def _reader(name: str, kind: Any, convert: Callable[[Any], Any]) -> Any:
    def resolver(root: Any) -> Any:
        return convert(getattr(root, name))

    resolver.__annotations__ = {"root": Any, "return": kind}
    return resolver


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    """Give what turns a value into something GraphQL can walk; None where it can as it is."""
    hint = stripped(hint)
    if len(members(hint)) > 1:
        return None
    if optional(hint):
        inner = _converter(members(hint)[0])
        return None if inner is None else lambda value: None if value is None else inner(value)
    if (pair := entry(hint)) is not None:
        return _entries_of(_entry(*pair), _converter(pair[1]))
    if (item := element(hint)) is not None:
        each = _converter(item)
        if issubclass(typing.get_origin(hint), frozenset | set):
            return lambda values: sorted(values, key=repr)
        return None if each is None else lambda values: [each(value) for value in values]
    return None


def _entries_of(kind: Any, each: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    def convert(table: Mapping[Any, Any]) -> list[Any]:
        return [kind(key=key, value=each(value) if each else value) for key, value in table.items()]

    return convert
