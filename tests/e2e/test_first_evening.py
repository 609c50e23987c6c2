"""A newcomer's first evening, through the one public port, on SQLite and on PostgreSQL."""

import hashlib
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree

import pytest

from services.shared.pagination import cursor_of_number
from tests.databases import ON_BOTH
from tests.e2e.documents import MUTATIONS, QUERIES, SUBSCRIPTIONS
from tests.e2e.product import (
    ROOT,
    TRANSPORTS,
    Person,
    Product,
    Transport,
    listening,
    refused_socket,
    until,
)
from tests.e2e.table import (
    create_hero,
    ended,
    found_campaign,
    hero,
    invite,
    join,
    log,
    make_map,
    note,
    queue_map,
    roll,
    seat,
)

pytestmark = ON_BOTH

SVG = "{http://www.w3.org/2000/svg}"
ROLES = {
    "dwarf": "Dwarf",
    "elf": "Elf",
    "paladin": "Paladin",
    "rogue": "Rogue",
    "warrior": "Warrior",
    "wizard": "Wizard",
}
SHEET = """
query ($id: ID!) {
  character(id: $id) {
    id name system version owner { id name }
    sheet {
      name system tracks { name } checks { key }
      ... on DungeonTellerSheet {
        role roleName look luck { value } armor { value } gold { value }
        actions { key rating { value parts { value } } } weapons { name } powers { name }
      }
    }
  }
}
"""
WHOLE_TABLE = """
query ($id: ID!) {
  campaign(id: $id) {
    id name myRole
    members {
      role
      account { id name }
      characters {
        id name
        owner { name }
        sheet { name ... on DungeonTellerSheet { roleName luck { value } } }
        rolls(first: 3) { nodes { total text by { name } campaign { name } } }
      }
    }
    rolls(first: 3) { nodes { id character { name } } }
    maps(first: 3) { nodes { name owner { name } campaign { name } files { name url } realm { places { key } } } }
    log(first: 3) { nodes { seq account { name } } }
  }
}
"""


