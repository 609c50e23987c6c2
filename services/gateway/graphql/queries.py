"""What can be asked of the account service."""

import strawberry

from services.gateway.graphql import loaders
from services.gateway.graphql.context import AccountInfo
from services.gateway.graphql.types import Account


@strawberry.type
class Query:
    """Root of the queries."""

    @strawberry.field(description="Your own account.")
    async def me(self, info: AccountInfo) -> Account | None:
        """Give the viewer's account."""
        return await _find(info, info.context.signed_in().account)

    @strawberry.field(description="An account; of any but your own you see the name.")
    async def account(self, info: AccountInfo, id: strawberry.ID) -> Account | None:
        """Give one account."""
        info.context.signed_in()
        return await _find(info, str(id))


async def _find(info: AccountInfo, account: str) -> Account | None:
    row = await loaders.accounts(info).load(account)
    return None if row is None else Account.of(row, info)
