"""Combat: how many dice are rolled, what they do to each other, and how likely that is (Combat)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.resources import Exchange, Resource, exchange_odds
from services.rules.systems.dwarf_dice.settings import USUAL, DieFaces, ShrinkRay

CHOOSING_RULE = "Choosing Equipment"
Cards = Sequence[tuple[str, int]]
"""Revealed cards: name and value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engaged:
    """What decides how many dice are rolled.

    Attributes:
        attack: The attacker's cards.
        defence: The defender's cards.
        assault: Whether Furious Assault was used.
        attacker_shrinks: Whether the attacker has Shrink Ray.
        defender_shrinks: Whether the defender has it.
        shrink: Which dice Shrink Ray compares (P6).
        attack_more: What lasts on the attacker adds, once powers have answered the cards.
        defence_more: What lasts on the defender adds likewise.
    """

    attack: Cards
    defence: Cards
    assault: bool = False
    attacker_shrinks: bool = False
    defender_shrinks: bool = False
    shrink: ShrinkRay = ShrinkRay.REVEALED
    attack_more: tuple[Part, ...] = ()
    defence_more: tuple[Part, ...] = ()


class DiceNumbers(NamedTuple):
    """How many dice are rolled.

    Attributes:
        attack: By the attacker.
        defence: By the defender.
        battered: How many of the defender's dice Furious Assault took.
    """

    attack: int
    defence: int
    battered: int


def dice_numbers(
    attack: int,
    defence: int,
    *,
    assault_cards: int = 0,
    attacker_shrinks: bool = False,
    defender_shrinks: bool = False,
    shrink: ShrinkRay = ShrinkRay.REVEALED,
) -> DiceNumbers:
    """The dice of both sides when their cards come to so much (Furious Assault; Shrink Ray; P6).

    No power takes more dice than there are (ruling of the small systems).

    Args:
        attack: What the attacker's cards come to.
        defence: What the defender's cards come to.
        assault_cards: Cards of the attack, where Furious Assault is used.
        attacker_shrinks: Whether the attacker has Shrink Ray.
        defender_shrinks: Whether the defender has it.
        shrink: Which dice it compares.
    """
    left = max(0, defence - assault_cards)
    equal = attack == (defence if shrink is ShrinkRay.REVEALED else left)
    return DiceNumbers(
        max(0, attack - (equal and defender_shrinks)),
        max(0, left - (equal and attacker_shrinks)),
        defence - left,
    )


def combat_dice(engaged: Engaged) -> tuple[Explained, Explained]:
    """The dice of attacker and defender, with their reasons (ATTACK!; Furious Assault; Shrink Ray; P6)."""
    attack = Explained.of(*(Part(value, name, "ATTACK!") for name, value in engaged.attack))
    defence = Explained.of(*(Part(value, name, "ATTACK!") for name, value in engaged.defence))
    rolled = dice_numbers(
        attack.value,
        defence.value,
        assault_cards=len(engaged.attack) if engaged.assault else 0,
        attacker_shrinks=engaged.attacker_shrinks,
        defender_shrinks=engaged.defender_shrinks,
        shrink=engaged.shrink,
    )
    defence = _less(defence, rolled.battered, "Furious Assault")
    attack = _less(attack, attack.value - rolled.attack, "Shrink Ray")
    defence = _less(defence, defence.value - rolled.defence, "Shrink Ray")
    return _more(attack, engaged.attack_more), _more(defence, engaged.defence_more)


def _less(dice: Explained, fewer: int, power: str) -> Explained:
    return dice.plus(-fewer, power, power) if fewer else dice


def _more(dice: Explained, added: tuple[Part, ...]) -> Explained:
    if not added:
        return dice
    return Explained.of(*dice.parts, *added).at_least(0, "no fewer than none", "ATTACK!")


def choice_problems(
    values: Sequence[int], *, attacking: bool, most: int, needs_card: bool
) -> Iterator[RuleProblem]:
    """What is wrong with the values of chosen cards (Choosing Equipment; P5)."""
    total = sum(values)
    if total > most:
        text = f"The cards of one side come to {most} at most."
        yield RuleProblem("cards_too_many", text, CHOOSING_RULE, ("cards",), total, most)
    if attacking and needs_card and not values:
        text = "An attack needs at least one offensive card."
        yield RuleProblem("card_missing", text, "P5", ("cards",), 0, 1)


