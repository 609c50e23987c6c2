"""Maps that are brought along: Universal VTT files, and map files of this house's own."""

import asyncio
import hashlib
from dataclasses import dataclass, replace

import orjson

from services.map import drawing_costs
from services.map.charging import Charging
from services.map.exports.own import OwnMap, from_own
from services.map.exports.pictures import pixel_time, read_picture
from services.map.exports.uvtt_import import Imported, from_uvtt
from services.map.keeping import keep_map, kept_before
from services.map.kind import OWN
from services.map.looking import Look
from services.map.models import MapRow
from services.map.quotas import Quotas
from services.map.registry import KINDS
from services.map.repository import Records
from services.map.requests import MAX_TITLE, ImportMap
from services.map.sharing import check_fog, opening
from services.map.wishes import issue
from services.rules.engine.problem import Problems, RuleProblem
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import KeyLocks
from services.shared.ids import new_id
from services.shared.policy import Policy, Right, Seat
from services.shared.problems import InvalidInput, Unavailable
from services.shared.storage import Storage, storing
from services.shared.workers import OutOfMemory, OutOfTime, WorkerError, Workers

SUFFIXES = {"image/png": "png", "image/webp": "webp", "image/jpeg": "jpg"}
OWN_FORMATS = {kind.sheet.format: kind for kind in KINDS.values() if kind.sheet is not None}
"""The kinds of sheets, by the format that their files name."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a file held.

    Attributes:
        kind: slug of its kind.
        file: the map file.
        name: of the map.
        seed: in decimal digits.
        generator_version: of what made it; 0 for what was not made here.
        attempts: how many it took; 0 for what was not made here.
        gates: each gate's name and faults.
        figures: what the gates measured.
        image: the picture that came with it, if any.
        media_type: of the picture.
        pixels: that the picture has by its header.
        pixel_time: nanoseconds that reading each of them takes.
    """

    kind: str
    file: bytes
    name: str
    seed: str
    generator_version: int
    attempts: int
    gates: list[tuple[str, list[str]]]
    figures: list[tuple[str, float]]
    image: bytes | None = None
    media_type: str | None = None
    pixels: int = 0
    pixel_time: float = 0.0


