"""Pictures and exports of maps, made when they are asked for, as the one who asks may know them.

They are drawn in processes of their own, so that requests are not held up; what does not change is kept in
the storage by its entity tag, which is known before anything is drawn.
"""

import asyncio
import hashlib
from dataclasses import asdict, dataclass, replace

import orjson
import structlog

from services.map.door import Door
from services.map.filed import filed
from services.map.looking import Look
from services.map.models import MapRow
from services.map.outputs import OUTPUT_VERSION, Audience, OutputRequest, check, produce
from services.map.play.rights import Editor, Role
from services.map.play.state import PARTY, FogMode
from services.map.repository import Maps
from services.map.sharing import standing
from services.map.wishes import issue
from services.rules.engine.problem import Problems
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.problems import InvalidInput, Unavailable
from services.shared.storage import Storage
from services.shared.workers import WorkerError, Workers

log = structlog.get_logger(__name__)

ANYBODY = Editor(PARTY, Role.PLAYER)
"""A player with nothing of their own: who the players' version is drawn for."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture or an export.

    Attributes:
        content: its bytes; None when who asked has it already.
        content_type: media type.
        tag: entity tag, without its quotes.
    """

    content: bytes | None
    content_type: str
    tag: str


class Showing:
    """The use cases of pictures and exports.

    Args:
        database: where maps are kept.
        door: knows the campaigns of a viewer.
        storage: where files are.
        workers: the processes that draw.
    """

    def __init__(self, database: Database, door: Door, storage: Storage, workers: Workers) -> None:
        self._database = database
        self._door = door
        self._storage = storage
        self._workers = workers

    async def output(
        self, viewer: Viewer, map_id: str, request: OutputRequest, held: str | None = None
    ) -> Shown | InvalidInput | Unavailable | None:
        """Give a picture or an export of a map; None when the viewer may not see the map.

        Args:
            viewer: who asks.
            map_id: of the map.
            request: what is wanted; the game master's version is for who may see it.
            held: entity tag of what they have already.
        """
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._door.readable(viewer)
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
        if row is None:
            return None
        editor = standing(access, row)
        if request.audience is Audience.PLAYERS and editor.gm:
            editor = ANYBODY
        request = replace(request, audience=Audience.GM if editor.gm else Audience.PLAYERS)
        problems = check(row.kind, request)
        if problems:
            return InvalidInput.of([issue(problem, ()) for problem in problems])
        file = await asyncio.to_thread(_file, Look(row, editor))
        return await self._shown(row, file, request, held, keep=editor.gm or row.sharing != FogMode.FOGGED)

    async def _shown(
        self, row: MapRow, file: bytes, request: OutputRequest, held: str | None, *, keep: bool
    ) -> Shown | InvalidInput | Unavailable:
        tag = _tag(row, file, request)
        if held == tag:
            return Shown(None, request.form.content_type, tag)
        if request.format == "json":
            return Shown(file, request.form.content_type, tag)
        key = f"outputs/{row.id}/{tag}{request.form.suffix}"
        content = await self._storage.get(key) if keep else None
        if content is None:
            image = await self._storage.get(row.image) if row.image else None
            try:
                made = await self._workers.run(produce, row.kind, file, request, image)
            except WorkerError as error:
                log.warning("not_drawn", map=row.id, format=request.format, reason=type(error).__name__)
                return Unavailable.of("map")
            if isinstance(made, Problems):
                return InvalidInput.of([issue(problem, ()) for problem in made])
            content = made.content
            if keep:
                await self._storage.put(key, content)
        return Shown(content, request.form.content_type, tag)


def _file(look: Look) -> bytes:
    """Write the map file as a viewer may know it."""
    file: bytes = filed(look.row.kind).to_bytes(look.model)
    return file


def _tag(row: MapRow, file: bytes, request: OutputRequest) -> str:
    digest = hashlib.sha256(file)
    digest.update(orjson.dumps([row.id, OUTPUT_VERSION, row.image, asdict(request)]))
    return digest.hexdigest()[:32]
