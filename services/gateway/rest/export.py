"""All of one's data as one ZIP: ``/v1/account/export``."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

from starlette.responses import Response

from services.gateway.export.contents import readme
from services.gateway.export.desk import AT_ONCE_OF_NETWORK, ExportDesk
from services.gateway.export.reading import Export
from services.gateway.rest.endpoint import Answer, Call, Endpoint
from services.gateway.rest.files import BINARY, STREAMED
from services.gateway.rest.shapes import Shapes
from services.gateway.rest.streaming import LONGEST, WITHOUT_CONTENT, StreamedAnswer
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import DOWNLOAD, Doorkeeper
from services.shared.auth import KeyScope
from services.shared.clock import Clock

MEDIA_TYPE = "application/zip"
DESCRIPTION = f"""\
All that is yours, read with your own rights and sent while it is read; needs the scopes `READ` and `ADMIN`.

It is charged once, as a whole: an account saves up three exports, and gains one every eight hours. An account
has one at a time, a network {AT_ONCE_OF_NETWORK}. A ZIP that breaks off, because a service fell silent or its
key ended, cannot be opened: its list of files comes last, and before it `manifest.json`, which counts what
each file holds. It then costs nothing; begin anew. One that is not read within {LONGEST / 60:.0f} minutes is
broken off too, and is charged. Asked by `HEAD`, none is read and none is charged.

```
{readme()}```"""


@dataclass(frozen=True, slots=True)
class Exporting:
    """What exports are made with.

    Attributes:
        door: knows whose key still holds.
        desk: lets exports begin.
        graphs: where all is read.
        shapes: of the REST face.
        clock: the present moment.
    """

    door: Doorkeeper
    desk: ExportDesk
    graphs: Subgraphs
    shapes: Shapes
    clock: Clock

    def endpoint(self) -> Endpoint:
        """Makes the endpoint."""
        return Endpoint(
            id="exportAccount",
            method="GET",
            path="/v1/account/export",
            tag="accounts",
            summary="Export all of your data",
            description=DESCRIPTION,
            price=DOWNLOAD,
            answer=Answer(200, "The archive, while it grows.", {MEDIA_TYPE: BINARY}, STREAMED),
            handle=self._export,
            scope=KeyScope.ADMIN,
            also=(KeyScope.READ,),
            checked=True,
        )

    async def _export(self, call: Call) -> Response:
        # What can be told beforehand is told as a problem, not by an archive that breaks off.
        await self.graphs.ready()
        headers = {"content-disposition": f'attachment; filename="{call.viewer.account}.zip"'}
        if call.request.scope.get("state", {}).get(WITHOUT_CONTENT):
            return StreamedAnswer(_nothing(), MEDIA_TYPE, AsyncExitStack(), headers)
        await self.desk.begin(call.viewer)
        export = Export(
            self.graphs,
            call.viewer,
            self.shapes,
            lambda: self.door.admits_still(call.viewer),
            self.clock(),
        )
        pieces = self.desk.read(call.viewer, export.pieces())
        # Begun here, so that it is ended also where nobody stays for the rest.
        first = await anext(pieces)
        ending = AsyncExitStack()
        ending.push_async_callback(pieces.aclose)
        return StreamedAnswer(_all(first, pieces), MEDIA_TYPE, ending, headers)


async def _nothing() -> AsyncIterator[bytes]:
    """Read no archive at all."""
    return
    yield b""


async def _all(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece
