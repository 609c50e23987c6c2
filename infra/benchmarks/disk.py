"""What a thousand moves of each game, and a thousand rolls, leave on the disk, at once and in the long run.

A product of its own is played at: bots move for everybody in scenes of each game, then plain dice are
rolled. What counts are the pages in use of all database files and the bytes of stored files, before and
after; logs are bounded and left out. Then everything is pruned that would be some day, and counted again:
what is left is what an installation grows by in the long run. Of the events, those are pruned, too, whose
reading a service has not noted yet, of which there are never more than a thousand.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from infra.benchmarks.harness.cases import BenchFailure, Case
from infra.benchmarks.harness.product import Product, own_product
from infra.benchmarks.harness.rounds import say
from infra.benchmarks.harness.tables import BOT, Guest, sign_up
from services.rules.engine.play import GM
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.pruning import STEP, prune_expired, prune_read
from services.shared.retention import LIFE, After, OnceRead
from services.shared.settings import SERVICES
from services.shared.tables import metadata

SECONDS = 120.0
STARTING = 20.0  # seconds of the whole that the product's start takes
LATER = timedelta(days=100)
"""When everything is over that ever will be."""
BATCH = 50
SETTLING = 30.0  # seconds that services have to read each other's events


@dataclass(frozen=True, slots=True)
class Game:
    """A game, as it is played here.

    Attributes:
        system: its slug.
        setup: name of one of its own.
        builds: of the characters that take part.
    """

    system: str
    setup: str
    builds: tuple[Mapping[str, Any], ...]


GAMES = (
    Game(
        "dungeonteller",
        "orc-ambush",
        ({"dungeonteller": {"name": "Brunna", "role": "dungeonteller:role/dwarf"}},),
    ),
    Game(
        "dwarf_dice",
        "feud",
        tuple(
            {"dwarfDice": {"name": name.title(), "champion": f"dwarf_dice:champion/{name}"}}
            for name in ("bron", "grim")
        ),
    ),
    Game(
        "forgeborn",
        "realm",
        tuple({"forgeborn": {"name": name, "dice": {"d12": 6}}} for name in ("Brika", "Gaugr")),
    ),
)

ROLLS = """
mutation ($rolls: [RollInput!]!) {
  rollMany(input: {rolls: $rolls}) { ... on RollsRecorded { rolls { id } } ... on Problem { message } }
}"""


def run(seconds: float) -> Iterator[Case]:
    """Measure in about ``seconds`` all told."""
    say("starting a product")
    with own_product() as product, Host.at(product) as host:
        each = max(5.0, (seconds - STARTING) / (len(GAMES) + 1))
        for game in GAMES:
            say(f"playing {game.system}")
            scenes = Scenes(host, game)
            yield measured(product, f"1,000 moves of {game.system}", partial(scenes.play, each))
        say("rolling dice")
        yield measured(product, "1,000 rolls of 3d6", partial(roll, host, each))


def measured(product: Product, name: str, work: Callable[[], int]) -> Case:
    """Measure what some work leaves on the disk, by the thousand.

    Args:
        product: where it is done.
        name: of the case.
        work: does it; returns how many things were done.
    """
    prune(product)
    before = used(product)
    done = work()
    settle(product)
    after = used(product)
    prune(product)
    left = used(product)
    kilobytes = {service: (after[service] - before[service]) / done for service in before}
    return Case(
        name,
        sum(left.values()) / done - sum(before.values()) / done,
        "kB in the long run",
        more={
            "at_once_kB": round(sum(kilobytes.values()), 1),
            "done": done,
            **{f"{service}_kB": round(value, 1) for service, value in kilobytes.items()},
        },
        less_is_better=True,
    )


# Playing


class Host:
    """Somebody who runs every table, and plays everybody at it.

    Args:
        http: a client of the public door.
        product: behind it.
        guest: who they are.
    """

    def __init__(self, http: httpx.Client, guest: Guest) -> None:
        self._http = http
        self.guest = guest

    @classmethod
    def at(cls, product: Product) -> "Host":
        """Sign up at a product."""
        guest = sign_up(product.address, "Host")
        headers = {"authorization": f"Bearer {guest.key}"}
        return cls(
            httpx.Client(base_url=product.address, headers=headers, timeout=40, trust_env=False), guest
        )

    def __enter__(self) -> "Host":
        return self

    def __exit__(self, *_failure: object) -> None:
        self._http.close()

    def post(self, path: str, content: Mapping[str, Any]) -> Any:
        """Post what must be done, as soon as it can be paid for.

        Raises:
            BenchFailure: it was refused.
        """
        while True:
            answer = self._http.post(path, json=content)
            if answer.status_code != 429:
                break
            time.sleep(float(answer.headers["retry-after"]))
        if answer.status_code not in (200, 201):
            raise BenchFailure(f"{path} was refused: {answer.status_code} {answer.text[:300]}")
        return answer.json()

    def ask(self, document: str, variables: Mapping[str, Any]) -> Any:
        """Run an operation that must succeed, as soon as it can be paid for; returns its data.

        Raises:
            BenchFailure: it was refused.
        """
        answer = self.post("/graphql", {"query": document, "variables": variables})
        for outcome in (answer.get("data") or {"": None}).values():
            if outcome is None or "message" in outcome:
                raise BenchFailure(f"an operation was refused: {str(answer)[:300]}")
        return answer["data"]

    def found(self, name: str) -> str:
        """Found a campaign."""
        return str(self.post("/v1/campaigns", {"name": name})["id"])


class Scenes:
    """Scenes of one game at one table.

    Args:
        host: who plays.
        game: what is played.
    """

    def __init__(self, host: Host, game: Game) -> None:
        self._host = host
        self._game = game
        self._campaign = host.found(game.system)
        self._cast = []
        for build in game.builds:
            character = host.post("/v1/characters", {"build": build})["id"]
            host.post(f"/v1/campaigns/{self._campaign}/characters", {"characterId": character})
            self._cast.append(character)
        self._scene: Any = None

    def play(self, seconds: float) -> int:
        """Have bots move for so long; returns how many moves they made."""
        until, moves = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            if self._scene is None or self._scene["outcome"]["ended"]:
                asked = {"system": self._game.system, "setup": self._game.setup, "characters": self._cast}
                self._scene = self._host.post(f"/v1/campaigns/{self._campaign}/scenes", asked)
            waiting = self._scene["card"]["waitingFor"]
            actor = waiting[0] if waiting else GM
            about = {"scene": self._scene["id"], "seq": self._scene["seq"], "actor": actor}
            self._scene = self._host.ask(BOT, about)["playBot"]["scene"]
            moves += 1
        return moves


def roll(host: Host, seconds: float) -> int:
    """Roll for so long; returns how many rolls fell."""
    until, rolled = time.monotonic() + seconds, 0
    campaign = host.found("dice")
    wanted = [{"expression": "3d6", "campaignId": campaign}] * BATCH
    while time.monotonic() < until:
        rolled += len(host.ask(ROLLS, {"rolls": wanted})["rollMany"]["rolls"])
    return rolled


# Counting


def folder_of(product: Product) -> Path:
    """Returns the product's data folder."""
    return Path(product.environment["HEARTHFORGE_DATA_DIR"])


