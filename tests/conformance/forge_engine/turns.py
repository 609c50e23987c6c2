"""Turns under conditions: what a move costs and what may be done, energy when a turn starts, damage dealt.

Only cases that the tools answer; actions, wounds and rests of a fight are not played yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.problem import Problems
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.conditions import TurnStart, attack_successes, borne, halved
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, DefenseGiven
from services.rules.systems.forge_engine.pools.attack_odds import AttackQuestion, attack_odds
from services.rules.systems.forge_engine.tools.turns import (
    MovementQuestion,
    TurnStartQuestion,
    run_movement,
    run_turn_start,
)

CATALOG = own_catalog()
Given = Mapping[str, Any]
Answer = dict[str, Any]


def _conditions(*names: str | None) -> tuple[str, ...]:
    return tuple(condition.id for condition in CATALOG.conditions if condition.name in names)


def _only(given: Given, *keys: str) -> None:
    if not given.keys() <= set(keys):
        raise UnsupportedCaseError(f"nothing is known of {sorted(given.keys() - set(keys))}")


def _action(given: Given) -> Answer:
    match given.get("action"):
        case "Move" | "Run":
            return _movement(given)
        case "Stand":
            _only(given, "action", "condition")
            return _moved(0, stand=True, conditions=_conditions("Prone", given.get("condition")))
        case "Attack" if "condition" in given:
            _only(given, "action", "condition")
            attack = AttackGiven(attribute=1, rating=1, conditions=_conditions(given["condition"]))
            question = AttackQuestion(attack=attack, defense=DefenseGiven(dice=1))
            return {"allowed": not isinstance(attack_odds(question, CATALOG), Problems)}
    raise UnsupportedCaseError(f"nothing is known of {given.get('action')!r}")


FEET_RUN = 10
"""What a case means by so much energy spent running."""


def _movement(given: Given) -> Answer:
    _only(given, "action", "distance_ft", "condition", "terrain", "speed", "energy")
    running = given["action"] == "Run"
    # A case that states no speed asks what it costs, however far that is.
    distance = given.get("distance_ft", given.get("energy", 1) * FEET_RUN)
    if not running and "distance_ft" not in given:
        raise UnsupportedCaseError("a move without a distance")
    return _moved(
        distance,
        running=running,
        rough=given.get("terrain") == "rough",
        speed=given.get("speed", distance),
        conditions=_conditions(given.get("condition")),
    )


def _moved(distance: int, **given: Any) -> Answer:
    found = run_movement(MovementQuestion(distance=distance, **given), CATALOG)
    if isinstance(found, Problems):
        return {"allowed": False}
    return {
        "allowed": True,
        "energy": found.energy.value,
        "total_energy": found.energy.value,
        "distance_ft": distance,
        "move_limit_ft": found.limit,
        "reactions": found.reactions,
    }


def _energy(given: Given) -> Answer:
    if "attributes" in given:
        _only(given, "attributes", "condition")
        short = {attribute.short: attribute.value for attribute in Attribute}
        attributes = Attributes(**{short[key]: rating for key, rating in given["attributes"].items()})
        found = _started(
            TurnStartQuestion(attributes=attributes, conditions=_conditions(given.get("condition")))
        )
        return {
            "regain": found.regained.value,
            "regained": found.regained.value,
            "bonus": found.bonus.value,
            "bonus_energy": found.bonus.value,
        }
    if given.get("condition") == "Poisoned" and "turn_starts" in given:
        _only(given, "max", "condition", "turn_starts", "pool")
        expended, most = 0, given["max"]
        for _ in range(given["turn_starts"]):
            question = TurnStartQuestion(
                attributes=_three(given["max"]), expended=expended, conditions=_conditions("Poisoned")
            )
            found = _started(question)
            expended, most = found.expended, found.most
        return {"expended": expended, "max_now": most}
    if {"pool", "expended", "regain"} <= given.keys() and given["regain"] == given.get("max"):
        _only(given, "max", "pool", "expended", "regain")
        question = TurnStartQuestion(
            attributes=_three(given["max"]), pool=given["pool"], expended=given["expended"]
        )
        found = _started(question)
        return {"pool": found.pool, "discarded": found.lost}
    raise UnsupportedCaseError("nothing is known of this use of energy")


def _started(question: TurnStartQuestion) -> TurnStart:
    found = run_turn_start(question, CATALOG)
    if isinstance(found, Problems):
        raise UnsupportedCaseError(str(found))
    return found


def _three(maximum: int) -> Attributes:
    """Attributes whose three highest come to a maximum."""
    if maximum < len(Attribute) // 2:
        raise UnsupportedCaseError(f"no three attributes come to {maximum}")
    least, over = divmod(maximum, 3)
    return Attributes(strength=least + (over > 0), agility=least + (over > 1), stamina=least)


def _damage(given: Given) -> Answer:
    if given.keys() != {"successes", "attacker"}:
        raise UnsupportedCaseError("wounds are not played yet")
    conditions = borne(_conditions(given["attacker"]), CATALOG)
    return {"damage": halved(attack_successes(given["successes"], conditions), conditions)}


AREAS: Mapping[str, Area] = {"action": _action, "energy": _energy, "damage": _damage}
"""What answers the areas of this file."""
