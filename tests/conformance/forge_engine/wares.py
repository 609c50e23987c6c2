"""Cases of equipment: rows, counts, prices, reloading, ranges, explosives, shields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import wares
from services.rules.systems.forge_engine.equipment import (
    Equipment,
    EquipmentTable,
    Era,
    FireMode,
    Loading,
    Reload,
)
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, DefenseGiven
from services.rules.systems.forge_engine.pools.attack_pool import attack_pools
from tests.conformance.forge_engine.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    alternatives,
    find,
    first_of,
    look_up,
    sound,
    squeezed,
    words,
    written,
)

_LOADING_WORDS = {
    "revolver": Loading.REVOLVER,
    "bolt": Loading.BOLT_ACTION,
    "ba": Loading.BOLT_ACTION,
    "lever": Loading.LEVER_ACTION,
    "la": Loading.LEVER_ACTION,
    "pump": Loading.PUMP_ACTION,
    "pa": Loading.PUMP_ACTION,
    "break": Loading.BREAK_ACTION,
    "br": Loading.BREAK_ACTION,
    "barrel": Loading.BREAK_ACTION,
    "barrels": Loading.BREAK_ACTION,
    "barreled": Loading.BREAK_ACTION,
}
_WORDS = {"revolver": "handgun", "pistol": "handgun", "smg": "submachine", "double": "both"}
"""Words that the tables have others for."""

_STEM = 3
"""Letters that a word is known by."""


def _era(given: Given) -> Era | None:
    if "era" not in given:
        return None
    name = squeezed(given["era"])
    return next(era for era in Era if name.startswith(squeezed(era.value)[:5]))


def _tables(given: Given) -> tuple[EquipmentTable, ...]:
    era = _era(given)
    tables = tuple(table for table in CATALOG.tables if era in {None, table.era})
    if "table" not in given:
        return tables
    wanted = find(tables, given["table"]).name
    return tuple(table for table in tables if table.name == wanted)


def _rows(given: Given) -> tuple[Equipment, ...]:
    tables = {table.id for table in _tables(given)}
    return tuple(item for item in CATALOG.equipment if item.table in tables)


def item_in(given: Given) -> Equipment:
    """The row that a case names."""
    return find(_rows(given), first_of(given, "item", "weapon", "shield", "name", "equipment"))


def equipment(given: Given) -> Answer:
    """Everything that a row says."""
    item = item_in(given)
    table = wares.table_of(CATALOG, item)
    return {
        "name": item.name,
        "table": table.name,
        "era": item.era.value,
        "kind": table.kind.value,
        "cost": item.cost,
        "rating": wares.rating_of(SETTINGS, item),
        "base_only": item.base_only,
        "hands": item.hands,
        "two_handed": item.hands == wares.BOTH_HANDS,
        "range": None if item.max_range is None else [item.min_range, item.max_range],
        "range_ft": None if item.max_range is None else [item.min_range, item.max_range],
        "min_range_ft": item.min_range,
        "max_range_ft": item.max_range,
        "range_multiple": table.range_multiple,
        "reach_ft": item.reach,
        "modes": [mode.value for mode in item.modes],
        "loading": item.loading.value if item.loading else None,
        "arming": item.arming.value if item.arming else None,
        "agility_cap": item.agility_cap,
        "AGI_cap": item.agility_cap,
        "holds": item.holds,
        "skill": CATALOG.martial[table.skills[0]].name,
        "skills": [CATALOG.martial[skill].name for skill in table.skills if not _of_a_genre(skill)],
        "damage": [CATALOG.damage[damage].name for damage in item.damage],
    }


def _of_a_genre(skill: str) -> bool:
    return CATALOG.martial[skill].optional


def equipment_count(given: Given) -> Answer:
    """How many rows an era or a table has."""
    return {"rows": len(_rows(given)), "tables": len(_tables(given))}


def price(given: Given) -> Answer:
    """What a thing is worth."""
    if "cost" in given:
        cost, rating = given["cost"], given["rating"]
    else:
        item = item_in(given)
        cost, rating = item.cost, wares.rating_of(SETTINGS, item)
    weighting = first_of(given, "weighting", "weight", "extra_rating", default=0)
    dollars = wares.price(SETTINGS, cost, rating, weighting)
    return {
        "dollars": dollars,
        "ratio": float(written(Fraction(rating + weighting, cost))) if cost else None,
    }


def explosive(given: Given) -> Answer:
    """What an explosive does; a rating that a case gives counts for the blast."""
    item = item_in(given)
    radius = wares.blast_radius(CATALOG, item)
    if radius is None:
        raise UnsupportedCaseError(f"{item.name} does not explode")
    if "rating" in given and item.rating:
        radius = radius // item.rating * given["rating"]
    answer: Answer = {
        "blast_radius_ft": radius,
        "arming_energy": wares.arming_energy(CATALOG, item),
        "cost": item.cost,
        "rating": item.rating,
        "deals_damage": bool(item.damage),
    }
    if item.concussion and "successes" in given:
        condition = wares.laid(item, given["successes"])
        answer |= {"damage": 0, "condition": CATALOG.conditions[condition].name if condition else None}
    return answer


def weapon_range(given: Given) -> Answer:
    """What a distance means for a weapon; a thing that can be thrown or held is taken for thrown."""
    wanted = first_of(given, "weapon", "item")
    aimed = tuple(item for item in _rows(given) if item.max_range is not None)
    item = look_up(aimed, wanted) or find(_rows(given), wanted)
    equipped = any(given.get(key) for key in ("equipped", "equipment", "scope", "support", "tripod"))
    limit = wares.farthest(CATALOG, item, equipped=equipped)
    answer: Answer = {"max_ft": limit, "max_range_ft": limit, "max_distance_ft": limit}
    if "distance_ft" in given or "distance" in given:
        distance = first_of(given, "distance_ft", "distance")
        shot = sound(wares.shot(CATALOG, item, distance, equipped=equipped))
        answer |= {"in_range": shot.in_range, "increments": shot.increments, "inside": shot.inside}
        answer |= dict.fromkeys(("pd_bonus", "PD_bonus", "pd_dice", "defense_dice"), shot.pd_dice)
    return answer


def reload(given: Given) -> Answer:
    """Energy to reload a weapon, or a kind of weapon, in one of its ways."""
    asked = str(first_of(given, "way", "what", "method", "action", "reload", "kind", default=""))
    if given.get("barrels") == wares.BOTH_HANDS:
        asked += " both barrels"
    item, way = _row_and_way(str(given["weapon"]), asked, given)
    quick = first_of(given, "quick_load", "Quick Load", default=given.get("skills", {}).get("Quick Load", 0))
    energy = wares.reload_energy(
        item,
        way,
        pieces=first_of(given, "pieces", "bullets", "rounds", "shells", "count", default=1),
        hands=given.get("hands", wares.BOTH_HANDS),
        quick_load=int(quick),
    )
    if isinstance(energy, Problems):
        return {"energy": None, "possible": False}
    return {"energy": energy.value, "possible": True}


def _row_and_way(weapon: str, asked: str, given: Given) -> tuple[Equipment, Reload]:
    """A row and the way to reload it: of the row of that name, or of what "bolt-action rifle" means."""
    rows = tuple(item for item in _rows(given) if wares.table_of(CATALOG, item).reloads)
    named = look_up(rows, weapon)
    if named is not None and squeezed(weapon) in {
        squeezed(title) for title in (named.printed, *alternatives(named.name))
    }:
        return named, _likest(wares.reload_ways(CATALOG, named), asked)
    phrase = f"{weapon} {asked}"
    tables = {item.table: wares.table_of(CATALOG, item) for item in rows}.values()
    best = max(_table_fit(table, phrase) for table in tables)
    if named is not None and not best[0]:
        return named, _likest(wares.reload_ways(CATALOG, named), asked)
    fitting = [table for table in tables if _table_fit(table, phrase) == best]
    loaded = any(_way_fit(way, phrase)[0] for one in fitting for way in one.reloads)
    if named is not None and not loaded and named.table in {one.id for one in fitting}:
        return named, _likest(wares.reload_ways(CATALOG, named), asked)
    table = max(fitting, key=lambda one: max(_way_fit(way, phrase) for way in one.reloads))
    way = _likest(table.reloads, phrase)
    if not best[0] and not any(_way_fit(way, phrase)):
        raise UnsupportedCaseError(f"nothing is called {weapon!r}")
    return next(item for item in rows if item.table == table.id), way


def _spoken(phrase: str) -> tuple[str, ...]:
    """The words of a phrase, in those of the tables."""
    return tuple(_WORDS.get(word, word) for word in words(phrase))


def _table_fit(table: EquipmentTable, phrase: str) -> tuple[int, int]:
    """How many words of a table's name a phrase has, then how few it lacks."""
    # Each two of them as one as well: a "machine gun" is a machinegun.
    spoken = (*_spoken(phrase), *(first + second for first, second in pairwise(words(phrase))))
    own = [word for word in words(table.name) if word not in {"weapons", "and"}]
    said = sum(any(_alike(word, other) for other in spoken) for word in own)
    return said, said - len(own)


