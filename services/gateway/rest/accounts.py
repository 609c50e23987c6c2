"""Accounts and API keys: ``/v1/accounts``, ``/v1/me``, ``/v1/keys``. They are this process's own."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.accounts.models import AccountRow, ApiKeyRow
from services.gateway.accounts.requests import KeyScope, NewKey, Rename, RevokeKey
from services.gateway.accounts.service import AccountService, IssuedKey
from services.gateway.accounts.sign_up import Application, SignUpDesk
from services.gateway.rest.answers import REVALIDATE, made, shown
from services.gateway.rest.contract import (
    After,
    Asked,
    Days,
    First,
    IdempotencyKey,
    Listed,
    Shown,
    SignUpKey,
    Whole,
    changing,
    id_path,
    reading,
    refusals,
    said,
)
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.visitor import OWN, WRITE, Doorkeeper, paged, require
from services.shared.auth import Viewer
from services.shared.graphql.errors import PublicError
from services.shared.pagination import decode_cursor, encode_cursor

Scope = Literal["read", "write", "admin"]
NAME = {"minLength": 1, "maxLength": 120, "pattern": r"\S"}


class NewAccount(Asked):
    """An account to be opened."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Mara"}]})

    name: str = said("Those you play with see it.", **NAME)
    invitation: str | None = Field(
        None,
        max_length=80,
        description="Code of an operator's invitation, where signing up needs one, or where too many have "
        "signed up from your network.",
    )


class Renaming(Asked):
    """Another name for your account."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Mara of the Mill", "version": 1}]})

    name: str = said("Those you play with see it.", **NAME)
    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")


class NewApiKey(Asked):
    """An API key to be made: one for each browser, device or program."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"name": "Map bot", "scopes": ["read", "write"], "expiresInDays": 30}]
        }
    )

    name: str = said("What it is for.", **NAME)
    scopes: list[Scope] = Field(
        min_length=1, max_length=10, description="No more than those of the key that asks."
    )
    expires_in_days: Days | None = Field(None, description="Left out, the key holds until it is revoked.")


class Account(Shown):
    """Your account."""

    id: str
    name: str
    created_at: datetime
    version: int = Field(description="Grows with each edit; name it when you edit.")


class Me(Account):
    """Your account, and the key that you came with."""

    key_id: str
    scopes: list[Scope]


class ApiKey(Shown):
    """What is kept of a key; never its secret."""

    id: str
    name: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None = Field(description="Null: it holds until it is revoked.")
    revoked_at: datetime | None
    last_used_on: date | None = Field(description="The day it was last used, in UTC.")


class ApiKeyMade(Shown):
    """A new key."""

    api_key: ApiKey
    key: str = Field(
        description="Keep it: it is shown only now. Send it as `Authorization: Bearer hf_live_...`."
    )


class SignedUp(ApiKeyMade):
    """A new account and the key that opens it, with every scope."""

    account: Account


