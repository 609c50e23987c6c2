"""Maps that scenes lead: what the campaign service tells of a game becomes the map; people leave it alone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import hypot
from typing import Any

import orjson
import pytest
import redis

from services.rules.systems.forgeborn.drop import DroppedDie
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.realm import Realm, add_ruin, spend_ruin
from services.rules.systems.forgeborn.site import REALM_SITE_CODEC, Piece, PieceKind, RealmSite
from services.rules.systems.fortunate_blades.site import STORY_SITE_CODEC
from services.shared.auth import Viewer
from services.shared.ids import new_id
from services.shared.outbox import stream_key
from tests.character.desk import Tables, somebody
from tests.conftest import wait_for
from tests.databases import ON_BOTH
from tests.map.service_desk import UNDO, MapDesk

CAMPAIGN = new_id("cmp")
SEEN = """
    id revision scene { id } realm { title places { key power spent name } links { start end } }
    play { tokens { key name label color character size scene at { x y } } }
"""
LOG = """
query ($id: ID!) { map(id: $id) { edits { nodes { number sort account { id } scene { id } } } } }
"""
LOOK = f"query ($id: ID!) {{ map(id: $id) {{ {SEEN} }} }}"


class Game:
    """A map that a GM's game is played on, and the campaign service that tells of it."""

    def __init__(self, desk: MapDesk, tables: Tables) -> None:
        self.desk = desk
        self.gm, self.player = somebody(), somebody()
        tables.seat(new_id("chr"), CAMPAIGN, gm=self.gm, player=self.player)
        self.map = desk.made(self.gm, CAMPAIGN)
        self.scene = new_id("scn")
        self.realm = self.site(self.map).realm
        self._valkey = redis.Redis.from_url(desk.settings.redis_url)
        self._position = 0
        self.now = self.look()

    def site(self, map_id: str) -> RealmSite:
        """Read what a scene is set on."""
        return REALM_SITE_CODEC.load(self.desk.internal(self.gm, f"maps/{map_id}/site").json())

    def publish(self, payload: dict[str, Any], kind: str = "scene.board") -> None:
        """Add an event to the stream of the campaign service."""
        self._position += 1
        fields: dict[Any, Any] = {
            "kind": kind,
            "topic": "scene:x",
            "payload": orjson.dumps(payload),
        }
        self._valkey.xadd(stream_key("campaign"), fields, id=f"{self._position}-0")

    def tell(
        self,
        number: int,
        *pieces: Piece,
        realm: Realm | None = None,
        leading: bool = True,
        scene: str | None = None,
        **other: Any,
    ) -> None:
        """Tell how the board stands."""
        site = RealmSite(title="", realm=realm or self.realm, pieces=pieces)
        told = {
            "scene": scene or self.scene,
            "campaign": CAMPAIGN,
            "map": self.map,
            "number": number,
            "site": REALM_SITE_CODEC.dump(site),
            "leading": leading,
        }
        self.publish(told | other)

    def look(self) -> Any:
        """Look at the map as the player."""
        return self.desk.ask(self.player, LOOK, id=self.map)["map"]

    def follow(self) -> Any:
        """Wait until the player sees another map."""
        before = self.now["revision"]

        def changed() -> bool:
            self.now = self.look()
            return bool(self.now["revision"] != before)

        wait_for(changed, "another map")
        return self.now

    def tokens(self) -> dict[str, Any]:
        """Give the tokens as the player saw them last, by name."""
        return {token["name"]: token for token in self.now["play"]["tokens"]}

    def log(self) -> list[Any]:
        """Read what was done to the map, newest first."""
        found: list[Any] = self.desk.ask(self.gm, LOG, id=self.map)["map"]["edits"]["nodes"]
        return found

    def undo(self, number: int | None = None) -> Any:
        """Take an edit back, as the GM."""
        return self.desk.ask(self.gm, UNDO, map=self.map, number=number)["undoMapEdit"]

    def close(self) -> None:
        """Let go of the stream."""
        self._valkey.close()


