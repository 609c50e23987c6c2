"""An evening with verifiable dice, through the public port: what a suspicious player can do, and a busy GM.

The player reads the commitment before play, sends entropy along with each roll, takes the export home and checks
it with ``infra/verify``, which knows nothing of the server.
"""

import json
import secrets
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.documents import MUTATIONS, QUERIES
from tests.e2e.product import ROOT, Person, Product
from tests.e2e.table import (
    create_hero,
    define_die,
    epoch_of,
    found_campaign,
    join,
    roll,
    save_macro,
    seat,
    secret_roll,
)

pytestmark = pytest.mark.backends("postgres")

VOID = "1 / (d1000000 // 1000000)"
"""Divides by zero unless the die shows a million."""


@dataclass(frozen=True)
class Evening:
    """What the tests here share.

    Attributes:
        gm, player: at the table.
        campaign: id.
        hero: the player's, at the table.
        seen: the epoch as the player saw it before the first roll.
        rolls: those made in the open, in order, void ones left out.
        voids: how many came to nothing.
        sent: the entropy that the player sent along, by id of the roll.
        unseen: the roll that the GM made in secret.
    """

    gm: Person
    player: Person
    campaign: str
    hero: str
    seen: dict[str, Any]
    rolls: list[dict[str, Any]]
    voids: int
    sent: dict[str, str]
    unseen: dict[str, Any]


@pytest.fixture(scope="module")
def evening(product: Product) -> Evening:
    """Play: single rolls, a batch, dice that come to nothing, a die of the table's own, a new epoch between."""
    gm, player = product.sign_up("Gemma"), product.sign_up("Sceptic")
    campaign = found_campaign(gm, "The Honest Table")
    join(player, gm, campaign)
    hero = create_hero(player)
    seat(player, campaign, hero)
    define_die(gm, "omen", "Sun", "Moon", "Star", campaign=campaign)
    seen = epoch_of(player, campaign)
    sent: dict[str, str] = {}
    rolls = []
    for expression in ("10d10", "4d6kh3 + 2", "6d6! - 1", "3domen", "10d6r1 >=5"):
        entropy = secrets.token_hex(32)
        given = {"campaignId": campaign, "entropy": entropy, "epoch": seen["id"]}
        rolls.append(roll(player, expression, **given))
        sent[rolls[-1]["id"]] = entropy
    many = [{"expression": text, "campaignId": campaign} for text in ("d20 + 5", VOID, "2d6", "d%")]
    batch = player.do(MUTATIONS["rollMany"], input={"rolls": many})
    rolls += batch["rolls"]
    gm.do(MUTATIONS["rotateRollEpoch"], input={"campaignId": campaign})
    secret_roll(gm, campaign, "d20", label="Does the bridge hold?")
    unseen = secret_roll(gm, campaign, "2d20kh1", label="Do they hear it?", entropy=secrets.token_hex(16))
    secret_roll(gm, campaign, "d20", label="Does anybody come?")
    rolls.append(roll(player, "5d6 net 3d6", campaignId=campaign))
    return Evening(gm, player, campaign, hero, seen, rolls, len(batch["voids"]), sent, unseen)


