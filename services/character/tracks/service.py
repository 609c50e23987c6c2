"""Moving tracks of characters outside scenes, and resting."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.character.building.builds import (
    MAX_CHOICES_BYTES,
    MAX_ISSUES,
    TOO_LARGE,
    Built,
    document_issues,
    issue,
)
from services.character.building.edits import editing, keep_anew
from services.character.building.models import CharacterRow
from services.character.building.service import CharacterService
from services.character.history.lines import Deed, HistoryKind
from services.character.history.repository import SceneChanges
from services.character.packs.editions import Cost, Edition, Editions, refs_of
from services.character.tracks import tasks
from services.character.tracks.dice import Poster, draw
from services.character.tracks.requests import MoveCharacterTracks, RestCharacter
from services.rules.engine.codec import CodecError
from services.rules.engine.play import Faces, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused
from services.rules.engine.tracks import AnyTracks, RestAction
from services.rules.engine.wording import listed
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered
from services.shared.policy import Policy
from services.shared.problems import Forbidden, InvalidInput, VersionConflict
from services.shared.wording import clipped

OFFERING = Cost(alone=3.0)


class TrackService:
    """The use cases of tracks and rests.

    Args:
        database: where characters are kept.
        clock: the present moment.
        policy: knows at which tables characters sit.
        editions: the games, alone and with packs in them.
        characters: knows who sees them, and reads them.
        dice: the dice service; None where none is there.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: Policy,
        editions: Editions,
        characters: CharacterService,
        dice: Poster | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._editions = editions
        self._characters = characters
        self._dice = dice

    def of(self, row: CharacterRow) -> AnyTracks | None:
        """Return the tracks of a character's game; None where the game is not installed any more."""
        system = self._editions.systems.get(row.system)
        return None if system is None else system.tracks

    async def rest_actions(self, viewer: Viewer, row: CharacterRow) -> dict[str, tuple[RestAction, ...]]:
        """Return what a character can do at each rest of its game; nothing where the game cannot be made."""
        if self.of(row) is None:
            return {}
        return await self._editions.ask_of(viewer, row, OFFERING, tasks.rest_actions, row.sheet) or {}

    async def move(self, viewer: Viewer, asked: MoveCharacterTracks, key: str | None) -> CharacterRow:
        """Move tracks of a character outside scenes, from the version that was seen; all of them, or none.

        It is not built anew: whatever else was chosen for it stays as it is.

        Args:
            viewer: its owner, or a GM of the table where it sits.
            asked: which tracks, and where to.
            key: idempotency key.

        Raises:
            NotFound, Forbidden: the viewer may not do this.
            VersionConflict: it was changed since the viewer looked.
            InvalidInput: the game has no such track, or it cannot stand there; or a scene leads it.
            Unavailable: nobody knows what the viewer may do.
        """
        check(asked)
        seen = await self._to_edit(viewer, asked.character_id)
        await self._editions.make_ready(viewer, seen, seen.system)
        moment, reason = self._clock(), asked.reason.strip()
        async with editing(self._database, viewer, asked, key, seen, moment) as (session, row, before):
            if before:
                return row
            await _refuse_in_scenes(session, row)
            edition = await self._edition(row, session)
            choices, sheet = self._read(edition, row)
            system = edition.system
            moved = system.tracks.move(choices, sheet, asked.moves, reason, system.content)
            if isinstance(moved, Problems):
                raise InvalidInput([issue(each, []) for each in moved.items[:MAX_ISSUES]])
            after, changed, what = moved
            words = f" ({reason})" if reason else ""
            deed = Deed(HistoryKind.TRACKS, viewer.account, listed([each.text for each in what]) + words)
            return await keep_anew(session, row, _built(edition, row, after, changed), deed, moment)

    async def rest(self, viewer: Viewer, asked: RestCharacter, key: str | None) -> CharacterRow:
        """Let a character rest outside scenes, from the version that was seen; the book's dice fall.

        Raises as ``move``; Unavailable too where the dice service does not answer.
        """
        check(asked)
        seen = await self._to_edit(viewer, asked.character_id)
        moment = self._clock()
        async with self._database.read() as session:
            if await answered(session, viewer, key, asked, moment) is not None:
                return seen
            VersionConflict.check(asked.version, seen.version)
            await _refuse_in_scenes(session, seen)
        edition = await self._edition(seen, viewer=viewer)
        choices, sheet = self._read(edition, seen)
        taken = edition.system.tracks.find_rest(asked.rest)
        if taken is None:
            raise _unknown_rest(edition.system.tracks, asked.rest)
        try:
            run = taken.take(choices, sheet, asked.actions, edition.system.content)
            after = await self._thrown(viewer, seen, run)
        except Refused as refused:
            raise InvalidInput([issue(each, []) for each in refused.problems]) from refused
        changed = edition.system.tracks.sheet(sheet, after, edition.system.content)
        labels = {each.key: each.label for each in taken.actions(sheet, edition.system.content)}
        note = listed([taken.rest.name, *(labels[each.key] for each in asked.actions)])
        built = _built(edition, seen, after, changed)
        async with editing(self._database, viewer, asked, key, seen, moment) as (session, row, before):
            if before:
                return row
            await _refuse_in_scenes(session, row)
            return await keep_anew(
                session, row, built, Deed(HistoryKind.RESTED, viewer.account, note), moment
            )

    async def _thrown(
        self, viewer: Viewer, row: CharacterRow, run: Generator[tuple[Roll, ...], Faces, Any]
    ) -> Any:
        """Let the dice of a rest fall, step by step, and return the choices after it."""
        campaign: str | None = None
        step = 0
        try:
            rolls = next(run)
            access = await self._policy.access(viewer, characters=[row.id])
            campaign = access.characters.get(row.id)
            while True:
                faces = await draw(self._dice, viewer, row.id, campaign, f"{row.version}:{step}", rolls)
                step += 1
                rolls = run.send(faces)
        except StopIteration as done:
            return done.value

    async def _to_edit(self, viewer: Viewer, character: str) -> CharacterRow:
        """Read a character that the viewer plays, or runs the table of."""
        seen = await self._characters.seen(viewer, character)
        if seen.owner != viewer.account:
            access = await self._policy.access(viewer, characters=[seen.id])
            if not access.runs_table_of(seen.id):
                text = "Only its player, or a GM of the table where it sits, may do this."
                raise Forbidden.because(text, "characterId")
        return seen

    async def _edition(
        self, row: CharacterRow, session: AsyncSession | None = None, viewer: Viewer | None = None
    ) -> Edition:
        """Return what a character was built by; what keeps it from being made is told of the character."""
        try:
            return await self._editions.edition(row.system, refs_of(row), session, viewer)
        except InvalidInput as refused:
            issues = [replace(broken, path=["characterId"]) for broken in refused.issues]
            raise InvalidInput(issues) from refused

    def _read(self, edition: Edition, row: CharacterRow) -> tuple[Any, Any]:
        """Return the choices and the sheet of a character."""
        try:
            system = edition.system
            return system.choices_codec.load(row.choices), system.sheet_codec.load(row.sheet)
        except CodecError as error:
            text = "The game cannot read this character any more."
            raise InvalidInput.single("CHARACTER_UNREADABLE", text, "characterId") from error


