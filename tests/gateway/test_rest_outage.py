"""What the REST face answers while parts of the house are away or talk nonsense."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from services.gateway.app import create_app
from services.shared.settings import SERVICES, Settings
from services.shared.valkey import connect
from tests.gateway.front import Front, bearer, front, running, visit
from tests.outages import broken_sqlite
from tests.serving import served_here

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("account")]

MAP = "map_01jd8x6m3v5q7r9t0w2y4z6a8c"
CHARACTER = "chr_01jd8x6m3v5q7r9t0w2y4z6a8c"
REQUESTS: list[tuple[str, str, Any]] = [
    ("POST", "/v1/rolls", {"expression": "3d6"}),
    ("GET", "/v1/rolls", None),
    (
        "POST",
        "/v1/characters",
        {"build": {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}},
    ),
    ("GET", f"/v1/characters/{CHARACTER}/sheet", None),
    ("GET", "/v1/campaigns", None),
    ("POST", "/v1/maps", {"forgebornRealm": {}}),
    ("GET", f"/v1/maps/{MAP}/map.svg", None),
    ("DELETE", "/v1/jobs/job_01jd8x6m3v5q7r9t0w2y4z6a8c", None),
]


class Edge:
    """A service that answers everything alike, on a port of its own.

    Attributes:
        address: where it answers.
        answer: what it answers; a test puts its own there.
    """

    def __init__(self) -> None:
        self.address = ""
        self.answer = Response()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def edge() -> AsyncIterator[Edge]:
    """Run that service."""

    async def handler(_request: Request) -> Response:
        return found.answer

    app = Starlette(routes=[Route("/{path:path}", handler, methods=["GET", "POST"])])
    found = Edge()
    async with served_here(app) as port:
        found.address = f"http://127.0.0.1:{port}"
        yield found


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def surrounded(shared_settings: Settings, edge: Edge) -> AsyncIterator[ASGIApp]:
    """Run the app with that service in place of every other."""
    others = {f"{name}_url": edge.address for name in SERVICES}
    app = create_app(shared_settings.model_copy(update=others))
    async with running(app):
        yield app


@pytest_asyncio.fixture(loop_scope="module")
async def among(surrounded: ASGIApp, shared_settings: Settings) -> AsyncIterator[Front]:
    """Call that app from an address of one's own."""
    async with visit(surrounded, shared_settings) as found:
        yield found


async def send(app: Front, own: dict[str, str], method: str, path: str, body: Any) -> tuple[int, str, Any]:
    """Send one request; give status, code and headers of its problem."""
    answer = await app.http.request(method, path, headers=own, **({"json": body} if body else {}))
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"], answer.headers


async def test_a_service_that_is_away_is_a_503_that_says_when_to_come_back(app: Front) -> None:
    own = bearer((await app.sign_up())["key"])
    for method, path, body in REQUESTS:
        status, code, headers = await send(app, own, method, path, body)
        assert (status, code, headers["retry-after"]) == (503, "UNAVAILABLE", "1"), path
    assert (await app.http.get("/v1/me", headers=own)).status_code == 200


@pytest.mark.parametrize(
    "nonsense",
    [
        PlainTextResponse("<html>proxy error</html>", 502),
        Response(b'"text"', media_type="application/json", status_code=500),
        Response(b"[1]", media_type="application/json", status_code=500),
    ],
)
async def test_a_service_that_talks_nonsense_is_a_503(among: Front, edge: Edge, nonsense: Response) -> None:
    edge.answer = nonsense
    own = bearer((await among.sign_up())["key"])
    for method, path, body in REQUESTS:
        status, code, _ = await send(among, own, method, path, body)
        assert (status, code) == (503, "UNAVAILABLE"), path


