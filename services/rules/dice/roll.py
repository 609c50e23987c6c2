"""A pool and a stream make a result in which every number says where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.dice.notation import render_term
from services.rules.dice.pool import Constant, DiceTerm, Keep, KeepEnd, Pool, Sign, SignedTerm
from services.rules.dice.stream import FaceStream


@dataclass(frozen=True, slots=True)
class Die:
    """One rolled die; a die that is not kept counts nothing."""

    sides: int
    face: int
    kept: bool


@dataclass(frozen=True, slots=True)
class TermResult:
    """What one term came to.

    Attributes:
        term: The term and its sign.
        dice: Its dice in the order drawn; empty for a constant.
        subtotal: What it adds to the total, sign included.
    """

    term: SignedTerm
    dice: tuple[Die, ...]
    subtotal: int


@dataclass(frozen=True, slots=True)
class RollResult:
    """What a pool came to: the total is the sum of the subtotals."""

    pool: Pool
    terms: tuple[TermResult, ...]
    total: int

    @property
    def faces(self) -> tuple[int, ...]:
        """Every face in the order drawn: what a `ListStream` needs to give the same result again."""
        return tuple(die.face for term in self.terms for die in term.dice)

    def text(self) -> str:
        """The whole sum in one line, dropped dice struck out: `2d20kh1 (~~4~~, 17) + 3 = 20`."""
        text = ""
        for index, result in enumerate(self.terms):
            if index:
                text += " + " if result.term.sign is Sign.PLUS else " - "
            elif result.term.sign is Sign.MINUS:
                text += "-"
            text += _term_text(result)
        return f"{text} = {self.total}"


def roll(pool: Pool, stream: FaceStream) -> RollResult:
    """Rolls a pool, dice left to right.

    Raises:
        StreamError: The stream has too few faces, or a wrong one.
    """
    results = tuple(_roll_term(item, stream) for item in pool.terms)
    return RollResult(pool, results, sum(result.subtotal for result in results))


def _roll_term(item: SignedTerm, stream: FaceStream) -> TermResult:
    match item.term:
        case Constant(value):
            return TermResult(item, (), item.sign.value * value)
        case DiceTerm(count, sides, keep):
            faces = tuple(stream.draw(sides) for _ in range(count))
            kept = _kept_places(faces, keep)
            dice = tuple(Die(sides, face, place in kept) for place, face in enumerate(faces))
            return TermResult(item, dice, item.sign.value * sum(die.face for die in dice if die.kept))


def _kept_places(faces: tuple[int, ...], keep: Keep | None) -> frozenset[int]:
    places = range(len(faces))
    if keep is None:
        return frozenset(places)
    # Sorting keeps equal faces in the order drawn, so the earlier of two equal dice is the one kept.
    highest = keep.end is KeepEnd.HIGHEST
    ranked = sorted(places, key=lambda place: -faces[place] if highest else faces[place])
    return frozenset(ranked[: keep.count])


def _term_text(result: TermResult) -> str:
    text = render_term(result.term.term)
    if not result.dice:
        return text
    shown = ", ".join(str(die.face) if die.kept else f"~~{die.face}~~" for die in result.dice)
    return f"{text} ({shown})"
