"""Healing, stabilizing, reviving and rests, each as the moves of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine import SYSTEM, derived
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.play.moves import Care, Cast, Rest, RestKind, Treat, Wait
from services.rules.systems.forge_engine.play.rules.attribute_test import FIRST_AID
from services.rules.systems.forge_engine.play.rules.spells import HEALING_TOUCH
from services.rules.systems.forge_engine.play.state import HEROES, Combatant, Fight, Life, Phase
from services.rules.systems.forge_engine.sheet import CharacterSheet
from tests.conformance.forge_engine.stage import (
    ALLY,
    CATALOG,
    HERO,
    MASTER,
    Answer,
    Given,
    fight,
    fighter,
    hero,
    made,
    only,
    profile,
    skilled,
    tried,
    until_turn,
)

STATES = {
    Life.UP: "conscious",
    Life.UNCONSCIOUS: "stabilized",
    Life.STABILIZED: "stabilized",
    Life.DYING: "dying",
    Life.DEAD: "dead",
}
COMMON_HEALTH, ROOM = 7, 100


def _healing(given: Given) -> Answer:
    if "rest" in given:
        return _rest(given)
    if "magic_dice" in given:
        only(given, "magic_dice", "health", "max_health", "state", "patient")
        return _magic(given)
    if "old_max" in given or "new_max" in given:
        only(given, "old_max", "new_max", "health")
        return _maximum(given)
    if "minute_test" in given:
        only(given, "minute_test", "health", "max_health", "state")
        return _minute(given)
    if given.get("test") == "Endurance (self)":
        only(given, "test", "health", "max_health", "dice", "state", "goal")
        return _endurance(given)
    only(
        given,
        "test",
        "health",
        "max_health",
        "dice",
        "state",
        "minutes_dead",
        "patient",
        "already_healed_since_encounter",
        "goal",
    )
    return _treated(given)


def _hero(given: Given, **figures: Any) -> Combatant:
    most = given.get("max_health", max(COMMON_HEALTH, abs(given.get("health", 0)) + 1))
    state = given.get("state")
    health = given.get("health", -most if state == "dead" else -1 if state else most)
    one = hero(profile(health=most, **figures))
    return replace(
        one,
        health=health,
        dead=state == "dead",
        stable=state == "stabilized",
        dead_minutes=given.get("minutes_dead", 0),
        treated=given.get("already_healed_since_encounter", False),
    )


def _calm(*combatants: Combatant) -> Fight:
    return fight(*combatants, phase=Phase.CALM)


def _read(state: Fight) -> Answer:
    one = state.find(HERO)
    return {"allowed": True, "health": one.health, "state": STATES[one.life]}


def _treated(given: Given) -> Answer:
    """First Aid with as many dice as the case throws, to what the patient needs."""
    dice = given.get("dice", [1])
    attributes = Attributes(acuity=len(dice))
    one = _hero(given, attributes=attributes)
    itself = given.get("patient") == "self"
    goal = Care.HEAL
    if one.life is Life.DEAD:
        goal = Care.REVIVE
    elif one.life is Life.DYING or given.get("goal") == "stabilize":
        goal = Care.STABILIZE
    if goal is Care.STABILIZE and given.get("patient") == "ally" and given.get("goal") != "stabilize":
        goal = Care.HEAL
    medic = fighter(ALLY, HEROES, profile(attributes=attributes))
    who = HERO if itself else ALLY
    move = Treat(actor=who, patient=HERO, goal=goal, skill=FIRST_AID)
    found = tried(_calm(one, medic), move, {"test": dice})
    return {"allowed": False} if found is None else _read(found.state)


def _endurance(given: Given) -> Answer:
    """The dying test Endurance in their own turn; the stable each minute."""
    dice = given.get("dice", [1])
    one = _hero(given, attributes=Attributes(stamina=len(dice)))
    if one.life is Life.DYING:
        state, _ = until_turn(fight(one), faces={"test": dice})
        return _read(state)
    return _read(made(_calm(one), Wait(actor=MASTER, minutes=1), {"test": dice}).state)


def _minute(given: Given) -> Answer:
    dice = given["minute_test"]
    one = _hero({"state": "stabilized", **given}, attributes=Attributes(stamina=max(1, len(dice))))
    return _read(made(_calm(one), Wait(actor=MASTER, minutes=1), {"test": dice}).state)


def _magic(given: Given) -> Answer:
    """A healing touch of so many dice."""
    dice = given["magic_dice"]
    figures = profile(attributes=Attributes(acuity=dice), skills=skilled((HEALING_TOUCH, 0)), weapons=())
    caster = fighter(ALLY, HEROES, figures)
    move = Cast(actor=ALLY, spell=HEALING_TOUCH, target=HERO, added=dice)
    found = tried(_calm(_hero(given), caster), move)
    return {"allowed": False} if found is None else _read(found.state)


def _rest(given: Given) -> Answer:
    only(
        given,
        "rest",
        "state",
        "health",
        "max_health",
        "STA",
        "expended",
        "interrupted",
        "size",
    )
    long = given["rest"] == "long"
    if long and given.get("interrupted"):
        raise UnsupportedCaseError("a long rest without a word of how long it was")
    found = _rested(given, given.get("STA", 1))
    least = _rested(given, 1)
    before, one = _sleeper(given, given.get("STA", 1)), found.find(HERO)
    recovered = before.expended - one.expended
    return {
        **_read(found),
        "expended": one.expended,
        "health_recovered": one.health - before.health,
        "expended_recovered_up_to": recovered,
        "expended_recovered_at_least": before.expended - least.find(HERO).expended,
    }


def _sleeper(given: Given, stamina: int) -> Combatant:
    """Who rests; hurt and worn out by far where the case asks how much that is good for."""
    named = {trait.name: trait for trait in CATALOG.traits if trait.size is not None}
    trait = named[given.get("size", "Medium")]
    assert trait.size is not None
    most = given.get("max_health", max(ROOM, abs(given.get("health", 0)) + 1))
    figures = profile(
        attributes=Attributes(stamina=stamina),
        health=most,
        energy=ROOM,
        rest_health=derived.short_rest_health(trait.name, trait.size, stamina).value,
    )
    state = given.get("state")
    expended = given.get("expended", ROOM // 2)
    return replace(
        hero(figures),
        health=given.get("health", -1 if state == "stabilized" else 1),
        stable=state == "stabilized",
        dead=state == "dead",
        expended=expended,
        energy=ROOM - expended,
    )


def _rested(given: Given, stamina: int) -> Fight:
    minutes = 0 if given.get("interrupted") else None
    move = Rest(actor=MASTER, who=(HERO,), length=RestKind(given["rest"]), minutes=minutes)
    rested: Fight = made(_calm(_sleeper(given, stamina)), move).state
    return rested


def _maximum(given: Given) -> Answer:
    """A character whose maximum health changed since its health was written down."""
    sheet = _of_health(given["new_max"], given.get("health", given["old_max"]))
    return {"health": sheet.health_now, "max": sheet.health.value}


def _of_health(most: int, health: int) -> CharacterSheet:
    for species in ("human", "halfling"):
        for stamina in range(1, 6):
            choices = CharacterChoices(
                name="Someone",
                species=f"forge_engine:trait/{species}",
                species_choices=("forge_engine:trait/vigorous",) if species == "human" else (),
                attributes=Attributes(stamina=stamina),
                health=health,
                leave=("general_skill_minimum",),
            )
            sheet = SYSTEM.build(choices, SYSTEM.content)
            if not isinstance(sheet, Problems) and sheet.health.value == most:
                return sheet
    raise UnsupportedCaseError(f"no character has {most} health")


AREAS: Mapping[str, Area] = {"healing": _healing}
"""What answers the areas of this file."""
