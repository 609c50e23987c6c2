"""Maps brought along: kept, shown, played on; and files that nobody should trust."""

import base64
import io
from pathlib import Path

import orjson
import pytest
from PIL import Image

from services.shared.ids import new_id
from services.shared.limits.meter import CHARGED_HEADER
from tests.character.desk import Tables, somebody
from tests.databases import ON_BOTH
from tests.map.service_desk import TABLE, MapDesk

CAMPAIGN = new_id("cmp")


@pytest.fixture
def map_desk(lasting_desk: MapDesk) -> MapDesk:
    """Give the map service of the whole file."""
    return lasting_desk


@pytest.fixture
def tables(lasting_tables: Tables) -> Tables:
    """Give the tables of the whole file."""
    return lasting_tables


def test_a_map_goes_out_as_universal_vtt_and_comes_back(map_desk: MapDesk, tables: Tables) -> None:
    gm, player = somebody(), somebody()
    tables.seat(new_id("chr"), CAMPAIGN, gm=gm, player=player)
    made = map_desk.made(gm, map={"dungeon": {"width": 21, "height": 21}}, seed="4")
    file = map_desk.internal(gm, f"maps/{made}/outputs/uvtt?px=20").content
    brought = map_desk.bring(gm, file, title="The Old Cellar", campaign=CAMPAIGN, sharing="OPEN", key="k")
    assert brought.status_code == 200, brought.text
    assert map_desk.bring(
        gm, file, title="The Old Cellar", campaign=CAMPAIGN, sharing="OPEN", key="k"
    ).json() == (brought.json())
    found = map_desk.ask(player, TABLE, id=brought.json()["id"])["map"]
    assert (found["kind"], found["name"]) == ("IMPORTED", "The Old Cellar")
    assert (found["grid"]["width"], found["grid"]["height"]) == (21, 21)
    shut = [door for door in found["grid"]["doors"] if door["state"] == "CLOSED"]
    assert shut
    door = {"id": shut[0]["id"], "state": "OPEN"}
    assert map_desk.edit(gm, brought.json()["id"], setDoor=door)["__typename"] == "MapEdited"
    picture = map_desk.internal(player, f"maps/{brought.json()['id']}/outputs/png?px=20")
    assert picture.status_code == 200
    again = orjson.loads(map_desk.internal(gm, f"maps/{brought.json()['id']}/outputs/uvtt?px=20").content)
    assert again["resolution"] == orjson.loads(file)["resolution"]


def test_our_own_file_comes_back_as_the_map_it_was(map_desk: MapDesk) -> None:
    viewer = somebody()
    for wish in ({"dungeon": {"width": 21, "height": 21}}, {"forgebornRealm": {}}):
        made = map_desk.made(viewer, map=wish, seed="4")
        file = map_desk.internal(viewer, f"maps/{made}/outputs/json").content
        brought = map_desk.bring(viewer, file)
        assert brought.status_code == 200, brought.text
        again = map_desk.internal(viewer, f"maps/{brought.json()['id']}/outputs/json").content
        assert again == file


BAD = (
    b"",
    b"[]",
    b"\xff\xfe",
    b'{"format": 0.3}',
    b'{"format": "hearthforge-map"}',
    b'{"format": "hearthforge-castle", "format_version": 1}',
    b"[" * 100_000,
    b'{"format":0.3,"resolution":{"map_size":{"x":1e9,"y":1e9}}}',
)


@ON_BOTH
def test_a_bad_file_is_refused_with_paths(map_desk: MapDesk) -> None:
    viewer = somebody()
    for content in BAD:
        answer = map_desk.bring(viewer, content)
        assert answer.status_code == 422, content[:40]
        assert answer.json()["code"] == "INVALID_INPUT"
        assert all(issue["path"][0] == "content" for issue in answer.json()["issues"])
    assert map_desk.ask(viewer, "{ maps { nodes { id } } }")["maps"]["nodes"] == []


def pictured(color: str) -> bytes:
    """A Universal VTT file of a small map with a picture in one color."""
    out = io.BytesIO()
    Image.new("RGB", (40, 40), color).save(out, "PNG")
    size = {"map_size": {"x": 4, "y": 4}, "pixels_per_grid": 10}
    image = base64.b64encode(out.getvalue()).decode()
    return orjson.dumps({"format": 0.3, "resolution": size, "line_of_sight": [], "image": image})


@ON_BOTH
def test_a_picture_stays_only_with_the_map_it_came_with(map_desk: MapDesk) -> None:
    viewer, full = somebody(), somebody()
    map_desk.use_up(full)
    before = set(map_desk.stored("maps"))

    def added() -> set[Path]:
        return set(map_desk.stored("maps")) - before

    refused = map_desk.bring(full, pictured("red"))
    assert [issue["code"] for issue in refused.json()["issues"]] == ["QUOTA_EXCEEDED"]
    assert added() == set()
    first = map_desk.bring(viewer, pictured("red"), key="k")
    assert first.status_code == 200, first.text
    (picture,) = added()
    assert picture.parent.name == first.json()["id"]
    again = map_desk.bring(viewer, pictured("red"), key="k")
    assert again.json() == first.json()
    assert CHARGED_HEADER in first.headers and CHARGED_HEADER not in again.headers
    assert map_desk.bring(viewer, pictured("blue"), key="k").json()["code"] == "IDEMPOTENCY_CONFLICT"
    assert added() == {picture}
    shown = map_desk.internal(viewer, f"maps/{first.json()['id']}/outputs/png")
    with Image.open(io.BytesIO(shown.content)) as read:
        assert read.convert("RGB").getpixel((1, 1)) == (255, 0, 0)
