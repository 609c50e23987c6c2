"""The grammar of the graph: what every subgraph's schema keeps to, so that a client can guess the rest.

- Every type, field, argument, input member and enum value has a description.
- Types are PascalCase, fields, arguments and members camelCase, enum values UPPER_CASE.
- A mutation ``doThing`` takes exactly one argument, ``input: DoThingInput!``, which holds an optional
  ``idempotencyKey``, and answers with the union ``DoThingResult!``: one answer, and problems that implement
  ``Problem``.
- A subscription that can be resumed takes ``after: String``, and what it sends holds ``cursor: String!``.
- A list holds no nulls, other than for what another subgraph knows.
- ``id`` is unique in the whole graph, since caches of clients go by it: only entities, what a query or a
  mutation answers with, and nodes of their connections have one. What is unique only within what holds it is
  called ``key``.
- A list that is taken, as an argument or in an input, has a maximum: ``@constraint(maxItems: ...)``.

``python -m infra.checks.grammar [SUBGRAPH ...]`` prints what breaks it, one line each.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from graphql import (
    DocumentNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    ListTypeNode,
    NamedTypeNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
    parse,
    print_ast,
)

from infra.checks.schema import FOLDER, SUBGRAPHS

PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
CAMEL = re.compile(r"[a-z][A-Za-z0-9]*")
UPPER = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
OF_FEDERATION = re.compile(r"_.*|FieldSet|federation__.*|link__.*")
Fielded = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode | InputObjectTypeDefinitionNode


def faults(document: DocumentNode) -> Iterator[str]:
    """Find what breaks the grammar in a subgraph's schema, as lines for people."""
    types: dict[str, Any] = {
        node.name.value: node
        for node in document.definitions
        if hasattr(node, "name") and not OF_FEDERATION.fullmatch(node.name.value)
    }
    known = _known_by_id(types)
    outputs = {
        name
        for name, node in types.items()
        if isinstance(node, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode)
    }
    for name, node in types.items():
        if isinstance(node, Fielded | UnionTypeDefinitionNode | EnumTypeDefinitionNode):
            yield from _described(name, node)
            if not PASCAL.fullmatch(name):
                yield f"{name}: types are PascalCase"
        if isinstance(node, Fielded):
            yield from _fields(name, node.fields, types)
        if name in outputs and name not in known and _has(node, "id"):
            yield f"{name}.id: unique only within what holds it, it is called `key`"
        if isinstance(node, EnumTypeDefinitionNode):
            for value in node.values or ():
                yield from _described(f"{name}.{value.name.value}", value)
                if not UPPER.fullmatch(value.name.value):
                    yield f"{name}.{value.name.value}: enum values are UPPER_CASE"
    for field in getattr(types.get("Mutation"), "fields", None) or ():
        yield from _mutation(field, types)
    for field in getattr(types.get("Subscription"), "fields", None) or ():
        yield from _subscription(field, types)


def _known_by_id(types: dict[str, Any]) -> set[str]:
    """Name the types whose objects are found or changed by themselves, and so have an id of their own."""
    found = {name for name, node in types.items() if _is_entity(node)}
    for root in ("Query", "Mutation"):
        for field in getattr(types.get(root), "fields", None) or ():
            for answer in _members(_named(field.type), types):
                found.add(answer)
                inner = getattr(types.get(answer), "fields", None) or ()
                alone = [one for one in inner if one.name.value == "nodes" or not _is_list(one.type)]
                found |= {_named(one.type) for one in alone}
    implement = {
        name
        for name, node in types.items()
        if any(one.name.value in found for one in getattr(node, "interfaces", None) or ())
    }
    return found | implement


def _members(name: str, types: dict[str, Any]) -> list[str]:
    node = types.get(name)
    if isinstance(node, UnionTypeDefinitionNode):
        return [one.name.value for one in node.types or ()]
    return [name]


def _is_entity(node: Any) -> bool:
    return any(one.name.value == "key" for one in getattr(node, "directives", None) or ())


def _has(node: Any, name: str) -> bool:
    return any(one.name.value == name for one in node.fields or ())


def _is_list(node: TypeNode) -> bool:
    return isinstance(node.type if isinstance(node, NonNullTypeNode) else node, ListTypeNode)


