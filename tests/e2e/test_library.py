"""What games offer, on SQLite and on PostgreSQL: Forge Engine's content, its questions and its characters by chance, in
both faces alike."""

from fractions import Fraction
from typing import Any

import pytest

from tests.e2e.forge_table import CHARACTERS, SYSTEM, explained, issues, told, trait
from tests.e2e.product import Product

pytestmark = pytest.mark.backends("postgres")

CC_BY = "https://creativecommons.org/licenses/by/4.0/"
SEARCH = """
query ($kind: String!, $search: String! = "", $where: [ContentFilter!], $orderBy: String! = "", $first: Int!,
       $after: String) {
  content(
    system: "forge_engine", kind: $kind, search: $search, where: $where, orderBy: $orderBy, first: $first, after: $after
  ) {
    ... on ContentConnection {
      total licence pageInfo { hasNextPage endCursor }
      nodes { id licence entry { ... on ForgeEngineSpell { name school expend } } }
    }
    ... on Problem { code message }
  }
}
"""
ODDS = """
query ($given: ForgeEngineAttackQuestionInput!) {
  forgeEngine {
    attackOdds(given: $given) {
      ... on ForgeEngineAttackOdds {
        pools { action { value } defense { value } }
        chances { success mean median critical successes { successes chance atLeast } }
        table { added energy pool success mean gain meanGain }
      }
      ... on Problem { code message }
    }
  }
}
"""


def test_content_is_looked_through_alike_in_both_faces_with_its_licence(product: Product) -> None:
    guest = product.sign_up("Nell")

    def every(kind: str, **asked: Any) -> list[str]:
        """Page through REST and the graph side by side."""
        tests = {"equals": "equals", "at_least": "atLeast", "has": "has"}
        where = []
        for condition in asked.get("where", ()):
            field, test, value = condition.split(":", 2)
            where.append({"field": field, tests[test]: float(value) if test == "at_least" else value})
        found: list[str] = []
        rest_after = graph_after = None
        while True:
            wanted = {**asked, "first": 20} | ({"after": rest_after} if rest_after else {})
            page = told(guest.send("GET", f"{SYSTEM}/content/{kind}", params=wanted))
            same = guest.ask(
                SEARCH,
                kind=kind,
                search=asked.get("search", ""),
                where=where,
                orderBy=asked.get("order", ""),
                first=20,
                after=graph_after,
            )["content"]
            ids = [hit["id"] for hit in page["items"]]
            assert [hit["id"] for hit in same["nodes"]] == ids
            assert [hit["entry"] for hit in same["nodes"]] == [
                {name: hit["data"][name] for name in ("name", "school", "expend")} for hit in page["items"]
            ]
            assert all(
                CC_BY in licence
                for licence in (page["licence"], same["licence"], *(hit["licence"] for hit in same["nodes"]))
            )
            found += ids
            assert page["total"] == same["total"]
            rest_after, graph_after = page["next"], same["pageInfo"]["endCursor"]
            assert (rest_after is not None) == same["pageInfo"]["hasNextPage"]
            if rest_after is None:
                assert len(found) == len(set(found)) == page["total"]
                return found

    assert len(every("spell")) == 54
    pyromancy = every("spell", where=["school:equals:pyromancy"], order="-expend")
    assert len(pyromancy) == 8
    assert pyromancy[0] in every("spell", where=["school:equals:pyromancy", "expend:at_least:2"])
    assert every("spell", search="firy") == []
    assert "forge_engine:spell/fiery-bolt" in every("spell", search="fier bolt")
    for path in (SYSTEM, f"{SYSTEM}/content", f"{SYSTEM}/content/spell/fiery-bolt"):
        answer = guest.get(path)
        assert CC_BY in told(answer)["licence"]
        assert guest.get(path, if_none_match=answer.headers["etag"]).status_code == 304
    kinds = {kind["kind"]: kind["count"] for kind in told(guest.get(f"{SYSTEM}/content"))["kinds"]}
    assert (kinds["trait"], kinds["spell"], kinds["equipment"], kinds["adversary"]) == (97, 54, 173, 40)
    wrong = issues(guest.get(f"{SYSTEM}/content/spell?where=expand:equals:1&order=chool"))
    assert set(wrong) == {"where.0.field", "order"}
    assert "expend" in wrong["where.0.field"]["allowed"]