def make_key(product: Product, name: str, *scopes: str) -> str:
    """Make a key from the command line and give it."""
    words = [word for scope in scopes for word in ("--scope", scope)]
    done = subprocess.run(
        [str(ROOT / "infra" / "key"), name, *words, "--data", str(product.data)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    (key,) = done.stdout.split()
    return key


@dataclass(frozen=True)
class Evening:
    """The table of the evening."""

    product: Product
    mara: Person
    jon: Person
    sela: Person
    campaign: str
    hero: str


@pytest.fixture(scope="module")
def evening(product: Product) -> Evening:
    """Sign up, invite, come together, bring a hero."""
    mara = product.sign_up("Mara")
    jon = product.holder(make_key(product, "Jon"))
    sela = product.sign_up("Sela")
    founded = mara.post("/v1/campaigns", {"name": "The Ember Road"})
    assert founded.status_code == 201, founded.text
    campaign = founded.json()["id"]
    assert founded.headers["location"] == f"/v1/campaigns/{campaign}"

    code = invite(mara, campaign)["code"]
    joined = jon.do(MUTATIONS["joinCampaign"], input={"code": f" {code[:5].lower()}-{code[5:]} "})
    assert joined["campaign"] == {"id": campaign, "name": "The Ember Road", "myRole": "PLAYER"}
    watching = mara.post(f"/v1/campaigns/{campaign}/invitations", {"role": "SPECTATOR"}).json()["code"]
    assert sela.post("/v1/campaigns/join", {"code": watching}).json()["myRole"] == "SPECTATOR"

    asha = create_hero(jon, name="Asha", role="warrior")
    seat(jon, campaign, asha)
    return Evening(product, mara, jon, sela, campaign, asha)


# Keys


def test_key_from_the_command_line_reads_and_writes_and_no_more(evening: Evening) -> None:
    assert evening.jon.ask("{ me { name } }") == {"me": {"name": "Jon"}}
    assert roll(evening.jon, "1d6")["by"]["id"] == evening.jon.id
    refused = evening.jon.answer(MUTATIONS["createApiKey"], input={"name": "x", "scopes": ["READ"]})
    assert refused["data"]["createApiKey"]["__typename"] == "Forbidden"


def test_key_for_reading_only_cannot_roll(evening: Evening) -> None:
    reader = evening.product.holder(make_key(evening.product, "Wall display", "read"))
    refused = reader.answer(MUTATIONS["roll"], input={"expression": "1d6"})
    assert refused["data"]["roll"]["__typename"] == "Forbidden"
    refused_too = reader.post("/v1/rolls", {"expression": "1d6"})
    assert (refused_too.status_code, refused_too.json()["code"]) == (403, "FORBIDDEN")
    assert reader.ask(QUERIES["rolls"])["rolls"]["nodes"] == []


def test_revoked_key_is_dead_within_two_seconds_everywhere(evening: Evening) -> None:
    mara = evening.mara
    made = mara.do(MUTATIONS["createApiKey"], input={"name": "Lost tablet", "scopes": ["READ"]})
    tablet = evening.product.holder(made["key"])
    assert tablet.ask("{ me { id } }") == {"me": {"id": mara.id}}
    mara.do(MUTATIONS["revokeApiKey"], input={"id": made["apiKey"]["id"]})
    revoked = time.monotonic()
    until(
        lambda: tablet.graph("{ me { id } }").status_code == 401, "the gateway to forget the key", seconds=10
    )
    assert time.monotonic() - revoked < 2
    dead = tablet.graph("{ me { id } }").json()
    (error,) = dead["errors"]
    assert error["extensions"]["code"] == "UNAUTHENTICATED"
    assert error["extensions"]["reason"] == "KEY_REVOKED"
    rest = tablet.get("/v1/me")
    assert (rest.status_code, rest.json()["reason"]) == (401, "KEY_REVOKED")
    assert refused_socket(tablet) == 4403


# Dice


def test_roll_keeps_the_three_highest_and_adds_two(evening: Evening) -> None:
    made = roll(evening.jon, "4d6kh3+2", campaignId=evening.campaign, label="Strength")
    dice, bonus = made["terms"]
    faces = [die["face"] for die in dice["dice"]]
    kept = [die["face"] for die in dice["dice"] if die["kept"]]
    assert (dice["notation"], len(faces), len(kept)) == ("4d6kh3", 4, 3)
    assert all(1 <= face <= 6 for face in faces)
    assert sorted(kept) == sorted(faces)[1:]
    assert (dice["subtotal"], bonus["subtotal"]) == (sum(kept), 2)
    assert made["total"] == sum(kept) + 2
    again = evening.mara.ask(QUERIES["roll"], id=made["id"])["roll"]
    assert made.items() <= again.items()
    rest = evening.mara.get(f"/v1/rolls/{made['id']}").json()
    assert (rest["total"], rest["text"]) == (made["total"], made["text"])


def test_rolls_are_paged_without_gap_or_double_while_others_are_made(evening: Evening) -> None:
    campaign = found_campaign(evening.mara)
    made = [roll(evening.mara, "1d20", campaignId=campaign)["id"] for _ in range(7)]
    seen: list[str] = []
    after = None
    while True:
        page = evening.mara.ask(QUERIES["rolls"], campaignId=campaign, first=3, after=after)["rolls"]
        seen += [one["id"] for one in page["nodes"]]
        assert page["pageInfo"]["hasPreviousPage"] is (after is not None)
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
        roll(
            evening.mara, "1d20", campaignId=campaign
        )  # a newer one must not push another onto the next page
    assert seen == made[::-1]


# Heroes


@pytest.mark.parametrize("role", ROLES)
def test_hero_of_each_role_has_one_sheet_in_both_faces(evening: Evening, role: str) -> None:
    made = create_hero(evening.jon, role=role, name=f"First {role}")
    shown = evening.jon.ask(SHEET, id=made)["character"]
    sheet = shown["sheet"]
    assert shown["owner"] == {"id": evening.jon.id, "name": "Jon"}
    assert (shown["system"], sheet["system"], sheet["role"]) == (
        *["dungeonteller"] * 2,
        f"dungeonteller:role/{role}",
    )
    assert (sheet["name"], sheet["roleName"]) == (f"First {role}", ROLES[role])
    assert len(sheet["actions"]) == 10
    for action in sheet["actions"]:
        rating = action["rating"]
        assert rating["value"] == sum(part["value"] for part in rating["parts"])
    assert sheet["luck"]["value"] > 0

    address = f"/v1/characters/{made}/sheet"
    first = evening.jon.get(address)
    assert first.status_code == 200
    data = first.json()["data"]
    assert (data["name"], data["luck"]["value"]) == (sheet["name"], sheet["luck"]["value"])
    ratings = {action["id"]: action["rating"]["value"] for action in data["actions"]}
    assert ratings == {action["key"]: action["rating"]["value"] for action in sheet["actions"]}
    same = evening.jon.get(address, if_none_match=first.headers["etag"])
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", first.headers["etag"])


def test_edited_hero_has_another_etag(evening: Evening) -> None:
    made = create_hero(evening.jon, name="Before")
    address = f"/v1/characters/{made}/sheet"
    before = evening.jon.get(address).headers["etag"]
    edit = {"id": made, "version": 1, "build": hero(name="After")}
    assert evening.jon.do(MUTATIONS["updateCharacter"], input=edit)["character"]["version"] == 2
    after = evening.jon.get(address, if_none_match=before)
    assert (after.status_code, after.json()["data"]["name"]) == (200, "After")
    assert after.headers["etag"] != before
    late = {"id": made, "version": 1, "build": hero(name="Meanwhile")}
    stale = evening.jon.ask(MUTATIONS["updateCharacter"], input=late)["updateCharacter"]
    assert stale["code"] == "VERSION_CONFLICT"


# The table


def test_log_tells_the_evening_without_gaps(evening: Evening) -> None:
    campaign = found_campaign(evening.mara, "Chronicle")
    join(evening.jon, evening.mara, campaign)
    wanderer = create_hero(evening.jon, name="Wanderer")
    seat(evening.jon, campaign, wanderer)
    made = roll(evening.jon, "2d6", characterId=wanderer)
    note(evening.mara, campaign, "We crossed the river at dusk.")
    job = make_map(evening.mara, campaign)
    expected = {"campaign.created", "member.joined", "character.seated", "roll.recorded", "note", "map.made"}
    until(lambda: {entry["kind"] for entry in log(evening.mara, campaign)} >= expected, "every kind of entry")
    entries = log(evening.mara, campaign)
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    assert Counter(entry["kind"] for entry in entries) == dict.fromkeys(expected, 1)
    subjects = {entry["kind"]: entry["subject"] for entry in entries}
    assert subjects["roll.recorded"] == made["id"]
    assert subjects["character.seated"] == wanderer
    assert subjects["map.made"] == job["map"]["id"]
    texts = {entry["kind"]: entry["text"] for entry in entries}
    assert texts["note"] == "We crossed the river at dusk."
    rest = evening.mara.get(f"/v1/campaigns/{campaign}/log?first=2").json()
    assert [item["seq"] for item in rest["items"]] == [1, 2]
    assert (
        next(
            item["seq"]
            for item in evening.mara.get(f"/v1/campaigns/{campaign}/log?after={rest['next']}").json()["items"]
        )
        == 3
    )


def test_spectator_watches_and_may_not_roll_note_map_or_seat(evening: Evening) -> None:
    sela, campaign = evening.sela, evening.campaign
    assert sela.ask(QUERIES["campaign"], id=campaign)["campaign"]["myRole"] == "SPECTATOR"
    before = (log(evening.mara, campaign), evening.mara.ask(QUERIES["rolls"], campaignId=campaign))
    own = create_hero(sela, name="Would play")
    wish = {"map": {"forgebornRealm": {"seed": "1"}}, "campaignId": campaign}
    outcomes = [
        sela.ask(MUTATIONS["roll"], input={"expression": "1d6", "campaignId": campaign}),
        sela.ask(MUTATIONS["writeNote"], input={"campaignId": campaign, "text": "I was here"}),
        sela.ask(MUTATIONS["generateMap"], input=wish),
        sela.ask(MUTATIONS["seatCharacter"], input={"campaignId": campaign, "characterId": own}),
        sela.ask(MUTATIONS["createInvitation"], input={"campaignId": campaign}),
    ]
    assert [next(iter(one.values()))["code"] for one in outcomes] == ["FORBIDDEN"] * 5
    refused = sela.post("/v1/rolls", {"expression": "1d6", "campaignId": campaign})
    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
    assert (log(evening.mara, campaign), evening.mara.ask(QUERIES["rolls"], campaignId=campaign)) == before


def test_outsider_finds_nothing(evening: Evening) -> None:
    stranger = evening.product.sign_up("Otto")
    assert stranger.ask(QUERIES["campaign"], id=evening.campaign) == {"campaign": None}
    assert stranger.ask(QUERIES["character"], id=evening.hero) == {"character": None}
    for path in (
        f"campaigns/{evening.campaign}",
        f"characters/{evening.hero}",
        f"characters/{evening.hero}/sheet",
    ):
        missing = stranger.get(f"/v1/{path}")
        assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")


# Maps


def test_map_of_a_realm_is_made_watched_and_read(evening: Evening) -> None:
    job = queue_map(evening.mara, evening.campaign, seed=20, title="Emberfall")
    with listening(evening.jon, "websocket", SUBSCRIPTIONS["jobProgress"], id=job) as listener:
        told = listener.rest()
    assert told[-1]["state"] == "SUCCEEDED"
    assert [one["version"] for one in told] == list(range(told[0]["version"], told[-1]["version"] + 1))
    steps = [one["progress"] for one in told]
    assert steps == sorted(steps)
    assert steps[-1] == 1

    found = evening.jon.ask(QUERIES["map"], id=told[-1]["map"]["id"])["map"]
    assert (found["kind"], found["name"], found["seed"]) == ("FORGEBORN_REALM", "Emberfall", "20")
    assert found["campaign"] == {"id": evening.campaign}
    assert all(gate["passed"] for gate in found["gates"])
    assert len(found["gates"]) >= 3
    kinds = Counter(place["kind"] for place in found["realm"]["places"])
    assert (kinds["CITADEL"], kinds["CITY"], kinds["LAIR"], kinds["VILLAGE"]) == (1, 1, 1, 4)
    places = {place["key"] for place in found["realm"]["places"]}
    assert all({link["start"], link["end"]} <= places for link in found["realm"]["links"])

    files = {file["name"]: file for file in found["files"]}
    picture = files["map.svg"]
    assert picture["url"] == f"{evening.product.url}/v1/maps/{found['id']}/map.svg"
    svg = evening.jon.get(picture["url"])
    assert (svg.status_code, svg.headers["content-type"]) == (200, "image/svg+xml")
    assert (len(svg.content), hashlib.sha256(svg.content).hexdigest()) == (
        picture["bytes"],
        picture["sha256"],
    )
    root = ElementTree.fromstring(svg.content)
    assert root.tag == f"{SVG}svg"
    words = " ".join(" ".join(text.itertext()) for text in root.iter(f"{SVG}text"))
    assert "Emberfall" in words
    assert not list(root.iter(f"{SVG}script"))
    same = evening.jon.get(picture["url"], if_none_match=svg.headers["etag"])
    assert (same.status_code, same.content) == (304, b"")
    model = evening.jon.get(files["map.json"]["url"])
    assert hashlib.sha256(model.content).hexdigest() == files["map.json"]["sha256"]


def test_same_seed_gives_the_same_picture(evening: Evening) -> None:
    first, second = (make_map(evening.mara, seed=7)["map"]["id"] for _ in range(2))
    assert first != second
    pictures = {evening.mara.get(f"/v1/maps/{one}/map.svg").content for one in (first, second)}
    assert len(pictures) == 1
    other = make_map(evening.mara, seed=8)["map"]["id"]
    assert evening.mara.get(f"/v1/maps/{other}/map.svg").content not in pictures


def test_cancelled_job_makes_no_map_and_the_others_go_on(evening: Evening) -> None:
    owner = evening.product.sign_up("Cartographer")
    jobs = [queue_map(owner, seed=seed) for seed in range(1, 6)]
    cancelled = owner.do(MUTATIONS["cancelJob"], input={"id": jobs[-1]})["job"]  # four others stand before it
    assert (cancelled["state"], cancelled["map"]) == ("CANCELLED", None)
    states = [ended(owner, job)["state"] for job in jobs]
    assert states == ["SUCCEEDED"] * 4 + ["CANCELLED"]
    later = make_map(owner, seed=9)  # by now a worker would have come to the cancelled one
    found = owner.ask(QUERIES["maps"], first=20)["maps"]["nodes"]
    assert {one["seed"] for one in found} == {"1", "2", "3", "4", "9"}
    too_late = owner.do(MUTATIONS["cancelJob"], input={"id": later["id"]})["job"]
    assert too_late["state"] == "SUCCEEDED"


# One graph


def test_one_query_walks_the_whole_house(evening: Evening) -> None:
    made = roll(evening.jon, "3d6+1", characterId=evening.hero, label="Attack")
    job = make_map(evening.mara, evening.campaign, seed=20, title="Whole house")
    answer = evening.sela.answer(WHOLE_TABLE, id=evening.campaign)
    assert "errors" not in answer
    campaign = answer["data"]["campaign"]
    assert (campaign["name"], campaign["myRole"]) == ("The Ember Road", "SPECTATOR")
    members = {one["account"]["name"]: one for one in campaign["members"]}
    assert {name: one["role"] for name, one in members.items()} == {
        "Mara": "GM",
        "Jon": "PLAYER",
        "Sela": "SPECTATOR",
    }
    (asha,) = members["Jon"]["characters"]
    assert (asha["name"], asha["owner"], asha["sheet"]["roleName"]) == ("Asha", {"name": "Jon"}, "Warrior")
    assert asha["rolls"]["nodes"][0] == {
        "total": made["total"],
        "text": made["text"],
        "by": {"name": "Jon"},
        "campaign": {"name": "The Ember Road"},
    }
    assert campaign["rolls"]["nodes"][0] == {"id": made["id"], "character": {"name": "Asha"}}
    newest = campaign["maps"]["nodes"][0]
    assert (newest["name"], newest["owner"], newest["campaign"]) == (
        "Whole house",
        {"name": "Mara"},
        {"name": "The Ember Road"},
    )
    assert [file["url"].rpartition("/v1/maps/")[2] for file in newest["files"]] == [
        f"{job['map']['id']}/map.json",
        f"{job['map']['id']}/map.svg",
    ]
    assert len(newest["realm"]["places"]) >= 8
    assert campaign["log"]["nodes"][0] == {"seq": 1, "account": {"name": "Mara"}}
    cost = answer["extensions"]["cost"]
    assert 10 < cost["requested"] <= 1000
    assert cost["capacity"] == 2000


# Subscriptions


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_log_is_followed_across_a_reconnect_without_gap_or_double(
    evening: Evening, transport: Transport
) -> None:
    mara, document = evening.mara, SUBSCRIPTIONS["campaignLog"]
    campaign = found_campaign(mara)
    note(mara, campaign, "before")
    told = []
    with listening(mara, transport, document, campaignId=campaign) as listener:
        told += listener.take(2)
        for text in ("one", "two", "three"):
            note(mara, campaign, text)
        told += listener.take(2)  # the third stays behind: the connection breaks before it is read
    for text in ("away", "far away"):
        note(mara, campaign, text)
    with listening(mara, transport, document, campaignId=campaign, after=told[-1]["cursor"]) as listener:
        note(mara, campaign, "back")
        told += listener.take(4)
        note(mara, campaign, "last")
        told += listener.take(1)
    assert [entry["seq"] for entry in told] == list(range(1, 10))
    assert [entry["text"] for entry in told][1:] == [
        "before",
        "one",
        "two",
        "three",
        "away",
        "far away",
        "back",
        "last",
    ]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_rolls_are_followed_across_a_reconnect_without_gap_or_double(
    evening: Evening, transport: Transport
) -> None:
    mara, document = evening.mara, SUBSCRIPTIONS["rollRecorded"]
    campaign = found_campaign(mara)
    made = [roll(mara, "1d20", campaignId=campaign)["id"]]
    told = []
    with listening(mara, transport, document, campaignId=campaign) as listener:
        told += listener.take(1)
        made += [roll(mara, "1d20", campaignId=campaign)["id"] for _ in range(3)]
        told += listener.take(2)
    made += [roll(mara, "1d20", campaignId=campaign)["id"] for _ in range(2)]
    with listening(mara, transport, document, campaignId=campaign, after=told[-1]["cursor"]) as listener:
        made.append(roll(mara, "1d20", campaignId=campaign)["id"])
        told += listener.take(4)
    assert [one["id"] for one in told] == made
    assert [one["seq"] for one in told] == list(range(1, 8))
    assert told[0]["by"] == {"id": mara.id, "name": "Mara"}  # an event is a federated answer too


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_job_is_followed_to_its_end_and_resumed(evening: Evening, transport: Transport) -> None:
    job = queue_map(evening.mara, seed=3)
    with listening(evening.mara, transport, SUBSCRIPTIONS["jobProgress"], id=job) as listener:
        first = listener.next()
    resumed = listening(evening.mara, transport, SUBSCRIPTIONS["jobProgress"], id=job, after=first["cursor"])
    with resumed as listener:
        told = [first, *listener.rest()]
    assert [one["version"] for one in told] == list(range(told[0]["version"], told[-1]["version"] + 1))
    assert told[-1]["state"] == "SUCCEEDED"
    again = listening(evening.mara, transport, SUBSCRIPTIONS["jobProgress"], id=job, after=told[-1]["cursor"])
    with again as listener:
        assert listener.rest() == []


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_event_reaches_another_player_soon(evening: Evening, transport: Transport) -> None:
    last = log(evening.mara, evening.campaign)[-1]["cursor"]
    document = SUBSCRIPTIONS["campaignLog"]
    with listening(evening.jon, transport, document, campaignId=evening.campaign, after=last) as listener:
        note(evening.mara, evening.campaign, "first")  # when this has come, the stream is known to be open
        assert listener.next()["text"] == "first"
        began = time.monotonic()
        note(evening.mara, evening.campaign, "Do you hear me?")
        assert listener.next()["text"] == "Do you hear me?"
        assert time.monotonic() - began < 3  # well below the 5 s after which a listener looks by itself
        rolled = roll(evening.jon, "1d6", campaignId=evening.campaign)
        entry = listener.next()
        assert (entry["kind"], entry["subject"]) == ("roll.recorded", rolled["id"])


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_who_is_sent_away_hears_no_more(evening: Evening, transport: Transport) -> None:
    campaign = found_campaign(evening.mara)
    guest = join(evening.product.sign_up("Guest"), evening.mara, campaign, "SPECTATOR")
    with listening(
        guest, transport, SUBSCRIPTIONS["campaignLog"], campaignId=campaign, after=cursor_of_number(2)
    ) as listener:
        note(evening.mara, campaign, "still here")
        assert listener.next()["text"] == "still here"
        evening.mara.do(MUTATIONS["removeMember"], input={"campaignId": campaign, "accountId": guest.id})
        note(evening.mara, campaign, "behind closed doors")
        last = listener.answer()
        assert last is not None
        assert [error["extensions"]["code"] for error in last["errors"]] == ["NOT_FOUND"]
        assert not (last.get("data") or {}).get("campaignLog")
        assert listener.answer() is None


def test_socket_is_closed_when_the_key_is_unknown(evening: Evening) -> None:
    key = evening.mara.key or ""
    forged = key[:-1] + ("1" if key.endswith("0") else "0")
    assert refused_socket(Person(evening.product, "", forged, "Thief")) == 4403


def test_timestamps_are_in_utc_and_in_order(evening: Evening) -> None:
    first, second = (roll(evening.mara, "1d4") for _ in range(2))
    moments = [datetime.fromisoformat(one["rolledAt"]) for one in (first, second)]
    assert all(moment.utcoffset() is not None and not moment.utcoffset() for moment in moments)
    assert moments[0] <= moments[1]
