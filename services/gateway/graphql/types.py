"""The types of the account service."""

from datetime import date, datetime

import strawberry
from strawberry.federation import type as federated_type

from services.gateway.checks import KeyScope
from services.gateway.graphql import loaders
from services.gateway.graphql.context import AccountInfo
from services.gateway.models import AccountRow, ApiKeyRow
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size

strawberry.enum(
    KeyScope,
    name="ApiKeyScope",
    description="What an API key allows: READ looks, WRITE changes things, ADMIN manages the account's keys.",
)


@strawberry.type(description="A key that opens the API for one account; its secret is never shown again.")
class ApiKey:
    """What is kept of a key."""

    id: strawberry.ID
    name: str = strawberry.field(description="What it is for: the device or program that holds it.")
    scopes: list[KeyScope]
    created_at: datetime
    expires_at: datetime | None = strawberry.field(description="Null: it holds until it is revoked.")
    revoked_at: datetime | None
    last_used_on: date | None = strawberry.field(description="The day it was last used, in UTC.")

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
        )


@federated_type(keys=["id"], description="Somebody who plays, or a program.")
class Account:
    """Its name is seen by everyone who is signed in, the rest by itself alone."""

    id: strawberry.ID
    name: str
    created_at: datetime | None = strawberry.field(description="Only of your own account.")
    version: int | None = strawberry.field(
        description="Only of your own account; grows with each edit, name it when you edit."
    )

    @strawberry.field(description="Your own keys, newest first; needs a key with the scope ADMIN.")
    async def keys(
        self, info: AccountInfo, first: int = DEFAULT_PAGE, after: str | None = None
    ) -> Connection[ApiKey] | None:
        """Give a page of the viewer's keys; null for any other account."""
        if info.context.viewer.account != self.id:
            return None
        viewer = info.context.signed_in("admin")
        page = await info.context.service.keys(
            viewer, first=page_size(first), after=decode_cursor(after, "key") if after is not None else None
        )
        return connect(page, lambda row: row.id, ApiKey.of)

    @classmethod
    async def resolve_reference(cls, info: AccountInfo, id: strawberry.ID) -> "Account | None":
        """Find the account again for another subgraph."""
        row = await loaders.accounts(info).load(str(id))
        return None if row is None else cls.of(row, info)

    @classmethod
    def of(cls, row: AccountRow, info: AccountInfo) -> "Account":
        """Show a row, as far as the viewer may see it."""
        own = row.id == info.context.viewer.account
        return cls(
            id=strawberry.ID(row.id),
            name=row.name,
            created_at=row.created_at if own else None,
            version=row.version if own else None,
        )
