"""What goes here when a campaign or an account is deleted."""

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.ledger import Ledger
from services.dice.chain.repository import NumbersReserved
from services.dice.library.repository import Words
from services.dice.rolls.repository import forget_external, own_rows
from services.dice.tables import BAGS
from services.shared.clock import Clock
from services.shared.consumer import Handler, NotYet
from services.shared.metadata.bags import Bags
from services.shared.outbox import Event
from services.shared.pruning import STEP, remove_step


class Erasure:
    """Handles the events of the campaign service that tell of deleting; told twice, it is done once.

    Args:
        ledger: keeps the chains.
        clock: the present moment.

    Attributes:
        handlers: what to do, by kind of event; see ``services.shared.consumer``.
    """

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self.handlers: Mapping[str, Handler] = {
            "campaign.deleted": self._campaign,
            "account.erased": self._account,
        }

    async def _campaign(self, session: AsyncSession, event: Event) -> None:
        """Remove a table's words, and close its chains: its rolls and their receipts are kept and checked.

        Raises:
            NotYet: dice are still being rolled there.
        """
        campaign = event.payload["campaign"]
        try:
            await self._ledger.end(session, campaign, self._clock())
        except NumbersReserved as held:
            raise NotYet(str(held)) from held
        await Words(session).remove_all(campaign)

    async def _account(self, session: AsyncSession, event: Event) -> bool:
        """Take a step of removing all that an account rolled for itself, and its words; what it rolled at
        tables stays, without the messages elsewhere for which it did. Tell whether more waits.
        """
        account = event.payload["account"]
        if await Bags(session, BAGS).forget(account) or await forget_external(session, account, limit=STEP):
            return True
        return await remove_step(session, *own_rows(account))
