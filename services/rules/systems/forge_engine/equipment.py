"""Armour, shields and weapons of three eras, as the tables have them (Equipment; rulings section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Era(Enum):
    """The three sets of equipment, each usable in the others (Equipment Compatibility)."""

    HISTORICAL = "historical"
    MODERN = "modern"
    SCIFI = "scifi"


class EquipmentKind(Enum):
    """What the things of a table are used for."""

    ARMOR = "armor"
    SHIELD = "shield"
    MELEE = "melee"
    FINESSE = "finesse"
    REACH = "reach"
    UNARMED = "unarmed"
    PROJECTILE = "projectile"
    """Bows, slings and crossbows."""
    THROWN = "thrown"
    EXPLOSIVE = "explosive"
    FIREARM = "firearm"
    """Guns and energy weapons."""


class FireMode(Enum):
    """The codes of fire modes."""

    SINGLE_SHOT = "SS"
    SEMI_AUTO = "SA"
    BURST = "BF"
    FULL_AUTO = "FA"
    BLAST = "BL"


class Loading(Enum):
    """The codes of how a gun is loaded."""

    REVOLVER = "RV"
    BOLT_ACTION = "BA"
    LEVER_ACTION = "LA"
    PUMP_ACTION = "PA"
    BREAK_ACTION = "BR"


class Arming(Enum):
    """The codes of how an explosive is set off (R-86)."""

    LIGHT_FUZE = "LF"
    PULL_PIN = "PP"
    IMPACT = "IT"


@dataclass(frozen=True, slots=True, kw_only=True)
class FireOption:
    """What a fire mode costs and gives beyond a plain shot (R-26).

    Attributes:
        mode: None for firing both barrels.
        energy: Further energy to spend.
        dice: Dice gained.
        arc: Width of the arc whose targets are all attacked, in plain words: "15-45 degrees"; empty for one.
        uses: Rounds or charges it takes.
    """

    name: str
    mode: FireMode | None
    energy: int
    dice: int
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
        single: Whether it loads one piece of ammunition; what Quick Load helps with either way.
    """

    name: str
    energy: int | None
    one_handed: int | None = None
    loading: Loading | None = None
    single: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentTable:
    """One table of the book, with what holds for all of its rows.

    Attributes:
        id: `forge_engine:equipment_table/historical-melee-weapons`.
        name: "Melee Weapons", as the book heads it.
        skills: Content ids of the martial skills; any of them helps.
        range_multiple: How many times their listed range its weapons reach; None for what is not aimed.
        equipped_multiple: The same with scope or support; None without.
        inside_penalty: Whether targets nearer than the least range gain PD dice.
        fire: Fire options; a weapon has those of its modes.
        supports: What steadies or sights its weapons.
        reloads: Ways of reloading.
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
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """One row of a table. A weapon for one or two hands has a row for each (R-118).

    Attributes:
        id: `forge_engine:equipment/historical-war-axe-2h`.
        name: "War Axe 2H": the row without range and codes.
        printed: The whole row as the book heads it: "Longbow Bow (10-300') 2H".
        table: Content id of its table.
        cost: Energy to spend; None for armour.
        rating: Dice it gives.
        base_only: Whether cost and rating are base figures to which Full-Auto must be added (R-24).
        hands: Hands needed.
        min_range: Nearest good range in feet; None for what is not aimed.
        max_range: Range in feet: one range increment.
        reach: Feet on top of one's reach.
        arming: How it is set off; None for what is no explosive.
        concussion: Whether it stuns in place of harming (R-85).
        agility_cap: Highest Agility in this armour; None for what is no armour.
        damage: Content ids of the damage types it may deal; empty for armour and shields.
        holds: Rounds or charges in it, at most; None where the book does not say or none are needed.
        summary: A word about it; may be empty.
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
    agility_cap: int | None = None
    damage: tuple[str, ...] = ()
    holds: int | None = None
    summary: str = ""
