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
from typing import NamedTuple

from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.combat import dice_numbers, threat
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.effects import counts_as, has
from services.rules.systems.dwarf_dice.play.hands import best_total
from services.rules.systems.dwarf_dice.play.state import Fighter

REMEMBERED = 1 << 17
"""How many outlooks are kept, so that the same is not worked out again."""


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


def features(me: Holding, foe: Holding, most: int) -> tuple[float, ...]:
    """The numbers that the outlook is made of."""
    mine, theirs = best_total(me.offence, most), best_total(foe.offence, most)
    my_guard, their_guard = best_total(me.defence, most), best_total(foe.defence, most)
    strike = _reach(me, foe, mine, their_guard)
    struck = _reach(foe, me, theirs, my_guard)
    bare, stripped = reach(mine, 0, foe.endurance), reach(theirs, 0, me.endurance)
    return (
        1.0,
        me.endurance / 6,
        foe.endurance / 6,
        1 / me.endurance,
        1 / foe.endurance,
        strike.damage / foe.endurance,
        struck.damage / me.endurance,
        strike.fells,
        struck.fells,
        strike.back,
        struck.back,
        bare.fells,
        stripped.fells,
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


def _reach(attacker: Holding, defender: Holding, attack: int, defence: int) -> Reach:
    shrinks = attacker.traits.shrinks, defender.traits.shrinks
    return _shrunk_reach(attack, defence, defender.endurance, *shrinks)


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
"""What each of the `features` weighs, in their order."""


@lru_cache(maxsize=REMEMBERED)
def outlook(me: Holding, foe: Holding, most: int) -> float:
    """How likely a player wins against another whose turn it is."""
    if me.endurance <= 0:
        return 0.0
    if foe.endurance <= 0:
        return 1.0
    weighed = sum(map(mul, WEIGHTS, features(me, foe, most)))
    return 1 / (1 + exp(-weighed))


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
