"""The maximum of each list that an operation takes: declared in the schema, held before a list is converted.

A list has the bounds that its ``@constraint`` says; one that says none holds ``MAX_ITEMS``. To convert 84,000
items only to say that there may be 100 of them is the work that a bound is to save: lists are measured where
they lie in the variables. What is too long is answered by the field that takes it, as ``InvalidInput`` where
its union has that, else by an error of the operation.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from graphql import (
    ArgumentNode,
    DocumentNode,
    FragmentDefinitionNode,
    GraphQLArgument,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    TypeInfo,
    TypeInfoVisitor,
    ValueNode,
    VariableNode,
    Visitor,
    get_named_type,
    get_nullable_type,
    is_input_object_type,
    visit,
)

from services.shared.bounds import Count
from services.shared.graphql.constraint import Constraint, constraint
from services.shared.problems import InvalidInput, Issue

MAX_ITEMS = 1_000
"""What a list may hold that says nothing of it: more than any rule, table or form has."""

FEW = 50
"""A list of so many items is converted though it is too long: all that is wrong with it is told at once."""

MAX_ISSUES = 50
INPUT = "input"
JSON = "JSON"
_COUNT = "hearthforge.count"
_OF_FEDERATION = "_"

TOO_LONG: ContextVar[tuple[Issue, ...]] = ContextVar("too_long", default=())
"""The lists of the running operation that are too long and that its fields answer for."""


def declare_maxima(schema: GraphQLSchema) -> None:
    """Bound each list that a schema takes by its own ``@constraint``, else by ``MAX_ITEMS``.

    Args:
        schema: made by Strawberry; its SDL is not written yet.
    """
    for kind in schema.type_map.values():
        if kind.name.startswith(_OF_FEDERATION):
            continue
        for name, field in getattr(kind, "fields", {}).items():
            if name.startswith(_OF_FEDERATION):
                continue  # its lists are as long as the pages that the gateway gathers for, within a body
            for declared in (field, *getattr(field, "args", {}).values()):
                if isinstance(declared, GraphQLInputField | GraphQLArgument) and _is_list(declared.type):
                    _declare(declared)


def _is_list(kind: GraphQLInputType) -> bool:
    return isinstance(get_nullable_type(kind), GraphQLList)


def _declare(declared: GraphQLInputField | GraphQLArgument) -> None:
    definition = declared.extensions.get("strawberry-definition")
    if definition is None:
        return
    found = [one for one in definition.directives or () if isinstance(one, Constraint)]
    if found and isinstance(found[0].max_items, int):
        least = found[0].min_items
        count = Count(least if isinstance(least, int) else 0, found[0].max_items)
    else:
        count = Count(0, MAX_ITEMS)
        definition.directives = [*(definition.directives or ()), constraint([count])]
    declared.extensions = {**declared.extensions, _COUNT: count}


@dataclass(frozen=True, slots=True)
class ListArgument:
    """An argument in a document that is a list, or an input that may hold some.

    Attributes:
        operation: the name of the operation that it stands in; None also for one without a name.
        shared: whether it stands in a fragment, which any operation may spread.
        argument: what the schema says of it.
        name: of the argument.
        value: as it was written.
        answered: whether the field's own answer can tell what is wrong.
    """

    operation: str | None
    shared: bool
    argument: GraphQLArgument
    name: str
    value: ValueNode
    answered: bool

    @property
    def path(self) -> tuple[str, ...]:
        """Where the argument stands in the request, as every other problem tells it."""
        return () if self.name == INPUT else (self.name,)


def list_arguments(schema: GraphQLSchema, document: DocumentNode) -> tuple[ListArgument, ...]:
    """Find the arguments of a valid document that may hold lists."""
    info = TypeInfo(schema)
    found: list[ListArgument] = []

    class Arguments(Visitor):
        """Collects them, definition by definition."""

        definition: Any = None

        def enter_operation_definition(self, node: OperationDefinitionNode, *_: Any) -> None:
            self.definition = node

        def enter_fragment_definition(self, node: FragmentDefinitionNode, *_: Any) -> None:
            self.definition = node

        def enter_argument(self, node: ArgumentNode, *_: Any) -> None:
            declared = info.get_argument()
            if declared is None or info.get_directive() is not None or not _may_hold_lists(declared.type):
                return
            shared = isinstance(self.definition, FragmentDefinitionNode)
            name = None if shared or self.definition.name is None else self.definition.name.value
            answered = _tells_of_input(info.get_field_def())
            found.append(ListArgument(name, shared, declared, node.name.value, node.value, answered))

    visit(document, TypeInfoVisitor(info, Arguments()))
    return tuple(found)


def _tells_of_input(field: Any) -> bool:
    """Whether a field answers with a union in which `InvalidInput` is."""
    kind = get_named_type(field.type) if field is not None else None
    return isinstance(kind, GraphQLUnionType) and any(one.name == InvalidInput.__name__ for one in kind.types)


@cache
def _may_hold_lists(kind: GraphQLInputType) -> bool:
    return _is_list(kind) or _is_json(kind) or bool(_list_members(get_named_type(kind), ()))


def _is_json(kind: GraphQLInputType) -> bool:
    """Whether a type takes what another part of the house reads: its lists are bounded here all the same."""
    named = get_nullable_type(kind)
    return isinstance(named, GraphQLScalarType) and named.name == JSON


def _list_members(kind: Any, above: tuple[str, ...]) -> Mapping[str, GraphQLInputField]:
    """The members of an input that are lists, or hold some; what holds itself holds what else it holds."""
    if not is_input_object_type(kind) or kind.name in above:
        return {}
    within = (*above, kind.name)
    return {
        name: field
        for name, field in kind.fields.items()
        if _is_list(field.type) or _is_json(field.type) or _list_members(get_named_type(field.type), within)
    }


@cache
def _members(kind: GraphQLInputObjectType) -> Mapping[str, GraphQLInputField]:
    return _list_members(kind, ())


@dataclass(frozen=True, slots=True)
class Excess:
    """A list that is too long.

    Attributes:
        issue: what is wrong with it.
        answered: whether the field's own answer can tell so.
        variable: that it lies in; None where it is written in the document.
    """

    issue: Issue
    answered: bool
    variable: str | None


def find_excesses(
    arguments: Iterable[ListArgument], operation: str | None, variables: dict[str, Any]
) -> list[Excess]:
    """Find the lists of an operation that are too long, 50 at most, and empty those that lie in variables.

    An empty one takes no time to convert, and the field is refused before it looks at it.

    Args:
        arguments: of the document.
        operation: the name of the operation that is to run.
        variables: as they were sent.
    """
    found = (
        excess
        for one in arguments
        if one.shared or one.operation == operation
        for excess in _of_argument(one, variables)
    )
    return list(islice(found, MAX_ISSUES))


def _of_argument(one: ListArgument, variables: dict[str, Any]) -> Iterator[Excess]:
    waiting: list[tuple[ValueNode, Any, Count | None, tuple[str, ...]]] = [
        (one.value, one.argument.type, count_of(one.argument), one.path)
    ]
    while waiting:
        node, kind, count, path = waiting.pop()
        kind = get_nullable_type(kind)
        match node:
            case VariableNode():
                name = node.name.value
                if name in variables:
                    for holder, key, issue in _of_value(variables, name, kind, count, path):
                        holder[key] = []
                        yield Excess(issue, one.answered, name)
            case ListValueNode() if isinstance(kind, GraphQLList):
                if count and _is_too_long(node.values, count):
                    yield Excess(count.issues(node.values, *path)[0], one.answered, None)
                    continue
                waiting += [
                    (item, kind.of_type, count, (*path, str(place))) for place, item in enumerate(node.values)
                ]
            case ObjectValueNode() if isinstance(kind, GraphQLInputObjectType):
                fields = _members(kind)
                for member in node.fields:
                    if (field := fields.get(member.name.value)) is not None:
                        here = (*path, member.name.value)
                        waiting.append((member.value, field.type, count_of(field), here))


def _of_value(
    holder: Any, key: Any, kind: Any, count: Count | None, path: tuple[str, ...]
) -> Iterator[tuple[Any, Any, Issue]]:
    """Look through a value for lists that are too long, each with what holds it and where it lies there.

    Its nesting is bounded where it was read.
    """
    value = holder[key]
    kind = get_nullable_type(kind)
    if isinstance(kind, GraphQLList) and isinstance(value, list):
        if count and _is_too_long(value, count):
            yield holder, key, count.issues(value, *path)[0]
        elif _may_hold_lists(kind.of_type):
            for place in range(len(value)):
                yield from _of_value(value, place, kind.of_type, count, (*path, str(place)))
    elif _is_json(kind):
        yield from _of_json(holder, key, path)
    elif isinstance(kind, GraphQLInputObjectType) and isinstance(value, dict):
        for name, field in _members(kind).items():
            if name in value:
                yield from _of_value(value, name, field.type, count_of(field), (*path, name))


def _of_json(holder: Any, key: Any, path: tuple[str, ...]) -> Iterator[tuple[Any, Any, Issue]]:
    """Look through JSON whose lists have no names in the schema."""
    waiting = [(holder, key, path)]
    while waiting:
        within, at, here = waiting.pop()
        match within[at]:
            case list() as items if len(items) > MAX_ITEMS:
                yield within, at, Count(0, MAX_ITEMS).issues(items, *here)[0]
            case list() as items:
                waiting += [
                    (items, place, (*here, str(place)))
                    for place, item in enumerate(items)
                    if isinstance(item, dict | list)
                ]
            case dict() as members:
                waiting += [
                    (members, name, (*here, name))
                    for name, item in members.items()
                    if isinstance(item, dict | list)
                ]


def _is_too_long(items: Sequence[Any], count: Count) -> bool:
    return len(items) > max(count.most, FEW)


def find_excess_in(value: Any, kind: GraphQLInputType, path: Iterable[str]) -> list[Issue]:
    """Find the lists of a value that are too long, 50 at most.

    Args:
        value: what `json.loads` returns.
        kind: the input.
        path: where it stands in the request.
    """
    found = _of_value([value], 0, kind, None, tuple(path))
    return [issue for _, _, issue in islice(found, MAX_ISSUES)]


def count_of(declared: GraphQLInputField | GraphQLArgument) -> Count | None:
    """Return how many a list may hold by the schema; None for what is no list of this house."""
    found = declared.extensions.get(_COUNT)
    return found if isinstance(found, Count) else None


def refuse_too_long() -> None:
    """Raise if a list of the running operation is too long.

    Raises:
        InvalidInput: naming those lists.
    """
    InvalidInput.check(*TOO_LONG.get())
