"""The client by which services ask each other: what it reads, and what it calls no answer."""

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from services.shared.http_client import HttpClient, NoAnswer
from tests.serving import listener, served_here


async def echo(request: Request) -> Response:
    told = {
        "method": request.method,
        "path": request.scope["raw_path"].decode(),
        "query": dict(request.query_params),
        "body": (await request.body()).decode(),
        "mine": request.headers.get("x-mine"),
    }
    return JSONResponse(told, 203, {"X-Theirs": "yes"})


async def pieces(_request: Request) -> Response:
    async def some() -> AsyncIterator[bytes]:
        for number in range(3):
            yield bytes([number]) * 100_000

    return StreamingResponse(some())


async def silent(request: Request) -> Response:
    while not await request.is_disconnected():
        await asyncio.sleep(0.01)
    return Response()


async def elsewhere(_request: Request) -> Response:
    return RedirectResponse("/internal/echo")


APP = Starlette(
    routes=[
        Route("/internal/pieces", pieces),
        Route("/internal/silent", silent),
        Route("/internal/elsewhere", elsewhere),
        Route("/internal/{rest:path}", echo, methods=["GET", "POST"]),
    ]
)


@pytest.fixture
async def client() -> AsyncIterator[HttpClient]:
    async with served_here(APP) as port:
        made = HttpClient(f"http://127.0.0.1:{port}/")
        yield made
        await made.close()


async def test_what_is_sent_arrives_and_what_is_answered_is_read(client: HttpClient) -> None:
    answer = await client.request(
        "POST",
        "/internal/a%2Fb/..%20",
        headers={"x-mine": "true"},
        query={"after": 3, "name": "ä &=+"},
        content=b"{}",
    )
    assert (answer.status, answer.headers["x-theirs"]) == (203, "yes")
    assert answer.json() == {
        "method": "POST",
        "path": "/internal/a%2Fb/..%20",
        "query": {"after": "3", "name": "ä &=+"},
        "body": "{}",
        "mine": "true",
    }


async def test_a_long_answer_is_read_in_pieces(client: HttpClient) -> None:
    async with client.stream("GET", "/internal/pieces") as answer:
        assert answer.status == 200
        read = [piece async for piece in answer.pieces()]
    assert b"".join(read) == b"".join(bytes([number]) * 100_000 for number in range(3))
    assert len(read) > 1


async def test_nobody_is_followed_elsewhere(client: HttpClient) -> None:
    answer = await client.request("GET", "/internal/elsewhere")
    assert (answer.status, answer.headers["location"]) == (307, "/internal/echo")


async def test_an_answer_that_does_not_come_in_time_is_none(client: HttpClient) -> None:
    with pytest.raises(NoAnswer, match="Timeout"):
        await client.request("GET", "/internal/silent", seconds=0.05)


async def test_what_is_no_json_is_told_so(client: HttpClient) -> None:
    answer = await client.request("GET", "/internal/pieces")
    with pytest.raises(ValueError, match="unexpected"):
        answer.json()


async def test_a_server_that_is_not_there_gives_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    client = HttpClient(f"http://127.0.0.1:{port}")
    with pytest.raises(NoAnswer, match="ClientConnectorError"):
        await client.request("GET", "/internal/echo")
    await client.close()


async def test_a_server_that_breaks_off_gives_no_answer() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    client = HttpClient(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    with pytest.raises(NoAnswer):
        await client.request("GET", "/internal/echo")
    async with client.stream("GET", "/internal/echo") as begun:
        assert begun.status == 200
        with pytest.raises(NoAnswer):
            async with client.stream("GET", "/internal/echo") as again:
                await again.whole()
    await client.close()
    server.close()
    await server.wait_closed()


async def test_a_server_that_was_started_again_is_asked_again() -> None:
    with listener() as kept:
        port = kept.getsockname()[1]
        client = HttpClient(f"http://127.0.0.1:{port}")
        for _ in range(2):
            async with served_here(APP, kept.dup()):
                assert (await client.request("GET", "/internal/echo")).status == 203
        await client.close()
