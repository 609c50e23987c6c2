"""What goes here when a campaign or an account is deleted."""

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.ledger import Ledger
from services.dice.chain.repository import Chains, NumbersReserved
from services.dice.library.repository import Words
from services.dice.rolls.repository import Rolls
from services.dice.statistics.repository import remove_tallies
from services.shared.access import Access
from services.shared.clock import Clock
from services.shared.consumer import NotYet
from services.shared.outbox import Event

CAMPAIGN_DELETED, ACCOUNT_ERASED = "campaign.deleted", "account.erased"
HANDLED = frozenset({CAMPAIGN_DELETED, ACCOUNT_ERASED})
"""The kinds of the campaign service's events that are handled here."""


class Erasure:
    """Handles the events of the campaign service; see ``services.shared.consumer``.

    Args:
        ledger: keeps the chains.
        clock: the present moment.
    """

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock

    async def __call__(self, session: AsyncSession, event: Event) -> None:
        """Remove what belonged to a campaign or an account; told twice, it is removed once.

        Raises:
            NotYet: dice are still being rolled at the campaign.
        """
        if event.kind == CAMPAIGN_DELETED:
            await self._campaign(session, event.payload["campaign"])
        else:
            await self._account(session, event.payload["account"])

    async def _campaign(self, session: AsyncSession, campaign: str) -> None:
        """Remove a table's words, and close its chains: its rolls and their receipts are kept and checked."""
        try:
            await self._ledger.end(session, campaign, self._clock())
        except NumbersReserved as held:
            raise NotYet(str(held)) from held
        await Words(session).remove_all(campaign)

    async def _account(self, session: AsyncSession, account: str) -> None:
        """Remove all that an account rolled for itself, and its words; what it rolled at tables stays."""
        await Rolls(session, Access(account)).remove(account)
        await Chains(session).remove(account)
        await remove_tallies(session, account)
        await Words(session).remove_all(account)
