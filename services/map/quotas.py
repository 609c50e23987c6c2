"""How much an account may have here: orders that have not ended, maps, bytes.

Whatever an account adds is counted in the unit of work that adds it, while that holds the account's row of
usage: however many do so at once, none gets by.
"""

from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from services.map.models import MapUsage
from services.map.repository import BOOK, Usages
from services.shared.jobs import Line
from services.shared.problems import NotFound
from services.shared.quotas import QuotaExceeded
from services.shared.settings import QuotaSettings

NAMES = {
    "jobs": "jobs that have not ended",
    "batches": "batches that have not ended",
    "maps": "stored maps",
    "bytes": "stored bytes",
}


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most that one account may have.

    Attributes:
        jobs: single jobs that have not ended.
        batches: batches that have not ended.
        maps: stored maps.
        bytes: stored bytes: maps, their files, and those of batches.
    """

    jobs: int
    batches: int
    maps: int
    bytes: int

    @classmethod
    def of(cls, settings: QuotaSettings) -> "Quotas":
        """Reads them from the settings of the installation."""
        return cls(settings.max_jobs, settings.max_batches, settings.max_maps, settings.max_stored_bytes)

    async def check_order(self, session: AsyncSession, owner: str, line: Line) -> None:
        """Checks that an account may order another map, or batch, in the unit of work that adds it.

        Raises:
            QuotaExceeded: it may not.
            NotFound: it was erased.
        """
        usage = _living(await Usages(session).held(owner))
        name, allowed = ("batches", self.batches) if line is Line.WHOLE else ("jobs", self.jobs)
        found = await BOOK.count_open(session, owner, line)
        if found >= allowed:
            raise _exceeded(name, found, allowed)
        if line is Line.SINGLE and usage.maps + found >= self.maps:
            raise _exceeded("maps", usage.maps + found, self.maps)
        if usage.bytes >= self.bytes:
            raise _exceeded("bytes", usage.bytes, self.bytes)

    async def count(self, session: AsyncSession, owner: str, *, maps: int = 0, size: int = 0) -> MapUsage:
        """Counts what is stored for an account, inside the unit of work that stores it.

        Args:
            session: the unit of work.
            owner: whose it is.
            maps: how many maps.
            size: bytes.

        Raises:
            QuotaExceeded: it is too much; the unit of work must be given up.
            NotFound: the account was erased; likewise.
        """
        usage = _living(await Usages(session).add(owner, maps=maps, size=size))
        if maps and usage.maps > self.maps:
            raise _exceeded("maps", usage.maps, self.maps)
        if size and usage.bytes > self.bytes:
            raise _exceeded("bytes", usage.bytes, self.bytes)
        return usage


def _exceeded(quota: str, found: int, allowed: int) -> QuotaExceeded:
    return QuotaExceeded(quota, NAMES[quota], found, allowed)


def _living(usage: MapUsage) -> MapUsage:
    """Returns the usage of an account that is there; what was under way when it was erased ends here."""
    if usage.erased_at is not None:
        raise NotFound.of("account")
    return usage
