"""Dice as data: what is to be rolled, before anything is.

Expression                      the whole text: a node and a comment
└── Node
    ├── Number                  3, 1.5
    ├── Variable                @muscle, a number that is known when it is rolled
    ├── Dice                    4d6r1!kh3, with all that is done to the dice
    ├── Group                   {2d6, d12}kh1
    ├── Unary, Binary, Call     arithmetic
    ├── Labelled                2d6[fire]
    ├── Versus                  6d10 vs 3d10: dice that reach the other side's highest
    ├── Net                     5d6 net 3d6: successes less the other side's
    ├── TargetCheck             3d6 total<=12: 1 where the total meets the target, else 0
    └── MechanicCall            forge_engine:opposed(6, 3)

What is done to dice has one order, however it was written: reroll, unique, raise and lower, explode, keep and
drop, count, sort. Every type is a value: equal when its parts are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

Value = int | Fraction
"""A number of a roll: whole wherever it can be."""


class Comparison(Enum):
    """How a compare point compares."""

    EQUAL = "="
    NOT_EQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    MORE = ">"
    AT_LEAST = ">="

    def holds(self, value: Value, against: Value) -> bool:
        """Whether a value, which need not be whole, compares so with another."""
        match self:
            case Comparison.EQUAL:
                return value == against
            case Comparison.NOT_EQUAL:
                return value != against
            case Comparison.LESS:
                return value < against
            case Comparison.AT_MOST:
                return value <= against
            case Comparison.MORE:
                return value > against
            case Comparison.AT_LEAST:
                return value >= against


@dataclass(frozen=True, slots=True)
class Compare:
    """A compare point: `>=5`, `<=@skill`.

    Attributes:
        comparison: How it compares.
        value: With which number; 1 while that is open, as of every variable.
        source: The numbers and variables that the number is computed from, while it is open.
    """

    comparison: Comparison
    value: int
    source: Node | None = None

    def holds(self, value: Value) -> bool:
        """Whether a value, which need not be whole, meets it."""
        return self.comparison.holds(value, self.value)


@dataclass(frozen=True, slots=True)
class Sides:
    """A die with the faces 1 to `count`; `count` may itself be rolled, as in d(1d6)."""

    count: int | Node

    def __post_init__(self) -> None:
        if isinstance(self.count, int) and self.count < 1:
            raise ValueError("a die has at least one side")


@dataclass(frozen=True, slots=True)
class Fate:
    """A die with two faces each of -1, 0 and 1; drawn as one of three."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a die of one's own.

    Attributes:
        label: What is on it.
        value: What it counts.
    """

    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Faces:
    """A die with faces of its own, drawn as an index into them.

    Attributes:
        faces: In order; the index of a face is what is drawn.
        name: What the notation calls the die; empty for one that is written out, `d[1,1,2]`.
    """

    faces: tuple[Face, ...]
    name: str = ""

    def __post_init__(self) -> None:
        if not self.faces:
            raise ValueError("a die has at least one side")


DieKind = Sides | Fate | Faces


class RerollKind(Enum):
    """How often a die is rolled again."""

    UNTIL = "r"
    ONCE = "ro"


@dataclass(frozen=True, slots=True)
class Reroll:
    """Rolls a die again when its face meets one of the points; the new face counts."""

    kind: RerollKind
    points: tuple[Compare, ...]


class ExplodeKind(Enum):
    """What a further die of an exploding one is."""

    NORMAL = "!"
    COMPOUND = "!!"
    PENETRATE = "!p"
    COMPOUND_PENETRATE = "!!p"
    ONCE = "!o"


@dataclass(frozen=True, slots=True)
class Explode:
    """Rolls a further die when a face meets the point.

    NORMAL adds dice of their own; COMPOUND adds to the same die; PENETRATE takes 1 from each further die;
    ONCE adds one die at most. Points look at the face, not at what was taken away.
    """

    kind: ExplodeKind
    point: Compare


class SelectKind(Enum):
    """Which dice, or members of a group, a selection is about."""

    KEEP_HIGHEST = "kh"
    KEEP_LOWEST = "kl"
    DROP_HIGHEST = "dh"
    DROP_LOWEST = "dl"
    KEEP_WHERE = "kw"
    DROP_WHERE = "dw"


@dataclass(frozen=True, slots=True)
class Select:
    """Keeps or drops some of those that the selections before it kept.

    Attributes:
        kind: Which.
        count: How many; with WHERE, unused and 0.
        point: Which values; only with WHERE.
    """

    kind: SelectKind
    count: int = 1
    point: Compare | None = None

    def __post_init__(self) -> None:
        where = self.kind in (SelectKind.KEEP_WHERE, SelectKind.DROP_WHERE)
        if where != (self.point is not None) or (where and self.count):
            raise ValueError("a selection has a number or a compare point")
        if not where and self.count < 0:
            raise ValueError("a selection's number is not negative")


class CountKind(Enum):
    """What a die that meets a point counts.

    SUCCESS, EVEN, ODD and FAILURES make each die count 1 or 0 in place of its value. DEDUCT makes those that
    meet it count -1, SUBTRACT their value below zero, both whatever else holds. MARGIN takes the point from
    the sum (or the sum from it, for < and <=).
    """

    SUCCESS = "cs"
    FAILURES = "cf"
    DEDUCT = "df"
    SUBTRACT = "sf"
    MARGIN = "ms"
    EVEN = "even"
    ODD = "odd"


@dataclass(frozen=True, slots=True)
class Count:
    """One rule of counting; `point` is None for EVEN and ODD alone."""

    kind: CountKind
    point: Compare | None = None

    def __post_init__(self) -> None:
        if (self.point is None) != (self.kind in (CountKind.EVEN, CountKind.ODD)):
            raise ValueError("a rule of counting has a compare point, even and odd have none")


class Sort(Enum):
    """In which order dice are shown."""

    ASCENDING = "sa"
    DESCENDING = "sd"


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of a kind, and what is done to them, in the order of the attributes.

    Attributes:
        count: How many; may itself be rolled, as in (1d4)d6.
        kind: Which die.
        reroll: Which faces are rolled again.
        unique: Whether dice that show what an earlier one shows are rolled again.
        lowest: Lower values count as this.
        highest: Higher values count as this.
        explode: Which faces bring further dice.
        select: Which dice are kept.
        counts: What each kept die counts; its value where there is no rule.
        sort: How the dice are shown.
    """

    count: int | Node
    kind: DieKind
    reroll: Reroll | None = None
    unique: bool = False
    lowest: int | None = None
    highest: int | None = None
    explode: Explode | None = None
    select: tuple[Select, ...] = ()
    counts: tuple[Count, ...] = ()
    sort: Sort | None = None

    def __post_init__(self) -> None:
        if isinstance(self.count, int) and self.count < 0:
            raise ValueError("the number of dice is not negative")

    @property
    def plain(self) -> bool:
        """Whether nothing is done to the dice: they are rolled and added up."""
        return not (
            self.select
            or self.counts
            or self.reroll is not None
            or self.explode is not None
            or self.unique
            or self.lowest is not None
            or self.highest is not None
            or self.sort is not None
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Members of which some are kept.

    With several members the rules look at each member's value. With a single one that adds up dice they look
    at all dice of it, so that {3d6+2d8}kh2 keeps the best two of five; the plain numbers that it adds or
    takes away are no dice and stay as they are.
    """

    members: tuple[Node, ...]
    select: tuple[Select, ...] = ()
    counts: tuple[Count, ...] = ()
    sort: Sort | None = None

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError("a group has at least one member")


@dataclass(frozen=True, slots=True)
class Number:
    """A plain number, not negative: the sign is arithmetic."""

    value: Value

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("a number is not negative: its sign is arithmetic")
        if isinstance(self.value, Fraction) and self.value.denominator == 1:
            raise ValueError("a whole number is an int")


@dataclass(frozen=True, slots=True)
class Variable:
    """A number that is known when it is rolled: @muscle."""

    name: str


class Operator(Enum):
    """Arithmetic between two nodes; division is exact, FLOOR_DIVIDE and MODULO round down."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    FLOOR_DIVIDE = "//"
    MODULO = "%"
    POWER = "**"


@dataclass(frozen=True, slots=True)
class Binary:
    """Two nodes and what is done with them."""

    operator: Operator
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Negative:
    """A node taken below zero."""

    operand: Node


class Function(Enum):
    """Functions; ROUND rounds halves up, MINIMUM and MAXIMUM take one argument or more."""

    FLOOR = "floor"
    CEIL = "ceil"
    ROUND = "round"
    ABSOLUTE = "abs"
    MINIMUM = "min"
    MAXIMUM = "max"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of nodes."""

    function: Function
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A node with a word about it: 2d6[fire]."""

    node: Node
    label: str


@dataclass(frozen=True, slots=True)
class Versus:
    """Opposed dice: how many kept dice of the action reach the highest kept die of the defence (ties reach).

    Each side is `Dice`, or several added; without dice against it every die of the action reaches.
    """

    action: Node
    defence: Node


@dataclass(frozen=True, slots=True)
class Net:
    """Successes less those of the other side; a side without rules of counting counts 5 and 6 of its d6."""

    ours: Node
    theirs: Node


@dataclass(frozen=True, slots=True)
class TargetCheck:
    """A total against a target number: 1 where it compares as asked, else 0.

    Attributes:
        total: What is compared.
        comparison: How.
        target: With what; it may be rolled too.
    """

    total: Node
    comparison: Comparison
    target: Node


@dataclass(frozen=True, slots=True)
class MechanicCall:
    """A game's own roll by name: forge_engine:opposed(6, 3)."""

    name: str
    arguments: tuple[Node, ...]


Arithmetic = Negative | Binary | Call
"""What is done with numbers."""

Node = Number | Variable | Dice | Group | Arithmetic | Labelled | Versus | Net | TargetCheck | MechanicCall
"""What can be rolled."""


@dataclass(frozen=True, slots=True)
class Expression:
    """What one text asks for.

    Attributes:
        node: What is rolled.
        comment: What stood behind `#`; empty for none.
    """

    node: Node
    comment: str = ""


def dice(count: int, sides: int, *select: Select) -> Dice:
    """`dice(4, 6, Select(SelectKind.KEEP_HIGHEST, 3))` is 4d6kh3."""
    return Dice(count, Sides(sides), select=select)
