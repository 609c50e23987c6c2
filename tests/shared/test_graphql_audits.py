"""GraphQL over HTTP, judged by its reference implementation's own audits, against the real subgraphs."""

import subprocess

import httpx
import pytest

from infra.launch.bootstrap import node_binary
from services.shared.auth import TOKEN_HEADER, Viewer
from services.shared.settings import SERVICES, ServiceName
from tests.conftest import wait_for
from tests.house import EVERYTHING, ROOT, House

pytestmark = pytest.mark.xdist_group("house")

AUDITS = 61
AUDIT = ROOT / "services" / "gateway" / "federation" / "audit.mjs"


@pytest.mark.parametrize("service", SERVICES)
def test_subgraph_meets_every_audit_of_graphql_over_http(house: House, service: ServiceName) -> None:
    wait_for(lambda: _listens(house, service), f"the {service} service")
    # It lives 60 s; the audits need about two.
    token = house.token(service, Viewer("acc_audit", EVERYTHING))[TOKEN_HEADER]
    run = subprocess.run(
        [
            str(node_binary()),
            str(AUDIT),
            f"http://127.0.0.1:{house.ports[service]}/graphql",
            f"{TOKEN_HEADER}={token}",
        ],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, f"{AUDITS}/{AUDITS} ok\n"), run.stdout + run.stderr


def _listens(house: House, service: ServiceName) -> bool:
    """Tell whether a service answers: the account service is ready only behind a gateway."""
    try:
        return house.get(service, "/healthz").status_code == 200
    except httpx.HTTPError:
        return False
