"""All maps of an order, made by a running product: ordered as a batch over REST, fetched when it is done.

What a later run needs is noted in the folder, so that one that was killed finds its batch again; one that is
told to stop cancels it.
"""

import hashlib
import os
import re
import secrets
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson

from infra.mapmaker.folder import Folder, write_whole
from infra.mapmaker.orders import Order
from infra.mapmaker.progress import Progress
from infra.mapmaker.refusals import OrderRefused, Refusal, WorkFailed
from services.map.formats import Audience
from services.shared.problems import Issue

POLL = 0.5
PATIENCE = 60.0
"""Seconds for which a product that does not answer, or asks to wait, is asked again."""

TIMEOUT = httpx.Timeout(30.0, read=120.0)
MEGABYTE = 1e-6
RUNNING, SUCCEEDED = ("QUEUED", "RUNNING"), "SUCCEEDED"
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_AGAIN = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_GATEWAY})
_ENTRY = re.compile(r"(\d{5})-[a-z0-9-]{1,60}(?:\.[a-z0-9-]+)+")

MakeProgress = Callable[..., Progress]


class Product:
    """A running product, asked over REST with an API key.

    Args:
        address: `http://127.0.0.1:4000`.
        key: an API key that may read and write.
        transport: in the place of the network.

    Raises:
        OrderRefused: the address is none.
    """

    def __init__(self, address: str, key: str, transport: httpx.BaseTransport | None = None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = "Name the product's address, such as http://127.0.0.1:4000."
            raise OrderRefused.of("ADDRESS_MALFORMED", message, "url", found=address[:200])
        self.address = address.rstrip("/")
        self._client = httpx.Client(
            base_url=self.address,
            headers={"authorization": f"Bearer {key}", "accept": "application/json"},
            timeout=TIMEOUT,
            # A proxy is for what is far away.
            trust_env=parts.hostname not in _LOOPBACK,
            transport=transport,
        )

    def close(self) -> None:
        """Let go of its connections."""
        self._client.close()

    def order(self, body: Mapping[str, Any], idempotency_key: str) -> str:
        """Order a batch; gives the id of its job."""
        headers = {"idempotency-key": idempotency_key}
        answer = self._ask("POST", "/v1/batches", content=orjson.dumps(body), headers=headers)
        return str(answer["id"])

    def batch(self, job: str) -> dict[str, Any] | None:
        """Look at a batch; None where there is none (any more)."""
        try:
            return self._ask("GET", f"/v1/batches/{job}")
        except Refusal as refusal:
            if refusal.issues[0].code == "NOT_FOUND":
                return None
            raise

    def cancel(self, job: str) -> None:
        """Cancel a batch; what was made is kept."""
        self._ask("DELETE", f"/v1/jobs/{job}", patience=0.0)

    def pieces(self, job: str, name: str) -> Iterator[bytes]:
        """Read a file of a batch, piece by piece."""
        try:
            with self._client.stream("GET", f"/v1/batches/{job}/{name}") as answer:
                if answer.status_code != HTTPStatus.OK:
                    answer.read()
                    raise _refused(answer)
                yield from answer.iter_bytes()
        except httpx.TransportError as error:
            raise self._unreachable(error) from None

    def _ask(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        patience: float | None = None,
    ) -> dict[str, Any]:
        deadline = time.monotonic() + (PATIENCE if patience is None else patience)
        sent = {"content-type": "application/json", **(headers or {})} if content else headers
        while True:
            wait = POLL
            try:
                answer = self._client.request(method, path, content=content, headers=sent)
            except httpx.TransportError as error:
                if time.monotonic() > deadline:
                    raise self._unreachable(error) from None
            else:
                if answer.is_success:
                    found: dict[str, Any] = answer.json()
                    return found
                if answer.status_code not in _AGAIN or time.monotonic() > deadline:
                    raise _refused(answer)
                with suppress(ValueError):
                    wait = max(POLL, min(float(answer.headers.get("retry-after", POLL)), PATIENCE))
            time.sleep(wait)

    def _unreachable(self, error: httpx.TransportError) -> WorkFailed:
        message = f"The product does not answer: {error or type(error).__name__}."
        return WorkFailed.of("PRODUCT_UNREACHABLE", message, "url", found=self.address)


def check_remote(order: Order) -> None:
    """Find out whether a batch of a product can be so.

    Raises:
        OrderRefused: it cannot.
    """
    given = {
        "view": None if order.audience is Audience.GM else order.audience.value,
        "px": order.pixels,
        "style": order.style,
    }
    issues = [
        Issue(
            code="NOT_OF_A_BATCH",
            message="The maps of a product's batch are whole, and drawn as usual: leave this out, or --url.",
            path=[name],
            found=str(found),
        )
        for name, found in given.items()
        if found is not None
    ]
    if issues:
        raise OrderRefused(issues)


def batch_body(order: Order) -> dict[str, Any]:
    """Write an order as `/v1/batches` takes it."""
    wanted = {"kind": order.kind.upper(), "parameters": order.spelled}
    seeds = {"seeds": [str(seed) for seed in order.seeds]} if order.seeds else {"seed": str(order.seed)}
    formats = [name.upper().replace("-", "_") for name in order.formats]
    return {**wanted, **seeds, "count": order.count, "formats": formats}


def make_there(order: Order, folder: Folder, product: Product, make_progress: MakeProgress) -> int:
    """Have a product make an order, and fetch what it made; gives how many maps were fetched.

    Raises:
        Refusal: the product refuses, fails or does not answer; or a file cannot be written.
    """
    job = _begun(order, folder, product)
    try:
        batch = _awaited(job, product, make_progress)
    except KeyboardInterrupt:
        with suppress(Refusal):
            product.cancel(job)
        raise
    fetched = _fetch(job, folder, product, make_progress(batch["bytes"], "MB", scale=MEGABYTE))
    state, error = batch["job"]["state"], batch["job"]["error"] or {}
    if state != SUCCEEDED:
        message = error.get("message") or f"The batch is {state.lower()}; {batch['done']} maps were made."
        raise WorkFailed.of(error.get("code") or f"JOB_{state}", message, "job", found=job)
    return fetched


def _begun(order: Order, folder: Folder, product: Product) -> str:
    """Find the batch of an earlier run that is under way or done, or order one."""
    body = batch_body(order)
    digest = hashlib.sha256(orjson.dumps([product.address, body])).hexdigest()
    noted = folder.job if folder.job.get("request") == digest else {}
    if "id" in noted:
        batch = product.batch(noted["id"])
        if batch is not None and batch["job"]["state"] in (*RUNNING, SUCCEEDED):
            return str(noted["id"])
        noted = {}
    # Noted before it is sent: a run that dies in between finds the same batch again by its key.
    noted = noted or {"request": digest, "url": product.address, "key": f"maps-{secrets.token_hex(16)}"}
    folder.note_job(noted)
    job = product.order(body, noted["key"])
    folder.note_job({**noted, "id": job})
    return job


def _awaited(job: str, product: Product, make_progress: MakeProgress) -> dict[str, Any]:
    progress: Progress | None = None
    while True:
        batch = product.batch(job)
        if batch is None:
            raise WorkFailed.of("NOT_FOUND", "The product has forgotten the batch.", "job", found=job)
        progress = progress or make_progress(batch["count"], done=float(batch["done"]))
        progress.move_to(batch["done"])
        if batch["job"]["state"] not in RUNNING:
            progress.end()
            return batch
        time.sleep(POLL)


def _fetch(job: str, folder: Folder, product: Product, progress: Progress) -> int:
    packed = folder.path / ".maps.zip.part"
    try:
        try:
            with packed.open("wb") as target:
                for piece in product.pieces(job, "maps.zip"):
                    target.write(piece)
                    progress.move_to(progress.done + len(piece))
            progress.end()
            files = _unpacked(packed, folder)
        finally:
            packed.unlink(missing_ok=True)
    except OSError as error:
        message = f"The file cannot be written: {error.strerror}."
        raise WorkFailed.of("FILE_UNWRITABLE", message, "out", found=str(packed)) from None
    except zipfile.BadZipFile as error:
        message = f"What the product sent is no whole ZIP file: {error}."
        raise WorkFailed.of("ARCHIVE_MALFORMED", message, "maps.zip", found=job) from None
    entries = 0
    for line in _lines(product.pieces(job, "maps.ndjson")):
        entry = orjson.loads(line)
        entry.pop("map", None)
        if entry["number"] in files:
            folder.add({**entry, "files": files[entry["number"]]})
            entries += 1
    folder.finish()
    return entries


def _unpacked(packed: os.PathLike[str], folder: Folder) -> dict[int, list[str]]:
    """Unpack what is not there yet; gives the names of the files by their map's number."""
    files: dict[int, list[str]] = {}
    with zipfile.ZipFile(packed) as archive:
        for name in archive.namelist():
            match = _ENTRY.fullmatch(name)
            if match is None:
                message = "The product sent a file whose name is not one of a map's."
                raise WorkFailed.of("ARCHIVE_MALFORMED", message, "maps.zip", found=name[:200])
            files.setdefault(int(match[1]), []).append(name)
            if not (folder.path / name).exists():
                write_whole(folder.path / name, archive.read(name))
    return files


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest


def _refused(answer: httpx.Response) -> Refusal:
    """Read why the product refuses (RFC 9457)."""
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):
        message = f"The product answered with {answer.status_code}, in no form that is known here."
        return WorkFailed.of("ANSWER_UNKNOWN", message, "url", found=str(answer.url))
    code = str(told.get("code", answer.status_code))
    issues = [
        Issue(
            code=str(each.get("code", code)),
            message=str(each.get("message", "")),
            path=[str(step) for step in each.get("path") or ()],
            found=each.get("found"),
            allowed=each.get("allowed"),
        )
        for each in told.get("issues") or ()
    ] or [Issue(code=code, message=str(told.get("detail", "")), path=list(told.get("path") or ()))]
    unsound = answer.status_code in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)
    return OrderRefused(issues) if unsound else WorkFailed(issues)
