"""Actions of a turn: what they cost, how far they lead, whether they are allowed; each is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.play.effects import GRAPPLED, RESTRAINED, bears
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    Dodge,
    Grapple,
    Minor,
    MinorUse,
    ShakeOff,
    Stand,
)
from services.rules.systems.forge_engine.play.rules.attribute_test import ATHLETICS
from services.rules.systems.forge_engine.play.state import Fight
from tests.conformance.forge_engine.stage import (
    AMPLE,
    FAR,
    FOE,
    HERO,
    Answer,
    Given,
    asked_when_attacked,
    club,
    fight,
    hero,
    named,
    only,
    profile,
    skilled,
    tried,
    used,
)

DEFAULT_CONDITION = "Slowed"
CONCERNED = ("action", "condition")


def _conditions(given: Given) -> list[str]:
    return [given["condition"]] if given.get("condition") else []


def _action(given: Given) -> Answer:
    play = ACTIONS.get(given.get("action", ""))
    if play is None:
        raise UnsupportedCaseError(f"nothing is known of {given.get('action')!r}")
    return play(given)


def _movement(given: Given) -> Answer:
    only(given, *CONCERNED, "distance_ft", "speed", "energy", "terrain")
    run, rough = given["action"] == "Run", given.get("terrain") == "rough"
    one = hero(profile(speed=given.get("speed", FAR), energy=given.get("energy", AMPLE)))
    start = fight(one, spread=FAR, conditions={HERO: _conditions(given)})
    if "distance_ft" in given:
        distances = [given["distance_ft"]]
    else:
        # As far as the energy leads.
        distances = list(range(FAR - 5, 0, -5)) if "energy" in given or "speed" in given else [5]
    for feet in distances:
        found = tried(start, Approach(actor=HERO, target=FOE, feet=feet, run=run, rough=rough))
        if found is not None:
            after = found.state.find(HERO)
            return {
                "allowed": True,
                "energy": used(start, found.state),
                "total_energy": used(start, found.state),
                "distance_ft": feet,
                "move_limit_ft": after.profile.speed + after.ran,
                "reactions": bool(list(asked_when_attacked(_near(found.state)))),
            }
    return {"allowed": False}


def _near(state: Fight) -> Fight:
    """The foe beside the hero, so that it can attack."""
    return replace(state, spread=5, apart=())


def _minor(given: Given) -> Answer:
    only(given, *CONCERNED, "number_this_turn")
    state = fight(hero(), conditions={HERO: _conditions(given)})
    costs = []
    for _ in range(given.get("number_this_turn", 1)):
        found = tried(state, Minor(actor=HERO, use=MinorUse.ITEM, item="a potion"))
        if found is None:
            return {"allowed": False}
        costs.append(used(state, found.state))
        state = found.state
    return {"allowed": True, "energy": costs[-1], "total_energy": sum(costs)}


def _grapple(given: Given) -> Answer:
    only(given, *CONCERNED, "successes", "STR", "Athletics", "energy", "energy_as_dice")
    successes = given.get("successes", 0)
    added = given.get("energy", given.get("energy_as_dice", max(1, successes)))
    strength = given.get("STR", max(1, added))
    figures = profile(
        attributes=Attributes(strength=strength), skills=skilled((ATHLETICS, given.get("Athletics", 0)))
    )
    state = fight(hero(figures), conditions={HERO: _conditions(given)})
    faces = {"test": [10] * successes, "resist": [9]}
    found = tried(state, Grapple(actor=HERO, target=FOE, added=min(added, strength)), faces)
    if found is None:
        return {"allowed": False}
    hold = bears(found.state, FOE, GRAPPLED, RESTRAINED)
    return {
        "allowed": True,
        "condition": None if hold is None else named([hold.kind])[0],
        "pool": next(roll.dice.value for roll in found.rolls if roll.actor == HERO),
        "energy": used(state, found.state),
        "total_energy": used(state, found.state),
    }


def _shake_off(given: Given) -> Answer:
    only(given, *CONCERNED, "dice", "energy", "energy_as_dice", "uses_this_round")
    dice = given.get("dice", [])
    energy = given.get("energy", given.get("energy_as_dice", len(dice) or 1))
    one = hero(profile(energy=max(AMPLE, energy)))
    state = fight(one, conditions={HERO: _conditions(given) or [DEFAULT_CONDITION]})
    move = ShakeOff(actor=HERO, effect=state.effects[0].id, energy=energy)
    for _ in range(given.get("uses_this_round", 0)):
        earlier = tried(state, move)
        if earlier is not None:
            state = earlier.state
    found = tried(state, move, {"test": dice})
    if found is None:
        return {"allowed": False}
    return {
        "allowed": True,
        "removed": not found.state.effects,
        "pool": found.rolls[0].dice.value,
        "energy": used(state, found.state),
        "total_energy": used(state, found.state),
    }


def _attack(given: Given) -> Answer:
    only(given, *CONCERNED, "energy", "last_action")
    figures = profile(weapons=(club(rating=1, cost=given.get("energy", 0)),))
    state = _after(fight(hero(figures), conditions={HERO: _conditions(given)}), given.get("last_action"))
    found = tried(_near(state), Attack(actor=HERO, weapon="club", target=FOE))
    if found is None:
        return {"allowed": False}
    return {"allowed": True, "energy": used(state, found.state), "total_energy": used(state, found.state)}


def _after(state: Fight, last: str | None) -> Fight:
    """The fight after the hero's last action."""
    if last is None:
        return state
    far = replace(state, spread=FAR)
    found = tried(far, Approach(actor=HERO, target=FOE, feet=10, run=last == "Run"))
    if found is None:
        raise UnsupportedCaseError(f"nothing is known of {last!r}")
    return _near(found.state)


