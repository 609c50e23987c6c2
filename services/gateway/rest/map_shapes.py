"""What requests about maps hold, and what is answered to them."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from services.gateway.rest.contract import Asked, Int32, Ref, Shown
from services.gateway.rest.map_kinds import GRAPH, kinds_of, listed

if TYPE_CHECKING:
    Kind = str
else:
    Kind = Literal[kinds_of(GRAPH.read_text("utf-8"))]
Sharing = Literal["HIDDEN", "FOGGED", "OPEN"]
Format = Literal[
    "JSON",
    "SVG",
    "PNG",
    "WEBP",
    "UVTT",
    "UVTT_LINES",
    "FOUNDRY_V13",
    "FOUNDRY_V14",
    "FOUNDRY_JOURNAL",
    "TILED",
    "TILED_TERRAIN",
    "OWLBEAR",
    "GEOJSON",
]


class Die(Asked):
    """One dropped die: where it lies, in units east and south of the sheet's north-west corner."""

    sides: Int32
    face: Int32
    x: float
    y: float


class PlaceName(Asked):
    """The name that a place is to have."""

    place: str = Field(description="Id of the place: `citadel`, `city`, `village-1`, `lair`, `forest`, ...")
    name: str = Field(description="1 to 32 characters.")


class ForgebornRealm(Asked):
    """A Forgeborn realm to be made; what is left out is drawn, or as the game has it."""

    seed: str | None = Field(None, description="0 to 2^63 - 1 in decimal digits; the same makes the same.")
    dice: list[Die] | None = Field(
        None, description="The fifteen dice of a real drop instead of a drawn one."
    )
    width: Int32 | None = Field(None, description="Of the sheet, 80 to 200 units.")
    height: Int32 | None = Field(None, description="Of the sheet, 60 to 160 units.")
    dragon_minimum: Int32 | None = Field(None, description="Least Power of the Dragon, 8 to 24.")
    too_far_percent: Int32 | None = Field(
        None, description="Longest unforced Trail, as a share of the sheet's diagonal, 10 to 100."
    )
    title: str | None = Field(None, description="Name of the realm instead of a made one.")
    names: list[PlaceName] | None = Field(None, description="Names of places instead of made ones.")


class Wanted(Asked):
    """What to make a map of: a Forgeborn realm, or another kind with its parameters."""

    forgeborn_realm: ForgebornRealm | None = None
    # The spelling of the graph's `MapWishInput`, which was the only one here, is read until 2027-05-23.
    kind: Annotated[
        Kind | None, BeforeValidator(lambda kind: listed(kind) if isinstance(kind, str) else kind)
    ] = Field(None, description="Any other kind of map, as `/v1/maps/kinds` lists it.")
    parameters: dict[str, Any] | None = Field(
        None,
        description="Of that kind, as `/v1/maps/kinds` describes them; what is left out has its default.",
    )
    seed: str | None = Field(
        None, description="0 to 2^63 - 1 in decimal digits; drawn without. The same makes the same."
    )
    campaign_id: str | None = Field(None, description="For which campaign, if any.")


class NewMap(Wanted):
    """A map to be made."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "DUNGEON", "seed": "20", "parameters": {"width": 51, "height": 51}}]
        }
    )

    sharing: Sharing | None = Field(
        None,
        description="What the campaign's players see of it. Without, a GM's map with secrets is hidden, any "
        "other is open.",
    )


class NewBatch(Wanted):
    """Many maps to be made."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "CAVE", "seed": "7", "count": 25, "formats": ["SVG"]}]}
    )

    count: Int32 | None = Field(None, description="1 to 10,000; as many as there are seeds without.")
    seeds: list[str] | None = Field(None, description="One for each map; drawn from `seed` without.")
    formats: list[Format] | None = Field(None, description="Files besides each map's JSON.")


class MapEdit(Asked):
    """Something to be done on a map."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"edit": {"putToken": {"name": "Brunna", "at": {"x": 4, "y": 7}, "color": "#7a1f1f"}}}
            ]
        }
    )

    edit: dict[str, Any] = Field(
        description="Exactly one member, as in the graph's `MapEditInput`: `putToken`, `moveToken`, "
        "`setDoor`, `setFog`, `reveal`, `draw`, `putNote`, `dropRuin`, ..."
    )
    revision: str | None = Field(
        None, description="The map's `revision` as you saw it; 409 when you would see another one now."
    )


class MapUndo(Asked):
    """An edit to be taken back."""

    number: Int32 | None = Field(None, description="Its number; the last one that stands without.")


class Keeping(Asked):
    """A map of a batch that is to be kept."""

    campaign_id: str | None = Field(None, description="For which campaign, if any.")
    sharing: Sharing | None = Field(None, description="What the campaign's players see of it.")


class JobError(Shown):
    """Why a job did not succeed, or what stopped its latest attempt."""

    code: str
    message: str


class Job(Shown):
    """Long work that was asked for."""

    id: str
    kind: str
    state: Literal["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED", "DEAD"]
    progress: float = Field(description="0 to 1.")
    version: int = Field(description="Grows by one with each change.")
    points: int = Field(description="What it was charged when it was ordered.")
    error: JobError | None
    map: Ref | None = Field(description="The map that came of it.")
    created_at: datetime
    ended_at: datetime | None


class MapFile(Shown):
    """A file as it was stored when the map was made."""

    name: str
    url: str
    content_type: str
    bytes: int


class MapOutput(Shown):
    """Something that the map can be given out as."""

    format: Format
    url: str
    content_type: str


class Map(Shown):
    """A map, as you may know it."""

    id: str
    kind: str
    name: str
    seed: str = Field(description="Empty where it would tell you what is secret.")
    created_at: datetime
    campaign: Ref | None
    scene: Ref | None = Field(description="The scene that leads it, as long as its game goes on.")
    sharing: Sharing
    whole: bool = Field(description="Whether you see what only game masters know as well.")
    revision: str = Field(description="The version of what you see: it changes exactly when that does.")
    files: list[MapFile]
    outputs: list[MapOutput] = Field(description="Pictures and exports, made when you ask for them.")


class MapLine(Shown):
    """A map in a list."""

    id: str
    kind: str
    name: str
    seed: str = Field(description="Empty where it would tell you what is secret.")
    created_at: datetime
    campaign: Ref | None
    files: list[MapFile]


class MapKind(Shown):
    """A kind of map that can be made."""

    kind: str
    generator_version: int = Field(
        description="Raised whenever the same seed and parameters would give another map."
    )
    secretive: bool = Field(description="Whether its maps hold what players must not know.")
    formats: list[Format]
    parameters: dict[str, Any] = Field(description="JSON Schema of its parameters.")


class MapKinds(Shown):
    """Every kind of map that can be made."""

    items: list[MapKind]


class MapState(Shown):
    """A map with what lies on it."""

    id: str
    revision: str
    play: dict[str, Any] = Field(
        description="Tokens, markers, notes, doors, drawings, fog, ... as in the graph."
    )


class Edited(Shown):
    """What came of an edit."""

    map: MapState
    thing: str | None = Field(description="Id of what was put, moved, changed or removed.")


class Batch(Shown):
    """Many maps, made as one job."""

    id: str
    job: Job
    kind: str
    count: int = Field(description="Maps asked for.")
    done: int = Field(description="Maps made so far.")
    bytes: float = Field(description="Size of their files so far.")
    zip_url: str
    ndjson_url: str
