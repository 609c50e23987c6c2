"""Receipts of verifiable rolls, whole, for ``infra/verify``: ``/v1/campaigns/{id}/receipts`` and the like.

An export is a stream of lines: the keys, then of each epoch its commitment, its receipts and its closing, at
last a head that was signed when the export began. The newest epoch is shown up to that head, whatever happens
while the rest is read. Where a page cannot be read any more, the stream breaks off: without its head it holds
for nothing.

An export reads a place's whole history, so it is paid for page by page, and goes on as fast as the account
can pay: 2,000 points are 20,000 receipts at once, and then 1,000 a second. What is longer than an answer may
take (``streaming.LONGEST``) is exported epoch by epoch.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from starlette.responses import Response

from services.gateway.rest.endpoint import Answer, Call, Endpoint, Handle, Parameter
from services.gateway.rest.files import STREAMED, TEXT, path_id, query, text
from services.gateway.rest.problems import unexpected
from services.gateway.rest.streaming import LONGEST, StreamedAnswer, StreamPlaces
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.rules.dice.vr1 import Link, PublishedKey, Statement
from services.shared.auth import Viewer
from services.shared.pagination import MAX_PAGE, cursor_of_number

MEDIA_TYPE = "application/x-ndjson"
EXPORT = 15
"""What an export costs to begin: its keys, its newest epoch and its head."""

RECEIPTS_PAGE = 10
"""What each page of it costs when it is read: 100 receipts, or as many epochs."""

BYTES_PER_POINT = 256 * 1024
"""What one further point pays for, of a page's lines: those of rolls of thousands of dice are long."""

PARAMETERS = (
    query(
        "secret",
        {"type": "boolean", "default": False},
        "The chain of the GM's secret rolls instead of the open one.",
    ),
    query(
        "epoch",
        text(40),
        "Only this epoch, by its id; all of them when omitted, as many as can be read in "
        f"{LONGEST / 60:.0f} minutes.",
    ),
)


