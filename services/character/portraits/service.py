"""Setting, removing and reading portraits."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.character.building.edits import held, keep_portrait, owned
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.history.lines import Deed, HistoryKind
from services.character.portraits import pictures
from services.character.portraits.keys import FILES, key_of, keys_of
from services.character.portraits.pictures import MAX_BYTES, Portrait, format_of, make_portrait
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.entity_tags import matches
from services.shared.problems import InvalidInput, Issue, Problem, Unavailable
from services.shared.storage import Storage, storing
from services.shared.workers import MUTATION_PATIENCE, OutOfMemory, OutOfTime, WorkerError, Workers

SET, REMOVED = "set", "removed"


def portrait_pool() -> Workers:
    """Make the process that reads pictures nobody trusts."""
    return Workers(
        pictures.ready,
        loaded=[pictures.__name__],
        seconds=pictures.SECONDS,
        patience=MUTATION_PATIENCE,
        memory=pictures.MEMORY,
        waiting=pictures.WAITING,
        waiting_each=pictures.WAITING_EACH,
        name="portraits",
    )


@dataclass(frozen=True, slots=True)
class PortraitFile:
    """One size of a portrait.

    Attributes:
        tag: entity tag, without its quotes.
        content: its bytes; None when who asked has it already.
        link: an address that reads it straight from the storage; then there is no content.
    """

    tag: str
    content: bytes | None
    link: str | None = None


class PortraitService:
    """The use cases of portraits.

    Args:
        database: where characters are kept.
        clock: the present moment.
        characters: knows who sees them.
        storage: where files are.
        workers: the process that reads pictures.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        characters: CharacterService,
        storage: Storage,
        workers: Workers,
    ) -> None:
        self._database = database
        self._clock = clock
        self._characters = characters
        self._storage = storage
        self._workers = workers

    async def put(self, viewer: Viewer, character: str, content: bytes) -> CharacterRow:
        """Make a file the portrait of one's own character; the one before goes. The same again changes
        nothing.

        Raises:
            NotFound, Forbidden: it is not the viewer's.
            Problem: ``UNSUPPORTED_MEDIA_TYPE``, ``BODY_TOO_LARGE``.
            InvalidInput: the picture is broken, too small or too large.
            Unavailable: what reads pictures, or the storage, does not answer.
        """
        seen = owned(await self._characters.seen(viewer, character, "character"), viewer, "character")
        if len(content) > MAX_BYTES:
            raise Problem("BODY_TOO_LARGE", f"A portrait can have {MAX_BYTES:,} bytes at most.", ["body"])
        if format_of(content) is None:
            raise Problem("UNSUPPORTED_MEDIA_TYPE", "A portrait is a PNG, JPEG or WebP file.", ["body"])
        made = await self._made(viewer, content)
        if _is_of(seen, made):
            return seen
        version = made.named()
        files = {key_of(character, version, name): made.files[name] for name in FILES}
        async with (
            storing(self._storage, files, lambda: self._named(character)),
            self._database.write() as session,
        ):
            row = await held(session, seen, "character")
            if not _is_of(row, made):
                deed = Deed(HistoryKind.PORTRAIT, viewer.account, SET)
                await keep_portrait(session, row, version, deed, self._clock())
            return row

    async def remove(self, viewer: Viewer, character: str) -> CharacterRow:
        """Remove the portrait of one's own character, if it has one.

        Raises:
            NotFound, Forbidden: it is not the viewer's.
        """
        seen = owned(await self._characters.seen(viewer, character, "character"), viewer, "character")
        async with self._database.write() as session:
            row = await held(session, seen, "character")
            if row.portrait is not None:
                deed = Deed(HistoryKind.PORTRAIT, viewer.account, REMOVED)
                await keep_portrait(session, row, None, deed, self._clock())
            return row

    async def versions(self, viewer: Viewer, characters: Sequence[str]) -> dict[str, str]:
        """Return the versions of the portraits that the viewer may see, by character."""
        found = await self._characters.characters(viewer, characters)
        rows = (row for row in found.values() if isinstance(row, CharacterRow))
        return {row.id: row.portrait for row in rows if row.portrait is not None}

    async def read(
        self,
        viewer: Viewer,
        character: str,
        name: str,
        if_none_match: str | None = None,
        *,
        linked: bool = False,
    ) -> PortraitFile | None:
        """Read a portrait in one of its sizes; None where there is none, or not for the viewer.

        Args:
            viewer: who asks.
            character: its id.
            name: one of ``FILES``.
            if_none_match: the entity tags of what they have already.
            linked: whether a link will do.

        Raises:
            Unavailable: nobody knows whether they may see the character, or the storage does not answer.
        """
        row = await self._characters.character(viewer, character) if name in FILES else None
        if row is None or row.portrait is None:
            return None
        tag = f"{row.portrait}-{name}"
        if matches(if_none_match, f'"{tag}"'):
            return PortraitFile(tag, None)
        key = key_of(row.id, row.portrait, name)
        if linked and (link := await self._storage.link(key)) is not None:
            return PortraitFile(tag, None, link)
        content = await self._storage.get(key)
        return None if content is None else PortraitFile(tag, content)

    async def _made(self, viewer: Viewer, content: bytes) -> Portrait:
        try:
            made = await self._workers.run(viewer.account, make_portrait, content)
        except (OutOfTime, OutOfMemory) as error:
            raise InvalidInput.single(
                "PORTRAIT_UNREADABLE", "The picture is too much work to read.", "body"
            ) from error
        except WorkerError as error:
            raise Unavailable.of("character") from error
        if isinstance(made, Issue):
            raise InvalidInput([made])
        return made

    async def _named(self, character: str) -> set[str]:
        row = await self._characters.existing(character)
        return set() if row is None else keys_of(row)


def _is_of(row: CharacterRow, made: Portrait) -> bool:
    return row.portrait is not None and row.portrait.startswith(f"{made.digest}-")
