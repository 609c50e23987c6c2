"""Light, doors and tokens over pictures that are not drawn: flat ones, and those that maps came with."""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from services.map.formats import Output, OutputRequest
from services.map.generation.grid.model import (
    CARRIED,
    Axis,
    Door,
    DoorKind,
    DoorState,
    GridKind,
    GridMap,
    Light,
)
from services.map.outputs import produce
from services.map.registry import KINDS
from services.map.render.figures import Figure
from services.map.render.grid.tokens import TURN
from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.map.ground_maps import map_of
from tests.map.service_desk import MapDesk
from tests.map.test_map_importing import pictured
from tests.map.test_token_portraits import RED, address

PX, WIDTH, HEIGHT = 20, 40, 16
GREY = (120, 120, 120)
TORCH = Light("thg_a", (30.5, 8.5), 3.0, 6.0, kind=CARRIED)
LAMP = Light("light-1", (10.5, 8.5), 3.0, 6.0)
BOTH = pytest.mark.parametrize("brought", [True, False], ids=["a picture of its own", "flat"])
ON_TURN = Figure("Mara", "", "#0000ff", 5, 3, 2, on_turn=True)
LARGE = Figure("Ogre", "", "#00ff00", 12, 3, 3)
PORTRAYED = Figure("Finn", "", "#00ffff", 20, 10, portrait=address(RED))
CROWD = (ON_TURN, LARGE, PORTRAYED)


def a_map(*lights: Light, door: DoorState = DoorState.CLOSED, kind: GridKind = GridKind.IMPORTED) -> GridMap:
    rows = ["#" * WIDTH, *(["#" + "." * (WIDTH - 2) + "#"] * (HEIGHT - 2)), "#" * WIDTH]
    doors = (Door("door-1", (25, 5), Axis.EAST_WEST, DoorKind.WOODEN, door),)
    return replace(map_of(*rows, lights=lights, doors=doors), kind=kind)


def picture_of(model: GridMap) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (model.width * PX, model.height * PX), GREY).save(out, "PNG")
    return out.getvalue()


def shown(model: GridMap, brought: bool, figures: Sequence[Figure] = (), **more: Any) -> NDArray[np.uint8]:
    """The pixels of a picture with tokens, three bytes each."""
    asked = OutputRequest(
        **{"format": "png", "pixels": PX, "style": None if brought else "flat", "tokens": True, **more}
    )
    file = KINDS["imported"].filed.to_bytes(model)
    made = produce("imported", file, asked, picture_of(model) if brought else None, figures)
    assert isinstance(made, Output)
    return np.asarray(Image.open(io.BytesIO(made.content)).convert("RGB"))


def middle(figure: Figure, share: float = 0.0) -> tuple[int, int]:
    """Row and column of a pixel of a token: its middle, or a share of its radius to the east of that."""
    half = figure.size / 2
    return int((figure.y + half) * PX), int((figure.x + half + share * half) * PX)


@BOTH
def test_tokens_have_their_place_size_colour_turn_and_portrait(brought: bool) -> None:
    pixels, bare = shown(a_map(), brought, CROWD), shown(a_map(), brought, tokens=False)
    assert tuple(pixels[middle(ON_TURN, 0.9)]) == tuple(bytes.fromhex(TURN.removeprefix("#")))
    assert tuple(pixels[middle(LARGE, 0.7)]) == (0, 255, 0)
    assert tuple(pixels[middle(LARGE, 0.95)]) == tuple(bare[middle(LARGE, 0.95)])
    assert tuple(pixels[middle(PORTRAYED)]) == (255, 0, 0)
    changed = np.argwhere((shown(a_map(), brought) != pixels).any(2))
    rows, columns = changed[:, 0] // PX, changed[:, 1] // PX
    stood_on = {(one.x + x, one.y + y) for one in CROWD for x in range(one.size) for y in range(one.size)}
    assert set(zip(columns.tolist(), rows.tolist(), strict=True)) == stood_on


