"""Scenes over REST, with a game that has chances, bots, a clock and pictures, through the real subgraph."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any, cast

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Route

from services.campaign.context import CampaignUseCases
from services.campaign.internal import internal_routes
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest.app import rest_app
from services.gateway.rest.subgraphs import Subgraphs
from services.shared.auth import TOKEN_HEADER, Signer
from services.shared.context import Context
from services.shared.database import Database
from services.shared.graphql.http import GraphQLApp
from services.shared.peers import Peer
from services.shared.settings import Settings
from services.shared.stream import Wakes
from tests.campaign.scene_desk import SYSTEMS, Desk, graph_of, somebody
from tests.gateway.rest_face import Keys, fits
from tests.within import Within

pytestmark = pytest.mark.databases("campaign")

SCHEMA = graph_of(SYSTEMS)
PATIENCE = 600


def campaign_app(desk: Desk, settings: Settings) -> Starlette:
    """Serve the campaign service's paths to signed callers."""
    signer, wakes = Signer.of("campaign", settings), Wakes()
    service = desk.use_cases(wakes)

    async def context(connection: HTTPConnection) -> Context[CampaignUseCases]:
        return Context(signer.read(connection.headers.get(TOKEN_HEADER)), service, "")

    graph = Route("/graphql", GraphQLApp(SCHEMA, context=context))
    return Starlette(routes=[graph, *internal_routes(signer, service)])


class Door:
    """The REST face in front of one table."""

    def __init__(self, http: httpx.AsyncClient, desk: Desk) -> None:
        self.http, self.desk = http, desk

    async def ask(
        self, who: str, method: str, path: str = "", status: int = 200, **options: Any
    ) -> httpx.Response:
        """Send a request about the scene that must be answered with a status."""
        headers = {"authorization": f"Bearer {who}", **options.pop("headers", {})}
        address = f"/v1/scenes/{self.desk.scene}{path}"
        answer = await self.http.request(method, address, headers=headers, **options)
        assert answer.status_code == status, answer.text
        return answer

    async def look(self, who: str) -> Any:
        answer = await self.ask(who, "GET")
        return fits(answer)


@pytest.fixture
async def door(settings: Settings) -> AsyncIterator[Door]:
    database = Database(settings.database_url("campaign"))
    desk = Desk(database)
    await desk.open()
    setup = {"title": "The Yard", "rivals": ["Sour Tam"], "hiddenRival": True, "patience": PATIENCE}
    await desk.start(setup=setup)
    people = {"gm": desk.gm, "anna": desk.anna, "watcher": desk.watcher, "stranger": somebody()}
    peer = Peer("campaign", "http://campaign", Signer.of("account", settings))
    inside = campaign_app(desk, settings)
    peer._client = Within(lambda: inside)
    keeper = Keys(people).doorkeeper()
    graphs = Subgraphs({"campaign": peer})
    app = rest_app(keeper, cast(SignUpDesk, None), graphs)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://front") as http:
        yield Door(http, desk)
    await peer.close()
    await database.close()


async def test_a_scene_offers_chances_and_bots(door: Door) -> None:
    scene = await door.look("anna")
    strike, brace = scene["legalMoves"]
    (hit,) = strike["chances"]
    assert (hit["chance"], hit["value"], hit["label"]) == (
        "3527/7776",
        pytest.approx(3527 / 7776),
        "hit Sour Tam, if they stand",
    )
    assert brace["chances"] == []
    assert [bot["id"] for bot in scene["bots"]] == ["random", "steady", "fierce"]
    asked = {"expectedSeq": 0, "actor": door.desk.hero}
    refused = await door.ask("anna", "POST", "/bot", 422, json={**asked, "bot": "genius"})
    (issue,) = refused.json()["issues"]
    assert (issue["code"], issue["path"], issue["allowed"]) == (
        "BOT_UNKNOWN",
        ["bot"],
        "random, steady, fierce",
    )
    made = await door.ask("anna", "POST", "/bot", 201, json={**asked, "bot": "fierce"})
    assert made.json()["text"] == "Anna lunges at Sour Tam."
    # The rival's own answer is the GM's to give, or to have given.
    answered = await door.ask("gm", "POST", "/bot", 201, json={"expectedSeq": 1, "actor": "rival-1"})
    assert answered.json()["actor"] == "rival-1"


