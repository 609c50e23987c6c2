"""A client that knows no game plays an evening of each for a game master and two players, and hears no secret."""

import ast
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.at_length import AT_LENGTH, part_or_whole
from tests.e2e.clients import table_client
from tests.e2e.clients.table_client import Evening, Seat, gather, hide_on_map, open_names
from tests.e2e.product import Product

GAMES = sorted(
    path.name
    for path in (Path(__file__).resolve().parents[2] / "services" / "rules" / "systems").iterdir()
    if (path / "README.md").is_file()
)
CLIENT = Path(table_client.__file__)
FOG = "query ($id: ID!) { map(id: $id) { play { fog { mode } extent { cells } } } }"
MOST_LINES = 400
OWN_MOVES = part_or_whole(1, 20)
"""Moves of an evening that are chosen among the offers; bots play it to its end, where it is played whole."""
MOST_MOVES = 400
ANSWERS = part_or_whole(20, 2_200)
"""Answers to players, of one game at least: more than ten thousand for all five."""


@dataclass
class Ears:
    """What players were answered, held against what they may not know.

    Attributes:
        answers: how many there were, by player.
        since: texts since they were last looked through, by player.
        known: keys of the actors that a player has seen, by player.
        unknown: how many actors were kept from a player while they looked, all together.
    """

    answers: Counter[str] = field(default_factory=Counter)
    since: dict[str, list[str]] = field(default_factory=dict)
    known: dict[str, set[str]] = field(default_factory=dict)
    unknown: int = 0

    def hear(self, seat: Seat, _asked: str, text: str) -> None:
        """Take an answer in."""
        self.answers[seat.name] += 1
        self.since.setdefault(seat.name, []).append(text)

    def look(self, evening: Evening) -> None:
        """Have all look at the scene; no answer to a player names what only the game master knows."""
        scene = evening.look(evening.gm)
        led, told = actors(scene), open_names(scene)
        assert evening.map == "" or evening.secret in "".join(self.since[evening.gm.name])
        for seat in evening.players:
            known = self.known.setdefault(seat.name, set())
            known |= actors(evening.look(seat))
            hidden = led - known
            self.unknown += len(hidden)
            for text in self.since.pop(seat.name):
                for name in told:
                    text = text.replace(name, "")
                assert evening.secret not in text, text[:2000]
                assert not [one for one in hidden if f'"{one}"' in text], text[:2000]
        self.since.clear()


def actors(scene: dict[str, Any]) -> set[str]:
    """Return the keys of the actors on a card."""
    return {one["key"] for one in scene["card"]["actors"]}


def play(product: Product, evening: Evening, ears: Ears) -> None:
    """Play an evening, looked at by all after each move, however fast the machine."""
    for number in range(MOST_MOVES):
        product.fill_buckets()
        ears.look(evening)
        if evening.over() or (not AT_LENGTH and number >= OWN_MOVES):
            return
        if number < OWN_MOVES:
            evening.move()
        else:
            evening.bot("steady")
    raise AssertionError(f"the evening of {evening.system} went on and on")


@pytest.mark.parametrize("system", GAMES)
def test_an_evening_is_played_from_offers_alone_and_no_player_hears_a_secret(
    product: Product, system: str
) -> None:
    ears, played = Ears(), 0
    gm, *players = (Seat(name, product.sign_up(name).send, ears.hear) for name in ("Mara", "Finn", "Nell"))
    while played == 0 or sum(ears.answers[seat.name] for seat in players) < ANSWERS:
        evening = gather(system, gm, players, Random(f"{system} {played}"))
        on_ground = hide_on_map(evening)
        evening.keep_secrets()
        if evening.map:
            assert on_ground == 3
            laid = gm.ask(FOG, id=evening.map)["map"]["play"]
            assert laid["fog"]["mode"] == "FOGGED" or not laid["extent"]["cells"]
        play(product, evening, ears)
        assert sum(evening.moves.values()) >= OWN_MOVES or evening.over()
        played += 1
    assert sum(ears.answers[seat.name] for seat in players) >= ANSWERS


def test_the_client_is_small_and_imports_nothing_of_the_product() -> None:
    source = CLIENT.read_text("utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    tree = ast.parse(source)
    imported = {one.module or "" for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    imported |= {name.name for one in ast.walk(tree) if isinstance(one, ast.Import) for name in one.names}
    assert not [one for one in imported if one.split(".")[0] in ("services", "tests", "workers", "infra")]
    assert not [game for game in GAMES if game in source]
