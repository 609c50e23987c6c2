"""A real S3 server for tests: SeaweedFS on ports of this machine, with one key and one bucket."""

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import obstore
from obstore.store import S3Store

from services.shared.object_storage import ObjectStorage
from services.shared.storage_address import storage_address
from tests.house import free_port
from tests.patience import pause

CREDENTIALS: dict[str, Any] = {"access_key_id": "hearth", "secret_access_key": "forge-of-the-tests"}
BUCKET, REGION = "files", "us-east-1"
TRIES = 200
PROGRAM = Path(sys.prefix) / "bin" / "weed"
STARTS = 3
PORTS = ("master.port", "volume.port", "filer.port", "s3.port")
UNUSED_PORTS = ("s3.port.iceberg", "s3.port.lance")
"""Servers beside it that stand on one port of the machine each, unless they are turned off."""


class Ended(Exception):
    """The server ended before it answered."""


@dataclass(frozen=True)
class ObjectStore:
    """A running server.

    Attributes:
        endpoint: its address.
        process: of it.
    """

    endpoint: str
    process: "subprocess.Popen[bytes]"

    def url(self, *, public: bool = False, bucket: str = BUCKET) -> str:
        """Return the address of a place in the bucket that nobody else uses."""
        more = f"&public={self.endpoint}" if public else ""
        return f"s3://{bucket}/{uuid.uuid4().hex}?endpoint={self.endpoint}&region={REGION}{more}"

    def storage(self, *, public: bool = False) -> ObjectStorage:
        """Open such a place."""
        return ObjectStorage(storage_address(self.url(public=public)), CREDENTIALS)

    @property
    def environment(self) -> dict[str, str]:
        """Return the key, as the environment of a product holds it."""
        return {f"AWS_{name.upper()}": value for name, value in CREDENTIALS.items()}


@contextmanager
def running_object_store(folder: Path) -> Iterator[ObjectStore]:
    """Run a server while the block lasts.

    Args:
        folder: an empty one whose path is short enough for a socket.
    """
    key = {"accessKey": CREDENTIALS["access_key_id"], "secretKey": CREDENTIALS["secret_access_key"]}
    actions = ["Admin", "Read", "Write", "List"]
    config = folder / "s3.json"
    config.write_text(
        json.dumps({"identities": [{"name": "tests", "credentials": [key], "actions": actions}]})
    )
    for attempt in count(1):
        process, endpoint = _started(folder, config)
        try:
            _make_bucket(endpoint, process, folder / "log")
            break
        except Ended:  # another program has taken one of its ports meanwhile
            if attempt == STARTS:
                raise
    try:
        yield ObjectStore(endpoint, process)
    finally:
        process.kill()
        process.wait()


def _started(folder: Path, config: Path) -> "tuple[subprocess.Popen[bytes], str]":
    """Start a server on ports that are free now; returns it and its address."""
    ports = {name: free_port() for each in PORTS for name in (each, f"{each}.grpc")}
    command = (
        *(str(PROGRAM), "-logtostderr=true", "server", f"-dir={folder}"),
        *("-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", f"-s3.config={config}", "-master.telemetry=false"),
        *("-master.volumeSizeLimitMB=64", "-volume.max=50", f"-filer.localSocket={folder / 'filer.sock'}"),
        *(f"-{name}={port}" for name, port in ports.items()),
        *(f"-{name}=0" for name in UNUSED_PORTS),
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    return process, f"http://127.0.0.1:{ports['s3.port']}"


def _make_bucket(endpoint: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Make the bucket as soon as the server answers.

    Raises:
        Ended: with the last line that it wrote.
    """
    root = S3Store(
        BUCKET, endpoint=endpoint, region=REGION, client_options={"allow_http": True}, **CREDENTIALS
    )
    url = obstore.sign(root, "PUT", "", timedelta(minutes=5))
    waited = 0.0
    for _ in range(TRIES):
        if process.poll() is not None:
            raise Ended(log.read_text().rstrip().rpartition("\n")[2])
        try:
            with urlopen(Request(url, method="PUT"), timeout=10):
                return
        except (URLError, ConnectionError):
            time.sleep(pause(waited))
            waited += pause(waited)
    raise AssertionError("the object store did not start")
