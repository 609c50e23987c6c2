"""Receipts of verifiable rolls, whole, for ``infra/verify``: ``/v1/campaigns/{id}/receipts`` and the like.

An export is a stream of lines: the keys, then of each epoch its commitment, its receipts and its closing, at
last a head that was signed when the export began. The newest epoch is shown up to that head, whatever happens
while the rest is read. Where a page cannot be read any more, the stream breaks off: without its head it holds
for nothing.

An export reads a place's whole history, so it is paid for page by page, and goes on as fast as the account
can pay: 2,000 points are 20,000 receipts at once, and then 1,000 a second.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from services.gateway.rest.answers import NEVER, shown
from services.gateway.rest.contract import Responses, Shown, id_path, reading, refusals
from services.gateway.rest.problems import unexpected
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK, Doorkeeper
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

Secret = Annotated[bool, Query(description="The chain of the GM's secret rolls instead of the open one.")]
EpochId = Annotated[
    str | None, Query(max_length=40, description="Only this epoch, by its id; all of them when omitted.")
]


class DiceKey(Shown):
    """A key that statements about rolls are signed with."""

    key: str = Field(
        description="Its id: the first 16 bytes of the SHA-256 of its public part, in hexadecimal."
    )
    public: str = Field(description="The Ed25519 public key, 32 bytes in hexadecimal.")
    made: datetime
    retired: datetime | None = Field(description="Since when it signs no more; it stays published.")


class DiceKeys(Shown):
    """Every key that there ever was, oldest first."""

    items: list[DiceKey]


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

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yields the lines, page by page, each paid for by its length before it is sent."""
        async for chunk in self._chunks():
            if len(chunk) >= BYTES_PER_POINT:
                await self.pay(len(chunk) // BYTES_PER_POINT)
            yield chunk

    async def _chunks(self) -> AsyncIterator[bytes]:
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
            page = await self.graphs.read(
                self.viewer, operation, "epoch", **self.place, **variables, first=MAX_PAGE, after=after
            )
            for node in page["nodes"]:
                yield node
            after = page["pageInfo"]["endCursor"] if page["pageInfo"]["hasNextPage"] else None


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of receipts; they come before those of rolls, which would take `receipts` for an id."""
    router = APIRouter(tags=["rolls"])
    headers = ("cache-control", "x-request-id", "x-ratelimit-remaining")
    lines: Responses = {
        200: {
            "description": "Lines of JSON; check them with `infra/verify`.",
            "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
            "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
        },
        **refusals(400, 401, 403, 404, 422, 429, 500, 503),
    }

    async def export(viewer: Viewer, campaign: str | None, secret: bool, epoch: str | None) -> Response:
        place = {"campaignId": campaign, "secret": secret}
        what = "campaign" if epoch is None else "epoch"
        newest = await graphs.read(viewer, "dice.receiptsEpoch", what, **place, id=epoch)
        # After the head: so that every key that has signed what is exported is among them.
        keys = await graphs.read(viewer, "dice.keys", "key")
        pay = partial(door.paced, viewer)
        content = Export(graphs, viewer, place, newest, epoch is not None, keys, pay).chunks()
        return StreamingResponse(content, 200, {"cache-control": NEVER}, MEDIA_TYPE)

    @router.get(
        "/v1/campaigns/{campaign}/receipts",
        operation_id="exportCampaignReceipts",
        summary="Export a campaign's receipts",
        response_class=StreamingResponse,
        responses=lines,
    )
    async def of_campaign(
        viewer: Annotated[Viewer, Depends(door.keyed(EXPORT))],
        campaign: Annotated[str, id_path("cmp", "Id of the campaign.")],
        secret: Secret = False,
        epoch: EpochId = None,
    ) -> Response:
        """All that proves the rolls at a table: commitments, receipts, closings, a head. What is hidden from
        you is there by its place in the chain alone."""
        return await export(viewer, campaign, secret, epoch)

    @router.get(
        "/v1/rolls/receipts",
        operation_id="exportReceipts",
        summary="Export your own receipts",
        response_class=StreamingResponse,
        responses=lines,
    )
    async def own(
        viewer: Annotated[Viewer, Depends(door.keyed(EXPORT))], secret: Secret = False, epoch: EpochId = None
    ) -> Response:
        """All that proves your rolls outside of campaigns."""
        return await export(viewer, None, secret, epoch)

    @router.get(
        "/v1/dice/keys",
        operation_id="listDiceKeys",
        summary="List the keys that sign rolls",
        openapi_extra={"security": []},
        responses={
            **{status: answer for status, answer in reading(DiceKeys).items() if status in (200, 304)},
            **refusals(400, 429, 500, 503),
        },
    )
    async def keys(request: Request, viewer: Annotated[Viewer, Depends(door.open(LOOK))]) -> Response:
        """The public keys of this installation, retired ones too. Keep one to compare with later ones."""
        return shown(request, {"items": await graphs.read(viewer, "dice.keys", "key")})

    return router


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
