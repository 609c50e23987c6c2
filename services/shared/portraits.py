"""The portraits of the characters that tokens stand for, as a viewer may see them."""

import asyncio
import contextlib
from base64 import b64encode
from collections.abc import Iterable, Mapping

from services.shared.auth import Viewer
from services.shared.peers import Peer, PeerUnavailable
from services.shared.recent import Recent

MOST = 40
"""Characters of one picture whose portraits are drawn; the other tokens have letters."""

PIXELS = 128
"""Along a side of the portraits that are drawn."""

SECONDS = 1.5
"""How long one picture waits for all of its portraits."""

AT_ONCE = 8
"""Portraits that are read at the same time, for all pictures together."""

ROOM = 16 * 2**20
"""Bytes of portraits that are kept."""

LARGEST = 64 * 2**10
"""Bytes of a portrait; one of ``PIXELS`` has a tenth."""


class Portraits:
    """Reads portraits with the rights of whoever looks; their content is kept by its version.

    Args:
        characters: the character service.
    """

    def __init__(self, characters: Peer) -> None:
        self._characters = characters
        self._kept: Recent[tuple[str, str], str] = Recent(ROOM)
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def of(self, viewer: Viewer, characters: Iterable[str]) -> Mapping[str, str]:
        """Return the portraits of characters, as ``data:`` URIs of WebP by the ids of the characters.

        Left out are those that the viewer may not see, that have none, that do not arrive in time, and those
        of all characters after the first ``MOST``.
        """
        wanted = list(dict.fromkeys(characters))[:MOST]
        if not wanted or viewer.anonymous:
            return {}
        versions: Mapping[str, str] = {}
        with contextlib.suppress(PeerUnavailable, TimeoutError):
            async with asyncio.timeout(SECONDS):
                told = await self._characters.get(viewer, "portraits", characters=",".join(wanted))
                versions = {} if told is None else told["portraits"]
                missing = [one for one in versions.items() if self._kept.get(one) is None]
                await asyncio.gather(*(self._read(viewer, *one) for one in missing))
        found = {character: self._kept.get((character, version)) for character, version in versions.items()}
        return {character: address for character, address in found.items() if address is not None}

    async def _read(self, viewer: Viewer, character: str, version: str) -> None:
        """Read a portrait and keep it, unless there is another version of it by now."""
        query: Mapping[str, str | int] = {"size": PIXELS, "format": "webp"}
        async with self._turns:
            with contextlib.suppress(PeerUnavailable):
                answer = await self._characters.fetch(
                    viewer, "characters", character, "portrait", query=query, seconds=SECONDS
                )
                tag = f'"{version}-{PIXELS}.webp"'
                if answer.status == 200 and answer.headers.get("etag") == tag and _is_webp(answer.content):
                    address = f"data:image/webp;base64,{b64encode(answer.content).decode()}"
                    self._kept.put((character, version), address, len(address))


def _is_webp(content: bytes) -> bool:
    return len(content) <= LARGEST and content[:4] == b"RIFF" and content[8:12] == b"WEBP"
