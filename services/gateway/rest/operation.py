"""Operations of ``schema/operations``: what a file says, and what is sent to the service that answers it.

A file is named ``<service>.<operation>.graphql``; it may spread the fragments of ``schema/fragments``. Its
operation answers one field under the alias ``result``; what of that is the thing itself has the alias
``value``, in a mutation within the success of its union. What can go wrong is added here, from the service's
schema: a file does not say it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from graphql import (
    REMOVE,
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLDirective,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    TypeInfo,
    TypeInfoVisitor,
    Undefined,
    VariableNode,
    Visitor,
    build_ast_schema,
    get_directive_values,
    get_named_type,
    get_nullable_type,
    is_composite_type,
    is_required_argument,
    parse,
    print_ast,
    strip_ignored_characters,
    type_from_ast,
    value_from_ast_untyped,
    visit,
)

SCHEMA = Path(__file__).resolve().parents[3] / "schema"
OPERATIONS, FRAGMENTS, DIRECTIVES = SCHEMA / "operations", SCHEMA / "fragments", SCHEMA / "rest.graphql"
RESULT, VALUE, PROBLEM, INPUT = "result", "value", "Problem", "input"

Target = tuple[str, ...]
"""Where in the variables something stands: ``("input", "campaignId")``."""


class OperationError(Exception):
    """A file of ``schema/operations`` does not say what it must; the message names it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A part of an operation's variables that is given by itself.

    Attributes:
        target: where it stands in the variables.
        type: as the service declares it.
        description: in the service's words.
        default: what it is when it is not given; ``Undefined`` where it must be, or the service knows.
        hints: arguments of its directive ``@member``.
    """

    target: Target
    type: GraphQLInputType
    description: str
    default: Any
    hints: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its own name, without what it stands in."""
        return self.target[-1]


@dataclass(frozen=True)
class Operation:
    """One file.

    Attributes:
        name: ``service.operation``, as the file is called.
        word: the operation's own name, ``ReadRoll``.
        document: what is sent.
        rest: arguments of its directive ``@rest``; None for one that only code runs.
        members: of its variables, in their order.
        nested: further hints, by place within a member: ``("rolls", "variables")``.
        description: in plain words.
        mutates: whether it changes something.
        root: the field that it asks for.
        root_name: the name of that field.
        selection: what is shown of it: of a union, of its success.
        steps: what to call the field that it asks for, and each `value` within, where there is none.
        problems: the types of what can go wrong, as its union has them.
        schema: of its service.
        fragments: that it may spread, by name.
    """

    name: str
    word: str
    document: str
    rest: Mapping[str, Any] | None
    members: tuple[Member, ...]
    nested: Mapping[Target, Mapping[str, Any]]
    description: str
    mutates: bool
    root: GraphQLField
    root_name: str
    selection: SelectionSetNode | None
    steps: tuple[str, ...]
    problems: frozenset[str]
    schema: GraphQLSchema = field(repr=False)
    fragments: Mapping[str, FragmentDefinitionNode] = field(repr=False)

    @property
    def said(self) -> Mapping[str, Any]:
        """Arguments of its ``@rest``, which it has."""
        assert self.rest is not None
        return self.rest

    @property
    def service(self) -> str:
        """Whose it is."""
        return self.name.partition(".")[0]


def is_problem(kind: GraphQLObjectType) -> bool:
    """Tells whether a type says why something was not done."""
    return any(one.name == PROBLEM for one in kind.interfaces)