async def test_a_fault_inside_a_service_shows_nothing_of_it(among: Front, edge: Edge) -> None:
    secret = {"errors": [{"message": "SELECT * FROM api_key", "extensions": {"code": "INTERNAL"}}]}
    edge.answer = Response(orjson.dumps(secret), media_type="application/json")
    own = bearer((await among.sign_up())["key"])
    answer = await among.http.get("/v1/rolls", headers=own)
    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL")
    assert "SELECT" not in answer.text


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("UNAUTHENTICATED", 401),
        ("FORBIDDEN", 403),
        ("NOT_FOUND", 404),
        ("BAD_CURSOR", 400),
        ("BAD_PAGE_SIZE", 400),
        ("BAD_IDEMPOTENCY_KEY", 400),
        ("UNAVAILABLE", 503),
        ("QUERY_TOO_COMPLEX", 500),
    ],
)
async def test_errors_of_the_graph_become_statuses(among: Front, edge: Edge, code: str, status: int) -> None:
    told = orjson.dumps({"data": None, "errors": [{"message": "No.", "extensions": {"code": code}}]})
    edge.answer = Response(told, media_type="application/json")
    answer = await among.http.get("/v1/rolls", headers=bearer((await among.sign_up())["key"]))
    assert answer.status_code == status
    assert answer.json()["code"] == (code if status != 500 else "INTERNAL")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("NotFound", 404),
        ("Forbidden", 403),
        ("InvalidInput", 422),
        ("VersionConflict", 409),
        ("IdempotencyConflict", 409),
        ("Unavailable", 503),
    ],
)
async def test_problems_of_the_graph_become_statuses(
    among: Front, edge: Edge, kind: str, status: int
) -> None:
    code = "".join(f"_{letter}" if letter.isupper() else letter for letter in kind)[1:].upper()
    result: dict[str, Any] = {"__typename": kind, "code": code, "message": "No.", "path": ["expression"]}
    if kind == "InvalidInput":
        result["issues"] = [{"code": "SYNTAX", "message": "No.", "path": ["expression"]}]
    told = orjson.dumps({"data": {"result": result}})
    edge.answer = Response(told, media_type="application/json")
    own = bearer((await among.sign_up())["key"])
    answer = await among.http.post("/v1/rolls", headers=own, json={"expression": "3d6"})
    assert answer.status_code == status
    found = answer.json()
    assert (found["code"], found["detail"], found["path"]) == (code, "No.", ["expression"])
    assert ("issues" in found) == (kind == "InvalidInput")
    assert ("retry-after" in answer.headers) == (status == 503)


async def test_a_database_that_is_away_is_a_503(settings: Settings, tmp_path: Path) -> None:
    nowhere = f"sqlite:///{tmp_path}/nowhere/account.db"
    async with front(settings.model_copy(update={"database_url_account": nowhere})) as app:
        answer = await app.http.post("/v1/accounts", json={"name": "Mara"})
        assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE")


async def test_a_database_that_cannot_be_written_is_a_503_and_nothing_is_half_done(
    settings: Settings,
) -> None:
    async with front(settings) as app:
        own = bearer((await app.sign_up())["key"])
        for path, body in (
            ("/v1/accounts", {"name": "Mara"}),
            ("/v1/keys", {"name": "laptop", "scopes": ["READ"]}),
        ):
            headers = {**own, "idempotency-key": "once"} if "keys" in path else {}
            with broken_sqlite("read-only"):
                answer = await app.http.post(path, headers=headers, json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "UNAVAILABLE"), path
            assert answer.headers["retry-after"] == "1"
            assert (await app.http.post(path, headers=headers, json=body)).status_code == 201
        assert len((await app.http.get("/v1/keys", headers=own)).json()["items"]) == 2


async def test_readiness_names_every_part_that_is_away(settings: Settings) -> None:
    # A database of Redis that no worker of another test writes to.
    alone = settings.redis_url.replace("db=0", "db=9")
    async with front(settings.model_copy(update={"gateway_admin_port": 1, "redis_url": alone})) as app:
        away = {"dice", "character", "campaign", "map", "worker", "sweeper", "gateway"}
        checks = await not_ready(app)
        assert {name for name, word in checks.items() if word != "ok"} == away
        assert {name for name, word in checks.items() if word == "ok"} == {"database", "redis", "storage"}

        redis = connect(alone)
        await redis.set("hf:alive:worker", "1", px=60_000)
        assert (await not_ready(app))["worker"] == "ok"
        await redis.delete("hf:alive:worker")
        await redis.aclose()
        assert (await app.http.get("/healthz")).json() == {"status": "ok"}


async def not_ready(app: Front) -> dict[str, str]:
    """Ask for readiness, which there is none of, and give the word on each part."""
    answer = await app.http.get("/readyz")
    assert answer.status_code == 503
    found: dict[str, str] = answer.json()["checks"]
    return found
