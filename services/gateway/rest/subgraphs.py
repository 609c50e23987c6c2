"""Requests to the services: each is a GraphQL operation of ``schema/operations`` run on the one that owns it.

A file is named ``<service>.<operation>.graphql``. Its operation answers one field under the alias ``result``:
for a query the thing itself or null, for a mutation a union whose success holds the thing under the alias
``value``, or is it. The shapes that clients of the REST face see are therefore written in those files.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import structlog

from services.gateway.rest.problems import Refusal, limited, not_found, unavailable, unexpected
from services.shared.auth import Viewer
from services.shared.graphql.misfits import misfit
from services.shared.peers import Peer, PeerUnavailable

OPERATIONS = Path(__file__).resolve().parents[3] / "schema" / "operations"
PROBLEMS = frozenset(
    {
        "NotFound",
        "Forbidden",
        "InvalidInput",
        "VersionConflict",
        "IdempotencyConflict",
        "Unavailable",
        "OddsTooLarge",
        "MoveRejected",
        "MapChanged",
    }
)

# "Variable '$input' has invalid value at .build.name: String cannot represent a non string value: 7"
_BAD_VARIABLE = re.compile(
    r"Variable '\$(?P<name>\w+)' has invalid value(?: at (?P<place>[\w.\[\]]+))?: (?P<reason>.+)", re.DOTALL
)

Wrapper = str | tuple[tuple[str, ...], tuple[str, ...]]
"""How paths of the graph are told in those of the REST face; see ``Subgraphs.change``."""

UPLOAD_SECONDS = 30.0

log = structlog.get_logger(__name__)


class Subgraphs:
    """Runs operations on behalf of viewers.

    Args:
        peers: the services, by name.
        folder: of the operations.
    """

    def __init__(self, peers: Mapping[str, Peer], folder: Path = OPERATIONS) -> None:
        self._peers = peers
        self._operations = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.graphql"))}

    async def read(self, viewer: Viewer, operation: str, kind: str, **variables: Any) -> Any:
        """Run a query for one thing.

        Args:
            viewer: on whose behalf.
            operation: ``service.name`` of its file.
            kind: what to call the thing when there is none, for instance ``roll``.
            variables: of the operation; None is left out.

        Raises:
            Refusal: there is none, the key does not allow it, or the service does not answer.
        """
        found = await self._run(viewer, operation, variables)
        if found is None:
            raise not_found(kind)
        return found

    async def change(
        self, viewer: Viewer, operation: str, *, wrapper: Wrapper | None = None, **variables: Any
    ) -> Any:
        """Run a mutation and give what its success holds.

        Args:
            viewer: on whose behalf.
            operation: ``service.name`` of its file.
            wrapper: a member that the operation puts around the request, or ``member.inner`` for one that it
                puts around a member of it; problems do not show it. Or two paths, of which the first is told
                as the second.
            variables: of the operation; None is left out.

        Raises:
            Refusal: the problem that the service answered instead.
        """
        outcome = await self._run(viewer, operation, variables, wrapper)
        if not isinstance(outcome, dict) or outcome.get("__typename") in PROBLEMS or "code" in outcome:
            raise _problem(operation, outcome, wrapper)
        if "value" in outcome:
            return outcome["value"]
        return {name: value for name, value in outcome.items() if name != "__typename"}

    async def file(
        self,
        viewer: Viewer,
        service: str,
        kind: str,
        *segments: str,
        held: str | None = None,
        query: Mapping[str, Any] = MappingProxyType({}),
        seconds: float | None = None,
    ) -> tuple[bytes | None, str | None]:
        """Read something whole from a path inside a service; give its content and entity tag.

        There is no content when ``held``, the entity tag of what the client has, is the newest.

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
        if answer.status_code == 404:
            raise not_found(kind)
        if answer.status_code == 304:
            return None, answer.headers.get("etag")
        if answer.status_code == 422:
            raise _problem("file", answer.json(), None)
        if answer.status_code != 200:
            log.warning("peer_answered", peer=service, status=answer.status_code)
            raise unavailable(service)
        return answer.content, answer.headers.get("etag")

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
        if answer.status_code == 503:
            raise unavailable(service)
        if answer.status_code != 200:
            raise _problem("upload", answer.json(), None)
        return answer.json()

    async def stream(self, viewer: Viewer, service: str, kind: str, *segments: str) -> AsyncIterator[bytes]:
        """Read something large from a path inside a service, piece by piece.

        Raises:
            Refusal: there is none, or the service does not answer.
        """
        try:
            async with self._peers[service].stream(viewer, *segments) as answer:
                if answer.status_code == 404:
                    raise not_found(kind)
                if answer.status_code != 200:
                    raise unavailable(service)
                async for piece in answer.aiter_bytes():
                    yield piece
        except PeerUnavailable as error:
            raise unavailable(service) from error

    async def _run(
        self, viewer: Viewer, operation: str, variables: Mapping[str, Any], wrapper: Wrapper | None = None
    ) -> Any:
        service = operation.partition(".")[0]
        given = {name: value for name, value in variables.items() if value is not None}
        try:
            answer = await self._peers[service].graphql(viewer, self._operations[operation], given)
        except PeerUnavailable as error:
            raise unavailable(service) from error
        if answer.get("errors"):
            raise _error(operation, answer["errors"], wrapper)
        return (answer.get("data") or {}).get("result")


