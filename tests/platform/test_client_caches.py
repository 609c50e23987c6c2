"""The caches of clients, as they are without any setting, show each value that was answered.

They take two objects with the same type and ``id`` for one: what is unique only within a hero's sheet or a scene
must not be called so.
"""

import json
import subprocess
from typing import Any

import pytest
from graphql import parse

from infra.checks.grammar import faults
from infra.checks.schema import FEDERATION, node_binary
from tests.e2e.documents import QUERIES
from tests.e2e.product import Product
from tests.e2e.table import World, build_world, create_hero
from tests.matrix.requests import graph_requests

LARGEST = 10
# Two heroes of one game beside each other: their checks, tracks and weapons go by the same words.
HEROES = """
query ($one: ID!, $other: ID!) {
  one: character(id: $one) { ...Hero }
  other: character(id: $other) { ...Hero }
}
fragment Hero on Character {
  id name
  sheet {
    name checks { key name notation dice { value } } tracks { key name current maximum }
    ... on DungeonTellerSheet { actions { key rating { value } } weapons { key name } }
  }
}
"""


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table with something of everything."""
    return build_world(sqlite)


def shown(world: World, queries: list[dict[str, Any]]) -> str:
    """Have the clients ask, and return what they show otherwise than it was answered, and how much is right."""
    token = world.gm.headers["authorization"].removeprefix("Bearer ")
    done = subprocess.run(
        [str(node_binary()), str(FEDERATION / "caches.mjs"), f"{world.product.url}/graphql", token],
        input="\n".join(json.dumps(query) for query in queries),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=FEDERATION,
    )
    assert done.stdout.endswith(" ok\n"), done.stderr[-2000:]
    return done.stdout


def test_caches_show_every_value_of_the_largest_documents(world: World) -> None:
    requests = [one for one in graph_requests(world, world.gm).values() if one.document in QUERIES.values()]
    largest = sorted(requests, key=lambda one: -len(one.document))[:LARGEST]
    queries = [{"name": one.name, "query": one.document, "variables": one.variables} for one in largest]
    assert shown(world, queries) == f"{6 * LARGEST}/{6 * LARGEST} ok\n"


def test_caches_tell_two_heroes_apart(world: World) -> None:
    one, other = (create_hero(world.gm, role=role, name=role.title()) for role in ("warrior", "wizard"))
    heroes = {"name": "two heroes", "query": HEROES, "variables": {"one": one, "other": other}}
    assert shown(world, [heroes]) == "6/6 ok\n"
    # The test would see it: so it was while what a sheet holds was called `id`.
    mistaken = {**heroes, "query": HEROES.replace("checks { key", "checks { id: key")}
    assert shown(world, [mistaken]) != "6/6 ok\n"


def test_a_name_that_is_unique_only_within_its_parent_is_no_id() -> None:
    sdl = """
    "." type Query { "." hero("." id: ID!): Hero }
    "." type Hero @key(fields: "id") { "." id: ID! "." checks: [Check!]! }
    "." type Check { "." id: ID! }
    """
    assert list(faults(parse(sdl))) == ["Check.id: unique only within what holds it, it is called `key`"]
