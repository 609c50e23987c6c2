"""Questions about the ground of a grid map."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import numpy as np
import strawberry

from services.map import weighing
from services.map.generation.grid.model import MAX_SIDE
from services.map.graphql.context import MapInfo
from services.map.graphql.pacing import paced
from services.map.grid_view import MapSpan
from services.map.ground.building import AS_DRAWN
from services.map.ground.model import Bools
from services.map.looking import Look
from services.map.play.state import AreaShape
from services.map.questions import (
    MAX_FOOTPRINT,
    Area,
    Brightness,
    Distance,
    Protection,
    Questions,
    Reached,
    Way,
    reached,
    spans,
)
from services.rules.engine.ground.cover import Cover, Grade
from services.rules.engine.ground.squares import Square
from services.shared.graphql.errors import PublicError
from services.shared.mirror import mirror, mirror_input, to_domain

T = TypeVar("T")

mirror(AreaShape, name="MapAreaShape")
CellInput: Any = mirror_input(Square)
AreaInput: Any = mirror_input(Area, name="MapAreaInput")
SpanType: Any = mirror(MapSpan)
WayType: Any = mirror(Way, name="MapWay")
ReachedType: Any = mirror(Reached, name="MapReached")
DistanceType: Any = mirror(Distance, name="MapDistance")
CoverType: Any = mirror(Protection, name="MapCover")
mirror(Grade, name="MapCoverGrade")
GradedCoverType: Any = mirror(Cover, name="MapGradedCover", exclude=("share",))
BrightnessType: Any = mirror(Brightness, name="MapBrightness")

Taken = Annotated[
    list[CellInput] | None,
    strawberry.argument(description="Cells somebody stands in; a way goes around them."),
]
Doors = Annotated[
    bool, strawberry.argument(description="Whether closed doors that are not locked are opened on the way.")
]
Size = Annotated[int, strawberry.argument(description="Cells along one side of the creature, 1 to 4.")]
MAX_TAKEN = 500


@strawberry.type(description="The ground of a grid map as you may know it: ways, sight, cover, areas, light.")
class MapGround:
    """Distances are in cells and paces of five feet; a slanting step counts one and never cuts a corner."""

    look: strawberry.Private[Look]

    @strawberry.field(description="How far apart two cells are.", graphql_type=DistanceType)
    async def distance(self, info: MapInfo, start: CellInput, end: CellInput) -> Distance:
        """Measure."""
        return await self._asked(
            info, lambda _: 0.0, lambda asked: asked.distance(to_domain(start), to_domain(end))
        )

    @strawberry.field(
        description="A way of the fewest paces; null when there is none.", graphql_type=WayType | None
    )
    async def path(
        self,
        info: MapInfo,
        start: CellInput,
        end: CellInput,
        taken: Taken = None,
        through_doors: Doors = True,
    ) -> Way | None:
        """Find a way."""
        around = _squares(taken)

        def find(asked: Questions) -> Way | None:
            return asked.way(to_domain(start), to_domain(end), around, through_doors=through_doors)

        way = await self._asked(info, _walking(through_doors), find)
        await self._shown(info, 0 if way is None else len(way.cells))
        return way

    @strawberry.field(description="The cells that some paces lead to.", graphql_type=list[ReachedType])
    async def reach(
        self,
        info: MapInfo,
        start: CellInput,
        paces: int,
        taken: Taken = None,
        through_doors: Doors = False,
    ) -> list[Reached]:
        """Spread out."""
        around = _squares(taken)
        costs = await self._asked(
            info,
            _walking(through_doors),
            lambda asked: asked.reach(to_domain(start), paces, around, through_doors=through_doors),
        )
        await self._shown(info, int(np.count_nonzero(costs >= 0)))
        shown: list[Reached] = paced(await asyncio.to_thread(reached, costs))
        return shown

    @strawberry.field(description="Whether two cells see each other, whatever the light.")
    async def line_of_sight(self, info: MapInfo, start: CellInput, end: CellInput) -> bool:
        """Look along a line."""
        return await self._asked(
            info, lambda _: 0.0, lambda asked: asked.sees(to_domain(start), to_domain(end))
        )

    @strawberry.field(description="What protects a target from an attacker.", graphql_type=CoverType)
    async def cover(self, info: MapInfo, attacker: CellInput, target: CellInput) -> Protection:
        """Find cover."""
        return await self._asked(
            info,
            lambda _: weighing.COVERING,
            lambda asked: asked.cover(to_domain(attacker), to_domain(target)),
        )

    @strawberry.field(
        description="How much of a target is covered from an attacker, each known by its top left cell.",
        graphql_type=GradedCoverType,
    )
    async def graded_cover(
        self,
        info: MapInfo,
        attacker: CellInput,
        target: CellInput,
        attacker_size: Size = 1,
        target_size: Size = 1,
    ) -> Cover:
        """Find graded cover."""

        def weigh(_: Questions) -> float:
            pairs = (max(1, attacker_size) * max(1, target_size)) ** 2
            return weighing.COVERING * min(pairs, MAX_FOOTPRINT**4)

        return await self._asked(
            info,
            weigh,
            lambda asked: asked.graded_cover(
                to_domain(attacker), to_domain(target), attacker_size, target_size
            ),
        )

    @strawberry.field(description="The cells of an area, row by row.", graphql_type=list[SpanType])
    async def area(self, info: MapInfo, area: AreaInput) -> list[MapSpan]:
        """Lay an area out."""
        wanted = to_domain(area)

        def weigh(asked: Questions) -> float:
            total = weighing.shaping(asked.model)
            if wanted.stops and asked.ground.holds((wanted.at.x, wanted.at.y)):
                total += weighing.viewing(asked.ground, wanted.at.x, wanted.at.y, max(1, wanted.paces))
            return total

        return await self._spans(info, await self._asked(info, weigh, lambda asked: asked.area(wanted)))

    @strawberry.field(description="How bright a cell is.", graphql_type=BrightnessType)
    async def light(self, info: MapInfo, at: CellInput) -> Brightness:
        """Look at the light."""
        return await self._asked(info, _lights, lambda asked: asked.light(to_domain(at)))

    @strawberry.field(
        description="The cells that are seen from one, in this light, row by row.",
        graphql_type=list[SpanType],
    )
    async def visible(
        self,
        info: MapInfo,
        start: CellInput,
        paces: Annotated[
            int | None, strawberry.argument(description="How many cells far; as far as the map goes without.")
        ] = None,
        darkvision: Annotated[int, strawberry.argument(description="How many cells far in the dark.")] = 0,
    ) -> list[MapSpan]:
        """Look around."""
        at = to_domain(start)

        def weigh(asked: Questions) -> float:
            if not asked.ground.holds((at.x, at.y)):
                return 0.0
            far = MAX_SIDE if paces is None else max(0, paces)
            return _lights(asked) + weighing.viewing(asked.ground, at.x, at.y, far)

        seen = await self._asked(info, weigh, lambda asked: asked.visible(at, paces, darkvision))
        return await self._spans(info, seen)

    async def _asked(
        self, info: MapInfo, weigh: Callable[[Questions], float], question: Callable[[Questions], T]
    ) -> T:
        """Asks what its price was charged for, on a ground that was charged for before."""
        charging, viewer = info.context.service.charging, info.context.viewer
        await charging.model(viewer, self.look)
        asked = self.look.questions
        await charging.part(viewer, asked, "ground", lambda: weighing.grounding(asked.model, AS_DRAWN))
        try:
            milliseconds = await asyncio.to_thread(weigh, asked)
            return await charging.run(viewer, milliseconds, lambda: question(asked))
        except ValueError as error:
            raise PublicError("BAD_USER_INPUT", f"{error}.") from error

    async def _spans(self, info: MapInfo, cells: Bools) -> list[MapSpan]:
        first = np.count_nonzero(cells[:, 1:] & ~cells[:, :-1]) + np.count_nonzero(cells[:, 0])
        await self._shown(info, int(first))
        shown: list[MapSpan] = paced(await asyncio.to_thread(spans, cells))
        return shown

    async def _shown(self, info: MapInfo, count: int) -> None:
        await info.context.service.charging.charge(info.context.viewer, weighing.SHOWN * count)


def _walking(through_doors: bool) -> Callable[[Questions], float]:
    def weigh(asked: Questions) -> float:
        opening = weighing.grounding(asked.model, asked.opened) if through_doors else 0.0
        return opening + weighing.walking(asked.model)

    return weigh


def _lights(asked: Questions) -> float:
    return weighing.own_lights(asked.model, asked.ground, AS_DRAWN)


def _squares(taken: list[Any] | None) -> list[Square]:
    if taken is not None and len(taken) > MAX_TAKEN:
        raise PublicError("BAD_USER_INPUT", f"`taken` has at most {MAX_TAKEN} cells.")
    return [to_domain(one) for one in taken or ()]
