"""The types of a map's files, and of what its gates measured."""

import strawberry

from services.map import models
from services.map.formats import PICTURE_BESIDE, OutputRequest, file_name
from services.map.graphql.context import MapInfo
from services.map.graphql.wishes import MapFormat
from services.map.looking import Look
from services.map.outputs import scene_pixels


@strawberry.type(
    description="A file of a map as stored when the map was made; its address gives the map as it is now."
)
class MapFile:
    """Get it with your API key, like everything else under ``/v1``."""

    name: str = strawberry.field(description="For instance `map.svg`.")
    url: str = strawberry.field(description="Where it is read, with your API key.")
    content_type: str = strawberry.field(description="Its media type.")
    bytes: int = strawberry.field(description="Its size.")
    sha256: str = strawberry.field(description="Of the content, in hexadecimal digits.")

    @classmethod
    def of(cls, row: models.MapFile, public_url: str) -> "MapFile":
        """Show a row."""
        return cls(
            name=row.name,
            url=f"{public_url}/v1/maps/{row.map}/{row.name}",
            content_type=row.content_type,
            bytes=row.bytes,
            sha256=row.sha256,
        )


@strawberry.type(description="A picture or an export of a map, as you may know the map.")
class MapOutput:
    """Its address takes parameters: `px`, `style`, `grid`, `legend`, `view=players`."""

    format: MapFormat = strawberry.field(description="What the map is given out as.")
    name: str = strawberry.field(
        description="What the file is called when it is kept, for instance `map.webp`: other outputs name "
        "it so."
    )
    url: str = strawberry.field(description="Where it is read, with your API key.")
    content_type: str = strawberry.field(description="Its media type.")

    look: strawberry.Private[Look]

    @strawberry.field(
        description="Where the picture is read that this file names, in its scale: keep it beside the file, "
        "under its own name. Null where the file names none."
    )
    async def picture(self, info: MapInfo) -> str | None:
        """Return the address, with the pixels of a cell."""
        beside = PICTURE_BESIDE.get(self.format.value)
        if beside is None:
            return None
        await info.context.service.charging.model(info.context.viewer, self.look)
        pixels = scene_pixels(self.look.drawn, OutputRequest(self.format.value))
        folder = self.url.removesuffix(self.name)
        return f"{folder}{file_name(beside)}?style=flat&px={pixels}"


@strawberry.type(description="A check that every map must pass, made without the code that made the map.")
class MapGate:
    """One gate."""

    name: str = strawberry.field(description="What it checks, for instance `reachable`.")
    passed: bool = strawberry.field(description="Whether it found no fault.")
    faults: list[str] = strawberry.field(description="What it found wrong, a sentence each.")


@strawberry.type(description="Something that the gates measured on a map.")
class MapFigure:
    """One figure."""

    name: str = strawberry.field(description="For instance `loops_per_room`.")
    value: float = strawberry.field(description="What was measured, in the unit that the name tells of.")
