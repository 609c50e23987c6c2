"""What can go wrong, as RFC 9457 problem details: a ``Refusal`` has a code, which ``codes`` explains."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.accounts.sign_up import TooManySignUps
from services.gateway.rest.codes import CODES
from services.shared.ids import mistaken_kind
from services.shared.limits.meter import LimitReached
from services.shared.limits.values import TOO_MANY_VALUES, Values, describe, details
from services.shared.problems import InvalidInput, Problem, VersionConflict

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = "1"


class Refusal(Exception):
    """A request is answered with a problem.

    Args:
        code: stable, for programs; decides the status.
        detail: a sentence for people.
        path: the part of the request it concerns.
        headers: to be sent with the answer.
        more: further members of the answer, by name.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        path: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.path = list(path)
        self.headers = dict(headers or {})
        self.more = more
        self.noun = ""
        if self.status == HTTPStatus.SERVICE_UNAVAILABLE:
            self.headers.setdefault("retry-after", RETRY_SECONDS)

    @property
    def status(self) -> int:
        """The HTTP status of the code; a code that is not known here is a fault of ours."""
        known = CODES.get(self.code)
        return 500 if known is None or known.status is None else known.status

    def response(self) -> Response:
        """Give the answer."""
        status = HTTPStatus(self.status)
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": status.phrase,
            "status": int(status),
            "code": self.code if status < HTTPStatus.INTERNAL_SERVER_ERROR or status == 503 else "INTERNAL",
            "detail": self.detail,
        }
        if self.path or self.code == TOO_MANY_VALUES:
            body["path"] = self.path
        body.update(self.more)
        headers = {"cache-control": "no-store", **self.headers}
        return Response(orjson.dumps(body), status, headers, MEDIA_TYPE)


def refuse_beyond(found: Values, allowed: Values) -> None:
    """Refuse a body that holds more values than it may.

    Raises:
        Refusal: ``TOO_MANY_VALUES``, with the number that is too large and the most that it may be.
    """
    excess = found.beyond(allowed)
    if excess is not None:
        raise Refusal(TOO_MANY_VALUES, describe(*excess), **details(*excess))


def not_found(kind: str) -> Refusal:
    """Say that there is no such ``kind``, for instance ``roll``, or none that the viewer may see."""
    refusal = Refusal("NOT_FOUND", f"There is no such {kind}, or you may not see it.", path=["id"])
    refusal.noun = kind
    return refusal


def unavailable(part: str) -> Refusal:
    """Say that a part of the house does not answer."""
    return Refusal("UNAVAILABLE", f"The {part} service does not answer; try again.")


def unexpected() -> Refusal:
    """Say that something went wrong on our side, and nothing more."""
    return Refusal("INTERNAL", "Something went wrong here; the request id leads us to it.")


async def answer_refusal(request: Request, error: Exception) -> Response:
    """Answer a refused request; an id in its address that is of another kind than looked for is called so."""
    assert isinstance(error, Refusal)
    mistakes = (mistaken_kind(one, error.noun) for one in request.path_params.values())
    error.detail = next((one for one in mistakes if one), error.detail)
    return error.response()


async def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer what the router refuses: unknown paths and methods."""
    status = getattr(error, "status_code", 500)
    if status == HTTPStatus.NOT_FOUND:
        refusal = Refusal("NOT_FOUND", "There is nothing at this address; see /docs.")
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = {"allow": ", ".join(_methods(request))}
        refusal = Refusal("METHOD_NOT_ALLOWED", f"{request.method} is not answered here.", headers=allowed)
    elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
        refusal = Refusal("BAD_REQUEST", "The request cannot be read.")
    else:
        refusal = unexpected()
    return refusal.response()


def of_limit(error: LimitReached) -> Refusal:
    """Say that work was not begun because of what it costs."""
    return limited(error.message, error.extensions or {})


def limited(message: str, extensions: Mapping[str, Any]) -> Refusal:
    """Say what a service told of a limit: ``RATE_LIMITED`` or ``QUERY_TOO_EXPENSIVE``."""
    more = dict(extensions)
    code, wait = str(more.pop("code")), more.pop("retryAfter", None)
    return Refusal(code, message, headers={"retry-after": str(wait)} if wait else None, **more)


async def answer_problem(_request: Request, error: Exception) -> Response:
    """Answer a request that a use case of this process refused."""
    assert isinstance(error, Problem)
    more: dict[str, Any] = {}
    headers: dict[str, str] = {}
    match error:
        case InvalidInput():
            more["issues"] = [asdict(issue) for issue in error.issues]
        case VersionConflict():
            more = {
                "expectedVersion": error.expected_version,
                "currentVersion": error.current_version,
                "differing": [asdict(one) for one in error.differing],
            }
        case TooManySignUps():
            headers["retry-after"] = str(error.retry_after)
    return Refusal(error.code, error.message, path=error.path, headers=headers, **more).response()


async def answer_limit(_request: Request, error: Exception) -> Response:
    """Answer a request whose work was not begun because of what it costs."""
    assert isinstance(error, LimitReached)
    return of_limit(error).response()


async def answer_away(_request: Request, _error: Exception) -> Response:
    """Answer while the database of accounts is away."""
    return unavailable("account").response()


async def answer_unexpected(_request: Request, _error: Exception) -> Response:
    """Answer after a fault of ours; the error itself goes to the log."""
    return unexpected().response()


def _methods(request: Request) -> list[str]:
    """List the methods of an address, which the router keeps in a route each."""
    path = request.scope["path"]
    routes = [route for route in request.app.state.paths if route.path_regex.match(path)]
    # `/v1/campaigns/join` is an address of its own and no campaign.
    named = [route for route in routes if route.path == path] or routes
    allowed = {method for route in named for method in route.methods}
    return sorted(allowed | ({"HEAD"} if "GET" in allowed else set()))
