"""How large a document may be, measured without ever walking a fragment twice.

Strawberry's own depth and alias limiters expand each fragment at each spread; 25 fragments that spread the
next one twice, 908 bytes in all, kept them busy for ten seconds. Here a fragment's measure is remembered, so
the work grows with the length of the document only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from graphql import (
    DocumentNode,
    ExecutableDefinitionNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    Node,
    OperationDefinitionNode,
)

CAP = 1_000_000
# What lies below is bounded by graphql-core's MaxIntrospectionDepthRule; the query that every tool sends to
# learn a schema is 15 deep.
INTROSPECTION = frozenset({"__schema", "__type"})


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one operation may hold.

    Attributes:
        depth: fields nested in fields; the schema's own description does not count.
        aliases: renamed fields, in all.
        fields: fields, in all, fragments counted at each spread.
        directives: directives, in all.
        root_fields: fields of the operation itself, those of its fragments among them.
        tokens: words of the document.
        spreads: fragment spreads of the document, as they are written; and fragments.
    """

    depth: int = 12
    aliases: int = 30
    fields: int = 500
    directives: int = 10
    root_fields: int = 20
    tokens: int = 2_000
    spreads: int = 50


@dataclass(frozen=True, slots=True)
class Measure:
    """The size of a selection.

    Attributes:
        depth: fields nested in fields.
        aliases: renamed fields.
        fields: fields at all levels.
        directives: directives at all levels.
        width: fields at the uppermost level.
    """

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    directives: int = 0
    width: int = 0

    def beside(self, other: "Measure") -> "Measure":
        """Add a selection at the same level."""
        return Measure(
            max(self.depth, other.depth),
            min(self.aliases + other.aliases, CAP),
            min(self.fields + other.fields, CAP),
            min(self.directives + other.directives, CAP),
            min(self.width + other.width, CAP),
        )

    def under(self, field: FieldNode) -> "Measure":
        """Put the selection under a field."""
        depth = 0 if field.name.value in INTROSPECTION else self.depth
        return replace(
            self, depth=depth + 1, aliases=self.aliases + bool(field.alias), fields=self.fields + 1, width=1
        )


class Measurer:
    """Measures the selections of one document.

    Attributes:
        visits: selections looked at so far; never more than the document has.
        spreads: fragment spreads among them.
    """

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, Measure] = {}
        self._open: set[str] = set()
        self.visits = 0
        self.spreads = 0

    def measure(self, node: Any) -> Measure:
        """Measure what a node selects, and the directives of the node itself."""
        total = Measure(directives=len(node.directives or ()))
        for selection in node.selection_set.selections if node.selection_set else ():
            self.visits += 1
            total = total.beside(self._selection(selection))
        return total

    def _selection(self, selection: Any) -> Measure:
        if isinstance(selection, FragmentSpreadNode):
            self.spreads += 1
            spread = Measure(directives=len(selection.directives or ()))
            return spread.beside(self.fragment(selection.name.value))
        inner = self.measure(selection)
        return inner.under(selection) if isinstance(selection, FieldNode) else inner

    def unspread(self) -> list[FragmentDefinitionNode]:
        """Give the fragments that nothing measured so far has spread."""
        return [node for name, node in self._fragments.items() if name not in self._known]

    def fragment(self, name: str) -> Measure:
        """Measure a fragment, once."""
        # A cycle is another rule's business; here it must only not run for ever.
        if name in self._open or name not in self._fragments:
            return Measure()
        if name not in self._known:
            self._open.add(name)
            self._known[name] = self.measure(self._fragments[name])
            self._open.discard(name)
        return self._known[name]


def excesses(document: DocumentNode, limits: Limits) -> list[GraphQLError]:
    """Say which limits a document exceeds, each error with the code ``QUERY_TOO_COMPLEX``.

    Fragments that no operation spreads are measured too: validation reads them like all others.
    """
    measurer = Measurer(document)
    errors: list[GraphQLError] = []
    # Validation holds each fragment beside each other one, whether it is spread or not.
    if (fragments := len(measurer.unspread())) > limits.spreads:
        errors.append(_excess("The document's fragments", fragments, limits.spreads, document))
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            errors += _excesses(node, measurer.measure(node), limits)
    for node in measurer.unspread():
        errors += _excesses(node, measurer.fragment(node.name.value), limits)
    if measurer.spreads > limits.spreads:
        errors.append(_excess("The document's fragment spreads", measurer.spreads, limits.spreads, document))
    return errors


def _excesses(node: ExecutableDefinitionNode, found: Measure, limits: Limits) -> Iterator[GraphQLError]:
    for name, value, allowed in (
        ("depth", found.depth, limits.depth),
        ("aliases", found.aliases, limits.aliases),
        ("fields", found.fields, limits.fields),
        ("directives", found.directives, limits.directives),
        ("root fields", found.width if isinstance(node, OperationDefinitionNode) else 0, limits.root_fields),
    ):
        if value > allowed:
            yield _excess(f"The operation's {name}", value, allowed, node)


def _excess(what: str, found: int, allowed: int, node: Node) -> GraphQLError:
    message = f"{what} ({found}) exceed the limit of {allowed}."
    return GraphQLError(message, node, extensions={"code": "QUERY_TOO_COMPLEX", "allowed": allowed})
