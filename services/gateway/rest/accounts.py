"""Accounts and API keys: ``/v1/accounts``, ``/v1/me``, ``/v1/keys``. They are this process's own."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.responses import Response

from services.gateway.accounts.models import AccountRow, ApiKeyRow
from services.gateway.accounts.requests import KeyScope, NewKey, Rename, RevokeKey
from services.gateway.accounts.service import AccountService, IssuedKey
from services.gateway.accounts.sign_up import Application, SignUpDesk
from services.gateway.rest.answers import REVALIDATE, made, shown
from services.gateway.rest.asked import AFTER, FIRST, idempotency_key
from services.gateway.rest.endpoint import JSON, Answer, Body, Call, Endpoint, Schema
from services.gateway.rest.files import path_id
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.shapes import REFERENCE, SAID, Shapes, listed, nullable
from services.gateway.rest.visitor import OWN, WRITE, paged
from services.shared.auth import Viewer
from services.shared.graphql.errors import PublicError
from services.shared.pagination import decode_cursor, encode_cursor

SHORTEST_SIGN_UP_KEY = 32
SCOPES: Schema = {"type": "array", "items": {"type": "string", "enum": [one.value for one in KeyScope]}}
TEXT: Schema = {"type": "string"}
MOMENT: dict[str, Any] = {"type": "string", "format": "date-time"}


def _object(description: str, **properties: Schema) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(properties),
    }


def _asked(description: str, required: list[str], **properties: Schema) -> dict[str, Any]:
    return {
        **_object(description, **properties),
        "required": required,
        "additionalProperties": False,
    }


def _said(schema: Schema, description: str) -> dict[str, Any]:
    return {**schema, "description": description}


_NAME: Schema = {"type": "string", SAID: {"minLength": 1, "maxLength": 120, "pattern": r"\S"}}
_VERSION = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1, "description": "The version you saw."}
_DAYS = nullable(
    {
        "type": "integer",
        "minimum": 1,
        "maximum": 3650,
        "description": "Left out, the key holds until it is revoked.",
    }
)
_INVITATION = nullable(
    {
        "type": "string",
        "maxLength": 80,
        "description": "Code of an operator's invitation, where signing up needs one, or where too many "
        "have signed up "
        "from your network.",
    }
)
_OF_ACCOUNT: Mapping[str, Schema] = {
    "id": TEXT,
    "name": TEXT,
    "createdAt": MOMENT,
    "version": _said({"type": "integer"}, "Grows with each edit; name it when you edit."),
}
_KEY = "Keep it: it is shown only now. Send it as `Authorization: Bearer hf_live_...`."
_NAMED: Mapping[str, Schema] = {
    "NewAccount": _asked(
        "An account to be opened.",
        ["name"],
        name=_said(_NAME, "Those you play with see it."),
        invitation=_INVITATION,
    ),
    "Rename": _asked(
        "Another name for your account.",
        ["name", "version"],
        name=_said(_NAME, "Those you play with see it."),
        version=_VERSION,
    ),
    "NewApiKey": _asked(
        "An API key to be made: one for each browser, device or program.",
        ["name", "scopes"],
        name=_said(_NAME, "What it is for."),
        scopes={
            **SCOPES,
            "minItems": 1,
            "maxItems": 10,
            "description": "No more than those of the key that asks.",
        },
        expiresInDays=_DAYS,
    ),
    "Account": _object("Your account.", **_OF_ACCOUNT),
    "Me": _object("Your account, and the key that you came with.", **_OF_ACCOUNT, keyId=TEXT, scopes=SCOPES),
    "ApiKey": _object(
        "What is kept of a key; never its secret.",
        id=TEXT,
        name=TEXT,
        scopes=SCOPES,
        createdAt=MOMENT,
        expiresAt=nullable(_said(MOMENT, "Null: it holds until it is revoked.")),
        revokedAt=nullable(MOMENT),
        lastUsedOn=nullable(
            {"type": "string", "format": "date", "description": "The day it was last used, in UTC."}
        ),
    ),
    "ApiKeyMade": _object("A new key.", apiKey={"$ref": REFERENCE + "ApiKey"}, key=_said(TEXT, _KEY)),
    "SignedUp": _object(
        "A new account and the key that opens it, with every scope.",
        account={"$ref": REFERENCE + "Account"},
        apiKey={"$ref": REFERENCE + "ApiKey"},
        key=_said(TEXT, _KEY),
    ),
}
_SIGN_UP = """\
Open an account and get its first API key. No key is needed.

A network, an address or an IPv6 /64, opens 30 accounts at once and then one a minute; one who comes with an
invitation is bound by its uses alone. The operator may have closed signing up (`SIGN_UP_CLOSED`) or ask for
an invitation (`INVITATION_NEEDED`); one that opens nothing is `INVITATION_UNKNOWN`, `INVITATION_USED_UP` or
`INVITATION_EXPIRED`.

