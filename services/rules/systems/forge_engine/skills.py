"""Skills: general, martial and magic ones, each 1 CP a rating (Skills; General, Martial and Magic Skills)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPair:
    """An attribute with a skill, as a test names them.

    Attributes:
        attribute: The attribute.
        skill: Content id of a general skill.
    """

    attribute: Attribute
    skill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralSkill:
    """A skill for attribute tests. Its rating is at most that of its attribute (R3).

    Attributes:
        id: Content id.
        name: The word for people.
        attributes: What it is linked to; of several the better one counts.
        summary: What it is for, in plain words.
        by_field: Whether it is learned for one field at a time: a language, a science.
        fields: Fields the book names.
        opposed_by: What a target resists with openly.
        subverted_by: What a target turns it aside with.
        optional: Whether it belongs to a genre and is off unless a table switches it on.
    """

    id: str
    name: str
    attributes: tuple[Attribute, ...]
    summary: str
    by_field: bool = False
    fields: tuple[str, ...] = ()
    opposed_by: tuple[SkillPair, ...] = ()
    subverted_by: tuple[SkillPair, ...] = ()
    optional: bool = False


class MartialKind(Enum):
    """The two kinds of martial skills.

    Attributes:
        BASIC: Everybody can learn it.
        SPECIALIZED: It takes training of its own.
    """

    BASIC = "basic"
    SPECIALIZED = "specialized"


class Use(Enum):
    """When a skill works.

    Attributes:
        BONUS: As a bonus to something else, at no action of its own.
        ACTION: As an action on one's turn.
        REACTION: In answer to what another one does.
    """

    BONUS = "bonus"
    ACTION = "action"
    REACTION = "reaction"


class Benefit(Enum):
    """What each rating of a skill is good for (Custom Content / Meaningful Skill Ratings).

    Attributes:
        DIE_PER_ENERGY: A die for each energy added, up to the rating.
        DICE_UP_TO_RATING: Dice by some other measure, up to the rating.
        USES_PER_ROUND: It works so often in a round.
        TARGETS: So many more targets.
        EQUIPMENT_UP_TO_RATING: Equipment of up to this rating has no penalties.
        ENERGY_UP_TO_RATING: So much energy may be spent, added, expended or saved.
        EFFECT_UP_TO_RATING: An effect of so many steps: damage, feet, successes, health.
        BUILDS_UP: It grows with use, up to the rating.
    """

    DIE_PER_ENERGY = "die-per-energy"
    DICE_UP_TO_RATING = "dice-up-to-rating"
    USES_PER_ROUND = "uses-per-round"
    TARGETS = "targets"
    EQUIPMENT_UP_TO_RATING = "equipment-up-to-rating"
    ENERGY_UP_TO_RATING = "energy-up-to-rating"
    EFFECT_UP_TO_RATING = "effect-up-to-rating"
    BUILDS_UP = "builds-up"


@dataclass(frozen=True, slots=True, kw_only=True)
class MartialSkill:
    """A basic or specialized martial skill.

    Attributes:
        id: Content id.
        name: The word for people.
        kind: Whether it is basic or specialized.
        use: The tag of the book; a bonus works by itself.
        benefit: What each rating gives.
        summary: What it does, in plain words.
        attribute: What caps a basic skill's rating; None for specialized ones, which have no cap (R3).
        stance: Whether it is a stance, begun and ended as a minor action.
        once: How often at most: "once an encounter"; empty without a limit of its own.
        modern: Whether it belongs to firearms and later.
        optional: Whether it is off unless a table switches it on.
        energy_by: The attribute that caps the energy which it takes, or what it counts by.
        range: How far an attack that it is itself reaches, in feet; 0 for one with a weapon.
        conditions: Content ids: what 1 or 2 successes cause in place of harm, and what 3 or more do.
    """

    id: str
    name: str
    kind: MartialKind
    use: Use
    benefit: Benefit
    summary: str
    attribute: Attribute | None = None
    stance: bool = False
    once: str = ""
    modern: bool = False
    optional: bool = False
    energy_by: Attribute | None = None
    range: int = 0
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class School:
    """A school of magic.

    Attributes:
        id: Content id.
        name: The word for people.
        attribute: What its spells go by, and what caps their ratings.
        trait: Content id of the trait that opens it.
        summary: What it is, in plain words.
    """

    id: str
    name: str
    attribute: Attribute
    trait: str
    summary: str


class Against(Enum):
    """What a spell's dice are rolled against, if they are rolled.

    Attributes:
        NOTHING: They are not rolled.
        PD: Physical defense.
        MD: Mental defense.
        DIFFICULTY: A difficulty.
        TEST: A test of the target.
    """

    NOTHING = "nothing"
    PD = "pd"
    MD = "md"
    DIFFICULTY = "difficulty"
    TEST = "test"


class Targets(Enum):
    """Whom a spell reaches.

    Attributes:
        SELF: Oneself.
        ALLY: Oneself or one ally.
        ALLIES: Oneself and allies, the dice divided among them.
        ONE: One target.
        SEVERAL: Several, the dice divided among them.
        ALL: Everybody in the area.
        PLACE: A place.
        OBJECT: A thing.
    """

    SELF = "self"
    ALLY = "ally"
    ALLIES = "allies"
    ONE = "one"
    SEVERAL = "several"
    ALL = "all"
    PLACE = "place"
    OBJECT = "object"


class AreaShape(Enum):
    """The shape of an area.

    Attributes:
        RADIUS: All around a spot.
        ARC: Before the caster.
    """

    RADIUS = "radius"
    ARC = "arc"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellArea:
    """Where an area spell works.

    Attributes:
        shape: The shape of the area.
        feet: Its radius.
        degrees: Width of an arc; None for a whole circle.
        at_point: Whether it lies round a point within range, not round the caster.
    """

    shape: AreaShape
    feet: int
    degrees: int | None = None
    at_point: bool = False


class SpellDamage(Enum):
    """How a spell's damage is counted (Costing Spells).

    Attributes:
        HALF: Half the successes, rounded up.
        PER_SUCCESS: One for each success.
        PER_DIE: One for each die.
    """

    HALF = "half"
    PER_SUCCESS = "per-success"
    PER_DIE = "per-die"


class SpellHealing(Enum):
    """Whom a spell heals (Costing Spells).

    Attributes:
        SINGLE: One target.
        MULTIPLE: Several targets.
    """

    SINGLE = "single"
    MULTIPLE = "multiple"


class SpellScope(Enum):
    """Which targets a spell picks, as far as that costs (Costing Spells).

    Attributes:
        ALL: Everybody within reach.
        SIDE: Allies only, or enemies only.
        SELECTED: Chosen ones, or the dice divided among them.
    """

    ALL = "all"
    SIDE = "side"
    SELECTED = "selected"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpellComponents:
    """The parts of a spell that its cost is counted from (Costing Spells, R-20).

    Attributes:
        range: In feet: 0 or 5 (touch), 25, 100.
        area: Radius in feet: 0 for none, 15, 25.
        damage: None when it deals none.
        healing: None when it heals nobody.
        targets: Which targets it picks.
    """

    range: int = 0
    area: int = 0
    damage: SpellDamage | None = None
    healing: SpellHealing | None = None
    targets: SpellScope = SpellScope.ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """A magic skill. Energy up to the attribute is added, and dice up to the rating gained (P0).

    Attributes:
        id: Content id.
        name: The word for people.
        school: Content id; None for a cantrip, which any casting trait opens.
        attributes: What it goes by: the school's; for a cantrip the best of the three mental ones.
        use: Action or reaction.
        expend: Energy to expend.
        targets: Whom it reaches.
        against: What its dice are rolled against.
        summary: What it does, in plain words.
        expend_more: Whether energy is expended at will, up to the attribute (Summon Creature).
        range: How far it reaches, in feet: 0 for the caster alone, 5 for touch.
        area: None for a spell without one.
        difficulty: Of a test that does not depend on the target; None otherwise.
        grams: The most an object may weigh at difficulty 7, 8, 9 and 10; empty where weight does not
            matter.
        damage_type: Content id; None when it deals no damage.
        damage: How damage is counted; None when it deals none.
        healing: Whom it heals; None when it heals nobody.
        conditions: Content ids: what 1 or 2 successes cause, and what 3 or more do.
        duration: "1 minute", "10 minutes for each die"; empty when it is over at once.
        shaken_off: Whether Shake It Off ends it.
        components: What its printed cost is compared with; None where the costing table has no word for
            it.
    """

    id: str
    name: str
    school: str | None = None
    attributes: tuple[Attribute, ...]
    use: Use
    expend: int
    targets: Targets
    against: Against
    summary: str
    expend_more: bool = False
    range: int = 0
    area: SpellArea | None = None
    difficulty: int | None = None
    grams: tuple[int, ...] = ()
    damage_type: str | None = None
    damage: SpellDamage | None = None
    healing: SpellHealing | None = None
    conditions: tuple[str, ...] = ()
    duration: str = ""
    shaken_off: bool = False
    components: SpellComponents | None = None
