"""The map service on a real port, called as the gateway would call it; jobs are done in this process, as a
worker does them."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson

from services.map.app import create_app
from services.map.repository import PARTS, Usages
from services.shared.auth import TOKEN_HEADER, Signer, Viewer
from services.shared.database import Database
from services.shared.jobs import Job
from services.shared.settings import Settings
from tests.serving import served
from workers.maps import perform

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
mutation ($id: ID!, $key: String) {
  cancelJob(input: {id: $id, idempotencyKey: $key}) {
    __typename ... on JobCancelled { job { id state } } ... on Problem { code path }
  }
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
      places { key kind name power spent at { x y } }
      range { name points { x y } }
      forests { largest points { x y } lines { points { x y } } }
      links { start end kind forced crossesRange line { x y } }
    }
  }
}
"""
EDIT = """
mutation ($input: EditMapInput!) {
  editMap(input: $input) {
    __typename
    ... on MapEdited { thing map { id revision sharing play { tokens { key name at { x y } } } } }
    ... on Problem { code message path }
    ... on InvalidInput { issues { code path found allowed } }
    ... on MapChanged { expectedRevision currentRevision differing { path yours theirs base } }
  }
}
"""
UNDO = """
mutation ($map: ID!, $number: Int) {
  undoMapEdit(input: {mapId: $map, number: $number}) {
    __typename
    ... on MapEdited { map { id revision } }
    ... on Problem { code message path }
  }
}
"""
TABLE = """
query ($id: ID!) {
  map(id: $id) {
    id kind name seed whole sharing revision gates { name } figures { name } files { name }
    outputs { format url contentType }
    edits { nodes { number sort account { id } undoes undone changes } }
    play {
      extent { x y width height }
      fog { mode shared } explored { key cells } tokens { key name layer at { x y } } notes { title text }
      doors { key state found } drawings { key order } areas { key label }
    }
    grid {
      x y width height cells ambient doors { key kind state at { x y } } rooms { key number name role notes }
      traps { key } notes { text } goal { x y } zones { key side }
    }
    realm { places { key kind power spent } }
  }
}
"""
CHANGES = """
subscription ($id: ID!, $after: String) {
  mapChanges(id: $id, after: $after) { id revision cursor sharing play { tokens { name } } }
}
"""
PROGRESS = """
subscription ($id: ID!, $after: String) {
  jobProgress(id: $id, after: $after) { id state version cursor progress map { id } }
}
"""


class MapDesk:
    """Calls to a running map service."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._door = Signer.of("account", settings)
        self._http = httpx.Client(timeout=30, trust_env=False)
        self._base = ""

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the block ends."""
        app = create_app(self.settings)
        with served(app, lifespan="on", timeout_graceful_shutdown=1) as port:
            self._base = f"http://127.0.0.1:{port}"
            try:
                yield
            finally:
                self._http.close()

    def _token(self, viewer: Viewer, *, service: bool = False) -> dict[str, str]:
        return {TOKEN_HEADER: self._door.sign("map", viewer, service=service)}

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
        wish = options.pop("map", None) or {"forgebornRealm": options.pop("realm", {"seed": "7"})}
        sent = {"map": wish, "campaignId": campaign, **options}
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
        return perform(self.settings, job_id)

    def use_up(self, viewer: Viewer) -> None:
        """Let an account keep as many bytes as it may keep."""

        async def write() -> None:
            database = Database(self.settings.database_url("map"))
            async with database.write() as session:
                await Usages(session).add(viewer.account, size=self.settings.max_stored_bytes)
            await database.close()

        asyncio.run(write())

    def stored(self, folder: str) -> list[Path]:
        """Find the files that are stored: of `maps`, of `batches`."""
        return [path for path in (self.settings.files_dir / folder).rglob("*") if path.is_file()]

    def work_on_parts(self, batch: str, *, most: int | None = None) -> list[Job | None]:
        """Do the parts of a batch as workers do, as many as are named."""

        async def ids() -> list[str]:
            database = Database(self.settings.database_url("map"))
            async with database.read() as session:
                found = [part.id for part in await PARTS.parts(session, batch)]
            await database.close()
            return found

        parts = asyncio.run(ids())[:most]
        return [perform(self.settings, part) for part in parts]

    def edit(self, viewer: Viewer, map_id: str, more: dict[str, Any] | None = None, **edit: Any) -> Any:
        """Send ``editMap`` and give its answer."""
        sent = {"mapId": map_id, "edit": edit, **(more or {})}
        return self.ask(viewer, EDIT, input=sent)["editMap"]

    def bring(self, viewer: Viewer, content: bytes, **query: str) -> httpx.Response:
        """Send a map's file, as the gateway does on behalf of a viewer."""
        return self._http.post(
            f"{self._base}/internal/maps/import",
            headers=self._token(viewer, service=True),
            content=content,
            params=query,
        )

    def internal(
        self, viewer: Viewer, path: str, *, service: bool = True, held: str = "", **more: str
    ) -> httpx.Response:
        """Read an internal path, as another service does on behalf of a viewer who holds an entity tag."""
        headers = self._token(viewer, service=service) | ({"if-none-match": held} if held else {})
        sent = headers | {name.replace("_", "-"): value for name, value in more.items()}
        return self._http.get(f"{self._base}/internal/{path}", headers=sent)

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
