"""What can be done with campaigns: reading, founding, editing and deleting them. Each is one unit of work."""

from collections.abc import Sequence

from services.campaign.log.repository import Log
from services.campaign.membership.deletion import Leftovers, clear
from services.campaign.membership.models import Campaign, Member, Seat
from services.campaign.membership.repository import Campaigns
from services.campaign.membership.requests import CreateCampaign, DeleteCampaign, UpdateCampaign
from services.campaign.tables import UPDATES
from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import once
from services.shared.ids import new_id
from services.shared.merging import merge_fields, note_fields
from services.shared.pagination import Page
from services.shared.policy import Right, demand
from services.shared.problems import NotFound, VersionConflict
from services.shared.quotas import TABLE_DEFAULTS, TableQuotas
from services.shared.updates import OWN, PlaceUpdates, Since, Told

EDITED = ("name", "description")
"""The fields of a campaign that an edit changes, as requests and rows call them."""


class CampaignService:
    """The use cases of campaigns.

    Args:
        database: where campaigns are kept.
        clock: the present moment.
        quotas: what accounts may have.
    """

    def __init__(self, database: Database, clock: Clock, quotas: TableQuotas = TABLE_DEFAULTS) -> None:
        self._database = database
        self._clock = clock
        self._quotas = quotas

    async def campaigns(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Campaign]:
        """Return those of the campaigns that the viewer is a member of, by id."""
        async with self._database.read() as session:
            return await Campaigns(session).visible(viewer.account, ids)

    async def page(self, viewer: Viewer, *, first: int, after: str | None) -> Page[Campaign]:
        """Return a page of the viewer's campaigns, newest first."""
        async with self._database.read() as session:
            return await Campaigns(session).page_of(viewer.account, first=first, after=after)

    async def updates(self, viewer: Viewer, cursor: str | None, *, first: int) -> Told[Campaign]:
        """Return what has changed among the viewer's campaigns.

        Args:
            viewer: who asks.
            cursor: how far they have read; None from the beginning.
            first: how many changes at most.

        Raises:
            PublicError: ``BAD_CURSOR``.
        """
        since = None if cursor is None else Since.of(cursor, viewer.account)
        async with self._database.read() as session:
            page = await PlaceUpdates(session, UPDATES).page(viewer.account, (OWN,), since, first=first)
        async with self._database.read() as session:
            found = await Campaigns(session).visible(viewer.account, [line.thing for line in page.lines])
            return Told(page, found, await PlaceUpdates(session, UPDATES).moved(page))

    async def members(self, campaigns: Sequence[str]) -> list[Member]:
        """Return the members of campaigns that the viewer is known to see."""
        async with self._database.read() as session:
            return await Campaigns(session).members(campaigns)

    async def seats(self, campaigns: Sequence[str]) -> list[Seat]:
        """Return the characters of campaigns that the viewer is known to see."""
        async with self._database.read() as session:
            return await Campaigns(session).seats(campaigns)

    async def access(
        self,
        account: str,
        campaigns: Sequence[str] | None = None,
        characters: Sequence[str] | None = None,
    ) -> Access:
        """Return the campaigns and characters that an account has to do with.

        Args:
            account: whose access.
            campaigns: ids of those to look at; with ``characters`` omitted too, all there are.
            characters: ids of those whose tables to look at besides.
        """
        async with self._database.read() as session:
            found = Campaigns(session)
            concerned = None
            if campaigns is not None or characters is not None:
                concerned = [*(campaigns or ()), *await found.tables_of(characters or ())]
            roles = await found.roles(account, concerned)
            seats = await found.seats(list(roles))
            past = await found.past(account, concerned)
            return Access(account, roles, {seat.character: seat.campaign for seat in seats}, past)

    async def create(self, viewer: Viewer, asked: CreateCampaign, key: str | None = None) -> Campaign:
        """Found a campaign and return it; the founder is its first GM.

        Raises:
            InvalidInput: a bound is broken, or the account is in as many campaigns as it may be.
            NotFound: the founder has left what they founded under this key.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            if done.answer is not None:
                return await existing(campaigns, viewer, done.answer, "idempotencyKey")
            self._quotas.check_campaigns(await campaigns.count_campaigns(viewer.account))
            campaign = Campaign(
                id=new_id("cmp"),
                name=asked.name.strip(),
                description=asked.description.strip(),
                created_by=viewer.account,
                created_at=moment,
            )
            campaigns.add(campaign)
            await campaigns.flush()
            campaigns.add(
                Member(campaign=campaign.id, account=viewer.account, role=Role.GM, joined_at=moment)
            )
            await campaigns.note_changed(campaign.id, joined=viewer.account)
            await Log(session).write(
                campaign.id, "campaign.created", f"{campaign.name} begins.", moment, account=viewer.account
            )
            done.answer = campaign.id
            return campaign

    async def update(self, viewer: Viewer, asked: UpdateCampaign, key: str | None = None) -> Campaign:
        """Change the name or description from the version that the GM saw, and return the campaign.

        From a version that was replaced, fields that nobody else has changed since merge.

        Raises:
            InvalidInput: a bound is broken.
            NotFound: no member.
            Forbidden: no GM.
            VersionConflict: the same was changed since.
            IdempotencyConflict: the key was used for another request.
        """
        check(asked)
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            campaigns = Campaigns(session)
            demand(await campaigns.held(asked.id, viewer.account), Right.RUN, "id")
            campaign = await existing(campaigns, viewer, asked.id, "id")
            if done.before:
                return campaign
            theirs = {name: getattr(campaign, name) for name in EDITED}
            asked_for = {name: getattr(asked, name) for name in EDITED}
            yours = {name: value.strip() for name, value in asked_for.items() if value is not None}
            changed = merge_fields(campaign, asked.version, yours, theirs)
            done.answer = campaign.id
            if not changed and asked.version < campaign.version:
                return campaign
            note_fields(campaign, EDITED, changed)
            for name, value in yours.items():
                setattr(campaign, name, value)
            campaign.version += 1
            campaign.edited_at = moment
            await campaigns.note_changed(campaign.id)
            await Log(session).write(
                campaign.id,
                "campaign.changed",
                f"{campaign.name} was edited.",
                moment,
                account=viewer.account,
            )
            return campaign

    async def remove_deleted(self) -> None:
        """Remove what is left of campaigns that were deleted, until cancelled."""
        await Leftovers(self._database).run()

    async def delete(self, viewer: Viewer, asked: DeleteCampaign, key: str | None = None) -> str:
        """Delete a campaign with all that belongs to it, from the version that the GM saw; return its id.

        Raises:
            NotFound: no member.
            Forbidden: no GM.
            VersionConflict: it was changed since.
            IdempotencyConflict: the key was used for another request.
        """
        moment = self._clock()
        async with self._database.write() as session, once(session, viewer, key, asked, moment) as done:
            if done.before:
                return asked.id
            campaigns = Campaigns(session)
            demand(await campaigns.held(asked.id, viewer.account), Right.RUN, "id")
            campaign = await existing(campaigns, viewer, asked.id, "id")
            VersionConflict.check(asked.version, campaign.version)
            await clear(session, asked.id, moment)
            done.answer = asked.id
            return asked.id


async def existing(campaigns: Campaigns, viewer: Viewer, campaign_id: str, *path: str) -> Campaign:
    """Return a campaign that the viewer is a member of.

    Raises:
        NotFound: no member; ``path`` is where the request names the campaign, ``campaignId`` when omitted.
    """
    found = (await campaigns.visible(viewer.account, [campaign_id])).get(campaign_id)
    if found is None:
        raise NotFound.of("campaign", *(path or ("campaignId",)))
    return found
