"""Characters of Forge Engine as people live with them, on SQLite and on PostgreSQL: a pack of the table's own, drafts
step by step, a sheet that explains itself, awards, purchases, histories, undoing; and edits that come all at once."""

import copy
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.e2e.documents import MUTATIONS
from tests.e2e.forge_table import (
    CHARACTERS,
    CINDER_LANCE,
    EMBER_BORN,
    PACKS,
    come_together,
    explained,
    fire_caller,
    holding,
    issues,
    skill,
    told,
    trait,
)
from tests.e2e.product import Person, Product
from tests.e2e.table import seat

pytestmark = pytest.mark.backends("postgres")

AT_ONCE = 50
TYPED = """
query ($id: ID!) {
  character(id: $id) {
    version
    sheet {
      name tracks { key maximum }
      ... on ForgeEngineSheet {
        speciesName
        energy { value parts { value source rule } }
        health { value parts { source } }
        spells { key rating }
        points { left history { text cp balance waiting } }
      }
    }
  }
}
"""


def at_once(deeds: Sequence[Callable[[], httpx.Response]]) -> list[httpx.Response]:
    """Do things at the same time."""
    with ThreadPoolExecutor(len(deeds)) as pool:
        return [started.result() for started in [pool.submit(deed) for deed in deeds]]


def remaining(draft: dict[str, Any], step: str) -> int:
    """Give the points that a step has left."""
    return int(draft["steps"][step]["budgets"][0]["remaining"])


def taken(choices: dict[str, Any], offer: dict[str, Any]) -> dict[str, Any]:
    """Take an offer into choices, as a client does that knows the words of the graph."""
    after = copy.deepcopy(choices)
    match offer["kind"]:
        case "species_choice":
            after.setdefault("speciesChoices", []).append(offer["id"])
        case "trait":
            after.setdefault("traits", []).append(offer["id"])
        case "attribute":
            after.setdefault("attributes", {})[offer["id"]] = offer["rating"]
        case "skill":
            bought = {"skill": offer["id"], "rating": offer["rating"], "field": offer["note"]}
            others = [one for one in after.get("skills", ()) if one["skill"] != offer["id"]]
            after["skills"] = [*others, bought]
    return after


