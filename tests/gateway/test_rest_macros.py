"""A table's own words and its statistics over REST, in front of the dice service's graph."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import cast

import pytest
import strawberry

from services.dice.library.graphql import LibraryMutation, LibraryQuery
from services.dice.library.service import Library
from services.dice.statistics.graphql import StatisticsQuery
from services.dice.statistics.luck import Expectation
from services.dice.statistics.repository import tally
from services.dice.statistics.service import StatisticsService
from services.gateway.rest.problems import Refusal
from services.gateway.rest.subgraphs import Subgraphs
from services.rules.dice.notation import Lexicon, parse
from services.rules.dice.roll import plan
from services.rules.dice.stream import ListStream
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.graphql.schema import build_schema
from services.shared.ids import new_id
from services.shared.peers import Peer
from services.shared.policy import Policy
from services.shared.settings import Settings
from tests.databases import ON_BOTH
from tests.gateway.rest_face import Guest, fits, guests
from tests.inside import Campaigns, Graph

pytestmark = pytest.mark.databases("dice", "account")

FACES = [{"label": "Boon", "value": 1}, {"label": "<Nothing>", "value": 0}]


@strawberry.type
class Query(LibraryQuery, StatisticsQuery):
    """What is asked here."""


@dataclass(frozen=True)
class Words:
    """What the resolvers are handed."""

    library: Library
    statistics: StatisticsService


class Even:
    """Odds of a d6, whatever was rolled."""

    async def expectation(
        self, _viewer: Viewer, expression: str, definitions: str | None
    ) -> Expectation | None:
        return Expectation(3.5, 35 / 12, lambda total: (total - 1) / 6, lambda total: total / 6)


class Table:
    """A table with a GM, a player and a spectator, and somebody who does not sit there."""

    def __init__(self, database: Database, tables: Campaigns, graphs: Subgraphs, guests: list[Guest]) -> None:
        self.database = database
        self.tables = tables
        self.graphs = graphs
        self.campaign = new_id("cmp")
        self.gm, self.player, self.spectator, self.outsider = guests
        for guest, role in zip(guests, Role, strict=False):
            tables.roles[guest.id] = {self.campaign: role}

    async def roll(self, guest: Guest, face: int, *, place: str | None = None, times: int = 1) -> None:
        """Count rolls of a d6."""
        result = plan(parse("1d6", Lexicon()), {}).roll(ListStream([face]))
        async with self.database.write() as session:
            for _ in range(times):
                await tally(session, place or self.campaign, guest.id, result, "1d6", None)


@pytest.fixture
async def table(settings: Settings) -> AsyncIterator[Table]:
    dice, tables = Database(settings.database_url("dice")), Campaigns()
    library = Library(dice, system_clock, Policy(tables), {}, {})
    words = Words(library, StatisticsService(dice, Policy(tables), library.definitions, {}, Even()))
    graphs = Subgraphs({"dice": cast(Peer, Graph(build_schema(Query, LibraryMutation), words))})
    names = ("Mara", "Toren", "Ilse", "Nobody")
    async with guests(settings, graphs, *names) as people:
        yield Table(dice, tables, graphs, people)
    await dice.close()


async def test_a_roll_is_saved_listed_changed_and_deleted(table: Table) -> None:
    sent = {
        "name": "Longsword",
        "expression": "(@battle + @bonus)d6 >=5",
        "variables": [{"name": "bonus", "value": 3}],
        "campaignId": table.campaign,
    }
    key = {"idempotency-key": "one"}
    made = await table.player.ask("POST", "/v1/macros", 201, json=sent, headers=key)
    macro = fits(made)
    path = made.headers["location"]
    assert path == f"/v1/macros/{macro['id']}"
    assert macro["variables"] == [{"name": "battle", "value": None}, {"name": "bonus", "value": 3}]
    assert (macro["shared"], macro["dialect"], macro["version"]) == (True, "HEARTHFORGE", 1)
    assert macro["by"]["id"] == table.player.id
    again = await table.player.ask("POST", "/v1/macros", 201, json=sent, headers=key)
    assert again.json() == macro
    other = {**sent, "name": "Axe"}
    await table.player.refused("POST", "/v1/macros", 409, "IDEMPOTENCY_CONFLICT", json=other, headers=key)

    listed = fits(await table.spectator.ask("GET", f"/v1/macros?campaign={table.campaign}"))
    assert listed == {"items": [macro], "next": None}
    assert fits(await table.gm.ask("GET", path)) == macro

    renamed = await table.gm.ask("PATCH", path, json={"version": 1, "name": "Sword", "label": "Cut"})
    assert fits(renamed) == {**macro, "name": "Sword", "label": "Cut", "version": 2}
    stale = await table.gm.refused("PATCH", path, 409, "VERSION_CONFLICT", json={"version": 1, "name": "Axe"})
    assert (stale["expectedVersion"], stale["currentVersion"]) == (1, 2)
    await table.gm.refused("DELETE", f"{path}?version=1", 409, "VERSION_CONFLICT")
    gone = await table.player.ask("DELETE", f"{path}?version=2")
    assert fits(gone) == {"id": macro["id"]}
    await table.player.refused("GET", path, 404, "NOT_FOUND")


async def test_saved_rolls_are_paged(table: Table) -> None:
    for number in range(3):
        sent = {"name": f"Roll {number}", "expression": "d6"}
        await table.player.ask("POST", "/v1/macros", 201, json=sent)
    first = (await table.player.ask("GET", "/v1/macros?first=2")).json()
    rest = (await table.player.ask("GET", f"/v1/macros?first=2&after={first['next']}")).json()
    assert len(first["items"]) == 2 and len(rest["items"]) == 1 and rest["next"] is None
    await table.player.refused("GET", "/v1/macros?after=zzz", 400, "BAD_CURSOR")


async def test_what_one_may_not_see_or_do_is_refused(table: Table) -> None:
    sent = {"name": "Sword", "expression": "d6", "campaignId": table.campaign}
    made = await table.gm.ask("POST", "/v1/macros", 201, json=sent)
    path, campaign = made.headers["location"], table.campaign
    for refused in (
        path,
        f"/v1/macros?campaign={campaign}",
        f"/v1/dice?campaign={campaign}",
        f"/v1/dice/settings?campaign={campaign}",
        f"/v1/campaigns/{campaign}/dice-statistics",
        f"/v1/campaigns/{campaign}/dice-statistics.svg",
        f"/v1/campaigns/{campaign}/dice-statistics.svg?die=d6",
    ):
        await table.outsider.refused("GET", refused, 404, "NOT_FOUND")
        await table.spectator.ask("GET", refused.replace("?die=d6", ""))
    await table.outsider.refused("POST", "/v1/macros", 404, "NOT_FOUND", json=sent)
    await table.spectator.refused("POST", "/v1/macros", 403, "FORBIDDEN", json=sent)
    await table.player.refused("PATCH", path, 403, "FORBIDDEN", json={"version": 1, "name": "Mine"})
    await table.outsider.refused("DELETE", f"{path}?version=1", 404, "NOT_FOUND")
    die = {"name": "boon", "faces": FACES, "campaignId": campaign}
    await table.player.refused("POST", "/v1/dice", 403, "FORBIDDEN", json=die)
    chosen = {"dialect": "D20", "version": 1, "campaignId": campaign}
    await table.player.refused("PUT", "/v1/dice/settings", 403, "FORBIDDEN", json=chosen)
    await table.outsider.refused("PUT", "/v1/dice/settings", 404, "NOT_FOUND", json=chosen)


async def test_what_cannot_be_rolled_is_told_of_at_once(table: Table) -> None:
    sent = {"name": "", "expression": "2d6 ++", "variables": [{"name": "x", "value": 7}]}
    problem = await table.gm.refused("POST", "/v1/macros", 422, "INVALID_INPUT", json=sent)
    assert [issue["path"] for issue in problem["issues"]] == [["name"], ["expression"]]
    twice = {
        "name": "a",
        "expression": "@x",
        "variables": [{"name": "x", "value": 1}, {"name": "@X", "value": 2}],
    }
    await table.gm.refused("POST", "/v1/macros", 422, "INVALID_INPUT", json=twice)
    for unreadable in (
        {"name": "a"},
        {"name": "a", "expression": 6},
        {**twice, "dialect": "LATIN"},
        {"name": "a", "expression": "@x", "variables": [{"name": "x", "value": 2**40}]},
        {"name": "a", "expression": "d6", "more": 1},
    ):
        await table.gm.refused("POST", "/v1/macros", 422, "INVALID_INPUT", json=unreadable)
    await table.gm.refused("DELETE", "/v1/macros/x", 422, "INVALID_INPUT")
    await table.gm.refused("DELETE", "/v1/macros/x?version=1", 404, "NOT_FOUND")


async def test_a_die_is_defined_changed_and_forgotten(table: Table) -> None:
    sent = {"name": "boon", "faces": FACES, "campaignId": table.campaign}
    die = fits(await table.gm.ask("POST", "/v1/dice", 201, json=sent))
    assert (die["name"], die["faces"], die["version"]) == ("boon", FACES, 1)
    listed = fits(await table.player.ask("GET", f"/v1/dice?campaign={table.campaign}"))
    assert listed == {"items": [die]}
    assert (await table.player.ask("GET", "/v1/dice")).json() == {"items": []}
    use = {"name": "Try", "expression": "3dboon", "campaignId": table.campaign}
    await table.player.ask("POST", "/v1/macros", 201, json=use)
    path = f"/v1/dice/{die['id']}"
    changed = await table.gm.ask("PUT", path, json={"version": 1, "faces": FACES[:1]})
    assert fits(changed) == {**die, "faces": FACES[:1], "version": 2}
    await table.gm.refused("PUT", path, 409, "VERSION_CONFLICT", json={"version": 1, "faces": FACES})
    problem = await table.gm.refused(
        "PUT", path, 422, "INVALID_INPUT", json={"version": 2, "faces": [{"label": "", "value": 9_999_999}]}
    )
    assert [issue["path"] for issue in problem["issues"]] == [
        ["faces", "0", "label"],
        ["faces", "0", "value"],
    ]
    assert fits(await table.gm.ask("DELETE", f"{path}?version=2")) == {"id": die["id"]}
    reserved = {**sent, "name": "lucky"}
    await table.gm.refused("POST", "/v1/dice", 422, "INVALID_INPUT", json=reserved)


async def test_a_thousand_faces_go_through(table: Table) -> None:
    faces = [{"label": f"face {number}", "value": number} for number in range(1_000)]
    die = (await table.gm.ask("POST", "/v1/dice", 201, json={"name": "wide", "faces": faces})).json()
    assert die["faces"] == faces
    more = {"name": "wider", "faces": [*faces, *faces[:1]]}
    problem = await table.gm.refused("POST", "/v1/dice", 422, "INVALID_INPUT", json=more)
    assert problem["issues"][0]["code"] == "COUNT"


async def test_the_dialect_of_a_table_is_chosen(table: Table) -> None:
    path = f"/v1/dice/settings?campaign={table.campaign}"
    assert fits(await table.spectator.ask("GET", path)) == {
        "dialect": "HEARTHFORGE",
        "version": 1,
    }
    sent = {"dialect": "ROLL20", "version": 1, "campaignId": table.campaign}
    chosen = fits(await table.gm.ask("PUT", "/v1/dice/settings", json=sent))
    assert chosen == {"dialect": "ROLL20", "version": 2}
    # The same from both sides is no conflict; something else is.
    assert fits(await table.gm.ask("PUT", "/v1/dice/settings", json=sent)) == chosen
    late = {**sent, "dialect": "D20"}
    await table.gm.refused("PUT", "/v1/dice/settings", 409, "VERSION_CONFLICT", json=late)
    use = {"name": "Pool", "expression": "5d10>7", "campaignId": table.campaign}
    macro = (await table.player.ask("POST", "/v1/macros", 201, json=use)).json()
    assert macro["dialect"] == "ROLL20"
    own = {"dialect": "D20", "version": 1}
    assert (await table.player.ask("PUT", "/v1/dice/settings", json=own)).json()["version"] == 2


@ON_BOTH
async def test_statistics_of_a_table_and_of_a_player(table: Table) -> None:
    for face in range(1, 7):
        await table.roll(table.gm, face, times=6)
    await table.roll(table.player, 6, times=40)
    path = f"/v1/campaigns/{table.campaign}/dice-statistics"
    found = fits(await table.spectator.ask("GET", path))
    kind = found["dice"]["kinds"][0]
    assert [face["count"] for face in kind["faces"]] == [6, 6, 6, 6, 6, 46]
    assert (kind["die"], kind["fairness"]["verdict"], found["luck"]["rolls"]) == ("d6", "UNUSUAL", 76)
    of_gm = (await table.spectator.ask("GET", f"{path}?account={table.gm.id}")).json()
    assert of_gm["dice"]["kinds"][0]["fairness"]["verdict"] == "ORDINARY"
    assert of_gm["luck"]["zScore"] == pytest.approx(0, abs=1e-9)
    answer = await table.gm.ask("GET", path)
    await table.gm.ask("GET", path, 304, headers={"if-none-match": answer.headers["etag"]})


async def test_ones_own_statistics_are_for_oneself(table: Table) -> None:
    await table.roll(table.player, 3, place=table.player.id)
    found = fits(await table.player.ask("GET", "/v1/rolls/statistics"))
    assert found["dice"]["kinds"][0]["faces"][2]["count"] == 1
    assert found["luck"]["verdict"] == "TOO_FEW" and found["luck"]["pValue"] is None
    nothing = fits(await table.gm.ask("GET", "/v1/rolls/statistics"))
    assert nothing["dice"]["kinds"] == [] and nothing["luck"]["meanPercentile"] is None


async def test_statistics_are_drawn(table: Table) -> None:
    await table.roll(table.gm, 6, times=30)
    await table.roll(table.gm, 6, times=3, place=table.gm.id)
    path = f"/v1/campaigns/{table.campaign}/dice-statistics.svg"
    for drawn in (f"{path}?die=d6", path, "/v1/rolls/statistics.svg?die=d6", "/v1/rolls/statistics.svg"):
        answer = await table.gm.ask("GET", drawn)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.text.startswith("<svg") and "<script" not in answer.text
    wide = await table.gm.ask("GET", f"{path}?die=d6&width=1600")
    assert "1600" in wide.text.partition(">")[0]
    await table.gm.refused("GET", f"{path}?die=d8", 404, "NOT_FOUND")
    await table.gm.refused("GET", f"{path}?width=20", 422, "INVALID_INPUT")


async def test_while_the_campaign_service_is_away_it_is_said(table: Table) -> None:
    table.tables.away = True
    campaign = table.campaign
    for path in (
        f"/v1/macros?campaign={campaign}",
        f"/v1/dice?campaign={campaign}",
        f"/v1/campaigns/{campaign}/dice-statistics",
    ):
        await table.gm.refused("GET", path, 503, "UNAVAILABLE")
    sent = {"name": "a", "expression": "d6", "campaignId": campaign}
    await table.gm.refused("POST", "/v1/macros", 503, "UNAVAILABLE", json=sent)
    await table.gm.ask("GET", "/v1/macros")


@pytest.mark.parametrize(
    ("viewer", "code"),
    [(Viewer(), "UNAUTHENTICATED"), (Viewer("acc_1", frozenset({"read"})), "FORBIDDEN")],
    ids=["nobody", "read-only key"],
)
async def test_changing_something_takes_a_key_that_may(table: Table, viewer: Viewer, code: str) -> None:
    die = {"name": "boon", "faces": FACES}
    for operation, variables in (
        ("dice.createMacro", {"input": {"name": "a", "expression": "d6"}}),
        ("dice.updateMacro", {"input": {"id": "mac_", "version": 1}}),
        ("dice.deleteMacro", {"input": {"id": "mac_", "version": 1}}),
        ("dice.defineDie", {"input": die}),
        ("dice.changeDie", {"input": {"id": "die_", "version": 1, "faces": FACES}}),
        ("dice.forgetDie", {"input": {"id": "die_", "version": 1}}),
        ("dice.setDiceDialect", {"input": {"dialect": "D20", "version": 1}}),
    ):
        with pytest.raises(Refusal) as refused:
            await table.graphs.run(viewer, operation, **variables)
        assert refused.value.code == code
    if viewer.anonymous:
        for operation in ("dice.macros", "dice.tableDice", "dice.diceSettings", "dice.statistics"):
            with pytest.raises(Refusal) as refused:
                await table.graphs.run(viewer, operation)
            assert refused.value.code == code
