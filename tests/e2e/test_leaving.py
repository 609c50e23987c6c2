"""Taking one's data along, and leaving: the export of an account, and its deletion."""

import contextlib
import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image
from websockets.exceptions import ConnectionClosed

from services.gateway.export.contents import CONTENTS, MANIFEST
from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import Person, Product, listening, socket, until
from tests.e2e.table import (
    OFFERED,
    World,
    build_smith,
    build_world,
    create_hero,
    define_die,
    edit,
    ended,
    found_campaign,
    join,
    keep_pack,
    make_map,
    note,
    queue_batch,
    roll,
    save_macro,
    seat,
    secret_roll,
    smith,
    start_simulation,
)

LOG = "subscription ($id: ID!) { campaignLog(campaignId: $id) { seq } }"
CANARY = "seven lanterns"


@dataclass(frozen=True)
class Taken:
    """An export that was fetched.

    Attributes:
        files: content, by name.
    """

    files: dict[str, bytes]

    def lines(self, name: str) -> list[dict[str, Any]]:
        """Read the things of a file."""
        return [json.loads(line) for line in self.files[name].splitlines()]

    def ids(self, name: str) -> set[str]:
        """Read the ids of the things of a file."""
        return {line["id"] for line in self.lines(name)}

    @property
    def counts(self) -> dict[str, int]:
        """Read how many things each file is said to hold."""
        found: dict[str, int] = json.loads(self.files[MANIFEST])["files"]
        return found

    @property
    def text(self) -> str:
        """Give everything that stands in it."""
        return "\n".join(content.decode(errors="replace") for content in self.files.values())


