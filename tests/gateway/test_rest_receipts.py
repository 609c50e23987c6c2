"""Receipts over REST: exported whole, verified as a stranger would, with real services behind."""

import asyncio
import contextlib
import socket
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from services.dice.chain.graphql import ChainMutation, ChainQuery
from services.dice.chain.ledger import Draw, Ledger
from services.dice.chain.requests import RotateRollEpoch
from services.dice.chain.seal import Seal
from services.dice.chain.service import ChainService
from services.dice.tables import OUTBOX
from services.gateway.accounts.identity import Identity
from services.gateway.accounts.service import AccountService
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest import receipts
from services.gateway.rest.app import EverythingElse, rest_app
from services.gateway.rest.own_graph import OwnGraph
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.gateway.tables import OUTBOX as ACCOUNT_OUTBOX
from services.rules.dice.vr1 import Chain, RollContent
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.graphql.schema import build_schema
from services.shared.ids import new_id
from services.shared.limits.bucket import Bucket
from services.shared.parts import Parts, assemble
from services.shared.policy import Policy
from services.shared.settings import Settings
from tests.dice.exports import load_verify
from tests.gateway.rest_face import fits
from tests.inside import Campaigns
from tests.serving import served_here

pytestmark = pytest.mark.databases("account", "dice")

SCHEMA = build_schema(ChainQuery, ChainMutation)
TOOL = load_verify()


class UseCases:
    """What the resolvers of chains are handed."""

    def __init__(self, chain: ChainService) -> None:
        self.chain = chain


class Town:
    """The REST face with accounts and receipts, and the dice service's chains behind it, on real ports."""

    def __init__(self, dice: Parts, http: httpx.AsyncClient) -> None:
        self.dice = dice
        self.http = http
        self.campaigns = Campaigns()
        self.ledger = Ledger(Seal(dice.settings.dice_secret), length=130)
        self.chain = ChainService(
            dice.database, system_clock, Policy(self.campaigns), self.ledger, self._none
        )

    async def _none(self, _viewer: Viewer, _roll: str) -> RollContent | None:
        return None

    async def sign_up(self, campaign: str | None = None, role: Role = Role.PLAYER) -> "Guest":
        answer = await self.http.post("/v1/accounts", json={"name": "Mara"})
        assert answer.status_code == 201, answer.text
        guest = Guest(self.http, answer.json()["account"]["id"], answer.json()["key"])
        if campaign is not None:
            self.campaigns.roles[guest.id] = {campaign: role}
        return guest

    async def roll(self, place: str, count: int, chain: Chain = Chain.OPEN) -> list[str]:
        """Roll several times in one unit of work; gives the ids."""
        made = []
        async with self.dice.database.write() as session:
            for _ in range(count):
                draw = await self.ledger.draw(session, place, chain, None, system_clock())
                content = fallen(draw)
                await self.ledger.record(session, draw, content, system_clock())
                made.append(content.roll)
        return made


def fallen(draw: Draw) -> RollContent:
    faces = tuple(draw.stream().draw_many(10, 4))
    return RollContent(new_id("rol"), "4d10", (10,) * 4, faces, {}, sum(faces))


