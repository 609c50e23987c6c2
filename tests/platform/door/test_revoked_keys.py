"""A revoked key loses its sockets and streams within two seconds."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from websockets.exceptions import ConnectionClosed

from tests.e2e.product import ROOT, Person, Product, listening, socket
from tests.e2e.table import found_campaign

LOG = "subscription ($id: ID!) { campaignLog(campaignId: $id) { seq } }"
WITHIN_SECONDS = 2.0


def revoke_by_rest(person: Person) -> None:
    assert person.send("DELETE", f"/v1/keys/{person.key_id}").status_code in (200, 204)


def revoke_by_command(person: Person) -> None:
    """Revoke as the operator does, in another process and straight on the database."""
    command = [sys.executable, "-m", "services.gateway.keys", "revoke", str(person.key_id)]
    environment = {**os.environ, **person.product.environment}
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)


@pytest.mark.parametrize("revoke", [revoke_by_rest, revoke_by_command], ids=lambda way: way.__name__)
def test_revoked_key_loses_its_socket_and_its_stream(
    sqlite: Product, revoke: Callable[[Person], None]
) -> None:
    gm = sqlite.sign_up()
    campaign = found_campaign(gm)
    with socket(gm) as opened, listening(gm, "sse", LOG, id=campaign) as stream:
        opened.send(json.dumps({"type": "ping"}))
        assert json.loads(opened.recv(timeout=5)) == {"type": "pong"}
        revoke(gm)
        began = time.monotonic()
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, "KEY_REVOKED")
        last = None
        with contextlib.suppress(StopIteration):
            while (told := stream.answer()) is not None:
                last = told
        assert last is not None
        assert last["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "reason": "KEY_REVOKED"}
        assert time.monotonic() - began < WITHIN_SECONDS
    assert gm.send("GET", "/v1/me", patient=False).status_code == 401