def take(person: Person) -> Taken:
    """Fetch everything that is somebody's."""
    answer = person.get("/v1/account/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "README.txt" and archive.namelist()[-1] == MANIFEST
        return Taken({name: archive.read(name) for name in archive.namelist()})


@pytest.fixture(scope="module")
def world(product: Product) -> World:
    """Set a table with things of every kind, and give the player and the GM what only others have there."""
    world = build_world(product, lambda what: f"Secret {what} of the {CANARY}")
    define_die(world.player, "own_coin", "Heads", "Tails")
    world.gm.do(MUTATIONS["setDiceDialect"], input={"dialect": "ROLL20", "version": 1})
    save_macro(world.gm, "Ambush", campaignId=world.campaign)
    own_map = make_map(world.player)["map"]["id"]
    edit(world.player, own_map, putToken={"at": {"x": 4, "y": 7}, "color": "#7a1f1f", "name": "Brunna"})
    ended(world.player, queue_batch(world.player, 2))
    portrait = io.BytesIO()
    Image.new("RGB", (90, 90), "red").save(portrait, "PNG")
    sent = world.player.send(
        "PUT",
        f"/v1/characters/{world.hero}/portrait",
        content=portrait.getvalue(),
        headers={"content-type": "image/png"},
    )
    assert sent.status_code == 200, sent.text
    return world


def test_an_export_holds_things_of_every_kind(world: World) -> None:
    start_simulation(world.player)
    player, gm = take(world.player), take(world.gm)
    for taken in (player, gm):
        # Each file is there and holds as many things as the manifest says.
        for name, count in taken.counts.items():
            kind, _, rest = name.partition("{id}")
            found = (
                [one for one in taken.files if one.startswith(kind) and one.endswith(rest)]
                if rest
                else taken.lines(name)
            )
            assert len(found) == count, name
    assert set(player.counts) == {part.file for part in CONTENTS}
    # Nothing of what can be exported was forgotten here.
    assert [name for name in player.counts if not player.counts[name] + gm.counts[name]] == []

    assert json.loads(player.files["account.json"])["id"] == world.player.id
    assert player.ids("keys.ndjson") == {world.player.key_id}
    assert player.ids("campaigns.ndjson") == {world.campaign}
    assert player.lines("campaigns.ndjson")[0]["myRole"] == "PLAYER"
    assert player.ids("characters.ndjson") >= {world.hero, world.smith}
    assert f"sheets/{world.hero}.json" in player.files
    past = [
        line for line in player.lines("character-history.ndjson") if line["character"]["id"] == world.smith
    ]
    assert [line["version"] for line in past] == [2, 1]
    assert player.ids("packs.ndjson") == {world.own_pack} and gm.ids("packs.ndjson") == {world.pack}
    assert world.words["own pack damage"] in player.files["packs.ndjson"].decode()
    assert {world.own_roll} <= player.ids("rolls.ndjson")
    for line in player.lines("rolls.ndjson"):
        assert line["by"]["id"] == world.player.id
        assert line["verification"]["ok"] and line["verification"]["receipt"]["signature"]
    assert world.secret_roll in gm.ids("rolls.ndjson")
    assert player.ids("macros.ndjson") == {world.own_macro}
    assert [die["name"] for die in player.lines("dice.ndjson")] == ["own_coin"]
    assert json.loads(gm.files["dice-settings.json"])["dialect"] == "ROLL20"
    assert player.ids("scenes.ndjson") == {world.scene}
    assert gm.ids("campaign-maps.ndjson") >= {world.map, world.dungeon, world.prepared, world.story}
    assert gm.ids("batches.ndjson") == {world.batch}
    assert world.job in gm.ids("jobs.ndjson")
    (own_map,) = player.ids("maps.ndjson")
    brought = world.player.send(
        "POST",
        "/v1/maps/import",
        content=player.files[f"maps/{own_map}.json"],
        headers={"content-type": "application/json"},
    )
    assert brought.status_code == 201, brought.text


@pytest.mark.parametrize("role", ["player", "spectator", "other_gm", "outsider"])
def test_an_export_holds_nothing_that_its_owner_may_not_know(world: World, role: str) -> None:
    person: Person = getattr(world, role)
    text = take(person).text
    strangers = role in ("other_gm", "outsider")
    hidden = world.secrets if strangers else world.hidden_from(role)
    assert [word for word in hidden if word in text] == []
    assert (CANARY in text) is not strangers
    # Neither a secret of a key nor one of somebody else's is told.
    assert "hf_live_" not in text
    assert person.key is not None and person.key.rsplit("_", 1)[1] not in text


def test_an_export_needs_the_scope_admin(world: World) -> None:
    made = world.outsider.do(MUTATIONS["createApiKey"], input={"name": "Reader", "scopes": ["READ", "WRITE"]})
    reader = Person(world.product, world.outsider.id, made["key"], "Reader")
    assert reader.get("/v1/account/export").json()["code"] == "FORBIDDEN"
    assert reader.send("DELETE", f"/v1/account?confirm={reader.id}").json()["code"] == "FORBIDDEN"


def test_who_takes_everything_along_and_leaves_is_gone_at_once(product: Product) -> None:
    mara, jon = product.sign_up("Mara of the Mill"), product.sign_up("Jon")
    campaign = found_campaign(mara)
    join(jon, mara, campaign)
    note(mara, campaign, "We crossed the river at dusk.")
    rolled = roll(mara)["id"]
    taken = take(mara)
    assert "We crossed the river" in taken.files["campaign-log.ndjson"].decode()
    assert rolled in taken.ids("rolls.ndjson")

    with socket(mara) as opened, listening(mara, "sse", LOG, id=campaign) as stream:
        slip = mara.send("DELETE", f"/v1/account?confirm={jon.id}")
        assert (slip.status_code, slip.json()["issues"][0]["code"]) == (422, "NOT_CONFIRMED")
        gone = mara.send("DELETE", f"/v1/account?confirm={mara.id}", headers={"idempotency-key": "leaving"})
        assert (gone.status_code, gone.json()) == (200, {"id": mara.id})
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4403, "KEY_REVOKED")
        last = None
        with contextlib.suppress(StopIteration):
            while (told := stream.answer()) is not None:
                last = told
        assert last is not None
        assert last["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "reason": "KEY_REVOKED"}

    for path in ("/v1/me", "/v1/account/export", "/v1/campaigns"):
        refused = mara.get(path)
        assert (refused.status_code, refused.json()["reason"]) == (401, "KEY_REVOKED"), path
    again = mara.send("DELETE", f"/v1/account?confirm={mara.id}", headers={"idempotency-key": "leaving"})
    assert (again.status_code, again.json()["reason"]) == (401, "KEY_REVOKED")
    asked = mara.graph("{ me { id } }")
    assert asked.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
    seen = until(lambda: jon.ask(QUERIES["account"], id=mara.id)["account"], "the account that is gone")
    assert seen["name"] == "Deleted account"


LED = "query ($id: ID!) { campaign(id: $id) { myRole members { account { id } characters { id } } } }"
OWNED = """
query ($map: ID!, $pack: ID!) {
  map(id: $map) { owner { id } campaign { id } }
  contentPack(id: $pack) { owner { id } campaign { id } }
}
"""


def test_what_others_rely_on_goes_on_when_a_gm_leaves(product: Product) -> None:
    """What an account leaves behind goes from service to service: each hears of it, and does its part."""
    mara, jon, ana = (product.sign_up(name) for name in ("Mara", "Jon", "Ana"))
    campaign = found_campaign(mara)
    join(ana, mara, campaign, "SPECTATOR")
    join(jon, mara, campaign)
    own, shared = make_map(mara)["map"]["id"], make_map(mara, campaign)["map"]["id"]
    pack = keep_pack(mara, campaignId=campaign)["id"]
    played = build_smith(jon, [pack], "Wayland", "Wayland the lame")
    seat(jon, campaign, played)
    left = create_hero(mara, name="Brunna")
    seat(mara, campaign, left)
    rolled, secret = roll(mara, campaignId=campaign)["id"], secret_roll(mara, campaign)["id"]
    assert mara.send("DELETE", f"/v1/account?confirm={mara.id}").status_code == 200

    # Nobody leads the table before a player says that they will; what was shared with it waits.
    asked = until(lambda: jon.ask(OFFERED, id=campaign)["campaign"]["gameMasterOffer"], "the offer")
    assert (asked["candidates"], asked["mine"]) == ([{"id": jon.id}], True)
    assert not ana.ask(OFFERED, id=campaign)["campaign"]["gameMasterOffer"]["mine"]
    kept = {"owner": {"id": mara.id}, "campaign": {"id": campaign}}
    assert jon.ask(OWNED, map=shared, pack=pack)["contentPack"] == kept
    assert jon.ask(LED, id=campaign)["campaign"]["myRole"] == "PLAYER"
    assert ana.ask(MUTATIONS["acceptGameMaster"], input={"campaignId": campaign})["acceptGameMaster"][
        "code"
    ] == ("FORBIDDEN")
    jon.do(MUTATIONS["acceptGameMaster"], input={"campaignId": campaign})

    handed = {"owner": {"id": jon.id}, "campaign": {"id": campaign}}
    until(
        lambda: jon.ask(OWNED, map=shared, pack=pack) == {"map": handed, "contentPack": handed},
        "the map and the pack to be handed over",
    )
    table = jon.ask(LED, id=campaign)["campaign"]
    assert table["myRole"] == "GM"
    assert {one["account"]["id"]: one["characters"] for one in table["members"]} == {
        ana.id: [],
        jon.id: [{"id": played}],
    }
    # They are deleted by the very events that hand on what is shared.
    assert jon.get(f"/v1/characters/{left}").status_code == jon.get(f"/v1/maps/{own}").status_code == 404
    renamed = {"id": played, "version": 2, "build": smith("Wayland the free")}
    assert jon.do(MUTATIONS["updateCharacter"], input=renamed)["character"]["version"] == 3
    # Whoever leads the table now checks all of its dice, those of who is gone too.
    assert [verified(jon, one) for one in (rolled, secret)] == [True, True]
    assert [verified(ana, one) for one in (rolled, secret)] == [True, None]


def test_dice_of_a_deleted_campaign_are_checked_by_who_was_there(product: Product) -> None:
    mara, jon, stranger = (product.sign_up(name) for name in ("Mara", "Jon", "Nobody"))
    campaign = found_campaign(mara)
    join(jon, mara, campaign)
    rolled, secret = roll(jon, campaignId=campaign)["id"], secret_roll(mara, campaign)["id"]
    drawn = make_map(mara, campaign)["map"]["id"]
    assert mara.send("DELETE", f"/v1/campaigns/{campaign}?version=1").status_code == 200
    assert jon.get(f"/v1/campaigns/{campaign}").status_code == 404

    # What a service knows of somebody's tables it knows for a second.
    wish = {"expression": "1d6", "campaignId": campaign}
    until(lambda: jon.ask(MUTATIONS["roll"], input=wish)["roll"].get("code") == "NOT_FOUND", "no more rolls")

    def receipts() -> str | None:
        shown = jon.get(f"/v1/campaigns/{campaign}/receipts")
        return shown.text if shown.status_code == 200 and "closing" in shown.text else None

    assert secret not in until(receipts, "the chain of the campaign to be closed")
    until(lambda: jon.get(f"/v1/maps/{drawn}").status_code == 404, "the map to be Mara's alone")
    assert mara.ask("query ($id: ID!) { map(id: $id) { campaign { id } } }", id=drawn)["map"] == {
        "campaign": None
    }
    assert [verified(mara, one) for one in (rolled, secret)] == [True, True]
    assert [verified(jon, one) for one in (rolled, secret)] == [True, None]
    assert [verified(stranger, one) for one in (rolled, secret)] == [None, None]


def verified(person: Person, roll_id: str) -> bool | None:
    """Return whether a roll proves honest to somebody; None where they see no such roll."""
    found = person.ask(QUERIES["verifyRoll"], id=roll_id)["verifyRoll"]
    return None if found is None else bool(found["ok"])
