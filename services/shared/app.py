"""The frame of every HTTP process: health, readiness, metrics, request ids, one log line a request.

A service hands in its routes, its readiness checks, the tasks that run beside it and what to close at the
end; ``build_app`` returns the ASGI application.
"""

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.shared.answer_secrecy import ANSWER_SECRECY, AnswerSecrecy
from services.shared.auth import TOKEN_HEADER, Signer, TokenRefused, Viewer
from services.shared.exposition import Source, metrics_page
from services.shared.garbage import Pauses
from services.shared.limits.meter import TALLY, LimitReached, RateLimited, Tally
from services.shared.limits.turns import OWNER
from services.shared.log_lines import SLOW_SECONDS, in_share
from services.shared.loop_watch import HeldLoop, LoopWatch, log_held
from services.shared.loops import end, repeat
from services.shared.metrics import HTTP_REQUESTS, HTTP_SECONDS, LOOP_HELD
from services.shared.problems import Unavailable
from services.shared.settings import ServiceSettings
from services.shared.telemetry import GATHERED, traced

REQUEST_ID_HEADER = "x-request-id"
CHECK_SECONDS = 2.0
RETRY_SECONDS = 1
"""What is away is asked for again after so long."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_QUIET = frozenset({"/healthz", "/readyz", "/metrics"})

log = structlog.get_logger(__name__)

Check = Callable[[], Awaitable[Any]]
"""Raises where something is not well; may return the words in which a readiness answer says that it is."""


@dataclass(frozen=True)
class Frame:
    """What a process brings along.

    Attributes:
        name: of the service.
        routes: its own paths.
        checks: what must answer before the process is ready, by name.
        background: loops that run as long as the process; one that fails is logged and started again.
        closing: what to close at the end, in order.
        figures: what Prometheus is told beside what the process counts, by name.
    """

    name: str
    routes: Sequence[BaseRoute]
    checks: Mapping[str, Check]
    background: Sequence[Callable[[], Coroutine[Any, Any, None]]] = ()
    closing: Sequence[Callable[[], Awaitable[None]]] = field(default=())
    figures: Mapping[str, Source] = field(default_factory=dict)


async def healthz(_request: Request) -> Response:
    """Answer that the process lives."""
    return JSONResponse({"status": "ok"})


async def readiness(checks: Mapping[str, Check]) -> tuple[bool, dict[str, str]]:
    """Run checks side by side; give whether all are well, and a word on each."""

    async def one(check: Check) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                word = await check()
        except Exception as error:
            broken.append(check)
            return f"{type(error).__name__}: {error}"[:200]
        return word if isinstance(word, str) else "ok"

    broken: list[Check] = []
    words = await asyncio.gather(*(one(check) for check in checks.values()))
    return not broken, dict(zip(checks, words, strict=True))


def readyz(checks: Mapping[str, Check]) -> Callable[[Request], Awaitable[Response]]:
    """Make the handler that answers 200 when every check is well, else 503 with the reasons."""

    async def handler(_request: Request) -> Response:
        ready, words = await readiness(checks)
        return JSONResponse({"status": "ok" if ready else "waiting", "checks": words}, 200 if ready else 503)

    return handler


def internal(signer: Signer, handler: Callable[[Request, Viewer], Awaitable[Response]]) -> Any:
    """Guard an ``/internal`` path: only signed calls of other services reach ``handler``."""

    async def guarded(request: Request) -> Response:
        try:
            viewer = signer.read(request.headers.get(TOKEN_HEADER), service=True)
        except TokenRefused as error:
            return JSONResponse({"code": "UNSIGNED", "message": str(error)}, 401)
        OWNER.set(viewer.account)
        try:
            return await handler(request, viewer)
        except LimitReached as error:
            return limit_answer(error)
        except Unavailable as error:
            return unavailable_answer(request, error)

    return guarded


def limit_answer(error: LimitReached) -> Response:
    """Tell another part of the house that work was not begun because of what it costs."""
    extensions = error.extensions or {}
    status = 429 if isinstance(error, RateLimited) else 400
    return JSONResponse({"message": error.message, **extensions}, status)


def unavailable_answer(_request: Request, error: Exception) -> Response:
    """Tell another part of the house that something is away: 503 with ``Retry-After``."""
    assert isinstance(error, Unavailable)
    body = {"code": error.code, "message": error.message, "path": error.path}
    return JSONResponse(body, 503, {"retry-after": str(RETRY_SECONDS)})


def build_app(frame: Frame, settings: ServiceSettings) -> ASGIApp:
    """Assemble the ASGI application of a process."""
    pauses = Pauses()

    def count_held(held: HeldLoop) -> None:
        LOOP_HELD.labels(frame.name).inc(held.seconds)
        log_held(held)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        tasks = [
            asyncio.create_task(repeat(work, name=work.__qualname__, patient_with=(Exception,)))
            for work in (*frame.background, pauses.run)
        ]
        try:
            with LoopWatch(count_held):
                yield
        finally:
            await end(tasks)
            for close in frame.closing:
                await close()

    app = Starlette(
        routes=[
            Route("/healthz", healthz),
            Route("/readyz", readyz(frame.checks)),
            Route("/metrics", metrics_page(frame.name, frame.figures)),
            *frame.routes,
        ],
        lifespan=lifespan,
        exception_handlers={Unavailable: unavailable_answer},
    )
    return traced(Accounted(app, frame.name, pauses, settings.log_share), settings)


class Accounted:
    """Middleware: gives each request its id, counts it, times it, and logs it.

    Args:
        app: what answers.
        service: name of the service.
        pauses: is told which requests are under way.
        log_share: of the requests that succeed, whose lines are logged.
    """

    def __init__(self, app: ASGIApp, service: str, pauses: Pauses, log_share: float = 1.0) -> None:
        self._app = app
        self._service = service
        self._pauses = pauses
        self._log_share = log_share

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, accounted for."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)
        tally = Tally()
        TALLY.set(tally)
        secrecy = AnswerSecrecy()
        ANSWER_SECRECY.set(secrecy)
        status = 500
        streaming = False

        async def answer(message: Message) -> None:
            nonlocal status, streaming
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[REQUEST_ID_HEADER] = request_id
                headers["x-content-type-options"] = "nosniff"
                headers.update(tally.told())
                headers.update(secrecy.told())
                streaming = headers.get("content-type", "").startswith("text/event-stream")
                self._pauses.under_way -= streaming
            await send(message)

        self._pauses.under_way += 1
        try:
            await self._app(scope, receive, answer)
        finally:
            self._pauses.under_way -= not streaming
            seconds = time.perf_counter() - started
            HTTP_REQUESTS.labels(self._service, counted_as(scope["method"]), status).inc()
            if not streaming:
                HTTP_SECONDS.labels(self._service).observe(seconds)
            if scope["path"] not in _QUIET:
                succeeded = status < 400 and not scope["state"].get("failed")
                told = {"method": scope["method"], "path": scope["path"], "status": status}
                log_request(told, succeeded, seconds, request_id, self._log_share)


def log_request(
    fields: Mapping[str, Any], succeeded: bool, seconds: float, request_id: str, share: float
) -> None:
    """Write the line of a request, or none for one that succeeded in time and is outside the share.

    The line of one that is inside a share below 1 tells the share: it stands for 1 / share requests.
    """
    told = {**fields, "ms": round(seconds * 1000, 2)}
    if succeeded and seconds < SLOW_SECONDS:
        if not in_share(request_id, share):
            return
        told[GATHERED] = True
        if share < 1:
            told["share"] = share
    log.info("request", **told)


def counted_as(method: str) -> str:
    """Return the label under which requests of a method are counted: clients may make methods up, and every
    label is kept for ever.
    """
    return method if method in METHODS else "other"


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id":
            text: str = value.decode("latin-1")
            if _REQUEST_ID.fullmatch(text):
                return text
    return secrets.token_hex(12)
