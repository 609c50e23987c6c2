"""What a table has chosen about its dice: whose notation it writes."""

from __future__ import annotations

from dataclasses import dataclass

from services.dice.library.lexicons import Lexicons
from services.dice.library.models import TableSettingsRow
from services.dice.library.repository import Words
from services.dice.library.requests import SetDiceDialect
from services.rules.dice.notation import Dialect
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.merging import merge_field
from services.shared.policy import Policy, Right


@dataclass(frozen=True, slots=True)
class DiceSettings:
    """The settings of a place.

    Attributes:
        place: the campaign, or else the account.
        dialect: whose notation is written there.
        version: counts the edits, from 1: before the first one too.
    """

    place: str
    dialect: Dialect = Dialect.HEARTHFORGE
    version: int = 1

    @classmethod
    def of(cls, place: str, row: TableSettingsRow | None) -> DiceSettings:
        """Read a row, or what holds before there is one."""
        return cls(place) if row is None else cls(place, Dialect[row.dialect], row.version)


class TableSettings:
    """The use cases of a table's settings.

    Args:
        database: where they are kept.
        clock: the present moment.
        policy: who may do what.
        lexicons: told of each change.
    """

    def __init__(self, database: Database, clock: Clock, policy: Policy, lexicons: Lexicons) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._lexicons = lexicons

    async def at(self, viewer: Viewer, campaign: str | None) -> DiceSettings | None:
        """Return the settings of a campaign, or the viewer's own; None for who is no member.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None:
            return None
        async with self._database.read() as session:
            return DiceSettings.of(seat.place, await Words(session).settings(seat.place))

    async def set_dialect(
        self, viewer: Viewer, asked: SetDiceDialect, key: str | None = None
    ) -> DiceSettings:
        """Choose whose notation is written, as a GM for the table or for oneself.

        Raises:
            NotFound: no member of the campaign.
            Forbidden: no GM of it.
            VersionConflict: the settings were changed since.
            IdempotencyConflict: the key was used for another request.
            Unavailable: nobody knows who the GMs are.
        """
        seat = await self._policy.seat(viewer, asked.campaign_id, Right.RUN)
        async with (
            self._database.write() as session,
            once(session, viewer, key, asked, self._clock()) as done,
        ):
            words = Words(session)
            await words.take_turn(seat.place)
            row = await words.settings(seat.place)
            if not done.before:
                known = DiceSettings.of(seat.place, row)
                yours, theirs = asked.dialect.name, known.dialect.name
                done.answer = seat.place
                if not merge_field(asked.version, known.version, "dialect", yours, theirs):
                    return known
                row = row or TableSettingsRow(place=seat.place)
                row.dialect, row.version = asked.dialect.name, known.version + 1
                words.add(row)
        self._lexicons.forget(seat.place)
        return DiceSettings.of(seat.place, row)
