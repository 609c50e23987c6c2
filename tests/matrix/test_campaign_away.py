"""All reads while the campaign service is away: what is there is shown or 503, and never said not to be there."""

from collections.abc import Iterator

import pytest

from tests.e2e.documents import QUERIES
from tests.e2e.product import Person, until
from tests.e2e.table import World, build_world
from tests.matrix.in_process import InProcess
from tests.matrix.test_visibility import REST, ROLES, Rest

SHOWN = frozenset("+o*")
MEMBERS = ("player", "gm")
# What is the table's, and seen by its GM without being theirs alone.
AT_THE_TABLE = (
    *("/v1/characters/{hero}", "/v1/characters/{hero}/sheet", "/v1/characters/{smith}/history"),
    *("/v1/maps/{map}", "/v1/maps/{prepared}", "/v1/maps/{prepared}/play", "/v1/maps?campaign={campaign}"),
    *("/v1/maps/{map}/map.svg", "/v1/maps/{map}/map.json", "/v1/jobs/{job}", "/v1/batches/{batch}"),
    *("/v1/batches/{batch}/maps.ndjson", "/v1/rolls/{roll}", "/v1/campaigns/{campaign}"),
)
READS = [row for row in REST if row.method == "GET" and SHOWN & set(row.cells.split()[4:])]


@pytest.fixture(scope="module")
def world(house: InProcess) -> Iterator[World]:
    """Set the table, then take the campaign service away once nobody remembers what it said."""
    world = build_world(house)
    house.away.add("campaign")
    try:
        for person in (world.player, world.gm):
            for path in (f"/v1/maps?campaign={world.campaign}", f"/v1/rolls?campaign={world.campaign}"):
                until(lambda path=path, person=person: person.get(path).status_code == 503, path)  # type: ignore[misc]
        until(lambda: world.gm.get(f"/v1/characters/{world.hero}").status_code == 503, "the character")
        yield world
    finally:
        house.away.clear()


def path_of(path: str, world: World) -> str:
    """Fill the names in a path, an attribute of somebody's among them."""
    return path.format(**{name: getattr(world, name) for name in world.__dataclass_fields__})


def is_made(row: Rest) -> bool:
    """Tell whether a path names what was made with the table, and nothing that is made for one request."""
    names = {part.partition("}")[0].partition(".")[0] for part in row.path.split("{")[1:]}
    return names <= set(World.__dataclass_fields__)


@pytest.mark.parametrize("row", [row for row in READS if is_made(row)], ids=lambda row: row.path)
def test_every_read_is_shown_or_asks_to_try_again(world: World, row: Rest) -> None:
    for role, cell in zip(ROLES, row.cells.split(), strict=True):
        if role not in MEMBERS or cell not in SHOWN:
            continue
        person: Person = getattr(world, role)
        answer = person.get(path_of(row.path, world))
        assert answer.status_code in (200, 503), (role, answer.status_code, answer.text[:300])
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            assert answer.json()["code"] in ("UNAVAILABLE", "SUBGRAPH_UNAVAILABLE")


@pytest.mark.parametrize("path", AT_THE_TABLE)
def test_what_is_the_tables_asks_its_gm_to_try_again(world: World, path: str) -> None:
    answer = world.gm.get(path_of(path, world))
    assert answer.status_code == 503, answer.text[:300]
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("query", "thing"),
    [("character", "hero"), ("map", "prepared"), ("job", "job"), ("mapBatch", "batch"), ("roll", "roll")],
)
def test_the_graph_says_that_it_is_unavailable_and_not_that_there_is_nothing(
    world: World, query: str, thing: str
) -> None:
    answer = world.gm.graph(QUERIES[query], {"id": getattr(world, thing)}).json()
    assert [error["extensions"]["code"] for error in answer["errors"]] == ["UNAVAILABLE"]
    assert (answer["data"] or {query: None}) == {query: None}


def test_ones_own_is_still_seen_beside_what_nobody_knows(world: World) -> None:
    both = "query ($own: ID!, $other: ID!) { own: character(id: $own) { id } other: character(id: $other) { id } }"
    own, other = world.hero, "chr_00000000000000000000000000"
    answer = world.player.graph(both, {"own": own, "other": other}).json()
    assert answer["data"] == {"own": {"id": own}, "other": None}
    assert [error["path"] for error in answer["errors"]] == [["other"]]
