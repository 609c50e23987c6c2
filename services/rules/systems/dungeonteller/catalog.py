"""The game's content as frozen data: what the TOML files in `content` hold, and how it is found.

Numbers and names are the book's; every sentence is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

from services.rules.engine.content import Shelf, load_settings, load_shelf, slug_of
from services.rules.systems.dungeonteller.actions import Action, Ratings
from services.rules.systems.dungeonteller.powers import Power

SLUG = "dungeonteller"


class Named(Protocol):
    """Content that has a name."""

    @property
    def name(self) -> str:
        """The name people use."""


NamedT = TypeVar("NamedT", bound=Named)


class Casting(Enum):
    """What a role may do with its Magic dice (Actions / Magic)."""

    SPELLS = "spells"
    SCROLLS = "scrolls"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Something about the moment that bonus dice ask for.

    Attributes:
        words: Other words a table may use for it.
    """

    id: str
    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """Dice added to (or taken from) an action when it fits.

    Attributes:
        dice: How many; negative takes away.
        when: Plain words for the hero card.
        situations: Any of these must hold; empty when no situation is asked for.
        weapons: One of these must be used; empty when any or none will do.
        once: Good for one roll, then used up.
        rule: Where it comes from.
    """

    action: Action
    dice: int
    when: str
    situations: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    once: bool = False
    rule: str = "Roles / Bonus Dice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Notice dice gained or lost by light; None where nothing can be seen at all."""

    dim: int
    dark: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A role of the book, or one made up the same way (Roles; Making Up New Roles).

    Attributes:
        luck: Luck at the start, and normal maximum.
        notes: Gifts that are not dice, in plain words.
        armor: The armour the role begins with.
        sight: How the role sees without light; None for the table's general rule.
        steady: Actions that lose no dice in a double-move.
        powers: Powers at the start; the powers for everyone come on top.
        extra_powers: Powers the role may gain as a reward.
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
class Armor:
    """Armour to wear (Stuff / Armor).

    Attributes:
        value: Dice it takes from a foe's Battle or Shoot; also the Muscle it needs.
        gold: Price; None when it is not for sale.
        metal: Metal armour has one Luck more as an object (ruling P18).
    """

    id: str
    name: str
    value: int
    summary: str
    gold: int | None = None
    metal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon (Stuff / Battle Weapons, Shoot Weapons).

    Attributes:
        dice: Bonus dice, before Muscle (Battle) or Notice (Shoot) caps them.
        hands: Hands it takes, 1 or 2.
        use: Battle, Shoot or both.
        armor: Armour it gives while held: a shield's.
        free: Everyone has it without a card: bare fists.
    """

    id: str
    name: str
    dice: int
    hands: int
    gold: int
    use: tuple[Action, ...]
    summary: str
    armor: int = 0
    free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear:
    """A useful thing (Stuff / Gear).

    Attributes:
        gold: Price (ruling P17: the book prints none).
        cold_loss: Luck lost each day in a cold place while wearing it; None when it does not keep warm.
        freezing_loss: The same in a freezing place.
    """

    id: str
    name: str
    gold: int
    summary: str
    bonuses: tuple[Bonus, ...] = ()
    cold_loss: int | None = None
    freezing_loss: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldObject:
    """A thing that has Luck of its own against being destroyed (More Wizard Powers / Corrosion)."""

    id: str
    name: str
    luck: int
    item: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KitItem:
    """One line of a starting kit."""

    item: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a role starts with beside its armour (ruling P17: the book prints none)."""

    id: str
    name: str
    role: str
    items: tuple[KitItem, ...]


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
    """

    lucky_faces: tuple[int, ...]
    purse: int
    sight: Sight
    armor_and_dodge_add: bool
    weapon_dice_help_double_move: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Everything the game's content holds."""

    settings: TableSettings
    situations: Shelf[Situation]
    roles: Shelf[Role]
    powers: Shelf[Power]
    armor: Shelf[Armor]
    weapons: Shelf[Weapon]
    gear: Shelf[Gear]
    objects: Shelf[WorldObject]
    kits: Shelf[Kit]

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
        )

    def item(self, item_id: str) -> Armor | Weapon | Gear | None:
        """Armour, weapon or gear by content id."""
        return self.armor.get(item_id) or self.weapons.get(item_id) or self.gear.get(item_id)

    def kit_of(self, role: Role) -> tuple[KitItem, ...]:
        """The starting kit of a role; empty when the table's content gives it none (P17)."""
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


def price_of(item: Armor | Weapon | Gear | None) -> int | None:
    """Gold an item costs; None when there is no such item or it is not for sale."""
    return None if item is None or (isinstance(item, Weapon) and item.free) else item.gold


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
    )


@cache
def own_catalog() -> Catalog:
    """The content that comes with the house."""
    return load_catalog(files(__package__) / "content")
