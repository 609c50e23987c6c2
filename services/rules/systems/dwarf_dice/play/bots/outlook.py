"""How a game stands between two champions: the chance to win, when the other is to move.

The chance is a logistic function of a few numbers that matter: Endurance, what the cards of either could do
to the other now, what is left in hand beyond that, and powers. Its weights were fitted to the results of
games that bots played against each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from operator import mul
from typing import Any, NamedTuple

from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import dice_numbers, threat
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.effects import counts_as, has
from services.rules.systems.dwarf_dice.play.hands import best_total
from services.rules.systems.dwarf_dice.play.state import Fighter

REMEMBERED = 1 << 17
"""How many attacks are kept, so that the same is not worked out again."""

MOST_RIVALRIES = 1 << 14
"""How many rivalries are kept, with an outlook for each Endurance of both."""


class Traits(NamedTuple):
    """What of a champion's powers the outlook looks at.

    Attributes:
        shrinks: Whether they shrink equal dice.
        rebukes: Whether they have Fiery Rebuke.
        furies: Whether they have Forge's Fury left.
    """

    shrinks: bool
    rebukes: bool
    furies: bool


class Holding(NamedTuple):
    """What a player has. A tuple, since a strong bot makes and compares thousands of them for one move.

    Attributes:
        endurance: What is left of it.
        offence: Values of their offensive cards, in order.
        defence: Values of their defensive cards, in order.
        power: Whether the active power is left.
        traits: What their champion can do.
    """

    endurance: int
    offence: tuple[int, ...]
    defence: tuple[int, ...]
    power: bool
    traits: Traits

    @property
    def furious(self) -> bool:
        """Whether Forge's Fury may answer."""
        return self.power and self.traits.furies


def holding(fighter: Fighter, catalog: Catalog) -> Holding:
    """What a fighter has, as far as it is seen; every card that lies face down counts as nothing."""
    offence, defence = (values(fighter.hand, side, catalog) for side in Side)
    traits = Traits(
        shrinks=counts_as(fighter, "shrinks", catalog),
        rebukes=has(fighter, PowerEffect.FIERY_REBUKE),
        furies=has(fighter, PowerEffect.FORGES_FURY),
    )
    return Holding(fighter.endurance, offence, defence, fighter.power_left, traits)


def values(cards: tuple[str, ...], side: Side, catalog: Catalog) -> tuple[int, ...]:
    """The values of the cards that are for a side, in order."""
    armory = catalog.armory.entries
    return tuple(sorted(armory[card].value for card in cards if armory[card].side is side))


@dataclass(frozen=True, slots=True)
class Reach:
    """What an attack with the best cards of both would come to.

    Attributes:
        damage: What the defender loses on average.
        back: What the attacker loses on average.
        fells: How likely the defender is defeated.
    """

    damage: float
    back: float
    fells: float


@lru_cache(maxsize=REMEMBERED)
def reach(attack: int, defence: int, endurance: int) -> Reach:
    """An attack of so many dice against so many."""
    found = threat(attack, defence)
    damage, back = found.mean()
    return Reach(damage, back, float(found.hurts(endurance)))


@lru_cache(maxsize=REMEMBERED)
def _shrunk_reach(
    attack: int, defence: int, endurance: int, attacker_shrinks: bool, defender_shrinks: bool
) -> Reach:
    rolled = dice_numbers(
        attack, defence, attacker_shrinks=attacker_shrinks, defender_shrinks=defender_shrinks
    )
    return reach(rolled.attack, rolled.defence, endurance)


WEIGHTS: tuple[float, ...] = (
    -0.285,
    2.803,
    -2.869,
    -0.367,
    0.233,
    -0.013,
    -0.312,
    0.444,
    -0.523,
    -0.125,
    0.229,
    -0.070,
    0.111,
    0.673,
    -0.582,
    0.509,
    -0.408,
    0.305,
    -0.365,
    0.234,
    -0.146,
    0.239,
    -0.226,
    -0.062,
    0.148,
    -0.210,
    0.214,
)
"""What weighs how much: first what hangs on Endurance, then what cards and powers are worth (`Rivalry`)."""


