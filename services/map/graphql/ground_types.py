"""Questions about the ground of a grid map."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import strawberry

from services.map.grid_view import MapSpan
from services.map.looking import Look
from services.map.play.state import AreaShape
from services.map.questions import Area, Brightness, Distance, Questions, Reached, Way
from services.rules.engine.grid import Cover, Square
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
CoverType: Any = mirror(Cover, name="MapCover")
BrightnessType: Any = mirror(Brightness, name="MapBrightness")

Taken = Annotated[
    list[CellInput] | None,
    strawberry.argument(description="Cells somebody stands in; a way goes around them."),
]
Doors = Annotated[
    bool, strawberry.argument(description="Whether closed doors that are not locked are opened on the way.")
]
MAX_TAKEN = 500


@strawberry.type(description="The ground of a grid map as you may know it: ways, sight, cover, areas, light.")
class MapGround:
    """Distances are in cells and paces of five feet; a slanting step counts one and never cuts a corner."""

    look: strawberry.Private[Look]

    async def _asked(self, question: Callable[[Questions], T]) -> T:
        def answer() -> T:
            return question(self.look.questions)

        try:
            return await asyncio.to_thread(answer)
        except ValueError as error:
            raise PublicError("BAD_USER_INPUT", f"{error}.") from error

    @strawberry.field(description="How far apart two cells are.", graphql_type=DistanceType)
    async def distance(self, start: CellInput, end: CellInput) -> Distance:
        """Measure."""
        return await self._asked(lambda asked: asked.distance(to_domain(start), to_domain(end)))

    @strawberry.field(
        description="A way of the fewest paces; null when there is none.", graphql_type=WayType | None
    )
    async def path(
        self, start: CellInput, end: CellInput, taken: Taken = None, through_doors: Doors = True
    ) -> Way | None:
        """Find a way."""
        around = _squares(taken)
        return await self._asked(
            lambda asked: asked.way(to_domain(start), to_domain(end), around, through_doors=through_doors)
        )

    @strawberry.field(description="The cells that some paces lead to.", graphql_type=list[ReachedType])
    async def reach(
        self, start: CellInput, paces: int, taken: Taken = None, through_doors: Doors = False
    ) -> list[Reached]:
        """Spread out."""
        around = _squares(taken)
        return await self._asked(
            lambda asked: asked.reach(to_domain(start), paces, around, through_doors=through_doors)
        )

    @strawberry.field(description="Whether two cells see each other, whatever the light.")
    async def line_of_sight(self, start: CellInput, end: CellInput) -> bool:
        """Look along a line."""
        return await self._asked(lambda asked: asked.sees(to_domain(start), to_domain(end)))

    @strawberry.field(description="What protects a target from an attacker.", graphql_type=CoverType)
    async def cover(self, attacker: CellInput, target: CellInput) -> Cover:
        """Find cover."""
        return await self._asked(lambda asked: asked.cover(to_domain(attacker), to_domain(target)))

    @strawberry.field(description="The cells of an area, row by row.", graphql_type=list[SpanType])
    async def area(self, area: AreaInput) -> list[MapSpan]:
        """Lay an area out."""
        return await self._asked(lambda asked: asked.area(to_domain(area)))

    @strawberry.field(description="How bright a cell is.", graphql_type=BrightnessType)
    async def light(self, at: CellInput) -> Brightness:
        """Look at the light."""
        return await self._asked(lambda asked: asked.light(to_domain(at)))

    @strawberry.field(
        description="The cells that are seen from one, in this light, row by row.",
        graphql_type=list[SpanType],
    )
    async def visible(
        self,
        start: CellInput,
        paces: Annotated[
            int | None, strawberry.argument(description="How many cells far; as far as the map goes without.")
        ] = None,
        darkvision: Annotated[int, strawberry.argument(description="How many cells far in the dark.")] = 0,
    ) -> list[MapSpan]:
        """Look around."""
        return await self._asked(lambda asked: asked.visible(to_domain(start), paces, darkvision))


def _squares(taken: list[Any] | None) -> list[Square]:
    if taken is not None and len(taken) > MAX_TAKEN:
        raise PublicError("BAD_USER_INPUT", f"`taken` has at most {MAX_TAKEN} cells.")
    return [to_domain(one) for one in taken or ()]
