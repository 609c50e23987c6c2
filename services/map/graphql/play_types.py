"""The state of play on a map, and what may be done to it, reflected from the domain."""

from typing import Any

from services.map.generation.grid.model import DoorState
from services.map.generation.story.model import StorySpot
from services.map.growth import GROWTH, Growth, RuinDie
from services.map.play import edits, state
from services.map.play.edits import EDITS, Edit
from services.shared.mirror import chosen, mirror, mirror_input, one_of, to_domain

_NAMES: dict[type, str] = {
    state.FogMode: "MapSharing",
    state.Layer: "MapLayer",
    state.DrawingShape: "MapDrawingShape",
    state.AreaShape: "MapAreaShape",
    state.Spot: "MapSpot",
    state.Extent: "MapExtent",
    state.Sight: "MapSight",
    state.CarriedLight: "MapCarriedLight",
    state.Token: "MapToken",
    state.Marker: "MapMarker",
    state.Note: "MapNote",
    DoorState: "MapDoorState",
    state.DoorPlay: "MapDoorPlay",
    state.Drawing: "MapDrawing",
    state.AddedPlace: "MapAddedPlace",
    state.LightSource: "MapLightSource",
    state.AreaTemplate: "MapAreaTemplate",
    state.Fog: "MapFog",
    state.Explored: "MapExplored",
    state.MapState: "MapPlay",
}
for _cls, _name in _NAMES.items():
    mirror(_cls, name=_name)

_INPUT_NAMES: dict[type, str] = {
    state.Spot: "MapSpotInput",
    state.Sight: "MapSightInput",
    state.CarriedLight: "MapCarriedLightInput",
    edits.CellRectangle: "MapCellRectangleInput",
    edits.CellSpan: "MapCellSpanInput",
    edits.CellArea: "MapCellAreaInput",
    RuinDie: "MapRuinDieInput",
    StorySpot: "StorySpotInput",
}
for _cls, _name in _INPUT_NAMES.items():
    mirror_input(_cls, name=_name)

MapPlay = mirror(state.MapState)


def _field(cls: type) -> str:
    """Spell a class as a field: `PutToken` is `put_token`."""
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in cls.__name__).lstrip("_")


_EDITS = {_field(cls): mirror_input(cls, name=f"Map{cls.__name__}Input") for cls in (*EDITS, *GROWTH)}

MapEditInput = one_of("MapEditInput", _EDITS, description="What to do on a map: exactly one thing.")


def edit_of(given: Any) -> tuple[str, Edit | Growth]:
    """Read an edit: the field it came in, and what it is."""
    name, value = chosen(given)
    return name, to_domain(value)


__all__ = ["MapEditInput", "MapPlay", "edit_of"]
