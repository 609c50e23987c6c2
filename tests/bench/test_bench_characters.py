"""The benchmark of characters: what the rules are asked, what a product is asked, and how it is told."""

import json
from pathlib import Path

import orjson
import pytest
from graphql import build_ast_schema, parse, validate

from infra.benchmarks import characters
from infra.benchmarks.harness import character_rules
from infra.benchmarks.harness.cases import BenchFailure, Figures, Sample
from infra.benchmarks.harness.character_product import FINISHED, HALF_MADE, TYPED, Owner, build, requests
from infra.benchmarks.harness.character_rules import Task
from infra.benchmarks.harness.tables import Guest
from services.character.building.builds import MAX_CHOICES_BYTES
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forge_engine import SYSTEM

ROOT = Path(__file__).resolve().parents[2]


def test_the_rules_can_be_asked_and_what_they_take_be_told() -> None:
    lines = [json.loads(case.line()) for case in characters.on_the_rules(0.0, rounds=1)]
    told = {line["case"]: line for line in lines}
    assert len(told) == len(lines) == len(character_rules.tasks())
    for line in lines:
        assert (line["unit"], line["against"], line["target"], line["met"]) == ("ms", None, None, None)
        assert 0 < line["value"] <= line["p99_ms"]
        assert line["measured"] > 0
    offered = [line["offers"] for name, line in told.items() if "guide" in name]
    assert min(offered) > 50
    # Searching for the first time finds the same.
    again, first = (told[f"search through all content{when}"] for when in ("", ", for the first time"))
    assert again["hits"] == first["hits"] > 0


def test_the_largest_choices_are_about_as_large_as_may_be() -> None:
    largest = character_rules._largest(SYSTEM.examples[character_rules.HALF_MADE])
    size = len(orjson.dumps(SYSTEM.choices_codec.dump(largest)["data"]))
    assert 0.9 * MAX_CHOICES_BYTES < size <= MAX_CHOICES_BYTES


async def test_a_task_is_timed_in_batches_and_at_least_once() -> None:
    done: list[int] = []

    def run() -> int:
        done.append(1)
        return len(done)

    sample = await Task("counting", run, "times", 4).measure(0.0)
    assert (len(done), sample.done, len(sample.latencies)) == (4, 4, 1)


def test_a_refusal_of_the_rules_is_told_in_one_line() -> None:
    problem = RuleProblem("odd", "This is odd.", "The book", ("name",))
    with pytest.raises(BenchFailure, match="the rules refuse"):
        character_rules._whole(Problems((problem,)))
    assert character_rules._whole(7) == 7


def test_each_player_asks_everything_with_a_key_of_their_own() -> None:
    players = [Owner(Guest(f"acc_{name}", f"key-{name}"), f"chr_{name}", f'"{name}"') for name in "ab"]
    asked = requests(players)
    assert len(asked) == 7
    for each in asked.values():
        for request, player in zip(each, players, strict=True):
            assert request.message.count(player.key.encode()) == 1
        for request in each:
            head, _, body = request.message.partition(b"\r\n\r\n")
            assert head.startswith((b"GET /v1/", b"POST /v1/", b"POST /graphql "))
            assert (b"content-length: %d" % len(body) in head) == bool(body)
    held = asked["sheet over REST, not modified"][0]
    assert (held.status, b'if-none-match: "a"' in held.message) == (304, True)
    made = asked["character made over REST"][0]
    assert made.status == 201
    assert json.loads(made.message.partition(b"\r\n\r\n")[2]) == {"build": build(FINISHED)}
    for example in (FINISHED, HALF_MADE):
        assert build(example)["forgeEngine"]["name"] == SYSTEM.examples[example].name


def test_the_product_understands_what_is_asked_of_the_graph() -> None:
    text = (ROOT / "schema" / "supergraph.graphql").read_text("utf-8")
    assert validate(build_ast_schema(parse(text), assume_valid=True), parse(TYPED)) == []


def test_many_clients_are_told_beside_one() -> None:
    def turn(took: float, *failures: str) -> Figures:
        return Figures([Sample(2.0, [took] * 4, failures)])

    figures = {
        characters.named("draft", 1): turn(10.0),
        characters.named("draft", 16): turn(40.0),
        characters.named("sheet, not modified", 1): turn(2.0),
        characters.named("sheet, not modified", 16): turn(4.0, "503"),
    }
    told = {case.name: case for case in characters.door_cases(figures)}
    assert {name: (case.value, case.ratio, case.met) for name, case in told.items()} == {
        "draft, 1 client": (10.0, None, None),
        "draft, 16 clients": (40.0, 0.25, None),
        "sheet, not modified, 1 client": (2.0, None, None),
        "sheet, not modified, 16 clients": (4.0, 0.5, False),
    }
    assert told["draft, 16 clients"].more == {"p99_ms": 40.0, "per_s": 2.0, "measured": 4}
