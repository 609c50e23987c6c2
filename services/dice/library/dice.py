"""A table's own dice: `3dboon`.

A roll keeps the faces it was made with, so a change is for later rolls only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from services.dice.library.checks import MAX_DICE, crowding_issues, die_name_issues, face_issues, full, taken
from services.dice.library.lexicons import Lexicons, OwnDice, faces_of, written
from services.dice.library.models import TableDieRow
from services.dice.library.repository import Words
from services.dice.library.requests import ChangeDie, DefineDie, ForgetDie
from services.rules.dice.pool import Face
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import answered, once
from services.shared.ids import is_id, new_id
from services.shared.merging import merge_field
from services.shared.policy import Policy, Right
from services.shared.problems import InvalidInput, Issue, NotFound, VersionConflict


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die of a table's own.

    Attributes:
        id: prefixed ``die``.
        place: the campaign, or else the account.
        name: what the notation calls it behind the `d`.
        faces: in order.
        version: counts the edits, from 1.
        created_by: id of the account that defined it.
        created_at: when.
    """

    id: str
    place: str
    name: str
    faces: tuple[Face, ...]
    version: int
    created_by: str
    created_at: datetime

    @classmethod
    def of(cls, row: TableDieRow) -> TableDie:
        """Read a row."""
        return cls(row.id, row.place, row.name, faces_of(row), row.version, row.created_by, row.created_at)


class TableDice:
    """The use cases of a table's own dice.

    Args:
        database: where they are kept.
        clock: the present moment.
        policy: who may do what.
        lexicons: told of each change.
        named: the dice of the games, whose names are taken everywhere.
    """

    def __init__(
        self, database: Database, clock: Clock, policy: Policy, lexicons: Lexicons, named: OwnDice
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._lexicons = lexicons
        self._named = named

    async def at(self, viewer: Viewer, campaign: str | None) -> list[TableDie] | None:
        """Return the dice of a campaign, or the viewer's own, by name; None for who is no member.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None:
            return None
        async with self._database.read() as session:
            return [TableDie.of(row) for row in await Words(session).dice(seat.place)]

    async def define(self, viewer: Viewer, asked: DefineDie, key: str | None = None) -> TableDie:
        """Define a die, as a GM for the table or for oneself.

        Raises:
            InvalidInput: its name or faces break rules, or there is no room for it.
            NotFound: no member of the campaign, or the die that the key made is gone.
            Forbidden: no GM of it.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who the GMs are.
        """
        check(asked, *die_name_issues(asked.name, self._named), *face_issues(asked.faces))
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.RUN)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            words = Words(session)
            await words.take_turn(seat.place)
            if not done.before:
                InvalidInput.check(*_crowding(await words.dice(seat.place), asked))
                done.answer = new_id("die")
                words.add(
                    TableDieRow(
                        id=done.answer,
                        place=seat.place,
                        name=asked.name,
                        faces=written(asked.faces),
                        created_by=seat.account,
                        created_at=moment,
                    )
                )
            row = await self._row(words, done.answer or "", "idempotencyKey")
        self._lexicons.forget(seat.place)
        return TableDie.of(row)

    async def change(self, viewer: Viewer, asked: ChangeDie, key: str | None = None) -> TableDie:
        """Give a die other faces, as a GM of its table or as its owner.

        Raises:
            InvalidInput: the faces break rules, or there is no room for them.
            NotFound: no such die.
            Forbidden: no GM of its table.
            VersionConflict: it was changed since.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who the GMs are.
        """
        check(asked, *face_issues(asked.faces))
        place = await self._place_for_change(viewer, asked.id)
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            words = Words(session)
            await words.take_turn(place)
            row = await self._row(words, asked.id)
            if not done.before:
                yours, theirs = ([asdict(face) for face in faces] for faces in (asked.faces, faces_of(row)))
                done.answer = row.id
                if not merge_field(asked.version, row.version, "faces", yours, theirs):
                    return TableDie.of(row)
                others = [one for one in await words.dice(place) if one.id != asked.id]
                InvalidInput.check(*_face_crowding(others, asked.faces))
                row.faces = written(asked.faces)
                row.version += 1
                words.add(row)
        self._lexicons.forget(place)
        return TableDie.of(row)

    async def forget(self, viewer: Viewer, asked: ForgetDie, key: str | None = None) -> str:
        """Forget a die, as a GM of its table or as its owner; rolls that were made with it keep it.

        Returns:
            Its id.

        Raises:
            NotFound: no such die.
            Forbidden: no GM of its table.
            VersionConflict: it was changed since.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who the GMs are.
        """
        try:
            place = await self._place_for_change(viewer, asked.id)
        except NotFound:
            # It may be this very request that it is gone by.
            async with self._database.read() as session:
                if await answered(session, viewer, key, asked, self._clock()) is None:
                    raise
            return asked.id
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            words = Words(session)
            await words.take_turn(place)
            if not done.before:
                row = await self._row(words, asked.id)
                VersionConflict.check(asked.version, row.version)
                await words.remove(row)
                done.answer = row.id
        self._lexicons.forget(place)
        return asked.id

    async def _row(self, words: Words, die: str, *path: str) -> TableDieRow:
        """Read a die that must be there."""
        row = await words.die(die)
        if row is None:
            raise NotFound.of("die", *(path or ("id",)))
        return row

    async def _place_for_change(self, viewer: Viewer, die: str) -> str:
        """Find where a die belongs, which the viewer must be allowed to change there."""
        if not is_id(die, "die"):
            raise NotFound.of("die", "id")
        async with self._database.read() as session:
            row = await self._row(Words(session), die)
        seat = await self._policy.seat_at(viewer, row.place)
        if seat is None:
            raise NotFound.of("die", "id")
        return seat.demand(Right.RUN, "id").place


def _crowding(known: Sequence[TableDieRow], asked: DefineDie) -> list[Issue]:
    """Find what speaks against one more die beside those that are there."""
    if any(die.name == asked.name for die in known):
        return [taken(asked.name)]
    if len(known) >= MAX_DICE:
        return [full(MAX_DICE, "dice")]
    return _face_crowding(known, asked.faces)


def _face_crowding(others: Sequence[TableDieRow], faces: Sequence[Face]) -> list[Issue]:
    return crowding_issues(len(faces), sum(len(faces_of(die)) for die in others))
