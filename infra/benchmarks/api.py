"""Requests a second and latency of the API: direct, through the gateway, across services, REST, caches.

Everything is measured in one run, in turns. Both sides of the gateway's ratio ask the same for the same
players: "direct" goes to the dice service with a token signed as the gateway signs it, "through the gateway"
goes to the public door with an API key.

The cost limits are at work but never refuse: the connections belong to four players, whose buckets are filled
up ten times a second behind the product's back. Answers that are not as expected are counted apart and fail
the run; more than one in a hundred end it.

A value is the median of its rounds, a ratio that of two such values; ``p50_ms`` and ``p99_ms`` are medians of
the rounds' percentiles; ``processor_ms`` is the processor time of all processes of the product for one
request, and ``processor_ms_dice`` and the like that of each, which also a noisy machine changes little.
"""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus

import httpx
import uvloop

from infra.benchmarks.harness.buckets import BETWEEN_FILLINGS, full_buckets
from infra.benchmarks.harness.cases import BenchFailure, Case, Figures, Sample
from infra.benchmarks.harness.evening import Evening, Player, ask, play_evening
from infra.benchmarks.harness.load import Request, drive
from infra.benchmarks.harness.processors import shares, watched
from infra.benchmarks.harness.product import Product, own_product
from infra.benchmarks.harness.rounds import Contender, Measure, say, take_turns
from infra.benchmarks.harness.trivial import trivial_server
from services.dice.rolls.models import RollRow
from services.dice.rolls.replay import Recorded
from services.dice.rolls.service import RollService
from services.dice.schema import FEATURES
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.context import Context
from services.shared.graphql.features import compose
from services.shared.ids import new_id
from services.shared.limits.meter import Meter

SECONDS = 60.0
ROUNDS = 5
STOPPING = 3.0  # seconds of the whole that the end takes
LEAST = 20.0  # seconds of measuring, however long the start took
EVERYTHING = frozenset({"read", "write", "admin"})

DIRECT_1, DIRECT_16 = "small query direct, 1 connection", "small query direct, 16 connections"
GATEWAY_1 = "small query through the gateway, 1 connection"
GATEWAY_16 = "small query through the gateway, 16 connections"
CLIENT = "the client alone against a server that does nothing, 16 connections"
CROSS_1, CROSS_16 = "cross-service query, 1 connection", "cross-service query, 16 connections"
SHEET, SHEET_304 = "REST sheet, 16 connections", "REST sheet not modified, 16 connections"
CACHES_ON, CACHES_OFF = "parser and validation caches on", "parser and validation caches off"

COMPARED: Mapping[str, tuple[str, float | None]] = {
    GATEWAY_1: (DIRECT_1, None),
    GATEWAY_16: (DIRECT_16, 0.35),
    CLIENT: (DIRECT_16, 3.0),
    SHEET_304: (SHEET, None),
    CACHES_ON: (CACHES_OFF, 5.0),
}
"""What a case is compared with, and the least ratio that is wanted."""

SMALL = "query Small($id: ID!) { roll(id: $id) { id total text } }"
CROSS = """
query Table($id: ID!) {
  campaign(id: $id) {
    id name myRole
    members {
      role
      account { id name }
      characters {
        id name
        sheet { name system tracks { key name current maximum } }
        rolls(first: 5) { nodes { id total text label } }
      }
    }
    maps(first: 5) { nodes { id name seed files { name url } } }
  }
}"""
WHOLE_ROLL = """
query Roll($id: ID!) {
  roll(id: $id) {
    id seq expression label total text rolledAt
    terms { notation subtotal dice { sides face kept } }
    by { id }
    campaign { id }
    character { id }
  }
}"""


def run(seconds: float) -> Iterator[Case]:
    """Measure the API of a product of its own, in about ``seconds`` all told."""
    deadline = time.monotonic() + seconds - STOPPING
    say("starting a product")
    with own_product() as product, trivial_server() as trivial:
        evening = play_evening(product.address)
        etags = _check_answers(product, evening)
        say(
            f"cost limits: {len(evening.players)} players ask, whose buckets are filled up every "
            f"{BETWEEN_FILLINGS} s; they are charged and never empty"
        )
        asked = [
            replace(contender, measure=watched(product.pid, contender.measure))
            for contender in _contenders(product, evening, etags, trivial)
        ]
        contenders = [*asked, *whole_roll()]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            figures = runner.run(_measure(product, evening, contenders, deadline))
    yield from cases(figures)


async def _measure(
    product: Product, evening: Evening, contenders: Sequence[Contender], deadline: float
) -> Mapping[str, Figures]:
    async with full_buckets(product, [player.account for player in evening.players]):
        seconds = max(deadline - time.monotonic(), LEAST)
        return await take_turns(contenders, rounds=ROUNDS, seconds=seconds)


def cases(figures: Mapping[str, Figures]) -> Iterator[Case]:
    """Tell what was measured, by case, each beside what it is compared with."""
    for name, found in figures.items():
        other, target = COMPARED.get(name, (None, None))
        yield Case(
            name,
            found.rate,
            "executions/s" if name in (CACHES_ON, CACHES_OFF) else "requests/s",
            against=figures[other].rate if other else None,
            against_name=other,
            target=target,
            more={
                "p50_ms": found.latency(50),
                "p99_ms": found.latency(99),
                "measured": sum(len(sample.latencies) for sample in found.samples),
                **shares(found),
            },
            failures=found.failures,
        )


# Over the wire


