"""What services say of each other's entities: any of them may be gone, so every reference may be null."""

from collections.abc import Iterator
from pathlib import Path

from graphql import ListTypeNode, NonNullTypeNode, ObjectTypeDefinitionNode, parse

SCHEMAS = Path(__file__).parents[2] / "schema"
OWNERS = {
    **dict.fromkeys(("Campaign", "Scene", "Simulation"), "campaign"),
    **{"Account": "account", "Character": "character", "Map": "map", "Roll": "dice"},
}


def types(service: str) -> Iterator[ObjectTypeDefinitionNode]:
    """Read the object types of a service's part of the graph."""
    for node in parse((SCHEMAS / f"{service}.graphql").read_text()).definitions:
        if isinstance(node, ObjectTypeDefinitionNode):
            yield node


def references() -> Iterator[tuple[str, bool]]:
    """Find each field that names another service's entity: where it stands, and whether that may be null."""
    for service in sorted(set(OWNERS.values())):
        for node in types(service):
            for field in node.fields or ():
                kind, required = field.type, False
                while isinstance(kind, NonNullTypeNode | ListTypeNode):
                    required = isinstance(kind, NonNullTypeNode)
                    kind = kind.type
                if OWNERS.get(kind.name.value, service) != service:
                    yield f"{service}: {node.name.value}.{field.name.value}", required


def test_every_entity_has_an_owner_here() -> None:
    known = {
        node.name.value
        for service in set(OWNERS.values())
        for node in types(service)
        if any(directive.name.value == "key" for directive in node.directives or ())
    }
    assert known == set(OWNERS)


def test_references_to_what_others_own_may_be_null() -> None:
    found = dict(references())
    assert len(found) > 20
    assert [place for place, required in found.items() if required] == []
