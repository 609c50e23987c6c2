"""Through the public port: questions about imported maps are charged by what they take, or not begun at all."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from infra.gates.frame.processor import processor_ms
from tests.e2e.product import Person, Product
from tests.platform.door.test_play_cost import drained, points

FULL = 2_000
"""Points of a bucket; it does not fill again while a test looks."""
CROWD = 5
FIELDS = {
    "distance": "distance(start: {x: 1, y: 1}, end: {x: 50, y: 50}) { cells }",
    "light": "light(at: {x: 5, y: 5})",
    "lineOfSight": "lineOfSight(start: {x: 1, y: 1}, end: {x: 50, y: 50})",
    "cover": "cover(attacker: {x: 1, y: 1}, target: {x: 50, y: 50})",
    "visible": "visible(start: {x: 5, y: 50}) { row first last }",
    "path": "path(start: {x: 1, y: 50}, end: {x: 50, y: 50}) { paces }",
    "reach": "reach(start: {x: 1, y: 50}, paces: 10) { paces }",
    "area": "area(area: {shape: CIRCLE, at: {x: 5, y: 50}, paces: 9}) { row first last }",
}
GROUND = "query ($id: ID!) {{ map(id: $id) {{ ground {{ {0} }} }} }}"
WALLS = "query ($id: ID!) { map(id: $id) { grid { walls { points { x y } } } } }"
FAR = GROUND.format("reach(start: {x: 200, y: 200}, paces: 49) { paces }")
LIGHT = GROUND.format(FIELDS["light"])


def file_of(side: int, corners: int, lights: int = 0, reach: float = 10) -> bytes:
    """A Universal VTT file in the dark: one wall to and fro at the left, and lamps all over."""
    wall = [{"x": 1 + 4 * (index % 2), "y": side * index / corners} for index in range(corners)]
    lamps = [
        {
            "position": {"x": side * (index % 10) / 10 + 1, "y": side * (index // 10 % 10) / 10 + 1},
            "range": reach,
            "color": "ffffffff",
        }
        for index in range(lights)
    ]
    document = {
        "format": 0.3,
        "resolution": {"map_size": {"x": side, "y": side}, "pixels_per_grid": 70},
        "line_of_sight": [wall],
        "environment": {"ambient_light": "ff000000"},
        "lights": lamps,
    }
    return json.dumps(document).encode()


def bring(person: Person, file: bytes) -> tuple[str, float]:
    """Import a map that must be kept, with a full bucket; give its id and what it has cost."""
    drained(person.product, person, FULL)
    made = person.send("POST", "/v1/maps/import", content=file, headers={"content-type": "application/json"})
    assert made.status_code == 201, made.text
    return str(made.json()["id"]), FULL - points(person.product, person)


def asked(person: Person, query: str, map_id: str) -> tuple[dict[str, Any], int]:
    """Ask with a full bucket; give the answer and what it has cost."""
    person.product.fill_buckets()
    answer = person.graph(query, {"id": map_id}, patient=False).json()
    return answer, int(answer["extensions"]["cost"]["requested"])


def code_of(answer: dict[str, Any]) -> str | None:
    """Give the code of the one error of an answer."""
    (error,) = answer.get("errors", [{}])
    return str(error.get("extensions", {}).get("code"))


@pytest.mark.parametrize("corners", [2_000, 19_990])
def test_ground_of_many_walls_is_charged_once_and_each_question_by_itself(
    sqlite: Product, corners: int
) -> None:
    person = sqlite.sign_up("Surveyor")
    plain, basic = bring(person, file_of(60, 3, lights=5))
    made, cost = bring(person, file_of(60, corners, lights=5))
    # What is kept is read again, and its ground made, as it is shown at once.
    assert basic + corners / 1_000 < cost < basic + corners / 50
    lit = [asked(person, LIGHT, one) for one in (plain, made, made)]
    assert not any("errors" in answer for answer, _ in lit)
    assert lit[1][0]["data"] == lit[2][0]["data"]
    # What remains is reading the map from the database.
    assert 2 <= lit[2][1] <= 2 + corners / 5_000
    answer, cost = asked(person, GROUND.format(" ".join(FIELDS.values())), made)
    assert "errors" not in answer
    assert set(answer["data"]["map"]["ground"]) == set(FIELDS)
    assert cost < 200
    answer, cost = asked(person, WALLS, made)
    assert len(answer["data"]["map"]["grid"]["walls"][0]["points"]) == corners
    assert corners / 200 < cost < corners / 100 + 50


def test_a_map_with_more_points_than_anybody_draws_is_refused(sqlite: Product) -> None:
    person = sqlite.sign_up("Surveyor")
    refused = person.send(
        "POST",
        "/v1/maps/import",
        content=file_of(60, 20_000),
        headers={"content-type": "application/json"},
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "INVALID_INPUT")
    assert {issue["code"] for issue in refused.json()["issues"]} == {"IMPORT_OUT_OF_RANGE"}
    assert person.ask("{ maps { nodes { id } } }")["maps"]["nodes"] == []


def test_what_would_take_a_quarter_of_a_minute_is_refused_before_it_begins(sqlite: Product) -> None:
    person = sqlite.sign_up("Lamplighter")
    made, _ = bring(person, file_of(400, 3, lights=100, reach=1_000))
    asked(person, GROUND.format(FIELDS["distance"]), made)  # the ground is made, and paid for
    service = sqlite.pid("map")
    assert service is not None
    before = processor_ms(service)
    for query in (LIGHT, GROUND.format(FIELDS["visible"])):
        answer, cost = asked(person, query, made)
        assert code_of(answer) == "QUERY_TOO_EXPENSIVE"
        assert answer["errors"][0]["extensions"]["requested"] > 1_000
        assert cost < 10
    # By lamp it is a tenth of a second and more.
    assert processor_ms(service) - before < 3_000


@pytest.fixture
def crowd() -> Iterator[ThreadPoolExecutor]:
    """Ask many things at once; whatever is under way is waited for."""
    with ThreadPoolExecutor(CROWD) as pool:
        yield pool


def test_another_is_answered_while_costly_questions_run(sqlite: Product, crowd: ThreadPoolExecutor) -> None:
    people = [sqlite.sign_up("Wanderer") for _ in range(CROWD)]
    maps = [bring(person, file_of(400, 3))[0] for person in people]
    other = sqlite.sign_up("Passer-by")
    mine, _ = bring(other, file_of(60, 200, lights=5))
    assert "errors" not in other.answer(LIGHT, id=mine)
    sqlite.fill_buckets()
    begun = [crowd.submit(person.graph, FAR, {"id": made}) for person, made in zip(people, maps, strict=True)]
    meanwhile = 0
    while not all(one.done() for one in begun):
        assert "errors" not in other.answer(LIGHT, id=mine)
        meanwhile += not all(one.done() for one in begun)
    assert meanwhile, "it was answered when nobody else asked any more"
    for one in begun:
        answer = one.result().json()
        if "errors" in answer:
            # A machine that has other things to do: they were told so.
            assert code_of(answer) == "SUBGRAPH_UNAVAILABLE"
        else:
            assert len(answer["data"]["map"]["ground"]["reach"]) > 9_000
