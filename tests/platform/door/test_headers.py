"""What every answer of the public port says of itself, whoever of the house gave it."""

import httpx
import pytest

from tests.e2e.product import Product

JSON = {"content-type": "application/json"}
ANSWERS: list[tuple[str, str, bytes | None, int]] = [
    ("GET", "/", None, 200),
    ("GET", "/start.css", None, 200),
    ("GET", "/docs", None, 200),
    ("GET", "/docs/docs.js", None, 200),
    ("GET", "/docs/swagger-ui-bundle.js", None, 200),
    ("GET", "/docs/nothing", None, 404),
    ("GET", "/openapi.json", None, 200),
    ("GET", "/healthz", None, 200),
    ("GET", "/readyz", None, 200),
    ("GET", "/v1/me", None, 401),
    ("GET", "/v1/dice/keys", None, 200),
    ("GET", "/v1/nowhere", None, 404),
    ("PUT", "/v1/me", b"{}", 405),
    ("POST", "/v1/accounts", b"{", 400),
    ("POST", "/v1/accounts", b"{}", 422),
]


def ask(product: Product, method: str, path: str, body: bytes | None, **headers: str) -> httpx.Response:
    own = {**(JSON if body else {}), **headers}
    return product.anonymous().send(method, path, content=body, headers=own)


@pytest.mark.parametrize(("method", "path", "body", "status"), ANSWERS)
def test_no_answer_may_be_taken_for_another_kind(
    sqlite: Product, method: str, path: str, body: bytes | None, status: int
) -> None:
    answer = ask(sqlite, method, path, body)
    assert answer.status_code == status, answer.text
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]


def test_the_description_is_sent_once_and_compressed(sqlite: Product) -> None:
    first = ask(sqlite, "GET", "/openapi.json", None)
    assert first.headers["content-encoding"] == "gzip"
    assert "max-age" in first.headers["cache-control"]
    again = ask(sqlite, "GET", "/openapi.json", None, **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = ask(sqlite, "GET", "/openapi.json", None, **{"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.content == first.content
