"""Playing on maps through the service: prepared in secret, shown, moved, undone, asked, followed."""

import itertools
import json
import threading
from typing import Any

import pytest

from services.map.graphql import ground_types
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.databases import ON_BOTH
from tests.map.service_desk import CHANGES, TABLE, UNDO, MapDesk

CAMPAIGN = new_id("cmp")
DUNGEON = {"map": {"dungeon": {"width": 41, "height": 41}}, "seed": "3"}
CANARY = "the thing behind the altar"


def table(tables: Tables) -> tuple[Viewer, Viewer, Viewer]:
    """Seat a GM, a player and a spectator."""
    people = somebody(), somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=people[0], player=people[1], spectator=people[2])
    return people


def looked(desk: MapDesk, viewer: Viewer, map_id: str) -> Any:
    return desk.ask(viewer, TABLE, id=map_id)["map"]


def entrance(desk: MapDesk, gm: Viewer, map_id: str) -> list[dict[str, int]]:
    """Give squares around the entrance."""
    site: list[dict[str, int]] = desk.internal(gm, f"maps/{map_id}/site").json()["data"]["heroes"]
    return site


def test_a_map_is_prepared_in_secret_then_shown_as_far_as_it_is_explored(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, spectator = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON)
    whole = looked(map_desk, gm, made)
    assert (whole["kind"], whole["sharing"], whole["seed"], whole["whole"]) == (
        "DUNGEON",
        "HIDDEN",
        "3",
        True,
    )
    assert whole["gates"] and whole["figures"] and [file["name"] for file in whole["files"]]
    assert looked(map_desk, player, made) is None
    assert map_desk.internal(player, f"maps/{made}/outputs/svg").status_code == 404
    assert map_desk.internal(player, f"maps/{made}/site").status_code == 404

    here, beside, *_ = entrance(map_desk, gm, made)
    assert map_desk.edit(gm, made, setFog={"mode": "FOGGED"})["map"]["sharing"] == "FOGGED"
    hero = map_desk.edit(
        gm, made, putToken={"name": "Ann", "at": here, "owners": [player.account], "sight": {"dark": 6}}
    )["thing"]
    villain = map_desk.edit(gm, made, putToken={"name": CANARY, "at": beside, "layer": "GM"})["thing"]
    map_desk.edit(gm, made, putNote={"title": CANARY, "at": here, "text": CANARY})

    seen = looked(map_desk, player, made)
    assert (seen["seed"], seen["whole"], seen["gates"], seen["files"], seen["edits"]) == (
        "",
        False,
        [],
        [],
        None,
    )
    assert [token["name"] for token in seen["play"]["tokens"]] == ["Ann"]
    assert CANARY not in json.dumps(seen) and villain not in json.dumps(seen)
    assert seen["grid"]["traps"] == [] and seen["grid"]["goal"] is None
    known, shown = seen["grid"], whole["grid"]["cells"]
    explored = {
        (known["x"] + x, known["y"] + y): letter
        for y, row in enumerate(known["cells"])
        for x, letter in enumerate(row)
        if letter != " "
    }
    assert 0 < len(explored) < sum(letter != " " for letter in "".join(shown))
    assert all(shown[y][x] == letter for (x, y), letter in explored.items())
    # They are told no more of how large it is, and their pictures are of that part.
    extent = {name: int(known[name]) for name in ("x", "y", "width", "height")}
    assert seen["play"]["extent"] == extent and extent["width"] < whole["play"]["extent"]["width"] == 41
    lines = map_desk.internal(player, f"maps/{made}/outputs/uvtt-lines")
    told = ", ".join(f"{name}={value}" for name, value in extent.items())
    assert lines.headers["x-map-extent"] == told
    assert lines.json()["resolution"]["map_size"] == {"x": extent["width"], "y": extent["height"]}
    drawn = map_desk.internal(gm, f"maps/{made}/outputs/uvtt-lines")
    assert drawn.headers["x-map-extent"] == "x=0, y=0, width=41, height=41"
    assert len(looked(map_desk, spectator, made)["play"]["tokens"]) <= 1

    # One walks where one can, and nobody moves what they do not see.
    moved = map_desk.edit(player, made, moveToken={"id": hero, "to": beside})
    assert moved["__typename"] == "MapEdited" and moved["thing"] == hero
    refused = map_desk.edit(player, made, moveToken={"id": villain, "to": here})
    assert refused["issues"][0]["path"] == ["edit", "moveToken", "id"]
    unknown = map_desk.edit(player, made, moveToken={"id": new_id("thg"), "to": here})
    assert refused["issues"][0]["code"] == unknown["issues"][0]["code"] == "MAP_NOT_YOURS"
    assert map_desk.edit(spectator, made, putMarker={"at": here})["issues"][0]["code"] == "MAP_NOT_ALLOWED"
    assert map_desk.edit(player, made, setFog={"mode": "OPEN"})["code"] == "INVALID_INPUT"


