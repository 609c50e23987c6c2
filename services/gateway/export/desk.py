"""Who may have an export now: a few a day for an account, one at a time; a few for a network and in all.

To read all that an account has takes longer the more it has. It is therefore not charged page by page from
the bucket of requests, which would leave the account nothing meanwhile, but once, from a bucket of its own.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import structlog

from services.gateway.rest.problems import Refusal
from services.gateway.rest.streaming import Share, StreamPlaces
from services.shared.auth import Viewer
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import LIMITS, Draw, Rate

EXPORTS = Rate.of(LIMITS["exports"])
COST: int = LIMITS["exportCost"]
AT_ONCE = 4
"""Exports that one process reads side by side; each asks for one page at a time."""

AT_ONCE_OF_NETWORK = 2
"""Those of them that come from one network."""

log = structlog.get_logger(__name__)


class ExportDesk:
    """Lets exports begin.

    Args:
        bucket: the limits.
    """

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket
        self._places = StreamPlaces(Share(AT_ONCE, AT_ONCE_OF_NETWORK, of_account=1))

    async def begin(self, viewer: Viewer) -> None:
        """Let a viewer have an export, which ``read`` then ends.

        Raises:
            Refusal: ``RATE_LIMITED``.
        """
        self._places.take(viewer)
        try:
            charge = await self._bucket.charge(_draw(viewer, COST))
            if not charge.allowed:
                raise _later("The account had as many exports as it may have for now.", charge.retry_after)
        except BaseException:
            self._places.leave(viewer)
            raise

    async def read(self, viewer: Viewer, pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """Yield an export that has begun.

        One that breaks off costs nothing, unless its reader went or it took too long.
        """
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece
        except Exception as error:
            log.warning("export_broken_off", account=viewer.account, error=repr(error))
            await self._bucket.charge(_draw(viewer, -COST))
            raise
        finally:
            self._places.leave(viewer)


def _draw(viewer: Viewer, cost: int) -> Draw:
    return Draw(f"export:{viewer.account}", cost, EXPORTS)


def _later(why: str, seconds: int) -> Refusal:
    return Refusal("RATE_LIMITED", why, headers={"retry-after": str(max(seconds, 1))})
