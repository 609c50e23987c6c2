"""Long answers that are sent while they are read: how many may be under way, and for how long.

A stream holds a connection and asks the services again and again, for as long as its reader likes. Accounts
and networks therefore have a share of the places each, so that no one of them takes all, and a stream that
has not ended in time is broken off.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass

import structlog
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from services.gateway.rest.answers import NEVER
from services.gateway.rest.problems import Refusal
from services.shared.auth import Viewer

LONGEST = 15 * 60.0
"""Seconds that a stream may take in all."""

BUSY_SECONDS = 30
"""When to ask again while as many are under way as may be."""

WITHOUT_CONTENT = "without_content"
"""In the state of a request: whether only the head of the answer is asked for, by HEAD."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Share:
    """How many streams of a kind one process sends at a time.

    Attributes:
        in_all: of everyone together.
        of_network: of all who come from one network.
        of_account: of one account, with whatever keys.
    """

    in_all: int
    of_network: int
    of_account: int


DOWNLOADS = Share(in_all=64, of_network=16, of_account=4)
"""Of exports of receipts and files of batches together, which are paid for while they are sent."""


class StreamPlaces:
    """Counts the streams that are under way.

    Args:
        share: how many there may be.
    """

    def __init__(self, share: Share) -> None:
        self._share = share
        self._accounts: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()

    def take(self, viewer: Viewer) -> None:
        """Take a place for a viewer, until ``leave``.

        Raises:
            Refusal: ``RATE_LIMITED``.
        """
        share = self._share
        if self._accounts[viewer.account] >= share.of_account:
            raise _busy(f"An account may have {share.of_account} of these at a time; try again.")
        if viewer.network is not None and self._networks[viewer.network] >= share.of_network:
            raise _busy(f"A network may have {share.of_network} of these at a time; try again.")
        if self._accounts.total() >= share.in_all:
            raise _busy(f"All {share.in_all} places for these are taken; try again.")
        self._accounts[viewer.account] += 1
        if viewer.network is not None:
            self._networks[viewer.network] += 1

    def leave(self, viewer: Viewer) -> None:
        """Return a place."""
        _subtract(self._accounts, viewer.account)
        if viewer.network is not None:
            _subtract(self._networks, viewer.network)

    @contextmanager
    def held(self, viewer: Viewer) -> Iterator[None]:
        """Hold a place.

        Raises:
            Refusal: ``RATE_LIMITED``.
        """
        self.take(viewer)
        try:
            yield
        finally:
            self.leave(viewer)


class StreamedAnswer(StreamingResponse):
    """An answer that is sent while it is read, and broken off when it takes too long. Where only its head is
    asked for, nothing more is read.

    Args:
        content: in pieces.
        media_type: of the content.
        ending: what is closed when the answer has ended, however it ends: what it reads from, its place.
        headers: beside that nobody may keep it.
        status: of HTTP.
    """

    def __init__(
        self,
        content: AsyncIterator[bytes],
        media_type: str,
        ending: AsyncExitStack,
        headers: Mapping[str, str] | None = None,
        status: int = 200,
    ) -> None:
        super().__init__(content, status, {"cache-control": NEVER, **(headers or {})}, media_type)
        self._ending = ending

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; raise ``TimeoutError`` where it was broken off."""
        async with self._ending:
            if scope.get("state", {}).get(WITHOUT_CONTENT):
                await Response(status_code=self.status_code, headers=dict(self.headers))(scope, receive, send)
                return
            bound = asyncio.timeout(LONGEST)
            try:
                async with bound:
                    await super().__call__(scope, receive, send)
            finally:
                if bound.expired():
                    log.warning("stream_out_of_time", path=scope["path"], seconds=LONGEST)


def _subtract(counts: Counter[str], name: str) -> None:
    counts[name] -= 1
    if counts[name] <= 0:
        del counts[name]


def _busy(why: str) -> Refusal:
    return Refusal("RATE_LIMITED", why, headers={"retry-after": str(BUSY_SECONDS)})
