"""Lanterns in the graph."""

from dataclasses import dataclass

from services.map.graphql.content import shown
from services.map.graphql.context import MapInfo
from services.map.graphql.kind import Content, Graph
from services.map.kinds.lanterns.kind import Lantern, LanternMap, LanternWish
from services.map.looking import Look
from services.shared.mirror import mirror, mirror_input

mirror(Lantern, name="ToyLantern")


@dataclass(frozen=True)
class Lanterns:
    """The lanterns of a map.

    Attributes:
        lit: All of them.
    """

    lit: tuple[Lantern, ...]


mirror(Lanterns, name="ToyLanterns")


async def _lanterns(info: MapInfo, look: Look) -> Lanterns:
    def lanterns(model: LanternMap) -> Lanterns:
        return Lanterns(model.lanterns)

    view: Lanterns = await shown(info, look, lanterns)
    return view


GRAPH = Graph(
    wish=mirror_input(LanternWish, name="ToyLanternsInput"),
    content=Content(type=Lanterns, show=_lanterns, field="lanterns", description="Its lanterns."),
)
