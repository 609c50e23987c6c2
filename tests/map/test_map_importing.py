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
    door = {"id": shut[0]["key"], "state": "OPEN"}
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


def drawn_file(size: tuple[float, float], pixels: int, form: str = "PNG", **more: object) -> bytes:
    """A Universal VTT file whose picture is red in the cell (3, 2) and blue elsewhere."""
    picture = Image.new("RGB", (round(size[0] * pixels), round(size[1] * pixels)), "blue")
    picture.paste("red", (3 * pixels, 2 * pixels, 4 * pixels, 3 * pixels))
    out = io.BytesIO()
    picture.save(out, form)
    resolution = {"map_size": {"x": size[0], "y": size[1]}, "pixels_per_grid": pixels}
    wall = [{"x": 3.0, "y": 2.0}, {"x": 4.0, "y": 2.0}]
    image = base64.b64encode(out.getvalue()).decode()
    document = {"format": 0.3, "resolution": resolution, "line_of_sight": [wall], "image": image}
    return orjson.dumps({**document, **more})


def picture_of(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


@pytest.mark.parametrize(
    ("size", "cells"), [((10.1, 6.1), (11, 7)), ((10.000001, 5.9999999), (10, 6)), ((4.5, 3.5), (5, 4))]
)
def test_a_picture_keeps_its_scale_where_a_map_ends_inside_a_cell(
    map_desk: MapDesk, size: tuple[float, float], cells: tuple[int, int]
) -> None:
    viewer = somebody()
    brought = map_desk.bring(viewer, drawn_file(size, 40))
    assert brought.status_code == 200, brought.text
    place = f"maps/{brought.json()['id']}/outputs"
    uvtt = orjson.loads(map_desk.internal(viewer, f"{place}/uvtt?px=20").content)
    assert uvtt["resolution"]["map_size"] == {"x": cells[0], "y": cells[1]}
    assert uvtt["line_of_sight"] == [[{"x": 3.0, "y": 2.0}, {"x": 4.0, "y": 2.0}]]
    whole = picture_of(base64.b64decode(uvtt["image"]))
    tile = picture_of(map_desk.internal(viewer, f"{place}/png?px=20&z=0&x=0&y=0").content)
    assert whole.size == (cells[0] * 20, cells[1] * 20)
    for picture in (whole, tile.crop((0, 0, *whole.size))):
        for spot, color in (((62, 42), (255, 0, 0)), ((77, 57), (255, 0, 0)), ((57, 42), (0, 0, 255))):
            assert picture.getpixel(spot) == color, spot
        if size[0] < cells[0]:
            end = int(size[0] * 20)
            assert picture.getpixel((end - 2, 5)) == (0, 0, 255)
            assert picture.getpixel((end + 2, 5)) == (0, 0, 0)


GATES = "query ($id: ID!) { map(id: $id) { gates { name passed faults } } }"


def test_an_odd_light_is_told_by_the_path_in_the_file_and_the_rest_is_kept(map_desk: MapDesk) -> None:
    viewer = somebody()
    light = {"position": {"x": 1, "y": 1}, "range": 3, "color": "ffffffff"}
    brought = map_desk.bring(
        viewer, drawn_file((6, 5), 10, lights=[light, light | {"range": "far"}], portals=[{"bounds": 3}])
    )
    assert brought.status_code == 200, brought.text
    lines = map_desk.internal(viewer, f"maps/{brought.json()['id']}/outputs/uvtt-lines").content
    assert len(orjson.loads(lines)["lights"]) == 1
    gates = map_desk.ask(viewer, GATES, id=brought.json()["id"])["map"]["gates"]
    (told,) = [gate for gate in gates if gate["name"] == "file"]
    assert not told["passed"]
    assert [fault.partition(": ")[0] for fault in told["faults"]] == ["portals[0].bounds", "lights[1].range"]


def test_a_refusal_names_the_path_as_the_file_spells_it(map_desk: MapDesk) -> None:
    content = drawn_file((6, 5), 10, objects_line_of_sight=[7])
    (issue,) = map_desk.bring(somebody(), content).json()["issues"]
    assert issue["path"] == ["content", "objects_line_of_sight", "0"]


def test_a_picture_larger_than_they_are_kept_is_scaled_down(map_desk: MapDesk) -> None:
    viewer = somebody()
    before = set(map_desk.stored("maps"))
    brought = map_desk.bring(viewer, drawn_file((90, 90), 90))
    assert brought.status_code == 200, brought.text
    (kept,) = set(map_desk.stored("maps")) - before
    with Image.open(kept) as picture:
        assert picture.size in ((7999, 7999), (8000, 8000))
        assert picture.format == "JPEG" and kept.suffix == ".jpg"
    shown = map_desk.internal(viewer, f"maps/{brought.json()['id']}/outputs/png?px=10")
    small = picture_of(shown.content)
    red_in_red, _, blue_in_red = small.crop((35, 25, 36, 26)).tobytes()
    red_in_blue, _, blue_in_blue = small.crop((45, 25, 46, 26)).tobytes()
    assert min(red_in_red, blue_in_blue) > 200 > 60 > max(blue_in_red, red_in_blue)
    gates = map_desk.ask(viewer, GATES, id=brought.json()["id"])["map"]["gates"]
    (told,) = [gate for gate in gates if gate["name"] == "file"]
    assert told["faults"] == ["image: The picture of 65,610,000 pixels was scaled down."]
