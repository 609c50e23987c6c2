"""Rests between the scenes of a day: who rests is better off, and what the book forbids is refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.simulation.cases import Plan, planned
from services.rules.engine.simulation.days import Day
from services.rules.engine.simulation.request import Axis, Member, Opening, SimulationRequest
from services.rules.engine.simulation.rests import RestsBetweenScenes, rests_of
from services.rules.engine.simulation.run import Runner
from services.rules.systems.forge_engine.play.state import Life
from services.rules.systems.fortunate_blades.play.state import Standing


def day(slug: str, setup: str, *cast: str, scenes: int = 2, rest: str | None = None) -> SimulationRequest:
    openings = (Opening(setup_name=setup), *(Opening(setup_name=setup, rest=rest),) * (scenes - 1))
    members = tuple(Member(id=name, example=name) for name in cast)
    return SimulationRequest(system=slug, scenes=openings, cast=members, policies={"*": "steady@1"})


DAYS = {
    "dungeonteller": day("dungeonteller", "orc-ambush", "dwarf", "elf", "wizard"),
    "forge_engine": day("forge_engine", "skirmish", "pathfinder", "fire-caller"),
    "fortunate_blades": day("fortunate_blades", "wolves", "duellist", "witch"),
}
RUNS = 3


def plan_of(request: SimulationRequest) -> Plan:
    found = planned(request, systems()[request.system])
    assert isinstance(found, Plan), found
    return found


def problems(request: SimulationRequest) -> dict[str, tuple[str | int, ...]]:
    found = planned(request, systems()[request.system])
    assert isinstance(found, Problems)
    return {problem.code: problem.path for problem in found}


def resting(request: SimulationRequest, rest: str | None) -> SimulationRequest:
    first, *later = request.scenes
    return replace(request, scenes=(first, *(replace(each, rest=rest) for each in later)))


@cache
def first_ends(slug: str) -> tuple[Any, ...]:
    """Return how the first scene ended in a few runs of a game's day."""
    plan = plan_of(DAYS[slug])
    runner = Runner(plan, plan.cases[0])
    return tuple(next(runner.scenes(number))[0].state for number in range(RUNS))


def second_begins(slug: str, rest: str | None, before: Any, number: int = 0) -> Any:
    """Return the opening of the second scene, behind an end of the first and a rest."""
    plan = plan_of(resting(DAYS[slug], rest))
    case = plan.cases[0]
    between = Runner(plan, case).between(Day(plan, case), number, 1, before)
    while True:
        try:
            next(between)
        except StopIteration as begun:
            return begun.value


def amount(slug: str, state: Any, figure: str) -> int:
    play: Any = systems()[slug].play
    cast = {member.id for member in DAYS[slug].cast}
    return sum(each.value for each in play.measure(state) if each.figure == figure and each.actor in cast)


# What a rest restores


@pytest.mark.parametrize(
    ("slug", "figure", "rests"),
    [
        ("dungeonteller", "luck", (None, "rest")),
        ("forge_engine", "health", (None, "short", "long")),
        ("fortunate_blades", "fortune", (None, "safe")),
    ],
)
def test_a_party_that_rests_is_better_off(slug: str, figure: str, rests: tuple[str | None, ...]) -> None:
    amounts = [
        sum(
            amount(slug, second_begins(slug, rest, before, number), figure)
            for number, before in enumerate(first_ends(slug))
        )
        for rest in rests
    ]
    assert amounts == sorted(amounts) and amounts[0] < amounts[1]


def test_without_a_rest_luck_stays_lost_and_the_knocked_out_are_up_with_none() -> None:
    (before, *_) = first_ends("dungeonteller")
    beings = tuple(
        replace(being, luck=0, out=True) if being.id == "elf" else being for being in before.beings
    )
    before = replace(before, beings=beings)
    known = {being.id: being for being in before.beings}
    for being in second_begins("dungeonteller", None, before).beings:
        if being.hero:
            assert (being.luck, being.out) == (known[being.id].luck, False)
    rested = second_begins("dungeonteller", "rest", before)
    assert all(being.luck == being.max_luck for being in rested.beings if being.hero)


