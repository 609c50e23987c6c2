"""What things of the equipment tables do: ratings, reloading, reach and range, explosions, shots, prices.

Figures stand in `content/equipment_tables.toml` and `content/equipment.toml`; what holds for all weapons
alike (externalities, R-27) stands here. Distances are feet.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from services.rules.engine.content import content_id
from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine.bounds import MOST, out_of_bounds
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.equipment import (
    Equipment,
    EquipmentKind,
    EquipmentTable,
    FireMode,
    FireOption,
    Reload,
    Support,
)
from services.rules.systems.forge_engine.settings import TableSettings

SOFT_GLOVES = frozenset(
    content_id(SLUG, "equipment", slug) for slug in ("modern-boxing-gloves", "scifi-sparring-gloves")
)
"""Rows whose rating the text has lost and a table may decide (R-04)."""

ARM = 5
"""How far a body of common size reaches."""

STUNNING = 3
"""Successes that stun where fewer daze."""

STEADYING = frozenset(("Braced", "Tripod"))
"""Supports that a gun rests on; what is only sighted is fired from the hand all the same."""

INSIDE_DICE = 2
INCREMENT_DICE = 2
RELOADING = "Reload"
RANGES = "Externalities / Ranged Attacks"
PRICES = "Buying Equipment"
BOTH_HANDS = 2
FARTHEST = 1_000_000


def table_of(catalog: Catalog, item: Equipment) -> EquipmentTable:
    """The table that a row stands in."""
    return catalog.tables[item.table]


def rating_of(settings: TableSettings, item: Equipment) -> int:
    """The dice of a thing at a table: its rating, but for soft gloves (R-04)."""
    return settings.soft_gloves_rating if item.id in SOFT_GLOVES else item.rating


# Reloading


def reload_ways(catalog: Catalog, item: Equipment) -> tuple[Reload, ...]:
    """The ways in which a weapon is reloaded, in the order of its table.

    A gun of single shots has no magazine to swap or fill. A row that does not say how its gun is loaded (a
    gauge of shotguns) may be loaded in any way.
    """
    ways = table_of(catalog, item).reloads
    if FireMode.SINGLE_SHOT in item.modes:
        return tuple(way for way in ways if FireMode.SINGLE_SHOT in way.modes)
    open_choice = item.loading is None and not item.modes
    return tuple(
        way
        for way in ways
        if open_choice
        or (
            (way.loading is None or way.loading is item.loading)
            and (not way.modes or set(way.modes) & set(item.modes))
        )
    )


def reload_energy(
    item: Equipment, way: Reload, *, pieces: int = 1, hands: int = BOTH_HANDS, quick_load: int = 0
) -> Explained | Problems:
    """Energy to reload in one round (R-26; Quick Load, R-11).

    Args:
        item: The weapon.
        way: One of its ways.
        pieces: How many pieces of ammunition are loaded; more than one only where the way loads single ones.
        hands: Hands that are free for it.
        quick_load: Rating of Quick Load: so many pieces cost 1 less.

    Returns:
        A problem where the hands do not do, or a number is out of bounds.
    """
    problems = list(
        out_of_bounds(
            {
                "pieces": (pieces, 1, MOST if way.single else 1),
                "hands": (hands, 1, BOTH_HANDS),
                "quick_load": (quick_load, 0, MOST),
            },
            RELOADING,
        )
    )
    one_handed = hands < BOTH_HANDS
    if one_handed and (way.one_handed is None or item.hands >= BOTH_HANDS):
        problems.append(
            RuleProblem(
                "reload_needs_both_hands",
                "This takes both hands to reload.",
                RELOADING,
                ("hands",),
                hands,
                BOTH_HANDS,
            )
        )
    if problems:
        return Problems(tuple(problems))
    # A crossbow takes as much energy as it holds.
    each = item.rating if way.energy is None else way.energy
    if one_handed and way.one_handed is not None:
        each = way.one_handed
    cost = Explained.of(Part(each * pieces, way.name if pieces == 1 else f"{way.name}: {pieces}", RELOADING))
    saved = min(pieces, quick_load) if each else 0
    return cost.plus(-saved, "Quick Load", "Quick Load") if saved else cost


# Reach and range


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """What a distance means for a weapon.

    Attributes:
        in_range: Whether it can attack so far at all.
        farthest: The farthest that it can.
        increments: Whole and begun ranges beyond its own (R-88).
        inside: Whether the target is nearer than is good for it.
        pd_dice: Dice that the target's PD gains.
    """

    in_range: bool
    farthest: int
    increments: int
    inside: bool
    pd_dice: int


def farthest(catalog: Catalog, item: Equipment, *, equipped: bool = False, arm: int = ARM) -> int:
    """How far a weapon attacks: some times its range, or as far as arm and weapon reach.

    Args:
        catalog: Where its table stands.
        item: The weapon.
        equipped: Whether it is sighted or supported, which some need for their full range.
        arm: Reach of the body that wields it.
    """
    if item.max_range is None:
        return arm + item.reach
    table = table_of(catalog, item)
    multiple = table.equipped_multiple if equipped and table.equipped_multiple else table.range_multiple
    return item.max_range * (multiple or 1)


def shot(
    catalog: Catalog, item: Equipment, distance: int, *, equipped: bool = False, arm: int = ARM
) -> Shot | Problems:
    """What a distance means for a weapon (R-27, R-87, R-88).

    Returns:
        A problem for a distance below 0, or for things other than weapons.
    """
    table = table_of(catalog, item)
    problems = list(out_of_bounds({"distance": (distance, 0, FARTHEST), "arm": (arm, 0, MOST)}, RANGES))
    if table.kind in {EquipmentKind.ARMOR, EquipmentKind.SHIELD}:
        problems.append(
            RuleProblem("item_not_a_weapon", f"{item.name} is no weapon.", RANGES, ("item",), item.id)
        )
    if problems:
        return Problems(tuple(problems))
    limit = farthest(catalog, item, equipped=equipped, arm=arm)
    in_range = distance <= limit
    if item.max_range is None:
        inside = table.inside_penalty and distance <= arm
        increments = 0
    else:
        inside = table.inside_penalty and distance < (item.min_range or 0)
        increments = range_increments(item.max_range, distance) if in_range else 0
    pd_dice = (INSIDE_DICE if inside else 0) + INCREMENT_DICE * increments
    return Shot(in_range=in_range, farthest=limit, increments=increments, inside=inside, pd_dice=pd_dice)


def range_increments(max_range: int, distance: int) -> int:
    """Ranges begun beyond the first: none up to `max_range`, one up to twice as far (R-88)."""
    return max(0, -(-distance // max_range) - 1)


# Explosives


def blast_radius(catalog: Catalog, item: Equipment) -> int | None:
    """Feet round the burst in which everybody is attacked; None for what does not explode (R-86)."""
    feet = table_of(catalog, item).blast_feet
    return None if feet is None else feet * item.rating


def arming_energy(catalog: Catalog, item: Equipment) -> int | None:
    """Energy to set an explosive off before it is thrown; None for things other than explosives (R-86)."""
    if item.arming is None:
        return None
    return next(way.energy for way in table_of(catalog, item).arming if way.arming is item.arming)


CONCUSSION = tuple(content_id(SLUG, "condition", slug) for slug in ("dazed", "stunned"))
"""What a concussion lays (R-85)."""


def lays(item: Equipment) -> tuple[str, ...]:
    """Content ids of what a weapon lays in place of harm: by few successes, by many; none where it harms."""
    return CONCUSSION if item.concussion else item.conditions


def laid(item: Equipment, successes: int) -> str | None:
    """Content id of the condition that a weapon's successes lay in place of harm; None for a miss."""
    found = lays(item)
    return found[-1 if successes >= STUNNING else 0] if found and successes > 0 else None


