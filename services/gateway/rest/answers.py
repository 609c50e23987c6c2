"""Answers with an entity tag: a client that has the newest gets 304 and no content (RFC 9110, 13.1.2)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from graphql import FieldNode, FragmentDefinitionNode, FragmentSpreadNode, SelectionSetNode
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.operation import words
from services.gateway.rest.problems import not_found
from services.shared.entity_tags import matches, tag_of
from services.shared.wording import camel

REVALIDATE = "private, no-cache"
A_WHILE = "private, max-age=300"
FOR_EVER = "private, max-age=31536000, immutable"
NEVER = "no-store"


def shown(request: Request, value: Any, *, cache: str = REVALIDATE) -> Response:
    """Answer a reading request with JSON; clients may keep it and must ask whether it still holds.

    Args:
        request: may carry ``If-None-Match``.
        value: the content.
        cache: for how long and by whom it may be kept; what only a release changes is good for a while.
    """
    return tagged(request, orjson.dumps(value), "application/json", cache=cache)


def tagged(
    request: Request,
    content: bytes | None,
    media_type: str,
    *,
    cache: str,
    etag: str | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """Answer with content and its entity tag, or with 304 when the client has it already.

    Args:
        request: may carry ``If-None-Match``.
        content: the whole of it; none where its tag is known to be the one that the client has.
        media_type: of the content.
        cache: for how long and by whom it may be kept.
        etag: quoted; a hash of the content when omitted.
        headers: further ones.
    """
    tag = etag or tag_of(content or b"")
    all_headers = {"etag": tag, "cache-control": cache, "vary": "authorization", **(headers or {})}
    if content is None or matches(request.headers.get("if-none-match"), tag):
        return Response(None, 304, all_headers)
    return Response(content, 200, all_headers, media_type)


def sent_on(location: str, headers: Mapping[str, str]) -> Response:
    """Answer with an address where the content is to be read, which nobody but the client may have.

    Args:
        location: the address; it holds for a short time.
        headers: further ones.
    """
    own = {"location": location, "cache-control": "private, no-store", "vary": "authorization"}
    return Response(None, 307, {**headers, **own})


def made(value: Any, *, location: str | None = None, status: int = 201, cache: str = NEVER) -> Response:
    """Answer a changing request with what came of it."""
    headers = {"cache-control": cache, **({"location": location} if location else {})}
    return Response(orjson.dumps(value), status, headers, "application/json")


@dataclass(frozen=True, slots=True)
class Mark:
    """How a field is shown otherwise than it is answered.

    Attributes:
        words: its directives.
        inner: how fields of it are.
        missing: what to call what is not there without it.
    """

    words: frozenset[str]
    inner: "Marks"
    missing: str


Marks = Mapping[str, Mark]


class Shaper:
    """Turns what the graph answers into what REST shows.

    A connection becomes a page, a list the items of an object; a game's JSON stands under the game's name.

    Args:
        selected: what is asked for of the thing.
        fragments: that it may spread, by name.
        numbered: the number that pages go by, instead of cursors.
    """

    def __init__(
        self,
        selected: SelectionSetNode | None,
        fragments: Mapping[str, FragmentDefinitionNode],
        numbered: str | None = None,
    ) -> None:
        self._marks = _marks(selected, fragments)
        self._numbered = numbered

    def shape(self, found: Any) -> Any:
        """Returns what is shown."""
        shaped = _shaped(found, self._marks)
        if isinstance(shaped, list):
            return {"items": shaped}
        if "pageInfo" not in shaped:
            return shaped
        return self._page(shaped)

    def people(self, found: Any) -> list[dict[str, Any]]:
        """Lists the accounts of an answer whose names are shown, as they stand in it."""
        return list(_people(found, self._marks))

    def _page(self, connection: dict[str, Any]) -> dict[str, Any]:
        info, nodes = connection.pop("pageInfo"), connection.pop("nodes")
        following = None
        if info["hasNextPage"]:
            following = nodes[-1][self._numbered] if self._numbered else info["endCursor"]
        return {"items": nodes, "next": following, **connection}


def fields_of(selected: SelectionSetNode) -> dict[str, FieldNode]:
    """Lists the fields that a selection names itself, by what they are called there."""
    return {(one.alias or one.name).value: one for one in selected.selections if isinstance(one, FieldNode)}


def _marks(selected: SelectionSetNode | None, fragments: Mapping[str, FragmentDefinitionNode]) -> Marks:
    """Find what of a selection is shown otherwise, by where it stands."""
    found: dict[str, Mark] = {}
    for one in selected.selections if selected else ():
        if isinstance(one, FragmentSpreadNode):
            found |= _marks(fragments[one.name.value].selection_set, fragments)
        elif isinstance(one, FieldNode):
            own = frozenset(mark.name.value for mark in one.directives or ())
            inner = _marks(one.selection_set, fragments)
            if own or inner:
                found[(one.alias or one.name).value] = Mark(own, inner, words(one.name.value))
    return found


def _people(value: Any, marks: Marks) -> Iterator[dict[str, Any]]:
    for one in _listed(value):
        for name, mark in marks.items() if one else ():
            inner = one.get(name)
            if "person" in mark.words:
                yield from (person for person in _listed(inner) if person)
            yield from _people(inner, mark.inner)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _shaped(value: Any, marks: Marks) -> Any:
    if value is None or not marks:
        return value
    if isinstance(value, list):
        return [_shaped(one, marks) for one in value]
    found: dict[str, Any] = {}
    for name, one in value.items():
        mark = marks.get(name)
        if mark is None:
            found[name] = one
        elif one is None and "needed" in mark.words:
            raise not_found(mark.missing)
        elif "spread" in mark.words:
            found |= _shaped(one, mark.inner) or {}
        elif "game" in mark.words:
            found[name] = None if one is None else {camel(one["system"]): one["json"]}
        else:
            found[name] = _shaped(one, mark.inner)
    return found