An `Idempotency-Key` must have 32 characters or more here, best a random UUID: who knows it can ask for the
answer, key included, once more."""


def endpoints(accounts: AccountService, desk: SignUpDesk, shapes: Shapes) -> list[Endpoint]:
    """Makes the endpoints of accounts and keys."""
    shape = {name: shapes.refer(name, dict(schema)) for name, schema in _NAMED.items()}
    return [*_of_accounts(accounts, desk, shape), *_of_keys(accounts, shape)]


def _body(schema: Schema, example: Mapping[str, Any]) -> Body:
    return Body({JSON: schema}, "", (example,))


def _of_accounts(accounts: AccountService, desk: SignUpDesk, shape: Mapping[str, Schema]) -> list[Endpoint]:
    return [
        Endpoint(
            id="signUp",
            method="POST",
            path="/v1/accounts",
            tag="accounts",
            summary="Sign up",
            description=_SIGN_UP,
            price=WRITE,
            answer=Answer(201, "Welcome.", {JSON: shape["SignedUp"]}, ("location",)),
            handle=partial(_sign_up, desk),
            problems=frozenset((403, 409)),
            scope="write",
            parameters=(idempotency_key(SHORTEST_SIGN_UP_KEY),),
            body=_body(shape["NewAccount"], {"name": "Mara"}),
            open=True,
        ),
        Endpoint(
            id="getMe",
            method="GET",
            path="/v1/me",
            tag="accounts",
            summary="Read your account",
            description="Your account, and the key that you came with.",
            price=OWN,
            answer=Answer(200, "Here it is.", {JSON: shape["Me"]}, kept=True),
            handle=partial(_me, accounts),
            problems=frozenset((404,)),
            checked=True,
        ),
        Endpoint(
            id="renameMe",
            method="PATCH",
            path="/v1/me",
            tag="accounts",
            summary="Rename your account",
            description="Give your account another name, from the version that you saw.",
            price=WRITE,
            answer=Answer(200, "Here is the account as it is now.", {JSON: shape["Account"]}),
            handle=partial(_rename, accounts),
            problems=frozenset((404, 409)),
            scope="write",
            checked=True,
            parameters=(idempotency_key(),),
            body=_body(shape["Rename"], {"name": "Mara of the Mill", "version": 1}),
        ),
    ]


def _of_keys(accounts: AccountService, shape: Mapping[str, Schema]) -> list[Endpoint]:
    example = {"name": "Map bot", "scopes": ["read", "write"], "expiresInDays": 30}
    return [
        Endpoint(
            id="listKeys",
            method="GET",
            path="/v1/keys",
            tag="keys",
            summary="List your keys",
            description="The keys of your account, revoked ones included. Needs the scope `admin`.",
            price=paged,
            answer=Answer(200, "A page, newest first.", {JSON: listed(dict(shape["ApiKey"]))}, kept=True),
            handle=partial(_keys, accounts),
            scope="admin",
            checked=True,
            parameters=(FIRST, AFTER),
        ),
        Endpoint(
            id="createKey",
            method="POST",
            path="/v1/keys",
            tag="keys",
            summary="Make a key",
            description="Make a key with some of the scopes of yours. Needs the scope `admin`.",
            price=WRITE,
            answer=Answer(201, "Keep the key: it is shown only now.", {JSON: shape["ApiKeyMade"]}),
            handle=partial(_create, accounts),
            problems=frozenset((409,)),
            scope="admin",
            checked=True,
            parameters=(idempotency_key(),),
            body=_body(shape["NewApiKey"], example),
        ),
        Endpoint(
            id="revokeKey",
            method="DELETE",
            path="/v1/keys/{key}",
            tag="keys",
            summary="Revoke a key",
            description="End a key of your account, at once and for good, your own included. Needs the "
            "scope `admin`."
            "\n\nThe last key with the scope `admin` may be ended too; after that only the operator can "
            "make keys for "
            "the account.",
            price=WRITE,
            answer=Answer(200, "It opens nothing any more.", {JSON: shape["ApiKey"]}),
            handle=partial(_revoke, accounts),
            problems=frozenset((404,)),
            scope="admin",
            checked=True,
            parameters=(path_id("key", "Id of the key."), idempotency_key()),
        ),
    ]


async def _sign_up(desk: SignUpDesk, call: Call) -> Response:
    network = call.viewer.network
    assert network is not None
    wish = Application(
        call.body["name"], network, call.given.get("Idempotency-Key"), call.body.get("invitation")
    )
    done = await desk.open(wish)
    return made({"account": _account(done.account), **_made(done.key)}, location="/v1/me")


async def _me(accounts: AccountService, call: Call) -> Response:
    viewer: Viewer = call.viewer
    row = (await accounts.accounts([viewer.account])).get(viewer.account)
    if row is None:
        raise not_found("account")
    scopes = [scope.value for scope in KeyScope if scope in viewer.scopes]
    return shown(call.request, {**_account(row), "keyId": viewer.key, "scopes": scopes})


async def _rename(accounts: AccountService, call: Call) -> Response:
    asked = Rename(int(call.body["version"]), call.body["name"])
    row = await accounts.rename(call.viewer, asked, call.given.get("Idempotency-Key"))
    return made(_account(row), status=200)


async def _keys(accounts: AccountService, call: Call) -> Response:
    after = call.given.get("after")
    try:
        last = decode_cursor(after, "key") if after is not None else None
    except PublicError as error:
        raise Refusal("BAD_CURSOR", error.message, path=["after"]) from error
    found = await accounts.keys(call.viewer, first=call.given["first"], after=last)
    rows = list(found.items)
    following = encode_cursor(rows[-1].id) if found.has_next else None
    return shown(call.request, {"items": [_key(row) for row in rows], "next": following})


async def _create(accounts: AccountService, call: Call) -> Response:
    days = call.body.get("expiresInDays")
    scopes = tuple(KeyScope(scope) for scope in call.body["scopes"])
    new = NewKey(call.body["name"], scopes, None if days is None else int(days))
    return made(_made(await accounts.create_key(call.viewer, new, call.given.get("Idempotency-Key"))))


async def _revoke(accounts: AccountService, call: Call) -> Response:
    asked = RevokeKey(call.given["key"])
    row = await accounts.revoke_key(call.viewer, asked, call.given.get("Idempotency-Key"))
    return made(_key(row), status=200, cache=REVALIDATE)


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
