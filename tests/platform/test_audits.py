"""The audits of GraphQL over HTTP, as the graphql-http package publishes them: the gateway and each service."""

import subprocess

import pytest

from infra.launch.bootstrap import FEDERATION, node_binary
from services.shared.settings import SERVICES, ServiceName
from tests.e2e.product import Product


def audit(url: str, headers: dict[str, str]) -> str:
    """Run the audits; give what they print."""
    script = FEDERATION / "audit.mjs"
    words = [f"{name}={value}" for name, value in headers.items()]
    done = subprocess.run(
        [str(node_binary()), str(script), url, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
        cwd=FEDERATION,
    )
    assert not done.stderr, done.stderr
    return done.stdout


def test_gateway_meets_every_audit(sqlite: Product) -> None:
    assert audit(f"{sqlite.url}/graphql", sqlite.sign_up("Auditor").headers) == "61/61 ok\n"


def test_gateway_meets_every_audit_without_a_key(sqlite: Product) -> None:
    assert audit(f"{sqlite.url}/graphql", sqlite.anonymous().headers) == "61/61 ok\n"


@pytest.mark.parametrize("service", SERVICES)
def test_service_meets_every_audit(sqlite: Product, service: ServiceName) -> None:
    headers = sqlite.token(service, sqlite.sign_up("Auditor").viewer)
    assert audit(f"{sqlite.inside(service)}/graphql", headers) == "61/61 ok\n"