@pytest.fixture
def game(map_desk: MapDesk, tables: Tables) -> Iterator[Game]:
    made = Game(map_desk, tables)
    yield made
    made.close()


def piece(name: str, place: str, id: str = "", color: str = "#2a5ba8") -> Piece:
    return Piece(id=id or name.lower(), kind=PieceKind.SMITH, name=name, place=place, player="x", color=color)


def grown(realm: Realm) -> Realm:
    """The realm after a Ruin was explored and another one found, a Village helped and given a name."""
    middle = [
        Point.of(x, y)
        for x in range(10, 110, 4)
        for y in range(10, 80, 4)
        if all(hypot(die.at.x - x * 1000, die.at.y - y * 1000) > 4500 for die in realm.dice)
    ]
    found = add_ruin(spend_ruin(realm, "ruin-1"), DroppedDie(8, 5, middle[0]))
    assert isinstance(found, Realm)
    changed: dict[str, dict[str, Any]] = {"village-1": {"power": 3}, "ruin-3": {"name": "Old Forge"}}
    return replace(found, places=tuple(replace(place, **changed.get(place.id, {})) for place in found.places))


def codes(answer: Any) -> list[str]:
    return [issue["code"] for issue in answer["issues"]]


@ON_BOTH
def test_the_map_follows_its_game_move_by_move(game: Game) -> None:
    title, old = game.now["realm"]["title"], game.now["realm"]["places"]
    own = game.desk.edit(game.gm, game.map, putToken={"name": "A crow", "at": {"x": 1, "y": 1}})["thing"]
    game.follow()
    smith = new_id("chr")
    four = [piece(f"Smith {n}", "citadel", color="nothing" if n else "#aa3300") for n in range(3)]
    game.tell(1, piece("Anna", "citadel", smith), *four)
    seen = game.follow()
    assert seen["scene"] == {"id": game.scene} and seen["realm"]["places"] == old
    tokens = game.tokens()
    anna = tokens["Anna"]
    assert (anna["character"], anna["color"], anna["size"], anna["label"], anna["scene"]) == (
        smith,
        "#2a5ba8",
        1,
        "A",
        game.scene,
    )
    assert tokens["Smith 0"]["character"] is None and tokens["Smith 1"]["color"] == "#7a1f1f"
    assert len({token["label"] for token in tokens.values() if token["scene"]}) == 4
    assert smith not in anna["key"] and tokens["A crow"]["key"] == own
    spots = [token["at"] for token in tokens.values()]
    assert all(hypot(a["x"] - b["x"], a["y"] - b["y"]) >= 3.7 for a, b in combinations(spots, 2))

    # She walks, explores a Ruin and finds another; the others have gone.
    game.tell(3, piece("Anna", "ruin-1", smith), realm=grown(game.realm))
    # What was told before, again or late, is not told any more.
    game.tell(2, piece("Nobody", "city"))
    game.tell(3, piece("Nobody", "city"))
    after = game.follow()
    places = {place["key"]: place for place in after["realm"]["places"]}
    assert (places["ruin-1"]["spent"], places["ruin-1"]["power"]) == (True, None)
    assert (places["ruin-3"]["name"], places["ruin-3"]["power"]) == ("Old Forge", 5)
    assert places["village-1"]["power"] == 3 and after["realm"]["title"] == title
    assert set(game.tokens()) == {"Anna", "A crow"}
    assert game.tokens()["Anna"]["key"] == anna["key"] and game.tokens()["Anna"]["at"] != anna["at"]
    assert game.site(game.map) == RealmSite(title=title, realm=grown(game.realm), characters=(smith,))

    # The move is taken back, and the Ruin with it; then the game is over.
    game.tell(4, piece("Anna", "citadel", smith), *four)
    back = game.follow()
    assert back["realm"]["places"] == old and back["play"] == seen["play"]
    assert back["revision"] == seen["revision"]
    game.tell(5, piece("Anna", "citadel", smith), *four)  # nothing new on the board
    game.tell(6, piece("Anna", "citadel", smith), *four, leading=False)
    end = game.follow()
    assert end["scene"] is None and end["play"] == back["play"] and end["revision"] != back["revision"]
    log = game.log()
    assert [entry["sort"] for entry in log] == ["scene"] * 4 + ["put_token"]
    assert all((entry["account"], entry["scene"]) == (None, {"id": game.scene}) for entry in log[:4])