@BOTH
def test_webp_tiles_and_thumbnails_show_them_too(brought: bool) -> None:
    bare, webp = shown(a_map(), brought, tokens=False), shown(a_map(), brought, CROWD, format="webp")
    assert webp.shape == bare.shape and webp[middle(LARGE, 0.7)][1] > 200 > webp[middle(LARGE, 0.7)][0]
    row, column = middle(PORTRAYED)
    tile = shown(a_map(), brought, CROWD, tile=(2, column // 256, row // 256))
    assert tile.shape == (256, 256, 3) and tuple(tile[row % 256, column % 256]) == (255, 0, 0)
    whole = shown(a_map(), brought, CROWD, tile=(0, 0, 0))
    assert tuple(whole[row // 4, column // 4]) == (255, 0, 0)
    small = shown(a_map(), brought, CROWD, longest=400)
    assert small.shape[1] == 400 and tuple(small[row // 2, column // 2]) == (255, 0, 0)


@BOTH
def test_without_tokens_the_picture_is_as_it_was(brought: bool) -> None:
    played = a_map(TORCH, door=DoorState.OPEN)
    bare = shown(played, brought, CROWD, tokens=False)
    assert (bare == shown(played, brought, tokens=False)).all()
    assert not brought or (bare == GREY).all()


def test_doors_on_the_picture_that_a_map_came_with_stand_as_they_do() -> None:
    closed, opened = shown(a_map(), True), shown(a_map(door=DoorState.OPEN), True)
    (rows, columns), bare = np.nonzero((closed != opened).any(2)), shown(a_map(), True, tokens=False)
    assert {*(columns // PX).tolist()} <= {25, 26} and {*(rows // PX).tolist()} <= {4, 5, 6}
    assert (closed != bare).any() and (opened != bare).any()


def test_the_light_that_play_has_brought_falls_on_floors_alone() -> None:
    dark, own, lit = (shown(a_map(*lights), True) for lights in ((), (LAMP,), (TORCH,)))
    assert (dark == own).all(), "whoever painted the picture has painted the lamps of the map"
    row, column = int(TORCH.at[1] * PX), int(TORCH.at[0] * PX)
    assert tuple(lit[row, column]) != tuple(dark[row, column])
    near_wall = a_map(replace(TORCH, at=(38.5, 8.5)))
    changed = (shown(near_wall, True) != dark).any(2)
    assert changed[row, 38 * PX + PX // 2] and not changed[:, 39 * PX :].any(), "there the rock begins"
    flat = [shown(a_map(*lights), False) for lights in ((), (LAMP,))]
    assert (flat[0] != flat[1]).any(), "a flat picture shows no lamp otherwise"


def test_on_an_imported_map_players_see_no_token_of_the_gm_nor_one_under_fog(
    lasting_desk: MapDesk, lasting_tables: Tables
) -> None:
    gm, player, campaign = somebody(), somebody(), new_id("cmp")
    lasting_tables.seat(new_id("chr"), campaign, gm=gm, player=player)
    made = lasting_desk.bring(gm, pictured("red"), campaign=campaign, sharing="FOGGED").json()["id"]

    def picture(who: Viewer, query: str = "") -> httpx.Response:
        found = lasting_desk.internal(who, f"maps/{made}/outputs/png?px=20&tokens=true{query}")
        assert found.status_code == 200, found.text
        return found

    own = {"name": "Mara", "at": {"x": 0, "y": 0}, "owners": [player.account]}
    assert lasting_desk.edit(gm, made, putToken=own)["__typename"] == "MapEdited"
    before = {who: picture(who).content for who in (gm, player)}
    as_players = picture(gm, "&view=players").content
    for hidden in (
        {"name": "Spy", "at": {"x": 1, "y": 0}, "layer": "GM"},
        {"name": "Orc", "at": {"x": 3, "y": 3}},
    ):
        assert lasting_desk.edit(gm, made, putToken=hidden)["__typename"] == "MapEdited"
        assert (
            picture(player).content == before[player] and picture(gm, "&view=players").content == as_players
        )
        master = picture(gm).content
        assert master != before[gm]
        before[gm] = master
    bare = lasting_desk.internal(player, f"maps/{made}/outputs/png?px=20").content
    assert before[player] != bare, "her own token is there"
