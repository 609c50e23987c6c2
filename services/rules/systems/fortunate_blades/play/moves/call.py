"""Answers: what the game master calls for."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine import plain
from services.rules.systems.fortunate_blades.play.moves.values import Luck, Numbered
from services.rules.systems.fortunate_blades.terms import EffectLevel, Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Numbered):
    """Call for a roll.

    Attributes:
        risk: The risk that is run.
        shown: Whether players may see the numbers.
        luck: What the roll is deemed to be.
        level: The Effect that it has if it succeeds; None for that of what is used.
        bargain: A Devil's Bargain: what more happens on a Close or a Miss, for a roll one set easier; empty
            for none.
        event: The event that the roll is about, where Fortune was prepared for it.
        topic: What it is about, where the renown of the party counts.
    """

    risk: str = ""
    shown: bool = True
    luck: Luck = Luck.NORMAL
    level: EffectLevel | None = None
    bargain: str = ""
    event: str | None = None
    topic: Topic | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRisk(plain.Move):
    """Call for no roll: it just happens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impossible(plain.Move):
    """Call for no roll: it cannot be done, and the action is not lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HardBargain(plain.Move):
    """Offer it without a roll, for something painful.

    Attributes:
        price: What it takes.
    """

    price: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agree(plain.Move):
    """Whether one agrees: to a Hard Bargain, to the outcomes of a conflict, to the price of a Lucky Break.

    Attributes:
        yes: Whether one does.
    """

    yes: bool
