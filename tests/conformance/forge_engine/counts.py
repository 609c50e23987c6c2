"""Cases that count content; what is optional, and off unless a table switches it on, is never counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import slug_of
from services.rules.systems.forge_engine.skills import MartialKind
from services.rules.systems.forge_engine.traits import TraitCategory
from services.rules.systems.forge_engine.world import TransportKind
from tests.conformance.forge_engine.reading import (
    CATALOG,
    Answer,
    Given,
    look_up,
    squeezed,
    words,
)

Entries = Callable[[], Iterable[Any]]


def _martial(kind: MartialKind) -> Entries:
    return lambda: (skill for skill in CATALOG.martial if skill.kind is kind)


def _traits(category: TraitCategory) -> Entries:
    return lambda: (trait for trait in CATALOG.traits if trait.category is category)


def _transports(kind: TransportKind) -> Entries:
    return lambda: (transport for transport in CATALOG.transports if transport.kind is kind)


_LISTS: Mapping[str, Entries] = {
    "traits": lambda: CATALOG.traits,
    **{f"{category.value}traits": _traits(category) for category in TraitCategory},
    "species": _traits(TraitCategory.SPECIES),
    "sizes": _traits(TraitCategory.SIZE),
    "generalskills": lambda: CATALOG.skills,
    "martialskills": lambda: CATALOG.martial,
    "basicmartialskills": _martial(MartialKind.BASIC),
    "specializedmartialskills": _martial(MartialKind.SPECIALIZED),
    "specializedmartial": _martial(MartialKind.SPECIALIZED),
    "specializedskills": _martial(MartialKind.SPECIALIZED),
    "specialisedmartialskills": _martial(MartialKind.SPECIALIZED),
    "schools": lambda: CATALOG.schools,
    "magicschools": lambda: CATALOG.schools,
    "spells": lambda: CATALOG.spells,
    "magicskills": lambda: CATALOG.spells,
    "cantrips": lambda: (spell for spell in CATALOG.spells if spell.school is None),
    "damagetypes": lambda: CATALOG.damage,
    "conditions": lambda: CATALOG.conditions,
    "adversarytemplates": lambda: CATALOG.adversaries,
    "adversaries": lambda: CATALOG.adversaries,
    "templates": lambda: CATALOG.adversaries,
    **dict.fromkeys(("samples", "samplecharacters", "characterbuildsamples"), lambda: CATALOG.samples),
    "equipment": lambda: CATALOG.equipment,
    "equipmentrows": lambda: CATALOG.equipment,
    "equipmenttables": lambda: CATALOG.tables,
    "genres": lambda: CATALOG.genres,
    "hazards": lambda: CATALOG.hazards,
    "environmentalhazards": lambda: CATALOG.hazards,
    "transports": lambda: CATALOG.transports,
    "mounts": _transports(TransportKind.MOUNT),
    "watervehicles": _transports(TransportKind.WATER),
    "watercraft": _transports(TransportKind.WATER),
    "boats": _transports(TransportKind.WATER),
    "vehicles": _transports(TransportKind.VEHICLE),
    "terrains": lambda: CATALOG.terrains,
    "weather": lambda: CATALOG.weather,
    "waterweather": lambda: CATALOG.water_weather,
    "attributeuses": lambda: CATALOG.uses,
    "uses": lambda: CATALOG.uses,
    "dispositions": lambda: CATALOG.dispositions,
    "magnitudes": lambda: CATALOG.magnitudes,
}

_FILTERS = {
    "tag": "use",
    "use": "use",
    "type": "kind",
    "category": "category",
    "era": "era",
    "group": "group",
    "setting": "setting",
    "role": "role",
    "energy": "energy",
    "attribute": "attribute",
    "kind": "kind",
    "school": "school",
}
"""Keys by which a case narrows a list, and the field each means."""

_FIELDS = tuple(dict.fromkeys(_FILTERS.values()))


def counts(given: Given) -> Answer:
    """How many entries a list has, all of them or those that fit what a case asks for."""
    entries, narrower = _entries_called(str(given["list"]))
    fitting = [entry for entry in entries() if not getattr(entry, "optional", False)]
    for word in narrower:
        fitting = [entry for entry in fitting if any(_is(entry, field, word) for field in _FIELDS)]
    for key, field in _FILTERS.items():
        if key in given:
            fitting = [entry for entry in fitting if _is(entry, field, given[key])]
    return {"count": len(fitting)}


def _entries_called(name: str) -> tuple[Entries, tuple[str, ...]]:
    """A list by its name, with a word in it that narrows it: "Pyromancy spells", "modern equipment"."""
    spoken = words(name)
    for narrower in ((), *((word,) for word in spoken)):
        asked = "".join(word for word in spoken if word not in narrower)
        entries = _LISTS.get(asked) or _LISTS.get(f"{asked}s")
        if entries is not None:
            return entries, narrower
    raise UnsupportedCaseError(f"no list is called {name!r}")


def _is(entry: Any, field: str, wanted: Any) -> bool:
    value = getattr(entry, field, None)
    if field == "school":
        if squeezed(str(wanted)) in {"cantrip", "cantrips", "none"}:
            return value is None
        school = look_up(tuple(CATALOG.schools), str(wanted))
        return school is not None and bool(value == school.id)
    if field == "attribute" and value is None:
        values = getattr(entry, "attributes", ())
        return isinstance(values, tuple) and any(_same(one, wanted) for one in values)
    return _same(value, wanted)


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(value, int):
        return bool(value == wanted)
    plain = value.value if isinstance(value, Enum) else slug_of(str(value))
    own, asked = squeezed(str(plain)), squeezed(str(wanted))
    return own == asked or (len(asked) == len("STR") and own.startswith(asked))


AREAS: Mapping[str, Area] = {"counts": counts}