def words(name: str) -> str:
    """Writes a name as people read it: ``contentPack`` is ``content pack``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


@cache
def directives() -> Mapping[str, GraphQLDirective]:
    """Reads the directives that operations may have, by name."""
    schema = build_ast_schema(parse(DIRECTIVES.read_text("utf-8"), no_location=True))
    return {one.name: one for one in schema.directives}


@cache
def service_schema(service: str) -> GraphQLSchema:
    """Reads the published schema of a service."""
    text = (SCHEMA / service).with_suffix(".graphql").read_text("utf-8")
    return build_ast_schema(parse(text, no_location=True), assume_valid_sdl=True)


def argument_of(service: str, field: str, name: str) -> GraphQLArgument:
    """Returns an argument of a query of a service."""
    query = service_schema(service).query_type
    assert query is not None
    found: GraphQLArgument = query.fields[field].args[name]
    return found


@cache
def fragments_of(service: str) -> Mapping[str, FragmentDefinitionNode]:
    """Reads the fragments that the operations of a service share, by name."""
    file = (FRAGMENTS / service).with_suffix(".graphql")
    if not file.is_file():
        return {}
    parsed = parse(file.read_text("utf-8"), no_location=True).definitions
    return {one.name.value: one for one in parsed if isinstance(one, FragmentDefinitionNode)}


@cache
def operations(folder: Path = OPERATIONS) -> Mapping[str, Operation]:
    """Reads all operations of a folder, by name.

    Raises:
        OperationError: a file does not say what it must.
    """
    return {
        path.stem: read_operation(path.stem, path.read_text("utf-8"))
        for path in sorted(folder.glob("*.graphql"))
    }


def read_operation(name: str, text: str) -> Operation:
    """Reads one operation.

    Args:
        name: ``service.operation``.
        text: of its file.

    Raises:
        OperationError: it does not ask for one field as ``result``.
    """
    parsed = parse(text, no_location=True).definitions
    if len(parsed) != 1 or not isinstance(parsed[0], OperationDefinitionNode):
        raise OperationError(f"{name}: one operation stands in a file")
    node, service = parsed[0], name.partition(".")[0]
    schema, fragments = service_schema(service), fragments_of(service)
    root = _root_field(name, node, schema)
    rest = next(iter(_directives_of(node, "rest")), None)
    selection = _shown(node, root)
    hints = {_place(one): one for one in _directives_of(node, "member")}
    members = tuple(_members(name, node, schema, hints))
    return Operation(
        name=name,
        word=node.name.value if node.name else "",
        document=_sent(node, root, schema, fragments),
        rest=rest,
        members=members,
        nested={place: hint for place, hint in hints.items() if len(place) > 1},
        description=node.description.value if node.description else "",
        mutates=node.operation is OperationType.MUTATION,
        root=root,
        root_name=_name(node),
        selection=selection,
        steps=((rest or {}).get("missing") or words(_name(node)), *_values(selection)),
        problems=frozenset(one.name for one in _members_of(root) if is_problem(one)),
        schema=schema,
        fragments=fragments,
    )


def _root_field(name: str, node: OperationDefinitionNode, schema: GraphQLSchema) -> GraphQLField:
    selections = node.selection_set.selections
    kind = schema.get_root_type(node.operation)
    if len(selections) != 1 or not isinstance(selections[0], FieldNode) or kind is None:
        raise OperationError(f"{name}: one field is asked for")
    found = selections[0]
    if found.alias is None or found.alias.value != RESULT or found.name.value not in kind.fields:
        raise OperationError(f"{name}: a field of {kind.name} is asked for as `{RESULT}`")
    declared: GraphQLField = kind.fields[found.name.value]
    return declared


def _directives_of(node: OperationDefinitionNode, name: str) -> list[dict[str, Any]]:
    found = [one for one in node.directives or () if one.name.value == name]
    single = [FieldNode(name=one.name, directives=(one,)) for one in found]
    return [get_directive_values(directives()[name], one) or {} for one in single]


def _place(hint: Mapping[str, Any]) -> Target:
    """Where a hint belongs; what stands in ``input`` may be named without it."""
    steps = tuple(str(hint["at"]).split("."))
    return steps[1:] if steps[0] == INPUT and len(steps) > 1 else steps


def _members(
    name: str, node: OperationDefinitionNode, schema: GraphQLSchema, hints: Mapping[Target, Mapping[str, Any]]
) -> Iterator[Member]:
    told = _told_of_variables(node, schema)
    known = set()
    for variable in node.variable_definitions or ():
        called = variable.variable.name.value
        kind = cast(GraphQLInputType, type_from_ast(schema, cast(Any, variable.type)))
        whole = get_nullable_type(kind)
        if called == INPUT and isinstance(whole, GraphQLInputObjectType):
            for one, declared in whole.fields.items():
                known.add((one,))
                about = declared.description or ""
                own = {**items_of(declared), **hints.get((one,), {})}
                yield Member((INPUT, one), declared.type, about, default_of(declared), own)
            continue
        known.add((called,))
        told_default = variable.default_value
        default = Undefined if told_default is None else value_from_ast_untyped(told_default)
        argument = told.get(called)
        about = argument.description or "" if argument else ""
        own = {**(items_of(argument) if argument else {}), **hints.get((called,), {})}
        yield Member((called,), kind, about, default, own)
    lost = {place for place in hints if place[:1] not in known}
    if lost:
        raise OperationError(f"{name}: there is no member {sorted(lost)}")


def default_of(declared: GraphQLInputField) -> Any:
    """Returns what a member of an input is when left out, as JSON; ``Undefined`` where that is not said."""
    told = declared.default
    return Undefined if told is None or told.literal is None else value_from_ast_untyped(told.literal)


def items_of(declared: GraphQLInputField | GraphQLArgument) -> Mapping[str, Any]:
    """Returns how many elements the service lets a list have, as a hint; nothing for what is no list."""
    for directive in declared.ast_node.directives or () if declared.ast_node else ():
        for bound in directive.arguments or ():
            if (directive.name.value, bound.name.value) == ("constraint", "maxItems"):
                return {"items": int(cast(IntValueNode, bound.value).value)}
    return {}


def _told_of_variables(node: OperationDefinitionNode, schema: GraphQLSchema) -> Mapping[str, GraphQLArgument]:
    """What the service says of the arguments that the variables are."""
    told: dict[str, GraphQLArgument] = {}
    info = TypeInfo(schema)

    class Arguments(Visitor):
        def enter_argument(self, argument: Any, *_: Any) -> None:
            declared = info.get_argument()
            if isinstance(argument.value, VariableNode) and declared is not None:
                told.setdefault(argument.value.name.value, declared)

    visit(node, TypeInfoVisitor(info, Arguments()))
    return told


def _shown(node: OperationDefinitionNode, root: GraphQLField) -> SelectionSetNode | None:
    asked = cast(FieldNode, node.selection_set.selections[0]).selection_set
    if asked is None or not isinstance(get_named_type(root.type), GraphQLUnionType):
        return asked
    return next(one.selection_set for one in asked.selections if isinstance(one, InlineFragmentNode))


def _name(node: OperationDefinitionNode) -> str:
    return cast(FieldNode, node.selection_set.selections[0]).name.value


def _values(selected: SelectionSetNode | None) -> Iterator[str]:
    """What to call each `value` within a selection."""
    for one in selected.selections if selected else ():
        if isinstance(one, FieldNode) and one.alias is not None and one.alias.value == VALUE:
            yield words(one.name.value)
            yield from _values(one.selection_set)


def _members_of(root: GraphQLField) -> tuple[GraphQLObjectType, ...]:
    """The types that a field's union has; none where it is no union."""
    kind = get_named_type(root.type)
    return tuple(kind.types) if isinstance(kind, GraphQLUnionType) else ()


