"""Content of games is looked through in the graph: found, filtered, paged, told on what terms it is shown."""

from typing import Any

from services.character.packs.requests import CreateContentPack, PackContent
from services.rules.engine.registry import systems
from services.shared.auth import Viewer
from tests.character.desk import somebody
from tests.character.toy_graph import DUEL, ToyGraph

FIND = """
query ($system: String!, $kind: String, $search: String, $where: [ContentFilter!], $orderBy: String,
       $first: Int, $after: String, $packs: [ID!]) {
  content(system: $system, kind: $kind, search: $search, where: $where, orderBy: $orderBy, first: $first,
          after: $after, packs: $packs) {
    __typename
    ... on ContentConnection {
      total licence
      pageInfo { hasNextPage hasPreviousPage endCursor }
      nodes { id system kind name text licence data
        entry { __typename id name ... on DungeonTellerWeapon { gold use hands } } }
    }
    ... on InvalidInput { issues { code message path found allowed } }
  }
}
"""


async def find(graph: ToyGraph, viewer: Viewer | None = None, **asked: Any) -> Any:
    asked.setdefault("system", "dungeonteller")
    return (await graph.ask(viewer or somebody("read"), FIND, **asked))["content"]


async def test_weapons_are_found_typed_and_as_json(graph: ToyGraph) -> None:
    where = [{"field": "gold", "atMost": 5, "atLeast": 1}, {"field": "use", "has": "SHOOT"}]
    found = await find(graph, kind="weapon", where=where, orderBy="-gold")
    licence = systems()["dungeonteller"].licence
    assert found["licence"] == licence and found["total"] == len(found["nodes"]) > 1
    prices = [node["entry"]["gold"] for node in found["nodes"]]
    assert prices == sorted(prices, reverse=True) and max(prices) <= 5
    for node in found["nodes"]:
        assert node["entry"]["__typename"] == "DungeonTellerWeapon" and "SHOOT" in node["entry"]["use"]
        assert {name: node["data"][name] for name in ("gold", "use", "hands")} == {
            name: node["entry"][name] for name in ("gold", "use", "hands")
        }
        assert (node["entry"]["name"], node["licence"]) == (node["name"], licence)


async def test_pages_hold_everything_once(graph: ToyGraph) -> None:
    seen: list[str] = []
    after = None
    while True:
        page = await find(graph, search="a", orderBy="name", first=40, after=after)
        seen += [node["id"] for node in page["nodes"]]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert len(seen) == len(set(seen)) == page["total"] > 40


async def test_every_mistake_is_named_with_its_place(graph: ToyGraph) -> None:
    where = [{"field": "gold"}, {"field": "price", "equals": "3"}, {"field": "use", "oneOf": ["dance"]}]
    empty = await find(graph, kind="weapon", where=where[:1])
    assert [(found["code"], found["path"]) for found in empty["issues"]] == [
        ("NO_VALUES", ["where", "0", "equals"])
    ]
    wrong = await find(graph, kind="weapon", where=where[1:], orderBy="prise")
    told = {found["code"]: found for found in wrong["issues"]}
    assert told["FIELD_UNKNOWN"]["path"] == ["where", "0", "field"]
    assert "countsAs" in told["FIELD_UNKNOWN"]["allowed"].split(", ")
    assert told["VALUE_UNKNOWN"]["path"] == ["where", "1", "oneOf"]
    assert "SHOOT" in told["VALUE_UNKNOWN"]["allowed"].split(", ")
    assert told["ORDER_UNKNOWN"]["path"] == ["orderBy"]
    chess = await find(graph, system="chess")
    assert (chess["issues"][0]["code"], chess["issues"][0]["path"]) == ("SYSTEM_UNKNOWN", ["system"])
    long = await find(graph, search="x" * 201)
    assert (long["issues"][0]["code"], long["issues"][0]["path"]) == ("LENGTH", ["search"])
    for asked, code in (({"after": "bm90IGFuIGlk"}, "BAD_CURSOR"), ({"first": 101}, "BAD_PAGE_SIZE")):
        answer = await graph.graphql(somebody("read"), FIND, {"system": "dungeonteller", **asked})
        assert answer["errors"][0]["extensions"]["code"] == code


async def test_kinds_and_entries_of_every_game_can_be_read(graph: ToyGraph) -> None:
    kinds = """
    query ($system: String!) {
      contentKinds(system: $system) {
        system licence kinds { kind title count fields { name kind many optional values least most } }
      }
    }
    """
    one = "query ($id: ID!) { contentEntry(id: $id) { id kind name licence entry { id name __typename } } }"
    reader = somebody("read")
    for slug, system in systems().items():
        found = (await graph.ask(reader, kinds, system=slug))["contentKinds"]
        assert found["licence"] == system.licence
        assert [kind["count"] for kind in found["kinds"]] == [
            len(shelf) for shelf in system.content.shelves()
        ]
        for shelf in system.content.shelves():
            entry = (await graph.ask(reader, one, id=shelf.ids[0]))["contentEntry"]
            assert (entry["id"], entry["kind"]) == (shelf.ids[0], shelf.kind)
            assert entry["entry"]["name"] == entry["name"]
    assert (await graph.ask(reader, kinds, system="chess"))["contentKinds"] is None
    for nothing in ("chess:piece/king", "dungeonteller:weapon/spoon", "no id"):
        assert (await graph.ask(reader, one, id=nothing))["contentEntry"] is None


async def test_a_tables_own_content_is_found_beside_the_games(graph: ToyGraph) -> None:
    assert DUEL.packs is not None
    oath = {"key": "honour", "name": "Honour", "nerve": 1}
    pack = DUEL.packs.codec.read({"oaths": [oath]})
    owner, stranger = somebody(), somebody()
    asked = CreateContentPack(PackContent("duel", pack), "Oaths")
    packs = [(await graph.use_cases.packs.create(owner, asked, None)).id]
    found = await find(graph, owner, system="duel", search="honour", packs=packs)
    assert [(node["name"], node["entry"]["__typename"]) for node in found["nodes"]] == [
        ("Honour", "DuelDuelOath")
    ]
    assert (await find(graph, owner, system="duel", search="honour"))["nodes"] == []
    hidden = await find(graph, stranger, system="duel", search="honour", packs=packs)
    assert (hidden["issues"][0]["code"], hidden["issues"][0]["path"]) == ("PACK_UNKNOWN", ["packs", "0"])


async def test_who_may_not_read_may_not_look(graph: ToyGraph) -> None:
    for viewer, code in ((Viewer(), "UNAUTHENTICATED"), (somebody("write"), "FORBIDDEN")):
        for query in (
            FIND.replace("$system: String!", '$system: String! = "duel"'),
            '{ contentKinds(system: "duel") { licence } }',
            '{ contentEntry(id: "forgeborn:die/d4") { name } }',
            '{ tools(system: "duel") { name } }',
            '{ tool(system: "duel", name: "strike_chances", given: {}) { __typename } }',
            "{ duel { strikeChances(given: {striker: BOLD, rivals: []}) { __typename } } }",
            '{ draftCharacter(build: {dungeonteller: {name: "A", role: "b"}}) { __typename } }',
        ):
            answer = await graph.graphql(viewer, query, {})
            assert answer["errors"][0]["extensions"]["code"] == code, query
