"""All that a player decides about a hero."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.companions import Companion
from services.rules.systems.dungeonteller.rewards import Reward


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """Something bought, found or lost.

    Attributes:
        item: Content id of armour, a weapon, gear or a treasure.
        count: How many, from 1.
    """

    item: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBonus:
    """Bonus dice of a role of one's own.

    Attributes:
        action: The action whose dice grow.
        dice: How many, from 1.
        when: What they are for, in the table's words: "longbow", "climbing", "cooking".
    """

    action: Action
    dice: int
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRole:
    """A role made up by its player, mixed from those of the book (Making Up New Roles).

    Attributes:
        name: What it is called: "Forest Knight".
        ratings: Dice for each action.
        powers: Content ids of powers of any role.
        luck: Luck at the start, and normal maximum.
        bonuses: Bonus dice.
        armor: Content id of the armour it begins with.
        gm_leave: Whether the game master lets it go beyond the table's budget.
    """

    name: str
    ratings: Ratings
    powers: tuple[str, ...] = ()
    luck: int = 10
    bonuses: tuple[OwnBonus, ...] = ()
    armor: str | None = None
    gm_leave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroChoices:
    """Everything a player decides about a hero.

    Attributes:
        name: The hero's name.
        role: Content id of the role; empty for a role of one's own.
        look: What the hero looks like, in a few words.
        kit: Whether to take the role's starting kit; otherwise its price is gold to spend (ruling P17).
        buys: Things bought.
        worn: Armour to wear, by content id; None for the armour the role starts with, if it is still there.
        shield: Whether a shield is held.
        in_hand: Weapons and other things held, by content id.
        malicious: Whether the hero is malicious, as a few wizard powers ask.
        rewards: Gained after sessions, one each.
        found: Things that cost nothing: treasure, and what the game master gives.
        lost: Things used up, broken, sold or given away.
        gold_found: Gold gained since the start; negative when more was spent or lost than gained.
        wearing: Treasures worn beside armour, by content id.
        own_role: A role made up by the player, in the place of one of the book.
        companions: Who goes with the hero: a pet, minions, a familiar.
        luck: Luck that is left between scenes; None for all of it, as after any chance to rest. A maximum
            that falls cuts it.
    """

    name: str
    role: str
    look: str = ""
    kit: bool = True
    buys: tuple[Purchase, ...] = ()
    worn: str | None = None
    shield: bool = False
    in_hand: tuple[str, ...] = ()
    malicious: bool = False
    rewards: tuple[Reward, ...] = ()
    found: tuple[Purchase, ...] = ()
    lost: tuple[Purchase, ...] = ()
    gold_found: int = 0
    wearing: tuple[str, ...] = ()
    own_role: OwnRole | None = None
    companions: tuple[Companion, ...] = ()
    luck: int | None = None
