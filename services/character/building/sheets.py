"""Sheets as they are just now: what running scenes have changed so far is in them.

What a player chose stays what it is until a scene is over. A sheet is built from it with the changes of the
scenes that the character takes part in, when it is read; so it follows each move, each move taken back, and
each edit. Who plays the character, and who runs the scene's table, sees all of it; the others at that table
what everybody there may know.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson
import structlog

from services.character.building import tasks
from services.character.building.models import CharacterRow
from services.character.building.repository import CharacterHead
from services.character.building.service import CharacterService
from services.character.history.repository import SceneChanges
from services.character.history.scene_changes import SceneChange, changed_sheet, with_changes
from services.character.packs.editions import Cost, Editions, refs_of
from services.rules.engine.codec import CodecError
from services.rules.engine.forms import published
from services.rules.engine.sheet import SheetBase, variables
from services.rules.engine.system import AnySystem
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.entity_tags import matches
from services.shared.policy import Policy

PRINTING = Cost(alone=1.0, per_entry=0.001)
BUILDING = Cost(alone=4.0)
FORM = 2
"""Which form is published, beside the versions of the games' own; part of entity tags."""

MARK = 12
"""Characters of what tells a sheet from that of the same version without the changes of scenes."""

Changes = tuple[SceneChange, ...]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SheetDocument:
    """A sheet in its JSON form.

    Attributes:
        document: type, version and data, as ``sheet-<game>.schema.json`` describes them, or as they are
            stored; none where the viewer has it.
        etag: strong entity tag; another one for each edit, for what a running scene changes, and for each
            version of the form.
    """

    document: Mapping[str, Any] | None
    etag: str