class Rivalry:
    """Two players with what they have, whatever their Endurance: how likely one wins in the other's turn.

    Args:
        me: Who is to win.
        foe: Against whom.
        most: What the cards of one side may come to.
    """

    __slots__ = ("_found", "_of_cards", "_shrinks", "_totals")

    def __init__(self, me: Holding, foe: Holding, most: int) -> None:
        mine, theirs = best_total(me.offence, most), best_total(foe.offence, most)
        my_guard, their_guard = best_total(me.defence, most), best_total(foe.defence, most)
        self._totals = mine, theirs, my_guard, their_guard
        self._shrinks = me.traits.shrinks, foe.traits.shrinks
        of_cards = (
            mine / 6,
            theirs / 6,
            my_guard / 6,
            their_guard / 6,
            (sum(me.offence) - mine) / 6,
            (sum(foe.offence) - theirs) / 6,
            (sum(me.defence) - my_guard) / 6,
            (sum(foe.defence) - their_guard) / 6,
            float(me.power),
            float(foe.power),
            float(me.traits.rebukes),
            float(foe.traits.rebukes),
            float(me.traits.shrinks),
            float(foe.traits.shrinks),
        )
        self._of_cards = tuple(map(mul, WEIGHTS[-len(of_cards) :], of_cards))
        self._found: dict[tuple[int, int], float] = {}

    def outlook(self, mine: int, theirs: int) -> float:
        """How likely one wins with this Endurance of one's own and of the other, whose turn it is."""
        found = self._found.get((mine, theirs))
        if found is None:
            found = self._found[mine, theirs] = self._worked_out(mine, theirs)
        return found

    def _worked_out(self, mine: int, theirs: int) -> float:
        if mine <= 0:
            return 0.0
        if theirs <= 0:
            return 1.0
        strike, struck, bare, stripped = self._reaches(mine, theirs)
        of_endurance = (
            1.0,
            mine / 6,
            theirs / 6,
            1 / mine,
            1 / theirs,
            strike.damage / theirs,
            struck.damage / mine,
            strike.fells,
            struck.fells,
            strike.back,
            struck.back,
            bare.fells,
            stripped.fells,
        )
        weighed = sum(self._of_cards, sum(map(mul, WEIGHTS, of_endurance)))
        return 1 / (1 + exp(-weighed))

    def _reaches(self, mine: int, theirs: int) -> tuple[Reach, Reach, Reach, Reach]:
        """What attacks come to: one's own, the other's, and both where no card defends."""
        attack, their_attack, guard, their_guard = self._totals
        i_shrink, they_shrink = self._shrinks
        return (
            _shrunk_reach(attack, their_guard, theirs, i_shrink, they_shrink),
            _shrunk_reach(their_attack, guard, mine, they_shrink, i_shrink),
            reach(attack, 0, theirs),
            reach(their_attack, 0, mine),
        )


_RIVALRIES: dict[tuple[tuple[Any, ...], tuple[Any, ...], int], Rivalry] = {}


def rivalry(me: Holding, foe: Holding, most: int) -> Rivalry:
    """The rivalry of two players, which does not hang on their Endurance; remembered."""
    key = (me[1:], foe[1:], most)
    found = _RIVALRIES.get(key)
    if found is None:
        if len(_RIVALRIES) >= MOST_RIVALRIES:
            _RIVALRIES.clear()
        found = _RIVALRIES[key] = Rivalry(me, foe, most)
    return found


def outlook(me: Holding, foe: Holding, most: int) -> float:
    """How likely a player wins against another whose turn it is."""
    return rivalry(me, foe, most).outlook(me.endurance, foe.endurance)


def standing(me: Holding, foes: Iterable[Holding], most: int, *, my_turn: bool = False) -> float:
    """How a player stands against everybody else: the mean of the outlooks.

    Args:
        me: Whose chances.
        foes: Everybody else who stands or has just been hurt; who is at 0 or less counts no more.
        most: What the cards of one side may come to.
        my_turn: Whether it is their own turn next.
    """
    left = [foe for foe in foes if foe.endurance > 0]
    if not left:
        return 1.0
    if my_turn:
        return sum([1 - outlook(foe, me, most) for foe in left]) / len(left)
    return sum([outlook(me, foe, most) for foe in left]) / len(left)
