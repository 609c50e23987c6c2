"""Questions that a supervisor asks a process: are you ready? Each answers None for yes, or why not."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

PATIENCE = 2.0  # seconds for one question


class Probe(Protocol):
    """One question about readiness."""

    async def ask(self) -> str | None:
        """Give None when ready, else the reason in a few words."""


@dataclass(frozen=True, slots=True)
class HttpReady:
    """GET answers 200. A JSON body with ``checks`` tells which parts are not ready."""

    url: str

    async def ask(self) -> str | None:
        try:
            status, body = await asyncio.wait_for(self._get(), PATIENCE)
        except TimeoutError:
            return "does not answer"
        except (OSError, ValueError, IndexError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return "does not listen yet"
        if status == 200:
            return None
        broken = ", ".join(f"{name}: {reason}" for name, reason in broken_checks(body).items())
        return broken or f"answers {status}"

    async def _get(self) -> tuple[int, bytes]:
        at = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        try:
            # HTTP/1.0: the body ends with the connection, whatever the server would rather send.
            writer.write(f"GET {at.path or '/'} HTTP/1.0\r\nHost: {at.netloc}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            return int(head.split(b" ", 2)[1]), await reader.read(65_536)
        finally:
            writer.close()


@dataclass(frozen=True, slots=True)
class ValkeyReady:
    """PING on a unix socket is answered by PONG, which a server that still loads its file does not say."""

    socket: Path

    async def ask(self) -> str | None:
        try:
            answer = await asyncio.wait_for(self._ping(), PATIENCE)
        except TimeoutError:
            return "does not answer"
        except OSError:
            return "does not listen yet"
        return None if answer == b"+PONG" else answer.decode(errors="replace") or "hung up"

    async def _ping(self) -> bytes:
        reader, writer = await asyncio.open_unix_connection(self.socket)
        try:
            writer.write(b"PING\r\n")
            return (await reader.readline()).strip()
        finally:
            writer.close()


@dataclass(frozen=True, slots=True)
class CommandReady:
    """A command exits with 0."""

    command: tuple[str, ...]
    reason: str

    async def ask(self) -> str | None:
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL
            )
        except OSError as error:
            return str(error)
        try:
            return None if await asyncio.wait_for(process.wait(), PATIENCE) == 0 else self.reason
        except TimeoutError:
            process.kill()
            await process.wait()
            return self.reason


def broken_checks(body: bytes) -> Mapping[str, str]:
    """Give the checks of a readiness answer that are not "ok", by name; empty for any other body."""
    try:
        checks = json.loads(body)["checks"]
        return {str(name): str(reason) for name, reason in checks.items() if reason != "ok"}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