def test_a_table_writes_its_own_content_and_a_player_makes_a_character_of_it_step_by_step(
    product: Product,
) -> None:
    table = come_together(product)
    gm, player = table.gm, table.player

    # What is wrong with a pack is told at once, each with its path; nothing of it is kept.
    wrong = holding(
        genre="forge_engine:genre/space-cats",
        rules={"traitCp": -1},
        traits=[
            {**EMBER_BORN, "requires": [trait("bite")]},
            {**EMBER_BORN, "key": "No Slug", "name": ""},
            {**EMBER_BORN, "key": "muscular"},
        ],
        spells=[{**CINDER_LANCE, "school": "forge_engine:school/none", "recovers": ["EXPENDED_ENERGY"]}],
    )
    before = gm.get(f"{PACKS}?campaign={table.campaign}").content
    found = issues(gm.post(PACKS, {"name": "Broken", "pack": wrong, "campaignId": table.campaign}))
    assert {path.removeprefix("pack.forgeEngine."): issue["code"] for path, issue in found.items()} == {
        "genre": "REFERENCE_UNKNOWN",
        "rules.traitCp": "NUMBER_OUT_OF_RANGE",
        "traits.0.requires": "PREREQUISITE",
        "traits.1.key": "KEY_NO_SLUG",
        "traits.1.name": "TEXT_EMPTY",
        "traits.2.key": "ID_TAKEN",
        "spells.0.school": "REFERENCE_UNKNOWN",
        "spells.0.recovers": "EXPENDED_ENERGY_RECOVERED",
    }
    assert all(issue["rule"] for issue in found.values())
    assert gm.get(f"{PACKS}?campaign={table.campaign}").content == before
    # A cost off the book's formula is no fault; it is reported with what the formula gives.
    (difference,) = told(player.get(f"{PACKS}/{table.pack}"))["report"]["findings"]
    assert (difference["code"], difference["stated"], difference["computed"]) == (
        "SPELL_EXPEND_DIFFERS",
        "3",
        "1",
    )

    choices: dict[str, Any] = {"name": "Vael"}
    draft = table.draft(choices)
    assert (draft["builds"], draft["sheet"], remaining(draft, "traits")) == (False, None, 18)
    (missing,) = draft["steps"]["traits"]["issues"]
    assert (missing["code"], missing["found"]) == ("MISSING_SPECIES_CHOICE", "0")
    assert trait("astute") in missing["allowed"].split(", ")
    # The genre's tweak makes magic cheap; the pack's own trait is offered beside the book's.
    wanted = [
        *((trait(slug), cost) for slug, cost in (("astute", 0), ("pyromancy-caster", 1), ("ember-born", 2))),
        *(("intelligence", cost) for cost in (1, 2, 3)),
        *(("acuity", cost) for cost in (2, 3)),
        ("stamina", 2),
        ("agility", 2),
    ]
    for name, cost in wanted:
        step = "traits" if "/" in name else "attributes"
        offer = next(offer for offer in draft["steps"][step]["offers"] if offer["id"] == name)
        assert offer["cost"] == cost
        left, choices = remaining(draft, step), taken(choices, offer)
        draft = table.draft(choices)
        assert remaining(draft, "traits") == remaining(draft, "attributes") == left - cost
        assert not draft["steps"]["traits"]["issues"]
    # Nothing is left: only what costs nothing, or gives points back, can still be had.
    assert remaining(draft, "traits") == 0
    assert draft["steps"]["attributes"]["offers"] == []
    assert all(offer["cost"] <= 0 for offer in draft["steps"]["traits"]["offers"])
    assert {issue["code"] for issue in draft["issues"]} == {"GENERAL_SKILL_MINIMUM"}

    # Broken rules are named with what was found and what is allowed, in a draft as in the making; nothing is kept.
    broken = {
        **choices,
        "attributes": {**choices["attributes"], "strength": 5},
        "skills": [
            {"skill": skill("arcane"), "rating": 9},
            {"skill": "forge_engine:spell/arcane-spark", "rating": 1},
            {"skill": skill("flute"), "rating": 1},
        ],
    }
    refused = issues(player.post(CHARACTERS, {"build": {"forgeEngine": broken}, "packs": [table.pack]}))
    stray = {
        path.removeprefix("build.forgeEngine."): (issue["code"], issue["found"], issue["allowed"])
        for path, issue in refused.items()
    }
    assert stray["attributes"] == ("ATTRIBUTE_AND_TRAIT_BUDGET_EXCEEDED", "32", "18")
    assert stray["skills.0.rating"] == ("SKILL_ABOVE_ATTRIBUTE", "9", "4")
    assert stray["skills.1.skill"][0] == "MISSING_CASTING_TRAIT"
    assert stray["skills.1.skill"][2] == trait("arcane-caster")
    assert stray["skills.2.skill"][:2] == ("UNKNOWN_SKILL", skill("flute"))
    assert stray["skills"] == ("GENERAL_SKILL_MINIMUM", "9", "15")
    drafted = table.draft(broken)["issues"]
    assert {".".join(issue["path"]) for issue in drafted} == set(refused)
    assert told(player.get(CHARACTERS))["items"] == []

    finished = fire_caller()
    assert finished["attributes"] == choices["attributes"]
    draft = table.draft(finished)
    assert (draft["builds"], draft["issues"], remaining(draft, "skills")) == (True, [], 0)
    assert draft["steps"]["skills"]["offers"] == []
    # Beside the book alone the same choices break its rules: what the pack adds and allows is not there.
    strange = issues(player.post(CHARACTERS, {"build": {"forgeEngine": finished}}))
    assert {issue["code"] for issue in strange.values()} == {
        "UNKNOWN_TRAIT",
        "UNKNOWN_SKILL",
        "ATTRIBUTE_AND_TRAIT_BUDGET_EXCEEDED",
    }

    made = table.make(finished)
    path = f"{CHARACTERS}/{made}"
    sheet = player.get(f"{path}/sheet")
    said = told(sheet)
    assert said == draft["sheet"]
    data = said["data"]
    assert explained(data["energy"]) == 9
    assert "Sturdy" in {part["source"] for part in data["health"]["parts"]}
    assert explained(data["health"]) == 9
    resist = next(check for check in data["checks"] if check["id"] == "test-resist")
    assert (explained(resist["dice"]), resist["notation"]) == (4, "forge_engine:fixed(4)")
    assert [part["source"] for part in resist["dice"]["parts"]] == ["Stamina", "Ember-Born"]
    assert player.get(f"{path}/sheet", if_none_match=sheet.headers["etag"]).status_code == 304
    card = told(player.get(f"{path}/card"))
    assert (card["system"], card["name"]) == ("forge_engine", "Vael")
    assert "Cinder Lance" in json.dumps(card)

    typed = player.ask(TYPED, id=made)["character"]
    assert typed["sheet"]["energy"] == data["energy"]
    assert typed["sheet"]["tracks"] == [{"key": "energy", "maximum": 9}, {"key": "health", "maximum": 9}]
    assert {"key": "forge_engine:spell/cinder-lance", "rating": 4} in typed["sheet"]["spells"]
    assert typed["sheet"]["speciesName"] == "Human"

    # Until it is seated nobody else sees it; then the table does, and a stranger never.
    assert gm.get(path).status_code == 404
    seat(player, table.campaign, made)
    assert table.friend.get(f"{path}/sheet").json() == said
    assert told(gm.get(path))["name"] == "Vael"
    hidden = (path, *(f"{path}/{part}" for part in ("sheet", "card", "choices", "history", "rewards")))
    for asked in (*hidden, f"{PACKS}/{table.pack}", f"{PACKS}?campaign={table.campaign}"):
        answer = table.stranger.get(asked)
        assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND"), asked
        assert made not in answer.text.replace(asked, "")
    assert table.stranger.ask(TYPED, id=made) == {"character": None}
    unseen = issues(
        table.stranger.post(CHARACTERS, {"build": {"forgeEngine": finished}, "packs": [table.pack]})
    )
    assert unseen["packs.0"]["code"] == "PACK_UNKNOWN"