# Shots


def fire_options(catalog: Catalog, item: Equipment) -> tuple[FireOption, ...]:
    """What a weapon may do beyond a plain shot: the options of its modes, and those that go by no mode."""
    return tuple(
        option for option in table_of(catalog, item).fire if option.mode is None or option.mode in item.modes
    )


def fired_with(catalog: Catalog, item: Equipment, option: FireOption | None = None) -> FireOption | None:
    """The option that a weapon is fired with: what has base figures knows full-auto only (R-24)."""
    if option is None and item.base_only:
        return next((one for one in fire_options(catalog, item) if one.mode is FireMode.FULL_AUTO), None)
    return option


def supports(catalog: Catalog, item: Equipment, mode: FireMode | None = None) -> tuple[Support, ...]:
    """What steadies or sights a weapon, all of it or what helps in one mode."""
    return tuple(
        support
        for support in table_of(catalog, item).supports
        if mode is None or not support.modes or mode in support.modes
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponUse:
    """Energy to spend and dice gained for one use of a weapon, before any energy is added."""

    energy: Explained
    dice: Explained


def weapon_use(
    catalog: Catalog,
    settings: TableSettings,
    item: Equipment,
    option: FireOption | None = None,
    *,
    steady: bool = True,
) -> WeaponUse:
    """What one attack with a weapon costs and adds, with or without a fire option.

    What has base figures only fires full-auto: that is added in any case (R-24). A sniper rifle that is not
    `steady`, that is fired without a rest, a bipod or tripod, costs double.
    """
    table = table_of(catalog, item)
    rule = table.name
    option = fired_with(catalog, item, option)
    energy = Explained.of(Part(item.cost or 0, item.name, rule))
    if not steady and table.handheld_cost > 1:
        energy = energy.plus((table.handheld_cost - 1) * (item.cost or 0), "fired from the hand", rule)
    dice = Explained.of(Part(rating_of(settings, item), item.name, rule))
    if option is None:
        return WeaponUse(energy=energy, dice=dice)
    return WeaponUse(
        energy=energy.plus(option.energy, option.name, "R-26"),
        dice=dice.plus(option.dice, option.name, "R-26"),
    )


# Prices


def price(settings: TableSettings, cost: int | None, rating: int, weighting: int = 0) -> int | None:
    """What a thing is worth in dollars: the ratio of rating to cost, times so much (R-115).

    Args:
        settings: What a ratio of 1 is worth.
        cost: Energy to spend.
        rating: Dice it gives.
        weighting: What the game master adds to the rating for special features, such as fire modes.

    Returns:
        Whole dollars, half a dollar up; None for what costs no energy, since there is no ratio then.
    """
    if not cost:
        return None
    return floor(Fraction((rating + weighting) * settings.ratio_dollars, cost) + Fraction(1, 2))
