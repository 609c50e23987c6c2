"""Games as tables play them: with packs of the table's own content in them.

An edition is a game system whose content was extended by packs, one after another; each is checked beside
what is before it. All else about it is the game's own, so whoever builds by a game can build by its edition.

What is only asked of an edition (``ask``) is answered in a worker process. What is kept is built here, inside
a unit of work, by an edition that was made in a thread.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import orjson
import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import Build, Built, PackRef, build, unknown_system
from services.character.building.models import CharacterRow
from services.character.history.models import CharacterVersionRow
from services.character.packs import games
from services.character.packs.games import Games, PackKeys, Unmade
from services.character.packs.repository import documents
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.limits.turns import Crowded, Turns
from services.shared.problems import InvalidInput, Unavailable
from services.shared.reckoning import FREE, Reckoner
from services.shared.workers import WAITING, WAITING_EACH

MADE_PER_KILOBYTE = 0.8
"""Milliseconds that reading, checking and adding a kilobyte of a pack takes."""

KEPT_SIZES = 4_096

log = structlog.get_logger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Cost:
    """What asking a game something takes, in milliseconds.

    Attributes:
        alone: without packs.
        per_entry: for each entry that packs add.
        first_per_entry: the same, the first time that an edition is asked so.
        paid: what the price of the operation pays for.
    """

    alone: float = 2.0
    per_entry: float = 0.002
    first_per_entry: float = 0.0
    paid: float = FREE

    def of(self, entries: int, *, first: bool = False) -> float:
        """Estimate it for packs of so many entries."""
        each = self.per_entry + self.first_per_entry if first else self.per_entry
        return self.alone + entries * each


@dataclass(frozen=True, slots=True)
class Edition:
    """A game with packs in it.

    Attributes:
        system: the game, its content extended.
        packs: those it was extended by, in order.
    """

    system: AnySystem
    packs: tuple[PackRef, ...] = ()

    @property
    def alone(self) -> Mapping[str, AnySystem]:
        """Give it as the only game there is, by slug."""
        return {self.system.slug: self.system}

    def build(self, choices: Any) -> Built:
        """Build a character by it; raises as ``build``."""
        return self.mark(build(self.alone, Build(self.system.slug, choices)))

    def mark(self, built: Built) -> Built:
        """Write the packs to what was built by it."""
        return replace(built, packs=self.packs)


def refs_of(row: CharacterRow | CharacterVersionRow) -> tuple[PackRef, ...]:
    """Give the packs that a character was built under."""
    return tuple(PackRef(pack["id"], pack["version"], pack["name"]) for pack in row.packs)


class Editions:
    """Makes editions, and asks them.

    Args:
        database: where packs are kept.
        systems: the games as their books have them, by slug.
        reckoner: charges for what takes long, and has it done apart.
    """

    def __init__(
        self,
        database: Database,
        systems: Mapping[str, AnySystem],
        reckoner: Reckoner[Games] | None = None,
    ) -> None:
        self._database = database
        self.systems = systems
        self._games = Games(systems)
        self.reckoner = reckoner or Reckoner(Games(systems))
        self._entries: OrderedDict[tuple[str, PackKeys], int] = OrderedDict()
        self._asked: dict[tuple[str, PackKeys], set[str]] = {}
        # One at a time: two would take twice the processor from the requests, and be done no sooner.
        self._making = Turns(1, waiting=WAITING, waiting_each=WAITING_EACH, name="editions")

    async def of_row(
        self, row: CharacterRow | CharacterVersionRow, slug: str, session: AsyncSession | None = None
    ) -> Edition | None:
        """Return the edition that a character was built by; None when it cannot be made any more.

        Args:
            row: the character, or a line of its history.
            slug: the character's game system.
            session: a session that is open anyway.
        """
        try:
            return await self.edition(slug, refs_of(row), session)
        except InvalidInput as refused:
            log.error("edition_unmakeable", system=slug, packs=row.packs, reason=refused.message)
            return None

    async def make_ready(self, viewer: Viewer, row: CharacterRow | CharacterVersionRow, slug: str) -> None:
        """Make the edition that a character was built by, before a unit of work in which it is asked for.

        Making it takes up to seconds, in which a unit of work would hold up the others; whether it can be
        made is told there.

        Args:
            viewer: whose account pays for what has to be made.
            row: the character, or a line of its history.
            slug: the character's game system.

        Raises:
            LimitReached: the account cannot pay for it.
        """
        with suppress(InvalidInput):
            await self.edition(slug, refs_of(row), viewer=viewer)

    async def edition(
        self,
        slug: str,
        packs: Sequence[PackRef],
        session: AsyncSession | None = None,
        viewer: Viewer | None = None,
    ) -> Edition:
        """Return a game with packs in it.

        Args:
            slug: of the game system.
            packs: what it is extended by, in order.
            session: a session that is open anyway.
            viewer: whose account pays for what has to be made; nobody's inside a unit of work.

        Raises:
            InvalidInput: there is no such game, or a pack cannot be put into it.
            LimitReached: the account cannot pay for it.
            Unavailable: too many editions are to be made already.
        """
        if slug not in self.systems:
            raise unknown_system(self.systems, slug, "build")
        key = _keys(packs)
        system = self._games.recall(slug, key)
        if system is None:
            held = await self._held(key, session)
            if viewer is None:
                # In a unit of work, which others wait for: it waits for no turn itself.
                await asyncio.to_thread(self._games.make, slug, key, held)
            else:
                await self.reckoner.charge(viewer, _making(held))
                await self._make_in_turn(viewer, slug, key, held)
            system = self._games.recall(slug, key)
            assert system is not None
        return Edition(system, tuple(packs))

    async def ask_of(
        self,
        viewer: Viewer,
        row: CharacterRow,
        cost: Cost,
        task: Callable[Concatenate[AnySystem, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R | None:
        """Ask the edition that a character was built by; None when it cannot be made any more."""
        try:
            return await self.ask(viewer, row.system, refs_of(row), cost, task, *args, **kwargs)
        except InvalidInput:
            return None

    async def ask(
        self,
        viewer: Viewer,
        slug: str,
        packs: Sequence[PackRef],
        cost: Cost,
        task: Callable[Concatenate[AnySystem, P], R],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Ask a game, or an edition of it, what is not kept.

        Args:
            viewer: whose account pays.
            slug: of a game that there is.
            packs: what it is extended by, in order.
            cost: estimate of what the answer takes.
            task: a function of a module.
            args: its arguments behind the game.
            kwargs: its named arguments.

        Raises:
            InvalidInput: a pack cannot be put into the game; or what the task raises.
            LimitReached: the account cannot pay for it.
        """
        key = _keys(packs)
        if not key:
            await self.reckoner.charge(viewer, cost.alone, cost.paid)
            run: Callable[..., Any] = self.reckoner.do
            return cast(
                R, await run(viewer.account, cost.alone, games.in_edition, slug, key, task, *args, **kwargs)
            )
        entries = self._entries.get((slug, key))
        if entries is None:
            entries = await self._make_apart(viewer, slug, key)
        known = self._asked.setdefault((slug, key), set())
        first = task.__name__ not in known
        await self.reckoner.charge(viewer, cost.of(entries, first=first), cost.paid)
        known.add(task.__name__)
        for _ in range(2):
            try:
                apart: Callable[..., Any] = self.reckoner.apart
                return cast(
                    R, await apart(viewer.account, games.in_edition, slug, key, task, *args, **kwargs)
                )
            except Unmade:
                await self._make_apart(viewer, slug, key)
        raise Unmade

    async def _make_in_turn(self, viewer: Viewer, slug: str, key: PackKeys, held: Sequence[object]) -> None:
        try:
            async with self._making.place(viewer.account):
                if self._games.recall(slug, key) is None:
                    await asyncio.to_thread(self._games.make, slug, key, held)
        except Crowded as error:
            raise Unavailable.of("character") from error

    async def _make_apart(self, viewer: Viewer, slug: str, key: PackKeys) -> int:
        held = await self._held(key, None)
        await self.reckoner.charge(viewer, _making(held))
        made = await self.reckoner.apart(viewer.account, games.make_edition, slug, key, held)
        self._entries[slug, key] = made
        self._asked.pop((slug, key), None)
        while len(self._entries) > KEPT_SIZES:
            self._asked.pop(self._entries.popitem(last=False)[0], None)
        return made

    async def documents(self, packs: Sequence[PackRef]) -> list[object]:
        """Read what packs hold, in order; None for one that is gone."""
        return await self._held(_keys(packs), None)

    async def _held(self, key: PackKeys, session: AsyncSession | None) -> list[object]:
        if session is None:
            async with self._database.read() as own:
                held = await documents(own, list(key))
        else:
            held = await documents(session, list(key))
        return [held.get(pack) for pack in key]


def _keys(packs: Sequence[PackRef]) -> PackKeys:
    return tuple((pack.id, pack.version) for pack in packs)


def _making(held: Sequence[object]) -> float:
    return sum(len(orjson.dumps(document)) for document in held) / 1024 * MADE_PER_KILOBYTE
