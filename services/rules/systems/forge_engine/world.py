"""What stands round the characters: conditions, damage, genres, hazards, travel, tests (core rules, GM)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.equipment import Era
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.skills import SkillPair


class DamageGroup(Enum):
    """The five groups of damage types.

    Attributes:
        PHYSICAL: What strikes the body.
        ELEMENTAL: Fire, cold and the like.
        PHYSIOLOGICAL: What works within the body.
        MAGICAL: What magic does.
        MENTAL: What strikes the mind.
    """

    PHYSICAL = "physical"
    ELEMENTAL = "elemental"
    PHYSIOLOGICAL = "physiological"
    MAGICAL = "magical"
    MENTAL = "mental"


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageType:
    """A type of damage.

    Attributes:
        id: Content id.
        name: The word for people.
        group: The group that it belongs to.
    """

    id: str
    name: str
    group: DamageGroup


class ConditionGroup(Enum):
    """The headings conditions stand under.

    Attributes:
        ACTION: What one can do.
        ENERGY: What energy one has.
        MOVEMENT: How one can move.
        PHYSICAL: What happens to the body.
        SENSORY: What one perceives.
        VISIBILITY: What can be seen.
    """

    ACTION = "action"
    ENERGY = "energy"
    MOVEMENT = "movement"
    PHYSICAL = "physical"
    SENSORY = "sensory"
    VISIBILITY = "visibility"


class ConditionKind(Enum):
    """How a condition comes and goes.

    Attributes:
        SITUATIONAL: It lasts as long as the situation does.
        ONGOING: It lasts until something ends it.
        ENFORCED: It lasts as long as it is kept up.
        AREA: It lasts as long as one stays where it is.
    """

    SITUATIONAL = "situational"
    ONGOING = "ongoing"
    ENFORCED = "enforced"
    AREA = "area"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition and its figures (Conditions; rulings section 2). Dice lost never go below one die.

    Attributes:
        id: Content id.
        name: The word for people.
        group: The heading that it stands under.
        kinds: How it usually comes and goes.
        summary: What it is, in plain words.
        action_energy: Further energy for each action and reaction but Shake It Off.
        segment_energy: Further energy for each segment of movement (5 feet walked, 10 run).
        pd: Dice of PD against any attack.
        pd_melee: Further dice of PD against melee attacks.
        pd_ranged: Further dice of PD against ranged attacks from afar.
        pd_martial: Further dice of PD against martial attacks.
        defense_non_area: Dice of any defense against attacks that are no area attacks.
        defense: Dice of every defense.
        attack: Dice of attacks.
        attack_melee: Further dice of melee attacks.
        stealth: Dice of Agility (Stealth).
        sight_tests: Dice of tests and attacks that go by sight.
        hearing_tests: Dice of Perception that goes partly by hearing.
        regained: How many of the highest attributes are regained; None for three.
        bonus_energy: Whether the highest attribute comes on top as bonus energy when energy is regained.
        expend: Energy expended at the start of each turn.
        immobile: Whether one cannot move of one's own will.
        barred: Whether nothing can be done but to end it.
        no_running: Whether one cannot run.
        stand_energy: Energy to end it.
        fewer_successes: Successes lost, though one stays.
        halved: Whether damage and successes are halved, rounded up.
    """

    id: str
    name: str
    group: ConditionGroup
    kinds: tuple[ConditionKind, ...]
    summary: str
    action_energy: int = 0
    segment_energy: int = 0
    pd: int = 0
    pd_melee: int = 0
    pd_ranged: int = 0
    pd_martial: int = 0
    defense_non_area: int = 0
    defense: int = 0
    attack: int = 0
    attack_melee: int = 0
    stealth: int = 0
    sight_tests: int = 0
    hearing_tests: int = 0
    regained: int | None = None
    bonus_energy: bool = False
    expend: int = 0
    immobile: bool = False
    barred: bool = False
    no_running: bool = False
    stand_energy: int = 0
    fewer_successes: int = 0
    halved: bool = False


class Realism(Enum):
    """One axis of the genres.

    Attributes:
        FANTASY: Fantasy.
        HYBRID: In between.
        REALISTIC: Realistic.
    """

    FANTASY = "fantasy"
    HYBRID = "hybrid"
    REALISTIC = "realistic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Genre:
    """A genre and what the book changes for it (Genres And Worlds).

    Attributes:
        id: Content id.
        name: The word for people.
        realism: How realistic it is.
        eras: Equipment that fits.
        summary: What it is, in plain words.
        themes: What stories of it are about.
        abundant: What there is much of.
        rare: What there is little of.
        absent: What there is none of.
        tweaks: What is played differently, in plain words.
        rules: The same as house rules, as far as they are figures; None without any.
        adds: Content ids of optional skills that it switches on.
    """

    id: str
    name: str
    realism: Realism
    eras: tuple[Era, ...]
    summary: str
    themes: tuple[str, ...] = ()
    abundant: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    tweaks: tuple[str, ...] = ()
    rules: HouseRules | None = None
    adds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardStage:
    """What the next failed test against a hazard brings.

    Attributes:
        conditions: Content ids.
        dying: Whether health falls to -1, if it is not below, and the character is dying.
    """

    conditions: tuple[str, ...] = ()
    dying: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardLevel:
    """A strength in which a hazard comes.

    Attributes:
        name: "Moderate fire", "Overhang".
        difficulty: What a die must reach; None for the hazard's own.
        required: Successes needed.
        damage: Damage; None where there is none of its own.
        attack_dice: Dice it attacks with; None where it does not.
    """

    name: str
    difficulty: int | None = None
    required: int = 1
    damage: int | None = None
    attack_dice: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """An environmental hazard (Environmental Hazards).

    Attributes:
        id: Content id.
        name: The word for people.
        summary: What it is, in plain words.
        tests: What is rolled against it; any of these.
        difficulty: What a die must reach; None where it depends on the level, or nothing is rolled.
        interval_seconds: How often the test is made; None when once.
        feet_per_success: Feet that each success gains.
        feet_per_damage: Feet of a fall for each damage.
        reduces: Damage that each success takes away.
        fringe_pd: PD dice at the fringe.
        levels: Strengths in which it comes.
        stages: What each failure brings, one after another.
        automatic: Days after which the first, second ... test fails by itself; empty without.
    """

    id: str
    name: str
    summary: str
    tests: tuple[SkillPair, ...] = ()
    difficulty: int | None = None
    interval_seconds: int | None = None
    feet_per_success: int = 0
    feet_per_damage: int = 0
    reduces: int = 0
    fringe_pd: int = 0
    levels: tuple[HazardLevel, ...] = ()
    stages: tuple[HazardStage, ...] = ()
    automatic: tuple[int, ...] = ()


