"""Tracks of characters outside scenes, and rests: bounds, the books' examples, and sheets that stay true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.engine.play import CastMember, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.simulation.rests import rests_of
from services.rules.engine.steps import Refused
from services.rules.engine.tracks import ChosenAction, TrackMove, TrackState
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel

GAMES = systems()
MOVING = [slug for slug, game in GAMES.items() if game.tracks.kinds]
STILL = [slug for slug, game in GAMES.items() if not game.tracks.kinds]


def character(slug: str, example: str | None = None) -> tuple[Any, Any]:
    """Return the choices and the sheet of an example of a game."""
    game = GAMES[slug]
    choices = game.examples[example or next(iter(game.examples))]
    return choices, game.build(choices, game.content)


def moved(slug: str, choices: Any, sheet: Any, *moves: TrackMove, words: str = "") -> tuple[Any, Any]:
    """Move tracks, which must be allowed."""
    found = GAMES[slug].tracks.move(choices, sheet, moves, words, GAMES[slug].content)
    assert not isinstance(found, Problems), found
    return found[0], found[1]


def refused(slug: str, *moves: TrackMove) -> list[tuple[str, tuple[str | int, ...]]]:
    """Return the codes and paths of the rules that moves of an example break."""
    found = GAMES[slug].tracks.move(*character(slug), moves, "", GAMES[slug].content)
    assert isinstance(found, Problems)
    return [(problem.code, problem.path) for problem in found]


def standing(slug: str, sheet: Any) -> dict[str, int]:
    return {state.key: state.current for state in GAMES[slug].tracks.states(sheet)}


def rested(
    slug: str, choices: Any, sheet: Any, key: str, *actions: ChosenAction, face: int = 1
) -> tuple[Any, Any, list[Roll]]:
    """Let a character rest, each die showing a face; returns choices, sheet and the dice that fell."""
    game, rolls = GAMES[slug], list[Roll]()
    rest = game.tracks.find_rest(key)
    assert rest is not None
    run = rest.take(choices, sheet, actions, game.content)
    try:
        asked = next(run)
        while True:
            rolls += asked
            asked = run.send(tuple((face,) * roll.dice.value for roll in asked))
    except StopIteration as done:
        after = done.value
    return after, game.tracks.sheet(sheet, after, game.content), rolls


def rest_problems(slug: str, choices: Any, sheet: Any, key: str, *actions: ChosenAction) -> list[str]:
    with pytest.raises(Refused) as found:
        rested(slug, choices, sheet, key, *actions)
    return [problem.code for problem in found.value.problems]


# What games declare


@pytest.mark.parametrize("slug", MOVING)
def test_every_track_is_one_of_the_sheet_and_says_what_its_ends_mean(slug: str) -> None:
    tracks = GAMES[slug].tracks
    _, sheet = character(slug)
    named = {track.id for track in sheet.tracks}
    states = tracks.states(sheet)
    assert [state.key for state in states] == [kind.key for kind in tracks.kinds]
    for kind, state in zip(tracks.kinds, states, strict=True):
        assert kind.key in named and kind.label and kind.unit and kind.source
        assert kind.at_least.endswith(".") and kind.at_most.endswith(".")
        assert state.least <= state.current == state.full <= state.most


@pytest.mark.parametrize("slug", MOVING)
def test_rests_are_those_of_a_simulated_day(slug: str) -> None:
    game = GAMES[slug]
    assert game.play is not None and game.tracks.rests
    days = rests_of(game.play)
    assert all(any(each.rest is day for day in days) for each in game.tracks.rests)


@pytest.mark.parametrize("slug", STILL)
def test_a_game_whose_numbers_begin_each_scene_anew_has_no_tracks(slug: str) -> None:
    """Dwarf Dice and Forgeborn: Endurance, dice and points begin with each game."""
    assert slug in ("dwarf_dice", "forgeborn")
    assert GAMES[slug].tracks.rests == () and GAMES[slug].tracks.states(character(slug)[1]) == ()
    assert refused(slug, TrackMove(key="endurance", by=-1)) == [("track_unknown", ("moves", 0, "key"))]


# Moves


@st.composite
def _moves(draw: st.DrawFn) -> tuple[str, str, list[TrackMove]]:
    slug = draw(st.sampled_from(MOVING))
    game = GAMES[slug]
    example = draw(st.sampled_from(sorted(game.examples)))
    states = game.tracks.states(character(slug, example)[1])
    kinds = {kind.key: kind for kind in game.tracks.kinds}
    found = []
    for state in draw(st.lists(st.sampled_from(states), min_size=1, unique=True)):
        entries = [each.value for each in kinds[state.key].entries]
        found.append(
            TrackMove(
                key=state.key,
                to=draw(st.integers(state.least, state.most)),
                entry=draw(st.sampled_from(entries)) if entries else None,
            )
        )
    return slug, example, found


def _back(states: Sequence[TrackState]) -> list[TrackMove]:
    return [TrackMove(key=state.key, to=state.current) for state in states]


@given(_moves(), st.text(alphabet="abc ", max_size=20))
@settings(max_examples=60, deadline=None)
def test_what_a_move_makes_is_what_its_choices_build(
    asked: tuple[str, str, list[TrackMove]], words: str
) -> None:
    """The sheet is not built anew, and says what building it would say."""
    slug, example, moves = asked
    game = GAMES[slug]
    before = character(slug, example)
    choices, sheet = moved(slug, *before, *moves, words=words)
    assert sheet == game.build(choices, game.content)
    now = standing(slug, sheet)
    assert {move.key: now[move.key] for move in moves} == {move.key: move.to for move in moves}
    where = game.tracks.states(before[1])
    assert moved(slug, choices, sheet, *_back(where))[1] == before[1]


@pytest.mark.parametrize("slug", MOVING)
def test_a_track_stays_within_the_bounds_of_the_game(slug: str) -> None:
    for state in GAMES[slug].tracks.states(character(slug)[1]):
        path = ("moves", 0)
        assert refused(slug, TrackMove(key=state.key, to=state.least - 1)) == [
            ("track_out_of_bounds", (*path, "to"))
        ]
        over = TrackMove(key=state.key, by=state.most - state.current + 1)
        assert refused(slug, over) == [("track_out_of_bounds", (*path, "by"))]


def test_every_refused_move_is_named_and_none_is_made() -> None:
    moves = (
        TrackMove(key="luck", by=-1),
        TrackMove(key="luck", by=-1),
        TrackMove(key="mana", by=1),
        TrackMove(key="luck"),
    )
    assert refused("dungeonteller", *moves) == [
        ("track_twice", ("moves", 1, "key")),
        ("track_unknown", ("moves", 2, "key")),
        ("track_twice", ("moves", 3, "key")),
    ]
    assert refused("dungeonteller", TrackMove(key="luck")) == [("track_by_or_to", ("moves", 0))]
    both = TrackMove(key="luck", by=1, to=1)
    assert refused("dungeonteller", both) == [("track_by_or_to", ("moves", 0))]
    typed = TrackMove(key="luck", by=-1, entry="physical")
    assert refused("dungeonteller", typed) == [("entry_unknown", ("moves", 0, "entry"))]


# DungeonTeller


def test_luck_lost_outside_a_scene_is_missing_in_the_next_and_a_rest_brings_it_back() -> None:
    """Basics / Luck: a hero begins with 10, and any chance to rest between scenes restores all of it."""
    play = cast(Any, GAMES["dungeonteller"].play)
    choices, full = character("dungeonteller", "wizard")
    most = full.luck.value
    choices, sheet = moved("dungeonteller", choices, full, TrackMove(key="luck", by=-4))
    assert (choices.luck, sheet.luck.value) == (most - 4, most)
    opening = play.begin(play.setups["orc-ambush"], (CastMember(id="one", sheet=sheet),))
    (hero,) = (being for being in opening.beings if being.hero)
    assert (hero.luck, hero.max_luck) == (most - 4, most)
    choices, sheet, rolls = rested("dungeonteller", choices, sheet, "rest")
    assert (choices.luck, sheet, rolls) == (None, full, [])


def test_luck_that_is_kept_is_never_below_zero_and_a_maximum_that_fell_cuts_it() -> None:
    game = GAMES["dungeonteller"]
    choices, sheet = character("dungeonteller")
    built = game.build(replace(choices, luck=-1), game.content)
    assert isinstance(built, Problems) and built.codes == ("luck_below_0",)
    assert game.build(replace(choices, luck=99), game.content) == sheet


# Forge Engine


def test_a_short_rest_restores_stamina_and_a_long_one_everything() -> None:
    """Resting / Short Rest, Long Rest."""
    choices, full = character("forge_engine")
    most, energy = full.health.value, full.energy.value
    hurt = moved(
        "forge_engine",
        choices,
        full,
        TrackMove(key="health", to=1),
        TrackMove(key="energy", by=-(energy - 1)),
    )
    assert hurt[0].expended == energy - 1
    _, short, _ = rested("forge_engine", *hurt, "short")
    assert short.health_now == min(most, 1 + full.rest_health.value)
    assert short.expended == max(0, energy - 1 - full.rest_energy)
    after, long, _ = rested("forge_engine", *hurt, "long")
    assert (after, long) == (choices, full)


def test_the_unconscious_come_to_at_a_short_rest_with_one_health() -> None:
    """Resting / Short Rest: 1 health, and at least 1 expended energy."""
    choices, full = character("forge_engine")
    out = moved("forge_engine", choices, full, TrackMove(key="health", to=0), TrackMove(key="energy", by=-1))
    assert out[1].condition == "unconscious"
    _, sheet, _ = rested("forge_engine", *out, "short")
    assert (sheet.health_now, sheet.expended) == (1, 0)


def test_the_dying_and_the_dead_do_not_rest() -> None:
    """Resting [R-70]; dead at the maximum below 0 (R-57)."""
    choices, full = character("forge_engine")
    for health, condition in ((-1, "dying"), (-full.health.value, "dead")):
        fallen = moved("forge_engine", choices, full, TrackMove(key="health", to=health))
        assert fallen[1].condition == condition
        for key in ("short", "long"):
            assert rest_problems("forge_engine", *fallen, key) == ["cannot_rest"]


# Fortunate Blades


def harm(level: str, entry: str | None, by: int = 1) -> TrackMove:
    return TrackMove(key=f"harm_{level}", by=by, entry=entry)


def test_harm_is_of_a_type_and_called_by_the_words_of_the_table() -> None:
    """Harm: physical, mental or spiritual (F1)."""
    choices, full = character("fortunate_blades")
    choices, sheet = moved("fortunate_blades", choices, full, harm("serious", "mental"), words="bad dreams")
    (found,) = sheet.harms
    assert (found.group, found.level, found.words) == (Group.MENTAL, HarmLevel.SERIOUS, "bad dreams")
    assert refused("fortunate_blades", harm("minor", None)) == [("entry_missing", ("moves", 0, "entry"))]
    assert refused("fortunate_blades", harm("minor", "poison")) == [("entry_unknown", ("moves", 0, "entry"))]
    game = GAMES["fortunate_blades"]
    wrong = game.tracks.move(choices, sheet, [harm("serious", "physical", -1)], "", game.content)
    assert isinstance(wrong, Problems)
    assert [(each.code, each.path) for each in wrong] == [("entry_missing", ("moves", 0, "entry"))]
    assert moved("fortunate_blades", choices, sheet, harm("serious", "mental", -1)) == character(
        "fortunate_blades"
    )


def chosen(key: str, **more: str) -> ChosenAction:
    return ChosenAction(key=key, **more)


def actions(sheet: Any) -> Iterator[str]:
    game = GAMES["fortunate_blades"]
    return (each.key for each in game.tracks.rests[0].actions(sheet, game.content))


def test_a_rest_makes_a_serious_harm_minor_and_removes_a_minor_one() -> None:
    """Taking a Rest / Recover: a Serious Harm becomes a Minor Harm, and a Minor Harm is fully removed."""
    hurt = moved("fortunate_blades", *character("fortunate_blades"), harm("serious", "physical"))
    (recover,) = (key for key in actions(hurt[1]) if key.startswith("recover"))
    once = rested("fortunate_blades", *hurt, "safe", chosen(recover))
    assert [each.level for each in once[1].harms] == [HarmLevel.MINOR]
    twice = rested("fortunate_blades", *hurt, "safe", chosen(recover), chosen(recover))
    assert twice[1].harms == ()
    assert twice[2] == []
    gone = moved("fortunate_blades", *character("fortunate_blades"), harm("minor", "physical"))
    (recover,) = (key for key in actions(gone[1]) if key.startswith("recover"))
    again = rest_problems("fortunate_blades", *gone, "safe", chosen(recover), chosen(recover))
    assert again == ["rest_action_unknown"]


@pytest.mark.parametrize("face", [1, 4])
def test_a_story_regains_its_die_and_one_more_fortune(face: int) -> None:
    """Taking a Rest / Tell a Story: 1D4+1 Fortune."""
    spent = moved("fortunate_blades", *character("fortunate_blades"), TrackMove(key="fortune", to=2))
    told = rested("fortunate_blades", *spent, "safe", chosen("story"), face=face)
    assert [roll.notation for roll in told[2]] == ["1d4"]
    assert told[1].fortune_left == 2 + face + 1


def test_a_rest_trains_a_track_and_prepares_for_an_event() -> None:
    """Taking a Rest / Train fills one pip; Prepare earns one extra Fortune for an event."""
    choices, full = character("fortunate_blades")
    picked = (chosen("train", choice="mental"), chosen("prepare", words="the ford"))
    after, sheet, rolls = rested("fortunate_blades", choices, full, "safe", *picked)
    assert after.condition.boxes.mental == choices.condition.boxes.mental + 1
    assert [(each.event, each.points) for each in sheet.prepared] == [("the ford", 1)]
    assert rolls == []
    game = GAMES["fortunate_blades"]
    assert sheet == game.build(after, game.content)


@pytest.mark.parametrize(
    ("picked", "codes"),
    [
        ([chosen("wait")] * 3, ["too_many_rest_actions"]),
        ([chosen("sleep")], ["rest_action_unknown"]),
        ([chosen("train")], ["rest_choice_unknown"]),
        ([chosen("story", choice="mental")], ["rest_choice_unknown"]),
        ([chosen("prepare")], ["rest_words_missing"]),
    ],
)
def test_a_rest_has_two_actions_of_those_that_it_offers(
    picked: Sequence[ChosenAction], codes: list[str]
) -> None:
    assert rest_problems("fortunate_blades", *character("fortunate_blades"), "safe", *picked) == codes


@pytest.mark.parametrize(("slug", "key"), [("dungeonteller", "rest"), ("forge_engine", "short")])
def test_a_rest_without_actions_takes_none(slug: str, key: str) -> None:
    assert rest_problems(slug, *character(slug), key, chosen("wait")) == ["too_many_rest_actions"]
