"""What words mean where a text is read: the dialect, the table's own dice, the games' rolls, the limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from services.rules.dice.mechanic import Mechanic
from services.rules.dice.pool import Face


class Dialect(Enum):
    """Whose words a text is written in; they differ in the rules behind dice and groups alone.

    Attributes:
        HEARTHFORGE: Our own.
        D20: Of the Python library d20, as Avrae writes it.
        FOUNDRY: Of Foundry Virtual Tabletop.
        ROLL20: Of Roll20.
    """

    HEARTHFORGE = "hearthforge"
    D20 = "d20"
    FOUNDRY = "foundry"
    ROLL20 = "roll20"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one text may ask for; checked before anything is rolled.

    Attributes:
        text: Signs of the text, and of the text that the expression is rendered as.
        nodes: Numbers, dice, operators, and whatever else the expression is made of.
        dice: Dice of all terms together; where their number is rolled itself, the most it can be.
        sides: Sides of a die.
        number: Size of a number that is written out, and of the value of a face.
        depth: How deep brackets may be nested, and nodes; a chain of sums or products is one level.
        draws: How often dice are expected to be drawn, with rerolls, explosions and unique dice.
        magnitude: Size of every value on the way to the total; an exploding die counts as 100 dice.
    """

    text: int = 500
    nodes: int = 200
    dice: int = 1_000
    sides: int = 1_000_000
    number: int = 1_000_000
    depth: int = 32
    draws: int = 20_000
    magnitude: int = 2_147_483_647


LIMITS = Limits()

RESERVED = frozenset(
    "floor ceil round abs min max lucky unlucky net even odd".split()  # noqa: SIM905
)
"""Words of the grammar that are long enough for the name of a die."""

_DIE_NAME = re.compile(r"[a-z][a-z_]{2,39}")
# `dfkh` is a Fate die of which the highest is kept: the rules that need no number behind them.
_FATE_WITH_RULES = re.compile(
    r"f(?:rr?o?|u|xx?[po]?|k[hl]?|d[hlf]?|c[sf]|f|s[adf]?|mt?|even|odd)+",
)


def is_die_name(name: str) -> bool:
    """Whether a die may be called so: 3 to 40 small letters and `_`, and no word of the grammar."""
    return (
        _DIE_NAME.fullmatch(name) is not None
        and name not in RESERVED
        and _FATE_WITH_RULES.fullmatch(name) is None
    )


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What words mean.

    Attributes:
        dialect: Whose words for rules behind dice.
        dice: Dice with faces of their own by name: `boon` is written `3dboon`.
        mechanics: The games' own rolls by name: `forge_engine:opposed`.
        limits: How much a text may ask for.
    """

    dialect: Dialect = Dialect.HEARTHFORGE
    dice: Mapping[str, tuple[Face, ...]] = field(default_factory=lambda: _NO_DICE)
    mechanics: Mapping[str, Mechanic] = field(default_factory=lambda: _NO_MECHANICS)
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        for name, faces in self.dice.items():
            if not faces or _DIE_NAME.fullmatch(name) is None:
                raise ValueError(f"{name!r} is no name of a die, or the die has no faces")


_NO_DICE: Mapping[str, tuple[Face, ...]] = MappingProxyType({})
_NO_MECHANICS: Mapping[str, Mechanic] = MappingProxyType({})

PLAIN = Lexicon()
"""Our own notation, without dice or rolls of anybody's own."""