class TransportKind(Enum):
    """What carries people.

    Attributes:
        MOUNT: An animal that is ridden.
        WATER: A boat or ship.
        VEHICLE: A vehicle on land.
    """

    MOUNT = "mount"
    WATER = "water"
    VEHICLE = "vehicle"


class Hull(Enum):
    """How the weather on water takes a craft.

    Attributes:
        ROWBOAT: What is rowed.
        SAILBOAT: What is sailed.
        MOTORIZED: What has a motor.
    """

    ROWBOAT = "rowboat"
    SAILBOAT = "sailboat"
    MOTORIZED = "motorized"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport:
    """A mount, boat or vehicle (Travel). Speeds in miles an hour.

    Attributes:
        id: Content id.
        name: The word for people.
        kind: What kind it is.
        speed: Walking, or normal speed.
        faster: Faster gaits or double speed, slowest first, with their names in `gaits`.
        gaits: Names of all speeds: "walk", "trot", "canter", "gallop"; "normal", "double".
        day: Miles that the book gives for ten hours.
        hull: What the weather on water takes it for; None on land.
        minutes: How long each faster gait is kept up; 0 where the book gives no time. Empty: none at all.
    """

    id: str
    name: str
    kind: TransportKind
    speed: float
    faster: tuple[float, ...]
    gaits: tuple[str, ...]
    day: int
    hull: Hull | None = None
    minutes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """What ground leaves of full speed, in percent; None where one cannot go (Terrain Effects).

    Attributes:
        id: Content id.
        name: The word for people.
        foot: On foot; null where one cannot go.
        mounted: On a mount; null where it cannot go.
        vehicle: By vehicle; null where it cannot go.
    """

    id: str
    name: str
    foot: int | None = None
    mounted: int | None = None
    vehicle: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """What weather leaves of full speed on land, in percent (Weather Effects).

    Attributes:
        id: Content id.
        name: The word for people.
        animal: For mounts and walkers.
        motorized: For what has a motor.
    """

    id: str
    name: str
    animal: int
    motorized: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterWeather:
    """What weather and current leave of a craft's speed, in percent; 200 doubles it.

    Attributes:
        id: Content id.
        name: The word for people.
        rowboat: For what is rowed.
        sailboat: For what is sailed.
        motorized: For what has a motor.
    """

    id: str
    name: str
    rowboat: int
    sailboat: int
    motorized: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """How long a character of some Stamina can run (On Foot).

    Attributes:
        id: Content id.
        name: The word for people.
        stamina: Rating; the last row holds for any higher one (R-97).
        minutes: How long.
    """

    id: str
    name: str
    stamina: int
    minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeUse:
    """What an attribute test is good for (Running Attribute Tests / Appropriate Attributes).

    Attributes:
        id: Content id.
        name: In plain words: "Climb up a rope".
        attribute: The attribute that is tested.
        skills: Content ids of skills that help, general or martial.
        field: For a skill that is learned by field; empty otherwise.
    """

    id: str
    name: str
    attribute: Attribute
    skills: tuple[str, ...]
    field: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disposition:
    """What a person thinks of who asks a favour (Resolving Influence Tests).

    Attributes:
        id: Content id.
        name: The word for people.
        step: 0 for the friendliest to 4.
        summary: What it is, in plain words.
        also: The word of the table for it; empty where it is the same.
    """

    id: str
    name: str
    step: int
    summary: str
    also: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Magnitude:
    """How much is asked (Resolving Influence Tests).

    Attributes:
        id: Content id.
        name: The word for people.
        step: 0 for a trifle to 4.
        summary: What it is, in plain words.
    """

    id: str
    name: str
    step: int
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A kind of character to draw by chance.

    Attributes:
        id: Content id.
        name: The word for people.
        summary: What it is, in plain words.
        eras: The eras that it fits.
        species: Content ids of species that fit, the likeliest first.
        attributes: What matters most, first.
        general: Content ids of general skills that fit, what matters most first.
        martial: Content ids of martial skills, what matters most first.
        traits: Content ids of traits it buys.
        spells: Content ids of spells, what matters most first.
        equipment: Content ids of what it carries.
    """

    id: str
    name: str
    summary: str
    eras: tuple[Era, ...]
    species: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    general: tuple[str, ...]
    martial: tuple[str, ...]
    traits: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words to draw a character from by chance.

    Attributes:
        names: Names.
        traits: Marks of a personality.
        origins: Where one comes from.
        codes: What one lives by.
        goals: What one is after.
    """

    names: tuple[str, ...]
    traits: tuple[str, ...]
    origins: tuple[str, ...]
    codes: tuple[str, ...]
    goals: tuple[str, ...]
