"""Pictures and exports as clients get them: for whom, in which size, and kept by those who have them."""

import io
from typing import Any

import orjson
import pytest
from PIL import Image

from services.map.formats import FORMATS, PICTURE_BESIDE, Output, OutputRequest, check
from services.map.generation.kind import Made, make
from services.map.outputs import Studio, produce
from services.map.registry import GENERATORS
from services.map.render.raster.limits import too_large
from services.rules.engine.problem import Problems
from tests.character.desk import somebody
from tests.databases import ON_BOTH
from tests.map.service_desk import MapDesk

SMALL = {
    "dungeon": {"width": 21, "height": 21},
    "cave": {"width": 25, "height": 25},
    "battle": {"width": 20, "height": 16},
    "region": {"width": 64, "height": 64},
}


def file_of(slug: str) -> bytes:
    """Make a small map and give its file."""
    kind = GENERATORS[slug]
    made = make(kind, kind.codec.type(**SMALL.get(slug, {})), 5)
    assert isinstance(made, Made)
    return kind.to_bytes(made.model)


@pytest.mark.parametrize("slug", sorted(GENERATORS))
def test_every_kind_comes_in_every_format_it_has(slug: str) -> None:
    file = file_of(slug)
    for name, form in FORMATS.items():
        request = OutputRequest(name)
        if slug not in form.kinds:
            assert [problem.path for problem in check(slug, request)] == [("format",)]
            continue
        assert check(slug, request) == ()
        output = produce(slug, file, request)
        if name == "foundry-journal" and isinstance(output, Problems):
            continue  # a map without notes
        assert not isinstance(output, Problems) and output.content == produce(slug, file, request).content  # type: ignore[union-attr]
        if form.content_type.startswith("image/") and name != "svg":
            assert Image.open(io.BytesIO(output.content)).width > 100
        elif form.content_type.endswith("json"):
            assert orjson.loads(output.content)


def test_a_picture_has_the_pixels_that_were_asked_for() -> None:
    file = file_of("dungeon")
    for pixels in (8, 20):
        flat = produce("dungeon", file, OutputRequest("png", pixels=pixels, style="flat"))
        assert Image.open(io.BytesIO(flat.content)).size == (21 * pixels, 21 * pixels)  # type: ignore[union-attr]
    bare = produce("dungeon", file, OutputRequest("webp", pixels=10, legend=False))
    assert Image.open(io.BytesIO(bare.content)).size == (210, 210)  # type: ignore[union-attr]
    small = produce("dungeon", file, OutputRequest("webp", longest=64))
    assert max(Image.open(io.BytesIO(small.content)).size) == 64  # type: ignore[union-attr]
    tile = produce("dungeon", file, OutputRequest("png", tile=(0, 0, 0)))
    assert Image.open(io.BytesIO(tile.content)).size == (256, 256)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (OutputRequest("png", pixels=7), ("px",)),
        (OutputRequest("png", pixels=201), ("px",)),
        (OutputRequest("gif"), ("format",)),
        (OutputRequest("png", style="crayon"), ("style",)),
        (OutputRequest("png", longest=20), ("size",)),
        (OutputRequest("png", tile=(-1, 0, 0)), ("tile",)),
    ],
)
def test_what_cannot_be_drawn_is_named_before_any_work(request_: OutputRequest, path: tuple[str]) -> None:
    assert [problem.path for problem in check("dungeon", request_)] == [path]


def test_a_picture_too_large_to_draw_is_refused_and_flat_ones_have_more_room() -> None:
    kind = GENERATORS["dungeon"]
    made = make(kind, kind.codec.type(width=101, height=101), 5)
    assert isinstance(made, Made)
    file = kind.to_bytes(made.model)
    drawn = produce("dungeon", file, OutputRequest("png", pixels=60))
    assert isinstance(drawn, Problems) and next(iter(drawn)).code == "picture_too_large"
    flat = produce("dungeon", file, OutputRequest("png", pixels=60, style="flat"))
    assert not isinstance(flat, Problems)
    huge = produce("dungeon", file, OutputRequest("png", pixels=200, style="flat"))
    assert isinstance(huge, Problems)


