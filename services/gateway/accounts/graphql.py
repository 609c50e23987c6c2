"""Accounts and their keys in the graph: the ``account`` subgraph."""

from datetime import date, datetime
from typing import Annotated

import strawberry
from strawberry.dataloader import DataLoader
from strawberry.federation import type as federated_type
from strawberry.types import Info

from services.gateway.accounts.models import AccountRow, ApiKeyRow
from services.gateway.accounts.requests import DeleteAccount, NewKey, Rename, RevokeKey
from services.gateway.accounts.service import AccountService
from services.gateway.accounts.tickets import NewTicket
from services.shared.answer_secrecy import show_secret
from services.shared.auth import KeyScope
from services.shared.context import Context
from services.shared.graphql.changes import Call, change
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.features import Feature
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size
from services.shared.problems import VersionConflict

AccountInfo = Info[Context[AccountService], None]
AccountCall = Call[AccountService]
Scopes = list[KeyScope]

mirror_enum(KeyScope, "ApiKeyScope")


@strawberry.type(description="A key that opens the API for one account; its secret is never shown again.")
class ApiKey:
    """What is kept of a key."""

    id: strawberry.ID = strawberry.field(description="Of the key: `key_...`.")
    name: str = strawberry.field(description="What it is for: the device or program that holds it.")
    scopes: Scopes = strawberry.field(description="What it allows.")
    created_at: datetime = strawberry.field(description="When it was made.")
    expires_at: datetime | None = strawberry.field(description="Null: it holds until it is revoked.")
    revoked_at: datetime | None = strawberry.field(description="Since when it opens nothing.")
    last_used_on: date | None = strawberry.field(description="The day it was last used, in UTC.")
    capacity: int | None = strawberry.field(
        description="Points that it can save up for itself, beside the bucket of the account; null: it has "
        "no limit of its own."
    )
    refill_per_second: int | None = strawberry.field(
        description="Points that it gains each second, likewise."
    )

    @classmethod
    def of(cls, row: ApiKeyRow) -> "ApiKey":
        """Show a row."""
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            scopes=[scope for scope in KeyScope if scope in row.scope_set],
            created_at=row.created_at,
            expires_at=row.expires_at,
            revoked_at=row.revoked_at,
            last_used_on=row.last_used_on,
            capacity=row.capacity,
            refill_per_second=row.refill_per_second,
        )


@federated_type(keys=["id"], description="A person who plays, or a program.")
class Account:
    """Its name is seen by everyone who is signed in, the rest by itself alone."""

    id: strawberry.ID = strawberry.field(description="Of the account: `acc_...`.")
    name: str = strawberry.field(description="Those it plays with see it; need not be unique.")
    deleted_at: datetime | None = strawberry.field(
        description="Since when there is nobody behind it any more; null while there is."
    )
    created_at: datetime | None = strawberry.field(description="When it was opened; of your own account.")
    version: int | None = strawberry.field(
        description="Only of your own account; grows with each edit, name it when you edit."
    )

    @strawberry.field(description="The key that you came with; null for any other account.")
    async def api_key(self, info: AccountInfo) -> ApiKey | None:
        """Return the viewer's own key."""
        viewer = info.context.viewer
        row = await info.context.service.own_key(viewer) if viewer.account == self.id else None
        return None if row is None else ApiKey.of(row)

    @strawberry.field(description="Your own keys, newest first; needs a key with the scope ADMIN.")
    async def keys(
        self, info: AccountInfo, first: First = DEFAULT_PAGE, after: After = None
    ) -> Connection[ApiKey] | None:
        """Return a page of the viewer's keys; null for any other account."""
        if info.context.viewer.account != self.id:
            return None
        viewer = info.context.signed_in(KeyScope.ADMIN)
        page = await info.context.service.keys(
            viewer, first=page_size(first), after=decode_cursor(after, "key") if after is not None else None
        )
        return connect(page, lambda row: row.id, ApiKey.of)

    @classmethod
    async def resolve_reference(cls, info: AccountInfo, id: strawberry.ID) -> "Account | None":
        """Find the account again for another subgraph."""
        return await _find(info, str(id))

    @classmethod
    def of(cls, row: AccountRow, info: AccountInfo) -> "Account":
        """Show a row, as far as the viewer may see it."""
        own = row.id == info.context.viewer.account
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            deleted_at=row.deleted_at,
            created_at=row.created_at if own else None,
            version=row.version if own else None,
        )


