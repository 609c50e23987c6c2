"""Look-ups gathered into one query per request."""

from strawberry.dataloader import DataLoader

from services.gateway.graphql.context import AccountInfo
from services.gateway.models import AccountRow


def accounts(info: AccountInfo) -> "DataLoader[str, AccountRow | None]":
    """Load accounts by id, for anyone who is signed in."""
    context = info.context

    async def load(ids: list[str]) -> list[AccountRow | None]:
        if context.viewer.anonymous:
            return [None] * len(ids)
        found = await context.service.accounts(ids)
        return [found.get(account) for account in ids]

    return context.loader("accounts", load)