class Guest:
    """Somebody who calls with a key of their own."""

    def __init__(self, http: httpx.AsyncClient, account: str, key: str) -> None:
        self.id = account
        self._http = http
        self._headers = {"authorization": f"Bearer {key}"}

    async def get(self, path: str, **query: Any) -> httpx.Response:
        return await self._http.get(path, params=query, headers=self._headers)

    async def export(self, path: str, folder: Path, **query: Any) -> str:
        """Export, and have the offline verifier check it; gives the lines."""
        answer = await self.get(path, **query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        assert answer.headers["cache-control"] == "no-store"
        (folder / "export.ndjson").write_bytes(answer.content)
        assert TOOL.main([str(folder / "export.ndjson")]) == 0
        return answer.text


@contextlib.contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener


@pytest.fixture
async def town(settings: Settings) -> AsyncIterator[Town]:
    with listening() as behind, listening() as front:
        port = behind.getsockname()[1]
        known = settings.model_copy(update={"dice_url": f"http://127.0.0.1:{port}"})
        dice = assemble("dice", known, OUTBOX)
        account = assemble("account", known, ACCOUNT_OUTBOX)
        peer = account.peer("dice")
        identity = Identity(account.database, system_clock, known.key_pepper)
        bucket = Bucket(account.redis)
        door = Doorkeeper(identity, bucket)
        people = AccountService(account.database, system_clock, known.key_pepper)
        desk = SignUpDesk(people, bucket, known.sign_up)
        rest = rest_app(door, desk, Subgraphs({"dice": peer}, OwnGraph(people)))
        part = uuid.uuid4().hex
        own = {"x-hearthforge-network": f"2001:db8:5::{part[:4]}:{part[4:8]}:{part[8:12]}"}
        base = f"http://127.0.0.1:{front.getsockname()[1]}"
        async with httpx.AsyncClient(base_url=base, headers=own, timeout=30, trust_env=False) as http:
            made = Town(dice, http)
            subgraph = Starlette(routes=dice.graphql_routes(SCHEMA, UseCases(made.chain)))
            face = Starlette(routes=[EverythingElse(rest, door)])
            async with served_here(subgraph, behind), served_here(face, front):
                yield made
        for parts in (dice, account):
            await parts.redis.aclose()
            await parts.database.close()
        await peer.close()


@pytest.fixture
def campaign() -> str:
    return new_id("cmp")


async def test_a_campaigns_receipts_are_exported_whole_over_many_pages(
    town: Town, campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = await town.sign_up(campaign, Role.SPECTATOR)
    await town.roll(campaign, 270)
    lines = await player.export(f"/v1/campaigns/{campaign}/receipts", tmp_path)
    assert "270 rolls verified, 0 void, 0 hidden, 3 epochs" in capsys.readouterr().out
    assert lines.count("\n") == 1 + 3 + 270 + 2 + 1


async def test_long_receipts_are_paid_for_by_their_length(town: Town, campaign: str) -> None:
    player = await town.sign_up(campaign)
    viewer = Viewer(player.id, frozenset({"read"}))
    await town.chain.epoch(viewer, campaign, Chain.OPEN)
    bucket = f"hf:bucket:{player.id}"

    async def spent() -> tuple[int, int]:
        # A clock that runs ahead: nothing is refilled in between.
        ahead = str(time.time_ns() // 1_000_000 + 3_600_000)
        await town.dice.redis.hset(bucket, mapping={"points": "1000", "at": ahead})
        await town.dice.redis.persist(bucket)
        answer = await player.get(f"/v1/campaigns/{campaign}/receipts")
        assert answer.status_code == 200
        left = await town.dice.redis.hget(bucket, "points")
        return round(1000 - float(left)), len(answer.content)

    await town.roll(campaign, 1)
    short, _ = await spent()
    async with town.dice.database.write() as session:
        for _ in range(20):
            draw = await town.ledger.draw(session, campaign, Chain.OPEN, None, system_clock())
            faces = tuple(draw.stream().draw_many(10, 20_000))
            content = RollContent(new_id("rol"), "20000d10", (10,) * 20_000, faces, {}, sum(faces))
            await town.ledger.record(session, draw, content, system_clock())
    long, length = await spent()
    assert long - short == length // receipts.BYTES_PER_POINT >= 5


async def test_one_epoch_is_exported_alone(
    town: Town, campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = await town.sign_up(campaign)
    await town.roll(campaign, 131)
    viewer = Viewer(player.id, frozenset({"read"}))
    first = (await town.chain.epochs(viewer, campaign, Chain.OPEN, first=1, after=0)).items[0]
    path = f"/v1/campaigns/{campaign}/receipts"
    await player.export(path, tmp_path, epoch=first.id)
    assert "130 rolls verified, 0 void, 0 hidden, 1 epochs" in capsys.readouterr().out
    for unknown in ("00" * 16, "x", ""):
        assert (await player.get(path, epoch=unknown)).status_code == 404
    assert (await player.get("/v1/rolls/receipts", epoch=first.id)).status_code == 404
    assert (await player.get(path, epoch=first.id, secret=True)).status_code == 404
    assert (await player.get(path, epoch="x" * 41)).status_code == 422
    assert (await player.get(path, secret="perhaps")).status_code == 422


async def test_a_place_where_nobody_rolled_is_committed_to_and_exported(
    town: Town, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = await town.sign_up()
    await own.export("/v1/rolls/receipts", tmp_path)
    assert "0 rolls verified, 0 void, 0 hidden, 1 epochs" in capsys.readouterr().out
    await town.roll(own.id, 2)
    await own.export("/v1/rolls/receipts", tmp_path)
    assert "2 rolls verified" in capsys.readouterr().out


async def test_secret_rolls_are_for_gms_until_they_are_revealed(
    town: Town, campaign: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gm, player = await town.sign_up(campaign, Role.GM), await town.sign_up(campaign)
    made = await town.roll(campaign, 4, Chain.SECRET)
    path = f"/v1/campaigns/{campaign}/receipts"
    for guest, told in (
        (gm, "4 rolls verified, 0 void, 0 hidden"),
        (player, "0 rolls verified, 0 void, 0 hidden"),
    ):
        await guest.export(path, tmp_path, secret=True)
        assert told in capsys.readouterr().out
    async with town.dice.database.write() as session:
        await town.ledger.reveal(session, made[1])
    lines = await player.export(path, tmp_path, secret=True)
    assert "1 rolls verified, 0 void, 1 hidden" in capsys.readouterr().out
    assert made[1] in lines and not any(roll in lines for roll in (made[0], made[2], made[3]))
    assert made[1] not in await player.export(path, tmp_path)


async def test_an_export_holds_while_others_go_on_rolling_and_rotating(
    town: Town, campaign: str, tmp_path: Path
) -> None:
    player = await town.sign_up(campaign)
    gm = Viewer((await town.sign_up(campaign, Role.GM)).id, frozenset({"read", "write"}))

    async def play() -> None:
        for _ in range(5):
            await town.roll(campaign, 20)
            await town.chain.rotate(gm, RotateRollEpoch(campaign))

    playing = asyncio.create_task(play())
    exports = 0
    while not playing.done():
        await player.export(f"/v1/campaigns/{campaign}/receipts", tmp_path)
        exports += 1
    await playing
    assert exports > 0


async def test_what_can_no_longer_be_read_breaks_the_export_off(town: Town, campaign: str) -> None:
    gm = await town.sign_up(campaign, Role.GM)
    await town.roll(campaign, 129, Chain.SECRET)
    read = 0
    with pytest.raises(httpx.RemoteProtocolError):
        async with town.http.stream(
            "GET",
            f"/v1/campaigns/{campaign}/receipts",
            params={"secret": True},
            headers=gm._headers,
        ) as answer:
            async for line in answer.aiter_lines():
                read += 1
                assert '\\"kind\\":\\"head\\"' not in line
                town.campaigns.roles[gm.id] = {campaign: Role.PLAYER}
    assert read > 0


async def test_strangers_and_those_without_a_key_get_nothing(town: Town, campaign: str) -> None:
    await town.roll(campaign, 1)
    stranger = await town.sign_up(new_id("cmp"))
    path = f"/v1/campaigns/{campaign}/receipts"
    refused = await stranger.get(path)
    assert (refused.status_code, refused.json()["code"]) == (404, "NOT_FOUND")
    for closed in (path, "/v1/rolls/receipts"):
        assert (await town.http.get(closed)).status_code == 401
    town.campaigns.away = True
    assert (await stranger.get(path)).status_code == 503


async def test_keys_are_open_to_everybody_and_kept_by_their_tag(town: Town, campaign: str) -> None:
    assert (await town.http.get("/v1/dice/keys")).json() == {"items": []}
    await town.roll(campaign, 1)
    answer = await town.http.get("/v1/dice/keys")
    assert [key["retired"] for key in fits(answer)["items"]] == [None]
    again = await town.http.get("/v1/dice/keys", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
