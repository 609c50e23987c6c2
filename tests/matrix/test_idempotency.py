"""Many requests at once with one idempotency key: one effect, and as many times the same answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.at_length import part_or_whole
from tests.databases import ON_BOTH
from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person
from tests.e2e.table import (
    SMALL,
    build_smith,
    create_hero,
    edit,
    ended,
    found_campaign,
    hero,
    holding,
    join,
    log,
    look_at,
    roll,
    seat,
    seq_of,
    start_scene,
)
from tests.matrix.in_process import InProcess
from tests.matrix.requests import CELLAR

pytestmark = ON_BOTH

AT_ONCE = part_or_whole(16, 50)
KEY = "the very same, with 32 characters or more"
# Short answers, since a bucket has to do for fifty.
KEEP = """
mutation ($input: KeepMapInput!) {
  keepMap(input: $input) {
    ... on MapKept { map { id name seed revision } } ... on Problem { code message path }
  }
}
"""
KEEP_PACK = """
mutation ($input: CreateContentPackInput!) {
  createContentPack(input: $input) { ... on ContentPackSaved { pack { id name version } } ... on Problem { code } }
}
"""
UNDO_CHARACTER = """
mutation ($input: UndoCharacterEditInput!) {
  undoCharacterEdit(input: $input) {
    ... on CharacterSaved { character { name version } } ... on Problem { code }
  }
}
"""
# Without the head of its chain, which is signed anew for each answer.
ROTATE = """
mutation ($input: RotateRollEpochInput!) {
  rotateRollEpoch(input: $input) { ... on RollEpochRotated { epoch { id ordinal } } ... on Problem { code message path } }
}
"""
EDITED = "... on MapEdited { thing map { id revision } } ... on Problem { code message path }"
EDIT = "mutation ($input: EditMapInput!) { editMap(input: $input) { %s } }" % EDITED
UNDO = "mutation ($input: UndoMapEditInput!) { undoMapEdit(input: $input) { %s } }" % EDITED


def all_at_once(request: Callable[[], Any]) -> list[Any]:
    """Send a request many times side by side and give the answers."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = [pool.submit(request) for _ in range(AT_ONCE)]
        return [one.result() for one in sent]


def the_one_answer(person: Person, document: str, variables: dict[str, Any]) -> Any:
    """Run a mutation many times at once; give the answer that all have got."""
    answers = all_at_once(lambda: person.do(document, **variables))
    assert len(answers) == AT_ONCE
    assert [one for one in answers if one != answers[0]] == []
    return answers[0]


def conflict(person: Person, document: str, variables: dict[str, Any]) -> str:
    """Run a mutation with the used key and another content; give the code of the answer."""
    (outcome,) = person.ask(document, **variables).values()
    return str(outcome["code"])


@pytest.fixture
def somebody(house: InProcess) -> Person:
    """Somebody who has done nothing yet."""
    return house.sign_up("Impatient")


