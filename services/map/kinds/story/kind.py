"""Story maps as a kind of map."""

from __future__ import annotations

from collections.abc import Sequence

from services.map.curves import Costs, Curve
from services.map.kind import Growth, Making, MapKind, Sheet
from services.map.kinds.story.canonical import FORMAT
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.growth import grow
from services.map.kinds.story.leading import LEADING
from services.map.kinds.story.render.legibility import inspect_labels
from services.map.kinds.story.render.picture import render
from services.map.kinds.story.schema import story_schema
from services.map.kinds.story.site import site
from services.map.render.figures import Figure
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.operations import STORY_GROWTH


def _extent(model: StoryMap) -> tuple[float, float]:
    return model.width, model.height


def _draw(model: StoryMap, _figures: Sequence[Figure]) -> str:
    return render(model)


KIND: MapKind[StoryMap] = MapKind(
    place=2,
    about="A story map of Fortunate Blades: the places and forces of a party's story.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(30),
            drawing=Curve(35),
            painting=Curve(140),
            sizes=((120, 90),),
        ),
    ),
    sheet=Sheet(format=FORMAT, schema=story_schema, extent=_extent, draw=_draw, words=inspect_labels),
    growth=Growth(operations=STORY_GROWTH, grow=grow),
    leading=LEADING,
    site=site,
)
