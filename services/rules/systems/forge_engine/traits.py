"""Traits: what a character is, beside attributes and skills (Traits). Each costs a fixed number of CP."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute


class TraitCategory(Enum):
    """The kinds of traits, in the order of the book.

    Attributes:
        SPECIES: Species, each a bundle of traits.
        SIZE: How big a body is.
        ATTRIBUTE: What attributes cost, and how high they go.
        DAMAGE: How damage is taken.
        MAGIC: What opens schools of magic.
        MENTAL: Of the mind.
        MOVEMENT: Ways of moving.
        PHYSICAL: Of the body.
        SENSORY: Of the senses.
    """

    SPECIES = "species"
    SIZE = "size"
    ATTRIBUTE = "attribute"
    DAMAGE = "damage"
    MAGIC = "magic"
    MENTAL = "mental"
    MOVEMENT = "movement"
    PHYSICAL = "physical"
    SENSORY = "sensory"


class SpeciesSetting(Enum):
    """Where the book lists a species.

    Attributes:
        DEFAULT: Of every setting.
        FANTASY: Of fantasy.
        SCI_FI: Of science fiction.
    """

    DEFAULT = "default"
    FANTASY = "fantasy"
    SCI_FI = "sci-fi"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitChoice:
    """Traits of which a species takes some.

    Attributes:
        take: Exactly so many.
        of: Content ids of the traits to choose from.
    """

    take: int
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Species:
    """What a species trait bundles; the bundled traits cost nothing (R-103).

    Attributes:
        setting: Where the book lists it.
        includes: Content ids of traits that all of its kind have; one of them is a size.
        choices: Further traits, chosen at creation.
    """

    setting: SpeciesSetting
    includes: tuple[str, ...]
    choices: tuple[TraitChoice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Figures of a size (Size Traits; R-16, R-40, R-70).

    Attributes:
        rank: 0 for Fine to 9 for Titanic.
        height: "5-7 feet".
        speed: Movement speed in feet a round.
        reach: In feet.
        space: Side of the square it stands on, in feet.
        health: Maximum health without Stamina.
        health_per_stamina: Maximum health for each rating of Stamina.
        evasion: PD dice against physical attacks that are no area attacks.
        stealth: Dice for Agility (Stealth).
        strength_dice: Dice for actions and attacks that go by Strength.
        attribute_cap: Highest Strength and Stamina; None without one.
        armor_most: Most dice that armour adds to PD; None without a limit.
        rest: Health that a short rest gives without Stamina.
        rest_per_stamina: Health that a short rest gives for each rating of Stamina.
    """

    rank: int
    height: str
    speed: int
    reach: int
    space: int
    health: int
    health_per_stamina: int
    evasion: int = 0
    stealth: int = 0
    strength_dice: int = 0
    attribute_cap: int | None = None
    armor_most: int | None = None
    rest: int = 0
    rest_per_stamina: int = 1


class Response(Enum):
    """What a body does to damage of one type.

    Attributes:
        RESISTANT: Half of it, rounded up.
        IMMUNE: None of it.
        VULNERABLE: Double.
    """

    RESISTANT = "resistant"
    IMMUNE = "immune"
    VULNERABLE = "vulnerable"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageResponse:
    """How damage of a type is taken: half, rounded up; none; or double.

    Attributes:
        damage: Content id of the damage type.
        response: How it is taken.
    """

    damage: str
    response: Response


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeTrend:
    """What an attribute trait does to the price of a step.

    Attributes:
        attribute: The attribute.
        step_cp: CP on top of each step of the attribute; -1 makes it cheaper.
    """

    attribute: Attribute
    step_cp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeCap:
    """The highest rating that a trait lets an attribute have.

    Attributes:
        attribute: The attribute.
        most: Its highest rating.
    """

    attribute: Attribute
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusDice:
    """Dice that a trait adds to tests.

    Attributes:
        dice: How many; below 0 when they are lost.
        attribute: Tests of this one.
        skills: Content ids; only with one of these skills. Empty: with any, or none.
        when: In plain words: "when hearing helps".
    """

    dice: int
    attribute: Attribute
    skills: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalWeapon:
    """An unarmed melee attack that a body has.

    Attributes:
        cost: Energy to spend.
        rating: Dice it gives.
        damage: Content id of the damage type.
        needs_hand: Whether it is made with a hand or arm.
    """

    cost: int
    rating: int
    damage: str
    needs_hand: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalArmor:
    """What a hardened body does (R-15).

    Attributes:
        pd: Dice it adds to PD.
        light_armor: What worn armour of a rating up to `pd` adds instead of its rating; None: its rating.
        heavy_armor: Dice that worn armour of a higher rating adds less.
    """

    pd: int
    light_armor: int | None = None
    heavy_armor: int = 0


