"""Content packs and histories over REST, in front of the character service's graph."""

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from services.character.context import CharacterUseCases
from services.character.packs.library import form
from services.character.schema import SCHEMA
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.engine.registry import systems
from services.shared.access import Role
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.peers import Peer
from services.shared.settings import Settings
from tests.gateway.rest_face import Guest, fits, guests
from tests.inside import Campaigns, Graph

pytestmark = pytest.mark.databases("character", "account")

PACKS = "/v1/content-packs"
ENGINE = systems()["forge_engine"]
GRAVITIC = {"key": "gravitic", "name": "Gravitic", "group": "ELEMENTAL", "traits": True}


class Table:
    """A table with a GM and a player, and somebody who does not sit there."""

    def __init__(self, tables: Campaigns, guests: list[Guest]) -> None:
        self.tables = tables
        self.campaign = new_id("cmp")
        self.gm, self.player, self.outsider = guests
        for guest, role in zip(guests, Role, strict=True):
            if guest is not self.outsider:
                tables.roles[guest.id] = {self.campaign: role}


@pytest.fixture
async def table(settings: Settings) -> AsyncIterator[Table]:
    kept, tables = Database(settings.database_url("character")), Campaigns()
    use_cases = CharacterUseCases.over(kept, system_clock, tables, systems())
    graphs = Subgraphs({"character": cast(Peer, Graph(SCHEMA, use_cases))})
    async with guests(settings, graphs, "Mara", "Toren", "Nobody") as people:
        yield Table(tables, people)
    await kept.close()


def holding(*damage: dict[str, Any]) -> dict[str, Any]:
    return {"forgeEngine": {"damage": list(damage)}}


async def test_a_pack_is_kept_shared_changed_and_deleted(table: Table) -> None:
    sent = {"name": "Pulls", "pack": holding(GRAVITIC), "campaignId": table.campaign}
    key = {"idempotency-key": "one"}
    made = await table.gm.ask("POST", PACKS, 201, json=sent, headers=key)
    pack = fits(made)
    path = made.headers["location"]
    assert path == f"{PACKS}/{pack['id']}"
    assert (pack["version"], pack["campaign"]) == (1, {"id": table.campaign})
    # What is read can be sent again as it is.
    assert pack["pack"]["forgeEngine"]["damage"] == [GRAVITIC]
    assert "forge_engine:damage/gravitic" in pack["report"]["adds"]
    assert (await table.gm.ask("POST", PACKS, 201, json=sent, headers=key)).json() == pack
    other = {**sent, "name": "Other"}
    await table.gm.refused("POST", PACKS, 409, "IDEMPOTENCY_CONFLICT", json=other, headers=key)

    listed = f"{PACKS}?campaign={table.campaign}&system=forge_engine"
    page = fits(await table.player.ask("GET", listed))
    assert ([line["id"] for line in page["items"]], page["next"]) == ([pack["id"]], None)
    assert fits(await table.player.ask("GET", PACKS))["items"] == []
    assert fits(await table.player.ask("GET", path)) == pack
    await table.outsider.refused("GET", path, 404, "NOT_FOUND")
    await table.outsider.refused("GET", listed, 404, "NOT_FOUND")
    await table.player.refused("PATCH", path, 403, "FORBIDDEN", json={"version": 1, "name": "Mine"})
    await table.player.refused("DELETE", f"{path}?version=1", 403, "FORBIDDEN")
    await table.outsider.refused("DELETE", f"{path}?version=1", 404, "NOT_FOUND")

    changed = await table.gm.ask("PATCH", path, json={"version": 1, "pack": pack["pack"], "campaignId": None})
    assert (changed.json()["version"], changed.json()["campaign"]) == (2, None)
    await table.player.refused("GET", path, 404, "NOT_FOUND")
    merged = await table.gm.ask("PATCH", path, json={"version": 1, "name": "Pulls and pushes"})
    assert (merged.json()["version"], merged.json()["pack"]) == (3, pack["pack"])
    other = {"version": 1, "name": "Pushes", "pack": holding({**GRAVITIC, "name": "Push"})}
    stale = await table.gm.refused("PATCH", path, 409, "VERSION_CONFLICT", json=other)
    assert (stale["expectedVersion"], stale["currentVersion"]) == (1, 3)
    told = {".".join(field["path"]): (field["yours"], field["theirs"]) for field in stale["differing"]}
    assert told == {"name": ("Pushes", "Pulls and pushes")}
    other["version"], again = 2, dict(other)
    await table.gm.refused("PATCH", path, 409, "VERSION_CONFLICT", json=again)
    gone = await table.gm.ask("DELETE", f"{path}?version=3")
    assert fits(gone) == {"id": pack["id"]}
    await table.gm.refused("GET", path, 404, "NOT_FOUND")


