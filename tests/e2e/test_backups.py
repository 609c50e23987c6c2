"""A backup taken while people play, restored beside the installation it was taken of, and played on there.

On PostgreSQL the whole product is started on what was restored: its server, and the services that read what
pg_restore wrote. On SQLite, where what is restored are the files themselves, the services are served in this
process, each by its own composition root.
"""

import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from services.shared.settings import SERVICES
from tests.databases import ON_BOTH
from tests.e2e.documents import SUBSCRIPTIONS
from tests.e2e.product import ROOT, House, Person, Product, listening, new_product, until
from tests.e2e.table import (
    create_hero,
    found_campaign,
    join,
    log,
    make_map,
    move,
    note,
    roll,
    seat,
    secret_roll,
    seq_of,
    start_scene,
)
from tests.matrix.in_process import in_process

pytestmark = ON_BOTH

BETWEEN_ROLLS = 0.1
AT = "query ($id: ID!, $seq: Int!) { scene(id: $id) { at(seq: $seq) { faithful stateHash } } }"
ROLLS = """
query ($id: ID!, $after: String) {
  rolls(campaignId: $id, first: 100, after: $after) {
    nodes { id total text } pageInfo { hasNextPage endCursor }
  }
}
"""


@dataclass(frozen=True)
class Evening:
    """A table that has played, before anything is backed up."""

    gm: Person
    player: Person
    campaign: str
    hero: str
    scene: str
    map: str

    def elsewhere(self, product: House) -> "Evening":
        """Give the same people, with the same keys, in another installation."""
        gm, player = (dataclasses.replace(person, product=product) for person in (self.gm, self.player))
        return dataclasses.replace(self, gm=gm, player=player)

    def hashes(self) -> list[dict[str, Any]]:
        """Replay the scene to each of its moments."""
        last = seq_of(self.gm, self.scene)
        moments = (self.gm.ask(AT, id=self.scene, seq=seq)["scene"]["at"] for seq in range(last + 1))
        return [dict(moment) for moment in moments]

    def rolls(self) -> list[dict[str, Any]]:
        """Read the rolls of the table, the oldest first."""
        found: list[dict[str, Any]] = []
        page = {"endCursor": None, "hasNextPage": True}
        while page["hasNextPage"]:
            rolls = self.gm.ask(ROLLS, id=self.campaign, after=page["endCursor"])["rolls"]
            found, page = found + rolls["nodes"], rolls["pageInfo"]
        return found[::-1]

    def files(self) -> list[bytes]:
        """Read the files of the map."""
        answers = [self.gm.get(f"/v1/maps/{self.map}/{name}") for name in ("map.json", "map.svg")]
        assert [answer.status_code for answer in answers] == [200, 200]
        return [answer.content for answer in answers]

    def verified(self, folder: Path) -> str:
        """Check the table's rolls, secret ones too, as a stranger does; give what is said of the open ones."""
        said = []
        for secret in ("false", "true"):
            export = folder / "rolls.ndjson"
            answer = self.gm.get(f"/v1/campaigns/{self.campaign}/receipts?secret={secret}")
            assert answer.status_code == 200, answer.text
            export.write_bytes(answer.content)
            done = subprocess.run(
                [sys.executable, "-I", str(ROOT / "infra" / "verify"), str(export)],
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            said.append(done.stdout.splitlines()[0])
        return said[0]


@pytest.fixture(scope="module")
def evening(product: Product) -> Evening:
    """Come together, roll, have a map made, play a scene."""
    gm, player = product.sign_up("Mara"), product.sign_up("Finn")
    campaign = found_campaign(gm)
    join(player, gm, campaign)
    hero = create_hero(player, name="Brunna")
    seat(player, campaign, hero)
    for _ in range(3):
        roll(player, "3d6", campaignId=campaign, characterId=hero)
    secret_roll(gm, campaign)
    made = make_map(gm, campaign, seed=11)["map"]["id"]
    scene = start_scene(gm, campaign, "bonfire", hero)["id"]
    move(player, scene, "Go", hero, to={"x": 4, "y": 7})
    move(player, scene, "Try", hero, action="TALK", words="Who howls there?")
    return Evening(gm, player, campaign, hero, scene, made)


@contextmanager
def going_on(evening: Evening) -> Iterator[list[str]]:
    """Roll and write at the table while the block lasts, and at least a little; yields the rolls' ids."""
    over, rolled = threading.Event(), list[str]()

    def play() -> None:
        while not over.is_set() or len(rolled) < 5:
            rolled.append(roll(evening.player, "2d10", campaignId=evening.campaign)["id"])
            note(evening.gm, evening.campaign, f"Roll {len(rolled)}")
            # Every entry is read again, here and there, until all are told.
            over.wait(BETWEEN_ROLLS)

    playing = threading.Thread(target=play)
    playing.start()
    try:
        yield rolled
    finally:
        over.set()
        playing.join()


def infra(name: str, *words: str) -> str:
    """Run an executable that must end well; give what it says."""
    done = subprocess.run(
        [str(ROOT / "infra" / name), *words], capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def twin(evening: Evening, product: Product) -> Iterator[Product]:
    """Back up while requests run, and restore beside it."""
    made = new_product(postgres=product.postgres)
    try:
        with going_on(evening) as rolled:
            until(lambda: len(rolled) > 1, "a table that plays")
            infra("backup", str(made.folder / "backup.tar.gz"), "--data", str(product.data))
        infra("restore", str(made.folder / "backup.tar.gz"), "--data", str(made.data))
        yield made
    finally:
        made.discard()


@contextmanager
def running(twin: Product, valkey_url: str) -> Iterator[House]:
    """Run what was restored while the block lasts."""
    if twin.postgres:
        twin.start()
        yield twin
        assert twin.stop() == 0
        return
    databases = {name: f"sqlite:///{twin.data}/{name}.db" for name in SERVICES}
    secrets = json.loads((twin.data / "secrets.json").read_text())
    valkey = valkey_url.replace("db=0", "db=7")
    with in_process(twin.data, valkey, databases, postgres=False, secrets=secrets) as house:
        yield house


@pytest.fixture(scope="module")
def restored(evening: Evening, twin: Product, valkey_url: str) -> Iterator[Evening]:
    """Sit down at what was restored."""
    with running(twin, valkey_url) as house:
        yield evening.elsewhere(house)


def told(entries: list[dict[str, Any]]) -> list[tuple[int, str, str, str | None]]:
    """Give a log, the oldest first, as what each entry says."""
    return sorted((one["seq"], one["kind"], one["text"], one["subject"]) for one in entries)


def rolls_told(person: Person, campaign: str) -> set[str]:
    """Give the ids of the rolls that a log tells of."""
    return {str(one["subject"]) for one in log(person, campaign) if one["kind"] == "roll.recorded"}


def test_rolls_that_fell_are_there_and_told_once(evening: Evening, restored: Evening) -> None:
    here, there = evening.rolls(), restored.rolls()
    assert len(there) >= 5
    assert there == here[: len(there)]
    newest = here[-1]["id"]
    until(lambda: newest in rolls_told(evening.gm, evening.campaign), "the log to tell of the newest roll")
    # The log's reader may have been behind the dice at that moment; it goes on where it was.
    expected = {roll["id"] for roll in there} & rolls_told(evening.gm, evening.campaign)
    assert len(expected) >= 5
    until(lambda: rolls_told(restored.gm, restored.campaign) >= expected, "the log to tell of every roll")
    entries = [
        one["subject"] for one in log(restored.gm, restored.campaign) if one["kind"] == "roll.recorded"
    ]
    assert sorted(entries) == sorted(expected)


def test_the_log_is_what_it_was(evening: Evening, restored: Evening) -> None:
    here, there = told(log(evening.gm, evening.campaign)), told(log(restored.gm, restored.campaign))
    own = [entry for entry in there if entry[1] == "note"]
    assert own and own == [entry for entry in here if entry[1] == "note"][: len(own)]
    assert [entry[0] for entry in there] == list(range(1, len(there) + 1))


def test_every_roll_can_still_be_verified(restored: Evening, tmp_path: Path) -> None:
    before = restored.verified(tmp_path)
    roll(restored.player, "1d20", campaignId=restored.campaign)
    after = restored.verified(tmp_path)
    assert int(after.split()[0]) == int(before.split()[0]) + 1


def test_scenes_replay_to_the_same_hashes_and_go_on(evening: Evening, restored: Evening) -> None:
    moments = restored.hashes()
    assert moments == evening.hashes()
    assert len(moments) == 3 and all(moment["faithful"] for moment in moments)
    move(restored.player, restored.scene, "EndTurn", restored.hero)
    assert [moment["faithful"] for moment in restored.hashes()] == [True] * 4


def test_maps_have_their_files_and_new_ones_are_made(evening: Evening, restored: Evening) -> None:
    assert restored.files() == evening.files()
    assert make_map(restored.gm, restored.campaign, seed=12)["state"] == "SUCCEEDED"


@pytest.mark.backends("postgres")  # sockets are the gateway's
def test_feeds_go_on_from_the_last_number_seen(evening: Evening, restored: Evening) -> None:
    entries = log(restored.gm, restored.campaign)
    last = len(entries)
    document = SUBSCRIPTIONS["campaignLog"]
    with listening(
        restored.player, "websocket", document, campaignId=restored.campaign, after=entries[-3]["cursor"]
    ) as listener:
        assert [entry["seq"] for entry in listener.take(2)] == [last - 1, last]
        note(restored.gm, restored.campaign, "Where were we?")
        heard = [listener.next()]
        while heard[-1]["text"] != "Where were we?":  # what else there is to tell may come first
            heard.append(listener.next())
        assert [entry["seq"] for entry in heard] == list(range(last + 1, last + 1 + len(heard)))


def test_what_is_rolled_from_now_on_is_told(restored: Evening) -> None:
    roll(restored.player, "1d6", campaignId=restored.campaign, label="On we go")
    until(
        lambda: any("On we go" in one["text"] for one in log(restored.gm, restored.campaign)),
        "a new roll in the log",
    )
