"""The benchmark of games: scenes that bots play, tables that play on, answers read right."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema, build_ast_schema, parse, validate
from redis.asyncio import Redis

from infra.benchmarks import games
from infra.benchmarks.harness import bot_scenes, buckets, long_campaign, tables
from infra.benchmarks.harness import product as own
from infra.benchmarks.harness.bot_scenes import (
    WIZARD,
    Played,
    cast_of_heroes,
    dice,
    opening,
    play_out,
    wizards_turn,
)
from infra.benchmarks.harness.cases import BenchFailure, Figures
from infra.benchmarks.harness.tables import Refused, Table, data_of, door, playing
from services.rules.engine.driver import make
from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller import SYSTEM

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = {name: getattr(tables, name) for name in ("LAY", "SEAT", "START", "LOOK", "PERFORM", "BOT")}


def game() -> AnyPlay:
    assert SYSTEM.play is not None
    return SYSTEM.play


# On the rules alone


def test_scenes_and_legal_moves_can_be_measured_and_told() -> None:
    lines = [json.loads(case.line()) for case in games.on_the_rules(0.0, rounds=1)]
    assert [line["unit"] for line in lines] == ["scenes/s per core", "moves/s per core"] * 4 + ["ms"]
    assert len({line["case"] for line in lines}) == len(lines)
    assert all(line["value"] > 0 and (line["target"], line["met"]) == (None, None) for line in lines)
    for scenes, moves in zip(lines[:-1:2], lines[1::2], strict=True):
        assert scenes["measured"] == 1
        assert moves["measured"] == moves["moves_a_scene"]
        assert moves["value"] == pytest.approx(scenes["value"] * moves["moves_a_scene"], rel=0.01)
        assert 0 < moves["with_dice"] < 1


def test_whole_games_the_forge_and_the_strength_of_bots_can_be_measured_and_told() -> None:
    lines = [json.loads(case.line()) for case in games.of_whole_games(0.0, rounds=1, strength=4)]
    assert [line["unit"] for line in lines] == [
        *["games/s per core"] * 4,
        *["us"] * 2,
        *["share of games won"] * 2,
    ]
    assert all(line["value"] > 0 and line["moves_a_game"] > 10 for line in lines[:4])
    assert [(line["target"], line["against"]) for line in lines[4:]] == [
        (1.0, 50.0),
        (None, 50.0),
        (0.8, 1.0),
        (0.8, 1.0),
    ]
    assert [(line["games"], line["given_up"]) for line in lines[6:]] == [(4, 0), (4, 0)]


def test_a_long_campaign_can_be_measured_and_its_last_quests_are_told_beside_its_first() -> None:
    lines = [json.loads(case.line()) for case in long_campaign.campaign_cases(quests=3, compared=1)]
    assert [line["unit"] for line in lines] == ["bytes", "bytes", "ms", "ms"]
    assert all(line["value"] > 0 and line["against"] > 0 and line["measured"] > 5 for line in lines)
    state, view = lines[0], lines[1]
    assert state["ratio"] > 0.5 and 500 < view["value"] < 2 * state["value"]


def test_the_same_dice_make_the_same_scene() -> None:
    state = opening(game(), "crypt", cast_of_heroes())
    first, again, other = (play_out(game(), state, dice("crypt", number)) for number in (0, 0, 1))
    assert first == again != other


def test_a_scene_that_does_not_end_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_scenes, "MOVES_OF_BOTS", 3)
    state = opening(game(), "crypt", cast_of_heroes())
    with pytest.raises(BenchFailure, match="bots do not come to an end in 3 moves"):
        play_out(game(), state, dice("crypt"))


def test_the_wizards_turn_is_one_with_an_action_left() -> None:
    offers = game().legal(wizards_turn(game()), WIZARD)
    assert len(offers) > 1
    assert any(offer.dice is not None for offer in offers)


# What is asked of the product, and what it answers


@pytest.fixture(scope="module")
def supergraph() -> GraphQLSchema:
    """Read the published graph."""
    text = (ROOT / "schema" / "supergraph.graphql").read_text("utf-8")
    return build_ast_schema(parse(text), assume_valid=True)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_the_product_understands_what_is_asked(document: str, supergraph: GraphQLSchema) -> None:
    assert validate(supergraph, parse(document)) == []


def answer(body: str, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()


def test_the_data_of_an_answer_is_read() -> None:
    assert data_of(answer('{"data": {"scene": {"seq": 3}}}')) == {"scene": {"seq": 3}}


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (answer('{"errors": [{"message": "no"}], "data": {"scene": {}}}'), "no"),
        (answer('{"data": null}'), "null"),
        (answer('{"data": {"scene": null}}'), "scene: None"),
        (answer('{"data": {"playBot": {"message": "Not now."}}}'), r"playBot: Not now\."),
        (answer("<html>", "503 Service Unavailable"), r"HTTP/1\.1 503"),
    ],
    ids=["errors", "no data", "nothing there", "a problem", "no JSON"],
)
def test_an_answer_that_is_not_as_expected_is_refused(told: bytes, why: str) -> None:
    with pytest.raises(Refused, match=why):
        data_of(told)


@asynccontextmanager
async def server(*pieces: bytes) -> AsyncIterator[int]:
    """Answer every question with these pieces, then hang up where there are none; yields the port."""

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1 << 16):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            if not pieces:
                break
        writer.close()

    listening = await asyncio.start_server(answering, "127.0.0.1", 0)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


async def test_an_answer_in_pieces_is_waited_for() -> None:
    whole = answer('{"data": {"a": {"b": 1}}}')
    async with server(whole[:20], whole[20:60], whole[60:]) as port, door(port, "key") as ask:
        for _ in range(2):
            data, took = await ask("{ a { b } }", {})
            assert data == {"a": {"b": 1}}
            assert took > 0


async def test_a_door_that_is_shut_is_told_in_one_line() -> None:
    async with server() as port, door(port, "key") as ask:
        with pytest.raises(BenchFailure, match="closed instead of an answer"):
            await ask("{ a }", {})
    with pytest.raises(BenchFailure, match=f"port {port} cannot be reached"):
        async with door(port, "key"):
            pass


async def test_a_product_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PATIENCE", 0.05)
    async with server(answer('{"data": {}}')[:-1]) as port, door(port, "key") as ask:
        with pytest.raises(BenchFailure, match=f"port {port} did not answer"):
            await ask("{ a }", {})


class Stubborn:
    """Redis, as far as buckets need it; whoever waits for it cannot be cancelled.

    Attributes:
        deleted: the keys of each deletion.
    """

    def __init__(self) -> None:
        self.deleted: list[tuple[str, ...]] = []

    async def __aenter__(self) -> "Stubborn":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed = True

    async def delete(self, *keys: str) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        self.deleted.append(keys)


async def test_buckets_are_filled_for_so_long_as_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    redis = Stubborn()
    monkeypatch.setattr(Redis, "from_url", lambda _url: redis)
    monkeypatch.setattr(buckets, "BETWEEN_FILLINGS", 0.0)
    running = own.Product("", {}, {"REDIS_URL": "redis://nowhere"}, {})
    async with asyncio.timeout(5):
        async with buckets.full_buckets(running, ["acc_1", "acc_2"]):
            while len(redis.deleted) < 3:
                await asyncio.sleep(0)
    owners = ("acc_1", "acc_2", *buckets.NETWORKS)
    assert set(redis.deleted) == {tuple(f"hf:bucket:{owner}" for owner in owners)}
    assert redis.closed
    filled = len(redis.deleted)
    await asyncio.sleep(0)
    assert len(redis.deleted) == filled


# Tables, with the rules in the place of the product


class Product:
    """Answers as the product does, as far as tables ask.

    Attributes:
        asked: how often, by document.
        refusing: the documents that are refused.
    """

    def __init__(self, *refusing: str) -> None:
        self.asked: Counter[str] = Counter()
        self.refusing = refusing
        self._throw = dice("product")
        self._state: Any = None
        self._seq = 0

    async def ask(self, document: str, about: Mapping[str, Any]) -> tuple[Any, float]:
        name = next(name for name, known in DOCUMENTS.items() if known == document)
        self.asked[name] += 1
        if name in self.refusing:
            raise Refused(f"{name}: no")
        if name == "LAY":
            laid = {
                "createCampaign": {"campaign": {"id": "cmp"}},
                "createCharacter": {"character": {"id": "chr"}},
            }
            return laid, 1.0
        if name == "START":
            self._state, self._seq = opening(game(), about["setup"], cast_of_heroes()), 0
            return {"startScene": {"scene": self._shown()}}, 1.0
        if name == "LOOK":
            return {"scene": {"legalMoves": self._offers(about["actor"])}}, 2.0
        assert about.get("seq", 0) == self._seq
        if name == "PERFORM":
            return self._made("performMove", game().move_codec.read(about["move"]))
        return self._made("playBot", game().bot(self._state, about["actor"])) if name == "BOT" else ({}, 1.0)

    def _made(self, name: str, move: Any) -> tuple[Any, float]:
        made = make(game(), self._state, move, self._throw)
        assert not isinstance(made, Problems)
        self._state, self._seq = made.state, self._seq + 1
        rolls = [{"label": roll.label} for roll in made.rolls]
        return {name: {"scene": self._shown(), "move": {"rolls": rolls}}}, 3.0

    def _shown(self) -> Any:
        waiting = list(game().card(self._state).waiting_for)
        ended = game().outcome(self._state).ended
        return {"id": "scn", "seq": self._seq, "card": {"waitingFor": waiting}, "outcome": {"ended": ended}}

    def _offers(self, actor: str) -> list[Any]:
        offers = game().legal(self._state, actor)
        kinds = [[field.kind.name for field in offer.fields] for offer in offers]
        told = [asdict(replace(offer, chances=())) for offer in offers]
        for offer, names in zip(told, kinds, strict=True):
            for field, kind in zip(offer["fields"], names, strict=True):
                field["kind"] = kind
            offer["key"] = offer.pop("id")
        return told


@pytest.mark.parametrize(("bots", "how"), [(True, "BOT"), (False, "PERFORM")])
async def test_tables_play_one_scene_after_another(
    bots: bool, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOVES_OF_SCENE", 5)
    monkeypatch.setattr(tables, "MOVES_OF_TURN", 12)
    products = [Product(), Product()]
    seats = [await tables.lay(product.ask, number) for number, product in enumerate(products)]
    sample = await playing(seats, bots=bots)(60.0)
    assert isinstance(sample, Played)
    assert (sample.moves, list(sample.latencies), list(sample.failures)) == (24, [3.0] * 24, [])
    assert list(sample.looks) == ([] if bots else [2.0] * 24)
    assert 0 < sample.with_dice < 24
    for product in products:
        assert product.asked[how] == 12
        assert product.asked["START"] == 3
        assert (product.asked["LAY"], product.asked["SEAT"]) == (1, 1)


async def test_one_move_is_made_however_short_the_turn() -> None:
    table = await tables.lay(Product().ask, 0)
    sample = await playing([table], bots=False)(0.0)
    assert len(sample.latencies) == 1


async def test_a_scene_in_which_something_goes_wrong_is_left() -> None:
    product = Product()
    table = await tables.lay(product.ask, 0)
    await playing([table], bots=True)(0.0)
    product.refusing = ("BOT",)
    with pytest.raises(BenchFailure, match="1 of 1 moves failed: BOT: no"):
        await playing([table], bots=True)(0.0)
    assert table.scene is None
    product.refusing = ()
    sample = await playing([table], bots=True)(0.0)
    assert (len(sample.latencies), product.asked["START"]) == (1, 2)


async def test_a_table_that_cannot_be_laid_is_told_in_one_line() -> None:
    with pytest.raises(BenchFailure, match="a table could not be laid: LAY: no"):
        await tables.lay(Product("LAY").ask, 0)


async def test_nobody_is_made_to_move_who_can_do_nothing() -> None:
    table = Table(Product().ask, "cmp", "chr", choose=lambda _: 0)
    await table.sit_down()
    with pytest.raises(Refused, match="is waited for and can do nothing"):
        await table.perform([])


def test_many_tables_are_told_beside_one() -> None:
    def turn(took: float, failures: list[str]) -> Figures:
        return Figures([Played(2.0, [took] * 4, failures, moves=4, with_dice=1, looks=[took / 2] * 4)])

    times = {games.BOT_1: 10.0, games.MOVE_1: 20.0, games.MOVE_16: 80.0, games.BOT_16: 20.0}
    figures = {name: turn(took, []) for name, took in times.items()}
    told = {case.name: case for case in games.table_cases({**figures, games.BOT_16: turn(20.0, ["503"])})}
    assert {name: (case.value, case.ratio) for name, case in told.items()} == {
        games.BOT_1: (10.0, None),
        games.MOVE_1: (20.0, None),
        games.MOVE_16: (80.0, 0.25),
        games.BOT_16: (20.0, 0.5),
        games.LOOK_1: (10.0, None),
        games.LOOK_16: (40.0, 0.25),
    }
    assert told[games.MOVE_16].more == {"p99_ms": 80.0, "moves_per_s": 2.0, "with_dice": 0.25, "measured": 4}
    assert [name for name, case in told.items() if case.met is False] == [games.BOT_16]