def test_edits_are_undone_by_number_and_the_log_tells_who_did_what(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    before = looked(map_desk, gm, made)["revision"]
    token = map_desk.edit(gm, made, putToken={"name": "Ann", "at": here, "owners": [player.account]})["thing"]
    map_desk.edit(player, made, moveToken={"id": token, "to": beside})
    map_desk.edit(player, made, draw={"shape": "LINE", "points": [here, beside]})
    log = looked(map_desk, gm, made)["edits"]["nodes"]
    assert [(entry["sort"], entry["account"]["id"]) for entry in log] == [
        ("draw", player.account),
        ("move_token", player.account),
        ("put_token", gm.account),
    ]
    assert map_desk.ask(player, UNDO, map=made)["undoMapEdit"]["code"] == "FORBIDDEN"
    put = log[2]["number"]
    refused = map_desk.ask(gm, UNDO, map=made, number=put)["undoMapEdit"]
    assert refused["code"] == "INVALID_INPUT"  # the token has walked since
    for _ in range(3):
        assert map_desk.ask(gm, UNDO, map=made)["undoMapEdit"]["__typename"] == "MapEdited"
    after = looked(map_desk, gm, made)
    assert after["revision"] == before
    assert [entry["sort"] for entry in after["edits"]["nodes"][:3]] == ["undo"] * 3
    assert all(entry["undone"] for entry in after["edits"]["nodes"][3:])
    assert map_desk.ask(gm, UNDO, map=made)["undoMapEdit"]["code"] == "INVALID_INPUT"


@ON_BOTH
def test_an_edit_may_name_the_revision_that_was_seen_and_is_made_once(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    seen = looked(map_desk, player, made)["revision"]
    # What a player does not see does not make their revision old.
    map_desk.edit(gm, made, putToken={"name": CANARY, "at": here, "layer": "GM"})
    assert looked(map_desk, player, made)["revision"] == seen
    more = {"revision": seen, "idempotencyKey": "once"}
    first = map_desk.edit(player, made, more, putMarker={"at": here, "label": "Here"})
    again = map_desk.edit(player, made, more, putMarker={"at": here, "label": "Here"})
    assert first["thing"] == again["thing"] and first["map"]["revision"] == again["map"]["revision"]
    other = map_desk.edit(player, made, more, putMarker={"at": beside, "label": "There"})
    assert other["code"] == "IDEMPOTENCY_CONFLICT"
    unknown = map_desk.edit(player, made, {"revision": "none"}, putMarker={"at": here})
    assert unknown["__typename"] == "MapChanged" and unknown["path"] == ["revision"]
    told = unknown["expectedRevision"], unknown["currentRevision"], unknown["differing"]
    assert told == ("none", first["map"]["revision"], [])


@ON_BOTH
def test_a_map_tells_when_it_was_edited_to_who_sees_all_of_it(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, *_ = entrance(map_desk, gm, made)
    ask = "query ($id: ID!) { map(id: $id) { createdAt updatedAt edits(first: 1) { nodes { madeAt } } } }"
    first = map_desk.ask(gm, ask, id=made)["map"]
    assert first["updatedAt"] == first["createdAt"]
    map_desk.edit(gm, made, putToken={"name": CANARY, "at": here, "layer": "GM"})
    later = map_desk.ask(gm, ask, id=made)["map"]
    assert later["updatedAt"] == later["edits"]["nodes"][0]["madeAt"] > first["updatedAt"]
    assert map_desk.ask(player, ask, id=made)["map"]["updatedAt"] is None


BROKEN: tuple[tuple[dict[str, Any], list[str]], ...] = (
    ({"putToken": {"name": "", "at": {"x": 1, "y": 1}}}, ["edit", "putToken", "name"]),
    ({"putToken": {"name": "A", "at": {"x": 1e9, "y": 1}}}, ["edit", "putToken", "at"]),
    ({"setDoor": {"id": "door-999", "state": "OPEN"}}, ["edit", "setDoor", "id"]),
    ({"dropRuin": {}}, ["edit", "dropRuin"]),
    ({"spendRuin": {"place": "ruin-1"}}, ["edit", "spendRuin"]),
)


@ON_BOTH
def test_a_broken_rule_is_named_with_its_path(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"dungeon": {"width": 21, "height": 21}})
    seen = looked(map_desk, viewer, made)
    for edit, path in BROKEN:
        answer = map_desk.edit(viewer, made, **edit)
        assert answer["__typename"] == "InvalidInput", edit
        assert answer["issues"][0]["path"][: len(path)] == path
    assert looked(map_desk, viewer, made) == seen


def test_a_realm_grows_by_a_ruin_and_shrinks_again(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN)
    old = looked(map_desk, player, made)["realm"]["places"]
    picture = map_desk.internal(player, f"maps/{made}/outputs/svg").content
    assert map_desk.edit(player, made, dropRuin={})["code"] == "FORBIDDEN"
    assert map_desk.edit(gm, made, dropRuin={})["__typename"] == "MapEdited"
    grown = looked(map_desk, player, made)["realm"]["places"]
    assert grown[:-1] == old and grown[-1]["kind"] == "RUIN"
    assert map_desk.edit(gm, made, spendRuin={"place": "ruin-1"})["__typename"] == "MapEdited"
    spent = {place["key"]: place["spent"] for place in looked(map_desk, gm, made)["realm"]["places"]}
    assert spent["ruin-1"] and not spent["ruin-2"]
    assert map_desk.edit(gm, made, spendRuin={"place": "ruin-1"})["issues"][0]["code"] == "REALM_RUIN_SPENT"
    assert map_desk.internal(player, f"maps/{made}/outputs/svg").content != picture
    log = looked(map_desk, gm, made)["edits"]["nodes"]
    blocked = map_desk.ask(gm, UNDO, map=made, number=log[1]["number"])["undoMapEdit"]
    assert blocked["code"] == "INVALID_INPUT"  # the map has grown since
    for _ in range(2):
        map_desk.ask(gm, UNDO, map=made)
    assert looked(map_desk, player, made)["realm"]["places"] == old
    assert map_desk.internal(player, f"maps/{made}/outputs/svg").content == picture


@ON_BOTH
def test_a_follower_hears_what_they_see_and_nothing_of_the_rest(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    heard = map_desk.events(player, CHANGES, id=made)
    assert next(heard)["data"]["mapChanges"]["play"]["tokens"] == []

    def act() -> None:
        map_desk.edit(gm, made, putToken={"name": CANARY, "at": here, "layer": "GM"})
        map_desk.edit(gm, made, putToken={"name": "Ann", "at": beside})

    acting = threading.Thread(target=act)
    acting.start()
    told = next(heard)["data"]["mapChanges"]
    acting.join()
    # The hidden token came first, and nothing was told of it.
    assert [token["name"] for token in told["play"]["tokens"]] == ["Ann"]
    map_desk.edit(gm, made, setFog={"mode": "HIDDEN"})
    end = next(heard)
    assert end["errors"][0]["extensions"]["code"] == "NOT_FOUND"


def test_a_follower_who_comes_back_hears_of_what_has_changed_alone(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer)
    (first,) = itertools.islice(map_desk.events(viewer, CHANGES, id=made), 1)
    seen = first["data"]["mapChanges"]
    edited = map_desk.edit(viewer, made, putMarker={"at": {"x": 5, "y": 5}})["map"]
    heard = map_desk.events(viewer, CHANGES, id=made, after=seen["cursor"])
    told = next(heard)["data"]["mapChanges"]
    assert told["revision"] == edited["revision"] != seen["revision"]
    heard = map_desk.events(viewer, CHANGES, id=made, after=told["cursor"])
    acting = threading.Thread(target=map_desk.edit, args=(viewer, made), kwargs={"dropRuin": {}})
    acting.start()
    later = next(heard)["data"]["mapChanges"]
    acting.join()
    assert later["revision"] not in (told["revision"], seen["revision"])
    (wrong,) = map_desk.events(viewer, CHANGES, id=made, after="%")
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_CURSOR"


def test_so_many_cells_are_told_of_those_that_can_be_reached(
    map_desk: MapDesk, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, _, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON)
    here, *_ = entrance(map_desk, gm, made)
    ask = """query ($id: ID!, $a: SquareInput!) {
      map(id: $id) { ground { reach(start: $a, paces: 20) { paces } } } }"""
    told = map_desk.ask(gm, ask, id=made, a=here)["map"]["ground"]["reach"]
    monkeypatch.setattr(ground_types, "MAX_REACHED", len(told))
    assert map_desk.ask(gm, ask, id=made, a=here)["map"]["ground"]["reach"] == told
    monkeypatch.setattr(ground_types, "MAX_REACHED", len(told) - 1)
    (error,) = map_desk.answer(gm, ask, id=made, a=here)["errors"]
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert f"{len(told):,}" in error["message"]


def test_the_ground_answers_by_what_its_viewer_knows(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="FOGGED")
    here, beside, *_ = entrance(map_desk, gm, made)
    goal = looked(map_desk, gm, made)["grid"]["goal"]
    ask = """
    query ($id: ID!, $a: SquareInput!, $b: SquareInput!, $c: SquareInput!) {
      map(id: $id) { ground {
        distance(start: $a, end: $b) { cells paces feet }
        near: path(start: $a, end: $b) { paces feet cells { x y } }
        far: path(start: $a, end: $c) { paces }
        lineOfSight(start: $a, end: $b)
        cover(attacker: $a, target: $b)
        gradedCover(attacker: $a, target: $b) { seen stopped screened taken grade }
        light(at: $a)
        reach(start: $a, paces: 1) { paces cell { x y } }
        apart: distance(start: $a, end: $c, measure: {diagonal: ALTERNATING}) { cells paces feet }
        large: path(start: $a, end: $c, size: 10, measure: {rough: MULTIPLIES}) { paces }
        exact: reach(start: $a, paces: 2, size: 1, measure: {diagonal: EUCLIDEAN}) { paces cell { x y } }
        both: lineOfSight(start: $a, end: $b, startSize: 1, endSize: 1)
        broad: cover(attacker: $a, target: $b, attackerSize: 1, targetSize: 1)
        lit: light(at: $a, size: 1, measure: {diagonal: ORTHOGONAL})
        visible(start: $a, darkvision: 3) { row first last }
        area(area: {shape: CONE, at: $a, toward: $b, paces: 3}) { row first last }
      } }
    }"""
    known = map_desk.ask(gm, ask, id=made, a=here, b=beside, c=goal)["map"]["ground"]
    assert known["distance"] == {"cells": 1, "paces": 1, "feet": 5}
    assert known["near"]["cells"] == [beside] and known["lineOfSight"]
    assert (known["cover"] == "NONE") == (known["gradedCover"]["grade"] == "NONE")
    assert known["gradedCover"]["seen"] and known["cover"] != "TOTAL"
    assert known["visible"] and known["area"]
    assert {"paces": 1, "cell": beside} in known["reach"] or known["near"]["paces"] == 2
    assert known["both"] and known["broad"] == known["cover"] and known["lit"] in ("DARK", "DIM", "BRIGHT")
    across, down = (abs(goal[axis] - here[axis]) for axis in "xy")
    assert known["apart"]["cells"] == max(across, down) + min(across, down) // 2
    # No dungeon has a way for a creature of fifty feet.
    assert known["large"] is None
    assert {"paces": 0, "cell": here} in known["exact"]
    # Nothing is explored yet: for the player all of it is rock.
    dark = map_desk.ask(player, ask, id=made, a=here, b=beside, c=goal)["map"]["ground"]
    assert dark["far"] is None and dark["near"] is None and not dark["lineOfSight"]
    for size in (0, 11):
        document = (
            "query ($id: ID!, $a: SquareInput!) { map(id: $id) { ground { light(at: $a, size: %s) } } }"
        )
        wrong = map_desk.answer(gm, document % size, id=made, a=here)
        assert wrong["errors"][0]["message"] == f"`size` goes from 1 to 10, not {size}."
    far = map_desk.answer(gm, ask, id=made, a={"x": 999, "y": 0}, b=beside, c=goal)
    assert far["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    realm = map_desk.made(gm)
    assert map_desk.ask(gm, ask, id=realm, a=here, b=beside, c=goal)["map"]["ground"] is None


def test_fog_needs_cells(map_desk: MapDesk, tables: Tables) -> None:
    gm, *_ = table(tables)
    refused = map_desk.generate(gm, CAMPAIGN, sharing="FOGGED")
    assert refused["code"] == "INVALID_INPUT" and refused["path"] == ["sharing"]


STORY = """
query ($id: ID!) {
  map(id: $id) {
    seed revision
    story { title players places { key name known } forces { key name standing goal }
      paths { start end sort }
    }
  }
}
"""


def test_a_story_map_grows_in_play_and_keeps_its_secrets(map_desk: MapDesk, tables: Tables) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, map={"story": {"players": 2, "unknown": 2}}, seed="8", sharing="OPEN")
    whole, seen = (map_desk.ask(who, STORY, id=made)["map"] for who in (gm, player))
    assert whole["seed"] == "8" and seen["seed"] == ""
    secret = [force for force in whole["story"]["forces"] if force["goal"]]
    assert secret and not {force["key"] for force in secret} & {
        force["key"] for force in seen["story"]["forces"]
    }
    unknown = [place for place in whole["story"]["places"] if not place["known"]]
    # Of a rumor players see a mark, and nothing else of what they have not found.
    assert unknown and not any(place["name"] in json.dumps(seen) for place in unknown)
    assert map_desk.edit(player, made, storyAddPlace={"name": "Ours"})["code"] == "FORBIDDEN"
    assert (
        map_desk.edit(gm, made, storyDiscoverPlace={"place": unknown[0]["key"]})["__typename"] == "MapEdited"
    )
    added = map_desk.edit(gm, made, storyAddPlace={"name": "The Lantern Inn"})
    assert added["__typename"] == "MapEdited"
    after = map_desk.ask(player, STORY, id=made)["map"]
    names = {place["name"] for place in after["story"]["places"]}
    assert {"The Lantern Inn", unknown[0]["name"]} <= names and after["revision"] != seen["revision"]
    wrong = map_desk.edit(gm, made, storyDiscoverPlace={"place": "nowhere"})
    assert wrong["issues"][0]["path"][:2] == ["edit", "storyDiscoverPlace"]
    for _ in range(2):
        assert map_desk.ask(gm, UNDO, map=made)["undoMapEdit"]["__typename"] == "MapEdited"
    assert map_desk.ask(player, STORY, id=made)["map"] == seen
