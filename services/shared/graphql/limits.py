"""How large a document may be, measured without ever walking a fragment twice.

Strawberry's own depth and alias limiters expand each fragment at each spread; 25 fragments that spread the
next one twice, 908 bytes in all, kept them busy for ten seconds. Here a fragment's measure is remembered, so
the work grows with the length of the document only.
"""

from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    OperationDefinitionNode,
    ValidationContext,
    ValidationRule,
)

CAP = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one operation may hold.

    Attributes:
        depth: fields nested in fields.
        aliases: renamed fields, in all.
        fields: fields, in all, fragments counted at each spread.
        directives: directives, in all.
        root_fields: fields of the operation itself.
        tokens: words of the document.
    """

    depth: int = 12
    aliases: int = 30
    fields: int = 500
    directives: int = 10
    root_fields: int = 20
    tokens: int = 2_000


@dataclass(frozen=True, slots=True)
class Measure:
    """The size of a selection."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    directives: int = 0

    def beside(self, other: "Measure") -> "Measure":
        """Add a selection at the same level."""
        return Measure(
            max(self.depth, other.depth),
            min(self.aliases + other.aliases, CAP),
            min(self.fields + other.fields, CAP),
            min(self.directives + other.directives, CAP),
        )


class Measurer:
    """Measures the selections of one document.

    Attributes:
        visits: selections looked at so far; never more than the document has.
    """

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, Measure] = {}
        self._open: set[str] = set()
        self.visits = 0

    def measure(self, node: Any) -> Measure:
        """Measure what a node selects."""
        total = Measure()
        for selection in node.selection_set.selections if node.selection_set else ():
            self.visits += 1
            directives = Measure(directives=len(selection.directives or ()))
            total = total.beside(directives).beside(self._selection(selection))
        return total

    def _selection(self, selection: Any) -> Measure:
        if isinstance(selection, FragmentSpreadNode):
            return self._fragment(selection.name.value)
        inner = self.measure(selection)
        if not isinstance(selection, FieldNode):
            return inner
        return Measure(
            inner.depth + 1, inner.aliases + bool(selection.alias), inner.fields + 1, inner.directives
        )

    def _fragment(self, name: str) -> Measure:
        # A cycle is another rule's business; here it must only not run for ever.
        if name in self._open or name not in self._fragments:
            return Measure()
        if name not in self._known:
            self._open.add(name)
            self._known[name] = self.measure(self._fragments[name])
            self._open.discard(name)
        return self._known[name]


def limits_rule(limits: Limits) -> type[ValidationRule]:
    """Make the validation rule that refuses operations beyond the limits as ``QUERY_TOO_COMPLEX``."""

    class LimitsRule(ValidationRule):
        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            measurer = Measurer(context.document)
            for node in context.document.definitions:
                if isinstance(node, OperationDefinitionNode):
                    self._check(node, measurer.measure(node))

        def _check(self, node: OperationDefinitionNode, found: Measure) -> None:
            for name, value, allowed in (
                ("depth", found.depth, limits.depth),
                ("aliases", found.aliases, limits.aliases),
                ("fields", found.fields, limits.fields),
                ("directives", found.directives, limits.directives),
                ("root fields", len(node.selection_set.selections), limits.root_fields),
            ):
                if value > allowed:
                    self.report_error(
                        GraphQLError(
                            f"The operation's {name} ({value}) exceed the limit of {allowed}.",
                            extensions={"code": "QUERY_TOO_COMPLEX"},
                        )
                    )

    return LimitsRule
