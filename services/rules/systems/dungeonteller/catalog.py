"""The game's content as frozen data: what the TOML files in `content` hold, and how it is found.

Numbers and names are the book's; every sentence is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

from services.rules.engine.content import Shelf, load_settings, load_shelf, slug_of
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.bestiary import Monster
from services.rules.systems.dungeonteller.bonuses import Bonus, Sight, Situation
from services.rules.systems.dungeonteller.outfit import magic_armor
from services.rules.systems.dungeonteller.powers import Power
from services.rules.systems.dungeonteller.things import (
    Armor,
    Gear,
    Item,
    Treasure,
    TreasureKind,
    Weapon,
    WorldObject,
    price_of,
)

__all__ = [
    "SLUG",
    "Armor",
    "Bonus",
    "Casting",
    "Catalog",
    "Gear",
    "Kit",
    "KitItem",
    "Monster",
    "Named",
    "OwnRoleBudget",
    "Role",
    "Sight",
    "Situation",
    "TableSettings",
    "Treasure",
    "Weapon",
    "Words",
    "WorldObject",
    "called",
    "load_catalog",
    "own_catalog",
    "plain",
    "price_of",
]

SLUG = "dungeonteller"


class Named(Protocol):
    """Content that has a name."""

    @property
    def name(self) -> str:
        """The name people use."""


NamedT = TypeVar("NamedT", bound=Named)


class Casting(Enum):
    """What a role may do with its Magic dice (Actions / Magic).

    Attributes:
        SPELLS: They cast spells, and read scrolls.
        SCROLLS: They read scrolls only.
        NOTHING: They do no magic.
    """

    SPELLS = "spells"
    SCROLLS = "scrolls"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role of the book, or one made up the same way (Roles; Making Up New Roles).

    Attributes:
        id: Content id.
        name: The word for people.
        summary: What heroes of the role are like, in plain words.
        luck: Luck at the start, and normal maximum.
        ratings: Dice for each action.
        casting: What it may do with Magic dice.
        powers: Powers at the start; the powers for everyone come on top.
        extra_powers: Powers the role may gain as a reward.
        bonuses: Dice that come on top when something holds.
        notes: Gifts that are not dice, in plain words.
        armor: The armour the role begins with.
        sight: How the role sees without light; None for the table's general rule.
        steady: Actions that lose no dice in a double-move.
    """

    id: str
    name: str
    summary: str
    luck: int
    ratings: Ratings
    casting: Casting
    powers: tuple[str, ...]
    extra_powers: tuple[str, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    notes: tuple[str, ...] = ()
    armor: str | None = None
    sight: Sight | None = None
    steady: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KitItem:
    """One line of a starting kit.

    Attributes:
        item: Content id of the thing.
        count: How many of it.
    """

    item: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a role starts with beside its armour (ruling P17: the book prints none).

    Attributes:
        id: Content id.
        name: The word for people.
        role: Content id of the role that starts with it.
        items: What is in it.
    """

    id: str
    name: str
    role: str
    items: tuple[KitItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRoleBudget:
    """What a role of one's own may have without the game master's leave (Making Up New Roles).

    Points follow the book's own exchange, the rewards: one die, one power, one Luck above the usual or two
    bonus dice are one point each. Each default is the most that any of the seven printed roles has.

    Attributes:
        points: All in all.
        rating: Dice of one action.
        powers: Powers at the start.
        bonus_dice: Bonus dice of all specialities together.
        armor: Value of the armour it begins with.
        least_luck: Smallest Luck.
        usual_luck: Luck that costs no points.
        most_luck: Largest Luck.
        kit_gold: Gold to shop with in the place of a kit (P17).
    """

    points: int
    rating: int
    powers: int
    bonus_dice: int
    armor: int
    least_luck: int
    usual_luck: int
    most_luck: int
    kit_gold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What a table may decide differently; the defaults are the rulings.

    Attributes:
        lucky_faces: Faces that succeed (More About Action Rolls).
        purse: Gold beside the starting kit (P17).
        sight: Light rule of every role without its own (P16).
        armor_and_dodge_add: Whether Armor and Dodge both count, not only the better (P4).
        weapon_dice_help_double_move: Whether weapon dice count when asking if an action is possible at all
            while double-moving (P6).
        fog_on_maps: Whether the fog of a stored map counts for scenes on it (P35).
        hidden_take_squares: Whether beings that a mover does not know of are in the way (P36).
        own_role: What a role of one's own may have.
    """

    lucky_faces: tuple[int, ...]
    purse: int
    sight: Sight
    armor_and_dodge_add: bool
    weapon_dice_help_double_move: bool
    fog_on_maps: bool
    hidden_take_squares: bool
    own_role: OwnRoleBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words to draw a hero from by chance.

    Attributes:
        names: First names.
        looks: What one sees first: "A green hat".
        habits: What one sees next: "a loud laugh".
    """

    names: tuple[str, ...]
    looks: tuple[str, ...]
    habits: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Everything the game's content holds.

    Attributes:
        settings: What tables of the game may decide.
        situations: What bonus dice ask for.
        roles: What heroes can be.
        powers: What heroes and monsters can do beyond plain actions.
        armor: What can be worn.
        weapons: What can be fought with.
        gear: Useful things.
        objects: Things that have Luck of their own.
        kits: What roles start with.
        monsters: Creatures that the game master plays.
        treasures: What is found, never bought.
        words: Words that heroes drawn by chance are made of.
    """

    settings: TableSettings
    situations: Shelf[Situation]
    roles: Shelf[Role]
    powers: Shelf[Power]
    armor: Shelf[Armor]
    weapons: Shelf[Weapon]
    gear: Shelf[Gear]
    objects: Shelf[WorldObject]
    kits: Shelf[Kit]
    monsters: Shelf[Monster]
    treasures: Shelf[Treasure]
    words: Words

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf."""
        return (
            self.situations,
            self.roles,
            self.powers,
            self.armor,
            self.weapons,
            self.gear,
            self.objects,
            self.kits,
            self.monsters,
            self.treasures,
        )

    def item(self, item_id: str) -> Item | None:
        """Armour, weapon, gear or treasure by content id."""
        return (
            self.armor.get(item_id)
            or self.weapons.get(item_id)
            or self.gear.get(item_id)
            or self.treasures.get(item_id)
        )

    def armor_of(self, item_id: str) -> Armor | None:
        """What can be worn under this id: armour of the list, or magic armour with its full value."""
        treasure = self.treasures.get(item_id)
        if treasure is None or treasure.kind is not TreasureKind.ARMOR:
            return self.armor.get(item_id)
        base = self.armor[treasure.base or ""]
        return Armor(
            id=treasure.id,
            name=treasure.name,
            value=magic_armor(base, treasure.printed),
            summary=treasure.summary,
            metal=base.metal,
        )

    def weapon_of(self, item_id: str) -> Weapon | None:
        """What can be held under this id: a weapon of the list, a magic weapon, or a staff to hold.

        A magic weapon has the dice and hands of the plain one; what its magic adds are bonus dice. What is
        only held takes one hand and hits like a fist.
        """
        treasure = self.treasures.get(item_id)
        if treasure is None:
            return self.weapons.get(item_id)
        if treasure.kind is TreasureKind.WEAPON:
            base = self.weapons[treasure.base or ""]
            return replace(
                base, id=treasure.id, name=treasure.name, summary=treasure.summary, counts_as=(base.id,)
            )
        if treasure.kind is TreasureKind.HELD:
            return Weapon(
                id=treasure.id,
                name=treasure.name,
                dice=0,
                hands=1,
                gold=treasure.gold,
                use=(Action.BATTLE,),
                summary=treasure.summary,
            )
        return None

    def kit_of(self, role: Role) -> tuple[KitItem, ...]:
        """The starting kit of a role; empty when the table's content has none for it (P17)."""
        return tuple(item for kit in self.kits if kit.role == role.id for item in kit.items)

    def price_of_kit(self, role: Role) -> int:
        """Gold the role's kit is worth: what a player gets who buys everything anew (P17)."""
        return sum((price_of(self.item(line.item)) or 0) * line.count for line in self.kit_of(role))

    def everyones_powers(self) -> tuple[Power, ...]:
        """Powers for Everyone."""
        return tuple(power for power in self.powers if power.everyone)

    def situation_called(self, words: str) -> Situation | None:
        """The situation a table means by these words: "forest" and "in the woods" are the same."""
        wanted = plain(words)
        for situation in self.situations:
            if wanted in map(plain, (slug_of(situation.id), situation.name, *situation.words)):
                return situation
        return None


def called(shelf: Shelf[NamedT], name: str) -> NamedT | None:
    """The entry of this name, however it is spelled: "war hammer", "War_Hammer"."""
    wanted = plain(name)
    return next((entry for entry in shelf if plain(entry.name) == wanted), None)


def plain(words: str) -> str:
    """Words without case, marks and the s of the plural, so that spellings compare equal."""
    letters = "".join(sign if sign.isalnum() else " " for sign in words.lower().replace("'", ""))
    return " ".join(word.removesuffix("s") for word in letters.split())


def load_catalog(folder: Traversable) -> Catalog:
    """Reads the content of a folder that has all the files of `content`.

    Raises:
        ContentError: A file is missing or malformed.
    """

    def shelf(file: str, kind: str, entry: Any) -> Shelf[Any]:
        return load_shelf(folder, file, system=SLUG, kind=kind, entry=entry)

    return Catalog(
        settings=load_settings(folder, "settings.toml", TableSettings),
        situations=shelf("situations.toml", "situation", Situation),
        roles=shelf("roles.toml", "role", Role),
        powers=shelf("powers.toml", "power", Power),
        armor=shelf("armor.toml", "armor", Armor),
        weapons=shelf("weapons.toml", "weapon", Weapon),
        gear=shelf("gear.toml", "gear", Gear),
        objects=shelf("objects.toml", "object", WorldObject),
        kits=shelf("kits.toml", "kit", Kit),
        monsters=shelf("monsters.toml", "monster", Monster),
        treasures=shelf("treasures.toml", "treasure", Treasure),
        words=load_settings(folder, "names.toml", Words),
    )


@cache
def own_catalog() -> Catalog:
    """The content that comes with the house."""
    return load_catalog(files(__package__) / "content")
