"""Opening an account: ``POST /v1/accounts``, the one request that GraphQL does not know."""

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from services.gateway.accounts.sign_up import Application, SignUpDesk
from services.gateway.rest.answers import made
from services.gateway.rest.asked import idempotency_key
from services.gateway.rest.endpoint import JSON, Answer, Body, Call, Endpoint, Schema
from services.gateway.rest.shapes import REFERENCE, SAID, Shapes, nullable
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import WRITE
from services.shared.answer_secrecy import show_secret
from services.shared.auth import KeyScope, Viewer

SHORTEST_KEY = 32
DESCRIPTION = """\
Open an account and get its first API key. No key is needed.

A network, an address or an IPv6 /64, opens 30 accounts at once and then one a minute; one who comes with an
invitation is bound by its uses alone. The operator may have closed signing up (`SIGN_UP_CLOSED`) or ask for
an invitation (`INVITATION_NEEDED`); one that opens nothing is `INVITATION_UNKNOWN`, `INVITATION_USED_UP` or
`INVITATION_EXPIRED`.

An `Idempotency-Key` must have 32 characters or more here: make a random UUID for each account. A repeated
request opens no second account, and never shows the key again: it is answered `ALREADY_SIGNED_UP`, or
`ACCOUNT_DELETED` once the account is gone. If the key was lost, sign up again with a fresh
`Idempotency-Key`."""
ONE_ACCOUNT = "Under the same key one account is opened in 24 hours. Make a random UUID for each account."
INVITATION = (
    "Code of an operator's invitation, where signing up needs one, or where too many have signed up from "
    "your network."
)
NEW_ACCOUNT: dict[str, Any] = {
    "type": "object",
    "description": "An account to be opened.",
    "properties": {
        "name": {
            "type": "string",
            SAID: {"minLength": 1, "maxLength": 120, "pattern": r"\S"},
            "description": "Those you play with see it.",
        },
        "invitation": nullable({"type": "string", "maxLength": 80, "description": INVITATION}),
    },
    "required": ["name"],
    "additionalProperties": False,
}
SIGNED_UP: dict[str, Any] = {
    "type": "object",
    "description": "A new account and the key that opens it, with every scope.",
    "properties": {
        "account": {"$ref": f"{REFERENCE}Account"},
        "apiKey": {"$ref": f"{REFERENCE}ApiKey"},
        "key": {
            "type": "string",
            "description": "Keep it: it is shown only now. Send it as `Authorization: Bearer hf_live_...`.",
        },
    },
    "required": ["account", "apiKey", "key"],
}


@dataclass(frozen=True, slots=True)
class SigningUp:
    """What accounts are opened with.

    Attributes:
        desk: opens them.
        graphs: where a new account is read.
        shapes: of the REST face.
    """

    desk: SignUpDesk
    graphs: Subgraphs
    shapes: Shapes

    def endpoint(self) -> Endpoint:
        """Makes the endpoint."""
        asked: Schema = self.shapes.refer("NewAccount", NEW_ACCOUNT)
        return Endpoint(
            id="signUp",
            method="POST",
            path="/v1/accounts",
            tag="accounts",
            summary="Sign up",
            description=DESCRIPTION,
            price=WRITE,
            answer=Answer(201, "Welcome.", {JSON: self.shapes.refer("SignedUp", SIGNED_UP)}, ("location",)),
            handle=self._sign_up,
            problems=frozenset((403, 409)),
            scope=KeyScope.WRITE,
            parameters=(idempotency_key(ONE_ACCOUNT, shortest=SHORTEST_KEY),),
            body=Body({JSON: asked}, "", ({"name": "Mara"},)),
            open=True,
        )

    async def _sign_up(self, call: Call) -> Response:
        network = call.viewer.network
        assert network is not None
        wish = Application(
            call.body["name"], network, call.given.get("Idempotency-Key"), call.body.get("invitation")
        )
        opened = await self.desk.open(wish)
        owner = Viewer(opened.account.id, frozenset(KeyScope), opened.key.row.id, network=network)
        account = await self.graphs.run(owner, "account.signedUp", missing="account")
        api_key = account.pop("apiKey")
        key = show_secret(opened.key.credential.text)
        return made({"account": account, "apiKey": api_key, "key": key}, location="/v1/me")