@ON_BOTH
def test_what_the_game_does_people_do_not(game: Game) -> None:
    desk, gm, here = game.desk, game.gm, {"x": 2, "y": 2}
    desk.edit(gm, game.map, dropRuin={})
    crow = desk.edit(gm, game.map, putToken={"name": "A crow", "at": here})["thing"]
    game.follow()
    game.realm = game.site(game.map).realm
    while "A crow" not in game.tokens():
        game.follow()
    game.tell(1, piece("Anna", "city"))
    game.follow()
    anna = game.tokens()["Anna"]["key"]
    led = "MAP_LED_BY_SCENE"
    refused: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"moveToken": {"id": anna, "to": here}}, ["edit", "moveToken", "id"]),
        ({"putToken": {"id": anna, "name": "Ann", "at": here}}, ["edit", "putToken", "id"]),
        ({"removeToken": {"id": anna}}, ["edit", "removeToken", "id"]),
        ({"dropRuin": {}}, ["edit", "dropRuin"]),
        ({"spendRuin": {"place": "ruin-1"}}, ["edit", "spendRuin"]),
    )
    for edit, path in refused:
        (issue,) = desk.edit(gm, game.map, **edit)["issues"]
        assert (issue["code"], issue["path"]) == (led, path)
    assert codes(desk.edit(game.player, game.map, moveToken={"id": anna, "to": here})) == ["MAP_NOT_YOURS"]
    assert desk.edit(game.player, game.map, dropRuin={})["code"] == "FORBIDDEN"
    assert desk.edit(gm, game.map, moveToken={"id": crow, "to": {"x": 3, "y": 3}})["thing"] == crow
    moved, scene, _put, dropped = (entry["number"] for entry in game.log())
    assert codes_of_undo(game, scene) == codes_of_undo(game, dropped) == [led]
    assert game.undo(moved)["__typename"] == "MapEdited"

    game.tell(2, piece("Anna", "city"), realm=grown_by_spending(game.realm), leading=False)
    while game.now["scene"] is not None:
        game.follow()
    # What was before the game is its past too: it was built upon.
    assert codes_of_undo(game, dropped) == codes_of_undo(game, scene) == codes_of_undo(game, None) == [led]
    assert desk.edit(gm, game.map, moveToken={"id": anna, "to": here})["thing"] == anna
    assert desk.edit(gm, game.map, spendRuin={"place": "ruin-1"})["__typename"] == "MapEdited"


def grown_by_spending(realm: Realm) -> Realm:
    return spend_ruin(realm, "ruin-2")


def codes_of_undo(game: Game, number: int | None) -> list[str]:
    query = UNDO.replace("... on Problem", "... on InvalidInput { issues { code } } ... on Problem")
    answer = game.desk.ask(game.gm, query, map=game.map, number=number)["undoMapEdit"]
    return codes(answer)


