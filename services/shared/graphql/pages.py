"""Pages of lists as connections of the graph.

Stock Relay connections page by offset and do not compose in a federation, hence these.
"""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

import strawberry
from strawberry.federation import type as federated_type

from services.shared.pagination import MAX_PAGE, Page, encode_cursor

T = TypeVar("T")
N = TypeVar("N")


@federated_type(shareable=True, description="Where a page stands in its list.")
class PageInfo:
    """Relay's page info, shareable between subgraphs."""

    has_next_page: bool = strawberry.field(description="Whether more follow.")
    has_previous_page: bool = strawberry.field(description="Whether the page began behind a cursor.")
    start_cursor: str | None = strawberry.field(default=None, description="Of the first on the page.")
    end_cursor: str | None = strawberry.field(default=None, description="Of the last, for `after`.")


@strawberry.type(description="One place in a list.")
class Edge(Generic[N]):
    """A node and the cursor that names its place."""

    cursor: str = strawberry.field(description="Names this place, for `after`.")
    node: N = strawberry.field(description="What stands here.")


@strawberry.type(description="One page of a list; ask for the next with `after: pageInfo.endCursor`.")
class Connection(Generic[N]):
    """A page of nodes."""

    edges: list[Edge[N]] = strawberry.field(description="The page, each with its cursor.")
    nodes: list[N] = strawberry.field(description="The page, without cursors.")
    page_info: PageInfo = strawberry.field(description="Where the page stands in the list.")


First = Annotated[int, strawberry.argument(description=f"How many, 1 to {MAX_PAGE}.")]
After = Annotated[
    str | None, strawberry.argument(description="Cursor of the last that you have: what follows it.")
]


def connect(page: Page[T], row_id: Callable[[T], str], node: Callable[[T], N]) -> Connection[N]:
    """Turn a page of rows into a connection of nodes."""
    edges = [Edge(cursor=encode_cursor(row_id(item)), node=node(item)) for item in page.items]
    return connection(edges, has_next=page.has_next, has_previous=page.has_previous)


def connection(edges: list[Edge[N]], *, has_next: bool, has_previous: bool) -> Connection[N]:
    """Return a page as a connection.

    Args:
        edges: what is on the page, each with its cursor.
        has_next: whether more follow.
        has_previous: whether the page began behind a cursor.
    """
    return Connection(
        edges=edges,
        nodes=[edge.node for edge in edges],
        page_info=PageInfo(
            has_next_page=has_next,
            has_previous_page=has_previous,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        ),
    )