class Importing:
    """The use case of bringing a map along.

    Args:
        database: where maps are kept.
        clock: the present moment.
        policy: knows what viewers may do.
        storage: where files are.
        workers: the processes that read files nobody trusts.
        quotas: what accounts may have.
        charging: charges who brings them.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        storage: Storage,
        workers: Workers,
        quotas: Quotas,
        charging: Charging,
    ) -> None:
        self._quotas = quotas
        self._database = database
        self._clock = clock
        self._policy = policy
        self._storage = storage
        self._workers = workers
        self._charging = charging
        self._keys = KeyLocks()

    async def bring(self, viewer: Viewer, asked: ImportMap, key: str | None) -> Look:
        """Keep the map of a file, for oneself or as GM or player for a campaign.

        Raises:
            NotFound: no member of the campaign.
            Forbidden: a spectator there.
            InvalidInput: the file holds no sound map, or the account has enough.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the campaign service is silent, or what reads files.
            RateLimited: the account cannot pay for it now.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.WRITE)
        check(asked)
        # The file's hash stands for it: keys are compared by what they were used for.
        request = replace(asked, content=await asyncio.to_thread(_digest, asked.content))
        async with self._keys.held(viewer.account, key):
            known = await kept_before(self._database, viewer, seat, request, key, self._clock())
            if known is not None:
                return known
            brought = await self._read(viewer, asked)
            check_fog(brought.kind, asked.sharing)
            return await self._kept(viewer, seat, request, key, brought)

    async def _read(self, viewer: Viewer, asked: ImportMap) -> Brought:
        title = None if asked.title is None else asked.title.strip()
        await self._charging.charge(viewer, drawing_costs.importing(len(asked.content)))
        try:
            brought = await self._workers.run(viewer.account, read_map, asked.content, title)
            if isinstance(brought, Brought) and brought.image is not None:
                # How many pixels there are is known by now: they are the larger part of the work.
                picture = drawing_costs.Brought(brought.pixels, len(brought.image), brought.pixel_time)
                await self._charging.charge(viewer, drawing_costs.decoding(picture))
                fault = await self._workers.run(viewer.account, fault_of, brought.image)
                brought = brought if fault is None else Problems((fault,))
        except (OutOfTime, OutOfMemory) as error:
            message = "The file is too much work to read."
            raise InvalidInput.single("import_too_much", message, "content") from error
        except WorkerError as error:
            raise Unavailable.of("map") from error
        if isinstance(brought, Problems):
            raise InvalidInput.of([issue(problem, ("content",)) for problem in brought])
        return brought

    async def _kept(
        self, viewer: Viewer, seat: Seat, asked: ImportMap, key: str | None, brought: Brought
    ) -> Look:
        map_id = new_id("map")
        pictures = {}
        if brought.image is not None:
            pictures[f"maps/{map_id}/picture.{SUFFIXES[brought.media_type or 'image/png']}"] = brought.image
        row = MapRow(
            id=map_id,
            kind=brought.kind,
            name=brought.name,
            seed=brought.seed,
            params="{}",
            model=brought.file.decode(),
            generator_version=brought.generator_version,
            gates=orjson.dumps(brought.gates).decode(),
            figures=orjson.dumps(brought.figures).decode(),
            attempts=brought.attempts,
            owner=viewer.account,
            campaign=asked.campaign_id,
            image=next(iter(pictures), None),
            created_at=self._clock(),
            sharing=opening(brought.kind, asked.sharing, seat),
        )
        beside = len(brought.image or b"")
        async with storing(self._storage, pictures, lambda: self._named(map_id)):
            return await keep_map(self._database, self._quotas, viewer, seat, row, asked, key, beside=beside)

    async def _named(self, map_id: str) -> set[str]:
        async with self._database.read() as session:
            return await Records(session).files_of_maps([map_id])


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def fault_of(image: bytes) -> RuleProblem | None:
    """Finds what is wrong with a picture that shows only when all of it is read."""
    picture = read_picture(image)
    return picture if isinstance(picture, RuleProblem) else None


def read_map(content: bytes, title: str | None) -> Brought | Problems:
    """Read a file that holds a map: of this house when it says so, else Universal VTT."""
    if f'"{OWN}'.encode() in content[:4096]:
        own = from_own(content, OWN_FORMATS)
        return own if isinstance(own, Problems) else _own(own, title)
    found = from_uvtt(content, *(() if title is None else (title,)))
    if isinstance(found, Problems):
        return found
    return _foreign(found)


def _own(own: OwnMap, title: str | None) -> Brought:
    kind = KINDS[own.kind]
    report = kind.inspect_played(own.model)
    return Brought(
        kind=own.kind,
        file=kind.filed.to_bytes(own.model),
        name=title or kind.filed.title(own.model)[:MAX_TITLE],
        seed=str(getattr(own.model, "seed", 0)),
        generator_version=int(getattr(own.model, "generator_version", 0)),
        attempts=int(getattr(own.model, "attempt", 0)) + 1,
        gates=[(gate.name, list(gate.faults)) for gate in report.gates],
        figures=list(report.figures),
    )


def _foreign(found: Imported) -> Brought:
    kind = KINDS[found.model.kind.value].filed
    report = kind.inspect(found.model)
    return Brought(
        kind=kind.slug,
        file=kind.to_bytes(found.model),
        name=found.model.title,
        seed="0",
        generator_version=0,
        attempts=0,
        gates=[(gate.name, list(gate.faults)) for gate in report.gates],
        figures=list(report.figures),
        image=found.image,
        media_type=found.media_type,
        pixels=found.pixels,
        pixel_time=0.0 if found.image is None else pixel_time(found.image),
    )
