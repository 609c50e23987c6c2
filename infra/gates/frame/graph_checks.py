"""What schemathesis holds answers of the graph against; it loads this module by ``SCHEMATHESIS_HOOKS``.

Its own check takes every error that has a path for a fault of the server. Ours have codes: a client may be
told those of its own mistakes, and no others.
"""

from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.graphql import nodes

from tests.matrix.test_bad_input import CODES

ALLOWED = CODES | {"RATE_LIMITED"}


@schemathesis.check
def coded(ctx: Any, response: Any, case: Any) -> None:
    """Fails for a 5xx, for what is no JSON, and for an error that is not the client's own mistake."""
    assert response.status_code < 500, f"{response.status_code}: {response.text[:300]}"
    for error in response.json().get("errors") or []:
        code = (error.get("extensions") or {}).get("code")
        assert code in ALLOWED, f"{code}: {str(error)[:300]}"


WORDS = st.text(max_size=12)
LEAVES = WORDS.map(nodes.String) | st.integers(-9, 9).map(nodes.Int) | st.booleans().map(nodes.Boolean)
schemathesis.graphql.scalar("JSON", LEAVES | st.just(nodes.Null))
