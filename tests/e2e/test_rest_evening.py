"""A first evening over REST alone: sign up, hero, campaign, dice, map."""

import time
from typing import Any

import httpx
import pytest

from tests.e2e.product import Product, from_elsewhere, until
from tests.e2e.table import ENDED
from tests.gateway.rest_face import fits

HERO = {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior"}}


class Guest:
    """Somebody who calls the REST face with a key of their own."""

    def __init__(self, product: Product, name: str, key: str | None = None) -> None:
        self._client = httpx.Client(
            base_url=product.url, headers=from_elsewhere(), timeout=20, trust_env=False
        )
        if key is None:
            product.fill_buckets()  # other tests may have opened all the accounts that a minute allows
            signed_up = self.ask("POST", "/v1/accounts", 201, json={"name": name}).json()
            self.id, key = signed_up["account"]["id"], signed_up["key"]
        self._client.headers["authorization"] = f"Bearer {key}"

    def ask(self, method: str, path: str, status: int = 200, **options: Any) -> httpx.Response:
        """Send a request that must be answered with a status."""
        answer = self._client.request(method, path, **options)
        assert answer.status_code == status, answer.text
        return answer

    def refused(self, method: str, path: str, status: int, code: str, **options: Any) -> dict[str, Any]:
        """Send a request that must be refused, and give the problem."""
        answer = self.ask(method, path, status, **options)
        assert answer.headers["content-type"] == "application/problem+json"
        found: dict[str, Any] = answer.json()
        assert found["code"] == code
        return found

    def keyed(self, *scopes: str, product: Product) -> "Guest":
        """Come again with a key of fewer scopes."""
        made = self.ask("POST", "/v1/keys", 201, json={"name": "Less", "scopes": list(scopes)}).json()
        return Guest(product, "", made["key"])


@pytest.fixture
def mara(product: Product) -> Guest:
    """Give a GM."""
    return Guest(product, "Mara")


@pytest.fixture
def toren(product: Product) -> Guest:
    """Give a player."""
    return Guest(product, "Toren")


def campaign_of(gm: Guest, *players: Guest) -> str:
    """Found a campaign with players."""
    campaign = str(gm.ask("POST", "/v1/campaigns", 201, json={"name": "The Ember Road"}).json()["id"])
    for player in players:
        code = gm.ask("POST", f"/v1/campaigns/{campaign}/invitations", 201, json={}).json()["code"]
        player.ask("POST", "/v1/campaigns/join", json={"code": code})
    return campaign


def test_a_campaign_is_founded_joined_and_written_about(mara: Guest, toren: Guest, product: Product) -> None:
    made = mara.ask("POST", "/v1/campaigns", 201, json={"name": "The Ember Road", "description": "North."})
    campaign = fits(made)
    path = made.headers["location"]
    assert path == f"/v1/campaigns/{campaign['id']}"
    assert campaign["myRole"] == "GM"

    toren.refused("GET", path, 404, "NOT_FOUND")
    invited = fits(mara.ask("POST", f"{path}/invitations", 201, json={"role": "SPECTATOR"}))
    joined = fits(toren.ask("POST", "/v1/campaigns/join", json={"code": invited["code"]}))
    assert [member["role"] for member in joined["members"]] == ["GM", "SPECTATOR"]
    toren.refused("POST", f"{path}/notes", 403, "FORBIDDEN", json={"text": "Me too."})
    toren.refused("POST", f"{path}/invitations", 403, "FORBIDDEN", json={})

    for number in range(3):
        entry = mara.ask("POST", f"{path}/notes", 201, json={"text": f"Mile {number}."})
        fits(entry)
    first = fits(toren.ask("GET", f"{path}/log?first=2"))
    assert [entry["seq"] for entry in first["items"]] == [1, 2] and first["next"] == 2
    rest = fits(toren.ask("GET", f"{path}/log?after=2&first=100"))
    assert [entry["text"] for entry in rest["items"]][-3:] == ["Mile 0.", "Mile 1.", "Mile 2."]
    assert rest["next"] is None

    listed = fits(toren.ask("GET", "/v1/campaigns"))
    assert [line["id"] for line in listed["items"]] == [campaign["id"]]
    outsider = Guest(product, "Nobody")
    for refused in (path, f"{path}/log"):
        outsider.refused("GET", refused, 404, "NOT_FOUND")
    assert outsider.ask("GET", "/v1/campaigns").json() == {"items": [], "next": None}


def test_a_hero_is_made_by_the_rules_and_its_sheet_is_kept(mara: Guest, toren: Guest) -> None:
    games = fits(mara.ask("GET", "/v1/systems"))
    assert "dungeonteller" in {game["slug"] for game in games["items"]}
    made = mara.ask("POST", "/v1/characters", 201, json={"build": HERO})
    hero = fits(made)
    assert (hero["name"], hero["system"], hero["version"]) == ("Asha", "dungeonteller", 1)
    assert fits(mara.ask("GET", made.headers["location"])) == hero
    assert fits(mara.ask("GET", "/v1/characters"))["items"] == [hero]

    sheet = mara.ask("GET", f"/v1/characters/{hero['id']}/sheet")
    assert sheet.json()["data"]["name"] == "Asha"
    assert sheet.headers["cache-control"] == "private, no-cache"
    etag = sheet.headers["etag"]
    kept = mara.ask("GET", f"/v1/characters/{hero['id']}/sheet", 304, headers={"if-none-match": etag})
    assert kept.content == b"" and kept.headers["etag"] == etag
    for other in (b"\xff", b"W/", b'"x"'):
        assert mara.ask(
            "GET", f"/v1/characters/{hero['id']}/sheet", headers={b"if-none-match": other}
        ).content

    for path in (f"/v1/characters/{hero['id']}", f"/v1/characters/{hero['id']}/sheet"):
        toren.refused("GET", path, 404, "NOT_FOUND")
    campaign = campaign_of(mara, toren)
    seated = mara.ask("POST", f"/v1/campaigns/{campaign}/characters", json={"characterId": hero["id"]})
    members = fits(seated)["members"]
    assert members[0]["characters"] == [{"id": hero["id"]}]
    assert toren.ask("GET", f"/v1/characters/{hero['id']}/sheet").json() == sheet.json()


def test_a_hero_that_breaks_rules_is_told_which(mara: Guest) -> None:
    builds: list[Any] = [
        {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/king"}},
        {"dungeonteller": {"name": "", "role": "dungeonteller:role/warrior"}},
        {"dungeonteller": {"name": 7, "role": "dungeonteller:role/warrior"}},
        {"dungeonteller": {"name": "Asha", "role": "dungeonteller:role/warrior", "crown": True}},
        {"dungeonteller": None},
        {"dungeonteller": []},
        {"chess": {}},
        {},
        {"dungeonteller": {}, "chess": {}},
        {"__typename": {}},
    ]
    for build in builds:
        problem = mara.refused("POST", "/v1/characters", 422, "INVALID_INPUT", json={"build": build})
        assert problem["detail"], build
    typed = mara.refused("POST", "/v1/characters", 422, "INVALID_INPUT", json={"build": builds[2]})
    assert typed["path"] == ["build", "dungeonteller", "name"] and "Variable" not in typed["detail"]
    assert mara.ask("GET", "/v1/characters").json()["items"] == []


def test_dice_are_rolled_kept_and_paged(mara: Guest, toren: Guest) -> None:
    campaign = campaign_of(mara, toren)
    wish = {"expression": "4d6kh3+2", "campaignId": campaign, "label": "Strength"}
    key = {"idempotency-key": "strength"}
    made = mara.ask("POST", "/v1/rolls", 201, json=wish, headers=key)
    roll = fits(made)
    assert 5 <= roll["total"] <= 20 and roll["campaign"] == {"id": campaign}
    assert roll["by"] == {"id": mara.id, "name": "Mara"}
    assert mara.ask("POST", "/v1/rolls", 201, json=wish, headers=key).json() == roll
    other = {**wish, "label": "Wits"}
    mara.refused("POST", "/v1/rolls", 409, "IDEMPOTENCY_CONFLICT", json=other, headers=key)
    assert fits(toren.ask("GET", made.headers["location"])) == roll

    for _ in range(3):
        toren.ask("POST", "/v1/rolls", 201, json={"expression": "d20", "campaignId": campaign})
    seen: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = mara.ask("GET", "/v1/rolls", params={"campaign": campaign, "first": 3, **after})
        found = fits(page)
        seen += [item["id"] for item in found["items"]]
        if found["next"] is None:
            break
        after = {"after": found["next"]}
    assert len(seen) == len(set(seen)) == 4 and seen[-1] == roll["id"]
    mara.refused("GET", "/v1/rolls?after=nonsense", 400, "BAD_CURSOR")
    mara.refused("POST", "/v1/rolls", 422, "INVALID_INPUT", json={"expression": "4d"})
    mara.refused("POST", "/v1/rolls", 422, "INVALID_INPUT", json={"expression": "9" * 5000 + "d6"})


def test_what_happens_at_one_table_is_not_seen_at_another(mara: Guest, product: Product) -> None:
    campaign = campaign_of(mara)
    roll = mara.ask("POST", "/v1/rolls", 201, json={"expression": "d20", "campaignId": campaign}).json()
    outsider = Guest(product, "Nobody")
    outsider.refused("GET", f"/v1/rolls/{roll['id']}", 404, "NOT_FOUND")
    assert roll["id"] not in outsider._client.get("/v1/rolls", params={"campaign": campaign}).text
    wish = {"expression": "d20", "campaignId": campaign}
    outsider.refused("POST", "/v1/rolls", 404, "NOT_FOUND", json=wish)
    outsider.refused("POST", f"/v1/campaigns/{campaign}/notes", 404, "NOT_FOUND", json={"text": "Hello."})
    realm = {"campaignId": campaign, "forgebornRealm": {}}
    outsider.refused("POST", "/v1/maps", 404, "NOT_FOUND", json=realm)
    outsider.refused("GET", f"/v1/maps?campaign={campaign}", 404, "NOT_FOUND")


def test_a_map_is_made_and_shown_as_it_is_now(mara: Guest, toren: Guest, product: Product) -> None:
    campaign = campaign_of(mara, toren)
    wish = {"campaignId": campaign, "forgebornRealm": {"seed": "20", "width": 120, "height": 90}}
    queued = mara.ask("POST", "/v1/maps", 202, json=wish, headers={"idempotency-key": "realm"})
    job = fits(queued)
    assert queued.headers["location"] == f"/v1/jobs/{job['id']}"
    assert (
        mara.ask("POST", "/v1/maps", 202, json=wish, headers={"idempotency-key": "realm"}).json()["id"]
        == job["id"]
    )

    end = time.monotonic() + 60
    while job["state"] in ("QUEUED", "RUNNING"):
        assert time.monotonic() < end, job
        time.sleep(0.1)
        job = fits(mara.ask("GET", queued.headers["location"]))
    assert job["state"] == "SUCCEEDED" and job["progress"] == 1

    path = f"/v1/maps/{job['map']['id']}"
    shown = fits(toren.ask("GET", path))
    assert shown["campaign"] == {"id": campaign} and shown["seed"] == "20"
    assert [item["id"] for item in toren.ask("GET", f"/v1/maps?campaign={campaign}").json()["items"]] == [
        shown["id"]
    ]
    stored = {file["name"] for file in shown["files"]}
    assert stored == {"map.svg", "map.json"}
    given_out = {output["contentType"] for output in shown["outputs"]}
    assert given_out == {
        "application/json",
        "image/svg+xml",
        "image/png",
        "image/webp",
        "application/geo+json",
    }
    for name, media in (("map.svg", "image/svg+xml"), ("map.json", "application/json")):
        file = toren.ask("GET", f"{path}/{name}")
        assert file.headers["content-type"] == media
        assert file.content and file.headers["cache-control"] == "private, no-cache"
        assert ("sandbox" in file.headers.get("content-security-policy", "")) == (name == "map.svg")
        toren.ask("GET", f"{path}/{name}", 304, headers={"if-none-match": file.headers["etag"]})
    drawn = toren.ask("GET", f"{path}/map.svg")
    mara.ask("POST", f"{path}/edits", 201, json={"edit": {"dropRuin": {}}})
    grown = toren.ask("GET", f"{path}/map.svg", headers={"if-none-match": drawn.headers["etag"]})
    assert grown.content != drawn.content
    mara.ask("POST", f"{path}/undo", 201, json={})
    toren.ask("GET", f"{path}/map.svg", 304, headers={"if-none-match": drawn.headers["etag"]})
    outsider = Guest(product, "Nobody")
    for hidden in (path, f"{path}/map.svg", f"{path}/map.json", queued.headers["location"]):
        outsider.refused("GET", hidden, 404, "NOT_FOUND")
    outsider.refused("DELETE", queued.headers["location"], 404, "NOT_FOUND")
    ended = fits(mara.ask("DELETE", queued.headers["location"]))
    assert ended["state"] == "SUCCEEDED"


def test_a_map_that_cannot_be_is_told_why(mara: Guest) -> None:
    wishes: list[Any] = [
        {"seed": "x"},
        {"seed": "9" * 400},
        {"seed": 20},
        {"width": 0},
        {"width": 2**31},
        {"height": -1},
        {"dice": []},
        {"dice": [{"sides": 6, "face": 1, "x": 1e308, "y": 0}]},
        {"names": [{"place": "atlantis", "name": "x"}]},
        {"title": "x" * 5000},
        {"colour": "red"},
    ]
    for wish in wishes:
        problem = mara.refused("POST", "/v1/maps", 422, "INVALID_INPUT", json={"forgebornRealm": wish})
        assert {issue["path"][0] for issue in problem["issues"]} == {"forgebornRealm"}, wish
    assert mara.ask("GET", "/v1/maps").json()["items"] == []


def test_a_key_does_only_what_its_scopes_say(mara: Guest, product: Product) -> None:
    hero = mara.ask("POST", "/v1/characters", 201, json={"build": HERO}).json()["id"]
    reader, manager = mara.keyed("READ", product=product), mara.keyed("ADMIN", product=product)
    for path, body in (
        ("/v1/rolls", {"expression": "d6"}),
        ("/v1/campaigns", {"name": "x"}),
        ("/v1/characters", {"build": HERO}),
        ("/v1/maps", {"forgebornRealm": {}}),
        ("/v1/campaigns/join", {"code": "7KQ2M9XWPA"}),
    ):
        reader.refused("POST", path, 403, "FORBIDDEN", json=body)
    reader.ask("GET", f"/v1/characters/{hero}/sheet")
    for path in (
        "/v1/rolls",
        "/v1/campaigns",
        f"/v1/characters/{hero}",
        f"/v1/characters/{hero}/sheet",
        "/v1/me",
    ):
        manager.refused("GET", path, 403, "FORBIDDEN")


def test_ids_of_every_shape_are_not_found(mara: Guest) -> None:
    for kind in ("rolls", "characters", "campaigns", "maps", "jobs"):
        for wrong in (
            "x",
            "rol_01jd8x6m3v5q7r9t0w2y4z6a8c",
            "%20",
            "a" * 300,
            "%F0%9F%8E%B2",
            "..%2f..",
            "'--",
        ):
            mara.refused("GET", f"/v1/{kind}/{wrong}", 404, "NOT_FOUND")
    for path in (
        "/v1/characters/x%2fy/sheet",
        "/v1/characters/..%2f..%2fhealthz/sheet",
        "/v1/maps/x/map.svg",
    ):
        mara.refused("GET", path, 404, "NOT_FOUND")
    for campaign in ("x", "cmp_01jd8x6m3v5q7r9t0w2y4z6a8c"):
        wish = {"expression": "d6", "campaignId": campaign}
        mara.refused("POST", "/v1/rolls", 404, "NOT_FOUND", json=wish)


def test_a_campaign_of_quests_is_simulated(mara: Guest) -> None:
    asked = {
        "system": "fortunate_blades_campaign",
        "scenes": [{"setupName": "lantern-road"}],
        "cast": [{"id": "hero", "example": "duellist"}],
        "runs": 8,
        "mostMoves": 120,
    }
    started = mara.ask("POST", "/v1/simulations", 201, json=asked).json()
    path = f"/v1/simulations/{started['id']}"
    until(lambda: mara.ask("GET", path).json()["state"] in ENDED, "the answer of the campaigns")
    found = mara.ask("GET", path).json()
    report = found["report"]
    assert (found["state"], report["system"], report["done"]) == ("SUCCEEDED", asked["system"], True)
    (case,) = report["cases"]
    figures = {each["name"]: each["estimate"]["value"] for each in case["figures"]}
    assert case["runs"] == 8 and figures["quests@actor:party"] > 0
