"""Requests to the services on behalf of viewers: operations of the graph, files, uploads and streams."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, Protocol

import structlog

from services.gateway.rest.operation import RESULT, VALUE, Operation, operations
from services.gateway.rest.problems import Refusal, limited, not_found, unavailable, unexpected
from services.shared.auth import Viewer
from services.shared.graphql.misfits import misfit
from services.shared.http_client import Streamed
from services.shared.peers import Peer, PeerUnavailable

# "Variable '$input' has invalid value at .build.name: String cannot represent a non string value: 7"
_BAD_VARIABLE = re.compile(
    r"Variable '\$(?P<name>\w+)' has invalid value(?: at (?P<place>[\w.\[\]]+))?: (?P<reason>.+)", re.DOTALL
)

Told = Callable[[list[str]], list[str]]
"""How a path in the graph is told to who sent the request."""

OF_OPERATIONS = frozenset(
    (
        "QUERY_TOO_COMPLEX",
        "QUERY_TOO_LARGE",
        "FRAGMENT_CYCLE",
        "GRAPHQL_PARSE_FAILED",
        "GRAPHQL_VALIDATION_FAILED",
        "BAD_REPRESENTATION",
        "UNSIGNED",
    )
)
"""What is wrong with an operation itself, or with who sends it: both are ours here, and no client's."""

PEOPLE = "query ($people: [_Any!]!) { _entities(representations: $people) { ... on Account { id name } } }"
"""Asks the account service, as other services name accounts to it, what these are called."""

UPLOAD_SECONDS = 30.0

log = structlog.get_logger(__name__)


def _as_it_is(path: list[str]) -> list[str]:
    return path