class MovementKind(Enum):
    """Ways of moving other than walking.

    Attributes:
        CLIMB: Climbing.
        FLY: Flying.
        JUMP: Jumping.
        TELEPORT: From one place to another without the way between.
        FOUR_LEGS: Running on four legs.
        HOVER: Hovering over the ground.
        BURROW: Digging through the ground.
    """

    CLIMB = "climb"
    FLY = "fly"
    JUMP = "jump"
    TELEPORT = "teleport"
    FOUR_LEGS = "four-legs"
    HOVER = "hover"
    BURROW = "burrow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """A way of moving that a trait opens (Movement Traits; R-17).

    Attributes:
        kind: The way of moving.
        energy_per_segment: Energy for 5 feet; None where Move and Run are used as they are.
        rise_energy: Energy for 5 feet of height.
        hold_energy: Energy to stay where one is in the air for a turn.
        feet_per_strength: Longest leap in feet for each rating of Strength.
        speed_share: Feet of movement speed that 5 feet take.
        ignores_rough_ground: Whether rough ground costs nothing more.
    """

    kind: MovementKind
    energy_per_segment: int | None = None
    rise_energy: int | None = None
    hold_energy: int | None = None
    feet_per_strength: int | None = None
    speed_share: int = 5
    ignores_rough_ground: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """A trait of the book, or of a table's pack. What it does is in the fields that are filled.

    Attributes:
        id: Content id.
        name: The word for people.
        category: The kind of trait.
        cp: What it costs; a liability gives CP back. For bundled traits nothing is paid.
        summary: What it does, in plain words.
        later: Whether characters may take it up in play without a special reason; magic traits may.
        optional: Whether it is a rule that tables switch on.
        against: Content ids of traits that it cannot stand beside.
        species: What a species bundles; null for any other trait.
        size: What it says of the body's size; null for nothing.
        trend: How it changes the price of an attribute; null for not at all.
        cap: How it caps an attribute; null for not at all.
        damage: How it changes damage of a type; null for not at all.
        school: Content id of the school of magic it opens.
        armor: Armour that the body has; null for none.
        attack: The weapon that the body has; null for none.
        movement: The way of moving that it opens; null for none.
        tests: Dice that it adds to tests.
        evasion: PD dice against martial attacks that are no area attacks.
        health_stamina: What counts on top of Stamina for maximum health.
        range: How far it works, in feet; None where that does not matter.
        linked_intelligence: What each linked mind within range adds to Intelligence in tests of it
            (R-14).
        senses: Whether it is a sense of its own.
        hands: Further hands, beside two.
        ignores_off_hand: Whether the off hand is as good as the other.
        bars_equipment: Whether nothing can be worn, wielded, slung or carried.
        venom: Whether damage of unarmed melee attacks poisons (N10).
    """

    id: str
    name: str
    category: TraitCategory
    cp: int
    summary: str
    later: bool = False
    optional: bool = False
    against: tuple[str, ...] = ()
    species: Species | None = None
    size: Size | None = None
    trend: AttributeTrend | None = None
    cap: AttributeCap | None = None
    damage: DamageResponse | None = None
    school: str | None = None
    armor: NaturalArmor | None = None
    attack: NaturalWeapon | None = None
    movement: Movement | None = None
    tests: tuple[BonusDice, ...] = ()
    evasion: int = 0
    health_stamina: int = 0
    range: int | None = None
    linked_intelligence: int = 0
    senses: bool = False
    hands: int = 0
    ignores_off_hand: bool = False
    bars_equipment: bool = False
    venom: bool = False