def _way_fit(way: Reload, phrase: str) -> tuple[bool, int]:
    """Whether a phrase says how the gun is loaded, then how many words it shares with the way's name."""
    spoken = _spoken(phrase)
    loadings = {_LOADING_WORDS[word] for word in words(phrase) if word in _LOADING_WORDS}
    single_shot = FireMode.SINGLE_SHOT in way.modes and {"single", "shot"} <= set(spoken)
    shared = sum(any(_alike(word, other) for other in words(way.name)) for word in spoken)
    return way.loading in loadings or single_shot, shared


def _likest(ways: Iterable[Reload], phrase: str) -> Reload:
    return max(ways, key=lambda way: _way_fit(way, phrase))


def _alike(word: str, other: str) -> bool:
    """Whether two words are the same or one the beginning of the other: "mag" and "magazine"."""
    return min(len(word), len(other)) >= _STEM and (word.startswith(other) or other.startswith(word))


BUCKLER = "forge_engine:equipment/historical-buckler"
"""The row that a shield of a case takes the place of, with its own figures."""


def shield(given: Given) -> Answer:
    """A shield against several attacks."""
    held = given["shield"]
    if isinstance(held, str):
        row = item_in(given)
        held = {"cost": row.cost, "rating": row.rating}
    able = (first_of(given, key) for key in ("STR", "shield_training", "Shield Training"))
    trained = given.get("trained", all(value is None or value >= held["rating"] for value in able))
    row = replace(CATALOG.equipment[BUCKLER], cost=held["cost"], rating=held["rating"])
    entries = MappingProxyType({**CATALOG.equipment.entries, row.id: row})
    catalog = replace(CATALOG, equipment=replace(CATALOG.equipment, entries=entries))
    attack = AttackGiven(attribute=1, rating=1)
    found = []
    for number in range(given.get("attacks", 1)):
        up = number > 0 and given.get("paid_once", True)
        target = DefenseGiven(dice=given.get("PD", 1), shield=row.id, shield_trained=trained, shield_up=up)
        found.append(attack_pools(attack, target, catalog))
    pools = [one.defense.value for one in found]
    return {
        "pools": pools,
        "pool": pools[0] if pools else given.get("PD", 1),
        "energy": sum(one.defense_energy.value for one in found),
    }


AREAS: Mapping[str, Area] = {
    "equipment": equipment,
    "equipment_count": equipment_count,
    "explosive": explosive,
    "price": price,
    "range": weapon_range,
    "reload": reload,
    "shield": shield,
}