def _fields(name: str, fields: Iterable[Any] | None, types: dict[str, Any]) -> Iterator[str]:
    for field in fields or ():
        own = field.name.value
        if OF_FEDERATION.fullmatch(own):
            continue
        where = f"{name}.{own}"
        yield from _described(where, field)
        if not CAMEL.fullmatch(own):
            yield f"{where}: fields are camelCase"
        if _holds_nulls(field.type) and not _is_elsewhere(types.get(_named(field.type))):
            yield f"{where}: lists hold no nulls"
        if isinstance(field, InputValueDefinitionNode) and _is_endless(field):
            yield f"{where}: a list that is taken has a maximum"
        for argument in getattr(field, "arguments", None) or ():
            if _is_endless(argument):
                yield f"{where}({argument.name.value}): a list that is taken has a maximum"
            at = f"{where}({argument.name.value})"
            yield from _described(at, argument)
            if not CAMEL.fullmatch(argument.name.value):
                yield f"{at}: arguments are camelCase"


def _described(where: str, node: Any) -> Iterator[str]:
    if node.description is None or not node.description.value.strip():
        yield f"{where}: has no description"


def _mutation(field: FieldDefinitionNode, types: dict[str, Any]) -> Iterator[str]:
    where = f"Mutation.{field.name.value}"
    name = field.name.value[0].upper() + field.name.value[1:]
    asked = [f"{one.name.value}: {print_ast(one.type)}" for one in field.arguments or ()]
    if asked != [f"input: {name}Input!"]:
        yield f"{where}: takes `input: {name}Input!` and nothing else"
    given = types.get(f"{name}Input")
    if given is not None and not any(
        one.name.value == "idempotencyKey" and print_ast(one.type) == "String" for one in given.fields or ()
    ):
        yield f"{name}Input: holds `idempotencyKey: String`"
    if print_ast(field.type) != f"{name}Result!":
        yield f"{where}: answers with `{name}Result!`"
        return
    union = types[f"{name}Result"]
    if not isinstance(union, UnionTypeDefinitionNode):
        yield f"{name}Result: is a union"
        return
    good = [one.name.value for one in union.types or () if not _is_problem(types.get(one.name.value))]
    if len(good) != 1:
        yield f"{name}Result: holds one answer beside problems, not {', '.join(good) or 'none'}"


def _is_problem(node: Any) -> bool:
    return any(one.name.value == "Problem" for one in getattr(node, "interfaces", None) or ())


def _subscription(field: FieldDefinitionNode, types: dict[str, Any]) -> Iterator[str]:
    where = f"Subscription.{field.name.value}"
    after = next((one for one in field.arguments or () if one.name.value == "after"), None)
    if after is None or print_ast(after.type) != "String":
        yield f"{where}: is resumed by `after: String`"
    sent = types.get(_named(field.type))
    cursors = [one for one in getattr(sent, "fields", None) or () if one.name.value == "cursor"]
    if not cursors or print_ast(cursors[0].type) != "String!":
        yield f"{where}: what it sends holds `cursor: String!`"


def _is_elsewhere(node: Any) -> bool:
    """Whether a type is another subgraph's, where a member of a list may be away while the rest is there."""
    return any("resolvable: false" in print_ast(one) for one in getattr(node, "directives", None) or ())


def _named(node: TypeNode) -> str:
    return node.name.value if isinstance(node, NamedTypeNode) else _named(node.type)  # type: ignore[attr-defined]


def _holds_nulls(node: TypeNode) -> bool:
    if isinstance(node, NonNullTypeNode):
        return _holds_nulls(node.type)
    return isinstance(node, ListTypeNode) and not isinstance(node.type, NonNullTypeNode)


def _is_endless(taken: InputValueDefinitionNode) -> bool:
    """Whether a list may be as long as a body lets it be."""
    kind = taken.type.type if isinstance(taken.type, NonNullTypeNode) else taken.type
    return isinstance(kind, ListTypeNode) and not any(
        (directive.name.value, bound.name.value) == ("constraint", "maxItems")
        for directive in taken.directives or ()
        for bound in directive.arguments or ()
    )


def main() -> int:
    """Check the committed schemas of the subgraphs named, or of all; 1 if any breaks the grammar."""
    found = 0
    for name in sys.argv[1:] or SUBGRAPHS:
        for fault in faults(parse((FOLDER / f"{name}.graphql").read_text("utf-8"))):
            found += 1
            print(f"{name}: {fault}")
    print(f"{found} faults" if found else "the grammar is kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
