"""Armour, shields and weapons of three eras, as the tables have them (Equipment; rulings section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Era(Enum):
    """The three sets of equipment, each usable in the others (Equipment Compatibility).

    Attributes:
        HISTORICAL: Ancient to early modern.
        MODERN: Of our time.
        SCIFI: Of the future.
    """

    HISTORICAL = "historical"
    MODERN = "modern"
    SCIFI = "scifi"


class EquipmentKind(Enum):
    """What the things of a table are used for.

    Attributes:
        ARMOR: Armour.
        SHIELD: Shields.
        MELEE: Weapons for close combat.
        FINESSE: Light weapons that are led by skill.
        REACH: Weapons with a long reach.
        UNARMED: Gloves and the like, for fighting without weapons.
        PROJECTILE: Bows, slings and crossbows.
        THROWN: Weapons that are thrown.
        EXPLOSIVE: What blows up.
        FIREARM: Guns and energy weapons.
    """

    ARMOR = "armor"
    SHIELD = "shield"
    MELEE = "melee"
    FINESSE = "finesse"
    REACH = "reach"
    UNARMED = "unarmed"
    PROJECTILE = "projectile"
    THROWN = "thrown"
    EXPLOSIVE = "explosive"
    FIREARM = "firearm"


class FireMode(Enum):
    """The codes of fire modes.

    Attributes:
        SINGLE_SHOT: One shot, then it is made ready again.
        SEMI_AUTO: A shot for each pull of the trigger.
        BURST: A few shots for each pull of the trigger.
        FULL_AUTO: Shots as long as the trigger is held.
        BLAST: Many pellets at once.
    """

    SINGLE_SHOT = "SS"
    SEMI_AUTO = "SA"
    BURST = "BF"
    FULL_AUTO = "FA"
    BLAST = "BL"


class Loading(Enum):
    """The codes of how a gun is loaded.

    Attributes:
        REVOLVER: A revolver.
        BOLT_ACTION: A bolt is worked by hand.
        LEVER_ACTION: A lever is worked by hand.
        PUMP_ACTION: A pump is worked by hand.
        BREAK_ACTION: It is broken open.
    """

    REVOLVER = "RV"
    BOLT_ACTION = "BA"
    LEVER_ACTION = "LA"
    PUMP_ACTION = "PA"
    BREAK_ACTION = "BR"


class Arming(Enum):
    """The codes of how an explosive is set off (R-86).

    Attributes:
        LIGHT_FUZE: A fuze is lit.
        PULL_PIN: A pin is pulled.
        IMPACT: It goes off where it hits.
    """

    LIGHT_FUZE = "LF"
    PULL_PIN = "PP"
    IMPACT = "IT"


@dataclass(frozen=True, slots=True, kw_only=True)
class FireOption:
    """What a fire mode costs and gives beyond a plain shot (R-26).

    Attributes:
        name: What it is called.
        energy: Further energy to spend.
        dice: Dice gained.
        mode: None for firing both barrels.
        arc: Width of the arc whose targets are all attacked, in plain words: "15-45 degrees"; empty for
            one.
        uses: Rounds or charges it takes.
    """

    name: str
    energy: int
    dice: int
    mode: FireMode | None = None
    arc: str = ""
    uses: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """Dice for steadying or sighting a gun (R-26).

    Attributes:
        name: "Braced", "Tripod", "Scope", "Laser sight".
        dice: Dice gained.
        modes: Only in these modes; empty for any.
    """

    name: str
    dice: int
    modes: tuple[FireMode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reload:
    """One way of making ready again (R-26).

    Attributes:
        name: "Swap magazine", "Load an arrow".
        energy: What it costs; None where it is the rating of the weapon (crossbows).
        one_handed: What it costs with one hand; None where that cannot be done.
        loading: Only for weapons loaded so; None for any of the table.
        modes: Only for weapons with one of these fire modes; empty for any.
        single: Whether it loads one piece of ammunition; what Quick Load helps with either way.
    """

    name: str
    energy: int | None = None
    one_handed: int | None = None
    loading: Loading | None = None
    modes: tuple[FireMode, ...] = ()
    single: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmingWay:
    """How explosives of a kind are set off, and the energy it takes (R-26, R-86).

    Attributes:
        arming: The way.
        name: What it is called.
        energy: Energy that it takes.
    """

    arming: Arming
    name: str
    energy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentTable:
    """One table of the book, with what holds for all of its rows.

    Attributes:
        id: `forge_engine:equipment_table/historical-melee-weapons`.
        name: "Melee Weapons", as the book heads it.
        era: The set of equipment that it belongs to.
        kind: What its things are used for.
        skills: Content ids of the martial skills; any of them helps, those of a genre where it is played.
        range_multiple: How many times their listed range its weapons reach; None for what is not aimed.
        equipped_multiple: The same with scope or support; None without.
        inside_penalty: Whether targets nearer than the least range gain PD dice.
        fire: Fire options; a weapon has those of its modes.
        supports: What steadies or sights its weapons.
        reloads: Ways of reloading.
        arming: Ways of setting explosives off.
        blast_feet: Feet of blast radius for each rating; None for what does not explode.
        handheld_cost: How many times its cost a weapon takes that is fired without a rest, a bipod or
            tripod.
        notes: What else holds for all of them, in plain words.
    """

    id: str
    name: str
    era: Era
    kind: EquipmentKind
    skills: tuple[str, ...]
    range_multiple: int | None = None
    equipped_multiple: int | None = None
    inside_penalty: bool = False
    fire: tuple[FireOption, ...] = ()
    supports: tuple[Support, ...] = ()
    reloads: tuple[Reload, ...] = ()
    arming: tuple[ArmingWay, ...] = ()
    blast_feet: int | None = None
    handheld_cost: int = 1
    notes: tuple[str, ...] = ()


class WeaponWeight(Enum):
    """How heavy a weapon is (Costing and Rating Custom Weapons).

    Attributes:
        SLIGHT: Less than a kilogram.
        LIGHT: About a kilogram.
        MODERATE: About two.
        HEAVY: About three.
        VERY_HEAVY: Four and more.
    """

    SLIGHT = "slight"
    LIGHT = "light"
    MODERATE = "moderate"
    HEAVY = "heavy"
    VERY_HEAVY = "very-heavy"


class WeaponEdge(Enum):
    """What a weapon strikes with (Costing and Rating Custom Weapons).

    Attributes:
        BLUNT: It bruises.
        SHARP: It cuts or stabs.
    """

    BLUNT = "blunt"
    SHARP = "sharp"


class WeaponGrip(Enum):
    """How a weapon is held, as far as that counts for its rating (Costing and Rating Custom Weapons).

    Attributes:
        ONE_HAND: In one hand, whether or not another could help.
        BOTH_HANDS: In two hands, though one would do.
        TWO_HANDED: In two hands, as it must be.
    """

    ONE_HAND = "one-hand"
    BOTH_HANDS = "both-hands"
    TWO_HANDED = "two-handed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponParts:
    """The parts of a weapon that its cost and rating are counted from (R-21).

    Attributes:
        weight: How heavy it is.
        edge: What it strikes with.
        grip: How it is held.
        thrown: Whether it is thrown or drawn.
        triggered: Whether it is set off by a trigger.
        ranged: Whether it strikes from afar.
        reach: Whether it strikes beyond one's reach.
        held_energy: Dice of the energy that it holds, as a crossbow does; the table is free to say how
            many.
    """

    weight: WeaponWeight
    edge: WeaponEdge = WeaponEdge.SHARP
    grip: WeaponGrip = WeaponGrip.ONE_HAND
    thrown: bool = False
    triggered: bool = False
    ranged: bool = False
    reach: bool = False
    held_energy: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggeredDice:
    """Dice that a weapon gives only at times (Custom Content / Magic Weapons).

    Attributes:
        dice: Dice gained.
        smallest: Content id of the smallest size of targets that it works on; None for any.
        biggest: Content id of the biggest size.
        species: Content ids of the species that it works on; empty for any.
        when: What else must hold, in plain words; empty where nothing must.
    """

    dice: int
    smallest: str | None = None
    biggest: str | None = None
    species: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """One row of a table. A weapon for one or two hands has a row for each (R-118).

    Attributes:
        id: `forge_engine:equipment/historical-war-axe-2h`.
        name: "War Axe 2H": the row without range and codes.
        printed: The whole row as the book heads it: "Longbow Bow (10-300') 2H".
        era: The set of equipment that it belongs to.
        table: Content id of its table.
        rating: Dice it gives.
        cost: Energy to spend; None for armour.
        base_only: Whether cost and rating are base figures to which Full-Auto must be added (R-24).
        hands: Hands needed.
        min_range: Nearest good range in feet; None for what is not aimed.
        max_range: Range in feet: one range increment.
        reach: Feet on top of one's reach.
        modes: Fire modes that it has.
        loading: How it is loaded; null where that does not matter.
        arming: How it is set off; None for all but explosives.
        concussion: Whether it stuns in place of harming (R-85).
        conditions: Content ids of what it lays in place of harm, one or two: by 1 or 2 successes, by more;
            none for what harms.
        agility_cap: Highest Agility in this armour; None for all but armour.
        damage: Content ids of the damage types it may deal; empty for armour and shields.
        holds: Rounds or charges in it, at most; None where the book does not say or none are needed.
        summary: A word about it; may be empty.
        parts: What its printed cost and rating are compared with; None where the costing table has no
            word.
        triggered: Dice that it gives only at times.
    """

    id: str
    name: str
    printed: str
    era: Era
    table: str
    rating: int
    cost: int | None = None
    base_only: bool = False
    hands: int = 1
    min_range: int | None = None
    max_range: int | None = None
    reach: int = 0
    modes: tuple[FireMode, ...] = ()
    loading: Loading | None = None
    arming: Arming | None = None
    concussion: bool = False
    conditions: tuple[str, ...] = ()
    agility_cap: int | None = None
    damage: tuple[str, ...] = ()
    holds: int | None = None
    summary: str = ""
    parts: WeaponParts | None = None
    triggered: tuple[TriggeredDice, ...] = ()
