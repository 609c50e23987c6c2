"""How fights begin: surprise, initiative, who may act and react when; each fight is begun and played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.bestiary import AdversarySkill
from services.rules.systems.forge_engine.play.facts import OrderSet
from services.rules.systems.forge_engine.play.moves import Awareness, BeginFight, Watch
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Phase
from services.rules.systems.forge_engine.profile import INITIATIVE, profile_of_adversary
from tests.conformance.forge_engine.stage import (
    CATALOG,
    FOE,
    HERO,
    MASTER,
    Answer,
    Given,
    asked_when_attacked,
    facts,
    fight,
    fighter,
    hero,
    made,
    only,
    profile,
    regained,
    until_turn,
)


def _initiative(given: Given) -> Answer:
    if "rolls" in given:
        only(given, "rolls", "surprised", "sides", "AGI")
        return {"order": _order(given)}
    if "AGI" in given:
        only(given, "AGI", "Initiative")
        return {"pool": _pool(given)}
    if "round" in given or "event" in given:
        only(given, "round", "event", "surprised")
        return _round(given)
    only(given, "surprised", "first_turn_started")
    return _allowed(given)


def _opened(*combatants: Combatant) -> Fight:
    """Combatants before a fight."""
    found = fight(*combatants, phase=Phase.CALM)
    return replace(found, combatants=tuple(replace(one, started=False) for one in found.combatants))


def _order(given: Given) -> list[str]:
    rolls, sides = given["rolls"], given.get("sides", {})
    surprised = given.get("surprised") or []
    if surprised is True:
        raise UnsupportedCaseError("who is surprised is not said")
    combatants = [
        fighter(who, sides.get(who, who), profile(initiative=len(faces))) for who, faces in rolls.items()
    ]
    state = _opened(*combatants)
    own = tuple(one for one in state.combatants if one.id in rolls)
    watches = tuple(Watch(who=who, by=Awareness.CERTAIN) for who in surprised)
    # Where dice alone do not decide, the first of the case wins the further dice.
    ties = {f"tie-1:{who}": [10 - place] for place, who in enumerate(rolls)}
    faces = {f"initiative:{who}": fallen for who, fallen in rolls.items()} | ties
    found = made(replace(state, combatants=own), BeginFight(actor=MASTER, watches=watches), faces)
    return list(facts(found, OrderSet)[0].order)


def _pool(given: Given) -> int:
    """Dice of an adversary with that Agility and skill."""
    block = next(iter(CATALOG.adversaries))
    skill = AdversarySkill(skill=INITIATIVE, rating=given.get("Initiative", 0))
    changed = replace(block, attributes=Attributes(agility=given["AGI"]), skills=(skill,), armor=0)
    one = hero(profile_of_adversary(changed, CATALOG))
    found = made(_opened(one), BeginFight(actor=MASTER))
    return next(roll.dice.value for roll in found.rolls if roll.actor == HERO)


def _begun(*, surprised: bool, last: bool) -> Fight:
    """A fight that has begun, the hero first in it or last."""
    state = _opened(hero(profile(initiative=1)))
    faces = {f"initiative:{HERO}": [1 if last else 9], f"initiative:{FOE}": [5], "initiative:ally": [4]}
    watches = (Watch(who=HERO, by=Awareness.CERTAIN),) if surprised else ()
    begun: Fight = made(state, BeginFight(actor=MASTER, watches=watches), faces).state
    return begun


def _round(given: Given) -> Answer:
    if given.get("event", "own turn start") != "own turn start":
        raise UnsupportedCaseError(f"nothing is known of {given['event']!r}")
    surprised = bool(given.get("surprised"))
    number = given.get("round", 1)
    state = _begun(surprised=surprised, last=True)
    _, happened = until_turn(state, turns=number)
    begun = [place for place, event in enumerate(happened) if type(event).__name__ == "TurnBegan"]
    mine = [place for place in begun if happened[place].who == HERO][number - 1]
    return {"regain": regained(happened[mine:]) is not None}


def _allowed(given: Given) -> Answer:
    surprised = bool(given.get("surprised"))
    state = _begun(surprised=surprised, last=True)
    if given.get("first_turn_started"):
        state, _ = until_turn(state)
    return {
        "actions": bool(PLAY.legal(state, HERO)),
        "reactions": "Dodge" in set(asked_when_attacked(state)),
    }


AREAS: Mapping[str, Area] = {"initiative": _initiative}
"""What answers the areas of this file."""
