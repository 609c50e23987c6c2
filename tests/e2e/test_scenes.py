"""A scene at a table, from its start to the gold that a hero brings home, on SQLite and on PostgreSQL."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import Person, Product, listening, until
from tests.e2e.table import create_hero, found_campaign, join, log, seat

pytestmark = pytest.mark.backends("postgres")

# What is hidden at the bonfire: a creature, a purse, a note of the GM's.
UNFOUND = ("Grey wolf", "lost purse", "silver armour", "hidden-1")
ENTROPY = "00112233445566778899aabbccddeeff"
GOLD = """
query ($id: ID!) { character(id: $id) { version sheet { ... on DungeonTellerSheet { gold { value } } } } }
"""
ROLL = "query ($id: ID!) { roll(id: $id) { sceneId label character { id } verification { ok } nodes { dice { face } } } }"


@dataclass(frozen=True)
class Bonfire:
    """A table at which the scene is played.

    Attributes:
        start: the answer to its start.
    """

    gm: Person
    player: Person
    spectator: Person
    campaign: str
    hero: str
    start: dict[str, Any]

    @property
    def address(self) -> str:
        """Give the scene's path."""
        return f"/v1/scenes/{self.start['id']}"

    def look(self, person: Person) -> dict[str, Any]:
        """Look at the scene as somebody."""
        answer = person.get(self.address)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def move(self, person: Person, kind: str, actor: str, **more: Any) -> dict[str, Any]:
        """Make a move that must be allowed."""
        content = {
            "expectedSeq": self.look(person)["seq"],
            "move": {"kind": kind, "actor": actor, **more},
            "entropy": ENTROPY,
        }
        return self.done(person, "moves", content)

    def bot(self, actor: str) -> dict[str, Any]:
        """Have a bot move: a hero for the player, anybody else for the GM."""
        person = self.player if actor == self.hero else self.gm
        content = {"expectedSeq": self.look(person)["seq"], "actor": actor, "bot": "steady"}
        return self.done(person, "bot", content)

    def done(self, person: Person, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Post what must be answered with a move."""
        answer = person.post(f"{self.address}/{path}", content)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def shown_to(self, person: Person) -> str:
        """Give all that somebody can read of the scene, in both faces."""
        scene = self.start["id"]
        paths = (
            self.address,
            f"{self.address}/moves?first=100",
            f"/v1/rolls?scene={scene}",
            f"/v1/campaigns/{self.campaign}/log?first=100",
        )
        found = [person.get(path).text for path in paths]
        return "\n".join([*found, str(person.ask(QUERIES["scene"], id=scene))])

    def moves(self, person: Person, after: str = "") -> list[dict[str, Any]]:
        """Read what was done, as somebody may know it."""
        found: list[dict[str, Any]] = person.get(f"{self.address}/moves?first=100{after}").json()["items"]
        return found


@pytest.fixture(scope="module")
def bonfire(product: Product) -> Bonfire:
    """Come together with a hero and start the scene over REST."""
    gm, player, spectator = (product.sign_up(name) for name in ("Mara", "Finn", "Sela"))
    campaign = found_campaign(gm)
    join(player, gm, campaign)
    join(spectator, gm, campaign, "SPECTATOR")
    hero = create_hero(player, name="Brunna", role="warrior")
    seat(player, campaign, hero)
    asked = {"system": "dungeonteller", "setup": "bonfire", "characters": [hero], "title": "By the fire"}
    started = gm.post(f"/v1/campaigns/{campaign}/scenes", asked)
    assert started.status_code == 201, started.text
    scene = started.json()
    assert started.headers["location"] == f"/v1/scenes/{scene['id']}"
    return Bonfire(gm, player, spectator, campaign, hero, scene)


def test_everybody_sees_the_scene_as_far_as_they_may_know(bonfire: Bonfire) -> None:
    everything = str(bonfire.look(bonfire.gm))
    assert [what for what in UNFOUND if what not in everything] == []
    for person, actors in ((bonfire.player, [bonfire.hero]), (bonfire.spectator, [])):
        seen = bonfire.look(person)
        assert (seen["title"], seen["seq"], seen["myActors"]) == ("By the fire", 0, actors)
        assert {one["actor"] for one in seen["legalMoves"]} == set(actors)
        assert {"werewolf-1", "werewolf-2", bonfire.hero} < {one["id"] for one in seen["card"]["actors"]}
        assert [what for what in UNFOUND if what in bonfire.shown_to(person)] == []
    seen = bonfire.look(bonfire.player)
    assert [bot["id"] for bot in seen["bots"]][:2] == ["random", "steady"]
    # This game plays without a clock and, here, without a stored map; it is drawn all the same.
    assert (seen["deadlines"], seen["map"]) == ([], None)
    assert seen["boardUrl"] == f"{bonfire.gm.product.url}{bonfire.address}/board.svg"
    board = bonfire.player.get(f"{bonfire.address}/board.svg")
    assert board.status_code == 200 and board.text.startswith("<svg")
    assert [what for what in UNFOUND if what in board.text] == []
    asked = {"expectedSeq": seen["seq"], "actor": bonfire.hero, "bot": "genius"}
    unknown = bonfire.player.post(f"{bonfire.address}/bot", asked)
    assert (unknown.status_code, unknown.json()["issues"][0]["code"]) == (422, "BOT_UNKNOWN")
    tag = bonfire.player.get(bonfire.address).headers["etag"]
    assert bonfire.player.get(bonfire.address, if_none_match=tag).status_code == 304
    listed = bonfire.player.get(f"/v1/campaigns/{bonfire.campaign}/scenes").json()
    assert [one["id"] for one in listed["items"]] == [bonfire.start["id"]]


def test_dice_of_a_move_are_rolls_with_receipts(bonfire: Bonfire) -> None:
    went = bonfire.move(bonfire.player, "Go", bonfire.hero, to={"x": 4, "y": 7})
    assert (went["rolls"], went["scene"]["seq"]) == ([], went["seq"])
    asked = bonfire.move(bonfire.player, "Try", bonfire.hero, action="TALK", words="Who howls there?")
    (thrown,) = asked["rolls"]
    assert thrown["dice"]["value"] == len(thrown["faces"]) == int(thrown["notation"].partition("d")[0])
    roll = bonfire.spectator.ask(ROLL, id=thrown["roll"]["id"])["roll"]
    assert (roll["sceneId"], roll["label"]) == (bonfire.start["id"], thrown["label"])
    assert (roll["character"], roll["verification"]) == ({"id": bonfire.hero}, {"ok": True})
    assert [die["face"] for node in roll["nodes"] for die in node["dice"]] == thrown["faces"]
    own = bonfire.player.get(f"/v1/rolls?scene={bonfire.start['id']}").json()["items"]
    assert [one["id"] for one in own] == [thrown["roll"]["id"]]


def test_look_in_secret_is_known_to_the_gm_alone(bonfire: Bonfire) -> None:
    players = (bonfire.player, bonfire.spectator)
    before = [bonfire.shown_to(person) for person in players]
    # In the wolf's place comes somebody whom no dice of the hero's could find.
    nan = {"monster": "dungeonteller:monster/goblin", "name": "Old Nan", "hidden": 40}
    gone = bonfire.move(bonfire.gm, "Remove", "gm", what="hidden-1")
    come = bonfire.move(bonfire.gm, "AddCreature", "gm", **nan)
    look = bonfire.move(bonfire.gm, "LookOut", "gm", being=bonfire.hero)
    assert [made["seq"] for made in (gone, come, look)] == [None] * 3
    assert look["rolls"][0]["secret"]
    roll = look["rolls"][0]["roll"]["id"]
    assert bonfire.gm.get(f"/v1/rolls/{roll}").json()["sceneId"] == bonfire.start["id"]
    assert [person.get(f"/v1/rolls/{roll}").status_code for person in players] == [404, 404]
    assert [bonfire.shown_to(person) for person in players] == before


def test_monsters_are_played_while_others_listen_and_gold_comes_home(bonfire: Bonfire) -> None:
    gm, player, hero = bonfire.gm, bonfire.player, bonfire.hero
    gold = player.ask(GOLD, id=hero)["character"]["sheet"]["gold"]["value"]
    scene = {"sceneId": bonfire.start["id"]}
    with listening(player, "sse", SUBSCRIPTIONS["sceneMoves"], **scene) as heard:
        bonfire.move(player, "EndTurn", hero)
        moved: set[str] = set()
        for _ in range(40):
            (first, *_) = bonfire.look(gm)["card"]["waitingFor"]
            if first == hero and {"werewolf-1", "werewolf-2"} <= moved:
                break
            moved.add(bonfire.bot(first)["actor"])
        assert {"werewolf-1", "werewolf-2"} <= moved
        bonfire.move(gm, "Tell", "gm", text="Nobody else may read this.", secret=True)
        given = bonfire.move(gm, "AddThing", "gm", name="a bag of coins", gold=25, holder=hero)
        ended = bonfire.move(gm, "EndScene", "gm", why="The sun comes up.")
        told = heard.take(ended["seq"])
    assert [one["seq"] for one in told] == list(range(1, ended["seq"] + 1))
    kept = bonfire.moves(player)
    assert [(one["cursor"], one["text"]) for one in kept] == [(one["cursor"], one["text"]) for one in told]
    with listening(player, "sse", SUBSCRIPTIONS["sceneMoves"], **scene, after=given["cursor"]) as late:
        assert late.next()["seq"] == ended["seq"]
    rest = bonfire.moves(player, f"&after={told[1]['cursor']}")
    assert [one["seq"] for one in rest] == list(range(3, ended["seq"] + 1))
    assert [what for what in (*UNFOUND, "Old Nan", "Nobody else") if what in bonfire.shown_to(player)] == []

    over = bonfire.look(player)
    assert over["endedAt"] and over["outcome"]["ended"] and over["legalMoves"] == []
    late_move = {"expectedSeq": over["seq"], "move": {"kind": "EndTurn", "actor": hero}}
    refused = player.post(f"{bonfire.address}/moves", late_move).json()
    assert [issue["code"] for issue in refused["issues"]] == ["SCENE_OVER"]

    def home() -> bool:
        sheet = player.ask(GOLD, id=hero)["character"]["sheet"]
        return bool(sheet["gold"]["value"] == gold + 25)

    until(home, "the gold to come home")


def test_log_tells_of_each_move_once_and_not_of_its_dice(bonfire: Bonfire) -> None:
    """What is rolled beside the scene is told as ever, after what was rolled in it."""
    if not bonfire.look(bonfire.gm)["endedAt"]:
        bonfire.move(bonfire.gm, "EndScene", "gm", why="It grows late.")
    rolled = bonfire.player.do(MUTATIONS["roll"], input={"expression": "d6", "characterId": bonfire.hero})
    last = rolled["roll"]["id"]
    until(
        lambda: last in {entry["subject"] for entry in log(bonfire.gm, bonfire.campaign)}, "the log to hear"
    )
    entries = log(bonfire.gm, bonfire.campaign)
    assert [entry["subject"] for entry in entries if entry["kind"] == "roll.recorded"] == [last]
    told = [entry["text"] for entry in entries if entry["kind"] == "scene.move"]
    assert told == [one["text"] for one in bonfire.moves(bonfire.spectator) if one["text"]]
    kinds = [entry["kind"] for entry in entries]
    assert (kinds.count("scene.started"), kinds.count("scene.ended")) == (1, 1)
