"""The map service on a real port, called as the gateway would call it; jobs are done in this process, as a
worker does them."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import orjson
import uvicorn

from services.map.app import create_app
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.jobs import Job
from services.shared.settings import Settings
from tests.conftest import wait_for
from workers.maps import perform, realm_steps

GENERATE = """
mutation ($input: GenerateMapInput!) {
  generateMap(input: $input) {
    __typename
    ... on MapJobQueued { job { id state version progress map { id } } }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code path found allowed rule } }
  }
}
"""
CANCEL = """
mutation ($id: ID!) {
  cancelJob(id: $id) { __typename ... on JobCancelled { job { id state } } ... on Problem { code path } }
}
"""
JOB = "query ($id: ID!) { job(id: $id) { id state version progress error { code } map { id name } } }"
MAP = """
query ($id: ID!) {
  map(id: $id) {
    id kind name seed generatorVersion attempts createdAt owner { id } campaign { id }
    files { name url contentType bytes sha256 }
    gates { name passed faults }
    realm {
      title width height compass givenDice dice { sides face at { x y } }
      places { id kind name power spent at { x y } }
      range { name points { x y } }
      forests { largest points { x y } lines { points { x y } } }
      links { start end kind forced crossesRange line { x y } }
    }
  }
}
"""
PROGRESS = """
subscription ($id: ID!, $after: Int! = 0) {
  jobProgress(id: $id, after: $after) { id state version progress map { id } }
}
"""


class MapDesk:
    """Calls to a running map service."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._gateway = Signer(settings.internal_secret, "gateway")
        self._http = httpx.Client(timeout=30, trust_env=False)
        self._base = ""

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the block ends."""
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self._base = f"http://127.0.0.1:{listener.getsockname()[1]}"
            config = uvicorn.Config(create_app(self.settings), log_config=None, timeout_graceful_shutdown=1)
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            wait_for(lambda: server.started, "the map service")
            try:
                yield
            finally:
                self._http.close()
                server.should_exit = True
                thread.join()

    def _token(self, viewer: Viewer, *, service: bool = False) -> dict[str, str]:
        return {TOKEN_HEADER: self._gateway.sign("map", viewer, service=service)}

    def answer(self, viewer: Viewer, query: str, **variables: Any) -> dict[str, Any]:
        """Run an operation and give the whole answer."""
        response = self._http.post(
            f"{self._base}/graphql",
            headers={**self._token(viewer), "accept": "application/json"},
            json={"query": query, "variables": variables},
        )
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def ask(self, viewer: Viewer, query: str, **variables: Any) -> Any:
        """Run an operation that must succeed and give its data."""
        answer = self.answer(viewer, query, **variables)
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    def generate(self, viewer: Viewer, campaign: str | None = None, **options: Any) -> Any:
        """Send ``generateMap`` and give its answer."""
        realm = options.pop("realm", {"seed": "7"})
        sent = {"map": {"forgebornRealm": realm}, "campaignId": campaign, **options}
        return self.ask(viewer, GENERATE, input=sent)["generateMap"]

    def queued(self, viewer: Viewer, campaign: str | None = None, **options: Any) -> str:
        """Have a map queued and give its job's id."""
        made = self.generate(viewer, campaign, **options)
        assert made["__typename"] == "MapJobQueued", made
        return str(made["job"]["id"])

    def made(self, viewer: Viewer, campaign: str | None = None, **options: Any) -> str:
        """Have a map made and give its id."""
        job = self.work(self.queued(viewer, campaign, **options))
        assert job is not None and job.result is not None
        return str(job.result["map"])

    def work(self, job_id: str) -> Job | None:
        """Do a job as a worker does."""
        return asyncio.run(perform(job_id, realm_steps, self.settings))

    def internal(self, viewer: Viewer, path: str, *, service: bool = True) -> httpx.Response:
        """Read an internal path, as another service does on behalf of a viewer."""
        return self._http.get(f"{self._base}/internal/{path}", headers=self._token(viewer, service=service))

    def events(self, viewer: Viewer, query: str, **variables: Any) -> Iterator[dict[str, Any]]:
        """Subscribe, and give each answer until the service completes the stream."""
        with httpx.Client(timeout=30, trust_env=False) as http:
            headers = {**self._token(viewer), "accept": "text/event-stream"}
            body = {"query": query, "variables": variables}
            with http.stream("POST", f"{self._base}/graphql", headers=headers, json=body) as stream:
                kind = ""
                for line in stream.iter_lines():
                    if line.startswith("event: "):
                        kind = line.removeprefix("event: ")
                    elif line.startswith("data: ") and kind == "next":
                        yield orjson.loads(line.removeprefix("data: "))
                    if kind == "complete":
                        return
        raise AssertionError("the stream broke off")
