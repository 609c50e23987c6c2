"""Pictures and exports of maps, made when they are asked for, as the one who asks may know them.

They are drawn in processes of their own, so that requests are not held up; what does not change is kept in
the storage by its entity tag, which is known before anything is drawn. Realms are drawn with those who stand
on them.
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
from services.map.outputs import OUTPUT_VERSION, PEOPLED, Audience, OutputRequest, check, produce
from services.map.play.rights import Editor, Role
from services.map.play.state import PARTY, FogMode
from services.map.render.realm.pawns import Figure
from services.map.repository import Maps
from services.map.sharing import standing
from services.map.wishes import REALM, issue
from services.rules.engine.problem import Problems
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.problems import InvalidInput, Unavailable
from services.shared.storage import Storage
from services.shared.workers import WorkerError, Workers

log = structlog.get_logger(__name__)

LATELY = 16
"""Pictures of games that go on which are kept at hand."""

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


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a picture or an export is made of.

    Attributes:
        row: the map.
        file: the map file as who asks may know it.
        figures: who stands on it.
        lasting: whether others will ask for the same.
    """

    row: MapRow
    file: bytes
    figures: tuple[Figure, ...]
    lasting: bool


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
        self._lately: dict[str, bytes] = {}

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
        look = Look(row, editor)
        file, figures = await asyncio.to_thread(lambda: (_file(look), _figures(look, request)))
        subject = _Subject(row, file, figures, lasting=editor.gm or row.sharing != FogMode.FOGGED)
        return await self._shown(viewer, subject, request, held)

    async def _shown(
        self, viewer: Viewer, subject: _Subject, request: OutputRequest, held: str | None
    ) -> Shown | InvalidInput | Unavailable:
        row, file = subject.row, subject.file
        tag = _tag(subject, request)
        if held == tag:
            return Shown(None, request.form.content_type, tag)
        if request.format == "json":
            return Shown(file, request.form.content_type, tag)
        key = f"outputs/{row.id}/{tag}{request.form.suffix}"
        content = await self._kept(key, subject)
        if content is None:
            image = await self._storage.get(row.image) if row.image else None
            try:
                made = await self._workers.run(
                    viewer.account, produce, row.kind, file, request, image, subject.figures
                )
            except WorkerError as error:
                log.warning("not_drawn", map=row.id, format=request.format, reason=type(error).__name__)
                return Unavailable.of("map")
            if isinstance(made, Problems):
                return InvalidInput.of([issue(problem, ()) for problem in made])
            content = made.content
            await self._keep(key, subject, content)
        return Shown(content, request.form.content_type, tag)

    async def _kept(self, key: str, subject: _Subject) -> bytes | None:
        if subject.figures:
            return self._lately.get(key)
        return await self._storage.get(key) if subject.lasting else None

    async def _keep(self, key: str, subject: _Subject, content: bytes) -> None:
        if subject.figures:
            # Another one comes with the next move: this one is for those who look at the same moment.
            self._lately[key] = content
            while len(self._lately) > LATELY:
                del self._lately[next(iter(self._lately))]
        elif subject.lasting:
            await self._storage.put(key, content)


def _file(look: Look) -> bytes:
    """Write the map file as a viewer may know it."""
    file: bytes = filed(look.row.kind).to_bytes(look.model)
    return file


def _figures(look: Look, request: OutputRequest) -> tuple[Figure, ...]:
    """Tell who stands on a realm as far as a viewer may know; those that a game moves stand first."""
    if look.row.kind != REALM or request.format not in PEOPLED:
        return ()
    tokens = sorted(look.state.tokens, key=lambda token: (token.scene is None, token.id))
    return tuple(Figure(token.name, token.label, token.color, token.at.x, token.at.y) for token in tokens)


def _tag(subject: _Subject, request: OutputRequest) -> str:
    row = subject.row
    digest = hashlib.sha256(subject.file)
    digest.update(orjson.dumps([row.id, OUTPUT_VERSION, row.image, asdict(request)]))
    if subject.figures:
        digest.update(orjson.dumps(subject.figures))
    return digest.hexdigest()[:32]
