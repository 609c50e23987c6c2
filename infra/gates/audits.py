"""GraphQL over HTTP as its specification has it: the 61 audits of graphql-http, of gateway and services."""

import subprocess
from collections.abc import Iterable, Mapping

from infra.gates.frame.command import Options
from infra.gates.frame.figures import Figure, GateFailure
from infra.gates.frame.house import House
from infra.launch.bootstrap import FEDERATION, node_binary
from services.shared.settings import SERVICES

AUDITS = 61
MOST_SECONDS = 90


def audit(url: str, headers: Mapping[str, str]) -> str:
    """Runs the audits against an address; returns their lines: each that is not met, and a sum.

    Raises:
        GateFailure: they did not run.
    """
    words = [f"{name}={value}" for name, value in headers.items()]
    done = subprocess.run(
        [str(node_binary()), str(FEDERATION / "audit.mjs"), url, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=MOST_SECONDS,
        cwd=FEDERATION,
    )
    if done.stderr:
        raise GateFailure(f"the audits did not run: {done.stderr[-1_000:]}")
    return done.stdout


def run(house: House, options: Options) -> Iterable[Figure]:
    """Yields how many audits are met: by the gateway with a key and without one, and by each service."""
    product = house.product
    somebody = product.sign_up("Auditor")
    doors = {
        "gateway": (product.url, somebody.headers),
        "gateway without a key": (product.url, product.anonymous().headers),
    }
    for service in SERVICES:
        doors[service] = (product.inside(service), product.token(service, somebody.viewer))
    for door, (address, headers) in doors.items():
        *missed, sum_of_them = audit(f"{address}/graphql", headers).splitlines()
        met = int(sum_of_them.partition("/")[0])
        yield Figure(f"audits.{door}", met, "audits", AUDITS, findings=tuple(missed))
