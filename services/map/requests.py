"""What is asked of the map service: each request as its use case takes it, with the bounds of its members."""

from dataclasses import dataclass
from typing import Annotated

from services.map.kind import Operation
from services.map.play.edits import Edit
from services.map.play.state import FogMode
from services.map.wishes import Wish
from services.shared.bounds import Between, Line

MAX_BATCH = 10_000
MAX_TITLE = 80
BATCH_COUNT = Between(1, MAX_BATCH)


@dataclass(frozen=True, slots=True)
class GenerateMap:
    """A map to be made.

    Attributes:
        wish: What it is to be.
        sharing: What the players of the campaign see of it; by its kind when None.
        campaign_id: The campaign it is for, if any.
    """

    wish: Wish
    sharing: FogMode | None = None
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class GenerateMaps:
    """A batch of maps to be made.

    Attributes:
        wish: What each of them is to be; its seed is what their seeds are drawn from.
        count: How many; as many as there are seeds when None.
        seeds: One for each map, in decimal digits, instead of drawn ones.
        formats: The files that each map is to have besides its JSON.
        campaign_id: The campaign they are for, if any.
    """

    wish: Wish
    count: Annotated[int, BATCH_COUNT] | None = None
    seeds: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class ContinueMapBatch:
    """The rest of a batch, to be made as a batch of its own.

    Attributes:
        batch_id: The batch that has ended before all of its maps were made: the id of its job.
    """

    batch_id: str


@dataclass(frozen=True, slots=True)
class KeepMap:
    """A map of a batch to be kept as a map of its own.

    Attributes:
        batch_id: The batch: the id of its job.
        number: Its place in the batch, from 0.
        campaign_id: For whose table, as its GM or player; without one the map is yours alone.
        sharing: What the players of the campaign see of it. Without, a GM's map with secrets is hidden, any
            other is open.
    """

    batch_id: str
    number: Annotated[int, Between(0, MAX_BATCH - 1)]
    campaign_id: str | None = None
    sharing: FogMode | None = None


@dataclass(frozen=True, slots=True)
class ImportMap:
    """A map to be brought along.

    Attributes:
        content: The file, trusted in nothing.
        title: Name of the map; the file's own, if it has one, when None.
        sharing: What the players of the campaign see of it; by its kind when None.
        campaign_id: The campaign it is for, if any.
    """

    content: bytes
    title: Annotated[str, Line(MAX_TITLE)] | None = None
    sharing: FogMode | None = None
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class EditMap:
    """An edit to be made.

    Attributes:
        map_id: The map.
        sort: The field of the request that the edit came in, for paths and the log: `put_token`.
        edit: What is wanted.
        revision: The one that its maker saw, if what it changes must be as it was then.
    """

    map_id: str
    sort: str
    edit: Edit | Operation
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class UndoMapEdit:
    """An edit to be taken back.

    Attributes:
        map_id: The map.
        number: Of the edit, as `Map.edits` lists it; the last one that stands without.
    """

    map_id: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class DeleteMap:
    """A map to be deleted.

    Attributes:
        id: The map.
        revision: The `revision` that you saw; refused when you would see another one now.
    """

    id: str
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class DeleteMapBatch:
    """A batch of maps to be deleted.

    Attributes:
        id: The batch: the id of its job.
    """

    id: str


@dataclass(frozen=True, slots=True)
class CancelJob:
    """A job to be stopped.

    Attributes:
        id: The job.
    """

    id: str
