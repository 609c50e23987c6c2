"""Rolls out of what is stored: an expression, what its words meant, and the faces give the whole roll again.

Plans are kept by their text, so that a roll asked for again, or read again, is not worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import orjson

from services.dice.rolls.requests import ExternalMessage
from services.dice.rolls.transcript import Transcript, TranscriptNode
from services.rules.dice.bind import bind, variables
from services.rules.dice.casting import cast
from services.rules.dice.effort import Effort, effort
from services.rules.dice.notation import Lexicon, check, parse, render
from services.rules.dice.pool import Dice, Expression, Face, Faces, Value
from services.rules.dice.result import NodeResult, RollResult
from services.rules.dice.roll import Plan, plan
from services.rules.dice.stream import ListStream
from services.rules.dice.walk import nodes
from services.rules.engine.registry import mechanics

if TYPE_CHECKING:
    from services.dice.rolls.models import RollRow

KEPT_PLANS = 4_096
"""Plans that are kept; the usual one takes one or two kilobytes."""

OwnDice = Mapping[str, tuple[Face, ...]]
"""Dice by the name that the notation uses, without its `d`."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An expression that can be rolled, and how it is stored.

    Attributes:
        plan: rolls it.
        expression: in dice notation, as it is stored.
        definitions: the named dice in it, as they are stored; None for none.
        effort: how much work it is to roll it.
    """

    plan: Plan
    expression: str
    definitions: str | None
    effort: Effort

    @classmethod
    def of(cls, expression: Expression) -> Ready:
        """Make an expression without variables ready."""
        known = mechanics()
        return cls(
            plan(expression, known),
            render(expression),
            definitions_of(expression),
            effort(expression.node, known),
        )


class Desk:
    """Makes texts ready to be rolled, and keeps what it made.

    Args:
        kept: plans that are kept.
    """

    def __init__(self, kept: int = KEPT_PLANS) -> None:
        self._read = lru_cache(kept)(_read)
        self._ready = lru_cache(kept)(self._make)

    def read(self, text: str, lexicon: Lexicon) -> tuple[Expression, tuple[str, ...]]:
        """Reads a text; returns the expression and the names of its variables.

        Raises:
            NotationError: it is not dice notation, or asks for too much.
        """
        return self._read(text, _Same(lexicon))

    def ready(self, text: str, lexicon: Lexicon, values: Mapping[str, Value]) -> Ready:
        """Make a text ready, its variables bound to values.

        Raises:
            NotationError: it is not dice notation, or asks for too much.
            UnknownVariableError: a variable has no value.
        """
        expression, names = self.read(text, lexicon)
        if not names:
            return self._ready(text, _Same(lexicon))
        bound = bind(expression, values)
        check(bound, lexicon.limits, text, lexicon.mechanics)
        return Ready.of(bound)

    def _make(self, text: str, key: _Same) -> Ready:
        return Ready.of(self._read(text, key)[0])


class Recorded:
    """A roll that is kept; what it came to is read out of what is stored when it is asked for.

    Attributes:
        row: as it is stored.
    """

    def __init__(self, row: RollRow, told: Transcript | None = None) -> None:
        self.row = row
        if told is not None:
            self.told = told

    @classmethod
    def of(cls, row: RollRow) -> Recorded:
        """Read a stored roll."""
        return cls(row)

    @cached_property
    def result(self) -> RollResult:
        """Evaluate the roll anew from its expression and its faces: every die of it."""
        row = self.row
        stored = stored_plan(row.expression, row.definitions)
        faces = orjson.loads(row.faces)
        if row.void is not None and not faces:
            return RollResult(stored.expression, NodeResult(stored.expression.node, 0), row.void)
        return cast(stored, lambda: ListStream(faces), mechanics())

    @cached_property
    def told(self) -> Transcript:
        """What is told of the roll."""
        return Transcript.of(self.result) if self.row.told is None else Transcript.read(self.row.told)

    @property
    def nodes(self) -> Sequence[TranscriptNode]:
        """The whole tree."""
        return self.told.nodes or Transcript.of(self.result, tree=True).nodes

    @property
    def external(self) -> ExternalMessage | None:
        """The message elsewhere by which it was asked for; None where there is none, or its author's account
        was deleted.
        """
        row = self.row
        if row.external_author is None or row.external_message is None:
            return None
        return ExternalMessage(row.external_author, row.external_message, row.external_platform)

    @property
    def secret(self) -> bool:
        """Whether only GMs may see it."""
        return self.row.seq is None

    @property
    def seq(self) -> int:
        """Its number at its place: among the open rolls, or the secret ones while it is one."""
        number = self.row.seq if self.row.seq is not None else self.row.secret_seq
        assert number is not None
        return number


@lru_cache(KEPT_PLANS)
def stored_plan(expression: str, definitions: str | None) -> Plan:
    """Make the plan of a stored expression."""
    lexicon = Lexicon(dice=read_definitions(definitions), mechanics=mechanics())
    return plan(parse(expression, lexicon), mechanics())


def definitions_of(expression: Expression) -> str | None:
    """Write down the named dice of an expression, in the order of their names; None for none."""
    named = {
        node.kind.name: [[face.label, face.value] for face in node.kind.faces]
        for node in nodes(expression.node)
        if isinstance(node, Dice) and isinstance(node.kind, Faces) and node.kind.name
    }
    return orjson.dumps(named, option=orjson.OPT_SORT_KEYS).decode() if named else None


def read_definitions(definitions: str | None) -> OwnDice:
    """Read such dice back."""
    if definitions is None:
        return {}
    return {
        name: tuple(Face(label, value) for label, value in faces)
        for name, faces in orjson.loads(definitions).items()
    }


class _Same:
    """A lexicon as a key: the very same object, not an equal one, for comparing them would take long."""

    __slots__ = ("lexicon",)

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.lexicon is self.lexicon

    def __hash__(self) -> int:
        return id(self.lexicon)


def _read(text: str, key: _Same) -> tuple[Expression, tuple[str, ...]]:
    expression = parse(text, key.lexicon)
    return expression, variables(expression) if "@" in text else ()