def _dodge(given: Given) -> Answer:
    only(given, *CONCERNED, "last_action", "energy", "energy_as_dice")
    energy = given.get("energy", given.get("energy_as_dice", 1))
    figures = profile(attributes=Attributes(agility=max(1, energy)))
    state = _after(fight(hero(figures), conditions={HERO: _conditions(given)}), given.get("last_action"))
    if "Dodge" not in set(asked_when_attacked(state)):
        return {"allowed": False}
    answers = iter([Dodge(actor=HERO, added=energy)])
    found = tried(
        _foe_first(state),
        Attack(actor=FOE, weapon="club", target=HERO),
        {},
        lambda _state, ask: next(answers, ask.silence) if ask.actor == HERO else ask.silence,
    )
    if found is None:
        return {"allowed": False}
    pool = next(roll.dice.value for roll in found.rolls if roll.actor == HERO)
    spent = used(state, found.state)
    return {"allowed": True, "energy": spent, "total_energy": spent, "pool": pool}


def _foe_first(state: Fight) -> Fight:
    return replace(
        state,
        combatants=tuple(replace(one, passed=True) if one.id == FOE else one for one in state.combatants),
    )


def _stand(given: Given) -> Answer:
    only(given, *CONCERNED, "speed")
    names = dict.fromkeys(["Prone", *_conditions(given)])
    state = fight(hero(profile(speed=given.get("speed", FAR))), conditions={HERO: list(names)})
    found = tried(state, Stand(actor=HERO))
    if found is None:
        return {"allowed": False}
    spent = used(state, found.state)
    moved = found.state.find(HERO).moved
    return {"allowed": True, "energy": spent, "total_energy": spent, "distance_ft": moved}


ACTIONS = {
    "Move": _movement,
    "Run": _movement,
    "Minor": _minor,
    "Grapple": _grapple,
    "Shake It Off": _shake_off,
    "Attack": _attack,
    "Dodge": _dodge,
    "Stand": _stand,
}

AREAS: Mapping[str, Area] = {"action": _action}
"""What answers the areas of this file."""