def test_one_roll(somebody: Person) -> None:
    asked = {"expression": "10d20", "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["roll"], {"input": asked})["roll"]
    kept = somebody.ask(QUERIES["rolls"], first=5)["rolls"]["nodes"]
    assert kept == [made]
    assert made["seq"] == 1
    other = {"input": {**asked, "expression": "1d4"}}
    assert conflict(somebody, MUTATIONS["roll"], other) == "IDEMPOTENCY_CONFLICT"
    assert somebody.ask(QUERIES["rolls"], first=5)["rolls"]["nodes"] == [made]


def test_one_batch(somebody: Person) -> None:
    rolls = [{"expression": "10d20"}, {"expression": "1 / (d1000000 // 1000000)"}, {"expression": "d%"}]
    asked = {"rolls": rolls, "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["rollMany"], {"input": asked})
    kept = somebody.ask(QUERIES["rolls"], first=5)["rolls"]["nodes"]
    # A void is a roll as well: the batch is there whole, and once.
    came_to_something = [one["id"] for one in kept if one["outcome"] != "void"]
    assert came_to_something == [one["id"] for one in reversed(made["rolls"])]
    assert len(kept) == 3
    # Nothing was drawn in vain: each number of the chain is of this one batch.
    receipts = somebody.ask(QUERIES["rollReceipts"])["rollReceipts"]["nodes"]
    assert [one["number"] for one in receipts] == [1, 2, 3]
    assert len(made["rolls"]) + len(made["voids"]) == 3
    other = {"input": {**asked, "rolls": rolls[:2]}}
    assert conflict(somebody, MUTATIONS["rollMany"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_saved_roll(somebody: Person) -> None:
    asked = {"name": "Only one", "expression": "2d6 + @bonus", "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["createMacro"], {"input": asked})["macro"]
    assert somebody.ask(QUERIES["macros"])["macros"]["nodes"] == [made]
    other = {"input": {**asked, "name": "Another"}}
    assert conflict(somebody, MUTATIONS["createMacro"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_change_of_a_saved_roll_and_none_is_left_but_once(somebody: Person) -> None:
    kept = somebody.do(MUTATIONS["createMacro"], input={"name": "Blow", "expression": "d6"})["macro"]["id"]
    asked = {"id": kept, "version": 1, "name": "Thrust", "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["updateMacro"], {"input": asked})["macro"]
    assert (made["name"], made["version"]) == ("Thrust", 2)
    gone = {"id": kept, "version": 2, "idempotencyKey": f"{KEY} gone"}
    assert the_one_answer(somebody, MUTATIONS["deleteMacro"], {"input": gone}) == {"id": kept}
    assert somebody.ask(QUERIES["macros"])["macros"]["nodes"] == []


def test_one_epoch_and_one_notation(somebody: Person) -> None:
    roll(somebody, "1d6")
    begun = the_one_answer(somebody, ROTATE, {"input": {"idempotencyKey": KEY}})["epoch"]
    assert begun["ordinal"] == 2
    asked = {"dialect": "D20", "version": 1, "idempotencyKey": f"{KEY} notation"}
    made = the_one_answer(somebody, MUTATIONS["setDiceDialect"], {"input": asked})["settings"]
    assert made == {"dialect": "D20", "version": 2}


def test_one_die(somebody: Person) -> None:
    asked = {"name": "coin", "faces": [{"label": "Heads", "value": 1}], "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["defineDie"], {"input": asked})["die"]
    assert somebody.ask(QUERIES["tableDice"])["tableDice"] == [made]
    other = {"input": {**asked, "name": "other_coin"}}
    assert conflict(somebody, MUTATIONS["defineDie"], other) == "IDEMPOTENCY_CONFLICT"
    edge = {"id": made["id"], "version": 1, "faces": [{"label": "Edge", "value": 0}]}
    edge["idempotencyKey"] = f"{KEY} edge"
    changed = the_one_answer(somebody, MUTATIONS["changeDie"], {"input": edge})["die"]
    assert (changed["version"], changed["faces"]) == (2, edge["faces"])
    gone = {"id": made["id"], "version": 2, "idempotencyKey": f"{KEY} gone"}
    assert the_one_answer(somebody, MUTATIONS["forgetDie"], {"input": gone}) == {"id": made["id"]}
    assert somebody.ask(QUERIES["tableDice"])["tableDice"] == []


def test_one_character(somebody: Person) -> None:
    asked = {"build": hero(name="Only one"), "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["createCharacter"], {"input": asked})["character"]
    kept = somebody.ask(QUERIES["characters"], first=5)["characters"]["nodes"]
    assert [one["id"] for one in kept] == [made["id"]]
    other = {"input": {**asked, "build": hero(name="Another")}}
    assert conflict(somebody, MUTATIONS["createCharacter"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_pack_and_one_edit_undone(somebody: Person) -> None:
    asked = {"name": "Only one", "pack": holding(), "idempotencyKey": KEY}
    pack = the_one_answer(somebody, KEEP_PACK, {"input": asked})["pack"]
    assert [one["id"] for one in somebody.get("/v1/content-packs").json()["items"]] == [pack["id"]]
    other = {"input": {**asked, "pack": holding(damage="Temporal")}}
    assert conflict(somebody, MUTATIONS["createContentPack"], other) == "IDEMPOTENCY_CONFLICT"
    # Without a key the first to come is the only one, by the version that was seen.
    made = build_smith(somebody, [pack["id"]], "Before", "After")
    undone = {"characterId": made, "version": 2}
    answers = all_at_once(lambda: next(iter(somebody.ask(UNDO_CHARACTER, input=undone).values())))
    codes = [one.get("code") for one in answers]
    assert sorted(codes, key=str) == [None, *["VERSION_CONFLICT"] * (AT_ONCE - 1)]
    (found,) = (one["character"] for one in answers if "character" in one)
    kept = somebody.get(f"/v1/characters/{made}/history").json()["items"]
    assert [(one["version"], one["what"]) for one in kept] == [(3, "UNDONE"), (2, "EDITED"), (1, "CREATED")]
    assert found == {"name": "Before", "version": 3} and kept[0]["name"] == "Before"
    keyed = {"characterId": made, "version": 3, "idempotencyKey": f"{KEY}, undone"}
    again = the_one_answer(somebody, UNDO_CHARACTER, {"input": keyed})["character"]
    assert again == {"name": "After", "version": 4}
    assert conflict(somebody, UNDO_CHARACTER, {"input": {**keyed, "to": 1}}) == "IDEMPOTENCY_CONFLICT"


def test_one_campaign(somebody: Person) -> None:
    asked = {"name": "Only one", "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["createCampaign"], {"input": asked})["campaign"]
    kept = somebody.ask(QUERIES["campaigns"])["campaigns"]["nodes"]
    assert [one["id"] for one in kept] == [made["id"]]
    assert [entry["kind"] for entry in log(somebody, made["id"])] == ["campaign.created"]
    other = {"input": {**asked, "name": "Another"}}
    assert conflict(somebody, MUTATIONS["createCampaign"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_note(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    asked = {"campaignId": campaign, "text": "Only once", "idempotencyKey": KEY}
    entry = the_one_answer(somebody, MUTATIONS["writeNote"], {"input": asked})["entry"]
    assert [(one["seq"], one["text"]) for one in log(somebody, campaign)][1:] == [(2, "Only once")]
    assert entry["seq"] == 2
    other = {"input": {**asked, "text": "Twice"}}
    assert conflict(somebody, MUTATIONS["writeNote"], other) == "IDEMPOTENCY_CONFLICT"
    assert len(log(somebody, campaign)) == 2


def test_one_bag_of_metadata(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    asked = {"id": campaign, "namespace": "com.example.tracker", "data": {"round": 1}, "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["setCampaignMetadata"], {"input": asked})["metadata"]
    assert (made["version"], made["data"]) == (1, {"round": 1})
    assert somebody.ask(QUERIES["campaign"], id=campaign)["campaign"]["metadata"] == [made]
    other = {"input": {**asked, "data": {"round": 2}}}
    assert conflict(somebody, MUTATIONS["setCampaignMetadata"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_scene_and_one_move(somebody: Person, house: InProcess) -> None:
    campaign = found_campaign(somebody)
    player = join(house.sign_up("Just as impatient"), somebody, campaign)
    own = create_hero(player, name="Only one")
    seat(player, campaign, own)
    asked = {
        "campaignId": campaign,
        "system": "dungeonteller",
        "setupName": "orc-ambush",
        "characters": [own],
        "idempotencyKey": KEY,
    }
    scene = the_one_answer(somebody, MUTATIONS["startScene"], {"input": asked})["scene"]["id"]
    kept = somebody.ask(QUERIES["campaign"], id=campaign)["campaign"]["scenes"]["nodes"]
    assert [one["id"] for one in kept] == [scene]
    other = {"input": {**asked, "setupName": "crypt"}}
    assert conflict(somebody, MUTATIONS["startScene"], other) == "IDEMPOTENCY_CONFLICT"
    # With dice: they fall once, however often it is asked.
    call = {"kind": "Try", "actor": own, "action": "TALK", "words": "Who goes there?"}
    wish = {"sceneId": scene, "expectedSeq": 0, "move": call, "idempotencyKey": KEY}
    made = the_one_answer(player, MUTATIONS["performMove"], {"input": wish})["move"]
    assert made["seq"] == 1
    found = somebody.ask(QUERIES["scene"], id=scene)["scene"]
    assert [one["seq"] for one in found["moves"]["nodes"]] == [found["seq"]] == [1]
    rolls = somebody.ask(QUERIES["rolls"], sceneId=scene)["rolls"]["nodes"]
    assert [one["id"] for one in rolls] == [one["roll"]["id"] for one in made["rolls"]] != []
    other = {"input": {**wish, "move": {**call, "words": "Stand!"}}}
    assert conflict(player, MUTATIONS["performMove"], other) == "IDEMPOTENCY_CONFLICT"
    assert seq_of(somebody, scene) == 1


def test_one_move_of_a_bot_and_one_undone_over_rest(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    own = create_hero(somebody, name="Only one")
    seat(somebody, campaign, own)
    scene = start_scene(somebody, campaign, "orc-ambush", own)["id"]

    def send(path: str, content: dict[str, Any]) -> Any:
        headers = {"idempotency-key": f"{KEY} {path}"}
        return somebody.send("POST", f"/v1/scenes/{scene}/{path}", json=content, headers=headers)

    for seq, path, content in ((0, "bot", {"actor": own}), (1, "undo", {})):
        answers = all_at_once(
            lambda path=path, content={"expectedSeq": seq, **content}: send(path, content)  # type: ignore[misc]
        )
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.json()["cursor"] for answer in answers}) == 1
        assert seq_of(somebody, scene) == seq + 1
    other = send("bot", {"expectedSeq": 2, "actor": "orc-1"})
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")


def test_one_map(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    asked = {"map": {"forgebornRealm": {}}, "campaignId": campaign, "idempotencyKey": KEY}
    jobs = all_at_once(lambda: somebody.do(MUTATIONS["generateMap"], input=asked)["job"])
    # The job goes on while the others ask for it: what they see of it is the job as it is.
    assert len({(job["id"], job["kind"], job["createdAt"]) for job in jobs}) == 1
    job = ended(somebody, jobs[0]["id"])
    assert (job["state"], job["attempt"]) == ("SUCCEEDED", 1)
    (again,) = {somebody.do(MUTATIONS["generateMap"], input=asked)["job"]["id"] for _ in range(3)}
    assert again == job["id"]
    kept = somebody.ask(QUERIES["maps"], campaignId=campaign)["maps"]["nodes"]
    assert [one["id"] for one in kept] == [job["map"]["id"]]
    other = {"input": {**asked, "map": {"forgebornRealm": {"seed": "5"}}}}
    assert conflict(somebody, MUTATIONS["generateMap"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_batch_of_maps_and_one_map_kept_of_it(somebody: Person) -> None:
    campaign = found_campaign(somebody)
    asked: dict[str, Any] = {
        "map": {"dungeon": SMALL},
        "count": 3,
        "campaignId": campaign,
        "idempotencyKey": KEY,
    }
    jobs = all_at_once(lambda: somebody.do(MUTATIONS["generateMaps"], input=asked)["job"])
    (batch,) = {job["id"] for job in jobs}
    assert ended(somebody, batch)["state"] == "SUCCEEDED"
    made = somebody.ask(QUERIES["mapBatch"], id=batch)["mapBatch"]
    assert (made["done"], [one["number"] for one in made["maps"]["nodes"]]) == (3, [0, 1, 2])
    other = {"input": {**asked, "count": 4}}
    assert conflict(somebody, MUTATIONS["generateMaps"], other) == "IDEMPOTENCY_CONFLICT"
    wanted = {"batchId": batch, "number": 1, "campaignId": campaign, "idempotencyKey": f"{KEY}, kept"}
    kept = the_one_answer(somebody, KEEP, {"input": wanted})["map"]
    found = somebody.ask(QUERIES["maps"], campaignId=campaign)["maps"]["nodes"]
    assert [one["id"] for one in found] == [kept["id"]]
    assert kept["name"] == made["maps"]["nodes"][1]["name"]
    another = {"input": {**wanted, "number": 2}}
    assert conflict(somebody, MUTATIONS["keepMap"], another) == "IDEMPOTENCY_CONFLICT"
    for name, gone in (("deleteMapBatch", batch), ("deleteMap", kept["id"])):
        asked_once = {"id": gone, "idempotencyKey": f"{KEY}, {name}"}
        assert the_one_answer(somebody, MUTATIONS[name], {"input": asked_once}) == {"id": gone}
    assert somebody.ask(QUERIES["mapBatch"], id=batch)["mapBatch"] is None
    assert somebody.ask(QUERIES["maps"], campaignId=campaign)["maps"]["nodes"] == []


def test_one_map_brought_along_one_edit_and_one_undone(somebody: Person) -> None:
    headers = {"idempotency-key": KEY, "content-type": "application/json"}

    def bring(content: bytes) -> Any:
        return somebody.send("POST", "/v1/maps/import", content=content, headers=headers)

    # Files are dear: a dozen empty a bucket as well as fifty.
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(bring, [CELLAR] * 12))
    assert {answer.status_code for answer in answers} == {201}
    (brought,) = {answer.json()["id"] for answer in answers}
    assert [one["id"] for one in somebody.ask(QUERIES["maps"])["maps"]["nodes"]] == [brought]
    other = bring(CELLAR.replace(b'"y": 5', b'"y": 4'))
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")

    wanted = {"mapId": brought, "edit": {"putMarker": {"at": {"x": 2, "y": 2}}}}
    asked = {**wanted, "idempotencyKey": f"{KEY}, marked"}
    made = the_one_answer(somebody, EDIT, {"input": asked})
    edit(somebody, brought, putMarker={"at": {"x": 3, "y": 3}})
    other_edit = {"input": {**asked, "edit": {"putMarker": {"at": {"x": 3, "y": 2}}}}}
    assert conflict(somebody, MUTATIONS["editMap"], other_edit) == "IDEMPOTENCY_CONFLICT"
    undone = {"mapId": brought, "idempotencyKey": f"{KEY}, undone"}
    the_one_answer(somebody, UNDO, {"input": undone})
    # Fifty times undone is undone once: the first marker stands.
    assert [one["key"] for one in look_at(somebody, brought)["play"]["markers"]] == [made["thing"]]
    log = look_at(somebody, brought)["edits"]["nodes"]
    assert [entry["sort"] for entry in log] == ["undo", "put_marker", "put_marker"]


def test_one_key(somebody: Person) -> None:
    asked = {"name": "Tablet", "scopes": ["READ"], "idempotencyKey": KEY}
    made = the_one_answer(somebody, MUTATIONS["createApiKey"], {"input": asked})
    assert somebody.product.holder(made["key"]).id == somebody.id
    kept = somebody.get("/v1/keys").json()["items"]
    assert [one["name"] for one in kept] == ["Tablet", "First key"]
    other = {"input": {**asked, "scopes": ["READ", "WRITE"]}}
    assert conflict(somebody, MUTATIONS["createApiKey"], other) == "IDEMPOTENCY_CONFLICT"


def test_one_account(house: InProcess) -> None:
    key = f"{house.settings.data_dir.name} and a very long tail of it"

    def sign_up(name: str) -> Any:
        headers = {**house.anonymous().headers, "idempotency-key": key}
        return house.http.post(f"{house.url}/v1/accounts", json={"name": name}, headers=headers)

    house.fill_buckets()  # other tests may have opened all the accounts that a minute allows
    answers = all_at_once(lambda: sign_up("Only one"))
    (opened,) = [answer for answer in answers if answer.status_code == 201]
    told = {
        (answer.status_code, answer.json()["code"], "key" in answer.json())
        for answer in answers
        if answer is not opened
    }
    assert told == {(409, "ALREADY_SIGNED_UP", False)}
    person = house.holder(opened.json()["key"])
    assert person.name == "Only one"
    assert len(person.get("/v1/keys").json()["items"]) == 1
    other = sign_up("Another")
    assert (other.status_code, other.json()["code"]) == (409, "IDEMPOTENCY_CONFLICT")


def test_one_roll_over_rest_and_for_each_owner(somebody: Person, house: InProcess) -> None:
    answers = all_at_once(
        lambda: somebody.send(
            "POST", "/v1/rolls", json={"expression": "10d20"}, headers={"idempotency-key": KEY}
        )
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert len(somebody.get("/v1/rolls").json()["items"]) == 1
    # The key is the owner's own: the same words of somebody else are another key.
    other = house.sign_up("Other").send(
        "POST", "/v1/rolls", json={"expression": "10d20"}, headers={"idempotency-key": KEY}
    )
    assert other.json()["id"] != answers[0].json()["id"]