def _accounts(info: AccountInfo) -> "DataLoader[str, AccountRow | None]":
    """Load accounts by id, for anyone who is signed in."""
    context = info.context

    async def load(ids: list[str]) -> list[AccountRow | None]:
        if context.viewer.anonymous:
            return [None] * len(ids)
        found = await context.service.accounts(ids)
        return [found.get(account) for account in ids]

    return context.loader("accounts", load)


async def _find(info: AccountInfo, account: str) -> Account | None:
    row = await _accounts(info).load(account)
    return None if row is None else Account.of(row, info)


@strawberry.type
class Query:
    """Reading accounts."""

    @strawberry.field(description="Your own account.")
    async def me(self, info: AccountInfo) -> Account | None:
        """Return the viewer's account."""
        return await _find(info, info.context.signed_in().account)

    @strawberry.field(description="An account; of any but your own you see the name.")
    async def account(
        self,
        info: AccountInfo,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the account.")],
    ) -> Account | None:
        """Return one account."""
        info.context.signed_in()
        return await _find(info, str(id))


@strawberry.type(description="Keep the key: it is shown only now.")
class ApiKeyCreated:
    """The answer of ``createApiKey``."""

    api_key: ApiKey = strawberry.field(description="What is kept of it.")
    key: str = strawberry.field(description="Send it as `Authorization: Bearer hf_live_...`.")


@strawberry.type(description="Open the address before it expires.")
class TicketCreated:
    """The answer of ``createTicket``."""

    url: str = strawberry.field(description="The address that was asked for, with its ticket.")
    expires_at: datetime = strawberry.field(description="When it opens nothing any more.")


@strawberry.type(description="The key opens nothing any more.")
class ApiKeyRevoked:
    """The answer of ``revokeApiKey``."""

    api_key: ApiKey = strawberry.field(description="As it is now.")


@strawberry.type(description="Here is the account as it is now.")
class AccountSaved:
    """The answer of ``renameAccount``."""

    account: Account = strawberry.field(description="As it is now.")


@strawberry.type(description="The account is gone, and all its keys with it.")
class AccountDeleted:
    """The answer of ``deleteAccount``."""

    id: strawberry.ID = strawberry.field(description="Of the account.")


@strawberry.type
class Mutation:
    """Changing accounts and keys."""

    @change(
        scope=KeyScope.ADMIN,
        description="Make an API key; needs a key with the scope ADMIN. A repeated request shows it again "
        "for 24 hours, to the API key that asked alone.",
    )
    async def create_api_key(call: AccountCall, asked: NewKey) -> ApiKeyCreated:
        """Make a key."""
        made = await call.service.create_key(call.viewer, asked, call.key)
        return ApiKeyCreated(api_key=ApiKey.of(made.row), key=show_secret(made.credential.text))

    @change(
        scope=KeyScope.READ,
        description="Make a ticket for one address, which then opens without a header: in an `<img>`, or in "
        "an `EventSource`. It holds for 15 minutes, opens this address alone, path and query as they stand, "
        "only reads, and is void with the key that asked.",
    )
    async def create_ticket(call: AccountCall, asked: NewTicket) -> TicketCreated:
        """Make a ticket."""
        made = await call.service.tickets.make(call.viewer, asked, call.key)
        return TicketCreated(url=show_secret(made.url), expires_at=made.expires_at)

    @change(
        scope=KeyScope.ADMIN,
        description="Revoke an API key, at once and for good; the last ADMIN key too, after which only the "
        "operator can make keys for the account. Needs a key with the scope ADMIN.",
    )
    async def revoke_api_key(call: AccountCall, asked: RevokeKey) -> ApiKeyRevoked:
        """End a key."""
        return ApiKeyRevoked(api_key=ApiKey.of(await call.service.revoke_key(call.viewer, asked, call.key)))

    @change(VersionConflict, description="Give your account another name.")
    async def rename_account(call: AccountCall, asked: Rename) -> AccountSaved:
        """Rename the viewer's account."""
        row = await call.service.rename(call.viewer, asked, call.key)
        return AccountSaved(account=Account.of(row, call.info))

    @change(
        scope=KeyScope.ADMIN,
        description="Delete your account for good, with all that is yours alone; export it before. Its "
        "keys end at once, so a repeated request is UNAUTHENTICATED. Needs a key with the scope ADMIN.",
    )
    async def delete_account(call: AccountCall, asked: DeleteAccount) -> AccountDeleted:
        """Delete the viewer's account."""
        return AccountDeleted(id=strawberry.ID(await call.service.delete(call.viewer, asked, call.key)))


FEATURE = Feature(query=Query, mutation=Mutation)
