"""Things heroes wear, hold and carry: armour, weapons, gear, and magic treasure (Stuff; Actions / Magic)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bonuses import Bonus


@dataclass(frozen=True, slots=True, kw_only=True)
class Armor:
    """Armour to wear (Stuff / Armor).

    Attributes:
        id: Content id.
        name: The word for people.
        value: Dice it takes from a foe's Battle or Shoot; also the Muscle it needs.
        summary: What it is, in plain words.
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
        id: Content id.
        name: The word for people.
        dice: Bonus dice, before Muscle (Battle) or Notice (Shoot) caps them.
        hands: Hands it takes, 1 or 2.
        gold: Price; of no meaning for a treasure.
        use: Battle, Shoot or both.
        summary: What it is, in plain words.
        armor: Armour it gives while held: a shield's.
        free: Everyone has it without a card: bare fists.
        counts_as: Plain weapons it also is, where bonus dice ask for one: a magic war hammer is a war
            hammer.
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
    counts_as: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear:
    """A useful thing (Stuff / Gear).

    Attributes:
        id: Content id.
        name: The word for people.
        gold: Price (ruling P17: the book prints none).
        summary: What it is, in plain words.
        bonuses: Dice that it adds when something holds.
        cold_loss: Luck lost each day in a cold place while wearing it; None when it does not keep warm.
        freezing_loss: The same in a freezing place.
        wedges: Muscle successes more that it takes to move a door wedged with it; it is used up by that.
    """

    id: str
    name: str
    gold: int
    summary: str
    bonuses: tuple[Bonus, ...] = ()
    cold_loss: int | None = None
    freezing_loss: int | None = None
    wedges: int = 0


class TreasureKind(Enum):
    """What a treasure is, and so how it is used.

    Attributes:
        ARMOR: Magic armour, worn in the place of other armour.
        WEAPON: A magic weapon, used as the plain one is.
        WORN: Worn beside armour: a robe, a ring.
        HELD: Held in one hand to work: a staff.
        SCROLL: A spell written down: cast once by anyone with Magic 1 or more, then gone.
        WAND: A spell that can be cast a few times in each scene by anyone with Magic 1 or more.
        DRINK: Good for one gulp.
        VALUABLE: Worth gold: a gem, a goblet.
    """

    ARMOR = "armor"
    WEAPON = "weapon"
    WORN = "worn"
    HELD = "held"
    SCROLL = "scroll"
    WAND = "wand"
    DRINK = "drink"
    VALUABLE = "valuable"


class BodyPart(Enum):
    """Where something is worn; one thing at each place.

    Attributes:
        HEAD: On the head.
        NECK: Around the neck.
        BACK: On the back.
        FINGER: On a finger.
        FEET: On the feet.
        HANDS: On the hands.
    """

    HEAD = "head"
    NECK = "neck"
    BACK = "back"
    FINGER = "finger"
    FEET = "feet"
    HANDS = "hands"


@dataclass(frozen=True, slots=True, kw_only=True)
class Treasure:
    """Something found, never for sale (Stuff; Actions / Magic; Roles / Rogue / Appraise).

    Attributes:
        id: Content id.
        name: The word for people.
        kind: Which kind of treasure it is.
        summary: What it is, in plain words.
        gold: What it is worth.
        appraise: Notice successes it takes to find that out.
        bonuses: Dice it adds while worn or held; a magic weapon's Battle and Shoot dice while it is used.
        base: Content id of the plain armour or weapon it is a better kind of.
        printed: For armour, the figure printed with it: the 3 of a scale armor +3.
        place: Where it is worn.
        spell: Content id of the power that a scroll or wand casts.
        castings: How often: of a scroll in all, of a wand in each scene.
        luck_cost: Luck that a casting costs; None for the spell's own cost.
        luck: Luck that a drink gives back.
        magic: Whether magic is in it, so that nothing corrodes it and elves feel it.

    Raises:
        ValueError: A part that its kind needs is missing.
    """

    id: str
    name: str
    kind: TreasureKind
    summary: str
    gold: int
    appraise: int = 1
    bonuses: tuple[Bonus, ...] = ()
    base: str | None = None
    printed: int = 0
    place: BodyPart | None = None
    spell: str | None = None
    castings: int = 0
    luck_cost: int | None = None
    luck: int = 0
    magic: bool = True

    def __post_init__(self) -> None:
        has_base = self.base is not None
        if has_base != (self.kind in (TreasureKind.ARMOR, TreasureKind.WEAPON)):
            raise ValueError("magic armor and magic weapons have a base, and nothing else has")
        if (self.place is not None) != (self.kind is TreasureKind.WORN):
            raise ValueError("what is worn has a place, and nothing else has")
        casts = self.kind in (TreasureKind.SCROLL, TreasureKind.WAND)
        if (self.spell is not None) != casts or (self.castings >= 1) != casts:
            raise ValueError("scrolls and wands have a spell and castings, and nothing else has")

    def bonuses_in_use(self, *, worn_or_held: bool) -> tuple[Bonus, ...]:
        """Its bonus dice as they count now.

        Args:
            worn_or_held: Whether its owner wears it or has it in hand.
        """
        rule = f"Treasure ({self.name})"
        if self.kind is TreasureKind.WEAPON:
            # Its fighting dice wait for the roll that uses it, in hand or not yet.
            return tuple(
                replace(bonus, rule=rule, weapons=(self.id,) if _fights(bonus) else bonus.weapons)
                for bonus in self.bonuses
                if worn_or_held or _fights(bonus)
            )
        return tuple(replace(bonus, rule=rule) for bonus in self.bonuses) if worn_or_held else ()


def _fights(bonus: Bonus) -> bool:
    return bonus.action in (Action.BATTLE, Action.SHOOT)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldObject:
    """A thing that has Luck of its own against being destroyed (More Wizard Powers / Corrosion).

    Attributes:
        id: Content id.
        name: The word for people.
        luck: Luck that it has against being destroyed.
        item: Content id of the thing that it is; null where it is none of those.
    """

    id: str
    name: str
    luck: int
    item: str | None = None


Item = Armor | Weapon | Gear | Treasure
"""Whatever has a card of its own."""


def price_of(item: Item | None) -> int | None:
    """Gold an item costs; None when there is no such item or it is not for sale, as no treasure is."""
    if item is None or isinstance(item, Treasure) or (isinstance(item, Weapon) and item.free):
        return None
    return item.gold
