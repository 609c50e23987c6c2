"""The audits of GraphQL over HTTP, as the graphql-http package publishes them: the gateway and each service."""

import pytest

from infra.checks.schema import HEADER
from infra.gates.audits import audit
from services.shared.settings import SERVICES, ServiceName
from tests.e2e.product import ROOT, Product


def test_gateway_meets_every_audit(sqlite: Product) -> None:
    assert audit(f"{sqlite.url}/graphql", sqlite.sign_up("Auditor").headers) == "61/61 ok\n"


def test_gateway_meets_every_audit_without_a_key(sqlite: Product) -> None:
    assert audit(f"{sqlite.url}/graphql", sqlite.anonymous().headers) == "61/61 ok\n"


@pytest.mark.parametrize("service", SERVICES)
def test_service_meets_every_audit(sqlite: Product, service: ServiceName) -> None:
    headers = sqlite.token(service, sqlite.sign_up("Auditor").viewer)
    assert audit(f"{sqlite.inside(service)}/graphql", headers) == "61/61 ok\n"


@pytest.mark.parametrize("service", SERVICES)
def test_service_speaks_the_published_schema(sqlite: Product, service: ServiceName) -> None:
    """What is published is written with all services in one process; here each has one of its own."""
    asked = sqlite.http.post(
        f"{sqlite.inside(service)}/graphql",
        json={"query": "{ _service { sdl } }"},
        headers=sqlite.token(service, sqlite.sign_up("Reader").viewer),
    )
    published = (ROOT / "schema" / f"{service}.graphql").read_text("utf-8")
    assert f"{HEADER}{asked.json()['data']['_service']['sdl'].strip()}\n" == published
