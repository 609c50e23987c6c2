"""Pictures and exports of maps, made when they are asked for, as the one who asks may know them.

They are drawn in processes of their own, so that requests are not held up; what does not change is kept in
the storage by its entity tag, which is known before anything is drawn. Some kinds of maps are drawn with the
tokens on them.
"""

import asyncio
import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import orjson
import structlog

from services.map.charging import Charging
from services.map.drawing_costs import Brought, drawing, drawing_again
from services.map.exports.pictures import pixel_time, size_of
from services.map.formats import FLAT, PEOPLED, Audience, Output, OutputRequest, check
from services.map.generation.grid.model import GridMap
from services.map.looking import Look
from services.map.membership import Membership
from services.map.models import MapRow
from services.map.outputs import OUTPUT_VERSION, produce_again, produce_first
from services.map.play.known_extent import Part, picture_part
from services.map.play.rights import Editor, Role
from services.map.play.state import PARTY, Extent, FogMode, Token
from services.map.registry import KINDS
from services.map.render.figures import Figure
from services.map.repository import Maps
from services.map.sharing import editor_of
from services.map.wishes import issue
from services.rules.engine.problem import Problems, RuleProblem
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.entity_tags import matches
from services.shared.ids import is_id
from services.shared.limits.meter import MOST_POINTS, points_for
from services.shared.outages import StorageUnavailable
from services.shared.policy import NOWHERE, Policy
from services.shared.portraits import Portraits
from services.shared.problems import InvalidInput, Unavailable
from services.shared.recent import Recent
from services.shared.storage import Storage
from services.shared.workers import OutOfMemory, OutOfTime, WorkerError, Workers

log = structlog.get_logger(__name__)

FILING = 20e-6
"""Milliseconds a byte to write a map file and to tell it from others."""

DRAWN = 3
"""Pictures of which the drawing process has the rest at hand, when it has cut a tile; the latest ones."""

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
        extent: what part of the map it is of: all that whoever asked may know.
        link: an address that reads it straight from the storage; then there is no content.
    """

    content: bytes | None
    content_type: str
    tag: str
    extent: Extent
    link: str | None = None


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a picture or an export is made of.

    Attributes:
        row: the map.
        model: the map as who asks may know it, as far as they know it.
        file: the same as a map file.
        figures: who stands on it.
        extent: what part of the map that is.
        picture: which part of the picture that it came with shows that; None for all of it.
        lasting: whether others will ask for the same.
    """

    row: MapRow
    model: object
    file: bytes
    figures: tuple[Figure, ...]
    extent: Extent
    picture: Part | None
    lasting: bool


