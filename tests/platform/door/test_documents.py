"""What is too large or no request is refused by the gateway and by each service behind it."""

import pytest

from infra.gates.documents import AT_A_LIMIT, refusals, send
from services.shared.settings import SERVICES, ServiceName
from tests.e2e.product import Product


def test_gateway_refuses_what_is_no_request_or_too_large(sqlite: Product) -> None:
    url, headers = f"{sqlite.url}/graphql", sqlite.sign_up("Glutton").headers
    assert send(sqlite.http, url, headers, AT_A_LIMIT).status_code == 200
    assert refusals(sqlite.http, url, headers) == {}


@pytest.mark.parametrize("service", SERVICES)
def test_service_refuses_what_is_no_request_or_too_large(sqlite: Product, service: ServiceName) -> None:
    url = f"{sqlite.inside(service)}/graphql"
    headers = sqlite.token(service, sqlite.sign_up("Glutton").viewer)
    assert send(sqlite.http, url, headers, AT_A_LIMIT).status_code == 200
    assert refusals(sqlite.http, url, headers) == {}