def test_questions_are_answered_alike_in_both_faces_and_chance_can_be_repeated(product: Product) -> None:
    guest = product.sign_up("Nell")

    def ask(tool: str, **given: Any) -> Any:
        return told(guest.post(f"{SYSTEM}/tools/{tool}", given))["answer"]

    # 40 energy of characters against 48 of adversaries is difficult.
    encounter = ask("encounter", characters=[10, 10, 10, 10], others=[12, 12, 12, 12])
    assert (encounter["ratio"], encounter["difficulty"]) == ("6/5", "HARD")
    bite = [trait("bite")]
    vampire = ask("adversary", template="forge_engine:adversary/f10-commander", name="Vampire", traits=bite)
    assert (vampire["adversary"]["name"], explained(vampire["energy"])) == ("Vampire", 10)
    fangs = next(attack for attack in vampire["adversary"]["attacks"] if attack["name"] == "Bite")
    assert (fangs["cost"], fangs["rating"]) == (2, 1)
    spell = ask("spell_cost", spell="forge_engine:spell/arcane-bolts")
    assert (spell["cost"]["expend"], spell["printed"], spell["agrees"]) == (2, 1, False)

    attack = {
        "attack": {
            "weapon": "forge_engine:equipment/historical-longsword",
            "attribute": 3,
            "added": 3,
            "skills": [{"name": "Melee Weapons", "rating": 3}],
        },
        "defense": {"dice": 3},
    }
    odds = ask("attack_odds", **attack)
    graph = guest.ask(ODDS, given=attack)["forgeEngine"]["attackOdds"]
    assert (graph["chances"], graph["table"]) == (odds["chances"], odds["table"])
    assert explained(odds["pools"]["action"]) == graph["pools"]["action"]["value"] == 11
    chances = [Fraction(one["chance"]) for one in odds["chances"]["successes"]]
    assert (len(chances), sum(chances)) == (12, 1)
    assert sum(count * chance for count, chance in enumerate(chances)) == Fraction(odds["chances"]["mean"])
    assert Fraction(odds["chances"]["success"]) == 1 - chances[0] == Fraction(odds["table"][-1]["success"])
    gains = [Fraction(step["gain"]) for step in odds["table"]]
    assert sum(gains) == Fraction(odds["table"][-1]["success"]) - Fraction(odds["table"][0]["success"])
    table = ask("odds_table", table="forge_engine:odds/opposed")
    cells = [cell for row in table["cells"] for cell in row]
    assert len(cells) == len(table["rows"]) * len(table["columns"])
    assert all(cell["agrees"] for cell in cells if cell["printed"])
    refused = issues(guest.post(f"{SYSTEM}/tools/encounter", {"characters": [], "adversaries": [{}], "x": 1}))
    assert {"adversaries.0.adversary", "x"} <= set(refused)

    wish = {"system": "forge_engine", "concept": "forge_engine:concept/knight", "seed": "harrow"}
    knights = [told(guest.post(f"{CHARACTERS}/random", wish), 201)["id"] for _ in range(2)]
    first, again = (told(guest.get(f"{CHARACTERS}/{one}/sheet"))["data"] for one in knights)
    assert first == again
    assert (first["concept"], first["points"]["left"]) == ("Knight", 0)
    other = told(guest.post(f"{CHARACTERS}/random", {**wish, "seed": "burrow"}), 201)["id"]
    assert told(guest.get(f"{CHARACTERS}/{other}/sheet"))["data"] != first
    unknown = issues(guest.post(f"{CHARACTERS}/random", {**wish, "concept": "forge_engine:concept/cook"}))
    assert wish["concept"] in unknown["concept"]["allowed"]