def _check_answers(product: Product, evening: Evening) -> list[str]:
    """Look once at what will be measured: nothing may be missing, or less would be measured than is said.

    Returns:
        the entity tags of the players' sheets.

    Raises:
        BenchFailure: something is missing.
    """
    gm = evening.players[0]
    with httpx.Client(base_url=product.address, timeout=20, trust_env=False) as client:
        table = ask(client, gm.key, CROSS, id=evening.campaign)["campaign"]
        sheets = [
            client.get(_sheet(player), headers={"authorization": f"Bearer {player.key}"})
            for player in evening.players
        ]
    heroes = [hero for member in table["members"] for hero in member["characters"]]
    whole = (
        len(heroes) == len(evening.players)
        and all(member["account"] for member in table["members"])
        and all(hero["sheet"]["tracks"] and hero["rolls"]["nodes"] for hero in heroes)
        and table["maps"]["nodes"]
    )
    if not whole:
        raise BenchFailure(f"the answer about the table is not whole: {table}")
    if any(sheet.status_code != HTTPStatus.OK or "etag" not in sheet.headers for sheet in sheets):
        raise BenchFailure(f"the sheets cannot be read: {sheets}")
    return [sheet.headers["etag"] for sheet in sheets]


def _sheet(player: Player) -> str:
    return f"/v1/characters/{player.hero}/sheet"


def _contenders(product: Product, evening: Evening, etags: Sequence[str], trivial: int) -> list[Contender]:
    public, dice = product.ports["public"], product.ports["dice"]
    signer = Signer("gateway", product.private_keys["gateway"], {})
    small, cross, sheets, unchanged = [], [], [], []
    for player, etag in zip(evening.players, etags, strict=True):
        key = f"Bearer {player.key}"
        small.append(Request.graphql(SMALL, {"id": player.roll}, authorization=key))
        cross.append(Request.graphql(CROSS, {"id": evening.campaign}, authorization=key))
        sheets.append(Request.get(_sheet(player), authorization=key))
        unchanged.append(
            Request.get(_sheet(player), status=HTTPStatus.NOT_MODIFIED, authorization=key, if_none_match=etag)
        )

    def signed() -> list[Request]:
        # Anew for each turn: a token holds for a minute.
        tokens = [
            signer.sign("dice", Viewer(player.account, EVERYTHING, player.key_id))
            for player in evening.players
        ]
        return [
            Request.graphql(SMALL, {"id": player.roll}, **{TOKEN_HEADER: token})
            for player, token in zip(evening.players, tokens, strict=True)
        ]

    return [
        Contender(DIRECT_1, lambda seconds: drive(dice, signed(), 1, seconds)),
        Contender(GATEWAY_1, lambda seconds: drive(public, small, 1, seconds)),
        Contender(DIRECT_16, lambda seconds: drive(dice, signed(), 16, seconds)),
        Contender(GATEWAY_16, lambda seconds: drive(public, small, 16, seconds)),
        Contender(CLIENT, lambda seconds: drive(trivial, small, 16, seconds), 0.4),
        Contender(CROSS_1, lambda seconds: drive(public, cross, 1, seconds)),
        Contender(CROSS_16, lambda seconds: drive(public, cross, 16, seconds)),
        Contender(SHEET, lambda seconds: drive(public, sheets, 16, seconds)),
        Contender(SHEET_304, lambda seconds: drive(public, unchanged, 16, seconds)),
    ]


# Caches: the dice service's schema in this process, asked for all there is to know of one roll


class _OneRoll(RollService):
    """The dice service with a memory of one roll instead of a database."""

    def __init__(self, roll: Recorded) -> None:
        self._roll = roll

    async def by_id(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Recorded]:
        """Give the roll."""
        return dict.fromkeys(ids, self._roll)


class _Free(Meter):
    """Charges nobody."""

    def __init__(self) -> None:
        """Needs no store."""

    async def charge(self, viewer: Viewer, points: int) -> None:
        """Take nothing."""


@dataclass(frozen=True, slots=True)
class _DiceOfOneRoll:
    """What the resolvers of one roll ask of the dice service."""

    rolls: RollService
    meter: Meter


def whole_roll() -> list[Contender]:
    """List the dice schema with its caches and without them, each asked for the whole of one roll."""
    row = RollRow(
        id=new_id("rol"),
        place=new_id("cmp"),
        seq=1,
        account=new_id("acc"),
        campaign=new_id("cmp"),
        character=new_id("chr"),
        label="Battle",
        expression="4d6kh3+2",
        faces="[3,1,6,5]",
        total=16,
        batch="bat",
        created_at=datetime.now(UTC),
    )
    service = _DiceOfOneRoll(_OneRoll(Recorded.of(row)), _Free())
    viewer = Viewer(row.account, EVERYTHING)

    def executing(*, caches: bool) -> Measure:
        schema = compose(*FEATURES, caches=caches)

        async def measure(seconds: float) -> Sample:
            latencies = []
            began = now = time.perf_counter()
            while now < began + seconds:
                asked = now
                context = Context(viewer, service, "bench")
                answer = await schema.execute(
                    WHOLE_ROLL, variable_values={"id": row.id}, context_value=context
                )
                if answer.errors or not answer.data:
                    raise BenchFailure(f"the query failed: {answer.errors}")
                now = time.perf_counter()
                latencies.append((now - asked) * 1000)
            return Sample(now - began, latencies)

        return measure

    return [
        Contender(CACHES_ON, executing(caches=True), 0.5),
        Contender(CACHES_OFF, executing(caches=False), 0.5),
    ]
