"""Who comes to a table and who leaves it, told to what games keep of the campaign.

All of it belongs to the caller's unit of work, which holds the campaign: nobody comes between the beginning
of a state and its commit. A state is held before anything is written into the campaign's log, in the order in
which a move holds both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.models import Scene
from services.campaign.scenes.repository import Scenes
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.codec import CodecError

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A character that comes to a table.

    Attributes:
        id: of the character.
        system: slug of its game.
        sheet: the document of its sheet.
    """

    id: str
    system: str
    sheet: Mapping[str, Any]


def keeps_campaigns(games: Games, system: str) -> bool:
    """Tell whether a game keeps a state of campaigns."""
    return system + SUFFIX in games


class Roster:
    """Tells what games keep of campaigns.

    Args:
        session: the unit of work.
        games: the games that are played here.
        moment: the present moment.
    """

    def __init__(self, session: AsyncSession, games: Games, moment: datetime) -> None:
        self._session = session
        self._scenes = Scenes(session)
        self._games = games
        self._moment = moment

    async def joined(self, campaign: str, newcomer: Newcomer, author: Author) -> None:
        """Tell the state that a character's game keeps of a campaign that the character has come."""
        system = newcomer.system + SUFFIX
        if system not in self._games:
            return
        try:
            self._games[system].sheet_codec.load(newcomer.sheet)
        except CodecError as error:
            log.warning("newcomer_unreadable", character=newcomer.id, reason=str(error))
            return
        for own in await self._held(campaign, [system]):
            await self._ledger(own).came(author, newcomer.id, newcomer.sheet)

    async def left(self, campaign: str, character: str, author: Author) -> None:
        """Tell each state of a campaign in which a character takes part that it has left the table."""
        for own in await self._held(campaign, [slug for slug in self._games if slug.endswith(SUFFIX)]):
            await self._ledger(own).went(author, character)

    async def _held(self, campaign: str, systems: Sequence[str]) -> list[Scene]:
        """The states of these games that run in a campaign, held until the unit of work ends."""
        found = []
        for own in await self._scenes.kept(campaign, systems):
            await self._scenes.hold(own)
            row = await self._scenes.one(own)
            if row is not None and row.ended_at is None:
                found.append(row)
        return found

    def _ledger(self, own: Scene) -> Ledger:
        return Ledger(self._session, own, self._games, self._moment)
