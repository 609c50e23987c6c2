"""Rolls out of what is stored: an expression, what its words meant, and the faces give the whole roll again.

Plans are kept by their text, so that a roll asked for again, or read again, is not worked out anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import orjson

from services.dice.models import RollRow
from services.rules.dice.bind import bind, variables
from services.rules.dice.notation import Lexicon, check, parse, render
from services.rules.dice.pool import Dice, Expression, Face, Faces, Value
from services.rules.dice.result import RollResult
from services.rules.dice.roll import Plan, plan
from services.rules.dice.stream import ListStream
from services.rules.dice.walk import nodes
from services.rules.engine.registry import mechanics

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
    """

    plan: Plan
    expression: str
    definitions: str | None

    @classmethod
    def of(cls, expression: Expression) -> Ready:
        """Make an expression without variables ready."""
        return cls(plan(expression, mechanics()), render(expression), definitions_of(expression))


class Desk:
    """Makes texts ready to be rolled, and keeps what it made.

    Args:
        kept: plans that are kept.
    """

    def __init__(self, kept: int = KEPT_PLANS) -> None:
        self._read = lru_cache(kept)(_read)
        self._ready = lru_cache(kept)(self._make)

    def read(self, text: str, lexicon: Lexicon) -> tuple[Expression, tuple[str, ...]]:
        """Read a text; give the expression and the names of its variables.

        Raises:
            NotationError: it is no dice notation, or asks for too much.
        """
        return self._read(text, _Same(lexicon))

    def ready(self, text: str, lexicon: Lexicon, values: Mapping[str, Value]) -> Ready:
        """Make a text ready, its variables bound to values.

        Raises:
            NotationError: it is no dice notation, or asks for too much.
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


@dataclass(frozen=True, slots=True)
class Recorded:
    """A roll that is kept.

    Attributes:
        row: as it is stored.
        result: every die of it.
    """

    row: RollRow
    result: RollResult

    @classmethod
    def of(cls, row: RollRow) -> Recorded:
        """Read a stored roll out of its expression and its faces."""
        stored = stored_plan(row.expression, row.definitions)
        return cls(row, stored.roll(ListStream(orjson.loads(row.faces))))

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
