"""What a table adds to a game: packs of content of its own, and its house rules.

A pack is a frozen dataclass of lists, which a codec reads. `check` looks at it beside the content it is to be
added to: what breaks a rule is named, all at once; what only differs from the book's own formulas, or is
worth a thought, is reported and breaks nothing. `extend` returns the content with the pack in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from services.rules.engine.codec import Codec
from services.rules.engine.content import Content
from services.rules.engine.problem import Finding, KeyPath, Problems

PackT = TypeVar("PackT")
ContentT = TypeVar("ContentT", bound=Content)


class FindingKind(Enum):
    """How a pack strays without breaking a rule.

    Attributes:
        DIFFERENCE: A figure differs from what the book's formula computes.
        ADVICE: The book warns of this.
    """

    DIFFERENCE = "difference"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFinding:
    """Something to know about a pack, which breaks no rule.

    Attributes:
        kind: Difference or advice.
        code: Stable name for programs: `spell_expend_differs`.
        message: One plain sentence for people.
        rule: Book section or ruling id.
        path: Where in the pack.
        stated: What the pack says.
        computed: What the book's formula computes; None for advice.
        working: How it is computed, in plain words; empty for advice.
    """

    kind: FindingKind
    code: str
    message: str
    rule: str
    path: KeyPath
    stated: Finding = None
    computed: Finding = None
    working: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackReport:
    """What there is to say about a pack that breaks no rule.

    Attributes:
        adds: Content ids of what it adds, in the order of the pack.
        findings: Differences and advice.
    """

    adds: tuple[str, ...]
    findings: tuple[PackFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackKind(Generic[PackT, ContentT]):
    """The packs of a system.

    Attributes:
        codec: Reads and writes a pack; its `type` is the pack's dataclass.
        check: Everything that is wrong with a pack beside some content, or a report. Pure.
        extend: The content with a pack in it. The pack has been checked beside this very content.
        examples: Named packs that pass the check beside the game's own content, to begin from.
    """

    codec: Codec[PackT]
    check: Callable[[PackT, ContentT], PackReport | Problems]
    extend: Callable[[ContentT, PackT], ContentT]
    examples: Mapping[str, PackT] = field(default_factory=dict)

    @property
    def type(self) -> type[PackT]:
        """Frozen dataclass of a pack."""
        return self.codec.type
