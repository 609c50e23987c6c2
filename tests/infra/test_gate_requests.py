"""Expensive requests of gates, as they are chosen and made ready."""

from typing import Any

import pytest

from infra.gates.frame import requests
from infra.gates.frame.requests import Asked, chosen_of, made_ready


class Somebody:
    """Who asks, with the headers of their own."""

    def __init__(self, key: str) -> None:
        self.headers = {"authorization": key, "x-own": key}


class Table:
    """A world of which nothing is asked but who sits there."""

    gm, player = Somebody("gm"), Somebody("player")

    def __getattr__(self, name: str) -> str:
        return f"the {name}"


TABLE: Any = Table()
PLAIN = Asked("plain", "player", "GET", "/v1/campaigns/{campaign}", headers={"x-own": "request"})
OF_MAP = Asked("of a map", "gm", "GET", "/v1/maps/{map}", map_file="worst")


def test_a_request_is_filled_in_and_signed_by_who_asks() -> None:
    (ready,) = made_ready(TABLE, [("play", PLAIN)])
    sent = ready.signed()
    assert (ready.title, sent["url"]) == ("play: plain", "/v1/campaigns/the campaign")
    assert sent["headers"] == {"authorization": "player", "x-own": "request"}


def test_a_map_that_several_requests_need_is_imported_once_and_only_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    imported: list[str] = []

    def import_map(_gm: object, _campaign: str, file: str) -> str:
        imported.append(file)
        return f"map {len(imported)}"

    monkeypatch.setattr(requests, "import_map", import_map)
    asked = [("maps", OF_MAP), ("play", PLAIN), ("maps", OF_MAP)]
    assert [ready.ids["map"] for ready in made_ready(TABLE, asked)] == ["map 1", "the dungeon", "map 1"]
    assert imported == ["worst"]


def test_requests_are_chosen_by_their_file_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "all_asked", lambda _world: iter([("maps", OF_MAP), ("play", PLAIN)]))
    assert chosen_of(TABLE, "play: pl") == [("play", PLAIN)]
    assert len(chosen_of(TABLE, "")) == 2
