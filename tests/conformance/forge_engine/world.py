"""Cases of the game master's tables: templates, travel, influence, encounters, rewards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.awards import Deeds, award, bonus_earned, bonus_target
from services.rules.systems.forge_engine.encounters import weigh
from services.rules.systems.forge_engine.influence import required_successes
from services.rules.systems.forge_engine.settings import HouseRules
from services.rules.systems.forge_engine.travel import RUN, WALK, Going, Traveller, party_pace
from services.rules.systems.forge_engine.world import Transport, TransportKind
from tests.conformance.forge_engine.reading import (
    CATALOG,
    SETTINGS,
    Answer,
    Given,
    find,
    first_of,
    plain_number,
    sound,
    written,
)

FAST_SESSION_CP = 3

_ENERGY_OF = 3
"""Attributes that make the maximum energy."""


# Adversary templates


def template(given: Given) -> Answer:
    """A block's figures; worked out anew where a case gives it other attributes (R-64)."""
    block = find(CATALOG.adversaries, given["template"])
    energy, health, md = block.energy, block.health, block.md
    attributes = _attributes(given["attributes"]) if "attributes" in given else block.attributes
    if attributes != block.attributes:
        energy = sum(attributes.of(one) for one in attributes.highest(_ENERGY_OF))
        health += 2 * (attributes.stamina - block.attributes.stamina)
        md = attributes.of(attributes.middle_mental())
    return {
        "energy": energy,
        "health": health,
        "PD": block.pd,
        "MD": md,
        "armor": block.armor,
        "attributes": {one.short: rating for one, rating in attributes.ratings()},
        "skills": {_skill_name(skill.skill, skill.field): skill.rating for skill in block.skills},
        "attacks": [f"{attack.cost}/{attack.rating}" for attack in block.attacks],
        "max_attacks": [f"{attack.max_cost}/{attack.max_dice}" for attack in block.attacks],
    }


def _attributes(ratings: Mapping[str, int]) -> Attributes:
    return Attributes(**{_attribute(name).value: rating for name, rating in ratings.items()})


def _attribute(name: str) -> Attribute:
    return next(one for one in Attribute if name.upper() in {one.short, one.label.upper()})


def _skill_name(skill: str, field: str) -> str:
    for shelf in (CATALOG.martial, CATALOG.skills, CATALOG.spells):
        if skill in shelf:
            return f"{shelf[skill].name} ({field})" if field else str(shelf[skill].name)
    raise UnsupportedCaseError(f"no skill {skill!r}")


# Travel

_CARRIERS = {
    "mount": (TransportKind.MOUNT,),
    "boat": (TransportKind.WATER,),
    "ship": (TransportKind.WATER,),
    "craft": (TransportKind.WATER,),
    "water_vehicle": (TransportKind.WATER,),
    "vehicle": (TransportKind.VEHICLE, TransportKind.WATER, TransportKind.MOUNT),
    "transport": tuple(TransportKind),
}

_GAITS = {"foot": WALK, "on foot": WALK, "sprint": RUN, "running": RUN, "walking": WALK}


def travel(given: Given) -> Answer:
    """How fast a traveller or a party goes."""
    members = first_of(given, "party", "group", "members", default=None)
    riders = [
        {**given, **one} if isinstance(one, dict) else {**given, "STA": one} for one in members or [given]
    ]
    travellers = tuple(_traveller(rider) for rider in riders)
    afloat = any(one.transport and CATALOG.transports[one.transport].hull for one in travellers)
    skies: Any = first_of(given, "weather", "current", default=())
    going = Going(
        terrain=find(CATALOG.terrains, given["terrain"]).id if "terrain" in given else None,
        weather=tuple(_weather(name, afloat) for name in ([skies] if isinstance(skies, str) else skies)),
        hours=given.get("hours"),
    )
    settings = SETTINGS.under(HouseRules(walkers_as_animals=given.get("walkers_as_animals")))
    pace = sound(party_pace(CATALOG, settings, travellers, going)).pace
    if not pace.passable:
        return {"passable": False, "mph": 0, "miles_10h": 0}
    answer: Answer = {"passable": True, "mph": plain_number(pace.miles_an_hour)}
    if pace.miles_a_day is not None:
        answer |= {key: plain_number(pace.miles_a_day) for key in ("miles_10h", "miles", "miles_day")}
    if pace.minutes is not None:
        answer["duration_min"] = pace.minutes
    return answer


