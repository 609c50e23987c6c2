"""Story maps in the graph."""

from services.map.graphql.content import shown
from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Content, Graph
from services.map.kinds.story.view import StoryView, story_view
from services.map.looking import Look
from services.shared.mirror import mirror

mirror(StoryView, name="Story")


async def _story(info: MapInfo, look: Look) -> StoryView:
    view: StoryView = await shown(info, look, story_view)
    return view


GRAPH = Graph(
    content=Content(
        type=StoryView, show=_story, field="story", description="The story map itself, when it is one."
    )
)