@dataclass(frozen=True, slots=True)
class Export:
    """One export.

    Attributes:
        graphs: where to read it.
        viewer: on whose behalf.
        place: variables that name campaign and chain.
        newest: the newest epoch of it, with the head.
        alone: whether no other epoch was asked for.
        keys: as the graph shows them.
        pay: charges for a page before it is read.
    """

    graphs: Subgraphs
    viewer: Viewer
    place: Mapping[str, Any]
    newest: Mapping[str, Any]
    alone: bool
    keys: Iterable[Mapping[str, Any]]
    pay: Callable[[int], Awaitable[None]]

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines, page by page, each paid for by its length before it is sent."""
        async with aclosing(self._chunks()) as chunks:
            async for chunk in chunks:
                if len(chunk) >= BYTES_PER_POINT:
                    await self.pay(len(chunk) // BYTES_PER_POINT)
                yield chunk

    async def _chunks(self) -> AsyncGenerator[bytes, None]:
        yield _chunk(_key(key) for key in self.keys)
        if not self.alone:
            async for epoch in self._earlier():
                async for chunk in self._epoch(epoch):
                    yield chunk
        async for chunk in self._epoch(self.newest):
            yield chunk
        yield _chunk([_statement(self.newest["head"])])

    async def _earlier(self) -> AsyncIterator[Mapping[str, Any]]:
        async for epoch in self._pages("dice.receiptsEpochs"):
            if epoch["ordinal"] >= self.newest["ordinal"]:
                return
            yield epoch

    async def _epoch(self, epoch: Mapping[str, Any]) -> AsyncIterator[bytes]:
        yield _chunk([_statement(epoch["statement"])])
        last = 0
        lines: list[str] = []
        if epoch["used"]:
            async for receipt in self._pages("dice.receipts", epoch=epoch["id"]):
                lines.append(_receipt(receipt))
                last = receipt["number"]
                if last == epoch["used"]:
                    break
                if len(lines) == MAX_PAGE:
                    yield _chunk(lines)
                    lines = []
        if last != epoch["used"]:
            # The viewer may see less than when the export began.
            raise unexpected()
        yield _chunk([*lines, *([_statement(epoch["closing"])] if epoch["closing"] else [])])

    async def _pages(self, operation: str, **variables: Any) -> AsyncIterator[Mapping[str, Any]]:
        after: str | None = cursor_of_number(0)
        while after is not None:
            await self.pay(RECEIPTS_PAGE)
            page = await self.graphs.run(
                self.viewer,
                operation,
                missing="epoch",
                **self.place,
                **variables,
                first=MAX_PAGE,
                after=after,
            )
            for node in page["nodes"]:
                yield node
            after = page["pageInfo"]["endCursor"] if page["pageInfo"]["hasNextPage"] else None


def endpoints(door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces) -> list[Endpoint]:
    """Makes the endpoints of receipts."""
    handle = partial(_export, door, graphs, places)
    return [
        _receipts(
            "exportCampaignReceipts",
            "/v1/campaigns/{campaign}/receipts",
            "Export a campaign's receipts",
            "All that proves the rolls at a table: commitments, receipts, closings, a head. What is "
            "hidden from you "
            "is there by its place in the chain alone.",
            (path_id("campaign", "Id of the campaign."), *PARAMETERS),
            handle,
        ),
        _receipts(
            "exportReceipts",
            "/v1/rolls/receipts",
            "Export your own receipts",
            "All that proves your rolls outside of campaigns.",
            PARAMETERS,
            handle,
        ),
    ]


def _receipts(
    name: str, path: str, summary: str, description: str, parameters: tuple[Parameter, ...], handle: Handle
) -> Endpoint:
    lines = Answer(200, "Lines of JSON; check them with `infra/verify`.", {MEDIA_TYPE: TEXT}, STREAMED)
    return Endpoint(
        id=name,
        method="GET",
        path=path,
        tag="rolls",
        summary=summary,
        description=description,
        price=EXPORT,
        answer=lines,
        handle=handle,
        problems=frozenset((404, 422)),
        parameters=parameters,
    )


async def _export(door: Doorkeeper, graphs: Subgraphs, places: StreamPlaces, call: Call) -> Response:
    async with AsyncExitStack() as ending:
        ending.enter_context(places.held(call.viewer))
        content = await _begun(door, graphs, call)
        ending.push_async_callback(content.aclose)
        return StreamedAnswer(content, MEDIA_TYPE, ending.pop_all())


async def _begun(door: Doorkeeper, graphs: Subgraphs, call: Call) -> AsyncGenerator[bytes, None]:
    """Read what can be refused: the newest epoch with its head, and the keys."""
    place = {"campaignId": call.given.get("campaign"), "secret": call.given["secret"]}
    epoch = call.given.get("epoch")
    what = "campaign" if epoch is None else "epoch"
    newest = await graphs.run(call.viewer, "dice.receiptsEpoch", missing=what, **place, id=epoch)
    # After the head: so that every key that has signed what is exported is among them.
    keys = await graphs.run(call.viewer, "dice.keys")
    pay = partial(door.paced, call.viewer)
    return Export(graphs, call.viewer, place, newest, epoch is not None, keys, pay).chunks()


def _chunk(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _statement(found: Mapping[str, Any]) -> str:
    return Statement(found["body"], found["hash"], found["key"], found["signature"]).line()


def _receipt(found: Mapping[str, Any]) -> str:
    if found["body"] is None:
        return Link(found["number"], found["hash"], found["key"], found["signature"]).line()
    return _statement(found)


def _key(found: Mapping[str, Any]) -> str:
    made, retired = (found[name] and datetime.fromisoformat(found[name]) for name in ("made", "retired"))
    return PublishedKey(found["key"], found["public"], made, retired).line()