class Graph(Protocol):
    """Whatever answers operations of one service."""

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Run an operation on behalf of ``viewer``; the answer holds ``data`` and maybe ``errors``."""


class Subgraphs:
    """Runs operations on behalf of viewers.

    Args:
        peers: the other services, by name.
        own: the account service of this process; None where nobody asks it.
    """

    def __init__(self, peers: Mapping[str, Peer], own: Graph | None = None) -> None:
        self._peers = peers
        self._graphs: Mapping[str, Graph] = {**peers, **({"account": own} if own else {})}
        self._operations = operations()

    async def run(self, viewer: Viewer, name: str, *, missing: str | None = None, **variables: Any) -> Any:
        """Runs an operation, and returns the thing that it asks for.

        Args:
            viewer: on whose behalf.
            name: ``service.operation`` of its file.
            missing: what to call the thing when there is none; the operation knows without.
            variables: of the operation; None is left out.

        Raises:
            Refusal: the problem that the service answered instead, there is no such thing, the key does not
                allow it, or the service does not answer.
        """
        given = {name: value for name, value in variables.items() if value is not None}
        return await self.ask(viewer, self._operations[name], given, missing=missing)

    async def ask(
        self,
        viewer: Viewer,
        operation: Operation,
        variables: Mapping[str, Any],
        *,
        told: Told = _as_it_is,
        missing: str | None = None,
    ) -> Any:
        """Runs an operation with its variables as they are; see ``run``.

        Args:
            viewer: on whose behalf.
            operation: to be run.
            variables: of the operation.
            told: how its paths are told to the client.
            missing: what to call the thing when there is none.
        """
        try:
            answer = await self._graphs[operation.service].graphql(viewer, operation.document, variables)
        except PeerUnavailable as error:
            raise unavailable(operation.service) from error
        if answer.get("errors"):
            raise _error(operation.name, answer["errors"], told)
        found = (answer.get("data") or {}).get(RESULT)
        first, *others = operation.steps
        if found is None:
            raise not_found(missing or first)
        if operation.problems and (
            not isinstance(found, dict)
            or found.pop("__typename", "") in operation.problems
            or "code" in found
        ):
            raise _problem(operation.name, found, told)
        for step in others:
            found = found[VALUE]
            if found is None:
                raise not_found(missing or step)
        return found

    async def name(self, viewer: Viewer, people: Sequence[dict[str, Any]]) -> None:
        """Writes the name of each account beside its id; None where it cannot be read.

        Args:
            viewer: who is to read them.
            people: accounts of an answer, each with its ``id``.
        """
        graph = self._graphs.get("account")
        if not people:
            return
        ids = dict.fromkeys(one["id"] for one in people)
        asked = {"people": [{"__typename": "Account", "id": one} for one in ids]}
        answer = {} if graph is None else await graph.graphql(viewer, PEOPLE, asked)
        found = (answer.get("data") or {}).get("_entities") or ()
        names = {one["id"]: one["name"] for one in found if one}
        for person in people:
            person["name"] = names.get(person["id"])

    async def ready(self) -> None:
        """Asks whether every other service answers.

        Raises:
            Refusal: one does not.
        """
        for peer in self._peers.values():
            try:
                await peer.ready()
            except PeerUnavailable as error:
                raise unavailable(peer.name) from error

    async def file(
        self,
        viewer: Viewer,
        service: str,
        kind: str,
        *segments: str,
        held: str | None = None,
        query: Mapping[str, Any] = MappingProxyType({}),
        seconds: float | None = None,
    ) -> tuple[bytes | None, str | None, Mapping[str, str]]:
        """Read something whole from a path inside a service; give its content, entity tag and headers.

        There is no content when ``held``, the entity tag of what the client has, is the newest, or when the
        header ``location`` names an address where it is to be read.

        Args:
            viewer: on whose behalf.
            service: whose it is.
            kind: what to call it when there is none.
            segments: of the path.
            held: entity tag of what the client has.
            query: parameters; None is left out.
            seconds: how long to wait for what has to be made first.

        Raises:
            Refusal: there is none, the parameters break rules, or the service does not answer.
        """
        # Entity tags of this house are plain ASCII: another one can match nothing, and cannot be passed on.
        known = held if held and held.isascii() and held.isprintable() else None
        try:
            given = {name: _spelled(value) for name, value in query.items() if value is not None}
            answer = await self._peers[service].fetch(
                viewer, *segments, if_none_match=known, query=given, seconds=seconds
            )
        except PeerUnavailable as error:
            raise unavailable(service) from error
        if answer.status == 404:
            raise not_found(kind)
        if answer.status in (304, 307):
            return None, answer.headers.get("etag"), answer.headers
        if answer.status == 422:
            raise _problem("file", answer.json(), _as_it_is)
        if answer.status != 200:
            log.warning("peer_answered", peer=service, status=answer.status)
            raise unavailable(service)
        return answer.content, answer.headers.get("etag"), answer.headers

    async def upload(
        self, viewer: Viewer, service: str, *segments: str, content: bytes, query: Mapping[str, str]
    ) -> Any:
        """Send a file to a path inside a service, and give what it was made into.

        Raises:
            Refusal: the file breaks rules, or the service does not answer.
        """
        try:
            answer = await self._peers[service].send(
                viewer, *segments, content=content, query=query, seconds=UPLOAD_SECONDS
            )
        except PeerUnavailable as error:
            raise unavailable(service) from error
        if answer.status == 503:
            raise unavailable(service)
        if answer.status != 200:
            raise _problem("upload", answer.json(), _as_it_is)
        return answer.json()

    async def stream(
        self, viewer: Viewer, service: str, kind: str, *segments: str
    ) -> AsyncGenerator[bytes, None]:
        """Read something large whole, piece by piece; see ``opened``."""
        async with self.opened(viewer, service, kind, *segments) as answer:
            async for piece in answer.pieces():
                yield piece

    @asynccontextmanager
    async def opened(
        self,
        viewer: Viewer,
        service: str,
        kind: str,
        *segments: str,
        headers: Mapping[str, str] = MappingProxyType({}),
        query: Mapping[str, Any] = MappingProxyType({}),
    ) -> AsyncIterator[Streamed]:
        """Read something large from a path inside a service, or the part of it that ``Range`` names.

        Args:
            viewer: on whose behalf.
            service: whose it is.
            kind: what to call it when there is none.
            segments: of the path.
            headers: of the request.
            query: parameters; None is left out.

        Raises:
            Refusal: there is none, or the service does not answer.
        """
        given = {name: _spelled(value) for name, value in query.items() if value is not None}
        try:
            async with self._peers[service].stream(viewer, *segments, headers=headers, query=given) as answer:
                if answer.status == 404:
                    raise not_found(kind)
                if answer.status not in (200, 206, 416):
                    raise unavailable(service)
                yield answer
        except PeerUnavailable as error:
            raise unavailable(service) from error


def _problem(operation: str, outcome: Any, told: Told) -> Refusal:
    if not isinstance(outcome, dict) or not {"code", "message"} <= outcome.keys():
        log.error("operation_unreadable", operation=operation)
        return unexpected()
    known = ("__typename", "code", "message", "path")
    more = {name: value for name, value in outcome.items() if name not in known}
    for part in (*(more.get("issues") or ()), *(more.get("differing") or ())):
        part["path"] = told(part["path"])
    path = told(outcome.get("path") or [])
    return Refusal(str(outcome["code"]), str(outcome["message"]), path=path, **more)


def _error(operation: str, errors: Sequence[Mapping[str, Any]], told: Told) -> Refusal:
    code, message = str((errors[0].get("extensions") or {}).get("code")), str(errors[0].get("message"))
    # The operations are ours and fit the schema, so what is wrong with a variable came with the request.
    if code == "BAD_USER_INPUT":
        issues = [_issue(str(error.get("message")), told) for error in errors]
        return Refusal("INVALID_INPUT", issues[0]["message"], path=issues[0]["path"], issues=issues)
    if code in ("RATE_LIMITED", "QUERY_TOO_EXPENSIVE"):
        return limited(message, errors[0]["extensions"])
    refusal = Refusal(code, message)
    if refusal.status == 500 or code in OF_OPERATIONS:
        log.error("operation_failed", operation=operation, error=refusal.detail, code=refusal.code)
        return unexpected()
    if refusal.status == 401:
        refusal.headers["www-authenticate"] = "Bearer"
    return refusal


def _issue(message: str, told: Told) -> dict[str, Any]:
    found = _BAD_VARIABLE.match(message)
    place = f"{found['name']}{found['place'] or ''}" if found else ""
    path = [step for step in re.findall(r"\w+", place) if step != "input"]
    reason, where = misfit(found["reason"] if found else message, path)
    return {"code": "BAD_USER_INPUT", "message": reason, "path": told(where)}


def _spelled(value: Any) -> str | int:
    return str(value).lower() if isinstance(value, bool) else value