class Sheets:
    """Reads sheets.

    Args:
        database: where characters are kept.
        policy: knows the tables of a viewer.
        editions: makes and asks the games.
        characters: knows who sees them.
    """

    def __init__(
        self, database: Database, policy: Policy, editions: Editions, characters: CharacterService
    ) -> None:
        self._database = database
        self._policy = policy
        self._editions = editions
        self._characters = characters

    async def changes(self, viewer: Viewer, owners: Mapping[str, str]) -> dict[str, Changes]:
        """Read what running scenes have changed so far about characters, as a viewer may know it.

        Args:
            viewer: who asks.
            owners: the account of each character that they see, by its id.

        Returns:
            The changes of each character that has any, in the order in which the scenes began.
        """
        async with self._database.read() as session:
            rows = await SceneChanges(session).unsettled(list(owners))
        if not rows:
            return {}
        foreign = {row.campaign for row in rows if owners[row.character] != viewer.account}
        access = Access(viewer.account)
        if foreign:
            access = await self._policy.own_at_least(viewer, campaigns=sorted(foreign))
        found: dict[str, Changes] = {}
        for row in rows:
            own = owners[row.character] == viewer.account or access.runs(row.campaign)
            known = row.own if own else row.shown if row.campaign in access.roles else None
            if known is not None:
                change = SceneChange(row.scene, row.system, known["data"], known["text"])
                found[row.character] = (*found.get(row.character, ()), change)
        return found

    async def sheet(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> SheetBase | None:
        """Returns a character's sheet; None when its game, or its newer form, is not known here.

        Args:
            viewer: who asks.
            row: the character.
            changes: those of running scenes, as the viewer may know them.
        """
        system = self._editions.systems.get(row.system)
        return None if system is None else _read(system, row, await self._now(viewer, row, changes))

    async def card(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> Any | None:
        """Returns a character's card, in the type of its game; None where it has none, or no sheet."""
        system = self._editions.systems.get(row.system)
        document = await self._now(viewer, row, changes)
        if system is None or _read(system, row, document) is None:
            return None
        return await self._editions.ask_of(viewer, row, PRINTING, tasks.card, document)

    async def document(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> SheetDocument | None:
        """Returns a sheet in its published JSON form; None as for the sheet.

        Args:
            viewer: who asks.
            row: the character.
            changes: those of running scenes, as the viewer may know them.
        """
        system = self._editions.systems.get(row.system)
        document = await self._stored(viewer, row, changes)
        if system is None or document is None:
            return None
        return SheetDocument(published_sheet(system, document), _etag(system, row, changes))

    async def _stored(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> Mapping[str, Any] | None:
        """The document of a sheet in the newest version of its form; None as for the sheet."""
        system = self._editions.systems.get(row.system)
        if system is None:
            return None
        document = await self._now(viewer, row, changes)
        if document.get("version") == system.sheet_codec.version:
            return document
        sheet = _read(system, row, document)
        return None if sheet is None else system.sheet_codec.dump(sheet)

    async def variables(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> dict[str, int] | None:
        """Returns the numbers of a sheet that dice notation can name; None as for the sheet."""
        sheet = await self.sheet(viewer, row, changes)
        return None if sheet is None else variables(sheet)

    async def document_of(
        self, viewer: Viewer, character: str, if_none_match: str | None = None
    ) -> SheetDocument | None:
        """Returns the sheet of a character as ``document`` does; None too when the viewer may not see it.

        Args:
            viewer: who asks.
            character: its id.
            if_none_match: the entity tags of the forms that the viewer has; where the newest is among them,
                the sheet is neither read nor made.
        """
        held = None if if_none_match is None else await self._held(viewer, character, if_none_match)
        if held is not None:
            return held
        found = await self._seen(viewer, character)
        return None if found is None else await self.document(viewer, *found)

    async def _held(self, viewer: Viewer, character: str, if_none_match: str) -> SheetDocument | None:
        """The tag of the newest sheet where the viewer may see it and has it: known from its version and what
        they may know of running scenes.
        """
        head = await self._characters.head(viewer, character)
        system = None if head is None else self._editions.systems.get(head.system)
        if head is None or system is None:
            return None
        changes = (await self.changes(viewer, {head.id: head.owner})).get(head.id, ())
        etag = _etag(system, head, changes)
        return SheetDocument(None, etag) if matches(if_none_match, etag) else None

    async def stored_of(self, viewer: Viewer, character: str) -> Mapping[str, Any] | None:
        """Returns the document of a character's sheet as its codec reads it; None as ``document_of`` does."""
        found = await self._seen(viewer, character)
        return None if found is None else await self._stored(viewer, *found)

    async def build_of(
        self, viewer: Viewer, character: str, without: Collection[str] = ()
    ) -> Mapping[str, Any] | None:
        """Read what a character's sheet is built from just now.

        Args:
            viewer: who asks.
            character: its id.
            without: ids of running scenes whose changes are left out: those that are played on from where
                they stand tell all that they have changed, from their beginning on.

        Returns:
            ``sheet`` and ``choices``, documents with what running scenes have changed, and ``packs``: id,
            version, name and ``document`` of each that they are built under, in order. ``choices`` is None
            where a pack is gone: then nothing can be built. None as ``document_of`` does.
        """
        found = await self._seen(viewer, character)
        if found is None or found[0].system not in self._editions.systems:
            return None
        row = found[0]
        changes = tuple(change for change in found[1] if change.scene not in without)
        built = None
        if changes:
            built = await self._editions.ask_of(viewer, row, BUILDING, with_changes, row.choices, changes)
        source = row if built is None else built
        held = await self._editions.documents(refs_of(row))
        packs = [{**pack, "document": document} for pack, document in zip(row.packs, held, strict=True)]
        choices = None if None in held else source.choices
        return {"sheet": source.sheet, "choices": choices, "packs": packs}

    async def variables_of(self, viewer: Viewer, character: str) -> dict[str, int] | None:
        """Returns the numbers of a character's sheet; None too when the viewer may not see it."""
        found = await self._seen(viewer, character)
        return None if found is None else await self.variables(viewer, *found)

    async def _seen(self, viewer: Viewer, character: str) -> tuple[CharacterRow, Changes] | None:
        """A character that the viewer may see, with what running scenes have changed about it."""
        row = await self._characters.character(viewer, character)
        if row is None:
            return None
        return row, (await self.changes(viewer, {row.id: row.owner})).get(row.id, ())

    async def _now(self, viewer: Viewer, row: CharacterRow, changes: Changes) -> Mapping[str, Any]:
        """The document of a sheet with the changes of scenes; without those that cannot be built."""
        if not changes or row.system not in self._editions.systems:
            return row.sheet
        found = await self._editions.ask_of(viewer, row, BUILDING, changed_sheet, row.choices, changes)
        return row.sheet if found is None else found


def published_sheet(system: AnySystem, document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the newest document of a sheet in the form that ``sheet-<game>.schema.json`` describes."""
    return {**document, "data": published(system.sheet_codec.type, document["data"])}


def _etag(system: AnySystem, row: CharacterRow | CharacterHead, changes: Changes) -> str:
    return f'"{row.id}-{version_of(row, changes)}-{system.sheet_codec.version}.{FORM}"'


def version_of(row: CharacterRow | CharacterHead, changes: Changes) -> str:
    """Returns what tells one sheet of a character from another: its version, and a mark for what running
    scenes have changed.
    """
    if not changes:
        return str(row.version)
    told = [[change.scene, change.data] for change in changes]
    mark = sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()[:MARK]
    return f"{row.version}.{mark}"


def _read(system: AnySystem, row: CharacterRow, document: Mapping[str, Any]) -> SheetBase | None:
    try:
        sheet: SheetBase = system.sheet_codec.load(document)
    except CodecError as error:
        log.error("character_unreadable", character=row.id, part="sheet", reason=str(error))
        return None
    return sheet
