"""Stat blocks: adversary templates, and the sample characters (rulings sections 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.choices import Carried, SkillRating, Thing
from services.rules.systems.forge_engine.equipment import FireMode


class AdversarySetting(Enum):
    """Where a template belongs.

    Attributes:
        FANTASY: Fantasy.
        MODERN: Modern and sci-fi.
    """

    FANTASY = "fantasy"
    MODERN = "modern"


class AdversaryRole(Enum):
    """What an adversary does in a fight.

    Attributes:
        GRUNT: One of many.
        STRIKER: It hits hard.
        CASTER: It casts spells.
        COMMANDER: It leads others.
    """

    GRUNT = "grunt"
    STRIKER = "striker"
    CASTER = "caster"
    COMMANDER = "commander"


class Confidence(Enum):
    """How sure a figure is that the text has lost (rulings section 0).

    Attributes:
        CERTAIN: Nothing else fits.
        LIKELY: The rest of the text speaks for it.
        GUESS: It fits, as other figures might.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversarySkill:
    """A skill of an adversary.

    Attributes:
        skill: Content id of a general or martial skill, or of a spell.
        rating: Its rating.
        field: For a skill that is learned by field: "Native", "Military".
    """

    skill: str
    rating: int
    field: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdversaryAttack:
    """A weapon line of a stat block.

    Attributes:
        name: "Melee weapon".
        skill: Content id of the martial skill.
        cost: Energy of the plain attack; for a gun that only fires full-auto, with full-auto (R-24).
        rating: Dice of that attack.
        damage: What kind of damage it does.
        max_cost: Energy of the greatest attack: the weapon's and all that may be added.
        max_dice: Dice of that attack; 0 where its cost is beyond the energy.
        min_range: Nearest range, in feet; null for none.
        max_range: Farthest range, in feet; null for none.
        hands: How many hands it takes.
        modes: Fire modes that it has.
        assumed: Whether cost and rating are not printed but fit every mark of the text (rulings section
            6).
    """

    name: str
    skill: str
    cost: int
    rating: int
    damage: str
    max_cost: int
    max_dice: int
    min_range: int | None = None
    max_range: int | None = None
    hands: int = 1
    modes: tuple[FireMode, ...] = ()
    assumed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Adversary:
    """A stat block. Its figures stand as printed; they are not worked out again (R-64).

    Attributes:
        id: `forge_engine:adversary/f6-grunt`.
        name: "F6 Grunt": setting, energy, role.
        title: What people call it: "Fantasy grunt, 6 energy".
        setting: Where it belongs.
        role: What it does in a fight.
        energy: Maximum energy.
        health: Health.
        pd: Physical defense dice.
        md: Mental defense dice.
        attributes: Ratings of its attributes.
        traits: Content ids: species, and the trait chosen for it.
        skills: What it is trained in.
        attacks: How it attacks.
        armor: Rating of worn armour; 0 for none.
        differs: Figures that the rules would give otherwise, in plain words (R-60 to R-66).
        confidence: Of the attributes.
    """

    id: str
    name: str
    title: str
    setting: AdversarySetting
    role: AdversaryRole
    energy: int
    health: int
    pd: int
    md: int
    attributes: Attributes
    traits: tuple[str, ...]
    skills: tuple[AdversarySkill, ...]
    attacks: tuple[AdversaryAttack, ...] = ()
    armor: int = 0
    differs: tuple[str, ...] = ()
    confidence: Confidence = Confidence.LIKELY


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleAttack:
    """A weapon line of a sample character.

    Attributes:
        name: What the weapon is called.
        cost: Energy that an attack takes.
        rating: Rating of the weapon.
        max_cost: Energy of the greatest attack.
        max_dice: Dice of that attack.
    """

    name: str
    cost: int
    rating: int
    max_cost: int
    max_dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample character of the book: its choices, and the figures of its stat block (rulings section 5).

    Attributes:
        id: Content id.
        name: The word for people.
        summary: Who it is, in a few words.
        species: Content id of the species trait.
        attributes: Ratings of the attributes.
        energy: Maximum energy, as printed or settled.
        health: Health.
        pd: Physical defense dice.
        md: Mental defense dice.
        skills: Skills and their ratings.
        attacks: The weapon lines.
        confidence: Of the attributes.
        species_choices: Content ids of the traits taken from the species' lists.
        traits: Content ids of traits that are bought.
        resistant: Content ids of damage types; resistance to them is bought as a trait (R-104).
        equipment: Equipment that is carried.
        things: Anything else that is carried.
    """

    id: str
    name: str
    summary: str
    species: str
    attributes: Attributes
    energy: int
    health: int
    pd: int
    md: int
    skills: tuple[SkillRating, ...]
    attacks: tuple[SampleAttack, ...]
    confidence: Confidence
    species_choices: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    resistant: tuple[str, ...] = ()
    equipment: tuple[Carried, ...] = ()
    things: tuple[Thing, ...] = ()
