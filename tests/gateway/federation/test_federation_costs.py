"""What whole sheets cost at the door, and that the stored document of sheets is within its limits."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

from tests.gateway.federation.toy_house import FEDERATION, NODE, REPOSITORY

PRICED = """
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { operationCost } from './cost.mjs';
import { brokenLimit } from './document_limits.mjs';
import { CAPACITY } from './limits.mjs';
const schema = buildSchema(readFileSync('../../../schema/api.graphql', 'utf8'), { assumeValidSDL: true });
const documents = JSON.parse(readFileSync(0, 'utf8')).map((text) => parse(text));
const told = documents.map((document) => ({
  cost: operationCost({ schema, document, variables: {} }),
  errors: validate(schema, document).map(({ message }) => message),
  limit: brokenLimit(document)?.message ?? null,
}));
console.log(JSON.stringify({ capacity: CAPACITY, told }));
"""


def priced(*documents: str) -> tuple[int, list[dict[str, Any]]]:
    """The size of a bucket, and of each document its cost, its errors and the limit that it breaks."""
    done = subprocess.run(
        [str(NODE), "--input-type=module", "--eval", PRICED],
        cwd=FEDERATION,
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["capacity"], answer["told"]


def stored_sheet() -> str:
    """The stored document of a sheet, without what it says of REST."""
    text = (REPOSITORY / "schema" / "operations" / "character.sheetSections.graphql").read_text("utf-8")
    return re.sub(r"@rest\(.*?\n\)|@needed", "", text, flags=re.DOTALL)


def selection(document: str, field: str) -> str:
    """What a document selects below a field, braces included."""
    start = document.index("{", document.index(field))
    depth = 0
    for place, character in enumerate(document[start:], start):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            return document[start : place + 1]
    raise AssertionError("a brace is open")


def test_ten_whole_sheets_of_any_game_cost_at_most_a_fifth_of_the_bucket() -> None:
    one = stored_sheet()
    sheet = selection(one, "\n    sheet ")
    ten = f"{{ characters(first: 10) {{ nodes {{ id name sheet {sheet} }} }} }}"
    whole = "{ characters(first: 10) { nodes { id sheet { json } } } }"
    short = "{ characters(first: 100) { nodes { id sheet { summary { line figures { label text } } } } } }"
    capacity, told = priced(one, ten, whole, short)
    assert [(each["errors"], each["limit"]) for each in told] == [([], None)] * 4
    costs = [each["cost"] for each in told]
    assert 10 * costs[0] <= capacity / 5
    assert max(costs[1:3]) <= capacity / 5
    # A hundred characters in short are within what one operation may cost.
    assert costs[3] <= 1000


def test_a_price_of_an_interface_holds_for_its_types() -> None:
    on_type = '{ character(id: "chr_1") { sheet { ... on DungeonTellerSheet { sections { key } json } } } }'
    on_interface = '{ character(id: "chr_1") { sheet { sections { key } json } } }'
    _, told = priced(on_type, on_interface)
    assert told[0]["cost"] == told[1]["cost"] == 1 + 1 + 4 + 1