def _problem(operation: str, outcome: Any, wrapper: Wrapper | None) -> Refusal:
    if not isinstance(outcome, dict) or not {"code", "message"} <= outcome.keys():
        log.error("operation_unreadable", operation=operation)
        return unexpected()
    known = ("__typename", "code", "message", "path")
    more = {name: value for name, value in outcome.items() if name not in known}
    for issue in more.get("issues") or ():
        issue["path"] = _unwrapped(issue["path"], wrapper)
    path = _unwrapped(outcome.get("path") or [], wrapper)
    return Refusal(str(outcome["code"]), str(outcome["message"]), path=path, **more)


def _unwrapped(path: list[str], wrapper: Wrapper | None) -> list[str]:
    if wrapper is None:
        return path
    if isinstance(wrapper, tuple):
        there, here = wrapper
        return [*here, *path[len(there) :]] if tuple(path[: len(there)]) == there else path
    *outer, inner = wrapper.split(".")
    size = len(outer) + 1
    return outer + path[size:] if path[:size] == [*outer, inner] else path


def _error(operation: str, errors: Sequence[Mapping[str, Any]], wrapper: Wrapper | None) -> Refusal:
    code, message = str((errors[0].get("extensions") or {}).get("code")), str(errors[0].get("message"))
    # The operations are ours and fit the schema, so what is wrong with a variable came with the request.
    if code == "BAD_USER_INPUT":
        issues = [_issue(str(error.get("message")), wrapper) for error in errors]
        return Refusal("INVALID_INPUT", issues[0]["message"], path=issues[0]["path"], issues=issues)
    if code in ("RATE_LIMITED", "QUERY_TOO_EXPENSIVE"):
        return limited(message, errors[0]["extensions"])
    refusal = Refusal(code, message)
    if refusal.status == 500:
        log.error("operation_failed", operation=operation, error=refusal.detail, code=refusal.code)
        return unexpected()
    if refusal.status == 401:
        refusal.headers["www-authenticate"] = "Bearer"
    return refusal


def _issue(message: str, wrapper: Wrapper | None) -> dict[str, Any]:
    found = _BAD_VARIABLE.match(message)
    place = f"{found['name']}{found['place'] or ''}" if found else ""
    path = [step for step in re.findall(r"\w+", place) if step != "input"]
    reason, where = misfit(found["reason"] if found else message, path)
    return {"code": "BAD_USER_INPUT", "message": reason, "path": _unwrapped(where, wrapper)}


def _spelled(value: Any) -> str | int:
    return str(value).lower() if isinstance(value, bool) else value
