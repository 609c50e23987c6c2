"""The REST face in front of graphs in this process, and those who call it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, cast

import httpx
import jsonschema_rs
import orjson
from starlette.applications import Starlette

from services.gateway.accounts.identity import Identity, Principal
from services.gateway.accounts.service import AccountService, SignedUp
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.openapi import document
from services.gateway.rest.app import EverythingElse, rest_app
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.limits.bucket import Bucket
from services.shared.limits.purses import Charge, Draw
from services.shared.settings import Settings
from services.shared.valkey import connect


class Keys:
    """Knows whose key is whose, and charges nobody."""

    def __init__(self, people: Mapping[str, Viewer]) -> None:
        self._people = people

    async def principal(self, header: str) -> Principal | None:
        """Give who calls with a header."""
        who = self._people.get(header.removeprefix("Bearer "))
        return None if who is None else Principal(who.account or "", "key", who.scopes, None)

    async def charge(self, *_draws: Draw) -> Charge:
        """Take nothing."""
        return Charge(True, 1_000, 0)

    def doorkeeper(self) -> Doorkeeper:
        """Give who lets them in."""
        return Doorkeeper(cast(Identity, self), cast(Bucket, self))


class Guest:
    """Somebody who calls with a key of their own."""

    def __init__(self, http: httpx.AsyncClient, signed_up: SignedUp) -> None:
        self.http = http
        self.id = signed_up.account.id
        self._headers = {"authorization": f"Bearer {signed_up.key.credential.text}"}

    async def ask(self, method: str, path: str, status: int = 200, **options: Any) -> httpx.Response:
        """Send a request that must be answered with a status."""
        headers = {**self._headers, **options.pop("headers", {})}
        answer = await self.http.request(method, path, headers=headers, **options)
        assert answer.status_code == status, answer.text
        return answer

    async def refused(self, method: str, path: str, status: int, code: str, **options: Any) -> Any:
        """Send a request that must be refused, and give the problem."""
        answer = await self.ask(method, path, status, **options)
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["code"] == code
        return answer.json()


@asynccontextmanager
async def guests(settings: Settings, graphs: Subgraphs, *names: str) -> AsyncIterator[list[Guest]]:
    """Serve the paths with accounts, keys and limits, and sign people up there."""
    accounts, redis = Database(settings.database_url("account")), connect(settings.redis_url)
    service = AccountService(accounts, system_clock, "pepper")
    bucket = Bucket(redis)
    door = Doorkeeper(Identity(accounts, system_clock, "pepper"), bucket)
    desk = SignUpDesk(service, bucket, settings.sign_up)
    app = Starlette(routes=[EverythingElse(rest_app(door, desk, graphs), door)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://front") as http:
        found = []
        for name in names:
            signed_up = await service.sign_up(name)
            assert isinstance(signed_up, SignedUp)
            found.append(Guest(http, signed_up))
        yield found
    await redis.aclose()
    await accounts.close()


@cache
def described() -> Any:
    """Read the description of the REST face."""
    return orjson.loads(document())


def fits(answer: httpx.Response) -> Any:
    """Check that an answer is as its path describes it, without a member more, and give it."""
    schema = described_answer(answer.request.method, answer.request.url.path, answer.status_code)
    whole = {**schema, "components": {"schemas": _closed(described()["components"]["schemas"])}}
    jsonschema_rs.validate(_closed(whole), answer.json(), validate_formats=True)
    return answer.json()


def fits_problem(answer: httpx.Response) -> Any:
    """Check that a refusal is a problem as described, and give it."""
    schemas = described()["components"]["schemas"]
    jsonschema_rs.validate({**schemas["Problem"], "components": {"schemas": schemas}}, answer.json())
    return answer.json()


def described_answer(method: str, path: str, status: int) -> dict[str, Any]:
    """Give the schema of an answer."""
    steps = path.split("/")
    fitting = [
        (known.count("{"), verbs[method.lower()])
        for known, verbs in described()["paths"].items()
        if method.lower() in verbs
        and len(known.split("/")) == len(steps)
        and all(
            part.startswith("{") or part == step for part, step in zip(known.split("/"), steps, strict=True)
        )
    ]
    operation = min(fitting, key=lambda one: one[0])[1]
    (content,) = operation["responses"][str(status)]["content"].values()
    found: dict[str, Any] = content["schema"]
    return found


def _closed(schema: Any) -> Any:
    """Forbid members that a schema does not name: answers may get more, but not unnoticed."""
    if isinstance(schema, list):
        return [_closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _closed(one) for name, one in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found