def used(product: Product) -> dict[str, int]:
    """Counts the bytes in use of each service's database, and those of stored files."""
    folder = folder_of(product)
    counted = {}
    for service in SERVICES:
        with closing(sqlite3.connect(folder / f"{service}.db")) as database:
            pages, free, size = (
                int(database.execute(f"PRAGMA {name}").fetchone()[0])
                for name in ("page_count", "freelist_count", "page_size")
            )
        counted[str(service)] = (pages - free) * size
    counted["files"] = sum(file.stat().st_size for file in (folder / "files").rglob("*") if file.is_file())
    return counted


def settle(product: Product) -> None:
    """Wait until every event is published and what follows from it is written.

    Raises:
        BenchFailure: that takes too long.
    """
    deadline, before = time.monotonic() + SETTLING, None
    while True:
        waiting, now = 0, used(product)
        for service in SERVICES:
            with closing(sqlite3.connect(folder_of(product) / f"{service}.db")) as database:
                query = "SELECT count(*) FROM outbox WHERE published_at IS NULL"
                waiting += database.execute(query).fetchone()[0]
        if not waiting and now == before:
            return
        if time.monotonic() > deadline:
            raise BenchFailure(f"{waiting} events were not published in {SETTLING:g} s")
        before = now
        time.sleep(2.0)


def prune(product: Product) -> None:
    """Remove whatever outlives its time one day."""
    asyncio.run(_prune(product, system_clock() + LATER))


async def _prune(product: Product, moment: datetime) -> None:
    for service in SERVICES:
        database = Database(product.environment[f"DATABASE_URL_{service.upper()}"], pooled=False)
        for table in metadata(service).sorted_tables:
            life, removed = table.info[LIFE], STEP
            while removed >= STEP:
                async with database.write() as session:
                    match life:
                        case After():
                            removed = await prune_expired(session, table, moment)
                        case OnceRead():
                            removed = await prune_read(session, table, moment, None)
                        case _:
                            removed = 0
        await database.close()