def test_what_a_character_earns_and_buys_is_approved_remembered_and_taken_back(product: Product) -> None:
    table = come_together(product)
    gm, player = table.gm, table.player
    made = table.make(fire_caller())
    seat(player, table.campaign, made)
    path = f"{CHARACTERS}/{made}"

    def propose(version: int, **reward: Any) -> None:
        proposed = player.post(f"{path}/rewards", {"version": version, "reward": {"forgeEngine": reward}})
        assert told(proposed, 201)["version"] == version + 1

    def stamina() -> tuple[int, int, int]:
        found = told(player.get(f"{path}/sheet"))["data"]
        line = next(one for one in found["attributes"] if one["id"] == "STAMINA")
        return line["rating"], explained(found["health"]), found["points"]["left"]

    def rewards() -> list[bool]:
        return [line["approved"] for line in told(gm.get(f"{path}/rewards"))["items"]]

    propose(1, kind="AWARD", award="MAJOR_QUEST", note="The bridge at Harrow")
    assert (stamina(), rewards()) == ((2, 9, 0), [False])
    for person, status in ((player, 403), (table.friend, 403), (table.stranger, 404)):
        told(person.post(f"{path}/rewards/0/approve", {"version": 2}), status)
    told(gm.post(f"{path}/rewards/0/approve", {"version": 2}))
    assert (stamina(), rewards()) == ((2, 9, 4), [True])
    # More than was earned cannot even be proposed.
    dear = {"kind": "ATTRIBUTE", "attribute": "INTELLIGENCE", "count": 2}
    poor = issues(player.post(f"{path}/rewards", {"version": 3, "reward": {"forgeEngine": dear}}))
    assert [(one["code"], one["found"], one["allowed"]) for one in poor.values()] == [
        ("NOT_ENOUGH_CP", "9", "4")
    ]
    offers = told(player.get(f"{path}/rewards"))["offers"]
    offered = next(one for one in offers if one["reward"]["forgeEngine"].get("attribute") == "STAMINA")
    propose(3, **offered["reward"]["forgeEngine"])
    assert (stamina(), rewards()) == ((2, 9, 4), [True, False])
    told(gm.post(f"{path}/rewards/1/approve", {"version": 4}))
    assert (stamina(), rewards()) == ((3, 11, 1), [True, True])
    ledger = player.ask(TYPED, id=made)["character"]["sheet"]["points"]
    assert [(line["cp"], line["balance"], line["waiting"]) for line in ledger["history"]] == [
        (4, 4, False),
        (-3, 1, False),
    ]
    assert "Stamina from 2 to 3" in [line["text"] for line in ledger["history"]]

    # The player takes back a step, and forward again; what the GM had approved waits for the GM.
    def undo(person: Person, version: int, **to: int) -> None:
        assert told(person.post(f"{path}/undo", {"version": version, **to}))["version"] == version + 1

    undo(player, 5)
    assert (stamina(), rewards()) == ((2, 9, 4), [True, False])
    undo(player, 6, to=5)
    assert (stamina(), rewards()) == ((2, 9, 4), [True, False])
    undo(gm, 7, to=5)
    assert (stamina(), rewards()) == ((3, 11, 1), [True, True])
    late = told(player.post(f"{path}/undo", {"version": 5}), 409)
    assert (late["code"], late["expectedVersion"], late["currentVersion"]) == ("VERSION_CONFLICT", 5, 8)
    for person, status in ((table.friend, 403), (table.stranger, 404)):
        told(person.post(f"{path}/undo", {"version": 8}), status)

    history = told(gm.get(f"{path}/history?first=100"))
    lines = [(one["version"], one["what"], one["by"]["id"] == gm.id) for one in history["items"]]
    assert lines == [
        (8, "UNDONE", True),
        (7, "UNDONE", False),
        (6, "UNDONE", False),
        (5, "APPROVED", True),
        (4, "PROPOSED", False),
        (3, "APPROVED", True),
        (2, "PROPOSED", False),
        (1, "CREATED", False),
    ]
    changes = {
        one["version"]: [
            (change["kind"], ".".join(change["path"]), change["before"]) for change in one["changes"]
        ]
        for one in history["items"]
    }
    assert changes[2] == [("ADDED", "development.0", None)]
    assert changes[3] == [("CHANGED", "development.0.approved", "false")]
    assert changes[6] == [("CHANGED", "development.1.approved", "true")]
    assert changes[8] == [("CHANGED", "development.1.approved", "false")]
    assert (changes[1], changes[7]) == ([], [])
    assert all(one["packs"][0]["id"] == table.pack for one in history["items"])
    told(table.friend.get(f"{path}/history"), 404)


