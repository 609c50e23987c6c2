"""The page at ``/table`` plays an evening of each game in three browsers, and no player's browser is sent a secret."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from infra.checks.schema import FEDERATION, node_binary
from tests.at_length import AT_LENGTH, part_or_whole
from tests.e2e.clients.table_client import Evening, Seat, gather, hide_on_map, open_names
from tests.e2e.product import Product
from tests.e2e.test_generic_client import GAMES
from tests.e2e.test_table_page import BROWSER

SCRIPT = Path(__file__).with_name("table_evenings.mjs")
PLAYED = part_or_whole(["forge_engine"], GAMES)
MOVES = part_or_whole(1, 10)
"""Moves that are chosen on the page; at length bots then play the evening to its end."""


def laid(product: Product, system: str) -> tuple[dict[str, Any], Evening]:
    """Return a table at which an evening waits to be played, and the evening."""
    people = [product.sign_up(name) for name in ("Mara", "Finn", "Nell")]
    gm, *players = (Seat(one.name, one.send) for one in people)
    evening = gather(system, gm, players, Random(system))
    hide_on_map(evening)
    evening.keep_secrets()
    table = {
        "system": system,
        "campaign": evening.campaign,
        "scene": evening.scene,
        "map": evening.map,
        "moves": MOVES,
        "whole": AT_LENGTH,
        "people": [{"name": one.name, "key": one.key, "headers": one.address} for one in people],
    }
    return table, evening


def test_the_page_plays_an_evening_and_players_are_sent_no_secret(product: Product) -> None:
    if BROWSER is None:
        pytest.skip("no Chromium is installed here")
    tables, evenings = zip(*(laid(product, system) for system in PLAYED), strict=True)
    done = subprocess.run(
        [node_binary(), str(SCRIPT), str(FEDERATION), product.url, BROWSER, json.dumps(tables)],
        capture_output=True,
        text=True,
        check=False,
        timeout=part_or_whole(150, 3_600),
    )
    assert done.returncode == 0, done.stderr[-3000:]
    played = json.loads(done.stdout).items()
    for (system, seen), table, evening in zip(played, tables, evenings, strict=True):
        assert seen["errors"] == []
        assert seen["moves"] >= MOVES or seen["over"], f"{system} was not played"
        assert seen["over"] or not AT_LENGTH
        master, *players = ("".join(told) for told in seen["heard"])
        assert evening.secret in master or not table["map"], "nothing would be proven"
        # What the game master has shown since is no secret.
        shown = open_names(evening.look(evening.gm))
        for told in players:
            for name in shown:
                told = told.replace(name, "")
            assert told and evening.secret not in told, f"{system} told a secret"
