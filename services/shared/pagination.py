"""Keyset pages, which neither skip nor repeat a row while others are written.

A cursor names the last row seen, by id (ids sort by time), not a count of rows; the next page is an index
look-up however deep it lies. ``services.shared.graphql.pages`` shows them in the graph.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy.orm import InstrumentedAttribute
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from services.shared.ids import is_id
from services.shared.problems import PublicError

MAX_PAGE = 100
DEFAULT_PAGE = 20
MAX_NUMBER = 2**31 - 1  # as large as the columns that hold such numbers

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of a list.

    Attributes:
        items: the rows, in order.
        has_next: whether more follow.
        has_previous: whether the page began behind a cursor.
    """

    items: Sequence[T]
    has_next: bool
    has_previous: bool = False


def encode_cursor(row_id: str) -> str:
    """Make a row's id an opaque cursor."""
    return base64.urlsafe_b64encode(row_id.encode()).decode().rstrip("=")


def decode_cursor(cursor: str, prefix: str) -> str:
    """Read a cursor back.

    Raises:
        PublicError: ``BAD_CURSOR`` when it was not made for this list.
    """
    row_id = _decode(cursor)
    if not is_id(row_id, prefix):
        raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
    return row_id


def _decode(cursor: str) -> str:
    try:
        return base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
    except (ValueError, binascii.Error):
        return ""


def cursor_of_number(number: int) -> str:
    """Make a row's number an opaque cursor, for lists that are kept in order of a number."""
    return encode_cursor(f"#{number}")


def number_of_cursor(cursor: str) -> int:
    """Read such a cursor back.

    Raises:
        PublicError: ``BAD_CURSOR`` when it was not made for this list.
    """
    text = _decode(cursor)
    number = int(text[1:]) if text[1:].isascii() and text[1:].isdigit() and len(text) <= 16 else -1
    if not (text.startswith("#") and 0 <= number <= MAX_NUMBER):
        raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
    return number


def text_of_cursor(cursor: str) -> str:
    """Read back a cursor that names something by a text of its own, such as a content id.

    Raises:
        PublicError: ``BAD_CURSOR`` when it names nothing.
    """
    text = _decode(cursor)
    if not text:
        raise PublicError("BAD_CURSOR", "The cursor `after` does not belong to this list.")
    return text


def page_size(first: int) -> int:
    """Check ``first``.

    Raises:
        PublicError: ``BAD_PAGE_SIZE`` outside 1 to 100.
    """
    if not 1 <= first <= MAX_PAGE:
        raise PublicError("BAD_PAGE_SIZE", f"`first` must be from 1 to {MAX_PAGE}, not {first}.")
    return first


async def read_page(
    session: AsyncSession,
    query: SelectOfScalar[T],
    key: InstrumentedAttribute[str] | Any,
    *,
    first: int,
    after: str | None,
    newest_first: bool = True,
    parameters: Mapping[str, Any] | None = None,
) -> Page[T]:
    """Read one page by the id column ``key``.

    Args:
        session: a reading session.
        query: the rows, already scoped to the viewer.
        key: the id column.
        first: how many rows.
        after: id of the last row seen.
        newest_first: descending ids, as lists of recent things want it.
        parameters: values of those that the query names.
    """
    if after is not None:
        query = query.where(key < after if newest_first else key > after)
    query = query.order_by(key.desc() if newest_first else key.asc()).limit(first + 1)
    rows = (await session.exec(query, params=parameters)).all()
    return Page(rows[:first], has_next=len(rows) > first, has_previous=after is not None)
