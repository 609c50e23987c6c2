"""What can be done with campaigns. Each use case is one unit of work; it gives a result or a problem."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.checks import MAX_NOTE, gm_only, length, name_issues
from services.campaign.models import IDEMPOTENCY, Campaign, Invitation, LogEntry, Member, Seat
from services.campaign.repository import Campaigns
from services.campaign.scenes.games import Games
from services.campaign.scenes.history import Author
from services.campaign.scenes.seating import Seating
from services.shared.access import Role
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import is_id, new_id
from services.shared.outbox import Event
from services.shared.pagination import Page
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    VersionConflict,
)
from services.shared.wording import prose_issues

LOG_BATCH = 100


@dataclass(frozen=True, slots=True)
class NewCampaign:
    """A campaign to be founded.

    Attributes:
        name: 1 to 120 characters.
        description: up to 2,000 characters.
        idempotency_key: the same key gives the same campaign.
    """

    name: str
    description: str = ""
    idempotency_key: str | None = None


RECORDED = frozenset({"roll.recorded", "map.made", "character.deleted"})
"""The kinds of other services' events that are taken note of."""


class CampaignService:
    """The use cases of the campaign service.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        games: the games that are played here, and what they keep of campaigns, by slug.
    """

    def __init__(self, database: Database, clock: Clock, games: Games) -> None:
        self._database = database
        self._clock = clock
        self._games = games

    # Reading

    async def campaigns(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Campaign]:
        """Read those of the campaigns that the viewer is a member of."""
        async with self._database.read() as session:
            return await Campaigns(session).visible(viewer.account, ids)

    async def page(self, viewer: Viewer, *, first: int, after: str | None) -> Page[Campaign]:
        """Read a page of the viewer's campaigns, newest first."""
        async with self._database.read() as session:
            return await Campaigns(session).page_of(viewer.account, first=first, after=after)

    async def members(self, campaigns: Sequence[str]) -> list[Member]:
        """Read the members of campaigns that the viewer is known to see."""
        async with self._database.read() as session:
            return await Campaigns(session).members(campaigns)

    async def seats(self, campaigns: Sequence[str]) -> list[Seat]:
        """Read the characters of campaigns that the viewer is known to see."""
        async with self._database.read() as session:
            return await Campaigns(session).seats(campaigns)

    async def invitations(self, viewer: Viewer, campaign: str) -> list[Invitation]:
        """Read the open invitations of a campaign; none for anyone but its GMs."""
        async with self._database.read() as session:
            campaigns = Campaigns(session)
            member = await campaigns.member(campaign, viewer.account)
            if member is None or member.rank is not Role.GM:
                return []
            return await campaigns.invitations(campaign, self._clock())

    async def log(
        self,
        viewer: Viewer,
        campaign: str,
        *,
        after: int | None = None,
        limit: int = LOG_BATCH,
        newest_first: bool = False,
    ) -> list[LogEntry] | None:
        """Read entries behind number ``after`` in the order asked for; None when the viewer is no member."""
        async with self._database.read() as session:
            campaigns = Campaigns(session)
            if await campaigns.member(campaign, viewer.account) is None:
                return None
            return await campaigns.log(
                campaign, viewer.account, after=after, limit=limit, newest_first=newest_first
            )

    async def access(self, account: str) -> tuple[dict[str, Role], dict[str, str]]:
        """Give an account's role in each campaign, and the campaign of each character it plays with."""
        async with self._database.read() as session:
            campaigns = Campaigns(session)
            roles = await campaigns.roles(account)
            seats = await campaigns.seats(list(roles))
            return roles, {seat.character: seat.campaign for seat in seats}

    # Founding and editing

    async def create(
        self, viewer: Viewer, new: NewCampaign
    ) -> Campaign | InvalidInput | NotFound | IdempotencyConflict:
        """Found a campaign; the founder is its first GM.

        A key whose campaign the founder has left since answers that there is no such campaign.
        """
        issues = name_issues(new.name, new.description)
        if issues:
            return InvalidInput.of(issues)
        moment = self._clock()
        request = {"create": [new.name, new.description]}
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, new.idempotency_key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            campaigns = Campaigns(session)
            if isinstance(claimed, Replay):
                known = await campaigns.visible(viewer.account, [claimed.answer])
                return known.get(claimed.answer) or NotFound.of("campaign", "idempotencyKey")
            campaign = Campaign(
                id=new_id("cmp"),
                name=new.name.strip(),
                description=new.description.strip(),
                created_by=viewer.account,
                created_at=moment,
            )
            campaigns.add(campaign)
            await campaigns.flush()
            campaigns.add(
                Member(campaign=campaign.id, account=viewer.account, role=Role.GM, joined_at=moment)
            )
            await campaigns.write_log(
                campaign.id, "campaign.created", f"{campaign.name} begins.", moment, account=viewer.account
            )
            await remember(session, IDEMPOTENCY, viewer.account, new.idempotency_key, campaign.id)
            return campaign

    async def update(
        self, viewer: Viewer, campaign_id: str, version: int, name: str | None, description: str | None
    ) -> Campaign | InvalidInput | NotFound | Forbidden | VersionConflict:
        """Change the name or description, from the version the GM saw."""
        if not is_id(campaign_id, "cmp"):
            return NotFound.of("campaign", "id")
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            await campaigns.hold(campaign_id)
            campaign = (await campaigns.visible(viewer.account, [campaign_id])).get(campaign_id)
            if campaign is None:
                return NotFound.of("campaign", "id")
            refusal = await gm_only(campaigns, viewer, campaign_id)
            if refusal is not None:
                return refusal
            if campaign.version != version:
                return VersionConflict.between(version, campaign.version, "version")
            new_name = campaign.name if name is None else name
            new_description = campaign.description if description is None else description
            issues = name_issues(new_name, new_description)
            if issues:
                return InvalidInput.of(issues)
            campaign.name, campaign.description = new_name.strip(), new_description.strip()
            campaign.version += 1
            await campaigns.write_log(
                campaign_id,
                "campaign.changed",
                f"{campaign.name} was edited.",
                self._clock(),
                account=viewer.account,
            )
            return campaign

    # The log

    async def note(
        self, viewer: Viewer, campaign_id: str, text: str, key: str | None
    ) -> LogEntry | NotFound | Forbidden | InvalidInput | IdempotencyConflict:
        """Write a note into the log."""
        if not 1 <= len(text.strip()) <= MAX_NOTE:
            return InvalidInput.of([length("text", text, MAX_NOTE)])
        unfit = prose_issues(text, "text")
        if unfit:
            return InvalidInput.of(unfit)
        moment = self._clock()
        async with self._database.write() as session:
            campaigns = Campaigns(session)
            member = await campaigns.member(campaign_id, viewer.account)
            if member is None:
                return NotFound.of("campaign", "campaignId")
            if member.rank is Role.SPECTATOR:
                return Forbidden.because("Spectators read the log and do not write it.", "campaignId")
            claimed = await claim(
                session, IDEMPOTENCY, viewer.account, key, {"note": [campaign_id, text]}, moment
            )
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                return (
                    await campaigns.log(campaign_id, viewer.account, after=int(claimed.answer) - 1, limit=1)
                )[0]
            entry = await campaigns.write_log(
                campaign_id, "note", text.strip(), moment, account=viewer.account, subject=None
            )
            await remember(session, IDEMPOTENCY, viewer.account, key, str(entry.seq))
            return entry

    async def record(self, session: AsyncSession, event: Event) -> None:
        """Take note of what happened in another service: into the log of the campaign that it concerns.

        Dice of a scene's move are left out: the move itself is in the log.
        """
        payload, campaigns, moment = event.payload, Campaigns(session), self._clock()
        match event.kind:
            case "roll.recorded" if payload.get("drawn_for_scene"):
                pass
            case "roll.recorded" | "map.made" if payload.get("campaign"):
                await campaigns.write_log(
                    payload["campaign"],
                    event.kind,
                    str(payload["text"]),
                    moment,
                    account=payload.get("account"),
                    subject=payload["id"],
                )
            case "character.deleted":
                seat = await campaigns.seat(payload["id"])
                if seat is not None:
                    await campaigns.unseat(seat)
                    author = Author(seat.account, False)
                    await Seating(session, self._games, moment).left(seat.campaign, seat.character, author)
                    await campaigns.write_log(
                        seat.campaign,
                        "character.unseated",
                        f"{payload['name']} leaves the party for good.",
                        moment,
                        account=payload.get("owner"),
                        subject=payload["id"],
                    )
