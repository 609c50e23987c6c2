"""Names in the graph of what all maps share. They are given before kinds of maps mirror what they show."""

from services.map.generation.grid.model import DoorState
from services.map.play import edits, shapes, state
from services.shared.mirror import mirror, mirror_input

_NAMES: dict[type, str] = {
    state.FogMode: "MapSharing",
    state.Layer: "MapLayer",
    shapes.DrawingShape: "MapDrawingShape",
    shapes.AreaShape: "MapAreaShape",
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
}
for _cls, _name in _INPUT_NAMES.items():
    mirror_input(_cls, name=_name)