def routes(door: Doorkeeper, accounts: AccountService, desk: SignUpDesk) -> APIRouter:
    """Make the paths of accounts and keys."""
    router = APIRouter()

    @router.post(
        "/v1/accounts",
        operation_id="signUp",
        summary="Sign up",
        tags=["accounts"],
        status_code=201,
        openapi_extra={"security": []},
        responses={
            status: answer
            for status, answer in changing(SignedUp, 409, description="Welcome.", located=True).items()
            if status != 401
        },
    )
    async def sign_up(
        visitor: Annotated[Viewer, Depends(door.open(WRITE))], body: NewAccount, key: SignUpKey = None
    ) -> Response:
        """Open an account and get its first API key. No key is needed.

        A network, an address or an IPv6 /64, opens 30 accounts at once and then one a minute; one who comes
        with an invitation is bound by its uses alone. The operator may have closed signing up
        (`SIGN_UP_CLOSED`) or ask for an invitation (`INVITATION_NEEDED`); one that opens nothing is
        `INVITATION_UNKNOWN`, `INVITATION_USED_UP` or `INVITATION_EXPIRED`.

        An `Idempotency-Key` must have 32 characters or more here, best a random UUID: who knows it can ask
        for the answer, key included, once more.
        """
        assert visitor.network is not None
        wish = Application(body.name, visitor.network, key, body.invitation)
        done = await desk.open(wish)
        return made({"account": _account(done.account), **_made(done.key)}, location="/v1/me")

    @router.get(
        "/v1/me",
        operation_id="getMe",
        summary="Read your account",
        tags=["accounts"],
        responses=reading(Me, 404),
    )
    async def me(request: Request, viewer: Annotated[Viewer, Depends(door.keyed(OWN))]) -> Response:
        """Your account, and the key that you came with."""
        require(viewer, "read")
        row = (await accounts.accounts([viewer.account])).get(viewer.account)
        if row is None:
            raise not_found("account")
        scopes = [scope.value for scope in KeyScope if scope in viewer.scopes]
        return shown(request, {**_account(row), "keyId": viewer.key, "scopes": scopes})

    @router.patch(
        "/v1/me",
        operation_id="renameMe",
        summary="Rename your account",
        tags=["accounts"],
        responses=changing(Account, 404, 409, status=200, description="Here is the account as it is now."),
    )
    async def rename(viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: Renaming) -> Response:
        """Give your account another name, from the version that you saw."""
        require(viewer, "write")
        return made(_account(await accounts.rename(viewer, Rename(body.version, body.name))), status=200)

    @router.get(
        "/v1/keys",
        operation_id="listKeys",
        summary="List your keys",
        tags=["keys"],
        responses=reading(Listed[ApiKey], 422, description="A page, newest first."),
    )
    async def keys(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The keys of your account, revoked ones included. Needs the scope `admin`."""
        require(viewer, "admin")
        try:
            last = decode_cursor(after, "key") if after is not None else None
        except PublicError as error:
            raise Refusal("BAD_CURSOR", error.message, path=["after"]) from error
        found = await accounts.keys(viewer, first=first, after=last)
        rows = list(found.items)
        following = encode_cursor(rows[-1].id) if found.has_next else None
        return shown(request, {"items": [_key(row) for row in rows], "next": following})

    @router.post(
        "/v1/keys",
        operation_id="createKey",
        summary="Make a key",
        tags=["keys"],
        status_code=201,
        responses=changing(ApiKeyMade, 409, description="Keep the key: it is shown only now."),
    )
    async def create(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], body: NewApiKey, key: IdempotencyKey = None
    ) -> Response:
        """Make a key with some of the scopes of yours. Needs the scope `admin`."""
        require(viewer, "admin")
        scopes = tuple(KeyScope(scope) for scope in body.scopes)
        new = NewKey(body.name, scopes, body.expires_in_days)
        return made(_made(await accounts.create_key(viewer, new, key)))

    @router.delete(
        "/v1/keys/{key}",
        operation_id="revokeKey",
        summary="Revoke a key",
        tags=["keys"],
        responses={
            200: {"model": ApiKey, "description": "It opens nothing any more."},
            **refusals(400, 401, 403, 404, 429, 500, 503),
        },
    )
    async def revoke(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        key: Annotated[str, id_path("key", "Id of the key.")],
    ) -> Response:
        """End a key of your account, at once and for good, your own included. Needs the scope `admin`.

        The last key with the scope `admin` may be ended too; after that only the operator can make keys for
        the account.
        """
        require(viewer, "admin")
        return made(_key(await accounts.revoke_key(viewer, RevokeKey(key))), status=200, cache=REVALIDATE)

    return router


def _account(row: AccountRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "createdAt": row.created_at.isoformat(),
        "version": row.version,
    }


def _key(row: ApiKeyRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "scopes": [scope.value for scope in KeyScope if scope in row.scope_set],
        "createdAt": row.created_at.isoformat(),
        "expiresAt": row.expires_at.isoformat() if row.expires_at else None,
        "revokedAt": row.revoked_at.isoformat() if row.revoked_at else None,
        "lastUsedOn": row.last_used_on.isoformat() if row.last_used_on else None,
    }


def _made(key: IssuedKey) -> dict[str, Any]:
    return {"apiKey": _key(key.row), "key": key.credential.text}