def test_rests_of_forge_engine_restore_what_the_book_says_and_nothing_to_the_dead() -> None:
    (before, *_) = first_ends("forge_engine")
    one = before.find("pathfinder")
    hurt = replace(one, health=1, expended=5, dead=False)
    other = replace(before.find("fire-caller"), health=-before.find("fire-caller").profile.health, dead=True)
    changed = {one.id: hurt, other.id: other}
    before = replace(
        before, combatants=tuple(changed.get(each.id, each) for each in before.combatants), effects=()
    )
    stamina = one.profile.attributes.stamina
    expected = {
        None: (1, 5),
        "short": (1 + one.profile.rest_health, 5 - stamina),
        "long": (one.profile.health, 0),
    }
    for rest, (health, expended) in expected.items():
        opening = second_begins("forge_engine", rest, before)
        found = opening.find("pathfinder")
        assert (found.health, found.expended) == (min(health, one.profile.health), expended)
        assert found.energy == found.profile.energy - expended
        assert opening.find("fire-caller").life is Life.DEAD


def test_wounds_of_a_finished_sheet_without_choices_stay_too() -> None:
    """Characters of a table take part by their sheets."""
    plan = plan_of(DAYS["forge_engine"])
    case = replace(plan.cases[0], characters={})
    (before, *_) = first_ends("forge_engine")
    day = Day(plan, case)
    day.take_home(before)
    opening: Any = day.next_opening(case.scenes[1], before)
    for one in opening.combatants:
        if one.character:
            assert one.health == min(before.find(one.id).health, one.profile.health)


def test_heroes_of_a_quest_who_are_out_of_it_are_not_back_in_the_next_encounter() -> None:
    (before, *_) = first_ends("fortunate_blades")

    def after(*standings: Standing) -> Any:
        heroes = tuple(
            replace(hero, standing=standing) for hero, standing in zip(before.heroes, standings, strict=True)
        )
        return second_begins("fortunate_blades", None, replace(before, heroes=heroes))

    opening = after(Standing.OUT_OF_ENCOUNTER, Standing.RETIRING)
    assert [hero.standing for hero in opening.heroes] == [Standing.IN, Standing.RETIRED]
    assert after(Standing.DEAD, Standing.OUT_OF_QUEST) is None


# What is asked


def test_every_game_with_rests_says_what_each_is() -> None:
    named = {slug: rests_of(game.play) for slug, game in systems().items() if game.play is not None}
    assert {slug for slug, rests in named.items() if rests} == set(DAYS)
    for slug, rests in named.items():
        assert isinstance(systems()[slug].play, RestsBetweenScenes) == bool(rests)
        assert len({rest.key for rest in rests}) == len(rests)
        assert all(rest.name and rest.text.endswith(".") and rest.source for rest in rests)


@pytest.mark.parametrize(
    ("rests", "code", "path"),
    [
        ((None, "nap"), "rest_unknown", ("scenes", 1, "rest")),
        (("short", None), "rest_before_day", ("scenes", 0, "rest")),
        ((None, "long", "long"), "rest_too_often", ("scenes", 2, "rest")),
    ],
)
def test_a_rest_that_the_book_forbids_is_refused(
    rests: tuple[str | None, ...], code: str, path: tuple[str | int, ...]
) -> None:
    scenes = tuple(Opening(setup_name="skirmish", rest=rest) for rest in rests)
    assert problems(replace(DAYS["forge_engine"], scenes=scenes)) == {code: path}


def test_a_game_without_rests_and_a_position_have_none_before_them() -> None:
    feud = day("dwarf_dice", "feud", "bron", "grim", rest="long")
    assert problems(feud) == {"rest_unknown": ("scenes", 1, "rest")}
    play: Any = systems()["dungeonteller"].play
    position = Opening(state=play.state_codec.dump(first_ends("dungeonteller")[0]), rest="rest")
    scenes = (Opening(setup_name="orc-ambush"), position)
    asked = replace(DAYS["dungeonteller"], scenes=scenes)
    assert problems(asked) == {"rest_before_position": ("scenes", 1, "rest")}


def test_rests_can_be_swept() -> None:
    swept = Axis(pointer="/scenes/1/rest", values=(None, "short", "long"))
    plan = plan_of(replace(DAYS["forge_engine"], sweep=(swept,)))
    assert [case.name for case in plan.cases[1:]] == [
        f"/scenes/1/rest = {name}" for name in ("null", "short", "long")
    ]
    assert [case.scenes[1].rest for case in plan.cases[1:]] == [None, "short", "long"]
    wrong = replace(swept, values=("short", 7))
    assert problems(replace(DAYS["forge_engine"], sweep=(wrong,))) == {"rest_unknown": ("sweep",)}
