"""Operations as they were sent: parsed, measured and validated once, then known by their text.

Two traps of Strawberry's own ParserCache and ValidationCache are why these are not used: the nodes of
graphql-core 3.3 are plain frozen dataclasses, so that each look-up in ValidationCache hashes the whole
document anew; and both count documents, though one of 2,000 tokens takes most of a megabyte, so that
a thousand of them would not fit. Here the key is the text, and the budget is characters.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    StringValueNode,
    parse,
    specified_rules,
    validate,
)
from graphql.validation import MaxIntrospectionDepthRule
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule
from strawberry.types.graphql import OperationType

from services.shared.graphql.errors import MAX_ERRORS, NUL_REFUSED, coded, unexpected
from services.shared.graphql.limits import Limits, excesses
from services.shared.graphql.lists import ListArgument, list_arguments

# A character of a document takes about 100 to 150 bytes once it is parsed: 22 MB at the very most.
REMEMBERED_CHARACTERS = 150_000


class NoNulRule(ASTValidationRule):
    """Refuses texts with the character NUL, which PostgreSQL cannot keep."""

    def enter_string_value(self, node: StringValueNode, *_: Any) -> None:
        """Look at a text."""
        if "\0" in node.value:
            self.report_error(GraphQLError(NUL_REFUSED, node, extensions={"code": "BAD_USER_INPUT"}))


@dataclass(frozen=True, slots=True)
class Document:
    """What was made of a text.

    Attributes:
        node: the parsed document; None when it is no GraphQL.
        operations: the kind of each operation by its name, in order; an anonymous one has the name None.
        errors: why it cannot be executed; empty when it can.
        roots: the fields that each operation begins with, by its name.
        lists: its arguments that may hold lists.
    """

    node: DocumentNode | None
    operations: tuple[tuple[str | None, OperationType], ...]
    errors: tuple[GraphQLError, ...] = ()
    roots: Mapping[str | None, tuple[str, ...]] = field(default_factory=dict)
    lists: tuple[ListArgument, ...] = ()

    def root_fields(self, name: str | None) -> tuple[str, ...]:
        """Return what the operation of that name, or the only one, begins with; empty without one."""
        if name is None and len(self.roots) == 1:
            return next(iter(self.roots.values()))
        return self.roots.get(name, ())

    def kind(self, name: str | None) -> OperationType | None:
        """Give the kind of the operation of that name, or of the first one without a name."""
        for known, kind in self.operations:
            if name is None or known == name:
                return kind
        return None


class Documents:
    """Prepares the documents that are sent to one schema.

    Only valid documents are remembered, so that nonsense cannot push them out.

    Args:
        schema: that they are written for.
        limits: how large they may be.
        introspection: whether they may ask for the schema.
        characters: how much text to remember; 0 remembers nothing.

    Attributes:
        parsed: how many texts were parsed so far.
        validated: how many documents were validated so far.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        limits: Limits,
        *,
        introspection: bool = True,
        characters: int = REMEMBERED_CHARACTERS,
    ) -> None:
        self._schema = schema
        self._limits = limits
        self._budget = characters
        self._known: OrderedDict[str, Document] = OrderedDict()
        self._length = 0
        self._ahead: tuple[str, Document] | None = None
        rules: Sequence[type[ASTValidationRule]] = (
            *specified_rules,
            MaxIntrospectionDepthRule,
            MaybeNullValidationRule,
            OneOfInputValidationRule,
            NoNulRule,
        )
        self._rules = rules if introspection else (*rules, NoSchemaIntrospectionCustomRule)
        self.parsed = 0
        self.validated = 0

    def prepare(self, text: str) -> Document:
        """Give a text's document, from memory if it was seen before."""
        found = self._known.get(text)
        if found is not None:
            self._known.move_to_end(text)
            return found
        made = self._take(text) or self._make(text)
        if not made.errors:
            self._remember(text, made)
        return made

    def peek(self, text: str) -> Document:
        """Prepare a document ahead of its execution, which then takes it without making it anew."""
        made = self.prepare(text)
        self._ahead = (text, made)
        return made

    def _take(self, text: str) -> Document | None:
        ahead, self._ahead = self._ahead, None
        return ahead[1] if ahead is not None and ahead[0] is text else None

    def _remember(self, text: str, document: Document) -> None:
        if len(text) > self._budget:
            return
        self._known[text] = document
        self._length += len(text)
        while self._length > self._budget:
            forgotten, _ = self._known.popitem(last=False)
            self._length -= len(forgotten)

    def _make(self, text: str) -> Document:
        self.parsed += 1
        try:
            node = parse(text, max_tokens=self._limits.tokens)
        except GraphQLError as error:
            code = "QUERY_TOO_COMPLEX" if "Parsing aborted" in error.message else "GRAPHQL_PARSE_FAILED"
            return Document(None, (), (coded(error, code),))
        operations = tuple((_name(one), OperationType(one.operation.value)) for one in _operations(node))
        # Measured first: validating what is too large is the very work that the limits are to save.
        if too_large := excesses(node, self._limits):
            return Document(node, operations, tuple(too_large))
        self.validated += 1
        # Strawberry's own switch hides the suggestions for fields only, not for arguments, enums and types.
        found = validate(self._schema, node, self._rules, max_errors=MAX_ERRORS, hide_suggestions=True)
        if found:
            return Document(node, operations, tuple(_readable(error) for error in found[:MAX_ERRORS]))
        roots = {_name(one): root_fields(one, node) for one in _operations(node)}
        return Document(node, operations, (), roots, list_arguments(self._schema, node))


def _operations(node: DocumentNode) -> list[OperationDefinitionNode]:
    return [one for one in node.definitions if isinstance(one, OperationDefinitionNode)]


def _name(node: OperationDefinitionNode) -> str | None:
    return node.name.value if node.name else None


def root_fields(operation: OperationDefinitionNode, document: DocumentNode) -> tuple[str, ...]:
    """Return the names of the fields that an operation begins with, those of its fragments among them."""
    fragments = {
        one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
    }
    names: dict[str, None] = {}
    waiting: list[Any] = [operation]
    while waiting:
        for selection in waiting.pop().selection_set.selections:
            match selection:
                case FieldNode():
                    names[selection.name.value] = None
                case FragmentSpreadNode():
                    fragment = fragments.pop(selection.name.value, None)
                    waiting += [fragment] if fragment is not None else []
                case _:
                    waiting.append(selection)
    return tuple(names)


def _readable(error: GraphQLError) -> GraphQLError:
    """Give a validation error its code, and words where a value made Python itself stumble: 5,000 digits."""
    if unexpected(error) is not None:
        error = GraphQLError("A value cannot be read.", error.nodes)
    return coded(error, "GRAPHQL_VALIDATION_FAILED")
