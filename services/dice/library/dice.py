"""A table's own dice: `3dboon`.

A roll keeps the faces it was made with, so a change is for later rolls only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.dice.library.checks import MAX_DICE, crowding_issues, die_name_issues, face_issues, full, taken
from services.dice.library.lexicons import Lexicons, OwnDice, faces_of, written
from services.dice.library.repository import Words
from services.dice.library.rights import Seat, for_gms, seat, seat_at
from services.dice.models import IDEMPOTENCY, TableDieRow
from services.rules.dice.pool import Face
from services.shared.access import AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
    VersionConflict,
)


@dataclass(frozen=True, slots=True)
class NewDie:
    """A die to be defined.

    Attributes:
        name: what the notation calls it behind the `d`.
        faces: in order.
        campaign: id of the campaign at whose table it is known; None for the account's own place.
        idempotency_key: the same key gives the same die.
    """

    name: str
    faces: tuple[Face, ...]
    campaign: str | None = None
    idempotency_key: str | None = None


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
        access: knows the members of campaigns.
        lexicons: told of each change.
        named: the dice of the games, whose names are taken everywhere.
    """

    def __init__(
        self, database: Database, clock: Clock, access: AccessSource, lexicons: Lexicons, named: OwnDice
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._lexicons = lexicons
        self._named = named

    async def at(self, viewer: Viewer, campaign: str | None) -> list[TableDie] | None:
        """Read the dice of a campaign, or the viewer's own, by name; None for who is no member.

        Raises:
            PeerUnavailable: nobody knows whether the viewer is a member.
        """
        seated = await seat(self._access, viewer, campaign)
        if seated is None:
            return None
        async with self._database.read() as session:
            return [TableDie.of(row) for row in await Words(session).dice(seated.place)]

    async def define(
        self, viewer: Viewer, new: NewDie
    ) -> TableDie | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable:
        """Define a die, as a GM for the table or for oneself."""
        try:
            seated = await seat(self._access, viewer, new.campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if seated is None:
            return NotFound.of("campaign", "campaignId")
        refusal = for_gms(seated, "campaignId")
        if refusal is not None:
            return refusal
        issues = [*die_name_issues(new.name, self._named), *face_issues(new.faces)]
        if issues:
            return InvalidInput.of(issues)
        made = await self._keep(seated, new)
        self._lexicons.forget(seated.place)
        return made

    async def _keep(
        self, seated: Seat, new: NewDie
    ) -> TableDie | InvalidInput | NotFound | IdempotencyConflict:
        moment = self._clock()
        faces = written(new.faces)
        request = {"die": [new.campaign, new.name, faces]}
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(seated.place)
            claimed = await claim(session, IDEMPOTENCY, seated.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                known = await words.die(claimed.answer)
                return NotFound.of("die", "idempotencyKey") if known is None else TableDie.of(known)
            issues = _crowding(await words.dice(seated.place), new)
            if issues:
                return InvalidInput.of(issues)
            row = TableDieRow(
                id=new_id("die"),
                place=seated.place,
                name=new.name,
                faces=faces,
                created_by=seated.account,
                created_at=moment,
            )
            words.add(row)
            await remember(session, IDEMPOTENCY, seated.account, new.idempotency_key, row.id)
        return TableDie.of(row)

    async def change(
        self, viewer: Viewer, die: str, version: int, faces: tuple[Face, ...]
    ) -> TableDie | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable:
        """Give a die other faces, from the version that was seen."""
        place = await self._place_for_change(viewer, die)
        if not isinstance(place, str):
            return place
        issues = face_issues(faces)
        if issues:
            return InvalidInput.of(issues)
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(place)
            row = await words.die(die)
            if row is None:
                return NotFound.of("die", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            others = [one for one in await words.dice(place) if one.id != die]
            issues = _face_crowding(others, faces)
            if issues:
                return InvalidInput.of(issues)
            row.faces = written(faces)
            row.version += 1
            words.add(row)
        self._lexicons.forget(place)
        return TableDie.of(row)

    async def forget(
        self, viewer: Viewer, die: str, version: int
    ) -> str | NotFound | Forbidden | VersionConflict | Unavailable:
        """Forget a die, from the version that was seen; rolls that were made with it keep it."""
        place = await self._place_for_change(viewer, die)
        if not isinstance(place, str):
            return place
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(place)
            row = await words.die(die)
            if row is None:
                return NotFound.of("die", "id")
            if row.version != version:
                return VersionConflict.between(version, row.version, "version")
            await words.remove(row)
        self._lexicons.forget(place)
        return die

    async def _place_for_change(self, viewer: Viewer, die: str) -> str | NotFound | Forbidden | Unavailable:
        """Find where a die belongs, if the viewer may change it there."""
        if not is_id(die, "die"):
            return NotFound.of("die", "id")
        async with self._database.read() as session:
            row = await Words(session).die(die)
        try:
            seated = None if row is None else await seat_at(self._access, viewer, row.place)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if seated is None:
            return NotFound.of("die", "id")
        return for_gms(seated, "id") or seated.place


def _crowding(known: Sequence[TableDieRow], new: NewDie) -> list[Issue]:
    """Find what speaks against one more die beside those that are there."""
    if any(die.name == new.name for die in known):
        return [taken(new.name)]
    if len(known) >= MAX_DICE:
        return [full(MAX_DICE, "dice")]
    return _face_crowding(known, new.faces)


def _face_crowding(others: Sequence[TableDieRow], faces: Sequence[Face]) -> list[Issue]:
    return crowding_issues(len(faces), sum(len(faces_of(die)) for die in others))
