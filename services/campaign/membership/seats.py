"""Seats: the characters that play in a campaign; each sits at one table at a time."""

from collections.abc import Mapping
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.membership.events import character_seated, character_unseated
from services.campaign.membership.models import Campaign, Seat
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import SeatCharacter, UnseatCharacter
from services.campaign.membership.service import existing
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.roster import Newcomer, Roster, keeps_campaigns
from services.campaign.tables import OUTBOX
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.consumer import Handler
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import is_id
from services.shared.outbox import Event, publish
from services.shared.peers import Peer
from services.shared.policy import Right, demand
from services.shared.problems import InvalidInput, NotFound
from services.shared.quotas import CODE, TABLE_DEFAULTS, TableQuotas

MAX_CHARACTERS = 200
"""Characters at the table of one campaign."""


class Seats:
    """The use cases of seats.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        characters: the character service, asked whose a character is.
        games: the games that are played here, and what they keep of campaigns, by slug.
        quotas: what accounts may have.

    Attributes:
        handlers: what the character service's events do here, by kind; see ``services.shared.consumer``.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        characters: Peer,
        games: Games,
        quotas: TableQuotas = TABLE_DEFAULTS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._characters = characters
        self._games = games
        self._quotas = quotas
        self.handlers: Mapping[str, Handler] = {"character.deleted": self.record}

    async def take(self, viewer: Viewer, asked: SeatCharacter, key: str | None = None) -> Campaign:
        """Bring one's own character to the table, and return the campaign.

        Raises:
            NotFound: no member, or no character of theirs.
            Forbidden: a spectator.
            InvalidInput: ``SEATED_ELSEWHERE``: it plays in another campaign; ``QUOTA_EXCEEDED``: as many
                characters sit at this table as may, or as many of theirs at all tables.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the character service does not answer.
        """
        character, newcomer = await self._read(viewer, asked.character_id)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            role = demand(await campaigns.held(asked.campaign_id, viewer.account), Right.WRITE)
            if not done.before:
                if character is None or character["owner"] != viewer.account:
                    raise NotFound.of("character", "characterId")
                await campaigns.hold(asked.character_id)
                seat = await campaigns.seat(asked.character_id)
                if seat is not None and seat.campaign != asked.campaign_id:
                    message = "This character plays in another campaign."
                    raise InvalidInput.single("SEATED_ELSEWHERE", message, "characterId")
                if seat is None:
                    self._quotas.check_seats(await campaigns.count_seats(viewer.account))
                    check_characters_of(await campaigns.seat_count(asked.campaign_id))
                    seat = Seat(
                        character=asked.character_id,
                        campaign=asked.campaign_id,
                        account=viewer.account,
                        seated_at=moment,
                    )
                    author = Author(viewer.account, role is Role.GM)
                    await self._sit_down(session, seat, author, character["name"], newcomer)
                done.answer = asked.campaign_id
            return await existing(campaigns, viewer, asked.campaign_id)

    async def leave(self, viewer: Viewer, asked: UnseatCharacter, key: str | None = None) -> Campaign:
        """Take a character from the table, one's own or as GM any, and return the campaign.

        Raises:
            NotFound: no member, or the character does not sit there.
            Forbidden: another's, and no GM.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            role = demand(await campaigns.held(asked.campaign_id, viewer.account), Right.READ)
            if not done.before:
                seat = await campaigns.seat(asked.character_id)
                if seat is None or seat.campaign != asked.campaign_id:
                    raise NotFound.of("character", "characterId")
                if seat.account != viewer.account:
                    demand(role, Right.RUN, "characterId")
                author = Author(viewer.account, role is Role.GM)
                await self._stand_up(session, seat, author, "A character leaves the party.", viewer.account)
                done.answer = asked.campaign_id
            return await existing(campaigns, viewer, asked.campaign_id)

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Empty the seat of a character that was deleted in the character service."""
        campaigns = Campaigns(session)
        seat = await campaigns.seat(event.payload["id"])
        if seat is not None:
            await campaigns.hold(seat.campaign)
            text = f"{event.payload['name']} leaves the party for good."
            await self._stand_up(session, seat, Author(seat.account, False), text, event.payload.get("owner"))

    async def _read(
        self, viewer: Viewer, character_id: str
    ) -> tuple[Mapping[str, Any] | None, Newcomer | None]:
        """Read whose a character is, and what a game that keeps states of campaigns has to know of it.

        Raises:
            PeerUnavailable: the character service does not answer.
        """
        if not is_id(character_id, "chr"):
            return None, None
        character = await self._characters.get(viewer, "characters", character_id)
        if character is None or not keeps_campaigns(self._games, character["system"]):
            return character, None
        sheet = await self._characters.get(viewer, "characters", character_id, "sheet")
        return character, None if sheet is None else Newcomer(character_id, character["system"], sheet)

    async def _sit_down(
        self, session: AsyncSession, seat: Seat, author: Author, name: str, newcomer: Newcomer | None
    ) -> None:
        """Write a seat, and tell of it: what games keep of the campaign, and its log."""
        campaigns = Campaigns(session)
        campaigns.add(seat)
        await campaigns.flush()
        fact = character_seated(seat.campaign, seat.character, seat.account)
        await publish(session, OUTBOX, fact, seat.seated_at)
        if newcomer is not None:
            await Roster(session, self._games, seat.seated_at).joined(seat.campaign, newcomer, author)
        await Log(session).write(
            seat.campaign,
            "character.seated",
            f"{name} joins the party.",
            seat.seated_at,
            account=seat.account,
            subject=seat.character,
        )

    async def _stand_up(
        self, session: AsyncSession, seat: Seat, author: Author, text: str, account: str | None
    ) -> None:
        """Delete a seat, and tell of it likewise."""
        moment = self._clock()
        await Campaigns(session).unseat(seat)
        await publish(session, OUTBOX, character_unseated(seat.campaign, seat.character), moment)
        await Roster(session, self._games, moment).left(seat.campaign, seat.character, author)
        await Log(session).write(
            seat.campaign, "character.unseated", text, moment, account=account, subject=seat.character
        )


def check_characters_of(found: int) -> None:
    """Check that a campaign with so many characters at its table may have one more.

    Raises:
        InvalidInput: ``QUOTA_EXCEEDED``: it may not.
    """
    if found >= MAX_CHARACTERS:
        message = f"A campaign may have {MAX_CHARACTERS} characters at its table; this one has {found}."
        allowed = str(MAX_CHARACTERS)
        raise InvalidInput.single(CODE, message, "characters", found=str(found), allowed=allowed)
