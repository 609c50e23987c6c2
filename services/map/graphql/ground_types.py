"""Questions about the ground of a grid map."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import numpy as np
import strawberry

from services.map import weighing
from services.map.generation.grid.model import MAX_SIDE
from services.map.graphql.context import MapInfo
from services.map.grid_view import MapSpan
from services.map.ground.building import AS_DRAWN
from services.map.ground.model import I32, Bools
from services.map.looking import Look
from services.map.play.limits import MAX_SIZE
from services.map.play.shapes import AreaShape
from services.map.questions import (
    EQUALLY,
    Area,
    Brightness,
    Distance,
    Measuring,
    Protection,
    Questions,
    Reached,
    Way,
    reached,
    spans,
)
from services.rules.engine.ground.cover import Cover, Grade
from services.rules.engine.ground.measure import Diagonal, Rough
from services.rules.engine.ground.squares import Square
from services.shared.mirror import mirror, mirror_input, to_domain
from services.shared.problems import PublicError

T = TypeVar("T")

mirror(AreaShape, name="MapAreaShape")
CellInput: Any = mirror_input(Square)
AreaInput: Any = mirror_input(Area, name="MapAreaInput")
mirror(Diagonal)
mirror(Rough)
MeasuringInput: Any = mirror_input(Measuring, name="MapMeasureInput")
SpanType: Any = mirror(MapSpan)
WayType: Any = mirror(Way, name="MapWay")
ReachedType: Any = mirror(Reached, name="MapReached")
DistanceType: Any = mirror(Distance, name="MapDistance")
CoverType: Any = mirror(Protection, name="MapCover")
mirror(Grade, name="MapCoverGrade")
GradedCoverType: Any = mirror(Cover, name="MapGradedCover", exclude=("share",))
BrightnessType: Any = mirror(Brightness, name="MapBrightness")

Start = Annotated[CellInput, strawberry.argument(description="The cell that it goes out from.")]
End = Annotated[CellInput, strawberry.argument(description="The cell that it goes to.")]
Attacker = Annotated[CellInput, strawberry.argument(description="The cell of who attacks.")]
Target = Annotated[CellInput, strawberry.argument(description="The cell of who is attacked.")]

MAX_REACHED = 10_000
"""Cells that an answer tells: more would hold the gateway for a tenth of a second."""

Paces = Annotated[int, strawberry.argument(description="How many paces far, at the most.")]
Taken = Annotated[
    list[CellInput] | None,
    strawberry.argument(description="Cells somebody stands in; a way goes around them."),
]
Doors = Annotated[
    bool, strawberry.argument(description="Whether closed doors that are not locked are opened on the way.")
]
Size = Annotated[
    int,
    strawberry.argument(
        description="Cells along one side of the creature, 1 to 10; it is known by its top left cell."
    ),
]
Counted = Annotated[
    MeasuringInput | None,
    strawberry.argument(description="How distances and steps are counted; as the games here do without."),
]
MAX_TAKEN = 500


@strawberry.type(description="The ground of a grid map as you may know it: ways, sight, cover, areas, light.")
class MapGround:
    """Distances are in cells and paces of five feet; a slanting step never cuts a corner."""

    look: strawberry.Private[Look]

    @strawberry.field(
        description="How far apart two creatures are, from their nearest cells.", graphql_type=DistanceType
    )
    async def distance(
        self,
        info: MapInfo,
        start: Start,
        end: End,
        start_size: Size = 1,
        end_size: Size = 1,
        measure: Counted = None,
    ) -> Distance:
        """Measure."""
        one, other, counted = to_domain(start), to_domain(end), _measuring(measure)
        return await self._asked(
            info, lambda _: 0.0, lambda asked: asked.distance(one, other, start_size, end_size, counted)
        )

    @strawberry.field(
        description="A way of the fewest paces; null when there is none.", graphql_type=WayType | None
    )
    async def path(
        self,
        info: MapInfo,
        start: Start,
        end: End,
        taken: Taken = None,
        through_doors: Doors = True,
        size: Size = 1,
        measure: Counted = None,
    ) -> Way | None:
        """Find a way."""
        around, counted = _squares(taken), _measuring(measure)

        def find(asked: Questions) -> Way | None:
            one, other = to_domain(start), to_domain(end)
            return asked.way(one, other, around, through_doors=through_doors, size=size, measuring=counted)

        way = await self._asked(info, _walking(through_doors, size, counted), find)
        await self._shown(info, 0 if way is None else len(way.cells))
        return way

    @strawberry.field(
        description=f"The cells that some paces lead to, {MAX_REACHED:,} at most: beyond them you are told "
        "to ask for fewer paces.",
        graphql_type=list[ReachedType],
    )
    async def reach(
        self,
        info: MapInfo,
        start: Start,
        paces: Paces,
        taken: Taken = None,
        through_doors: Doors = False,
        size: Size = 1,
        measure: Counted = None,
    ) -> list[Reached]:
        """Spread out."""
        around, counted = _squares(taken), _measuring(measure)

        def spread(asked: Questions) -> I32:
            at = to_domain(start)
            return asked.reach(at, paces, around, through_doors=through_doors, size=size, measuring=counted)

        costs = await self._asked(info, _walking(through_doors, size, counted), spread)
        found = int(np.count_nonzero(costs >= 0))
        await self._shown(info, min(found, MAX_REACHED))
        if found > MAX_REACHED:
            raise PublicError(
                "BAD_USER_INPUT", f"`paces` leads to {found:,} cells; at most {MAX_REACHED:,} are told."
            )
        return await asyncio.to_thread(reached, costs)

    @strawberry.field(description="Whether two creatures see each other, whatever the light.")
    async def line_of_sight(
        self, info: MapInfo, start: Start, end: End, start_size: Size = 1, end_size: Size = 1
    ) -> bool:
        """Look along a line."""
        one, other = to_domain(start), to_domain(end)
        return await self._asked(
            info,
            lambda _: weighing.sighting(start_size, end_size),
            lambda asked: asked.sees(one, other, start_size, end_size),
        )

    @strawberry.field(description="What protects a target from an attacker.", graphql_type=CoverType)
    async def cover(
        self,
        info: MapInfo,
        attacker: Attacker,
        target: Target,
        attacker_size: Size = 1,
        target_size: Size = 1,
    ) -> Protection:
        """Find cover."""
        one, other = to_domain(attacker), to_domain(target)
        return await self._asked(
            info,
            lambda _: weighing.covering(attacker_size, target_size),
            lambda asked: asked.cover(one, other, attacker_size, target_size),
        )

    @strawberry.field(
        description="How much of a target is covered from an attacker.", graphql_type=GradedCoverType
    )
    async def graded_cover(
        self,
        info: MapInfo,
        attacker: Attacker,
        target: Target,
        attacker_size: Size = 1,
        target_size: Size = 1,
    ) -> Cover:
        """Find graded cover."""
        one, other = to_domain(attacker), to_domain(target)
        return await self._asked(
            info,
            lambda _: weighing.covering(attacker_size, target_size),
            lambda asked: asked.graded_cover(one, other, attacker_size, target_size),
        )

    @strawberry.field(description="The cells of an area, row by row.", graphql_type=list[SpanType])
    async def area(
        self,
        info: MapInfo,
        area: Annotated[AreaInput, strawberry.argument(description="Where it comes from, and its shape.")],
    ) -> list[MapSpan]:
        """Lay an area out."""
        wanted = to_domain(area)

        def weigh(asked: Questions) -> float:
            total = weighing.shaping(asked.model)
            if wanted.stops and asked.ground.holds((wanted.at.x, wanted.at.y)):
                total += weighing.lining(asked.ground, wanted.at.x, wanted.at.y, max(1, wanted.paces))
            return total

        return await self._spans(info, await self._asked(info, weigh, lambda asked: asked.area(wanted)))

    @strawberry.field(
        description="How bright it is on a creature: as on its brightest cell.", graphql_type=BrightnessType
    )
    async def light(
        self,
        info: MapInfo,
        at: Annotated[CellInput, strawberry.argument(description="The cell of the creature.")],
        size: Size = 1,
        measure: Counted = None,
    ) -> Brightness:
        """Look at the light."""
        where, counted = to_domain(at), _measuring(measure)

        def weigh(asked: Questions) -> float:
            if counted.diagonal is Diagonal.EQUAL:
                return _lights(asked)
            return weighing.lighting(asked.ground, asked.model.lights)

        return await self._asked(info, weigh, lambda asked: asked.light(where, size, counted))

    @strawberry.field(
        description="The cells that are seen from one, in this light, row by row.",
        graphql_type=list[SpanType],
    )
    async def visible(
        self,
        info: MapInfo,
        start: Start,
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
        return await asyncio.to_thread(spans, cells)

    async def _shown(self, info: MapInfo, count: int) -> None:
        await info.context.service.charging.charge(info.context.viewer, weighing.SHOWN * count)


def _walking(through_doors: bool, size: int, measuring: Measuring) -> Callable[[Questions], float]:
    def weigh(asked: Questions) -> float:
        doors = asked.opened if through_doors else AS_DRAWN
        opening = weighing.grounding(asked.model, doors) if through_doors else 0.0
        largest = min(size, MAX_SIZE)
        searching = weighing.walking(asked.model, measuring.diagonal)
        return opening + weighing.sizing(asked.model, doors, largest) + searching

    return weigh


def _lights(asked: Questions) -> float:
    return weighing.own_lights(asked.model, asked.ground, AS_DRAWN)


def _measuring(measure: Any | None) -> Measuring:
    counted: Measuring = EQUALLY if measure is None else to_domain(measure)
    return counted


def _squares(taken: list[Any] | None) -> list[Square]:
    if taken is not None and len(taken) > MAX_TAKEN:
        raise PublicError("BAD_USER_INPUT", f"`taken` has at most {MAX_TAKEN} cells.")
    return [to_domain(one) for one in taken or ()]
