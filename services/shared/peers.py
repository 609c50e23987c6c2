"""Calls from one service to another: one small client for the ``/internal`` paths.

Used where an answer is needed at once and from its owner (who may see what, whose character it is); all else
between services travels by federation or by events.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import orjson
import structlog

from services.shared.answer_secrecy import heed_secret
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.http_client import NOTHING, Answer, HttpClient, NoAnswer, Streamed
from services.shared.limits.meter import TALLY, RateLimited, TooExpensive
from services.shared.problems import Unavailable

log = structlog.get_logger(__name__)

STREAM_SECONDS = 30.0
GRAPH_SECONDS = 20.0
"""Of GraphQL operations. A client waits behind them, and a mutation that nobody waits for any more is made
all the same: giving up early saves nothing."""
JSON: Mapping[str, str] = {"content-type": "application/json", "accept": "application/json"}
REFUSALS = (409, 422)
LIMITED = (400, 429)
READY_SECONDS = 1.5
"""The wait for one replica's readiness: the question for all of a product's parts waits two seconds."""


class PeerUnavailable(Unavailable):
    """The other service does not answer, or not as agreed; to a client it is a problem like any other.

    Attributes:
        peer: its name.
        reason: for the log.
    """

    def __init__(self, peer: str, reason: str) -> None:
        super().__init__("UNAVAILABLE", f"The {peer} service does not answer; try again.")
        self.peer = peer
        self.reason = reason

    def __str__(self) -> str:
        """Return the name and the reason, which are not for clients."""
        return f"{self.peer}: {self.reason}"


class PeerRefused(Exception):
    """The other service answers that it will not do this, now or later.

    Attributes:
        peer: its name.
        status: 409 when the request contradicts an earlier one, 422 when it is not well-formed.
        code: stable, for programs.
        message: for people.
    """

    def __init__(self, peer: str, status: int, code: str, message: str) -> None:
        super().__init__(f"{peer}: {code}: {message}")
        self.peer = peer
        self.status = status
        self.code = code
        self.message = message


class Peer:
    """Another service of this installation.

    Args:
        name: its name, the audience of the tokens.
        base_url: its private address; those of its replicas are separated by commas.
        signer: signs on behalf of the calling service.
    """

    def __init__(self, name: str, base_url: str, signer: Signer) -> None:
        self.name = name
        self._signer = signer
        self._client = HttpClient(base_url)
        self._each: list[HttpClient] = []

    async def get(self, viewer: Viewer, *segments: str, **query: str | int) -> Any | None:
        """Read ``/internal/<segments>`` as JSON on behalf of ``viewer``; None when there is no such thing.

        Raises:
            PeerUnavailable: no answer, or an answer that is not agreed.
            LimitReached: the other service did not begin because of what it costs; so with every call here.
        """
        answer = await self._request("GET", _path(segments), viewer, query=query)
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise PeerUnavailable(self.name, f"status {answer.status}")
        return answer.json()

    async def post(self, viewer: Viewer, *segments: str, body: Mapping[str, Any]) -> Any:
        """Send ``body`` to ``/internal/<segments>`` on behalf of ``viewer`` and give the answer, as JSON.

        What is sent names its effect by a key of its own: where a replica breaks off, another one is asked.

        Raises:
            PeerRefused: the other side says that the request cannot be carried out.
            PeerUnavailable: no answer, or an answer that is not agreed.
        """
        answer = await self._request(
            "POST", _path(segments), viewer, content=orjson.dumps(dict(body)), repeatable=True
        )
        if answer.status not in (200, *REFUSALS):
            raise PeerUnavailable(self.name, f"status {answer.status}")
        try:
            found = answer.json()
        except ValueError as error:
            raise PeerUnavailable(self.name, f"status {answer.status}") from error
        if answer.status in REFUSALS:
            told = found if isinstance(found, dict) else {}
            code, message = str(told.get("code", "REFUSED")), str(told.get("message", ""))
            raise PeerRefused(self.name, answer.status, code, message)
        return found

    async def fetch(
        self,
        viewer: Viewer,
        *segments: str,
        if_none_match: str | None = None,
        query: Mapping[str, str | int] = NOTHING,
        seconds: float | None = None,
    ) -> Answer:
        """Read ``/internal/<segments>`` with whatever status and content it has.

        Args:
            viewer: on whose behalf.
            segments: of the path.
            if_none_match: entity tag of what is there already.
            query: parameters.
            seconds: how long to wait for what takes longer than most.

        Raises:
            PeerUnavailable: no answer.
        """
        headers = {"if-none-match": if_none_match} if if_none_match else {}
        return await self._request(
            "GET", _path(segments), viewer, headers=headers, query=query, seconds=seconds
        )

    async def send(
        self, viewer: Viewer, *segments: str, content: bytes, query: Mapping[str, str], seconds: float
    ) -> Answer:
        """Send a file to ``/internal/<segments>``, and give whatever is answered.

        Raises:
            PeerUnavailable: no answer.
        """
        return await self._request(
            "POST",
            _path(segments),
            viewer,
            headers={"content-type": "application/octet-stream"},
            content=content,
            query=query,
            seconds=seconds,
        )

    @contextlib.asynccontextmanager
    async def stream(
        self,
        viewer: Viewer,
        *segments: str,
        headers: Mapping[str, str] = NOTHING,
        query: Mapping[str, str | int] = NOTHING,
    ) -> AsyncIterator[Streamed]:
        """Read ``/internal/<segments>`` piece by piece.

        Args:
            viewer: on whose behalf.
            segments: of the path.
            headers: of the request.
            query: parameters.

        Raises:
            PeerUnavailable: no answer.
            LimitReached: the other service did not begin because of what it costs.
        """
        signed = {**headers, TOKEN_HEADER: self._signer.sign(self.name, viewer, service=True)}
        try:
            async with self._client.stream(
                "GET", _path(segments), headers=signed, query=query, seconds=STREAM_SECONDS
            ) as answer:
                if answer.status in LIMITED:
                    _raise_limit(await answer.whole())
                if (tally := TALLY.get()) is not None:
                    tally.add_told(answer.headers)
                yield answer
        except NoAnswer as error:
            raise PeerUnavailable(self.name, str(error)) from error

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Run a GraphQL operation on behalf of ``viewer``; the answer holds ``data`` and maybe ``errors``.

        Raises:
            PeerUnavailable: no answer, or one that is not GraphQL.
        """
        body = orjson.dumps({"query": operation, "variables": dict(variables)})
        answer = await self._request(
            "POST",
            "/graphql",
            viewer,
            content=body,
            service=False,
            seconds=GRAPH_SECONDS,
            repeatable=_is_repeatable(operation, variables),
        )
        try:
            found = answer.json()
        except ValueError as error:
            raise PeerUnavailable(self.name, f"status {answer.status}") from error
        if not isinstance(found, dict) or not ("data" in found or "errors" in found):
            raise PeerUnavailable(self.name, f"status {answer.status}")
        return found

    async def ready(self) -> str:
        """Ask each replica whether it is ready; return ``ok``, and which are not where others are.

        Raises:
            PeerUnavailable: none is.
        """
        self._each = self._each or self._client.replicas()
        words = await asyncio.gather(*(self._readiness(client) for client in self._each))
        if "ok" not in words:
            raise PeerUnavailable(self.name, words[0])
        names = (self.name, *(f"{self.name}-{number}" for number in range(2, len(words) + 1)))
        return ready_but({name: word for name, word in zip(names, words, strict=True) if word != "ok"})

    async def close(self) -> None:
        """Close the connections."""
        for client in (self._client, *self._each):
            await client.close()

    async def _readiness(self, client: HttpClient) -> str:
        try:
            answer = await client.request("GET", "/readyz", seconds=READY_SECONDS)
        except NoAnswer:
            return "no answer"
        return "ok" if answer.status == 200 else f"status {answer.status}"

    async def _request(
        self,
        method: str,
        path: str,
        viewer: Viewer,
        *,
        service: bool = True,
        headers: Mapping[str, str] = JSON,
        **options: Any,
    ) -> Answer:
        headers = {**headers, TOKEN_HEADER: self._signer.sign(self.name, viewer, service=service)}
        request_id = structlog.contextvars.get_contextvars().get("request_id")
        if request_id:
            headers["x-request-id"] = request_id
        tally = TALLY.get()
        try:
            answer = await self._client.request(method, path, headers=headers, **options)
        except NoAnswer as error:
            log.warning("peer_silent", peer=self.name, path=path, error=str(error))
            raise PeerUnavailable(self.name, str(error)) from error
        if tally is not None:
            tally.add_told(answer.headers)
        heed_secret(answer.headers)
        if service:
            _raise_limit(answer)
        return answer


def ready_but(broken: Mapping[str, str]) -> str:
    """Return what a check says that is well, though some replicas are not: ``ok, but dice-2: no answer``."""
    told = ", ".join(f"{name}: {word}" for name, word in broken.items())
    return f"ok, but {told}" if told else "ok"


def _is_repeatable(operation: str, variables: Mapping[str, Any]) -> bool:
    """Tell whether an operation may be run again though it may have been: it only reads, or has a key."""
    if operation.lstrip().startswith(("query", "{")):
        return True
    asked = variables.get("input")
    return isinstance(asked, Mapping) and asked.get("idempotencyKey") is not None


def _raise_limit(answer: Answer) -> None:
    """Raise in this process what stopped the other one from beginning work; see ``app.limit_answer``."""
    if answer.status not in LIMITED:
        return
    try:
        told = answer.json()
    except ValueError:
        return
    match told:
        case {"code": "RATE_LIMITED", "retryAfter": int(seconds)}:
            raise RateLimited(seconds)
        case {"code": "QUERY_TOO_EXPENSIVE", "requested": int(points), "message": str(message)}:
            raise TooExpensive(points, message)


def _path(segments: Sequence[str]) -> str:
    return "/internal/" + "/".join(quote(segment, safe="") for segment in segments)
