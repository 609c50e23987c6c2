"""An evening on a map: made, hidden, shown under fog, walked, told, undone, drawn, taken along, fought on."""

import io
import json
import threading
import zipfile
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.e2e.documents import GROUND, MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import TRANSPORTS, Person, Product, Transport, listening, until
from tests.e2e.table import (
    before_a_door,
    create_hero,
    edit,
    ended,
    found_campaign,
    join,
    log,
    look_at,
    make_dungeon,
    queue_batch,
    seat,
    seq_of,
    start_scene,
    wanted,
)

pytestmark = pytest.mark.backends("postgres")

MANY = 30
PNG_PIXELS = 16
GROWN = """
query ($id: ID!) {
  map(id: $id) { revision cursor content { ... on ForgebornRealm { places { kind spent } } } }
}
"""


@dataclass(frozen=True)
class Delve:
    """A table with a dungeon, the player's token before a shut door of it.

    Attributes:
        here, door: where the token stands, and the door before it.
        beyond: the cell behind the door.
    """

    gm: Person
    player: Person
    spectator: Person
    campaign: str
    hero: str
    dungeon: str
    token: str
    here: dict[str, int]
    door: str
    beyond: dict[str, int]

    def file(self, person: Person, name: str) -> bytes:
        """Read a file of the dungeon as somebody."""
        answer = person.get(f"/v1/maps/{self.dungeon}/{name}")
        assert answer.status_code == 200, answer.text
        return bytes(answer.content)


@pytest.fixture(scope="module")
def delve(product: Product) -> Delve:
    """Have a dungeon made, hide it, and bring the player to its first door."""
    gm, player, spectator = (product.sign_up(name) for name in ("Mara", "Finn", "Sela"))
    campaign = found_campaign(gm)
    join(player, gm, campaign)
    join(spectator, gm, campaign, "SPECTATOR")
    hero = create_hero(player, name="Brunna", role="dwarf")
    seat(player, campaign, hero)
    dungeon = make_dungeon(gm, campaign, seed="20", lights=0.0, title="Under the Mill")
    whole = look_at(gm, dungeon)
    # Nobody has said how it is shared: what has secrets is prepared in secret.
    assert (whole["sharing"], whole["seed"], whole["whole"]) == ("HIDDEN", "20", True)
    assert all(gate["passed"] for gate in whole["gates"])
    assert look_at(player, dungeon) is None
    here, door = before_a_door(whole["grid"])
    (at,) = (one["at"] for one in whole["grid"]["doors"] if one["key"] == door)
    beyond = {axis: 2 * at[axis] - here[axis] for axis in ("x", "y")}
    edit(gm, dungeon, setFog={"mode": "FOGGED"})
    sight = {"range": 30, "dark": 12}
    token = {"name": "Brunna", "at": here, "owners": [player.id], "character": hero, "sight": sight}
    put = edit(gm, dungeon, putToken=token)["thing"]
    return Delve(gm, player, spectator, campaign, hero, dungeon, put, here, door, beyond)


def seen(look: dict[str, Any]) -> int:
    """Count the cells that somebody knows."""
    return sum(letter != " " for row in look["grid"]["cells"] for letter in row)


