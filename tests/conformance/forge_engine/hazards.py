"""Dangers of a place: the game master exposes the hero to them, and what happens is read off."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.content import content_id
from services.rules.engine.driver import Made
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.catalog import SLUG
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.facts import (
    Climbed,
    Collapsed,
    EffectBegan,
    Hurt,
    Sank,
    Tested,
)
from services.rules.systems.forge_engine.play.moves import Attack, Care, Endanger, Treat
from services.rules.systems.forge_engine.play.rules.attribute_test import ACROBATICS, FIRST_AID
from services.rules.systems.forge_engine.play.state import FOES, Fight
from tests.conformance.forge_engine.stage import (
    AMPLE,
    CATALOG,
    FAR,
    FOE,
    HERO,
    MASTER,
    Answer,
    Faces,
    Given,
    club,
    facts,
    fight,
    fighter,
    hero,
    made,
    named,
    only,
    profile,
    skilled,
    tried,
    until_turn,
)
from tests.conformance.forge_engine.wounds import WORDS

INTERVALS = {30: "30 seconds", 3_600: "1 hour", 86_400: "24 hours"}
CONCERNED = ("hazard", "dice", "health")


def _hazard(given: Given) -> Answer:
    if given.get("trait") == "Flyer":
        only(given, "trait", "falling_rounds")
        return _flyer(given)
    if given.get("trait") == "Venomous":
        only(given, "trait", "damage")
        return _venom(given)
    play = HAZARDS.get(given.get("hazard", ""))
    if play is None:
        raise UnsupportedCaseError(f"nothing is known of {given.get('hazard')!r}")
    return play(given)


def _hazard_id(slug: str) -> str:
    return content_id(SLUG, "hazard", slug)


def _stage(given: Given, **figures: Any) -> Fight:
    """The hero, whose test has as many dice as the case throws."""
    dice = len(given.get("dice", ())) or 1
    attributes = figures.pop("attributes", Attributes(agility=dice, stamina=dice))
    one = hero(profile(attributes=attributes, **figures))
    return fight(replace(one, health=given["health"]) if "health" in given else one, spread=FAR)


def _faces(given: Given) -> Faces:
    return {"test": given.get("dice", ())}


def _outcome(found: Made) -> Answer:
    """What a hazard left the hero with."""
    one = found.state.find(HERO)
    return {
        "damage": sum(fact.damage for fact in facts(found, Hurt)),
        "health": one.health,
        "state": WORDS[one.life],
        "difficulty": _difficulty(found),
    }


def _difficulty(found: Made) -> int | None:
    """What the dice of the first test had to reach, by the odds of its roll."""
    for roll in found.rolls:
        fixed = re.search(r"fixed\(\d+, (\d+)", roll.odds)
        if fixed is not None:
            return int(fixed[1])
    return None


def _falling(given: Given) -> Answer:
    only(given, *CONCERNED, "height_ft")
    move = Endanger(actor=MASTER, who=HERO, hazard=_hazard_id("falling"), feet=given["height_ft"])
    return _outcome(made(_stage(given), move, _faces(given)))


def _fire(given: Given) -> Answer:
    only(given, *CONCERNED, "intensity")
    level = f"{given['intensity'].capitalize()} fire"
    move = Endanger(actor=MASTER, who=HERO, hazard=_hazard_id("fire"), level=level)
    return _outcome(made(_stage(given), move, _faces(given)))


def _explosion(given: Given) -> Answer:
    only(given, "hazard", "force", "fringe", "PD")
    move = Endanger(
        actor=MASTER,
        who=HERO,
        hazard=_hazard_id("explosion"),
        level=f"{given.get('force', 'small').capitalize()} explosion",
        fringe=given.get("fringe", False),
    )
    found = made(_stage(given, pd=given.get("PD", 1)), move)
    action, defense = found.rolls[:2]
    return {"attack_dice": action.dice.value, "defense_pool": defense.dice.value}


def _climb(given: Given) -> Answer:
    only(given, *CONCERNED, "difficulty")
    hazard = CATALOG.hazards[_hazard_id("climbing")]
    wanted = given.get("difficulty", hazard.levels[0].difficulty)
    level = next((each for each in hazard.levels if each.difficulty == wanted), hazard.levels[0])
    move = Endanger(
        actor=MASTER,
        who=HERO,
        hazard=hazard.id,
        level=level.name,
        harder=wanted - (level.difficulty or wanted),
        skill=ACROBATICS,
    )
    found = made(_stage(given), move, _faces(given))
    return {**_outcome(found), "climbed_ft": sum(fact.feet for fact in facts(found, Climbed))}


def _jump(given: Given) -> Answer:
    only(given, *CONCERNED, "attribute", "gap_ft", "standing", "difficulty")
    dice = len(given.get("dice", ())) or 1
    attribute = given.get("attribute", dice)
    figures = {
        "attributes": Attributes(agility=attribute),
        "skills": skilled((ACROBATICS, max(0, dice - attribute))),
    }
    level = "From a standstill" if given.get("standing") else "With a run-up"
    plain = Endanger(
        actor=MASTER,
        who=HERO,
        hazard=_hazard_id("jumping"),
        level=level,
        feet=given.get("gap_ft", 0),
        skill=ACROBATICS,
    )
    found = made(_stage(given, **figures), plain, _faces(given))
    if "difficulty" in given:
        harder = given["difficulty"] - (_difficulty(found) or 0)
        found = made(_stage(given, **figures), replace(plain, harder=harder), _faces(given))
    return {
        **_outcome(found),
        "jumped_ft": facts(found, Climbed)[0].feet,
        "edge_test": len(facts(found, Tested)) > 1,
    }


def _exposure(slug: str, given: Given) -> Answer:
    """Tests of a hazard that wears down, so many failed."""
    only(given, *CONCERNED, "failures", "days", "difficulty")
    hazard = CATALOG.hazards[_hazard_id(slug)]
    water, days = given["hazard"] == "no water", given.get("days", 0)
    move = Endanger(actor=MASTER, who=HERO, hazard=hazard.id, days=days, water=water)
    state = _stage(given)
    failing: Faces = {"test": ()}
    passing: Faces = {"test": [10] * AMPLE}
    tests = [failing] * given.get("failures", 0)
    if not tests:
        tests = [_faces(given) if "dice" in given else passing]
    for faces in tests:
        found = made(state, move, faces)
        state = found.state
    begun = [fact.effect for fact in facts(found, EffectBegan) if fact.effect.cause == hazard.id]
    collapsed = len(facts(found, Collapsed))
    care = Treat(actor="ally", patient=HERO, goal=Care.STABILIZE, skill=FIRST_AID, added=1)
    return {
        **_outcome(found),
        "conditions": named([effect.kind for effect in begun]),
        "interval": INTERVALS[hazard.interval_seconds or 0],
        "automatic_failures": _stages(begun, collapsed) if days else 0,
        "can_be_stabilized": tried(_ally_first(state), care, {"test": [10]}) is not None,
    }


def _stages(begun: list[Any], collapsed: int) -> int:
    """How many failures brought these conditions, two each, and a collapse."""
    return len(begun) // 2 + collapsed


def _ally_first(state: Fight) -> Fight:
    return replace(
        state,
        combatants=tuple(replace(one, passed=one.id != "ally") for one in state.combatants),
    )


def _flyer(given: Given) -> Answer:
    figures = profile(traits=("forge_engine:trait/flyer",))
    state = fight(replace(hero(figures), altitude=FAR), spread=FAR)
    _, happened = until_turn(state, turns=given["falling_rounds"])
    lost = sum(event.feet for event in happened if isinstance(event, Sank))
    return {"altitude_lost_ft": lost}


def _venom(given: Given) -> Answer:
    damage = given["damage"]
    claws = replace(club(rating=damage), kind=EquipmentKind.UNARMED, natural=True)
    figures = profile(traits=("forge_engine:trait/venomous",), weapons=(claws,))
    state = fight(hero(), fighter(FOE, FOES, figures, passed=True))
    move = Attack(actor=FOE, weapon="club", target=HERO)
    found = made(state, move, {"attack": [10] * damage, "defense": [9]})
    return {"resist_difficulty": _difficulty(found)}


HAZARDS: Mapping[str, Callable[[Given], Answer]] = {
    "falling": _falling,
    "fire": _fire,
    "explosion": _explosion,
    "climb": _climb,
    "jump": _jump,
    "cold": lambda given: _exposure("cold-and-heat", given),
    "heat": lambda given: _exposure("cold-and-heat", given),
    "suffocation": lambda given: _exposure("suffocation", given),
    "drowning": lambda given: _exposure("suffocation", given),
    "no water": lambda given: _exposure("thirst-and-hunger", given),
    "no food": lambda given: _exposure("thirst-and-hunger", given),
}

AREAS: Mapping[str, Area] = {"hazard": _hazard}
"""What answers the areas of this file."""