def test_of_edits_at_once_one_wins_and_each_character_keeps_the_pack_it_was_built_under(
    product: Product,
) -> None:
    table = come_together(product)
    gm, player, choices = table.gm, table.player, fire_caller()
    made = table.make(choices)
    path, pack = f"{CHARACTERS}/{made}", f"{PACKS}/{table.pack}"

    def rename(number: int) -> Callable[[], httpx.Response]:
        build = {"forgeEngine": {**choices, "name": f"Vael {number}"}}
        return lambda: player.send("PUT", path, json={"version": 1, "build": build})

    edits = at_once([rename(number) for number in range(AT_ONCE)])
    (won,) = (answer.json() for answer in edits if answer.status_code == 200)
    lost = [told(answer, 409) for answer in edits if answer.status_code != 200]
    assert {(one["code"], one["expectedVersion"], one["currentVersion"]) for one in lost} == {
        ("VERSION_CONFLICT", 1, 2)
    }
    assert told(player.get(path)) == won
    assert [line["version"] for line in told(player.get(f"{path}/history"))["items"]] == [2, 1]

    # With each version the pack's trait gives another die; so a sheet tells which version it was built under.
    def reworked(dice: int, **rules: int) -> dict[str, Any]:
        ember = {**EMBER_BORN, "tests": [{**EMBER_BORN["tests"][0], "dice": dice}]}  # type: ignore[index]
        return holding(rules={"traitCp": 18, **rules}, traits=[ember], spells=[CINDER_LANCE])

    def rework() -> httpx.Response:
        for version in range(1, 6):
            answer = gm.send(
                "PATCH", pack, json={"version": version, "pack": reworked(2 + version, magicTraitCp=1)}
            )
            told(answer)
        return answer

    def make() -> httpx.Response:
        return player.post(CHARACTERS, {"build": {"forgeEngine": choices}, "packs": [table.pack]})

    reworking, *built = at_once([rework, *[make] * 12])
    assert told(reworking)["version"] == 6
    for one in (told(answer, 201)["id"] for answer in built):
        (line,) = told(player.get(f"{CHARACTERS}/{one}/history"))["items"]
        data = told(player.get(f"{CHARACTERS}/{one}/sheet"))["data"]
        dice = next(check["dice"]["value"] for check in data["checks"] if check["id"] == "test-resist")
        (under,) = line["packs"]
        assert dice == 2 + 2 + under["version"] - 1
        assert under["outdated"] == (under["version"] < 6)
    stale = told(gm.send("PATCH", pack, json={"version": 5, "pack": reworked(9, magicTraitCp=1)}), 409)
    assert (stale["code"], stale["currentVersion"]) == ("VERSION_CONFLICT", 6)

    # Rules that become strict change nothing about who is there; whoever is built anew must keep them.
    told(gm.send("PATCH", pack, json={"version": 6, "pack": reworked(8, traitCp=10, magicTraitCp=1)}))
    sheet = told(player.get(f"{path}/sheet"))
    again = {"version": 2, "build": {"forgeEngine": choices}}
    strict = issues(player.send("PUT", path, json=again))
    assert [(one["code"], one["allowed"]) for one in strict.values()] == [
        ("ATTRIBUTE_AND_TRAIT_BUDGET_EXCEEDED", "10")
    ]
    assert told(player.get(f"{path}/sheet")) == sheet
    told(player.post(f"{path}/undo", {"version": 2}))
    assert told(player.get(f"{path}/sheet"))["data"]["name"] == "Vael"

    # A pack that is gone is gone for whatever is new, and stays with those who were built under it.
    told(gm.send("DELETE", f"{pack}?version=6"), 409)
    told(gm.send("DELETE", f"{pack}?version=7"))
    told(player.get(pack), 404)
    assert issues(make())["packs.0"]["code"] == "PACK_UNKNOWN"
    assert "Cinder Lance" in json.dumps(told(player.get(f"{path}/card")))
    seat(player, table.campaign, made)
    award = {"forgeEngine": {"kind": "AWARD", "award": "SESSION"}}
    told(player.post(f"{path}/rewards", {"version": 3, "reward": award}), 201)
    told(gm.post(f"{path}/rewards/0/approve", {"version": 4}))
    assert told(player.get(f"{path}/sheet"))["data"]["points"]["left"] == 2
    player.do(MUTATIONS["deleteCharacter"], input={"id": made, "version": 5})
    told(player.get(f"{path}/history"), 404)
