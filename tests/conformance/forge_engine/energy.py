"""Energy: used, regained, gained, expended and recovered, each by the moves of a fight or a rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.play.moves import (
    Approach,
    Attack,
    Awareness,
    BeginFight,
    Improvise,
    Rest,
    RestKind,
    UseSkill,
    Watch,
)
from services.rules.systems.forge_engine.play.rules.skills import LAST_GASP
from services.rules.systems.forge_engine.play.state import BonusEnergy, Combatant, Fight, Life, Phase
from tests.conformance.forge_engine.stage import (
    FAR,
    FOE,
    HERO,
    MASTER,
    Answer,
    Given,
    club,
    fight,
    hero,
    made,
    only,
    profile,
    regained,
    skilled,
    three,
    tried,
    until_turn,
    used,
)

SHORT = {attribute.short: attribute.value for attribute in Attribute}
KEYS = (
    "attributes",
    "attributes_top3",
    "max",
    "condition",
    "pool",
    "expended",
    "bonus",
    "start",
    "STA",
    "surprised",
)


def _energy(given: Given) -> Answer:
    if "events" in given:
        only(given, *KEYS, "events")
        return _events(given)
    if "actions" in given:
        only(given, *KEYS, "actions")
        return _actions(given)
    if "skill" in given:
        only(given, *KEYS, "skill", "rating")
        return _last_gasp(given)
    if "rest" in given:
        only(given, *KEYS, "rest", "status")
        return _rested(given)
    if "expend" in given or "want" in given:
        only(given, *KEYS, "expend", "want")
        return _expended(given)
    if "surprised" in given or given.keys() <= {"max", "expended", "attributes", "attributes_top3"}:
        only(given, *KEYS)
        return _start(given)
    only(given, *KEYS, "regain", "status", "turn_starts")
    return _regained(given)


def _attributes(given: Given) -> Attributes:
    if "attributes" in given:
        return Attributes(**{SHORT[key]: rating for key, rating in given["attributes"].items()})
    if "attributes_top3" in given:
        best = sorted(given["attributes_top3"], reverse=True)
        return Attributes(strength=best[0], agility=best[1], stamina=best[2])
    if "regain" in given and given["regain"] != given.get("max", given["regain"]):
        return _limited(given["max"], given["regain"], given.get("condition"))
    return three(given.get("max", given.get("regain", 9)))


def _limited(most: int, regain: int, condition: str | None) -> Attributes:
    """Attributes that come to a maximum, and under a condition to what comes back."""
    if condition == "Exhausted":
        first, (second, third) = regain, divmod(most - regain, 2)
        second, third = second + third, second
    else:
        first, second, third = regain - regain // 2, regain // 2, most - regain
    if not first >= second >= third >= 1:
        raise UnsupportedCaseError("no attributes come to that")
    return Attributes(strength=first, agility=second, stamina=third)


def _hero(given: Given, **now: Any) -> Combatant:
    attributes = _attributes(given)
    if "STA" in given:
        attributes = attributes.rated(Attribute.STAMINA, given["STA"])
    most = given.get("max", sum(attributes.of(one) for one in attributes.highest(3)))
    expended = given.get("expended", 0)
    pool = given.get("start", given.get("pool", most - expended))
    skills = skilled((LAST_GASP, given.get("rating", 0)))
    bonus = (BonusEnergy(given["bonus"]),) if given.get("bonus") else ()
    figures = profile(attributes=attributes, energy=most, skills=skills, weapons=_clubs(given))
    return hero(figures, expended=expended, energy=pool, bonus=bonus, **now)


def _clubs(given: Given) -> tuple[Any, ...]:
    """A weapon of each cost that a case attacks with."""
    costs = {
        int(cost) for each in given.get("actions", ()) for cost in re.findall(r"cost (\d+)", str(each[0]))
    }
    return (club(), *(replace(club(cost=cost), id=f"club-{cost}") for cost in sorted(costs)))


def _stage(given: Given, **now: Any) -> Fight:
    condition = given.get("condition")
    if condition is None and given.get("regain", given.get("max")) != given.get("max"):
        condition = "Enervated"
    return fight(_hero(given, **now), spread=FAR, conditions={HERO: [condition] if condition else []})


def _events(given: Given) -> Answer:
    """Energy used, and turns that begin, one after the other."""
    state, pools, total, last = _stage(given), [], 0, None
    for name, *numbers in given["events"]:
        if name == "regain":
            state, happened = until_turn(state)
            last = regained(happened)
        else:
            amount = sum(numbers)
            before = state
            if name in ("move", "run"):
                found = made(state, Approach(actor=HERO, target=FOE, feet=amount, run=name == "run"))
            elif name == "expend":
                found = made(state, Improvise(actor=MASTER, who=HERO, text=name, expend=amount))
            else:
                found = made(state, Improvise(actor=MASTER, who=HERO, text=str(name), energy=amount))
            state = found.state
            total += used(before, state)
        pools.append(state.find(HERO).usable)
    return {
        "pool_after": pools,
        "energy_used": total,
        "total_energy": total,
        "pool": pools[-1],
        "regain": 0 if last is None else last.gained,
        "discarded": 0 if last is None else last.lost,
    }


def _actions(given: Given) -> Answer:
    """Actions one after the other, and what they cost together."""
    state = start = _stage({"start": given.get("max", FAR), **given})
    for name, number in given["actions"]:
        cost = re.search(r"cost (\d+)", name)
        if name in ("move", "run"):
            move: Approach | Attack = Approach(actor=HERO, target=FOE, feet=number, run=name == "run")
        elif cost is not None:
            state = replace(state, spread=5, apart=())
            move = Attack(actor=HERO, weapon=f"club-{cost[1]}", target=FOE, added=number)
        else:
            raise UnsupportedCaseError(f"nothing is known of {name!r}")
        if isinstance(move, Approach):
            state = replace(state, spread=FAR, apart=())
        else:
            held = replace(state.find(HERO), held=(move.weapon,))
            state = replace(
                state, combatants=tuple(held if one.id == HERO else one for one in state.combatants)
            )
        state = made(state, move).state
    return {"total_energy": used(start, state), "energy_used": used(start, state)}


def _last_gasp(given: Given) -> Answer:
    if given["skill"] != "Last Gasp":
        raise UnsupportedCaseError(f"nothing is known of {given['skill']!r}")
    found = tried(_stage(given), UseSkill(actor=HERO, skill=LAST_GASP))
    if found is None:
        return {"allowed": False}
    return {"allowed": True, **_read(found.state.find(HERO))}


def _read(one: Combatant) -> Answer:
    return {
        "pool": one.usable,
        "bonus": one.bonus_energy,
        "bonus_energy": one.bonus_energy,
        "expended": one.expended,
        "max_now": one.profile.energy - one.expended,
        "unconscious_after_action": one.life is not Life.UP,
    }


def _expended(given: Given) -> Answer:
    expend = given.get("expend")
    if expend is None:
        wanted = re.fullmatch(r"expend (\d+)", given["want"])
        if wanted is None:
            raise UnsupportedCaseError(f"nothing is known of {given['want']!r}")
        expend = int(wanted[1])
    found = tried(_stage(given), Improvise(actor=MASTER, who=HERO, text="effort", expend=expend))
    if found is None:
        return {"allowed": False}
    return {"allowed": True, **_read(found.state.find(HERO))}


def _rested(given: Given) -> Answer:
    state = replace(_stage(given, **_status(given)), phase=Phase.CALM)
    move = Rest(actor=MASTER, who=(HERO,), length=RestKind(given["rest"]))
    return _read(made(state, move).state.find(HERO))


def _status(given: Given) -> dict[str, Any]:
    """The health of one who is out."""
    match given.get("status"):
        case None:
            return {}
        case "unconscious":
            return {"health": 0}
        case "dying":
            return {"health": -1}
        case "dead":
            return {"health": -60, "dead": True}
    raise UnsupportedCaseError(f"nothing is known of {given['status']!r}")


def _start(given: Given) -> Answer:
    """A fight that begins."""
    state = replace(_stage(given), phase=Phase.CALM)
    waiting = tuple(replace(one, started=False) for one in state.combatants)
    watches = (Watch(who=HERO, by=Awareness.CERTAIN),) if given.get("surprised") else ()
    faces = {f"initiative:{who}": [face] for who, face in ((HERO, 9), ("ally", 5), (FOE, 3))}
    found = made(replace(state, combatants=waiting), BeginFight(actor=MASTER, watches=watches), faces)
    one = found.state.find(HERO)
    return {"start": one.usable, "pool": one.usable, "bonus": one.bonus_energy}


def _regained(given: Given) -> Answer:
    state, happened = until_turn(_stage(given, **_status(given)), turns=given.get("turn_starts", 1))
    one, last = state.find(HERO), regained(happened)
    gained = 0 if last is None else last.gained
    return {
        **_read(one),
        "pool": one.energy,
        "regain": gained,
        "regained": gained,
        "discarded": 0 if last is None else last.lost,
        "bonus": 0 if last is None else last.bonus,
        "bonus_energy": 0 if last is None else last.bonus,
    }


AREAS: Mapping[str, Area] = {"energy": _energy}
"""What answers the areas of this file."""