async def test_a_question_shows_until_when_it_waits_and_who_answered_it(door: Door) -> None:
    desk = door.desk
    move = {"kind": "Strike", "actor": desk.hero, "target": "rival-1"}
    made = await door.ask("anna", "POST", "/moves", 201, json={"expectedSeq": 0, "move": move})
    assert made.json()["lapsed"] is False
    scene = await door.look("watcher")
    (prompt,), (deadline,) = scene["card"]["prompts"], scene["deadlines"]
    assert (prompt["seconds"], deadline["prompt"]) == (PATIENCE, prompt["id"])
    left = datetime.fromisoformat(deadline["at"]) - desk.clock()
    assert timedelta(0) < left <= timedelta(seconds=PATIENCE)
    desk.clock.ahead += timedelta(seconds=PATIENCE + 1)
    late = {"kind": "Answer", "actor": "rival-1", "flinch": True}
    refused = await door.ask("gm", "POST", "/moves", 409, json={"expectedSeq": 1, "move": late})
    assert refused.json()["code"] == "VERSION_CONFLICT"
    answer = await door.ask("watcher", "GET", "/moves")
    assert [line["lapsed"] for line in fits(answer)["items"]] == [False, True]
    assert (await door.look("watcher"))["deadlines"] == []


async def test_the_picture_of_a_scene_is_for_those_at_the_table(door: Door) -> None:
    scene = await door.look("anna")
    assert scene["boardUrl"] == f"https://table.example/v1/scenes/{door.desk.scene}/board.svg"
    drawn = await door.ask("anna", "GET", "/board.svg")
    assert drawn.headers["content-type"] == "image/svg+xml" and drawn.text.startswith("<svg")
    assert "sandbox" in drawn.headers["content-security-policy"]
    assert drawn.headers["cache-control"] == "private, no-cache"
    assert "The Grey Cloak" not in drawn.text
    assert "The Grey Cloak" in (await door.ask("gm", "GET", "/board.svg")).text
    tag = drawn.headers["etag"]
    same = await door.ask("anna", "GET", "/board.svg", 304, headers={"if-none-match": f"W/{tag}"})
    assert same.content == b""
    for who, status in (("stranger", 404), ("nobody", 401)):
        await door.ask(who, "GET", "/board.svg", status, headers={"if-none-match": tag})


async def test_what_a_game_keeps_of_a_campaign_is_read_and_scenes_are_begun_from_it(door: Door) -> None:
    desk = door.desk
    address = f"/v1/campaigns/{desk.campaign}"

    async def ask(who: str, method: str, path: str, status: int, **options: Any) -> Any:
        headers = {"authorization": f"Bearer {who}"}
        answer = await door.http.request(method, f"{address}{path}", headers=headers, **options)
        assert answer.status_code == status, answer.text
        return fits(answer) if answer.is_success else answer.json()

    await ask("anna", "GET", "/state?system=duel", 404)
    begin = {"system": "duel_campaign", "setup": "mill", "characters": [desk.hero, desk.other]}
    begun = await ask("gm", "POST", "/scenes", 201, json=begin)
    desk.scene = begun["id"]
    for seq, (kind, actor, more) in enumerate(
        (
            ("Settle", "gm", {}),
            ("Consent", desk.hero, {"agrees": False}),
            ("Consent", desk.other, {"agrees": True}),
        )
    ):
        move = {"kind": kind, "actor": actor, **more}
        await door.ask("gm", "POST", "/moves", 201, json={"expectedSeq": seq, "move": move})
    state = await ask("gm", "GET", "/state?system=duel", 200)
    assert (state["id"], state["begunFrom"]) == (desk.scene, None)
    assert state["openings"] == [{"name": "rival", "text": "Meet Sour Tam."}]
    assert (await ask("anna", "GET", "/state?system=duel", 200))["openings"] == []
    await ask("stranger", "GET", "/state?system=duel", 404)
    meet = {"system": "duel", "setup": "rival", "characters": [desk.hero]}
    duel = await ask("gm", "POST", "/scenes", 201, json=meet)
    assert duel["begunFrom"] == {"id": desk.scene}
    assert [line["text"] for line in (await door.ask("anna", "GET", "/moves")).json()["items"]] == [
        "",
        "",
        "Not all would settle.",
        "Sour Tam comes to a duel.",
    ]
