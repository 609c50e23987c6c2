"""Reads what a case gives: names to content, faces to successes; and writes the answers all areas share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.content import Shelf, content_id
from services.rules.engine.explain import Explained
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import LUCKY_FACES, Action, Ratings, count_successes
from services.rules.systems.dungeonteller.catalog import SLUG, Named, called, own_catalog
from services.rules.systems.dungeonteller.checks import Actor, Moment, Pace, bonuses_of_gear
from services.rules.systems.dungeonteller.powers import Power

Given = Mapping[str, Any]
Answer = dict[str, Any]
NamedT = TypeVar("NamedT", bound=Named)

CATALOG = own_catalog()
SETTINGS = CATALOG.settings
SHIELD = CATALOG.weapons[content_id(SLUG, "weapon", "shield")]
PACES = {None: Pace.STILL, "move": Pace.MOVE, "double": Pace.DOUBLE_MOVE, "run": Pace.RUN}


def find(shelf: Shelf[NamedT], name: str) -> NamedT:
    """The content of this name; a case that names anything else is not supported."""
    found = called(shelf, name)
    if found is None:
        raise UnsupportedCaseError(f"no {shelf.kind} is called {name!r}")
    return found


def own_power(slug: str) -> Power:
    """A power by the slug the rules themselves use."""
    return CATALOG.powers[content_id(SLUG, "power", slug)]


def action_called(name: str) -> Action:
    """An action by its name."""
    return Action(name.lower())


def refused(problem: RuleProblem) -> Answer:
    """The answer of every area to a broken rule."""
    return {"legal": False, "error": problem.code}


def pool_answer(dice: Explained | RuleProblem) -> Answer:
    """The answer of every area about a pool."""
    return refused(dice) if isinstance(dice, RuleProblem) else {"legal": True, "dice": dice.value}


def successes_in(given: Given, key: str = "dice") -> int:
    """Successes among the faces a case gives under a key; none when it gives no faces."""
    return count_successes(given.get(key, ()), tuple(given.get("lucky_faces", LUCKY_FACES)))


def actor_of(given: Given) -> Actor:
    """Whoever rolls in a case: a role, or bare ratings, with the gear in use."""
    if "role" in given:
        actor = Actor.of_role(find(CATALOG.roles, given["role"]), SETTINGS, given.get("luck"))
    else:
        ratings = Ratings(**{name.lower(): value for name, value in given.get("ratings", {}).items()})
        actor = Actor(ratings=ratings, sight=SETTINGS.sight, luck=given.get("luck"))
    gear = [find(CATALOG.gear, name).id for name in given.get("gear") or ()]
    return actor.with_bonuses(bonuses_of_gear(CATALOG, gear))


def moment_of(given: Given, pace: Pace | None = None) -> Moment:
    """What holds in a case while rolling."""
    weapon = given.get("weapon")
    return Moment(
        situations=frozenset(_situation(words) for words in given.get("context") or ()),
        weapon=None if weapon is None else find(CATALOG.weapons, weapon),
        pace=pace or PACES[given.get("movement")],
    )


def _situation(words: str) -> str:
    found = CATALOG.situation_called(words) or called(CATALOG.weapons, words)
    return words if found is None else found.id
