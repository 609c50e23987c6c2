"""Damage, and what it leaves: dealt by an attack, a spell or the game master, read off who takes it."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.engine.conformance import Area
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play.facts import Hurt
from services.rules.systems.forge_engine.play.moves import Attack, Cast, Harm
from services.rules.systems.forge_engine.play.state import FOES, Combatant, Fight, Life
from services.rules.systems.forge_engine.profile import DamageTaken
from services.rules.systems.forge_engine.traits import Response
from tests.conformance.forge_engine.stage import (
    AMPLE,
    FOE,
    HERO,
    MASTER,
    Answer,
    Given,
    club,
    facts,
    fight,
    fighter,
    hero,
    made,
    only,
    profile,
    skilled,
    until_turn,
)

BOLT, FIRE, BLUDGEONING = (
    "forge_engine:spell/fiery-bolt",
    "forge_engine:damage/fire",
    "forge_engine:damage/bludgeoning",
)
WORDS = {
    Life.UP: "conscious",
    Life.UNCONSCIOUS: "unconscious_stable",
    Life.STABILIZED: "stabilized",
    Life.DYING: "dying",
    Life.DEAD: "dead",
}
RESPONSES = {
    "resistant": Response.RESISTANT,
    "vulnerable": Response.VULNERABLE,
    "immune": Response.IMMUNE,
}


def _damage(given: Given) -> Answer:
    only(
        given,
        "damage",
        "successes",
        "half_damage_spell",
        "attacker",
        "max_health",
        "health",
        "state",
        "turn_starts",
        *RESPONSES,
    )
    state = fight(
        _patient(given),
        _attacker(given),
        conditions={FOE: [given["attacker"]] if given.get("attacker") else []},
    )
    dealt, taken = None, 0
    if "successes" in given:
        state, taken = _struck(state, given)
        dealt = taken
    elif "damage" in given:
        found = made(state, Harm(actor=MASTER, who=HERO, damage=given["damage"], type=FIRE))
        taken = sum(fact.damage for fact in facts(found, Hurt))
        state, dealt = found.state, given["damage"]
    if given.get("turn_starts"):
        state, _ = until_turn(state, turns=given["turn_starts"])
    one = state.find(HERO)
    return {
        "taken": taken,
        "damage": dealt,
        "health": one.health,
        "state": WORDS[one.life],
        "bloodied": one.bloodied,
    }


def _patient(given: Given) -> Combatant:
    most = given.get("max_health", max(AMPLE, abs(given.get("health", 0)) + 1))
    taken = tuple(
        DamageTaken(damage=kind, response=response)
        for word, response in RESPONSES.items()
        if given.get(word)
        for kind in (FIRE, BLUDGEONING)
    )
    figures = profile(health=most, damage=taken)
    health = given.get("health", most)
    stable = given.get("state") in ("stabilized", "unconscious_stable")
    return hero(figures, health=health, stable=stable, dead=given.get("state") == "dead")


def _attacker(given: Given) -> Combatant:
    successes = max(1, given.get("successes", 1))
    figures = profile(
        attributes=Attributes(intelligence=successes),
        skills=skilled((BOLT, 0)),
        weapons=(club(rating=successes),),
        hands=2,
    )
    return fighter(FOE, FOES, figures, passed=True, held=() if given.get("half_damage_spell") else ("club",))


def _struck(state: Fight, given: Given) -> tuple[Fight, int]:
    """The foe's attack, with so many successes."""
    successes = given["successes"]
    faces = {"attack": [10] * successes, "defense": [9]}
    if given.get("half_damage_spell"):
        move: Attack | Cast = Cast(actor=FOE, spell=BOLT, target=HERO, added=max(1, successes))
    else:
        move = Attack(actor=FOE, weapon="club", target=HERO)
    found = made(state, move, faces)
    return found.state, sum(fact.damage for fact in facts(found, Hurt))


AREAS: Mapping[str, Area] = {"damage": _damage}
"""What answers the areas of this file."""
