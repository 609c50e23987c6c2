"""What can be done through the account service."""

from typing import Annotated

import strawberry

from services.gateway.checks import KeyScope
from services.gateway.graphql.context import AccountInfo
from services.gateway.graphql.types import Account, ApiKey
from services.gateway.models import AccountRow, ApiKeyRow
from services.gateway.service import IssuedKey, NewKey
from services.shared.idempotency import checked_key
from services.shared.problems import IdempotencyConflict, InvalidInput, NotFound, VersionConflict


@strawberry.input(description="An API key to be made: one for each browser, device or program.")
class CreateApiKeyInput:
    """It can do no more than the key that asks for it."""

    name: str = strawberry.field(description="What it is for; 1 to 120 characters.")
    scopes: list[KeyScope]
    expires_in_days: int | None = strawberry.field(
        default=None, description="1 to 3,650; left out, the key holds until it is revoked."
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same answer for 24 hours."
    )


@strawberry.input(description="Another name for your account.")
class RenameAccountInput:
    """Name the version you saw."""

    version: int
    name: str = strawberry.field(description="1 to 120 characters.")


@strawberry.type(description="Keep the key: it is shown only now.")
class ApiKeyCreated:
    """The answer of ``createApiKey``."""

    api_key: ApiKey
    key: str = strawberry.field(description="Send it as `Authorization: Bearer hf_live_...`.")


@strawberry.type(description="The key opens nothing any more.")
class ApiKeyRevoked:
    """The answer of ``revokeApiKey``."""

    api_key: ApiKey


@strawberry.type(description="Here is the account as it is now.")
class AccountSaved:
    """The answer of ``renameAccount``."""

    account: Account


CreateApiKeyResult = Annotated[
    ApiKeyCreated | InvalidInput | IdempotencyConflict, strawberry.union("CreateApiKeyResult")
]
RevokeApiKeyResult = Annotated[ApiKeyRevoked | NotFound, strawberry.union("RevokeApiKeyResult")]
RenameAccountResult = Annotated[
    AccountSaved | InvalidInput | NotFound | VersionConflict, strawberry.union("RenameAccountResult")
]


@strawberry.type
class Mutation:
    """Root of the mutations."""

    @strawberry.mutation(description="Make an API key; needs a key with the scope ADMIN.")
    async def create_api_key(self, info: AccountInfo, input: CreateApiKeyInput) -> CreateApiKeyResult:
        """Make a key."""
        viewer = info.context.signed_in("admin")
        scopes = [scope.value for scope in input.scopes]
        new = NewKey(input.name, scopes, input.expires_in_days, checked_key(input.idempotency_key))
        made = await info.context.service.create_key(viewer, new)
        if not isinstance(made, IssuedKey):
            return made
        return ApiKeyCreated(api_key=ApiKey.of(made.row), key=made.credential.text)

    @strawberry.mutation(
        description="Revoke an API key, at once and for good; the last ADMIN key too, after which only the "
        "operator can make keys for the account. Needs a key with the scope ADMIN."
    )
    async def revoke_api_key(self, info: AccountInfo, id: strawberry.ID) -> RevokeApiKeyResult:
        """End a key."""
        viewer = info.context.signed_in("admin")
        ended = await info.context.service.revoke_key(viewer, str(id))
        return ApiKeyRevoked(api_key=ApiKey.of(ended)) if isinstance(ended, ApiKeyRow) else ended

    @strawberry.mutation(description="Give your account another name.")
    async def rename_account(self, info: AccountInfo, input: RenameAccountInput) -> RenameAccountResult:
        """Rename the viewer's account."""
        viewer = info.context.signed_in("write")
        saved = await info.context.service.rename(viewer, input.version, input.name)
        return AccountSaved(account=Account.of(saved, info)) if isinstance(saved, AccountRow) else saved
