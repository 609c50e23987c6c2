"""A hero of Fortunate Blades through the API: created, refused, drafted, drawn, and under a pack."""

from typing import Any

from services.character.building.requests import MAX_TEXT
from tests.character.desk import Desk, somebody
from tests.character.operations import CREATE, create, created

ID = "fortunate_blades:"
SHEET = """
query ($id: ID!) {
  character(id: $id) {
    system
    sheet {
      __typename name
      tracks { key current maximum }
      checks { key notation reading }
      ... on FortunateBladesSheet {
        look trades quest
        attributes { attribute group roll { value } }
        groups { group total { value } save { value parts { value source rule } } }
        talents { key source use active }
        blade { item name held effect }
        gear { name slots usesLeft ready effect }
        slotsUsed { value }
        additions { kind name source }
      }
    }
    card { ... on FortunateBladesCard { name fortune harm groups { title attributes } } }
  }
}
"""
DRAFT = """
query ($build: CharacterBuild!) {
  draftCharacter(build: $build) {
    ... on CharacterDraft {
      builds
      steps { key budgets { key remaining } issues { code path } offers { kind key cost note } }
    }
  }
}
"""
RANDOM = """
query ($concept: String) {
  randomCharacter(system: "fortunate_blades", seed: "evening", concept: $concept) {
    ... on RandomCharacter {
      choices { ... on FortunateBladesChoices { name trades { trade } additions { name } } }
    }
    ... on InvalidInput { issues { code path } }
  }
}
"""
ODDS = """
query ($given: FortunateBladesRollQuestionInput!) {
  fortunateBlades { rollOdds(given: $given) {
    ... on FortunateBladesRollOdds { options { fortune lucky points miss close clear } }
    ... on InvalidInput { issues { code path } }
  } }
}
"""


def seer(**changes: Any) -> dict[str, Any]:
    """The choices of a hero, as a client sends them."""
    chosen = {
        "name": "Runa of the Ford",
        "look": "White hair, young face",
        "backgrounds": [
            {"background": f"{ID}background/star-marked", "talents": [f"{ID}talent/born-under-it"]},
            {"background": f"{ID}background/fen-born", "talents": [f"{ID}talent/sure-footing"]},
        ],
        "trades": [
            {
                "trade": f"{ID}trade/seer",
                "talents": [f"{ID}talent/the-thread-pulls", f"{ID}talent/closed-eye"],
            }
        ],
        "blade": {
            "blade": f"{ID}blade/hourglass",
            "talents": [f"{ID}talent/well-of-fortune"],
            "name": "Evenfall",
        },
        "ranks": {"attune": 3, "notice": 2, "lore": 1, "wreck": -1},
        "quest": {"words": "To be wrong, once."},
        "additions": [{"source": f"{ID}background/fen-born", "name": "The Drowned Bell"}],
        "gear": [{"gear": f"{ID}gear/lantern", "used": 1}, {"gear": f"{ID}gear/copper-band"}],
    }
    return {"fortunateBlades": {**chosen, **changes}}


async def test_a_hero_is_created_and_read_back_with_every_number(desk: Desk) -> None:
    player = somebody()
    saved = await created(desk, player, seer())
    found = (await desk.ask(player, SHEET, id=saved["id"]))["character"]
    sheet = found["sheet"]
    assert (found["system"], sheet["__typename"]) == ("fortunate_blades", "FortunateBladesSheet")
    tracks = {track["key"]: (track["current"], track["maximum"]) for track in sheet["tracks"]}
    assert (tracks["fortune"], tracks["harm_minor"], tracks["marks"]) == ((12, 12), (0, 2), (0, 4))
    notations = {check["key"]: check["notation"] for check in sheet["checks"]}
    assert (notations["attune"], notations["wreck"], notations["fight"]) == ("1d20+3", "1d20-1", "1d20")
    assert notations["save-mental"] == "1d20+5"
    mental = next(group for group in sheet["groups"] if group["group"] == "MENTAL")
    assert [(part["value"], part["source"]) for part in mental["save"]["parts"]] == [
        (1, "Notice at +1 or more"),
        (1, "Lore at +1 or more"),
        (1, "Copper Band"),
        (2, "Closed Eye"),
    ]
    assert [line["source"] for line in sheet["talents"]] == [
        "Star-Marked",
        "Fen-Born",
        "Seer",
        "Seer",
        "Evenfall",
    ]
    assert [(line["name"], line["usesLeft"], line["ready"]) for line in sheet["gear"]] == [
        ("Lantern", 2, True),
        ("Copper Band", None, True),
    ]
    assert sheet["additions"] == [{"kind": "PLACE", "name": "The Drowned Bell", "source": "Fen-Born"}]
    assert found["card"]["fortune"] == "☐" * 12


