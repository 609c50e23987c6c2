"""Whole games at a table, by people and by bots, on SQLite and on PostgreSQL: a match of Dwarf Dice to its end, and a
game of Forgeborn on a stored realm that stays one with its map."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, Product, until
from tests.e2e.table import found_campaign, join, make_map, seat

pytestmark = pytest.mark.backends("postgres")

MOST_MOVES = 400
GLANCE = """
query ($id: ID!) {
  scene(id: $id) {
    seq cursor state { json } card { waitingFor prompts { key } actors { name } } outcome { ended winners }
  }
}
"""
SINCE = """
query ($id: ID!, $after: String!) { scene(id: $id) { moves(after: $after) { nodes { actor text events { kind } move } } } }
"""
LED = """
query ($id: ID!) {
  map(id: $id) { scene { id } realm { places { key power spent } } play { tokens { name } } }
}
"""
CHRONICLE = """
query ($id: ID!) { character(id: $id) { choices { ... on DwarfDiceChoices { chronicle { won lost felled } } } } }
"""


@dataclass(frozen=True)
class Game:
    """A game that two players play and a game master leads.

    Attributes:
        owners: who plays whom, by the actor's id; the game master leads everybody else.
        id: of the scene.
    """

    gm: Person
    players: tuple[Person, Person]
    spectator: Person
    campaign: str
    owners: dict[str, Person]
    id: str

    @property
    def address(self) -> str:
        """Give the scene's path."""
        return f"/v1/scenes/{self.id}"

    def look(self, person: Person) -> dict[str, Any]:
        """Look at the scene as somebody."""
        answer = person.get(self.address)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def glance(self, person: Person) -> dict[str, Any]:
        """Look at what is on the table, and not at what may be done."""
        found: dict[str, Any] = person.ask(GLANCE, id=self.id)["scene"]
        return found

    def owner(self, actor: str) -> Person:
        """Give who moves an actor: of a player's character, and of whom it leads, that player."""
        return self.owners.get(actor, self.gm)

    def bot(self, seen: dict[str, Any], name: str = "steady") -> dict[str, Any]:
        """Have a bot move whoever is waited for first, for whoever plays them."""
        actor = seen["card"]["waitingFor"][0]
        content = {"expectedSeq": seen["seq"], "actor": actor, "bot": name}
        return self.done(self.owner(actor), "bot", content)

    def move(self, person: Person, kind: str, actor: str, **more: Any) -> dict[str, Any]:
        """Make a move that must be allowed."""
        return self.done(person, "moves", self.wanted(person, kind, actor, **more))

    def refused(self, person: Person, kind: str, actor: str, **more: Any) -> list[str]:
        """Make a move that must be refused, and leave the scene as it was; give the codes."""
        before = self.glance(self.gm)
        answer = person.post(f"{self.address}/moves", self.wanted(person, kind, actor, **more))
        assert answer.status_code in {403, 422}, answer.text
        assert self.glance(self.gm) == before
        return [str(issue["code"]) for issue in answer.json()["issues"]]

    def wanted(self, person: Person, kind: str, actor: str, **more: Any) -> dict[str, Any]:
        """Give the request for a move at the scene's present number."""
        return {"expectedSeq": self.glance(person)["seq"], "move": {"kind": kind, "actor": actor, **more}}

    def done(self, person: Person, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Post what must be answered with a move."""
        answer = person.post(f"{self.address}/{path}", content)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found


def laid(
    product: Product, system: str, setup: str, builds: list[dict[str, Any]], *, realm: bool = False
) -> Game:
    """Come together with a character each, and start a game; on a stored realm if wanted."""
    gm, one, other, spectator = (product.sign_up(name) for name in ("Mara", "Finn", "Nell", "Sela"))
    campaign = found_campaign(gm)
    for person in (one, other):
        join(person, gm, campaign)
    join(spectator, gm, campaign, "SPECTATOR")
    owners = {}
    for person, build in zip((one, other), builds, strict=True):
        made = person.do(MUTATIONS["createCharacter"], input={"build": build})
        owners[str(made["character"]["id"])] = person
        seat(person, campaign, made["character"]["id"])
    asked: dict[str, Any] = {"system": system, "setup": setup, "characters": list(owners)}
    if realm:
        asked["mapId"] = make_map(gm, campaign)["map"]["id"]
    started = gm.post(f"/v1/campaigns/{campaign}/scenes", asked)
    assert started.status_code == 201, started.text
    return Game(gm, (one, other), spectator, campaign, owners, started.json()["id"])


def test_match_of_dwarf_dice_is_played_to_its_end_and_no_choice_is_seen_early(product: Product) -> None:
    builds = [
        {"dwarfDice": {"name": name.title(), "champion": f"dwarf_dice:champion/{name}"}}
        for name in ("bron", "grim")
    ]
    game = laid(product, "dwarf_dice", "feud", builds)
    secrets = pictures = 0
    for _ in range(MOST_MOVES):
        seen = game.glance(game.gm)
        if seen["outcome"]["ended"]:
            break
        if seen["state"]["json"]["crafting"] and not pictures:
            board = game.spectator.get(f"{game.address}/board.svg")
            assert board.headers["content-type"].startswith("image/svg+xml")
            assert "<title" in board.text
            pictures += 1
        made = game.bot(seen, "strong" if seen["seq"] < 10 else "steady")
        combat = game.glance(game.gm)["state"]["json"]["combat"]
        if made["move"]["kind"] == "ChooseCards" and combat and not combat["revealed"]:
            # One has chosen, and all others, the game master and who looks on too, see that and no more.
            for person in (game.gm, *game.players, game.spectator):
                if person is game.owner(made["actor"]):
                    continue
                shown = game.glance(person)["state"]["json"]["combat"]
                assert (shown["attack"], shown["defence"]) == ([], [])
                (row,) = person.ask(SINCE, id=game.id, after=seen["cursor"])["scene"]["moves"]["nodes"]
                assert row == {"actor": made["actor"], "text": "", "events": [], "move": None}
                secrets += 1
    ended = game.look(game.players[0])
    assert ended["outcome"]["ended"], "the match went on and on"
    assert secrets
    assert pictures
    assert ended["legalMoves"] == []
    (winner,) = ended["outcome"]["winners"]

    def told() -> dict[str, Any] | None:
        found = {actor: person.ask(CHRONICLE, id=actor) for actor, person in game.owners.items()}
        kept = {actor: each["character"]["choices"]["chronicle"] for actor, each in found.items()}
        return kept if all(one["won"] + one["lost"] == 1 for one in kept.values()) else None

    chronicle = until(told, "the champions' chronicles")
    assert [actor for actor, one in chronicle.items() if one["won"]] == [winner]
    replayed = game.gm.ask(
        "query ($id: ID!, $seq: Int!) { scene(id: $id) { at(seq: $seq) { faithful } } }",
        id=game.id,
        seq=ended["seq"] // 2,
    )
    assert replayed["scene"]["at"] == {"faithful": True}


def smith(scene: dict[str, Any], actor: str) -> dict[str, Any]:
    """Give a Smith as the state of a scene has them."""
    return next(one for one in scene["state"]["json"]["smiths"] if one["id"] == actor)


def towards_a_ruin(state: dict[str, Any], actor: str) -> str | None:
    """Give the next place on the way to the Ruin that is explored most easily; None for somebody who is there."""
    ruins = [spot for spot in state["ground"]["spots"] if spot["kind"] == "RUIN" and not spot["spent"]]
    goal = min(ruins, key=lambda ruin: ruin["power"])["id"]
    here = next(one["place"] for one in state["smiths"] if one["id"] == actor)
    ways = [(way["start"], way["end"]) for way in state["ground"]["ways"]]
    ways += [(end, start) for start, end in ways]
    # From the goal back: whoever stands next to what was reached last goes there.
    onward = {goal: ""}
    for reached in _spreading(onward, ways):
        if reached == here:
            return onward[here] or None
    raise AssertionError(f"no way leads from {here} to {goal}")


def _spreading(onward: dict[str, str], ways: list[tuple[str, str]]) -> Iterator[str]:
    waiting = list(onward)
    for there in waiting:
        yield there
        for start, end in ways:
            if end == there and start not in onward:
                onward[start] = there
                waiting.append(start)


def test_forgeborn_and_its_map_stay_one(product: Product) -> None:
    builds = [{"forgeborn": {"name": name, "dice": {"d12": 6}}} for name in ("Brika", "Gaugr")]
    game = laid(product, "forgeborn", "realm", builds, realm=True)
    first, second = game.owners
    map_id = game.look(game.gm)["map"]["id"]

    def places(scene: dict[str, Any]) -> dict[str, tuple[int | None, bool]]:
        spots = scene["state"]["json"]["ground"]["spots"]
        return {spot["id"]: (spot["power"], spot["spent"]) for spot in spots}

    def on_map(wanted: dict[str, tuple[int | None, bool]], pawns: set[str]) -> Any:
        def look() -> dict[str, Any] | None:
            found: dict[str, Any] = game.players[1].ask(LED, id=map_id)["map"]
            drawn = {one["key"]: (one["power"], one["spent"]) for one in found["realm"]["places"]}
            there = {token["name"] for token in found["play"]["tokens"]}
            return found if drawn == wanted and there == pawns else None

        return until(look, "the map to follow the scene")

    on_map(places(game.glance(game.gm)), {"Brika", "Gaugr"})
    # A second game cannot take the map away from the first.
    taken = game.gm.post(
        f"/v1/campaigns/{game.campaign}/scenes",
        {"system": "forgeborn", "setup": "realm", "characters": list(game.owners), "mapId": map_id},
    )
    assert (taken.status_code, taken.json()["issues"][0]["code"]) == (422, "MAP_IN_PLAY")
    assert "NOT_YOUR_TURN" in game.refused(game.players[1], "Pass", second)

    explorer = game.players[0]
    for _ in range(MOST_MOVES):
        seen = game.glance(game.gm)
        if any(spent for _, spent in places(seen).values()) and not seen["card"]["prompts"]:
            break
        awaited = seen["card"]["waitingFor"][0]
        if seen["card"]["prompts"]:
            game.bot(seen)
        elif awaited == second:
            game.move(game.players[1], "Pass", second)
        elif (step := towards_a_ruin(seen["state"]["json"], first)) is not None:
            game.move(explorer, "Journey", first, to=step)
        elif seen["state"]["json"]["turn"]["moved"]:
            game.move(explorer, "Pass", first)
        else:
            dice = [
                f"D{sides}"
                for sides in (12, 10, 8, 6, 4)
                for _ in range(smith(seen, first)["dice"][f"d{sides}"])
            ]
            game.move(explorer, "ExploreRuins", first, dice=dice[:3], sacrificed=dice[3:])
    seen = game.glance(game.gm)
    names = {actor["name"] for actor in seen["card"]["actors"]}
    found = on_map(places(seen), names)
    assert found["scene"]["id"] == game.id
    board = game.players[0].get(f"{game.address}/board.svg")
    assert board.status_code == 200
    assert all(name in board.text for name in names)
    before = places(seen)
    game.done(game.gm, "undo", {"expectedSeq": seen["seq"]})
    undone = game.glance(game.gm)
    assert places(undone) != before
    on_map(places(undone), {actor["name"] for actor in undone["card"]["actors"]})
    game.move(game.gm, "CallOff", "gm", reason="It is late.")
    ended = game.look(game.players[0])
    assert ended["outcome"]["ended"]
    until(lambda: game.gm.ask(LED, id=map_id)["map"]["scene"] is None, "the map to be free again")
    assert game.gm.ask(QUERIES["scene"], id=game.id)["scene"]["outcome"]["ended"]