@ON_BOTH
def test_clients_keep_what_they_have_until_the_map_changes(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"dungeon": {"width": 21, "height": 21}}, seed="4")
    first = map_desk.internal(viewer, f"maps/{made}/outputs/png?px=10")
    assert first.status_code == 200 and first.headers["content-type"] == "image/png"
    tag = first.headers["etag"]
    assert map_desk.internal(viewer, f"maps/{made}/outputs/png?px=10").headers["etag"] == tag
    assert map_desk.internal(viewer, f"maps/{made}/outputs/png?px=12").headers["etag"] != tag
    players = map_desk.internal(viewer, f"maps/{made}/outputs/json?view=players").json()
    assert players["seed"] == "0" and players["traps"] == []
    bad = map_desk.internal(viewer, f"maps/{made}/outputs/png?px=10&z=9&x=0&y=0")
    assert bad.status_code == 422 and bad.json()["issues"][0]["path"][0] == "tile"
    assert map_desk.internal(somebody(), f"maps/{made}/outputs/png").status_code == 404
    doors = orjson.loads(map_desk.internal(viewer, f"maps/{made}/outputs/json").content)["doors"]
    shut = next(door["id"] for door in doors if door["state"] == "closed")
    map_desk.edit(viewer, made, setDoor={"id": shut, "state": "OPEN"})
    assert map_desk.internal(viewer, f"maps/{made}/outputs/png?px=10").headers["etag"] != tag


OUTPUTS = "query ($id: ID!) { map(id: $id) { outputs { format name url picture } } }"


def picture_named(scene: dict[str, Any], name: str) -> tuple[str, int]:
    """Return what an export calls its picture, and the pixels of a cell that it counts on."""
    match name:
        case "foundry-v13":
            return scene["background"]["src"], scene["grid"]["size"]
        case "foundry-v14":
            return scene["levels"][0]["background"]["src"], scene["grid"]["size"]
        case "tiled":
            (layer,) = [layer for layer in scene["layers"] if layer["type"] == "imagelayer"]
            return layer["image"], scene["tilewidth"]
        case _:
            return scene["baseMap"]["file"], scene["baseMap"]["grid"]["dpi"]


def test_an_export_names_the_picture_that_the_map_has_and_counts_its_pixels(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"dungeon": {"width": 21, "height": 25}}, seed="4")
    outputs = {one["format"]: one for one in map_desk.ask(viewer, OUTPUTS, id=made)["map"]["outputs"]}
    assert all(one["url"].endswith(f"/v1/maps/{made}/{one['name']}") for one in outputs.values())
    for name, beside in PICTURE_BESIDE.items():
        told = outputs[name.upper().replace("-", "_")]
        scene = orjson.loads(map_desk.internal(viewer, f"maps/{made}/outputs/{name}").content)
        named, pixels = picture_named(scene, name)
        address, _, query = told["picture"].partition("?")
        assert named == outputs[beside.upper()]["name"] and address == outputs[beside.upper()]["url"]
        picture = map_desk.internal(viewer, f"maps/{made}/outputs/{beside}?{query}")
        with Image.open(io.BytesIO(picture.content)) as shown:
            assert shown.size == (21 * pixels, 25 * pixels)
    assert outputs["UVTT"]["picture"] is None


def test_an_export_of_a_large_map_counts_on_pixels_that_a_picture_may_have() -> None:
    kind = GENERATORS["dungeon"]
    made = make(kind, kind.codec.type(width=301, height=101), 5)
    assert isinstance(made, Made)
    studio = Studio("dungeon", kind.to_bytes(made.model), made.model, stem="00007-deep")
    for name, beside in PICTURE_BESIDE.items():
        scene = studio.give(OutputRequest(name))
        assert isinstance(scene, Output)
        named, pixels = picture_named(orjson.loads(scene.content), name)
        assert named == f"00007-deep.{beside}"
        assert too_large(301 * pixels, 101 * pixels) is None