def export(person: Person, campaign: str, *, secret: bool = False) -> list[str]:
    """Take home all that proves the rolls at a table."""
    answer = person.get(f"/v1/campaigns/{campaign}/receipts?secret={str(secret).lower()}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.text
    return answer.text.splitlines()


def verify(folder: Path, lines: list[str], *more: str) -> tuple[int, list[str]]:
    """Check an export with the program for strangers; give its exit code and what it says."""
    file = folder / "export.ndjson"
    file.write_text("".join(f"{line}\n" for line in lines))
    command = [sys.executable, "-I", str(ROOT / "infra" / "verify"), str(file), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, (done.stdout or done.stderr).splitlines()


def known_key(person: Person) -> str:
    """Read the key that the table's statements are signed with."""
    (key,) = person.get("/v1/dice/keys").json()["items"]
    return str(key["public"])


def bodies(lines: list[str]) -> list[dict[str, Any]]:
    """Read the statements of an export."""
    return [json.loads(line["body"]) for line in map(json.loads, lines) if "body" in line]


def receipts(lines: list[str]) -> dict[str, dict[str, Any]]:
    """Read the receipts of an export, by id of the roll."""
    return {body["roll"]: body for body in bodies(lines) if body["kind"] == "receipt"}


# What a player can prove


def test_export_of_the_evening_holds(evening: Evening, product: Product, tmp_path: Path) -> None:
    lines = export(evening.player, evening.campaign)
    code, said = verify(tmp_path, lines, "--key", known_key(product.anonymous()))
    assert code == 0, said
    count = len(evening.rolls)
    assert said[0] == f"{count} rolls verified, {evening.voids} void, 0 hidden, 2 epochs"
    assert count + evening.voids == 10


def test_export_is_of_the_commitment_that_was_read_before_and_of_the_entropy_sent(evening: Evening) -> None:
    lines = export(evening.player, evening.campaign)
    statement = evening.seen["statement"]
    assert evening.seen["used"] == 0
    assert statement["hash"] in {json.loads(line).get("hash") for line in lines}
    first = next(body for body in bodies(lines) if body["kind"] == "commitment")
    assert (first["anchor"], first["epoch"]) == (evening.seen["anchor"], evening.seen["id"])
    found = receipts(lines)
    assert list(found) == [one["id"] for one in evening.rolls]
    assert {one: found[one]["client"] for one in evening.sent} == evening.sent
    assert {found[one]["entropy"] for one in evening.sent} == {"client"}
    assert {body["entropy"] for one, body in found.items() if one not in evening.sent} == {"server"}


def test_receipts_tell_of_the_rolls_as_the_table_saw_them(evening: Evening) -> None:
    found = receipts(export(evening.player, evening.campaign))
    for one in evening.rolls:
        receipt = found[one["id"]]
        shown = evening.player.ask(QUERIES["roll"], id=one["id"])["roll"]
        dice = [die for node in shown["nodes"] for die in node["dice"]]
        assert sorted(die["face"] for die in dice) == sorted(receipt["faces"])
        assert (receipt["expression"], receipt["epoch"]) == (shown["expression"], shown["epochId"])
        assert (receipt["number"], receipt["total"]) == (shown["epochNumber"], shown["total"])
        assert {**one, "odds": shown["odds"], "verification": shown["verification"]} == shown


@pytest.mark.parametrize(
    "found_by", ["a face", "a total", "a roll left out", "a tail cut off", "another's key"]
)
def test_tampered_export_is_caught(evening: Evening, tmp_path: Path, found_by: str) -> None:
    lines = export(evening.player, evening.campaign)
    assert verify(tmp_path, lines)[0] == 0
    place = next(place for place, line in enumerate(lines) if evening.rolls[0]["id"] in line)
    more: list[str] = []
    match found_by:
        case "a face":
            lines[place] = lines[place].replace('\\"faces\\":[', '\\"faces\\":[1', 1)
        case "a total":
            lines[place] = lines[place].replace('\\"total\\":', '\\"total\\":1', 1)
        case "a roll left out":
            del lines[place]
        case "a tail cut off":
            del lines[-2]
        case "another's key":
            more = ["--key", "ab" * 32]
    code, said = verify(tmp_path, lines, *more)
    assert code == 1, said
    assert said[0].startswith("line ")


def test_service_agrees_with_the_stranger(evening: Evening) -> None:
    for one in evening.rolls:
        found = evening.gm.ask(QUERIES["verifyRoll"], id=one["id"])["verifyRoll"]
        assert found["ok"], [step for step in found["steps"] if not step["ok"]]
        assert (found["epochId"], found["number"]) == (one["epochId"], one["epochNumber"])
        assert evening.gm.ask(QUERIES["roll"], id=one["id"])["roll"]["verification"] == found


def test_new_epoch_follows_from_the_one_before(evening: Evening) -> None:
    epochs = evening.player.ask(QUERIES["rollEpochs"], campaignId=evening.campaign)["rollEpochs"]["nodes"]
    assert [(one["ordinal"], one["used"]) for one in epochs] == [(1, 9), (2, 1)]
    assert epochs[0]["closing"]["hash"] == json.loads(epochs[1]["statement"]["body"])["previous"]
    assert epochs[1]["closing"] is None
    assert evening.rolls[-1]["epochId"] == epochs[1]["id"]
    old = {"expression": "1d6", "campaignId": evening.campaign, "epoch": epochs[0]["id"]}
    (issue,) = evening.player.ask(MUTATIONS["roll"], input=old)["roll"]["issues"]
    assert (issue["code"], issue["allowed"]) == ("EPOCH_MOVED", epochs[1]["id"])


def test_dice_that_come_to_nothing_use_up_a_number(evening: Evening) -> None:
    voids = [body for body in bodies(export(evening.gm, evening.campaign)) if body["kind"] == "void"]
    assert len(voids) == evening.voids
    assert {body["reason"] for body in voids} <= {"DIVISION_BY_ZERO"}
    numbers = [one["epochNumber"] for one in evening.rolls[:-1]] + [body["number"] for body in voids]
    assert sorted(numbers) == list(range(1, 10))


def test_secret_roll_can_be_checked_once_it_is_revealed(evening: Evening, tmp_path: Path) -> None:
    """Before, its GM alone can; after, the rolls around it stay hidden."""
    gm, player, unseen = evening.gm, evening.player, evening.unseen["id"]
    before = export(player, evening.campaign, secret=True)
    assert (receipts(before), unseen in "".join(before)) == ({}, False)
    assert verify(tmp_path, before)[1][0] == "0 rolls verified, 0 void, 0 hidden, 1 epochs"
    code, said = verify(tmp_path, export(gm, evening.campaign, secret=True))
    assert (code, said[0]) == (0, "3 rolls verified, 0 void, 0 hidden, 1 epochs")
    assert player.ask(QUERIES["verifyRoll"], id=unseen) == {"verifyRoll": None}
    revealed = gm.post(f"/v1/rolls/{unseen}/reveal", None).json()
    assert (revealed["id"], revealed["secret"]) == (unseen, False)
    after = export(player, evening.campaign, secret=True)
    code, said = verify(tmp_path, after)
    assert (code, said[0]) == (0, "1 rolls verified, 0 void, 1 hidden, 1 epochs")
    assert list(receipts(after)) == [unseen]
    assert player.ask(QUERIES["verifyRoll"], id=unseen)["verifyRoll"]["ok"]


def test_rolls_outside_of_any_campaign_are_proven_alike(product: Product, tmp_path: Path) -> None:
    somebody = product.sign_up("Solo")
    seen = epoch_of(somebody)
    made = roll(somebody, "3d6", entropy=secrets.token_urlsafe(24), epoch=seen["id"])
    answer = somebody.get("/v1/rolls/receipts")
    code, said = verify(tmp_path, answer.text.splitlines())
    assert (code, said[0]) == (0, "1 rolls verified, 0 void, 0 hidden, 1 epochs")
    assert list(receipts(answer.text.splitlines())) == [made["id"]]


# What a GM and a player use all evening


def test_saved_roll_reads_the_heros_sheet(evening: Evening) -> None:
    saved = save_macro(evening.player, "Fight", "@battle d6 >=5", campaignId=evening.campaign)
    assert saved["variables"] == [{"name": "battle", "value": None}]
    rating = battle(evening)
    made = evening.player.do(MUTATIONS["roll"], input={"macroId": saved["id"], "characterId": evening.hero})[
        "roll"
    ]
    (term,) = made["terms"]
    assert (made["expression"], made["label"]) == (f"{rating}d6>=5", "Fight")
    assert len(term["dice"]) == rating
    assert made["total"] == sum(die["face"] >= 5 for die in term["dice"])
    given = {"macroId": saved["id"], "characterId": evening.hero, "variables": {"battle": 9}}
    assert evening.player.post("/v1/rolls", given).json()["expression"] == "9d6>=5"
    bare = evening.player.ask(MUTATIONS["roll"], input={"macroId": saved["id"]})["roll"]
    assert [issue["code"] for issue in bare["issues"]] == ["UNKNOWN_VARIABLE"]


def battle(evening: Evening) -> int:
    """Read off the sheet how many dice the hero fights with."""
    sheet = evening.player.get(f"/v1/characters/{evening.hero}/sheet").json()
    return int(next(one["dice"]["value"] for one in sheet["data"]["checks"] if one["id"] == "action-battle"))


def test_roll_keeps_the_faces_of_a_die_that_was_changed_since(evening: Evening) -> None:
    made = next(one for one in evening.rolls if one["expression"] == "3domen")
    (die,) = evening.gm.get(f"/v1/dice?campaign={evening.campaign}").json()["items"]
    faces = [{"label": "Void", "value": 0}]
    changed = evening.gm.send("PUT", f"/v1/dice/{die['id']}", json={"version": 1, "faces": faces})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    kept = evening.player.ask(QUERIES["roll"], id=made["id"])["roll"]
    assert kept["terms"] == made["terms"]
    assert kept["verification"]["ok"]
    assert roll(evening.player, "2domen", campaignId=evening.campaign)["text"].count("Void") == 2


def test_statistics_count_every_die_of_sixty_rolls(product: Product) -> None:
    somebody = product.sign_up("Statistician")
    many = {"rolls": [{"expression": "2d6"}] * 60}
    made = somebody.do(MUTATIONS["rollMany"], input=many)["rolls"]
    faces = Counter(die["face"] for one in made for die in one["terms"][0]["dice"])
    found = somebody.ask(QUERIES["rollStatistics"])["rollStatistics"]
    (kind,) = found["dice"]["kinds"]
    assert [(one["face"], one["count"]) for one in kind["faces"]] == [(n, faces[n]) for n in range(1, 7)]
    assert (kind["die"], kind["fairness"]["dice"], kind["fairness"]["expected"]) == ("d6", 120, 20)
    statistic = sum((faces[n] - 20) ** 2 / 20 for n in range(1, 7))
    assert kind["fairness"]["statistic"] == pytest.approx(statistic)
    assert kind["fairness"]["verdict"] in ("ORDINARY", "UNUSUAL")
    luck = found["luck"]
    assert (luck["rolls"], luck["notReckoned"]) == (60, 0)
    assert sum(luck["percentiles"]) == pytest.approx(60)
    # The mean of 2d6 is 7, its variance 35/6.
    score = sum(one["total"] - 7 for one in made) / (60 * 35 / 6) ** 0.5
    assert luck["zScore"] == pytest.approx(score)
    rest = somebody.get("/v1/rolls/statistics").json()
    assert rest["luck"]["zScore"] == luck["zScore"]
    for path in ("/v1/rolls/statistics.svg", "/v1/rolls/statistics.svg?die=d6"):
        picture = somebody.get(path)
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text.startswith("<svg")


def test_odds_are_told_and_drawn(product: Product) -> None:
    somebody = product.sign_up("Gambler")
    found = somebody.get("/v1/odds?expression=2d6&quantile=0.5&quantile=0.99").json()
    assert [(one["text"], one["probability"]["exact"]) for one in found["outcomes"][:3]] == [
        ("2", "1/36"),
        ("3", "1/18"),
        ("4", "1/12"),
    ]
    assert (found["kind"], found["mean"], found["meanExact"], found["error"]) == ("EXACT", 7, "7/1", 0)
    assert found["quantiles"] == [{"p": 0.5, "value": 7}, {"p": 0.99, "value": 12}]
    assert somebody.ask(QUERIES["odds"], expression="2d6")["odds"]["outcomes"] == found["outcomes"]
    variable = somebody.get("/v1/odds?expression=@battle%20d6%20%3E%3D5&variable=battle:4").json()
    assert (variable["expression"], variable["outcomes"][0]["probability"]["exact"]) == ("4d6>=5", "16/81")
    for path in ("/v1/odds.svg?expression=2d6", "/v1/odds.svg?expression=2d6&expression=1d12"):
        picture = somebody.get(path)
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/svg+xml")
        assert picture.text.startswith("<svg")
    compared = somebody.ask(QUERIES["compareOdds"], expressions=["1d8", "1d6"])["compareOdds"]
    assert (compared["higher"][0][1]["exact"], compared["equal"][0][1]["exact"]) == ("9/16", "1/8")


def test_games_own_roll_has_the_odds_of_its_book(product: Product) -> None:
    somebody = product.sign_up("Smith")
    known = {one["name"] for one in somebody.get("/v1/mechanics?system=forge_engine").json()["items"]}
    assert "forge_engine:opposed" in known
    found = somebody.ask(QUERIES["odds"], expression="forge_engine:opposed(3, 1)")["odds"]
    assert {one["word"]: one["probability"]["value"] for one in found["words"]}["critical_failure"] == 0.0117


def test_roll_tells_how_likely_it_was(product: Product) -> None:
    somebody = product.sign_up("Lucky")
    made = roll(somebody, "2d6")
    ways = {total: 6 - abs(total - 7) for total in range(2, 13)}
    below, exactly = (
        sum(count for total, count in ways.items() if total < made["total"]),
        ways[made["total"]],
    )
    found = somebody.ask(QUERIES["roll"], id=made["id"])["roll"]["odds"]
    assert found["percentile"] == pytest.approx((below + exactly / 2) / 36)
    assert found["atMost"]["value"] == pytest.approx((below + exactly) / 36)
    assert found["atLeast"]["value"] == pytest.approx(1 - below / 36)
    assert (found["mean"], found["kind"], found["error"]) == (7, "EXACT", 0)
