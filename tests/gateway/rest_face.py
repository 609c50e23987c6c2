"""The REST face in front of graphs in this process, and those who call it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import httpx
from pydantic import BaseModel
from starlette.applications import Starlette

from services.gateway.accounts.identity import Identity, Principal
from services.gateway.accounts.service import AccountService, SignedUp
from services.gateway.accounts.sign_up import SignUpDesk
from services.gateway.rest.app import EverythingElse, Resource, rest_app
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import Doorkeeper
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from services.shared.limits import Bucket, Charge, Draw
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
async def guests(
    settings: Settings, graphs: Subgraphs, resources: Sequence[Resource], *names: str
) -> AsyncIterator[list[Guest]]:
    """Serve some paths with accounts, keys and limits, and sign people up there."""
    accounts, redis = Database(settings.database_url("account")), connect(settings.redis_url)
    service = AccountService(accounts, system_clock, "pepper")
    bucket = Bucket(redis)
    door = Doorkeeper(Identity(accounts, system_clock, "pepper"), bucket)
    desk = SignUpDesk(service, bucket, settings.sign_up)
    app = Starlette(routes=[EverythingElse(rest_app(door, service, desk, graphs, resources), door)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://front") as http:
        found = []
        for name in names:
            signed_up = await service.sign_up(name)
            assert isinstance(signed_up, SignedUp)
            found.append(Guest(http, signed_up))
        yield found
    await redis.aclose()
    await accounts.close()


def fits(model: type[BaseModel], answer: httpx.Response) -> Any:
    """Check that an answer is as its description says, and give it."""
    model.model_validate_json(answer.content)
    return answer.json()