def cells_of(look: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Return what is told of each cell, by its place on the whole map."""
    extent = look["play"]["extent"]
    left, top = int(extent["x"]), int(extent["y"])
    return {
        (left + column, top + row): letter
        for row, letters in enumerate(look["grid"]["cells"])
        for column, letter in enumerate(letters)
    }


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_who_walks_sees_more_and_everybody_is_told(delve: Delve, transport: Transport) -> None:
    gm, player, dungeon = delve.gm, delve.player, delve.dungeon
    edit(gm, dungeon, setDoor={"id": delve.door, "state": "CLOSED"})
    edit(gm, dungeon, conceal={"area": {"rectangle": {"x": 0, "y": 0, "width": 21, "height": 21}}})
    edit(gm, dungeon, moveToken={"id": delve.token, "to": delve.here})
    before = look_at(player, dungeon)
    assert 0 < seen(before) < seen(look_at(gm, dungeon))
    last = {"id": dungeon, "after": before["cursor"]}
    with (
        listening(player, transport, SUBSCRIPTIONS["mapChanges"], **last) as heard,
        listening(delve.spectator, transport, SUBSCRIPTIONS["mapChanges"], id=dungeon) as watched,
    ):
        assert [one["key"] for one in watched.next()["play"]["tokens"]] == [delve.token]
        # The door is shut, and there is no other way through it.
        step = {"id": delve.token, "to": delve.beyond, "way": [delve.beyond]}
        refused = player.ask(MUTATIONS["editMap"], input={"mapId": dungeon, "edit": {"moveToken": step}})
        assert refused["editMap"]["code"] == "INVALID_INPUT"
        edit(gm, dungeon, putToken={"name": "Gub", "at": delve.beyond, "layer": "GM"})
        edit(player, dungeon, setDoor={"id": delve.door, "state": "OPEN"})
        told = heard.next()
        assert [(door["key"], door["state"]) for door in told["play"]["doors"]] == [(delve.door, "OPEN")]
        assert watched.next()["play"]["doors"] == told["play"]["doors"]
        walked = edit(player, dungeon, moveToken={"id": delve.token, "to": delve.beyond})["map"]
        told = heard.next()
    assert told["revision"] == walked["revision"] != before["revision"]
    assert [(one["name"], one["at"]) for one in told["play"]["tokens"]] == [("Brunna", delve.beyond)]
    after = look_at(player, dungeon)
    assert seen(after) > seen(before)
    now = cells_of(after)
    assert all(now[place] == letter for place, letter in cells_of(before).items() if letter != " ")
    kept = {token["name"] for token in look_at(gm, dungeon)["play"]["tokens"]}
    assert kept == {"Brunna", "Gub"}


def test_edits_are_taken_back_and_the_log_is_the_gms(delve: Delve) -> None:
    gm, player, dungeon = delve.gm, delve.player, delve.dungeon
    before = look_at(gm, dungeon)
    marker = edit(player, dungeon, putMarker={"at": delve.here, "label": "Stinks"})["thing"]
    edit(gm, dungeon, putNote={"title": "An ogre sleeps here", "at": delve.beyond})
    (newest, older) = look_at(gm, dungeon)["edits"]["nodes"][:2]
    assert [one["account"]["id"] for one in (newest, older)] == [gm.id, player.id]
    forbidden = player.ask(MUTATIONS["undoMapEdit"], input={"mapId": dungeon})["undoMapEdit"]
    assert (forbidden["code"], look_at(player, dungeon)["edits"]) == ("FORBIDDEN", None)
    gm.do(MUTATIONS["undoMapEdit"], input={"mapId": dungeon, "number": older["number"]})
    assert marker not in json.dumps(look_at(gm, dungeon)["play"])
    gm.do(MUTATIONS["undoMapEdit"], input={"mapId": dungeon})
    assert look_at(gm, dungeon)["play"] == before["play"]
    assert look_at(gm, dungeon)["revision"] == before["revision"]


def test_ground_is_asked_as_far_as_one_knows_it(delve: Delve) -> None:
    area = {"shape": "CIRCLE", "at": delve.here, "paces": 2}
    asked = {"id": delve.dungeon, "start": delve.here, "end": delve.here, "area": area}
    ground = delve.gm.ask(GROUND, **asked)["map"]["ground"]
    assert ground["lineOfSight"] and ground["cover"] == "NONE" and ground["distance"]["feet"] == 0
    assert {"paces": 0, "cell": delve.here} in ground["reach"]
    whole = sum(span["last"] - span["first"] for span in ground["area"])
    known = delve.player.ask(GROUND, **asked)["map"]["ground"]
    assert sum(span["last"] - span["first"] for span in known["area"]) <= whole


def test_pictures_show_each_as_much_as_they_know(delve: Delve) -> None:
    flat = f"map.png?style=flat&px={PNG_PIXELS}&grid=false"
    pictures = [
        Image.open(io.BytesIO(delve.file(person, flat))).convert("RGB") for person in (delve.gm, delve.player)
    ]
    extent = look_at(delve.player, delve.dungeon)["play"]["extent"]
    left, top, width, height = (int(extent[name]) for name in ("x", "y", "width", "height"))
    side = 21 * PNG_PIXELS
    # The player's is cut to what they know.
    assert [picture.size for picture in pictures] == [(side, side), (width * PNG_PIXELS, height * PNG_PIXELS)]
    assert (width, height) != (21, 21)
    whole, known = (
        [
            picture.getpixel((x * PNG_PIXELS + PNG_PIXELS // 2, y * PNG_PIXELS + PNG_PIXELS // 2))
            for y in range(at_y, at_y + height)
            for x in range(at_x, at_x + width)
        ]
        for picture, (at_x, at_y) in zip(pictures, ((left, top), (0, 0)), strict=True)
    )
    assert whole != known and len(set(known)) > 2
    for person in (delve.gm, delve.player):
        svg = ElementTree.fromstring(delve.file(person, "map.svg"))
        assert svg.tag.endswith("svg") and len(list(svg.iter())) > 50
    thumbnail = Image.open(io.BytesIO(delve.file(delve.player, "thumbnail.webp?size=128")))
    tile = Image.open(io.BytesIO(delve.file(delve.player, "tiles/0/0/0.png")))
    assert (thumbnail.format, max(thumbnail.size)) == ("WEBP", 128)
    assert (tile.format, tile.size) == ("PNG", (256, 256))
    answer = delve.player.get(f"/v1/maps/{delve.dungeon}/{flat}")
    again = delve.player.get(f"/v1/maps/{delve.dungeon}/{flat}", if_none_match=answer.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")


def test_map_goes_to_other_tables_and_comes_back(delve: Delve) -> None:
    gm = delve.gm
    uvtt = json.loads(delve.file(gm, "map.uvtt?px=20"))
    assert uvtt["resolution"]["map_size"] == {"x": 21, "y": 21} and uvtt["line_of_sight"]
    for version in ("v13", "v14"):
        scene = json.loads(delve.file(gm, f"map.foundry-{version}.json?px=50"))
        assert (scene["width"], scene["height"], scene["grid"]["size"]) == (1050, 1050, 50)
        doors = [wall for wall in scene["walls"] if wall["door"]]
        assert {wall["door"] for wall in doors} == {1, 2}
    names = {output["format"] for output in look_at(gm, delve.dungeon)["outputs"]}
    assert names == {each["format"] for each in look_at(delve.player, delve.dungeon)["outputs"]}
    brought = gm.send(
        "POST",
        f"/v1/maps/import?title=The%20Old%20Cellar&campaign={delve.campaign}&sharing=OPEN",
        content=json.dumps(uvtt).encode(),
        headers={"content-type": "application/json"},
    )
    assert brought.status_code == 201, brought.text
    assert brought.headers["location"] == f"/v1/maps/{brought.json()['id']}"
    found = look_at(delve.player, brought.json()["id"])
    assert (found["kind"], found["name"], found["grid"]["width"]) == ("IMPORTED", "The Old Cellar", 21)
    assert len(found["grid"]["doors"]) == len(uvtt["portals"])
    again = json.loads(gm.get(f"/v1/maps/{found['id']}/map.uvtt?px=20").content)
    assert again["resolution"] == uvtt["resolution"] and len(again["portals"]) == len(uvtt["portals"])
    here = {"x": 3, "y": 4}
    assert edit(delve.player, found["id"], putMarker={"at": here})["map"]["play"]["markers"][0]["at"] == here


def test_batch_is_made_by_the_worker_read_whole_and_kept_one_by_one(delve: Delve) -> None:
    gm = delve.gm
    batch = queue_batch(gm, MANY, delve.campaign, seed="11", formats=["UVTT_LINES"])
    with listening(gm, "sse", SUBSCRIPTIONS["jobProgress"], id=batch) as listener:
        told = listener.rest()
    assert told[-1]["state"] == "SUCCEEDED"
    assert [one["progress"] for one in told] == sorted(one["progress"] for one in told)
    found = gm.get(f"/v1/batches/{batch}").json()
    assert (found["count"], found["done"], found["job"]["progress"]) == (MANY, MANY, 1)
    with zipfile.ZipFile(io.BytesIO(gm.get(f"/v1/batches/{batch}/maps.zip").content)) as files:
        assert files.testzip() is None
        names = files.namelist()
        assert len(names) == len(set(names)) == 2 * MANY
        (first,) = (name for name in names if name.startswith("00000-") and name.endswith(".json"))
        packed = files.read(first)
    lines = [json.loads(line) for line in gm.get(f"/v1/batches/{batch}/maps.ndjson").text.splitlines()]
    assert [line["number"] for line in lines] == list(range(MANY))
    assert len({json.dumps(line["map"]) for line in lines}) == MANY
    assert json.loads(packed) == lines[0]["map"]
    kept = gm.post(f"/v1/batches/{batch}/maps/0", {"campaignId": delve.campaign})
    assert kept.status_code == 201, kept.text
    assert gm.get(f"{kept.headers['location']}/map.json").content == packed
    assert delve.player.get(kept.headers["location"]).status_code == 404
    # The same seed and parameters give the same map, whoever makes it.
    alone = make_dungeon(gm, seed=lines[0]["seed"])
    assert gm.get(f"/v1/maps/{alone}/map.json").content == packed


def test_cancelled_batch_keeps_what_it_has(delve: Delve) -> None:
    batch = queue_batch(delve.gm, 10_000)
    until(lambda: delve.gm.get(f"/v1/batches/{batch}").json()["done"], "the first maps of it")
    assert delve.gm.do(MUTATIONS["cancelJob"], input={"id": batch})["job"]["state"] == "CANCELLED"
    found = delve.gm.get(f"/v1/batches/{batch}").json()
    assert 0 < found["done"] < 10_000
    lines = delve.gm.get(f"/v1/batches/{batch}/maps.ndjson").text.splitlines()
    assert len(lines) == found["done"]
    # The worker is free for others at once.
    make_dungeon(delve.gm, seed="5")


def test_scene_is_set_on_a_map_and_walked_by_its_walls(delve: Delve) -> None:
    gm, player = delve.gm, delve.player
    dungeon = make_dungeon(gm, delve.campaign, seed="21", lights=1.0)
    scene = start_scene(gm, delve.campaign, "orc-ambush", delve.hero, map_id=dungeon)["id"]
    place = gm.ask(QUERIES["scene"], id=scene)["scene"]["state"]["json"]["field"]["grid"]
    grid = look_at(gm, dungeon)["grid"]
    assert (place["width"], place["height"]) == (grid["width"], grid["height"])
    solid = {(one["x"], one["y"]) for one in place["solid"]}
    paces = {one["letter"]: one["pace"] for one in grid["terrains"]}
    doors = {(door["at"]["x"], door["at"]["y"]) for door in grid["doors"]}
    rock = {
        (x, y) for y, row in enumerate(grid["cells"]) for x, letter in enumerate(row) if not paces[letter]
    }
    assert rock - doors <= solid
    looked = player.get(f"/v1/scenes/{scene}").json()
    (mine,) = (one for one in looked["card"]["actors"] if one["id"] == delve.hero)
    assert (mine["at"]["x"], mine["at"]["y"]) not in solid
    (go, *_) = (one for one in looked["legalMoves"] if one["label"] == "Go")
    squares = [one for field in go["fields"] for one in field["squares"]]
    assert squares and not {(one["x"], one["y"]) for one in squares} & solid
    to = squares[0]
    moved = player.do(MUTATIONS["performMove"], input=wanted(player, scene, "Go", delve.hero, to=to))["move"]
    assert moved["seq"] == seq_of(player, scene)
    stone = dict(zip("xy", min(rock), strict=True))
    refused = player.ask(MUTATIONS["performMove"], input=wanted(player, scene, "Go", delve.hero, to=stone))[
        "performMove"
    ]
    assert refused["code"] == "MOVE_REJECTED"
    # Scenes are set on the maps of those who run them.
    asked = {"system": "dungeonteller", "setup": "orc-ambush", "mapId": make_dungeon(player, seed="6")}
    foreign = gm.post(f"/v1/campaigns/{delve.campaign}/scenes", {**asked, "characters": [delve.hero]})
    assert (foreign.status_code, foreign.json()["path"]) == (404, ["mapId"])


def test_realm_grows_before_the_eyes_of_who_follows_it(delve: Delve) -> None:
    gm, player = delve.gm, delve.player
    asked = {"map": {"forgebornRealm": {"seed": "7"}}, "campaignId": delve.campaign}
    realm = ended(gm, gm.do(MUTATIONS["generateMap"], input=asked)["job"]["id"])["map"]["id"]
    old = player.ask(GROWN, id=realm)["map"]
    svg = player.get(f"/v1/maps/{realm}/map.svg").content
    with listening(player, "sse", SUBSCRIPTIONS["mapChanges"], id=realm, after=old["cursor"]) as heard:
        growing = threading.Thread(target=edit, args=(gm, realm), kwargs={"dropRuin": {}})
        growing.start()
        told = heard.next()
        growing.join()
    new = player.ask(GROWN, id=realm)["map"]
    assert told["revision"] == new["revision"] != old["revision"]
    assert new["content"]["places"][:-1] == old["content"]["places"]
    assert new["content"]["places"][-1] == {"kind": "RUIN", "spent": False}
    assert player.get(f"/v1/maps/{realm}/map.svg").content != svg


def test_log_tells_of_maps_that_players_may_know_of_and_of_no_other(delve: Delve) -> None:
    gm = delve.gm
    hidden = make_dungeon(gm, delve.campaign, seed="31")
    shown = make_dungeon(gm, delve.campaign, seed="32", sharing="OPEN")

    def told() -> set[str]:
        return {entry["subject"] for entry in log(gm, delve.campaign) if entry["kind"] == "map.made"}

    until(lambda: shown in told(), "the log to hear of the open map")
    assert hidden not in told()
    edit(gm, hidden, setFog={"mode": "OPEN"})
    until(lambda: hidden in told(), "the log to hear of the map that is shown now")