def test_a_map_listens_to_the_scene_that_leads_it_and_to_nothing_it_cannot_be(game: Game) -> None:
    dungeon = game.desk.made(game.gm, CAMPAIGN, map={"dungeon": {"width": 21, "height": 21}}, sharing="OPEN")
    other = new_id("scn")
    game.tell(1, piece("Anna", "city"))
    game.follow()
    game.tell(1, piece("Bert", "lair"), scene=other)
    game.tell(7, piece("Anna", "city"), map=new_id("map"))
    game.tell(7, piece("Anna", "city"), map=dungeon)
    game.tell(8, site={"type": "forgeborn/realm-site", "version": 1, "data": {}})
    game.tell(9, realm=replace(game.realm, sheet=replace(game.realm.sheet, width=200_000)))
    game.publish({"scene": game.scene, "map": None})
    game.tell(10, piece("Anna", "city"), piece("Nobody", "nowhere"), piece("Cleo", "lair"))
    game.follow()
    assert set(game.tokens()) == {"Anna", "Cleo"}
    # The other game goes on once the map is free, even by a last board that nobody can read.
    game.tell(11, leading=False, site=None)
    assert game.follow()["scene"] is None and set(game.tokens()) == {"Anna", "Cleo"}
    game.tell(2, piece("Bert", "lair"), scene=other)
    assert game.follow()["scene"] == {"id": other} and set(game.tokens()) == {"Bert"}
    # The first one comes back too late, and after the second one's end tells nothing new.
    game.tell(12, piece("Anna", "city"))
    game.tell(3, piece("Bert", "lair"), scene=other, leading=False)
    assert game.follow()["scene"] is None
    game.tell(11, piece("Anna", "city"))
    game.tell(13, piece("Dora", "city"))
    assert game.follow()["scene"] == {"id": game.scene} and set(game.tokens()) == {"Dora"}
    # Somebody who looked at the wrong moment would have missed what the log has.
    mine, theirs = {"id": game.scene}, {"id": other}
    assert [entry["scene"] for entry in game.log()] == [mine, theirs, theirs, mine, mine, mine]


def test_the_picture_shows_who_stands_where_as_far_as_one_may_see(game: Game) -> None:
    desk, path = game.desk, f"maps/{game.map}/outputs"

    def picture(viewer: Viewer, form: str = "svg", view: str = "") -> tuple[str, bytes]:
        answer = desk.internal(viewer, f"{path}/{form}{view}")
        return answer.headers["etag"], answer.content

    empty, file = picture(game.player), picture(game.player, "json")
    desk.edit(game.gm, game.map, putToken={"name": "A spy", "at": {"x": 3, "y": 3}, "layer": "GM"})
    assert picture(game.player) == empty == picture(game.gm, view="?view=players")
    assert b">A spy<" in picture(game.gm)[1]
    game.tell(1, piece("Anna Ash", "city"), piece("Bert", "city"))
    game.follow()
    tag, svg = picture(game.player)
    assert tag != empty[0] and len(re.findall(rb">(Anna Ash|Bert)</title>", svg)) == 2
    assert b">AA<" in svg and b">B<" in svg and b"A spy" not in svg
    assert picture(game.player) == (tag, svg) and picture(game.player, "json") == file
    assert picture(game.player, "png")[1].startswith(b"\x89PNG")
    game.tell(2, piece("Anna Ash", "lair"), piece("Bert", "city"))
    game.follow()
    assert picture(game.player)[0] not in (tag, empty[0])


def test_a_realm_is_given_to_its_gm_as_a_place_for_scenes(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, realm={"seed": "4", "title": "The Realm of Ash"})
    site = REALM_SITE_CODEC.load(map_desk.internal(viewer, f"maps/{made}/site").json())
    assert (site.title, site.pieces, len(site.realm.dice)) == ("The Realm of Ash", (), 15)
    assert map_desk.internal(somebody(), f"maps/{made}/site").status_code == 404


def test_a_story_map_is_given_to_its_gm_as_a_place_for_scenes(map_desk: MapDesk) -> None:
    viewer = somebody()
    made = map_desk.made(viewer, map={"story": {}})
    site = STORY_SITE_CODEC.load(map_desk.internal(viewer, f"maps/{made}/site").json())
    assert sum(place.start for place in site.places) == 1
    assert map_desk.internal(somebody(), f"maps/{made}/site").status_code == 404
