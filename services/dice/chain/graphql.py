"""Verifiable rolls in the graph: commitments, receipts, keys, and whether a roll was honest."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import strawberry
from strawberry import argument

from services.dice.chain.requests import RotateRollEpoch
from services.dice.chain.service import VerifiedRoll
from services.dice.chain.sight import ShownEpoch, ShownReceipt
from services.dice.context import CampaignId, DiceInfo, DiceUseCases
from services.rules.dice.vr1 import Chain, Check, PublishedKey, Statement, Step
from services.shared.graphql.changes import Call, change
from services.shared.graphql.features import Feature
from services.shared.graphql.pages import (
    After,
    Connection,
    Edge,
    First,
    connection,
)
from services.shared.mirror import mirror
from services.shared.pagination import (
    DEFAULT_PAGE,
    Page,
    cursor_of_number,
    number_of_cursor,
    page_size,
)

T = TypeVar("T")

VerificationCheck = mirror(Check, name="VerificationCheck")
VerificationStep = mirror(Step, name="VerificationStep")
SignedStatement = mirror(Statement, name="SignedStatement")
RollEpoch = mirror(ShownEpoch, name="RollEpoch", unique=True)
RollReceipt = mirror(ShownReceipt, name="RollReceipt")
DiceKey = mirror(PublishedKey, name="DiceKey")
VerifiedRollType = mirror(VerifiedRoll, unique=True)

OfSecretChain = Annotated[bool, argument(description="Of the chain of the GM's rolls, not the open one.")]


@strawberry.type(description="The epoch before is closed; this is the next one.")
class RollEpochRotated:
    """The answer of ``rotateRollEpoch``."""

    epoch: RollEpoch = strawberry.field(description="The next epoch.")  # type: ignore[valid-type]


@strawberry.type
class ChainQuery:
    """What can be asked about verifiable rolls."""

    @strawberry.field(
        description="The live epoch of verifiable rolls at a table, or else of your own: look at it before "
        "you send entropy with a roll. With `id`, that epoch, live or closed."
    )
    async def roll_epoch(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        secret: OfSecretChain = False,
        id: Annotated[
            strawberry.ID | None, argument(description="Of an epoch there; the live one without it.")
        ] = None,
    ) -> RollEpoch | None:  # type: ignore[valid-type]
        """Return one epoch."""
        viewer = info.context.signed_in()
        return await info.context.service.chain.epoch(viewer, campaign_id, _chain(secret), id)

    @strawberry.field(
        description="The epochs of verifiable rolls at a table, or else your own, oldest first."
    )
    async def roll_epochs(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        secret: OfSecretChain = False,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[RollEpoch]:  # type: ignore[valid-type]
        """Return a page of epochs."""
        viewer = info.context.signed_in()
        page = await info.context.service.chain.epochs(
            viewer, campaign_id, _chain(secret), first=page_size(first), after=_number(after)
        )
        return _connected(page, lambda epoch: epoch.ordinal)

    @strawberry.field(
        description="What is published of the numbers of an epoch, of the newest one unless named: receipts "
        "and voids, and links in place of what is hidden from you."
    )
    async def roll_receipts(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        secret: OfSecretChain = False,
        epoch: Annotated[strawberry.ID | None, argument(description="Its id; the newest without it.")] = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[RollReceipt]:  # type: ignore[valid-type]
        """Return a page of statements."""
        viewer = info.context.signed_in()
        page = await info.context.service.chain.receipts(
            viewer, campaign_id, _chain(secret), epoch, first=page_size(first), after=_number(after)
        )
        return _connected(page, lambda receipt: receipt.number)

    @strawberry.field(
        description="The Ed25519 keys that statements about rolls are signed with, oldest first; keys that "
        "were retired stay. Open to everybody."
    )
    async def dice_keys(self, info: DiceInfo) -> list[DiceKey]:  # type: ignore[valid-type]
        """Return every public key."""
        return await info.context.service.chain.keys()

    @strawberry.field(description="Whether a roll that you may see was drawn as committed to, step by step.")
    async def verify_roll(
        self, info: DiceInfo, id: Annotated[strawberry.ID, argument(description="Of the roll.")]
    ) -> VerifiedRollType | None:  # type: ignore[valid-type]
        """Verify a roll."""
        viewer = info.context.signed_in()
        return await info.context.service.chain.verify(viewer, id)


@strawberry.type
class ChainMutation:
    """What can be done about verifiable rolls."""

    @change()
    async def rotate_roll_epoch(call: Call[DiceUseCases], asked: RotateRollEpoch) -> RollEpochRotated:
        """Close the live epoch at a table and begin the next one (GM); or else your own."""
        return RollEpochRotated(epoch=await call.service.chain.rotate(call.viewer, asked, call.key))


def _chain(secret: bool) -> Chain:
    return Chain.SECRET if secret else Chain.OPEN


def _number(after: str | None) -> int:
    return 0 if after is None else number_of_cursor(after)


def _connected(page: Page[T], number: Callable[[T], int]) -> Connection[Any]:
    edges = [Edge[Any](cursor=cursor_of_number(number(item)), node=item) for item in page.items]
    return connection(edges, has_next=page.has_next, has_previous=page.has_previous)


FEATURE = Feature(query=ChainQuery, mutation=ChainMutation)
