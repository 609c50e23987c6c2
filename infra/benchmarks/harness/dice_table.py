"""A table that rolls through the dice service's own use cases, into a SQLite file that is thrown away.

Everything a roll takes but its way over the wire: words, rights, the verifiable chain, the receipt and its
signature, the row, the tallies, the event, one transaction.
"""

import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.rounds import Measure
from services.dice.chain.ledger import Ledger
from services.dice.chain.seal import Seal
from services.dice.library.service import Library
from services.dice.rolls.reader import Reader
from services.dice.rolls.requests import NewRoll, NewRolls
from services.dice.rolls.service import RollService
from services.rules.engine.registry import mechanics, named_dice
from services.shared.access import Access, Role
from services.shared.auth import Signer, Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.ids import new_id
from services.shared.migrate import upgrade
from services.shared.peers import Peer
from services.shared.policy import Policy
from services.shared.problems import Problem
from services.shared.process_keys import new_private_key

TOGETHER = 100
"""Rolls of one request, where there are several: as many as one may have."""
_NOWHERE = "http://127.0.0.1:9"


class OneTable:
    """Knows the access of players who all sit at one table, as it is known for a second after asking."""

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Give a player's access."""
        return Access(viewer.account, {self._campaign: Role.PLAYER})


class Table:
    """One player at one table, who rolls."""

    def __init__(self, service: RollService, campaign: str) -> None:
        self._service = service
        self._campaign = campaign
        self._viewer = Viewer(new_id("acc"), frozenset({"read", "write"}))

    async def one(self) -> None:
        """Roll once.

        Raises:
            BenchFailure: the roll is refused.
        """
        try:
            await self._service.roll(self._viewer, self._new())
        except Problem as refused:
            raise BenchFailure(f"a roll was refused: {refused}") from refused

    async def many(self) -> None:
        """Roll a hundred times in one request.

        Raises:
            BenchFailure: a roll is refused.
        """
        asked = NewRolls(tuple(self._new() for _ in range(TOGETHER)))
        try:
            made = await self._service.roll_many(self._viewer, asked)
        except Problem as refused:
            raise BenchFailure(f"rolls were refused: {refused}") from refused
        if made.voids:
            raise BenchFailure(f"dice came to nothing: {made.voids}")

    def singly(self) -> Measure:
        """Measure rolling one by one, each in a transaction of its own."""
        return _again(self.one, 1)

    def together(self) -> Measure:
        """Measure rolling a hundred times a request."""
        return _again(self.many, TOGETHER)

    def _new(self) -> NewRoll:
        return NewRoll(
            expression="4d6kh3 + 2", campaign_id=self._campaign, label="Battle", entropy=os.urandom(16).hex()
        )


def _again(request: Callable[[], Awaitable[None]], rolls: int) -> Measure:
    """Measure requests of so many rolls, one after another."""

    async def measure(seconds: float) -> Sample:
        took: list[float] = []
        began = now = time.perf_counter()
        while now < began + seconds or not took:
            asked = now
            await request()
            now = time.perf_counter()
            took.append((now - asked) * 1000 / rolls)
        return Sample(now - began, took, batch=rolls)

    return measure


@asynccontextmanager
async def own_table() -> AsyncIterator[Table]:
    """Give a table at which nothing was rolled yet."""
    with TemporaryDirectory(prefix="hearthforge-bench-") as folder:
        url = f"sqlite:///{Path(folder) / 'dice.db'}"
        await upgrade("dice", url)
        campaign = new_id("cmp")
        policy = Policy(OneTable(campaign))
        database = Database(url)
        characters = Peer("character", _NOWHERE, Signer("dice", new_private_key(), {}))  # never asked
        library = Library(database, system_clock, policy, mechanics(), named_dice())
        ledger = Ledger(Seal(secrets.token_hex(32)))
        service = RollService(database, system_clock, policy, Reader(policy, characters, library), ledger)
        try:
            async with database.write() as session:
                await ledger.ensure(session, campaign, system_clock())
            yield Table(service, campaign)
        finally:
            await characters.close()
            await database.close()