async def test_every_broken_rule_is_named_with_what_was_found_and_is_allowed(desk: Desk) -> None:
    wrong = seer(
        name=" ", ranks={"attune": 4, "notice": 1, "lore": -1}, gear=[{"gear": f"{ID}gear/bronze-gong"}]
    )
    refused = await create(desk, somebody(), wrong)
    assert refused["__typename"] == "InvalidInput"
    found = {(one["code"], one["path"][-1], one["found"], one["allowed"]) for one in refused["issues"]}
    assert ("ATTRIBUTE_ABOVE_MAX", "attune", "4", "3") in found
    assert ("RANKS_SUM", "ranks", "4", "5") in found
    assert ("TOO_MANY_SLOTS", "gear", "8", "5") in found
    assert {code for code, *_ in found} == {
        "ATTRIBUTE_ABOVE_MAX",
        "RANKS_SUM",
        "TOO_MANY_SLOTS",
        "MISSING_NAME",
    }


async def test_a_client_that_knows_no_game_can_draw_each_step(desk: Desk) -> None:
    build = seer(trades=[], ranks={}, quest={})
    found = (await desk.ask(somebody(), DRAFT, build=build))["draftCharacter"]
    steps = {step["key"]: step for step in found["steps"]}
    assert not found["builds"]
    assert [budget["remaining"] for budget in steps["trades"]["budgets"]] == [2]
    assert {offer["kind"] for offer in steps["trades"]["offers"]} == {"trade"}
    assert [one["code"] for one in steps["attributes"]["issues"]] == ["RANKS_SUM"]
    assert all(offer["note"] for step in found["steps"] for offer in step["offers"])


async def test_a_hero_is_drawn_by_chance_and_a_trade_can_be_wished_for(desk: Desk) -> None:
    player = somebody()
    first, again = [(await desk.ask(player, RANDOM))["randomCharacter"] for _ in range(2)]
    assert first == again
    wished = (await desk.ask(player, RANDOM, concept=f"{ID}trade/skald"))["randomCharacter"]
    assert wished["choices"]["trades"][0]["trade"] == f"{ID}trade/skald"
    refused = (await desk.ask(player, RANDOM, concept="x" * MAX_TEXT))["randomCharacter"]
    assert refused["issues"][0]["path"] == ["concept"]


PACK = """
mutation ($pack: ContentPackInput!) {
  createContentPack(input: {name: "Ours", pack: $pack}) {
    __typename
    ... on ContentPackSaved { pack { id } }
    ... on InvalidInput { issues { code path found allowed } }
  }
}
"""


async def test_the_odds_of_a_roll_come_for_every_way_to_spend(desk: Desk) -> None:
    given = {"bonus": 3, "close": 10, "clear": 13, "fortune": 2}
    odds = (await desk.ask(somebody(), ODDS, given=given))["fortunateBlades"]["rollOdds"]
    spent = [(one["fortune"], one["lucky"], one["points"]) for one in odds["options"]]
    assert spent == [(0, False, 0), (1, False, 1), (2, False, 2), (2, True, 0)]


async def test_a_hero_is_built_under_a_pack_that_adds_a_talent(desk: Desk) -> None:
    player = somebody()
    talent = {
        "id": f"{ID}talent/tall-hat",
        "name": "Tall Hat",
        "text": "There is room in it.",
        "use": "ALWAYS",
        "adds": [{"key": "slots", "value": 2}],
    }
    blade = {"id": f"{ID}blade/tall-hat", "name": "Tall Hat", "text": "Grey felt.", "talents": [talent["id"]]}
    short = {"fortunateBlades": {"blades": [blade], "replaces": ["BLADES"]}}
    refused = (await desk.ask(player, PACK, pack=short))["createContentPack"]
    codes = {(one["code"], one["path"][-1]) for one in refused["issues"]}
    assert codes == {("TOO_FEW_ENTRIES", "blades"), ("REFERENCE_UNKNOWN", "0")}
    sound = {"fortunateBlades": {"talents": [talent], "blades": [blade]}}
    kept = (await desk.ask(player, PACK, pack=sound))["createContentPack"]
    assert kept["__typename"] == "ContentPackSaved", kept
    gear = [{"gear": f"{ID}gear/{slug}"} for slug in ("great-blade", "war-bow", "rations")]
    build = seer(blade={"blade": blade["id"], "talents": [talent["id"]]}, gear=gear)
    assert (await create(desk, player, build))["__typename"] == "InvalidInput"
    sent = {"build": build, "packs": [kept["pack"]["id"]]}
    answer = (await desk.ask(player, CREATE, input=sent))["createCharacter"]
    assert answer["__typename"] == "CharacterSaved", answer
    found = (await desk.ask(player, SHEET, id=answer["character"]["id"]))["character"]
    assert found["sheet"]["slotsUsed"]["value"] == 6
