"""Maps that are brought along: Universal VTT files, and map files of this house's own."""

import asyncio
import hashlib
from dataclasses import replace

import orjson

from services.map import drawing_costs
from services.map.charging import Charging
from services.map.keeping import keep_map, kept_before
from services.map.looking import Look
from services.map.models import MapRow
from services.map.quotas import Quotas
from services.map.reading import FILE_GATE, Brought, fitting_picture, read_map
from services.map.repository import Records
from services.map.requests import ImportMap
from services.map.sharing import check_fog, opening
from services.map.wishes import file_issue
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
                brought = await self._pictured(viewer, brought, brought.image)
        except (OutOfTime, OutOfMemory) as error:
            message = "The file is too much work to read."
            raise InvalidInput.single("import_too_much", message, "content") from error
        except WorkerError as error:
            raise Unavailable.of("map") from error
        if isinstance(brought, Problems):
            raise InvalidInput.of([file_issue(problem, ("content",)) for problem in brought])
        return brought

    async def _pictured(self, viewer: Viewer, brought: Brought, image: bytes) -> Brought | Problems:
        """Read the picture of a map, and scale it down where it is larger than pictures are kept.

        Raises:
            RateLimited: the account cannot pay for it now.
            WorkerError: it was not read.
        """
        # How many pixels there are is known by now: they are the larger part of the work.
        picture = drawing_costs.Brought(brought.pixels, len(image), brought.pixel_time)
        for part in drawing_costs.in_parts(drawing_costs.decoding(picture)):
            await self._charging.charge(viewer, part)
        found = await self._workers.run(viewer.account, fitting_picture, image)
        if found is None:
            return brought
        if isinstance(found, RuleProblem):
            return Problems((found,))
        told = f"image: The picture of {brought.pixels:,} pixels was scaled down."
        gates = [(name, [*faults, told] if name == FILE_GATE else faults) for name, faults in brought.gates]
        return replace(brought, image=found, media_type="image/jpeg", gates=gates)

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