async def test_everything_wrong_with_a_pack_has_its_path(table: Table) -> None:
    wrong = [GRAVITIC, GRAVITIC, {**GRAVITIC, "key": "No Key"}]
    sent = {"name": "Pulls", "pack": holding(*wrong)}
    bodies: tuple[tuple[str, dict[str, Any]], ...] = (
        (f"{PACKS}/check", {"pack": sent["pack"]}),
        (PACKS, sent),
    )
    for path, body in bodies:
        problem = await table.player.refused("POST", path, 422, "INVALID_INPUT", json=body)
        paths = [issue["path"][:4] for issue in problem["issues"]]
        assert ["pack", "forgeEngine", "damage", "1"] in paths
        assert ["pack", "forgeEngine", "damage", "2"] in paths
        assert all(issue["rule"] for issue in problem["issues"])
    # What does not even fit the types of the game is told as well, each in its place.
    unfit: list[dict[str, Any]] = [{**GRAVITIC, "group": "LOUD"}, {**GRAVITIC, "key": 7}, {"name": "x"}]
    for path, body in (
        (f"{PACKS}/check", {"pack": holding(*unfit)}),
        (PACKS, {**sent, "pack": holding(*unfit)}),
    ):
        problem = await table.player.refused("POST", path, 422, "INVALID_INPUT", json=body)
        told = {".".join(issue["path"][3:]): issue["message"] for issue in problem["issues"]}
        assert set(told) == {"0.group", "1.key", "2.key", "2.group"}
        assert told["2.key"] == told["2.group"] == "This is required."
    empty = await table.player.refused("POST", PACKS, 422, "INVALID_INPUT", json={"name": "x", "pack": {}})
    assert empty["path"] == ["pack"]
    assert (await table.player.ask("GET", PACKS)).json()["items"] == []
    report = await table.player.ask("POST", f"{PACKS}/check", json={"pack": holding(GRAVITIC)})
    assert "forge_engine:damage/gravitic" in fits(report)["adds"]
    table.tables.away = True
    shared = {**sent, "pack": holding(GRAVITIC), "campaignId": table.campaign}
    await table.gm.refused("POST", PACKS, 503, "UNAVAILABLE", json=shared)
    await table.gm.refused("GET", f"{PACKS}?campaign={table.campaign}", 503, "UNAVAILABLE")


async def test_a_character_built_under_a_pack_can_be_taken_back(table: Table) -> None:
    kept = await table.gm.ask("POST", PACKS, 201, json={"name": "Pulls", "pack": holding(GRAVITIC)})
    pack = kept.json()["id"]
    example = next(iter(ENGINE.examples.values()))
    build = {"forgeEngine": form(example, properties=False)}
    sent = {"build": build, "packs": [pack]}
    made = await table.gm.ask("POST", "/v1/characters", 201, json=sent)
    character = fits(made)["id"]
    path = f"/v1/characters/{character}"
    refused = await table.player.refused("POST", "/v1/characters", 422, "INVALID_INPUT", json=sent)
    assert [issue["path"] for issue in refused["issues"]] == [["packs", "0"]]
    renamed = {"forgeEngine": {**build["forgeEngine"], "name": "Another"}}
    await table.gm.ask("PUT", path, json={"version": 1, "build": renamed, "packs": []})
    await table.gm.ask("PATCH", f"{PACKS}/{pack}", json={"version": 1, "description": "Loud."})
    undone = await table.gm.ask("POST", f"{path}/undo", json={"version": 2})
    assert fits(undone)["version"] == 3
    lines = fits(await table.gm.ask("GET", f"{path}/history?first=2"))
    assert [(line["version"], line["what"], line["by"]["id"]) for line in lines["items"]] == [
        (3, "UNDONE", table.gm.id),
        (2, "EDITED", table.gm.id),
    ]
    assert [line["packs"] for line in lines["items"]] == [
        [{"id": pack, "name": "Pulls", "version": 1, "outdated": True}],
        [],
    ]
    assert [change["path"] for change in lines["items"][1]["changes"]] == [["name"]]
    rest = await table.gm.ask("GET", f"{path}/history?first=2&after={lines['next']}")
    assert [line["version"] for line in rest.json()["items"]] == [1]
    problem = await table.gm.refused(
        "POST", f"{path}/undo", 422, "INVALID_INPUT", json={"version": 3, "to": 3}
    )
    assert problem["issues"][0]["path"] == ["to"]
    for method, asked, body in (("GET", "history", None), ("POST", "undo", {"version": 3})):
        await table.player.refused(method, f"{path}/{asked}", 404, "NOT_FOUND", json=body)
