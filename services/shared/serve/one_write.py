"""Head and body of an answer in one write: uvicorn writes each by itself, a system call and a packet."""

import asyncio
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class JoinedWrites:
    """A transport that passes on together what is written in one turn of the event loop.

    Args:
        transport: where it goes; all else is done by it as ever.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Write at the end of this turn."""
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(data)

    def writelines(self, list_of_data: Iterable[bytes]) -> None:
        """Write several pieces at the end of this turn."""
        for data in list_of_data:
            self.write(data)

    def close(self) -> None:
        """Close once everything is written."""
        self._flush()
        self._transport.close()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Hand the connection over, with everything written before."""
        self._flush()
        self._transport.set_protocol(protocol)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if len(waiting) == 1:
            self._transport.write(waiting[0])
        elif waiting:
            self._transport.writelines(waiting)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a transport can do."""
        return getattr(self._transport, name)


class OneWriteProtocol(HttpToolsProtocol):
    """uvicorn's protocol over joined writes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin a connection."""
        super().connection_made(JoinedWrites(transport))  # type: ignore[arg-type]
