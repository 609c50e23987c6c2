"""Content, drafts, tools, rewards and papers of characters over REST, in front of the service's own graph."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import httpx
import pytest

from services.character.packs.requests import CreateContentPack, PackContent
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest.app import rest_app
from services.gateway.rest.subgraphs import Subgraphs
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.peers import Peer
from tests.character.desk import somebody
from tests.character.toy_graph import DUEL, FOUND, ToyGraph
from tests.databases import SqliteDatabases
from tests.gateway.rest_face import Keys, fits, fits_problem

HERO = {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}
WEAPONS = "/v1/systems/dungeonteller/content/weapon"
STRIKES = "/v1/systems/duel/tools/strike_chances"


class Door:
    """The REST face, and the people who come to it."""

    def __init__(self, http: httpx.AsyncClient, graph: ToyGraph, people: Mapping[str, Viewer]) -> None:
        self.http, self.graph, self.people = http, graph, people

    async def ask(
        self, who: str, method: str, path: str, status: int = 200, **options: Any
    ) -> httpx.Response:
        """Send a request that must be answered with a status."""
        headers = {"authorization": f"Bearer {who}", **options.pop("headers", {})}
        answer = await self.http.request(method, path, headers=headers, **options)
        assert answer.status_code == status, answer.text
        return answer

    async def fits(self, *asked: Any, **options: Any) -> Any:
        """Send a request whose answer must be as its description says, and give it."""
        return fits(await self.ask(*asked, **options))

    async def wrong(self, who: str, method: str, path: str, **options: Any) -> dict[str, Any]:
        """Send a request that breaks rules, and give the issues by their paths."""
        answer = await self.ask(who, method, path, 422, **options)
        fits_problem(answer)
        assert answer.headers["content-type"] == "application/problem+json"
        return {".".join(issue["path"]): issue for issue in answer.json()["issues"]}


@pytest.fixture
def address(sqlite_databases: SqliteDatabases) -> str:
    return sqlite_databases.take("character")


@pytest.fixture
async def door(address: str) -> AsyncIterator[Door]:
    database = Database(address)
    graph = ToyGraph(database)
    people = {
        "mara": somebody(),
        "toren": somebody(),
        "reader": somebody("read"),
        "writer": somebody("write"),
    }
    peers = {"character": cast(Peer, graph)}
    app = rest_app(
        Keys(people).doorkeeper(),
        cast(SignUpDesk, None),
        Subgraphs(peers),
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://front") as http:
        yield Door(http, graph, people)
    await database.close()


async def test_content_is_looked_through_and_kept_for_a_while(door: Door) -> None:
    system = await door.fits("reader", "GET", "/v1/systems/dungeonteller")
    kinds = await door.fits("reader", "GET", "/v1/systems/dungeonteller/content")
    assert kinds["licence"] == system["licence"] == FOUND["dungeonteller"].licence
    weapon = next(kind for kind in kinds["kinds"] if kind["kind"] == "weapon")
    assert {"name", "gold", "use", "countsAs"} <= {field["name"] for field in weapon["fields"]}
    asked = {"where": ["gold:at_most:5", "use:one_of:SHOOT,battle"], "order": "-gold", "first": 3}
    page = await door.fits("reader", "GET", WEAPONS, params=asked)
    prices = [hit["data"]["gold"] for hit in page["items"]]
    assert len(prices) == 3 and prices == sorted(prices, reverse=True) and max(prices) <= 5
    rest = await door.fits("reader", "GET", WEAPONS, params={**asked, "after": page["next"], "first": 100})
    assert len(rest["items"]) + 3 == page["total"] and rest["next"] is None
    first = page["items"][0]
    path = f"{WEAPONS}/{first['id'].rpartition('/')[2]}"
    entry = await door.fits("reader", "GET", path)
    assert entry["data"] == first["data"] and entry["licence"] == system["licence"]
    for kept in (WEAPONS, path, "/v1/systems/dungeonteller/content", "/v1/systems/duel/tools"):
        answer = await door.ask("reader", "GET", kept)
        assert answer.headers["cache-control"] == "private, max-age=300"
        tag = answer.headers["etag"]
        assert tag.startswith('"')
        same = await door.ask("reader", "GET", kept, 304, headers={"if-none-match": tag})
        assert same.content == b""


async def test_a_game_comes_with_characters_and_packs_to_begin_from(door: Door) -> None:
    game = await door.fits("reader", "GET", "/v1/systems/forge_engine")
    assert "https://creativecommons.org/licenses/by/4.0/" in game["licence"]
    sample = next(example for example in game["examples"] if example["key"] == "hospiter")
    draft = await door.fits("reader", "POST", "/v1/characters/draft", json={"build": sample["build"]})
    assert draft["builds"]
    (pack,) = game["examplePacks"]
    report = await door.fits("reader", "POST", "/v1/content-packs/check", json={"pack": pack["pack"]})
    assert "forge_engine:trait/xenomorph" in report["adds"]
    found = (await door.ask("reader", "GET", "/v1/systems/forgeborn")).json()
    assert found["examples"] and found["examplePacks"] == []


async def test_what_is_not_there_and_what_cannot_be_asked(door: Door) -> None:
    for path in (
        "/v1/systems/chess",
        "/v1/systems/chess/content",
        "/v1/systems/chess/content/piece",
        "/v1/systems/chess/content/piece/king",
        "/v1/systems/chess/tools",
        "/v1/systems/dungeonteller/content/spoon",
        f"{WEAPONS}/spoon",
    ):
        assert (await door.ask("reader", "GET", path, 404)).json()["code"] == "NOT_FOUND"
    assert (await door.ask("reader", "POST", f"{STRIKES}_2", 404, json={})).json()["code"] == "NOT_FOUND"
    unread = await door.wrong(
        "reader", "GET", WEAPONS, params={"where": ["gold:5", "gold:at_most:5", ":has:x"]}
    )
    assert set(unread) == {"where.0", "where.2"} and "oneOf" in unread["where.0"]["allowed"]
    asked = {"where": ["price:equals:3", "use:equals:dance"], "order": "prise"}
    wrong = await door.wrong("reader", "GET", WEAPONS, params=asked)
    assert set(wrong) == {"where.0.field", "where.1.equals", "order"}
    assert "gold" in wrong["where.0.field"]["allowed"].split(", ")
    number = await door.wrong("reader", "GET", WEAPONS, params={"where": "gold:at_least:much"})
    (place,) = number
    assert place.startswith("where")
    bad = await door.ask("reader", "GET", WEAPONS, 400, params={"after": "nowhere"})
    assert bad.json()["code"] == "BAD_CURSOR"
    assert (await door.ask("writer", "GET", WEAPONS, 403)).json()["code"] == "FORBIDDEN"
    await door.ask("nobody", "GET", WEAPONS, 401)


async def test_a_tables_own_content_is_found_beside_the_games(door: Door) -> None:
    assert DUEL.packs is not None
    oath = DUEL.packs.codec.read({"oaths": [{"key": "honour", "name": "Honour", "nerve": 1}]})
    wanted = CreateContentPack(PackContent("duel", oath), "Oaths")
    kept = await door.graph.use_cases.packs.create(door.people["mara"], wanted, None)
    asked: dict[str, Any] = {"params": {"search": "hon", "pack": kept.id}}
    answer = await door.ask("mara", "GET", "/v1/systems/duel/content/oath", **asked)
    assert [hit["name"] for hit in answer.json()["items"]] == ["Honour"]
    # Its owner may change it at any moment.
    assert answer.headers["cache-control"] == "private, no-cache"
    hidden = await door.wrong("toren", "GET", "/v1/systems/duel/content/oath", **asked)
    assert hidden["pack.0"]["code"] == "PACK_UNKNOWN"


async def test_a_character_in_the_making_is_looked_at_and_not_kept(door: Door) -> None:
    path = "/v1/characters/draft"
    draft = await door.fits("reader", "POST", path, json={"build": HERO})
    assert (draft["builds"], draft["issues"]) == (True, [])
    assert draft["sheet"]["data"]["name"] == "Asha"
    broken = {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/cook"}}
    draft = await door.fits("reader", "POST", path, json={"build": broken})
    assert (draft["builds"], draft["sheet"]) == (False, None)
    assert draft["issues"][0]["path"] == ["build", "dungeonteller", "role"]
    malformed = {"dungeonteller": {"name": 7, "kit": "yes", "hat": 1}}
    wrong = await door.wrong("reader", "POST", path, json={"build": malformed})
    assert {"build.dungeonteller.name", "build.dungeonteller.kit"} <= set(wrong)
    unknown = await door.wrong("reader", "POST", path, json={"build": HERO, "step": "spells"})
    assert unknown["step"]["code"] == "STEP_UNKNOWN"
    assert (await door.ask("reader", "GET", "/v1/characters")).json()["items"] == []


async def test_a_tool_answers_or_says_what_is_wrong_where(door: Door) -> None:
    listed = await door.fits("reader", "GET", "/v1/systems/duel/tools")
    assert listed["items"][0]["givenSchema"]["required"] == ["striker", "rivals"]
    assert (await door.ask("reader", "GET", "/v1/systems/forgeborn/tools")).json() == {"items": []}
    given: dict[str, Any] = {"striker": "BOLD", "rivals": [{"bonusDice": 1}]}
    answer = await door.fits("reader", "POST", STRIKES, json=given)
    assert answer["answer"]["strikes"][0]["dice"] == 3
    given["rivals"] = [{}, {"bonusDice": 9}]
    wrong = await door.wrong("reader", "POST", STRIKES, json=given)
    assert wrong["rivals.1.bonusDice"]["code"] == "GUARD_UNKNOWN"
    wrong = await door.wrong("reader", "POST", STRIKES, json={"rivals": [{"bonusDice": "1"}], "hat": 1})
    assert set(wrong) == {"striker", "rivals.0.bonusDice", "hat"}
    assert (await door.ask("reader", "POST", STRIKES, 422, json=[])).json()["code"] == "INVALID_INPUT"


async def test_a_character_is_drawn_rebuilt_and_deleted(door: Door) -> None:
    wish = {"system": "dungeonteller", "name": "Odo", "seed": "7"}
    made = await door.ask(
        "mara", "POST", "/v1/characters/random", 201, json=wish, headers={"idempotency-key": "once"}
    )
    again = await door.ask(
        "mara", "POST", "/v1/characters/random", 201, json=wish, headers={"idempotency-key": "once"}
    )
    assert made.json() == again.json()
    path = made.headers["location"]
    chosen = await door.fits("mara", "GET", f"{path}/choices")
    assert (chosen["version"], chosen["build"]["dungeonteller"]["name"]) == (1, "Odo")
    chosen["build"]["dungeonteller"]["name"] = "Odo the Elder"
    changed = await door.fits("mara", "PUT", path, json=chosen)
    assert (changed["name"], changed["version"]) == ("Odo the Elder", 2)
    # The same from both sides is no conflict; something else is.
    assert (await door.fits("mara", "PUT", path, json=chosen))["version"] == 2
    chosen["build"]["dungeonteller"]["name"] = "Odo the Younger"
    late = (await door.ask("mara", "PUT", path, 409, json=chosen)).json()
    assert late["differing"] == [
        {
            "path": late["differing"][0]["path"],
            "yours": "Odo the Younger",
            "theirs": "Odo the Elder",
            "base": "Odo",
        }
    ]
    assert (late["code"], late["expectedVersion"], late["currentVersion"]) == ("VERSION_CONFLICT", 1, 2)
    chosen["build"]["dungeonteller"]["role"] = "dungeonteller:role/cook"
    wrong = await door.wrong("mara", "PUT", path, json={**chosen, "version": 2})
    assert "build.dungeonteller.role" in wrong
    card = (await door.ask("mara", "GET", f"{path}/card")).json()
    assert (card["system"], card["name"]) == ("dungeonteller", "Odo the Elder")
    for method, asked in (
        ("GET", f"{path}/card"),
        ("GET", f"{path}/choices"),
        ("GET", f"{path}/rewards"),
        ("DELETE", f"{path}?version=2"),
    ):
        await door.ask("toren", method, asked, 404)
    await door.ask("toren", "PUT", path, 404, json=chosen)
    await door.ask("mara", "DELETE", f"{path}?version=1", 409)
    gone = await door.fits("mara", "DELETE", f"{path}?version=2")
    assert path.endswith(gone["id"])
    await door.ask("mara", "GET", path, 404)


@pytest.mark.parametrize("system", [slug for slug, one in FOUND.items() if one.random is not None])
async def test_a_sheet_is_read_as_sections_and_in_short(door: Door, system: str) -> None:
    made = await door.ask("mara", "POST", "/v1/characters/random", 201, json={"system": system, "seed": "7"})
    path = made.headers["location"]
    whole = await door.fits("mara", "GET", f"{path}/sheet/sections")
    assert (whole["system"], whole["name"], whole["version"]) == (system, made.json()["name"], 1)
    groups = [group for section in whole["sheet"]["sections"] for group in section["groups"]]
    entries = {entry["id"]: entry for group in groups for entry in group["entries"]}
    short = await door.ask("mara", "GET", f"{path}/summary")
    assert len(short.content) < 2048
    summary = fits(short)
    assert (summary["system"], summary["name"]) == (system, whole["name"])
    for track in summary["tracks"]:
        entry = entries[track["id"]]
        assert (entry["kind"], entry["number"], entry["maximum"]) == (
            "TRACK",
            track["current"],
            track["maximum"],
        )
    for figure in summary["figures"]:
        assert entries[figure["id"]]["text"] == figure["text"]
    for part in ("sheet/sections", "summary"):
        await door.ask("toren", "GET", f"{path}/{part}", 404)


async def test_a_reward_is_offered_proposed_and_decided_about(door: Door) -> None:
    made = await door.ask("toren", "POST", "/v1/characters", 201, json={"build": HERO})
    path = f"{made.headers['location']}/rewards"
    door.graph.tables.seat(made.json()["id"], gm=door.people["mara"], player=door.people["toren"])
    offered = await door.fits("toren", "GET", path)
    assert (offered["items"], offered["version"]) == ([], 1)
    offer = next(offer for offer in offered["offers"] if offer["reward"]["dungeonteller"]["kind"] == "DIE")
    proposal = {"version": 1, "reward": offer["reward"]}
    waiting = await door.fits("toren", "POST", path, 201, json=proposal)
    assert waiting["version"] == 2
    listed = await door.fits("mara", "GET", path)
    assert [(line["index"], line["approved"], line["text"]) for line in listed["items"]] == [
        (0, False, offer["text"])
    ]
    await door.ask("toren", "POST", f"{path}/0/approve", 403, json={"version": 2})
    approved = await door.fits("mara", "POST", f"{path}/0/approve", json={"version": 2})
    assert approved["version"] == 3
    assert (await door.ask("toren", "GET", path)).json()["items"][0]["approved"] is True
    wrong = await door.wrong("mara", "POST", f"{path}/0/refuse", json={"version": 3})
    assert wrong["index"]["code"] == "REWARD_NOT_WAITING"
    bad = {"dungeonteller": {"session": "one", "kind": "LUCKY"}}
    wrong = await door.wrong("toren", "POST", path, json={"version": 3, "reward": bad})
    assert set(wrong) == {"reward.dungeonteller.session", "reward.dungeonteller.kind"}
    again = {"version": 3, "reward": offer["reward"]}
    refused = await door.wrong("toren", "POST", path, json=again)
    assert refused["reward.dungeonteller"]["code"] == "ONE_REWARD_PER_SESSION"