def _sent(
    node: OperationDefinitionNode,
    root: GraphQLField,
    schema: GraphQLSchema,
    fragments: Mapping[str, FragmentDefinitionNode],
) -> str:
    """Write what is sent: without our directives, with what can go wrong and the fragments spread."""
    asked = cast(FieldNode, node.selection_set.selections[0])
    kind = get_named_type(root.type)
    if isinstance(kind, GraphQLUnionType) and asked.selection_set is not None:
        problems = "".join(
            f"... on {one.name} {{ {_everything(one, fragments)} }} " for one in kind.types if is_problem(one)
        )
        added = parse(f"{{ __typename {problems} }}", no_location=True).definitions[0]
        selections = (
            *cast(OperationDefinitionNode, added).selection_set.selections,
            *asked.selection_set.selections,
        )
        asked = FieldNode(
            alias=asked.alias,
            name=asked.name,
            arguments=asked.arguments,
            selection_set=SelectionSetNode(selections=selections),
        )
    plain = OperationDefinitionNode(
        operation=node.operation,
        name=node.name,
        variable_definitions=node.variable_definitions,
        selection_set=SelectionSetNode(selections=(asked,)),
    )
    spread = _spread(plain, fragments)
    document = DocumentNode(definitions=(plain, *(fragments[name] for name in spread)))
    return strip_ignored_characters(print_ast(visit(document, _WithoutOurs())))


class _WithoutOurs(Visitor):
    """Takes our directives out of a document."""

    def enter_directive(self, node: DirectiveNode, *_: Any) -> Any:
        return REMOVE if node.name.value in directives() else None


def _spread(node: Any, fragments: Mapping[str, FragmentDefinitionNode]) -> list[str]:
    """List the fragments that something spreads, and those that they spread."""
    found: list[str] = []

    class Spreads(Visitor):
        def enter_fragment_spread(self, spread: FragmentSpreadNode, *_: Any) -> None:
            if spread.name.value not in found:
                found.append(spread.name.value)
                visit(fragments[spread.name.value], self)

    visit(node, Spreads())
    return found


def _everything(kind: GraphQLObjectType, fragments: Mapping[str, FragmentDefinitionNode]) -> str:
    """Select all that a type says; a type that has a fragment of its name, by that."""
    chosen = []
    for name, declared in kind.fields.items():
        if any(is_required_argument(one) for one in declared.args.values()):
            continue
        inner = get_named_type(declared.type)
        if not is_composite_type(inner):
            chosen.append(name)
        elif inner.name in fragments:
            chosen.append(f"{name} {{ ...{inner.name} }}")
        elif isinstance(inner, GraphQLObjectType):
            chosen.append(f"{name} {{ {_everything(inner, fragments)} }}")
    return " ".join(chosen)
