"""Story maps in the graph."""

from typing import Any

import strawberry

from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Graph
from services.map.graphql.shown import shown
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.view import StoryView, story_view
from services.shared.mirror import mirror


async def _story(root: Any, info: MapInfo) -> StoryView | None:
    view: StoryView | None = await shown(info, root.look, GENERATOR.slug, story_view)
    return view


GRAPH = Graph(
    fields={
        "story": strawberry.field(
            _story,
            description="The story map itself, when it is one.",
            graphql_type=mirror(StoryView, name="Story") | None,
        )
    },
)
