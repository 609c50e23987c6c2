"""Entity tags of HTTP: whether a client has what it asks for already (RFC 9110, 13.1.2)."""

from hashlib import sha256
from typing import Any

import orjson

from services.shared.recent import Recent

ROOM = 2**20
"""Bytes of tags that a process remembers, some thousands of them."""

_SIZE = 200


def tag_of(content: bytes) -> str:
    """Return the strong entity tag of a content, quoted."""
    return f'"{sha256(content).hexdigest()[:32]}"'


class RememberedTags:
    """The tags of what this process has made, each by all that the content was made of.

    Where that is the same again, the tag is known and the content need not be made. A tag is still that of
    the content, so that it tells nobody of a change which they may not know of; and what another version of
    the product has made is remembered by no process of this one.
    """

    def __init__(self) -> None:
        self._tags: Recent[bytes, str] = Recent(ROOM)

    def matched(self, if_none_match: str | None, source: Any) -> str | None:
        """Return the tag of a content where it is known and the client has that content; None otherwise.

        Args:
            if_none_match: the header; None without it.
            source: all that the content is made of, its viewer's rights and what was asked for included, as
                values of JSON.
        """
        tag = None if if_none_match is None else self._tags.get(_digest(source))
        return tag if tag is not None and matches(if_none_match, tag) else None

    def keep(self, source: Any, tag: str) -> None:
        """Remember the tag of a content that was made of ``source``."""
        self._tags.put(_digest(source), tag, _SIZE)


def _digest(source: Any) -> bytes:
    return sha256(orjson.dumps(source, option=orjson.OPT_SORT_KEYS)).digest()


def matches(if_none_match: str | None, etag: str) -> bool:
    """Compare weakly: a tag's ``W/`` does not count.

    Args:
        if_none_match: the header: one tag, several, or ``*`` for any; None without it.
        etag: quoted; of what is there.
    """
    if if_none_match is None:
        return False
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return "*" in known or etag.removeprefix("W/") in known