def _weather(name: str, afloat: bool) -> str:
    return find(CATALOG.water_weather, name).id if afloat else find(CATALOG.weather, name).id


def _traveller(given: Given) -> Traveller:
    asked = str(first_of(given, "gait", "mode", "speed", default=""))
    gait = _GAITS.get(asked.lower(), asked.lower())
    for key, kinds in _CARRIERS.items():
        if key in given:
            found = find((one for one in CATALOG.transports if one.kind in kinds), given[key])
            return Traveller(transport=found.id, gait=_gait_of(found, gait))
    return Traveller(
        stamina=first_of(given, "STA", "Stamina", default=1), armor=given.get("armor", 0), gait=gait
    )


def _gait_of(transport: Transport, asked: str) -> str:
    return asked if asked in transport.gaits else ""


# Influence


def influence(given: Given) -> Answer:
    """Successes needed: of a cell, a row or a column; and whether some are enough."""
    dispositions = [one for one in CATALOG.dispositions if "disposition" not in given]
    magnitudes = [one for one in CATALOG.magnitudes if "magnitude" not in given]
    if "disposition" in given and "magnitude" in given:
        disposition = find(CATALOG.dispositions, given["disposition"])
        magnitude = find(CATALOG.magnitudes, given["magnitude"])
        required = required_successes(disposition, magnitude).value
        return {"required": required, "persuaded": given.get("successes", 0) >= required}
    if "disposition" in given:
        disposition = find(CATALOG.dispositions, given["disposition"])
        return {"required": {one.name: required_successes(disposition, one).value for one in magnitudes}}
    magnitude = find(CATALOG.magnitudes, given["magnitude"])
    return {
        "required": {one.also or one.name: required_successes(one, magnitude).value for one in dispositions}
    }


# Encounters and rewards


def encounter(given: Given) -> Answer:
    """How hard a fight is."""
    found = sound(weigh(SETTINGS, _energies(given["characters"]), _energies(given["adversaries"])))
    return {
        "ratio": written(found.ratio),
        "difficulty": found.difficulty.value,
        "character_energy": found.characters,
        "adversary_energy": found.adversaries,
        "cautions": [caution.value for caution in found.cautions],
    }


def _energies(side: Any) -> tuple[int, ...]:
    """Energy of each member: numbers, names of templates, or so many of one energy."""
    if isinstance(side, Mapping):
        return (_energy(first_of(side, "energy", "template")),) * int(side.get("count", 1))
    if isinstance(side, int):
        return (side,)
    found: list[int] = []
    for one in side:
        found += _energies(one) if isinstance(one, Mapping) else [_energy(one)]
    return tuple(found)


def _energy(one: Any) -> int:
    return one if isinstance(one, int) else find(CATALOG.adversaries, one).energy


def rewards(given: Given) -> Answer:
    """CP that deeds earn, and whether a bonus roll earns more."""
    fast = given.get("fast") or given.get("accelerated") or given.get("pace") in {"fast", "accelerated"}
    session_cp = given.get("session_cp", FAST_SESSION_CP if fast else None)
    settings = SETTINGS.under(HouseRules(session_cp=session_cp))
    deeds = Deeds(
        sessions=given.get("sessions", 0),
        minor_quests=given.get("minor_quests", 0),
        major_quests=given.get("major_quests", 0),
        campaigns=_number(first_of(given, "campaigns", "campaign", default=0)),
        role_play=_number(first_of(given, "role_play", "roleplay", default=0)),
        bonus_combats=_number(first_of(given, "bonus_combats", "bonus_combat", default=0)),
    )
    answer: Answer = {"cp": sound(award(settings, deeds)).value}
    if "stage" in given:
        answer["target"] = bonus_target(settings, given["stage"])
        face = first_of(given, "d10", "roll", "face")
        if face is not None:
            answer["rewarded"] = bonus_earned(settings, given["stage"], face)
    return answer


def _number(value: int | bool) -> int:
    return int(value)


AREAS: Mapping[str, Area] = {
    "encounter": encounter,
    "influence": influence,
    "rewards": rewards,
    "template": template,
    "travel": travel,
}
