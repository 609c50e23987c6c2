"""What has changed in a list, as the graph shows it."""

from collections.abc import Callable
from typing import Annotated, Generic, TypeVar

import strawberry

from services.shared.updates import Told

N = TypeVar("N")
T = TypeVar("T")


@strawberry.type(description="A thing of a list that has changed.")
class Update(Generic[N]):
    """Its last change."""

    key: strawberry.ID = strawberry.field(description="The id of the thing.")
    node: N | None = strawberry.field(description="As it is now; null where it is gone for you.")


@strawberry.type(
    description="What has changed in a list since you read it last, each thing once, in the order of its "
    "last change. Ask again with `since: cursor`, at once while there is `more`."
)
class Updates(Generic[N]):
    """A page of changes."""

    updates: list[Update[N]] = strawberry.field(description="The changes.")
    cursor: str = strawberry.field(description="How far you have read with these, for `since`.")
    more: bool = strawberry.field(description="Whether there are more by now.")
    anew: bool = strawberry.field(
        description="Whether the list begins anew here: forget what you had of it. So it is without `since`, "
        "and when you see other parts of the list than before, as with another role at the table."
    )


SinceCursor = Annotated[
    str | None,
    strawberry.argument(description="The `cursor` of the answer that you had last; the whole list without."),
]


def shown_updates(told: Told[T], node: Callable[[T], N]) -> Updates[N]:
    """Return changes as the graph shows them."""
    return Updates(
        updates=[
            Update(key=strawberry.ID(thing), node=None if found is None else node(found))
            for thing, found in told.lines()
        ],
        cursor=told.page.since.text(),
        more=told.page.more,
        anew=told.page.anew,
    )
