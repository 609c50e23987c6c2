"""All that a player decides about a character, at creation and in play.

Attributes, traits and skills are those of creation. What is bought later stands in `development`, in the
order it happened, so that the history of a character can be read, and a step can be taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute, Attributes

HUMAN = "forge_engine:trait/human"
"""The species of everybody who says nothing else (Character Creation / Step 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRating:
    """A skill that was bought.

    Attributes:
        skill: Content id of a general or martial skill, or of a spell.
        rating: From 1; each costs 1 CP.
        field: For a skill that is learned by field, a language or a science: which one. Empty for any other.
    """

    skill: str
    rating: int
    field: str = ""


class Place(Enum):
    """Where something is carried (Carrying Equipment).

    Attributes:
        WORN: On the body.
        WIELDED: In the hand, ready for use.
        OFF_HAND: In the other hand.
        SLUNG: Slung over a shoulder or at the belt, quick to reach.
        STOWED: Packed away.
    """

    WORN = "worn"
    WIELDED = "wielded"
    OFF_HAND = "off-hand"
    SLUNG = "slung"
    STOWED = "stowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """Armour, a shield or a weapon of the tables.

    Attributes:
        item: Content id of equipment.
        count: How many, from 1.
        place: Armour protects while it is worn; weapons and shields work while they are in hand.
        loaded: Shots in a weapon that holds some; None for as many as it holds.
        ammunition: Spare pieces of ammunition for it; None where nobody counts them.
    """

    item: str
    count: int = 1
    place: Place = Place.STOWED
    loaded: int | None = None
    ammunition: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Anything else: tools, food, clothes. What it is good for is the table's word.

    Attributes:
        name: "Lock-picks".
        count: How many, from 1.
        place: Where it is carried.
        note: A word about it.
        dice: Bonus dice that it adds to tests; 0 for none (Equipment / Tools).
        attribute: Which tests; None for those of any attribute.
        skill: Content id of the general skill whose tests it helps; None for any test of the attribute.
        field: Which field, for a skill that is learned by field; empty for all of them.
        weight_kg: What one of it weighs, in kilograms; only counted where the table counts loads.
    """

    name: str
    count: int = 1
    place: Place = Place.STOWED
    note: str = ""
    dice: int = 0
    attribute: Attribute | None = None
    skill: str | None = None
    field: str = ""
    weight_kg: int = 0


class DevelopmentKind(Enum):
    """What an entry of a character's development is: an award of CP, or what they are spent on.

    Attributes:
        AWARD: CP are awarded.
        ATTRIBUTE: CP are spent on an attribute.
        SKILL: CP are spent on a skill.
        TRAIT: CP are spent on a trait.
    """

    AWARD = "award"
    ATTRIBUTE = "attribute"
    SKILL = "skill"
    TRAIT = "trait"


class AwardKind(Enum):
    """What CP are awarded for (Rewards And Progression).

    Attributes:
        SESSION: A session that was played.
        MINOR_QUEST: A minor quest or mission.
        MAJOR_QUEST: A major quest or mission.
        CAMPAIGN: A campaign that came to its end.
        ROLE_PLAY: Playing one's role well.
        COMBAT: Fighting on without a rest; the game master says how many CP.
        OTHER: Anything else that the game master awards or takes CP for.
    """

    SESSION = "session"
    MINOR_QUEST = "minor-quest"
    MAJOR_QUEST = "major-quest"
    CAMPAIGN = "campaign"
    ROLE_PLAY = "role-play"
    COMBAT = "combat"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """One entry of a character's development: CP awarded, or CP spent (Character Development).

    Attributes:
        kind: Whether CP are awarded, or what they are spent on.
        award: For an award: what for.
        count: How many awards of the kind; or how many ratings are bought, one after another.
        cp: For a combat bonus or another award: how many CP each; None for the figure of the book.
        attribute: For an attribute: which one is raised.
        skill: For a skill: content id of the skill that is raised or learned.
        field: Which field, for a skill that is learned by field.
        trait: For a trait: its content id.
        note: When, why and by whose leave, in the table's words.
        approved: Whether the game master has approved it; until then it is waiting, and counts for
            nothing.
    """

    kind: DevelopmentKind
    award: AwardKind | None = None
    count: int = 1
    cp: int | None = None
    attribute: Attribute | None = None
    skill: str | None = None
    field: str = ""
    trait: str | None = None
    note: str = ""
    approved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterChoices:
    """Everything a player decides about a character.

    Attributes:
        name: The character's name.
        concept: What kind of character it is, in a few words (Step 1).
        species: Content id of the species trait (Step 2).
        species_choices: Content ids of the traits taken from the species' lists.
        traits: Content ids of traits that are bought.
        attributes: Ratings bought with the CP that traits leave (Step 3).
        skills: Ratings bought with the CP for skills (Step 4).
        native_language: Rating of the native language where it is lower than Intelligence; None for
            Intelligence, as is usual (R-66).
        equipment: Armour, shields and weapons (Step 9).
        things: Everything else that is carried.
        personality: What the character is like (Step 10).
        background: Where the character comes from.
        moral_code: What the character holds right.
        goals: What the character is after.
        health: Health now, below 0 for the dying; None after a long rest. A maximum that grows changes
            nothing about it until the next rest; one that falls cuts it.
        expended: Energy that is expended until the next rest.
        conditions: Content ids of ongoing conditions that the character is under until it shakes them off.
        load_kg: What is carried beside things with a weight, in kilograms, where the table counts loads.
        development: What happened since creation, in order.
        leave: Codes of the rules that the game master waives for this character.
    """

    name: str
    concept: str = ""
    species: str = HUMAN
    species_choices: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    attributes: Attributes = dataclass_field(default_factory=Attributes)
    skills: tuple[SkillRating, ...] = ()
    native_language: int | None = None
    equipment: tuple[Carried, ...] = ()
    things: tuple[Thing, ...] = ()
    personality: str = ""
    background: str = ""
    moral_code: str = ""
    goals: str = ""
    health: int | None = None
    expended: int = 0
    conditions: tuple[str, ...] = ()
    load_kg: int = 0
    development: tuple[Development, ...] = ()
    leave: tuple[str, ...] = ()
