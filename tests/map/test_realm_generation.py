"""Realm maps from seeds and from dice."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from services.map.generation.stream import Stream
from services.map.kinds.realm.canonical import canonical_bytes, to_canonical
from services.map.kinds.realm.generator import (
    MAX_SEED,
    GeneratedRealm,
    RealmParameters,
    check_parameters,
    generate,
    inspect_all,
    with_new_ruin,
    with_spent_ruin,
)
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.picture import render
from services.rules.engine.problem import Problems
from services.rules.systems.forgeborn import DroppedDie, PlaceKind, Point
from services.rules.systems.forgeborn.realm_names import LONGEST, place_name

ROOT = Path(__file__).resolve().parents[2]


def generated(**parameters: object) -> GeneratedRealm:
    result = generate(RealmParameters(**parameters))  # type: ignore[arg-type]
    assert isinstance(result, GeneratedRealm), result
    return result


def grown(model: RealmMap) -> RealmMap:
    result = with_new_ruin(model)
    assert isinstance(result, RealmMap), result
    return result


def test_two_hundred_seeds_pass_every_gate_and_differ() -> None:
    files = set()
    for seed in range(200):
        result = generated(seed=seed)
        assert result.report.passed
        assert [gate.name for gate in result.report.gates] == [
            "dice", "powers", "range", "roads", "nearest", "trails", "forests", "connected", "growth",
        ]  # fmt: skip
        assert result.attempts == result.model.attempt + 1
        files.add(canonical_bytes(result.model))
    assert len(files) == 200


@pytest.mark.parametrize(
    "parameters",
    [
        {"seed": 0, "width": 80, "height": 60},
        {"seed": MAX_SEED, "width": 200, "height": 160},
        {"seed": 5, "dragon_minimum": 24, "too_far_percent": 10},
        {"seed": 5, "too_far_percent": 100, "width": 200, "height": 60},
    ],
)
def test_the_gates_pass_at_the_limits_of_the_parameters(parameters: dict[str, int]) -> None:
    assert generated(**parameters).report.passed


def test_dice_of_a_drawn_map_land_inside_the_margin() -> None:
    for seed in range(20):
        realm = generated(seed=seed).model.realm
        assert all(realm.sheet.holds(die.at, realm.settings.margin) for die in realm.dice)


def test_the_dice_of_a_drawn_map_given_back_make_the_same_realm() -> None:
    drawn = generated(seed=11).model
    again = generated(seed=11, dice=drawn.realm.dice).model
    assert again == replace(drawn, given_dice=True)


def test_dice_alone_are_enough_and_always_make_the_same_map() -> None:
    dice = generated(seed=3).model.realm.dice
    first, second = generated(dice=dice).model, generated(dice=dice).model
    assert first == second
    assert first.given_dice
    moved = (replace(dice[0], face=dice[0].face % 4 + 1), *dice[1:])
    assert generated(dice=moved).model.title != first.title


def test_title_and_names_can_be_given() -> None:
    model = generated(seed=4, title="Home", names=(("city", "Tarn <&>"),)).model
    plain = generated(seed=4).model
    assert (model.title, model.realm.place("city").name) == ("Home", "Tarn <&>")
    others = [place.name for place in model.realm.places if place.id != "city"]
    assert others == [place.name for place in plain.realm.places if place.id != "city"]


@pytest.mark.parametrize(
    ("parameters", "code", "path"),
    [
        (RealmParameters(), "realm_needs_seed_or_dice", ("seed",)),
        (RealmParameters(seed=-1), "realm_parameter_out_of_range", ("seed",)),
        (RealmParameters(seed=2**63), "realm_parameter_out_of_range", ("seed",)),
        (RealmParameters(seed=1, width=79), "realm_parameter_out_of_range", ("width",)),
        (RealmParameters(seed=1, height=161), "realm_parameter_out_of_range", ("height",)),
        (RealmParameters(seed=1, dragon_minimum=7), "realm_parameter_out_of_range", ("dragon_minimum",)),
        (RealmParameters(seed=1, too_far_percent=9), "realm_parameter_out_of_range", ("too_far_percent",)),
        (RealmParameters(seed=1, title=" "), "realm_name_length", ("title",)),
        (RealmParameters(seed=1, title="a\nb"), "realm_name_characters", ("title",)),
        (RealmParameters(seed=1, names=(("city", "x" * 33),)), "realm_name_length", ("names", "city")),
        (RealmParameters(seed=1, names=(("harbor", "x"),)), "realm_unknown_place", ("names", "harbor")),
        (
            RealmParameters(dice=(DroppedDie(12, 0, Point.of(1, 1)),)),
            "realm_die_face",
            ("dice", 0, "face"),
        ),
        (
            RealmParameters(dice=(DroppedDie(12, 1, Point.of(121, 1)),)),
            "realm_die_off_sheet",
            ("dice", 0, "at"),
        ),
    ],
)
def test_a_wrong_parameter_is_told_with_its_path(
    parameters: RealmParameters, code: str, path: tuple[str | int, ...]
) -> None:
    assert (code, path) in [(problem.code, problem.path) for problem in check_parameters(parameters)]
    assert isinstance(generate(parameters), Problems)


def test_new_ruins_leave_older_entries_of_the_file_as_they_are() -> None:
    model = generated(seed=7).model
    for _ in range(6):
        after = grown(model)
        old, new = to_canonical(model), to_canonical(after)
        for key in ("dice", "places", "links"):
            assert new.pop(key)[:-1] == old.pop(key)
        assert new == old
        assert inspect_all(after).passed
        model = after
    names = [place.name for place in model.realm.places]
    assert len(set(names)) == len(names)


def test_a_spent_ruin_passes_the_gates_too() -> None:
    model = grown(with_spent_ruin(generated(seed=7).model, "ruin-1"))
    assert inspect_all(model).passed
    assert [ruin.power is None for ruin in model.realm.of_kind(PlaceKind.RUIN)] == [True, False, False]


def test_a_new_ruin_can_be_dropped_by_the_table() -> None:
    model = generated(seed=7).model
    die = grown(model).realm.dice[-1]
    assert with_new_ruin(model, die) == grown(model)
    problems = with_new_ruin(model, replace(die, at=model.realm.dice[0].at))
    assert isinstance(problems, Problems)
    assert problems.codes == ("realm_dice_too_close",)


def test_a_full_sheet_has_no_room_for_a_ruin() -> None:
    model = generated(seed=7, width=80, height=60).model
    for _ in range(200):
        result = with_new_ruin(model)
        if isinstance(result, Problems):
            assert result.codes == ("realm_sheet_full",)
            return
        model = result
    pytest.fail("two hundred dice cannot lie a die's width apart on this sheet")


def test_streams_of_other_names_do_not_disturb_each_other() -> None:
    alone = Stream(9, "names", "city")
    first = [alone.word() for _ in range(5)]
    other, again = Stream(9, "drop", 0), Stream(9, "names", "city")
    mixed = []
    for _ in range(5):
        other.word()
        mixed.append(again.word())
    assert mixed == first
    assert Stream(9, "drop", 0).word() != Stream(9, "drop", 1).word() != Stream(10, "drop", 1).word()


def test_the_stream_is_pinned() -> None:
    stream = Stream(2021, "drop", 0)
    assert [stream.below(6) for _ in range(12)] == PINNED
    assert sorted(set(PINNED)) == [0, 1, 2, 3, 4, 5]


PINNED = [0, 4, 5, 0, 3, 4, 2, 0, 1, 0, 5, 3]


def test_every_number_below_is_about_equally_likely() -> None:
    stream = Stream(1, "fair")
    counts = [0] * 6
    for _ in range(6000):
        counts[stream.below(6)] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5  # chi square, 5 degrees, 0.1 percent
    with pytest.raises(ValueError, match="positive"):
        stream.below(0)


def test_a_shuffle_keeps_every_item() -> None:
    items = list(range(20))
    Stream(1, "deck").shuffle(items)
    assert items != list(range(20))
    assert sorted(items) == list(range(20))


def test_made_names_are_short_and_never_taken_ones() -> None:
    taken = {place_name(PlaceKind.VILLAGE, (), Stream(1, "village-1"))}
    other = place_name(PlaceKind.VILLAGE, taken, Stream(1, "village-1"))
    assert other not in taken
    names = [place_name(kind, (), Stream(seed, kind.value)) for seed in range(150) for kind in PlaceKind]
    assert max(map(len, names)) <= LONGEST
    assert all(name.isascii() and name == name.strip() for name in names)


_ELSEWHERE = """
import hashlib
from services.map.kinds.realm.canonical import canonical_bytes
from services.map.kinds.realm.generator import RealmParameters, generate
from services.map.kinds.realm.render.picture import render
total = hashlib.sha256()
for seed in range(6):
    model = generate(RealmParameters(seed=seed)).model
    total.update(canonical_bytes(model))
    total.update(render(model).encode())
print(total.hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_file_and_picture_have_the_same_bytes_in_every_process(hash_seed: str) -> None:
    total = hashlib.sha256()
    for seed in range(6):
        model = generated(seed=seed).model
        total.update(canonical_bytes(model))
        total.update(render(model).encode())
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=ROOT,
    )
    assert answer.stdout.strip() == total.hexdigest()