class Showing:
    """The use cases of pictures and exports.

    Args:
        database: where maps are kept.
        policy: knows what viewers may do.
        storage: where files are.
        workers: the processes that draw.
        charging: looks at maps for who pays.
        portraits: of the characters that tokens stand for.
    """

    def __init__(
        self,
        database: Database,
        policy: Policy,
        storage: Storage,
        workers: Workers,
        charging: Charging,
        portraits: Portraits,
    ) -> None:
        self._database = database
        self._policy = policy
        self._membership = Membership(database, policy)
        self._storage = storage
        self._workers = workers
        self._charging = charging
        self._portraits = portraits
        self._lately: dict[str, bytes] = {}
        # What the drawing process has at hand, as far as is known here: pictures of which tiles were cut.
        self._drawn: Recent[str, int] = Recent(DRAWN)

    async def output(
        self,
        viewer: Viewer,
        map_id: str,
        request: OutputRequest,
        held: str | None = None,
        *,
        linked: bool = False,
    ) -> Shown | None:
        """Returns a picture or an export of a map; None when the viewer may not see the map.

        Args:
            viewer: who asks.
            map_id: of the map.
            request: what is wanted; the game master's version is for who may see it.
            held: ``If-None-Match``, the entity tags of what they have already.
            linked: whether a link will do, where the output is stored already.

        Raises:
            InvalidInput: the map cannot be shown so.
            Unavailable: what draws does not answer.
        """
        if viewer.anonymous or not is_id(map_id, "map"):
            return None
        access = await self._membership.of_maps_own_at_least(viewer, [map_id])
        async with self._database.read() as session:
            row = await Maps(session, access).one(map_id)
        if row is None:
            return None
        editor = editor_of(access, row)
        if request.audience is Audience.PLAYERS and editor.gm:
            editor = ANYBODY
        request = replace(request, audience=Audience.GM if editor.gm else Audience.PLAYERS)
        problems = check(row.kind, request)
        if problems:
            raise InvalidInput.of([issue(problem, ()) for problem in problems])
        look = Look(row, editor)
        whole = await self._charging.model(viewer, look)
        model = await self._charging.run(viewer, 0.0, lambda: look.drawn)
        if _too_much_drawn(row, model, request):
            request = replace(request, style=FLAT)
        file, tokens = await self._charging.run(
            viewer, FILING * len(row.model), lambda: (_file(look), _tokens(look, request))
        )
        extent = look.state.extent
        figures = _figures(tokens, extent, await self._faces(viewer, look, tokens))
        subject = _Subject(
            row,
            model,
            file,
            figures,
            extent,
            picture_part(whole, extent) if isinstance(whole, GridMap) else None,
            lasting=editor.gm or row.sharing != FogMode.FOGGED,
        )
        return await self._shown(viewer, subject, request, held, linked)

    async def _faces(self, viewer: Viewer, look: Look, tokens: Sequence[Token]) -> Mapping[str, str]:
        """The portraits that a picture shows, by character: in the players' version those alone that every
        member of the table may see.
        """
        row = look.row
        if KINDS[row.kind].sheet is not None:
            return {}  # their figures have no room for portraits
        faces = await self._portraits.of(viewer, [token.character for token in tokens if token.character])
        if look.viewer is not ANYBODY or not faces:
            return faces
        seats = (await self._policy.own_at_least(viewer, characters=list(faces))).characters
        table = row.campaign or NOWHERE
        return {character: face for character, face in faces.items() if seats.get(character) == table}

    async def _shown(
        self, viewer: Viewer, subject: _Subject, request: OutputRequest, held: str | None, linked: bool
    ) -> Shown:
        row, file = subject.row, subject.file
        tag = _tag(subject, request)
        if matches(held, f'"{tag}"'):
            return Shown(None, request.form.content_type, tag, subject.extent)
        if request.format == "json":
            return Shown(file, request.form.content_type, tag, subject.extent)
        key = f"outputs/{row.id}/{tag}{request.form.suffix}"
        if linked and (link := await self._link(key, subject)) is not None:
            return Shown(None, request.form.content_type, tag, subject.extent, link)
        content = await self._kept(key, subject)
        if content is None:
            try:
                made = await self._made(viewer, subject, request)
            except (OutOfTime, OutOfMemory) as error:
                log.warning("not_drawn", map=row.id, format=request.format, reason=type(error).__name__)
                raise InvalidInput.single(
                    "picture_too_large", "This picture is too much to draw: take fewer pixels.", "px"
                ) from error
            except WorkerError as error:
                log.warning("not_drawn", map=row.id, format=request.format, reason=type(error).__name__)
                raise Unavailable.of("map") from error
            if isinstance(made, Problems):
                raise InvalidInput.of([issue(problem, ()) for problem in made])
            content = made.content
            await self._keep(key, subject, content)
        return Shown(content, request.form.content_type, tag, subject.extent)

    async def _made(self, viewer: Viewer, subject: _Subject, request: OutputRequest) -> Output | Problems:
        """Have an output made: a tile out of what is at hand, if anything is.

        Raises:
            WorkerError: it was not made.
        """
        row, run = subject.row, self._workers.run
        name = _name(subject)
        basis = f"{name} {request.pixels} {request.style} {request.grid} {request.legend}"
        brought = self._drawn.get(basis)
        if request.tile is not None and brought is not None:
            await self._charging.charge(viewer, drawing_again(subject.model, request, brought or None))
            again = await run(viewer.account, produce_again, name, request)
            if again is not None:
                return again
        image = await self._storage.get(row.image) if row.image else None
        picture = None if image is None else await asyncio.to_thread(_measured, image)
        if isinstance(picture, RuleProblem):
            return Problems((picture,))
        await self._charging.charge(viewer, drawing(subject.model, len(subject.file), request, picture))
        made = await run(
            viewer.account,
            produce_first,
            name,
            row.kind,
            subject.file,
            request,
            image,
            subject.figures,
            subject.picture,
        )
        self._drawn.put(basis, 0 if picture is None else picture.pixels, 1)
        return made

    async def _kept(self, key: str, subject: _Subject) -> bytes | None:
        if subject.figures:
            return self._lately.get(key)
        if not subject.lasting:
            return None
        with contextlib.suppress(StorageUnavailable):  # it is drawn again
            return await self._storage.get(key)
        return None

    async def _link(self, key: str, subject: _Subject) -> str | None:
        """Return a link to an output that is stored; what one viewer alone may know never is."""
        if subject.figures or not subject.lasting:
            return None
        with contextlib.suppress(StorageUnavailable):
            return await self._storage.link(key)
        return None

    async def _keep(self, key: str, subject: _Subject, content: bytes) -> None:
        if subject.figures:
            # Another one comes with the next move: this one is for those who look at the same moment.
            self._lately[key] = content
            while len(self._lately) > LATELY:
                del self._lately[next(iter(self._lately))]
        elif subject.lasting:
            # Where it cannot be kept, it is drawn again another time.
            with contextlib.suppress(StorageUnavailable):
                await self._storage.put(key, content)


