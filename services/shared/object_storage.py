"""Stored files in a bucket of an S3-compatible object store."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from services.shared.outages import storage_outages
from services.shared.storage import LOOK, checked_key
from services.shared.storage_address import StorageAddress

SECONDS = 15.0
"""How long a request takes at most: waiting for its turn, and every attempt."""

CONNECT_SECONDS = 2.0
RETRIES = 2
REQUESTS = 32
"""Requests of a process at once, and so its connections."""

LINK_LASTS = timedelta(seconds=60)

MEDIA_TYPES = {
    **{".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"},
    **{".json": "application/json", ".uvtt": "application/json", ".tmj": "application/json"},
    ".geojson": "application/geo+json",
}
"""By the end of a key: a client that follows a link is told the type by the bucket."""

PROBE = "ping/ping"
"""A key that no file has; an answer about it tells that the bucket is there and may be read."""


class ObjectStorage:
    """Storage in a bucket. A file is sent in one request, so that nobody sees a part of it.

    Args:
        address: of the bucket.
        credentials: ``access_key_id``, ``secret_access_key`` and ``session_token``, those that are set;
            without the first two the role of the machine is asked for them.
    """

    def __init__(self, address: StorageAddress, credentials: dict[str, str]) -> None:
        self._store = _store(address, address.endpoint, credentials)
        self._public = _store(address, address.public, credentials) if address.public else None
        self._turns = asyncio.Semaphore(REQUESTS)

    async def put(self, key: str, content: bytes) -> None:
        """Send a file whole; a reader gets the old one or the new one."""
        media_type = MEDIA_TYPES.get(PurePosixPath(key).suffix, "application/octet-stream")
        async with self._request():
            await obstore.put_async(
                self._store,
                checked_key(key),
                content,
                attributes={"Content-Type": media_type},
                use_multipart=False,
            )

    async def get(self, key: str) -> bytes | None:
        """Read a file whole, or return None when there is none."""
        async with self._request():
            with _absent():
                found = await obstore.get_async(self._store, checked_key(key))
                return bytes(await found.bytes_async())
        return None

    async def delete(self, key: str) -> None:
        """Remove a file; that there is none is no error."""
        async with self._request():
            with _absent():
                await obstore.delete_async(self._store, checked_key(key))

    async def stored(self, moment: datetime) -> AsyncIterator[tuple[str, datetime]]:
        """Walk over all files, as ``Storage`` says; a bucket shows no file that is half written."""
        pages = aiter(obstore.list(self._store, chunk_size=LOOK))
        while True:
            async with self._request():
                page = await anext(pages, None)
            if page is None:
                return
            for found in page:
                yield found["path"], found["last_modified"]

    async def link(self, key: str) -> str | None:
        """Return an address of the file that lasts ``LINK_LASTS``; None as ``Storage`` says."""
        if self._public is None:
            return None
        async with self._request():
            with _absent():
                await obstore.head_async(self._store, checked_key(key))
                return await obstore.sign_async(self._public, "GET", key, LINK_LASTS)
        return None

    async def ping(self) -> None:
        """Raise unless the bucket can be read."""
        await self.get(PROBE)

    @contextlib.asynccontextmanager
    async def _request(self) -> AsyncIterator[None]:
        with storage_outages():
            try:
                async with asyncio.timeout(SECONDS), self._turns:
                    yield
            except BaseError as error:
                raise OSError(str(error)) from error


@contextlib.contextmanager
def _absent() -> Iterator[None]:
    """Pass over that there is no such file; that there is no such bucket is an outage."""
    try:
        yield
    except FileNotFoundError as error:
        if "NoSuchBucket" in str(error):
            raise OSError(str(error)) from error


def _store(address: StorageAddress, server: str | None, credentials: dict[str, str]) -> S3Store:
    config: dict[str, Any] = {"region": address.region, **credentials}
    if server:
        config["endpoint"] = server
    return S3Store(
        address.bucket,
        prefix=address.prefix or None,
        **config,
        client_options={
            "allow_http": server is not None and server.startswith("http:"),
            "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
            "timeout": timedelta(seconds=SECONDS),
            "pool_max_idle_per_host": str(REQUESTS),
        },
        retry_config={
            "max_retries": RETRIES,
            "retry_timeout": timedelta(seconds=SECONDS),
            "backoff": {
                "init_backoff": timedelta(milliseconds=100),
                "max_backoff": timedelta(seconds=1),
                "base": 2,
            },
        },
    )