def hits(attack: Sequence[Resource], *, alchemy: bool = True) -> tuple[int, ...]:
    """The places of attacking dice that are laid out: Metal, and Alchemy unless it is set aside (ATTACK!)."""
    return tuple(place for place, it in enumerate(attack) if _counts(it, Resource.METAL, alchemy))


def guards(defence: Sequence[Resource], *, alchemy: bool = True) -> tuple[int, ...]:
    """The places of defending dice that can block: Alchemy first, unless it is set aside, then Wood."""
    found = [place for place, it in enumerate(defence) if _counts(it, Resource.WOOD, alchemy)]
    return tuple(sorted(found, key=lambda place: defence[place] is not Resource.ALCHEMY))


def _counts(shown: Resource, plain: Resource, alchemy: bool) -> bool:
    return shown is plain or (alchemy and shown is Resource.ALCHEMY)


@dataclass(frozen=True, slots=True)
class Blow:
    """What dice and blocks come to (ATTACK!; Crits and Counters).

    Attributes:
        crits: Damage to the defender at once: one for each attacking Alchemy.
        unblocked: Damage of attacking dice that nobody blocked.
        counters: Damage to the attacker: one for each Alchemy that blocks.
    """

    crits: int
    unblocked: int
    counters: int

    @property
    def to_defender(self) -> int:
        """All damage to the defender."""
        return self.crits + self.unblocked


def blow(
    attack: Sequence[Resource],
    defence: Sequence[Resource],
    blocking: Collection[int],
    *,
    crits: bool = True,
    counters: bool = True,
) -> Blow:
    """What dice come to when these defending dice block one attacking die each.

    Args:
        attack: The attacker's dice as they show.
        defence: The defender's.
        blocking: Places of defending dice that block; as many as there are hits at most.
        crits: Whether the attacker's Alchemy counts (Forge's Fury).
        counters: Whether the defender's Alchemy counts.
    """
    laid_out = hits(attack, alchemy=crits)
    return Blow(
        crits=sum(attack[place] is Resource.ALCHEMY for place in laid_out),
        unblocked=max(0, len(laid_out) - len(blocking)),
        counters=sum(defence[place] is Resource.ALCHEMY for place in blocking) if counters else 0,
    )


def best_blocks(
    attack: Sequence[Resource], defence: Sequence[Resource], *, crits: bool = True, counters: bool = True
) -> tuple[int, ...]:
    """As many blocks as can be, with Alchemy first (P9)."""
    return guards(defence, alchemy=counters)[: len(hits(attack, alchemy=crits))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat:
    """How likely a combat ends how, when the defender blocks all they can.

    Attributes:
        exchanges: How likely each damage is.
        hurting: How likely the defender loses at least 0, 1, 2 and more.
        countering: How likely the attacker does.
    """

    exchanges: Mapping[Exchange, Fraction]
    hurting: tuple[Fraction, ...]
    countering: tuple[Fraction, ...]

    def hurts(self, least: int = 1) -> Fraction:
        """How likely the defender loses at least so much."""
        return _at_least(self.hurting, least)

    def counters(self, least: int = 1) -> Fraction:
        """How likely the attacker loses at least so much."""
        return _at_least(self.countering, least)

    def mean(self) -> tuple[float, float]:
        """What defender and attacker lose on average."""
        return float(sum(self.hurting[1:])), float(sum(self.countering[1:]))


def _at_least(chances: tuple[Fraction, ...], least: int) -> Fraction:
    return chances[max(0, least)] if least < len(chances) else Fraction(0)


@lru_cache(maxsize=1 << 12)
def threat(
    attack: int,
    defence: int,
    faces: DieFaces = USUAL,
    *,
    crits: bool = True,
    counters: bool = True,
) -> Threat:
    """The exact odds of so many dice against so many (ATTACK!; Crits and Counters; Forge's Fury)."""
    exchanges = exchange_odds(attack, defence, faces.counts(), crits=crits, counters=counters)
    most = 2 * attack + 1
    hurting, countering = (
        tuple(
            sum((chance for it, chance in exchanges.items() if lost(it) >= least), Fraction(0))
            for least in range(most + 1)
        )
        for lost in (_to_defender, _to_attacker)
    )
    return Threat(exchanges=exchanges, hurting=hurting, countering=countering)


def _to_defender(it: Exchange) -> int:
    return it.defender_damage


def _to_attacker(it: Exchange) -> int:
    return it.attacker_damage
