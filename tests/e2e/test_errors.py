"""Refusals that name what was meant: over the public port, as a newcomer meets them."""

import json
from typing import Any

import httpx
import pytest

from tests.e2e.product import Product
from tests.e2e.test_rest_evening import Guest

HERO = {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}
pytestmark = pytest.mark.e2e


@pytest.fixture
def mara(product: Product) -> Guest:
    """Return a game master."""
    return Guest(product, "Mara")


@pytest.fixture
def campaign(mara: Guest) -> str:
    """Return a campaign of hers."""
    return str(mara.ask("POST", "/v1/campaigns", 201, json={"name": "Ash"}).json()["id"])


@pytest.fixture
def hero(mara: Guest, campaign: str) -> str:
    """Return a hero at that table."""
    made = str(mara.ask("POST", "/v1/characters", 201, json={"build": HERO}).json()["id"])
    mara.ask("POST", f"/v1/campaigns/{campaign}/characters", json={"characterId": made})
    return made


def issue_of(answer: dict[str, Any]) -> tuple[list[str], str]:
    """Return where the first broken rule of a refusal is, and what it says."""
    first = answer["issues"][0]
    return first["path"], first["message"]


def test_an_id_of_another_kind_is_called_so_in_addresses_and_bodies(
    mara: Guest, campaign: str, hero: str
) -> None:
    says = "This is the id of a campaign, not of a character."
    for path in (f"/v1/characters/{campaign}", f"/v1/characters/{campaign}/sheet"):
        assert mara.refused("GET", path, 404, "NOT_FOUND")["detail"] == says
    seat = mara.refused(
        "POST", f"/v1/campaigns/{campaign}/characters", 404, "NOT_FOUND", json={"characterId": campaign}
    )
    assert (seat["detail"], seat["path"]) == (says, ["characterId"])
    turned = mara.refused("GET", f"/v1/campaigns/{hero}", 404, "NOT_FOUND")
    assert turned["detail"] == "This is the id of a character, not of a campaign."
    scene = {"system": "dungeonteller", "setup": "bonfire", "characters": [hero, campaign]}
    cast = mara.refused("POST", f"/v1/campaigns/{campaign}/scenes", 422, "INVALID_INPUT", json=scene)
    assert issue_of(cast) == (["characters", "1"], says)
    unknown = mara.refused("GET", f"/v1/characters/{hero[:-4]}0000", 404, "NOT_FOUND")
    assert unknown["detail"] == "There is no such character, or you may not see it."


def test_a_used_up_invitation_says_so(product: Product, mara: Guest, campaign: str) -> None:
    path = f"/v1/campaigns/{campaign}/invitations"
    code = mara.ask("POST", path, 201, json={"role": "PLAYER", "uses": 1}).json()["code"]
    Guest(product, "Finn").ask("POST", "/v1/campaigns/join", json={"code": code})
    late = Guest(product, "Zoe").refused("POST", "/v1/campaigns/join", 404, "NOT_FOUND", json={"code": code})
    assert late["detail"] == "This invitation has been used as often as it may be; ask for another."


def test_a_word_in_the_wrong_case_is_recognised(mara: Guest, campaign: str) -> None:
    invited = mara.refused(
        "POST", f"/v1/campaigns/{campaign}/invitations", 422, "INVALID_INPUT", json={"role": "player"}
    )
    assert issue_of(invited)[1].endswith("; is `PLAYER` meant?")
    batch = {"kind": "CAVE", "parameters": {}, "count": 1, "formats": ["uvtt"]}
    formats = mara.refused("POST", "/v1/batches", 422, "INVALID_INPUT", json=batch)
    assert issue_of(formats)[1].endswith("; is `UVTT` meant?")


def test_a_key_without_its_bearer_is_told_so_at_both_doors(product: Product) -> None:
    key = product.sign_up("Mara").headers["authorization"].removeprefix("Bearer ")
    headers = {"authorization": key}
    rest = httpx.get(f"{product.url}/v1/me", headers=headers)
    graph = httpx.post(f"{product.url}/graphql", headers=headers, json={"query": "{ __typename }"})
    for answer, said in ((rest, rest.json()["detail"]), (graph, graph.json()["errors"][0]["message"])):
        assert answer.status_code == 401 and "is missing before the API key" in said and "Bearer" in said
        assert key not in answer.text


def test_a_scene_without_characters_blames_them(mara: Guest, campaign: str) -> None:
    for system, setup in (("dungeonteller", "bonfire"), ("dwarf_dice", "feud")):
        scene = {"system": system, "setup": setup, "characters": []}
        found = mara.refused("POST", f"/v1/campaigns/{campaign}/scenes", 422, "INVALID_INPUT", json=scene)
        assert issue_of(found)[0] == ["characters"], system


def test_two_builds_in_one_are_named(mara: Guest) -> None:
    both = HERO | {"dwarfDice": {"name": "Bron", "champion": "dwarf_dice:champion/bron"}}
    found = mara.refused("POST", "/v1/characters", 422, "INVALID_INPUT", json={"build": both})
    says = "This takes exactly one member; `dungeonteller`, `dwarfDice` are several."
    assert issue_of(found) == (["build"], says)


def test_slips_in_moves_setups_and_tools_name_the_nearest(mara: Guest, campaign: str, hero: str) -> None:
    scenes = f"/v1/campaigns/{campaign}/scenes"
    scene = {"system": "dungeonteller", "setup": "bonfires", "characters": [hero]}
    setup = mara.refused("POST", scenes, 422, "INVALID_INPUT", json=scene)
    assert issue_of(setup)[1].endswith("; is `bonfire` meant?")
    made = mara.ask("POST", scenes, 201, json=scene | {"setup": "bonfire"}).json()["id"]

    def move(**sent: Any) -> str:
        wish = {"expectedSeq": 0, "move": sent}
        return issue_of(mara.refused("POST", f"/v1/scenes/{made}/moves", 422, "INVALID_INPUT", json=wish))[1]

    to = {"x": 4, "y": 7}
    assert move(kind="go", actor=hero, to=to).endswith(" Is `Go` meant?")
    assert move(kind="Go", actr=hero, to=to).endswith(" Is `actor` meant?")
    tools = "/v1/systems/forge_engine/tools"
    lost = mara.refused("POST", f"{tools}/encountr", 404, "NOT_FOUND", json={"characters": [10]})
    assert lost["detail"] == "There is no such tool; is `encounter` meant?"
    asked = {"charcters": [10], "adversaries": []}
    member = mara.refused("POST", f"{tools}/encounter", 422, "INVALID_INPUT", json=asked)
    assert "There is no such field here; is `characters` meant?" in json.dumps(member)
