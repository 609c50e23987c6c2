"""What apps keep beside maps and their tokens: by whom, for whose eyes, and gone with them."""

from typing import Any

import pytest

from services.shared.auth import Viewer
from services.shared.ids import new_id
from tests.character.desk import Tables, somebody
from tests.map.service_desk import MapDesk
from tests.map.test_map_deleting import delete

CAMPAIGN, TRACKER = new_id("cmp"), "com.example.tracker"
SET = """
mutation ($input: SetMapMetadataInput!) {
  setMapMetadata(input: $input) {
    ... on MetadataSaved { metadata { namespace readers data version } }
    ... on Problem { __typename code path }
  }
}
"""
READ = """
query ($id: ID!, $namespace: String) {
  map(id: $id) {
    metadata(namespace: $namespace) { readers data }
    tokenMetadata(namespace: $namespace) { token metadata { readers data } }
  }
}
"""


class Kept:
    """A table's open dungeon, with a token that everybody sees and one that its GM alone sees."""

    def __init__(self, desk: MapDesk, tables: Tables) -> None:
        self.desk = desk
        self.gm, self.player, self.watcher, self.stranger = (somebody() for _ in range(4))
        members = {"gm": self.gm, "player": self.player, "spectator": self.watcher}
        tables.seat(new_id("chr"), CAMPAIGN, **members)
        dungeon = {"dungeon": {"width": 21, "height": 21}}
        self.map = desk.made(self.gm, CAMPAIGN, map=dungeon, sharing="OPEN")
        self.token, self.hidden = self._put(1, "PLAYERS"), self._put(3, "GM")

    def _put(self, y: int, layer: str) -> str:
        token = {"name": "Orc", "at": {"x": 1, "y": y}, "layer": layer}
        return str(self.desk.edit(self.gm, self.map, putToken=token)["thing"])

    def set(self, who: Viewer, data: Any, **more: Any) -> Any:
        """Send ``setMapMetadata``; return the metadata as they are then, or the code of the problem."""
        asked = {"id": self.map, "namespace": TRACKER, "data": data, **more}
        found = self.desk.ask(who, SET, input=asked)["setMapMetadata"]
        return found["metadata"] if "metadata" in found else (found["code"], found["path"])

    def read(self, who: Viewer, namespace: str | None = None) -> Any:
        """Return what is shown beside the map, and beside each token."""
        shown = self.desk.ask(who, READ, id=self.map, namespace=namespace)["map"]
        tokens = {one["token"]: [bag["data"] for bag in one["metadata"]] for one in shown["tokenMetadata"]}
        return [bag["data"] for bag in shown["metadata"]], tokens


@pytest.fixture
def kept(map_desk: MapDesk, tables: Tables) -> Kept:
    return Kept(map_desk, tables)


def test_metadata_of_a_map_and_its_tokens_are_for_who_sees_them(kept: Kept) -> None:
    gm, player = kept.gm, kept.player
    assert kept.set(player, {"m": 1})["version"] == 1
    assert kept.set(player, {"t": 1}, tokenKey=kept.token)["version"] == 1
    assert kept.set(gm, {"h": 1}, tokenKey=kept.hidden)["version"] == 1
    assert kept.set(gm, {"own": 1}, readers="APP")["readers"] == "APP"
    assert kept.read(player) == kept.read(kept.watcher) == ([{"m": 1}], {kept.token: [{"t": 1}]})
    assert kept.read(gm) == ([{"m": 1}, {"own": 1}], {kept.token: [{"t": 1}], kept.hidden: [{"h": 1}]})
    assert kept.read(gm, "com.example.other") == ([], {})
    assert kept.set(player, {"x": 1}, tokenKey=kept.hidden) == ("NOT_FOUND", ["tokenKey"])
    assert kept.set(player, {"x": 1}, tokenKey="thg_nothing") == ("NOT_FOUND", ["tokenKey"])
    assert kept.set(kept.watcher, {"x": 1}) == ("FORBIDDEN", ["id"])
    assert kept.set(kept.stranger, {"x": 1}) == ("NOT_FOUND", ["id"])


def test_a_map_that_is_hidden_hides_its_metadata(kept: Kept) -> None:
    kept.set(kept.player, {"m": 1})
    kept.desk.edit(kept.gm, kept.map, setFog={"mode": "HIDDEN"})
    assert kept.set(kept.player, {"m": 2}) == ("NOT_FOUND", ["id"])
    assert kept.desk.ask(kept.player, READ, id=kept.map)["map"] is None
    assert kept.read(kept.gm) == ([{"m": 1}], {})


def test_metadata_go_with_their_token_and_their_map(kept: Kept) -> None:
    gm = kept.gm
    for token in (None, kept.token, kept.hidden):
        assert kept.set(gm, {"a": 1}, tokenKey=token)["version"] == 1
    kept.desk.edit(gm, kept.map, removeToken={"id": kept.token})
    assert kept.read(gm) == ([{"a": 1}], {kept.hidden: [{"a": 1}]})
    assert kept.set(gm, {"a": 1}, tokenKey=kept.token) == ("NOT_FOUND", ["tokenKey"])
    assert delete(kept.desk, gm, kept.map)["__typename"] == "MapDeleted"
    assert kept.set(gm, {"a": 1}) == ("NOT_FOUND", ["id"])
