"""A tenth of who sees what, through the public port: what the services answer, the gateway passes on.

Every row of the tables is asked of the services in ``tests/matrix/test_visibility.py``; here are chosen ones of
each service and each kind of operation, those first in which the gateway puts answers of several services
together.
"""

from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import TRANSPORTS, Person, Product, Transport, listening
from tests.e2e.table import World, build_world
from tests.matrix.test_visibility import REST, TABLE, Rest, Row, cells, graph, rest_cells

GRAPH = {
    "query": {
        *("me", "roll", "roll in secret", "rolls of the hero", "rollReceipts of the secret chain"),
        *("character with its packs and past", "content of the player's pack", "campaign", "scene"),
        *("map under fog", "map hidden", "mapBatch"),
    },
    "mutation": {
        *("revokeApiKey of the player", "roll", "roll in secret", "revealRoll"),
        *("createCharacter under the player's pack", "deleteContentPack of the player", "proposeReward"),
        *("changeRole", "writeNote", "performMove of the GM", "generateMap", "editMap that finds a door"),
        "cancelJob",
    },
}
FACE = {
    *("GET /v1/campaigns/{campaign}", "GET /v1/campaigns/{campaign}/receipts?secret=true"),
    *("GET /v1/characters/{smith}/history", "GET /v1/rolls/{secret_roll}", "GET /v1/scenes/{scene}/moves"),
    *("GET /v1/maps/{dungeon}/play", "GET /v1/maps/{prepared}/map.uvtt?px=8"),
    *("GET /v1/batches/{batch}/maps.ndjson", "POST /v1/rolls", "POST /v1/scenes/{scene}/moves"),
    *("POST /v1/maps/import", "PATCH /v1/macros/{shared_macro}", "PUT /v1/dice/settings"),
    "DELETE /v1/keys/{key}",
}


@pytest.fixture(scope="module")
def world(sqlite: Product) -> World:
    """Set a table whose words no other has."""
    return build_world(sqlite, lambda what: f"Secret {what} of the seven lanterns")


def chosen(kind: str) -> list[Row]:
    """Give the rows that are asked through the gateway."""
    found = [row for row in TABLE[kind] if row.name in GRAPH[kind]]
    assert {row.name for row in found} == GRAPH[kind]
    return found


def of_the_face() -> list[Rest]:
    """Give the rows of the REST face that are asked through the gateway."""
    found = [row for row in REST if f"{row.method} {row.path}" in FACE]
    assert {f"{row.method} {row.path}" for row in found} == FACE
    return found


@pytest.mark.parametrize("kind", TABLE)
def test_table_holds_every_operation(world: World, kind: str) -> None:
    found = world.outsider.ask("{ __schema { %sType { fields { name } } } }" % kind)["__schema"]
    assert {row.field for row in TABLE[kind]} == {field["name"] for field in found[f"{kind}Type"]["fields"]}


@pytest.mark.parametrize("row", chosen("query"), ids=lambda row: row.name)
def test_query_shows_each_role_its_own(world: World, row: Row) -> None:
    assert cells(row, graph(QUERIES, row), world) == " ".join(row.cells.split())


@pytest.mark.parametrize("row", TABLE["subscription"], ids=lambda row: row.name)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_subscription_tells_members_only(world: World, row: Row, transport: Transport) -> None:
    def first(person: Person, variables: dict[str, Any]) -> dict[str, Any]:
        with listening(person, transport, SUBSCRIPTIONS[row.field], **variables) as listener:
            return listener.answer() or {}

    assert cells(row, first, world) == " ".join(row.cells.split())


@pytest.mark.parametrize("row", of_the_face(), ids=lambda row: f"{row.method} {row.path}")
def test_rest_face_shows_each_role_its_own(world: World, row: Rest) -> None:
    assert rest_cells(row, world) == " ".join(row.cells.split())


@pytest.mark.parametrize("row", chosen("mutation"), ids=lambda row: row.name)
def test_mutation_obeys_each_role(world: World, row: Row) -> None:
    assert cells(row, graph(MUTATIONS, row), world) == " ".join(row.cells.split())


def test_clients_token_header_is_not_believed(world: World) -> None:
    """Who brings an internal token of the GM through the public door is still only themselves."""
    stolen = world.product.token("campaign", world.gm.viewer)
    answer = world.outsider.send(
        "POST",
        "/graphql",
        json={"query": QUERIES["campaign"], "variables": {"id": world.campaign}},
        headers=stolen,
    )
    assert answer.json()["data"] == {"campaign": None}
    rest = world.outsider.send("GET", f"/v1/campaigns/{world.campaign}", headers=stolen)
    assert rest.status_code == 404
