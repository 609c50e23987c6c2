"""The codes of the games' rules, read from ``schema/rule-codes.json``."""

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus

import orjson

from services.gateway.rest.codes import Code
from services.gateway.rest.operation import SCHEMA


@cache
def rule_codes() -> Mapping[str, Code]:
    """Return the codes of the games' rules, with the sentences that each is told with."""
    rows = orjson.loads((SCHEMA / "rule-codes.json").read_bytes())
    return {code: Code(HTTPStatus.UNPROCESSABLE_ENTITY, **row) for code, row in rows.items()}
