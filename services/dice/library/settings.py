"""What a table has chosen about its dice: whose notation it writes."""

from __future__ import annotations

from dataclasses import dataclass

from services.dice.library.lexicons import Lexicons
from services.dice.library.repository import Words
from services.dice.library.rights import for_gms, seat
from services.dice.models import TableSettingsRow
from services.rules.dice.notation import Dialect
from services.shared.access import AccessSource
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.peers import PeerUnavailable
from services.shared.problems import Forbidden, NotFound, Unavailable, VersionConflict


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
        access: knows the members of campaigns.
        lexicons: told of each change.
    """

    def __init__(self, database: Database, access: AccessSource, lexicons: Lexicons) -> None:
        self._database = database
        self._access = access
        self._lexicons = lexicons

    async def at(self, viewer: Viewer, campaign: str | None) -> DiceSettings | None:
        """Read the settings of a campaign, or the viewer's own; None for who is no member.

        Raises:
            PeerUnavailable: nobody knows whether the viewer is a member.
        """
        seated = await seat(self._access, viewer, campaign)
        if seated is None:
            return None
        async with self._database.read() as session:
            return DiceSettings.of(seated.place, await Words(session).settings(seated.place))

    async def set_dialect(
        self, viewer: Viewer, campaign: str | None, dialect: Dialect, version: int
    ) -> DiceSettings | NotFound | Forbidden | VersionConflict | Unavailable:
        """Choose whose notation is written, from the version that was seen."""
        try:
            seated = await seat(self._access, viewer, campaign)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        if seated is None:
            return NotFound.of("campaign", "campaignId")
        refusal = for_gms(seated, "campaignId")
        if refusal is not None:
            return refusal
        async with self._database.write() as session:
            words = Words(session)
            await words.take_turn(seated.place)
            row = await words.settings(seated.place)
            known = DiceSettings.of(seated.place, row)
            if known.version != version:
                return VersionConflict.between(version, known.version, "version")
            row = row or TableSettingsRow(place=seated.place)
            row.dialect, row.version = dialect.name, version + 1
            words.add(row)
        self._lexicons.forget(seated.place)
        return DiceSettings.of(seated.place, row)