def _too_much_drawn(row: MapRow, model: object, request: OutputRequest) -> bool:
    """Tell whether a picture in no named style had better be flat: drawn, it would cost too much."""
    if request.style is not None or row.image is not None or not isinstance(model, GridMap):
        return False
    if request.format not in ("png", "webp"):
        return False
    return points_for(drawing(model, len(row.model), request, None)) > MOST_POINTS


def _measured(image: bytes) -> Brought | RuleProblem:
    size = size_of(image)
    return (
        size if isinstance(size, RuleProblem) else Brought(size[0] * size[1], len(image), pixel_time(image))
    )


def _file(look: Look) -> bytes:
    """Write the map file as a viewer may know it."""
    file: bytes = KINDS[look.row.kind].filed.to_bytes(look.drawn)
    return file


def _tokens(look: Look, request: OutputRequest) -> list[Token]:
    """The tokens that a picture shows, as far as a viewer may know; those that a game moves stand first."""
    sheet = KINDS[look.row.kind].sheet
    peopled = request.tokens if sheet is None else sheet.peopled
    if not peopled or request.format not in PEOPLED:
        return []
    return sorted(look.state.tokens, key=lambda token: (token.scene is None, token.id))


def _figures(tokens: Sequence[Token], extent: Extent, faces: Mapping[str, str]) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            token.name,
            token.label,
            token.color,
            token.at.x - extent.x,
            token.at.y - extent.y,
            token.size,
            token.on_turn,
            faces.get(token.character or "", ""),
        )
        for token in tokens
    )


def _name(subject: _Subject) -> str:
    """Names all that a map's outputs are made of."""
    digest = hashlib.sha256(subject.file)
    digest.update(orjson.dumps([subject.row.id, subject.row.image, subject.figures, subject.picture]))
    return digest.hexdigest()


def _tag(subject: _Subject, request: OutputRequest) -> str:
    row = subject.row
    digest = hashlib.sha256(subject.file)
    digest.update(orjson.dumps([row.id, OUTPUT_VERSION, row.image, asdict(request)]))
    if subject.figures:
        digest.update(orjson.dumps(subject.figures))
    if not subject.lasting:
        digest.update(orjson.dumps([asdict(subject.extent), subject.picture]))
    return digest.hexdigest()[:32]
