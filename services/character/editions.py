"""Games as tables play them: with packs of the table's own content in them.

An edition is a game system whose content was extended by packs, one after another; each is checked beside
what is before it. All else about it is the game's own, so whoever builds by a game can build by its edition.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building import MAX_ISSUES, Build, Built, PackRef, build, issue
from services.character.models import CharacterRow, CharacterVersionRow
from services.character.repository import documents
from services.rules.engine.codec import CodecError
from services.rules.engine.packs import PackReport
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.database import Database
from services.shared.problems import InvalidInput
from services.shared.wording import clipped

KEPT_EDITIONS = 64

log = structlog.get_logger(__name__)
T = TypeVar("T")

_Key = tuple[str, tuple[tuple[str, int], ...]]


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

    def build(self, choices: Any) -> Built | InvalidInput:
        """Build a character by it; every broken rule is named at once."""
        return self.mark(build(self.alone, Build(self.system.slug, choices)))

    def mark(self, outcome: T) -> T:
        """Write the packs to what was built by it; a problem stays what it is."""
        return cast(T, replace(outcome, packs=self.packs)) if isinstance(outcome, Built) else outcome


def refs_of(row: CharacterRow | CharacterVersionRow) -> tuple[PackRef, ...]:
    """Give the packs that a character was built under."""
    return tuple(PackRef(pack["id"], pack["version"], pack["name"]) for pack in row.packs)


class Editions:
    """Makes editions, and remembers those that were asked for last.

    Args:
        database: where packs are kept.
        systems: the games as their books have them, by slug.
    """

    def __init__(self, database: Database, systems: Mapping[str, AnySystem]) -> None:
        self._database = database
        self.systems = systems
        self._made: OrderedDict[_Key, AnySystem] = OrderedDict()

    async def of_row(
        self, row: CharacterRow | CharacterVersionRow, slug: str, session: AsyncSession | None = None
    ) -> Edition | None:
        """Give the edition that a character was built by; None when it cannot be made any more.

        Args:
            row: the character, or a line of its history.
            slug: the character's game system.
            session: a session that is open anyway.
        """
        found = await self.edition(slug, refs_of(row), session)
        if isinstance(found, InvalidInput):
            log.error("edition_unmakeable", system=slug, packs=row.packs, reason=found.message)
            return None
        return found

    async def edition(
        self, slug: str, packs: Sequence[PackRef], session: AsyncSession | None = None
    ) -> Edition | InvalidInput | None:
        """Give a game with packs in it, or what is wrong with the packs; None when there is no such game.

        Args:
            slug: of the game system.
            packs: what it is extended by, in order.
            session: a session that is open anyway.
        """
        system = self.systems.get(slug)
        if system is None or not packs:
            return None if system is None else Edition(system)
        found: AnySystem | InvalidInput | None = self._recall(slug, packs)
        if found is None and session is not None:
            found = await self._make(session, system, packs)
        if found is None:
            async with self._database.read() as own:
                found = await self._make(own, system, packs)
        return found if isinstance(found, InvalidInput) else Edition(found, tuple(packs))

    async def _make(
        self, session: AsyncSession, system: AnySystem, packs: Sequence[PackRef]
    ) -> AnySystem | InvalidInput:
        held = await documents(session, [(pack.id, pack.version) for pack in packs])
        for place, pack in enumerate(packs):
            known = self._recall(system.slug, packs[: place + 1])
            if known is None:
                document = held.get((pack.id, pack.version))
                made = _extended(system, document, ["packs", str(place)])
                if isinstance(made, InvalidInput):
                    return made
                self._remember(system.slug, packs[: place + 1], made)
                known = made
            system = known
        return system

    def _recall(self, slug: str, packs: Sequence[PackRef]) -> AnySystem | None:
        key = _key(slug, packs)
        found = self._made.get(key)
        if found is not None:
            self._made.move_to_end(key)
        return found

    def _remember(self, slug: str, packs: Sequence[PackRef], made: AnySystem) -> None:
        self._made[_key(slug, packs)] = made
        while len(self._made) > KEPT_EDITIONS:
            self._made.popitem(last=False)


def _key(slug: str, packs: Sequence[PackRef]) -> _Key:
    return slug, tuple((pack.id, pack.version) for pack in packs)


def _extended(system: AnySystem, document: object, path: list[str]) -> AnySystem | InvalidInput:
    """Give a system with one more pack in its content."""
    kind = system.packs
    if kind is None or document is None:
        return InvalidInput.single("PACK_UNUSABLE", "The game cannot read this pack any more.", *path)
    try:
        pack = kind.codec.load(document)
    except CodecError as error:
        message = "The game cannot read this pack any more; its owner can write it anew."
        return InvalidInput.single("PACK_UNUSABLE", message, *path, found=clipped(str(error)))
    report = kind.check(pack, system.content)
    if isinstance(report, Problems):
        return InvalidInput.of([issue(problem, path) for problem in report.items[:MAX_ISSUES]])
    assert isinstance(report, PackReport)
    # Whatever takes packs is put together as `System`, whose parts can be replaced.
    return cast(AnySystem, replace(cast(Any, system), content=kind.extend(system.content, pack)))
