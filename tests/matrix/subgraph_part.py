"""The part of an operation that one subgraph answers by itself.

A field of the product's graph belongs to one subgraph; what the others add to its entities is looked up there by
the federation gateway. Without a gateway those fields are left out: that each is guarded where it is resolved,
``test_visibility`` shows entity by entity.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from graphql import (
    REMOVE,
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    TypeInfo,
    TypeInfoVisitor,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    parse,
    print_ast,
    visit,
)

from services.campaign.schema import SCHEMA as CAMPAIGN
from services.character.schema import SCHEMA as CHARACTER
from services.dice.schema import SCHEMA as DICE
from services.gateway.schema import SCHEMA as ACCOUNT
from services.map.graphql.schema import SCHEMA as MAP
from services.shared.settings import ServiceName

SCHEMAS: Mapping[ServiceName, GraphQLSchema] = {
    "account": ACCOUNT._schema,
    "dice": DICE._schema,
    "character": CHARACTER._schema,
    "campaign": CAMPAIGN._schema,
    "map": MAP._schema,
}


@dataclass(frozen=True, slots=True)
class Part:
    """What one subgraph is asked.

    Attributes:
        service: whose subgraph it is.
        kind: of the operation.
        document: the operation, as text.
        variables: the names of those that it uses.
    """

    service: ServiceName
    kind: OperationType
    document: str
    variables: frozenset[str]


@cache
def parts(document: str) -> tuple[Part, ...]:
    """Take an operation apart by the subgraphs that own its root fields, in the order of ``SCHEMAS``.

    Raises:
        GraphQLError: it is no GraphQL.
        LookupError: no subgraph has one of its root fields, or one of its variables would be used by none.
    """
    node = parse(document)
    (operation,) = node.definitions
    assert isinstance(operation, OperationDefinitionNode)
    found = tuple(
        part for service, schema in SCHEMAS.items() if (part := _part(service, schema, node, operation))
    )
    declared = {one.variable.name.value for one in operation.variable_definitions or ()}
    if lost := declared.difference(*(part.variables for part in found)):
        raise LookupError(f"no subgraph by itself uses {sorted(lost)} of {document}")
    return found


def _part(
    service: ServiceName, schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode
) -> Part | None:
    types = TypeInfo(schema)
    pruned = visit(document, TypeInfoVisitor(types, _Pruning(schema, types)))
    if not pruned.definitions:
        return None
    used = _Used()
    visit(pruned, used)
    kept = visit(pruned, _Declaring(used.names))
    return Part(service, operation.operation, print_ast(kept), frozenset(used.names))


class _Pruning(Visitor):
    """Leaves out what a schema does not know, and what nothing is left of."""

    def __init__(self, schema: GraphQLSchema, types: TypeInfo) -> None:
        super().__init__()
        self._schema = schema
        self._types = types

    def enter_field(self, _node: FieldNode, *_: object) -> object:
        return REMOVE if self._types.get_field_def() is None else None

    def enter_inline_fragment(self, node: InlineFragmentNode, *_: object) -> object:
        condition = node.type_condition
        return REMOVE if condition and condition.name.value not in self._schema.type_map else None

    def leave_field(self, node: FieldNode, *_: object) -> object:
        return _unless_emptied(node.selection_set)

    def leave_inline_fragment(self, node: InlineFragmentNode, *_: object) -> object:
        return _unless_emptied(node.selection_set)

    def leave_operation_definition(self, node: OperationDefinitionNode, *_: object) -> object:
        return _unless_emptied(node.selection_set)


def _unless_emptied(selected: SelectionSetNode | None) -> object:
    return REMOVE if selected is not None and not selected.selections else None


class _Used(Visitor):
    """Collects the names of the variables that are used, not only declared."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable(self, node: VariableNode, _key: object, parent: object, *_: object) -> None:
        if not isinstance(parent, VariableDefinitionNode):
            self.names.add(node.name.value)


class _Declaring(Visitor):
    """Leaves out the declarations of all variables but some."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self._names = names

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: object) -> object:
        return None if node.variable.name.value in self._names else REMOVE
