"""Edits that name a revision that was replaced since: merged, in conflict, and telling nothing of what is
hidden."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from services.map import revisions
from tests.character.desk import Tables
from tests.databases import ON_BOTH
from tests.map.service_desk import UNDO, MapDesk
from tests.map.test_map_table import CAMPAIGN, CANARY, DUNGEON, entrance, looked, table

Told = dict[str, Any]


def fields_of(answer: Told) -> dict[str, tuple[Any, Any, Any]]:
    """Return the values of a conflict, by their paths."""
    assert answer["__typename"] == "MapChanged", answer
    return {"/".join(one["path"]): (one["yours"], one["theirs"], one["base"]) for one in answer["differing"]}


def put(desk: MapDesk, gm: Any, made: str, **token: Any) -> str:
    return str(desk.edit(gm, made, putToken=token)["thing"])


@ON_BOTH
def test_edits_of_different_things_merge_and_those_of_the_same_conflict(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    owned = {"at": here, "owners": [player.account]}
    ann, bea, cid = (put(map_desk, gm, made, name=name, **owned) for name in ("Ann", "Bea", "Cid"))
    old = {"revision": looked(map_desk, player, made)["revision"]}
    map_desk.edit(gm, made, moveToken={"id": ann, "to": beside})
    once = [
        map_desk.edit(player, made, {**old, "idempotencyKey": "bea"}, moveToken={"id": bea, "to": beside})
        for _ in range(2)
    ]
    assert [one["thing"] for one in once] == [bea, bea]
    map_desk.edit(gm, made, putToken={"id": cid, "name": "Cyd", **owned, "color": "#123456"})
    before = looked(map_desk, gm, made)
    # Whoever has moved it there already has nothing to lose.
    same = map_desk.edit(player, made, old, moveToken={"id": ann, "to": beside})
    assert same["__typename"] == "MapEdited" and same["map"]["revision"] == before["revision"]
    late = map_desk.edit(player, made, old, moveToken={"id": bea, "to": here, "way": []})
    assert fields_of(late) == {f"tokens/{bea}/at": (here, beside, here)}
    assert late["currentRevision"] == before["revision"] != late["expectedRevision"]
    named = map_desk.edit(gm, made, old, putToken={"id": cid, "name": "Sid", **owned})
    assert fields_of(named) == {
        f"tokens/{cid}/name": ("Sid", "Cyd", "Cid"),
        f"tokens/{cid}/color": ("#7a1f1f", "#123456", "#7a1f1f"),
    }
    map_desk.edit(gm, made, removeToken={"id": cid})
    gone = fields_of(map_desk.edit(player, made, old, moveToken={"id": cid, "to": beside}))
    ((yours, theirs, base),) = gone.values()
    assert list(gone) == [f"tokens/{cid}"] and theirs is None
    assert (yours["at"], base["at"], base["layer"]) == (beside, here, "PLAYERS")
    # A rule that is broken in any case is told as such.
    outside = map_desk.edit(player, made, old, putMarker={"at": {"x": -1, "y": 0}})
    assert outside["code"] == "INVALID_INPUT"


def test_merged_edits_are_taken_back_one_by_one_and_revisions_outlive_it(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    ann, bea = (put(map_desk, gm, made, name=one, at=here, owners=[player.account]) for one in "AB")
    first = looked(map_desk, gm, made)["revision"]
    map_desk.edit(gm, made, moveToken={"id": ann, "to": beside})
    map_desk.edit(player, made, {"revision": first}, moveToken={"id": bea, "to": beside})
    number = looked(map_desk, gm, made)["edits"]["nodes"][1]["number"]
    assert map_desk.ask(gm, UNDO, map=made, number=number)["undoMapEdit"]["__typename"] == "MapEdited"
    # What was changed and taken back is as it was; what was not taken back is a conflict.
    again = map_desk.edit(gm, made, {"revision": first}, moveToken={"id": ann, "to": beside})
    assert again["__typename"] == "MapEdited"
    late = map_desk.edit(gm, made, {"revision": first}, removeToken={"id": bea})
    ((yours, theirs, base),) = fields_of(late).values()
    assert (yours, theirs["at"], base["at"]) == (None, beside, here)
    for _ in range(2):
        undone = map_desk.ask(gm, UNDO, map=made)["undoMapEdit"]
        assert undone["__typename"] == "MapEdited"
    assert undone["map"]["revision"] == first


def test_under_fog_a_revision_is_known_although_others_have_explored_since(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="FOGGED")
    here, beside, *_ = entrance(map_desk, gm, made)
    sight = {"range": 1, "dark": 1}
    ann, bea = (
        put(map_desk, gm, made, name=one, at=here, owners=[player.account], sight=sight) for one in "AB"
    )
    seen = looked(map_desk, player, made)
    map_desk.edit(gm, made, moveToken={"id": ann, "to": beside})
    map_desk.edit(gm, made, reveal={"area": {"rectangle": {"x": 0, "y": 0, "width": 41, "height": 30}}})
    now = looked(map_desk, player, made)
    assert now["play"]["explored"] != seen["play"]["explored"]
    assert now["play"]["extent"] != seen["play"]["extent"]
    old = {"revision": seen["revision"]}
    late = map_desk.edit(player, made, old, moveToken={"id": ann, "to": here})
    assert fields_of(late) == {f"tokens/{ann}/at": (here, beside, here)}
    moved = map_desk.edit(player, made, old, moveToken={"id": bea, "to": beside})
    assert moved["__typename"] == "MapEdited"
    map_desk.edit(gm, made, setFog={"mode": "FOGGED", "shared": False})
    fog = map_desk.edit(
        gm, made, {"revision": looked(map_desk, gm, made)["revision"]}, setFog={"mode": "OPEN"}
    )
    assert fog["__typename"] == "MapEdited"


def test_what_is_hidden_neither_blocks_nor_shows_however_often_it_was_changed(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, beside, *_ = entrance(map_desk, gm, made)
    owned = {"at": here, "owners": [player.account]}
    ann, bea = (put(map_desk, gm, made, name=one, **owned) for one in ("Ann", "Bea"))
    ghost = put(map_desk, gm, made, name=CANARY, at=here, layer="GM")
    old = {"revision": looked(map_desk, player, made)["revision"]}
    map_desk.edit(gm, made, putToken={"id": ann, "name": CANARY, **owned, "layer": "GM"})
    for spot in (beside, here) * revisions.VIEWS:
        map_desk.edit(gm, made, moveToken={"id": ghost, "to": spot})
    merged = map_desk.edit(player, made, old, moveToken={"id": bea, "to": beside})
    assert merged["__typename"] == "MapEdited"
    # Hidden or removed is the same to them.
    hidden = map_desk.edit(player, made, old, moveToken={"id": ann, "to": beside})
    map_desk.edit(gm, made, removeToken={"id": ann})
    removed = map_desk.edit(player, made, old, moveToken={"id": ann, "to": beside})
    assert hidden == removed and CANARY not in str(hidden) and ghost not in str(hidden)
    ((yours, theirs, _base),) = fields_of(hidden).values()
    assert (yours["name"], theirs) == ("Ann", None)
    unknown = map_desk.edit(player, made, old, moveToken={"id": ghost, "to": beside})
    assert unknown["issues"][0]["code"] == "MAP_NOT_YOURS"


def test_a_revision_is_known_for_so_many_changes_and_so_long(
    map_desk: MapDesk, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, *_ = entrance(map_desk, gm, made)

    def marked(revision: str) -> str:
        return str(map_desk.edit(player, made, {"revision": revision}, putMarker={"at": here})["__typename"])

    first = looked(map_desk, player, made)["revision"]
    assert [marked(first) for _ in range(revisions.VIEWS + 2)] == ["MapEdited"] * (revisions.VIEWS + 1) + [
        "MapChanged"
    ]
    seen = looked(map_desk, player, made)["revision"]
    map_desk.edit(gm, made, putMarker={"at": here})
    monkeypatch.setattr("services.map.table.KNOWN_FOR", timedelta(0))
    assert marked(seen) == "MapChanged"
    monkeypatch.undo()
    assert marked(seen) == "MapEdited"


@ON_BOTH
def test_of_edits_at_once_from_one_revision_one_is_made_of_each_thing(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, player, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN, **DUNGEON, sharing="OPEN")
    here, *_ = entrance(map_desk, gm, made)
    ann = put(map_desk, gm, made, name="Ann", at=here, owners=[player.account])
    old = {"revision": looked(map_desk, gm, made)["revision"]}

    def named(name: str) -> Told:
        answer: Told = map_desk.edit(gm, made, old, putToken={"id": ann, "name": name, "at": here})
        return answer

    with ThreadPoolExecutor(4) as pool:
        marks = [pool.submit(map_desk.edit, player, made, old, putMarker={"at": here}) for _ in range(2)]
        told = list(pool.map(named, ("Bea", "Cid", "Dot")))
        assert {one.result()["__typename"] for one in marks} == {"MapEdited"}
    assert sorted(one["__typename"] for one in told) == ["MapChanged", "MapChanged", "MapEdited"]
    (kept,) = looked(map_desk, gm, made)["play"]["tokens"]
    for name, one in zip(("Bea", "Cid", "Dot"), told, strict=True):
        if one["__typename"] == "MapEdited":
            assert kept["name"] == name
        else:
            assert fields_of(one)[f"tokens/{ann}/name"] == (name, kept["name"], "Ann")


def test_a_map_that_has_grown_lets_things_on_it_be_edited_and_itself_not(
    map_desk: MapDesk, tables: Tables
) -> None:
    gm, _, _ = table(tables)
    made = map_desk.made(gm, CAMPAIGN)
    old = {"revision": looked(map_desk, gm, made)["revision"]}
    spot = {"at": {"x": 5, "y": 5}}
    map_desk.edit(gm, made, putMarker=spot)
    assert map_desk.edit(gm, made, old, dropRuin={})["__typename"] == "MapEdited"
    assert map_desk.edit(gm, made, old, putMarker=spot)["__typename"] == "MapEdited"
    assert fields_of(map_desk.edit(gm, made, old, dropRuin={})) == {}