def _built(edition: Edition, row: CharacterRow, choices: Any, sheet: Any) -> Built:
    """Return what is kept of a character with other choices and their sheet.

    Raises:
        InvalidInput: the choices do not fit.
    """
    document = edition.system.choices_codec.dump(choices)
    InvalidInput.check(*document_issues(document["data"], MAX_CHOICES_BYTES, TOO_LARGE, ["characterId"]))
    sheet_document = edition.system.sheet_codec.dump(sheet)
    return Built(row.system, row.name, document, sheet_document, edition.packs)


def _unknown_rest(tracks: AnyTracks, key: str) -> InvalidInput:
    known = ", ".join(each.rest.key for each in tracks.rests)
    text = "The game has no such rest." if known else "The rules of this game have no rests."
    return InvalidInput.single("REST_UNKNOWN", text, "rest", found=clipped(key), allowed=known)


async def _refuse_in_scenes(session: AsyncSession, row: CharacterRow) -> None:
    """Refuse to change a character of which a scene has already told changes: its end would undo the edit.

    Raises:
        InvalidInput: naming the scene.
    """
    rows = await SceneChanges(session).unsettled([row.id])
    if rows:
        text = "A scene leads this character; change it there, or when the scene is over."
        raise InvalidInput.single("SCENE_LEADS", text, "characterId", found=rows[0].scene)
