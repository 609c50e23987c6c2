"""Two processes of each service on PostgreSQL, of which one after the other is killed while people play.

Each client sends its request once more where it fails, with the same idempotency key, and no further time.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx
import pytest

from services.shared.pagination import cursor_of_number
from tests.e2e.documents import MUTATIONS, SUBSCRIPTIONS
from tests.e2e.product import (
    Person,
    Product,
    Transport,
    assert_clean_end,
    listening,
    new_product,
    until,
)
from tests.e2e.table import create_hero, ended, found_campaign, join, log, note, queue_map, seat

KILLED = ("dice-2", "campaign-2", "account-2", "character-2", "map-2", "worker-2", "player-2")
LAST = "The last entry"
ROLLS = """
query ($id: ID!, $after: String) {
  rolls(campaignId: $id, first: 100, after: $after) { nodes { id label seq } pageInfo { hasNextPage endCursor } }
}
"""
ENOUGH = 40
"""Moves of a scene after which another one is started: fights end."""


@pytest.fixture(scope="module")
def house() -> Iterator[Product]:
    """Start a product with two replicas; at the end it stops cleanly."""
    made = new_product(postgres=True, replicas=2)
    try:
        made.start()
        yield made
        assert_clean_end(made)
    finally:
        made.discard()


@dataclass
class Evening:
    """People at one table, and what they were told was done.

    Attributes:
        rolls: id of each roll, by its label.
        notes: number of each note in the log, by its text.
        moves: numbers of the moves that were made, by scene.
        repeated: how many requests were sent a second time.
        over: set when nothing more is to be begun.
    """

    gm: Person
    players: list[Person]
    campaign: str
    hero: str
    rolls: dict[str, str] = field(default_factory=dict)
    notes: dict[str, int] = field(default_factory=dict)
    moves: dict[str, list[int]] = field(default_factory=dict)
    repeated: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def sent(self, send: Callable[[], Any | None], what: str) -> Any:
        """Send a request, once more where it fails, and return what it has done."""
        done = send()
        if done is None:
            self.repeated += 1
            time.sleep(1)  # as Retry-After says
            done = send()
        assert done is not None, f"{what} failed twice"
        return done

    def roll(self, person: Person, label: str) -> None:
        """Roll dice at the table."""
        asked = {"expression": "2d6", "label": label, "campaignId": self.campaign, "idempotencyKey": label}
        self.rolls[label] = self.sent(
            lambda: outcome(person, "roll", asked, lambda found: found["roll"]["id"]), label
        )

    def write(self, person: Person, text: str) -> None:
        """Write a note."""
        asked = {"text": text, "campaignId": self.campaign, "idempotencyKey": text}
        self.notes[text] = self.sent(
            lambda: outcome(person, "writeNote", asked, lambda found: found["entry"]["seq"]), text
        )

    def play(self) -> None:
        """Start scenes and have bots move in them until the evening is over."""
        while not self.over.is_set():
            asked: dict[str, Any] = {
                "campaignId": self.campaign,
                "system": "dungeonteller",
                "setupName": "orc-ambush",
            }
            asked |= {"characters": [self.hero], "idempotencyKey": f"scene {len(self.moves)}"}
            scene = self.sent(
                partial(outcome, self.gm, "startScene", asked, lambda found: str(found["scene"]["id"])),
                "a scene",
            )
            made = self.moves[scene] = []
            while not self.over.is_set() and len(made) < ENOUGH and (at := self.turn(scene)) is not None:
                made.append(self.sent(partial(self.move, scene, *at), f"a move of {scene}"))

    def turn(self, scene: str) -> tuple[int, str] | None:
        """Read the number of the next move of a scene, and who may make it; None when it is over."""
        seen = self.sent(lambda: answered(self.gm, "GET", f"/v1/scenes/{scene}"), scene)
        waiting = seen["card"]["waitingFor"]
        return (seen["seq"], waiting[0]) if waiting else None

    def move(self, scene: str, seq: int, actor: str) -> int | None:
        """Have a bot make a move, over REST; return its number."""
        content = {"expectedSeq": seq, "actor": actor, "bot": "steady"}
        key = {"idempotency-key": f"{scene} {seq}"}
        made = answered(self.gm, "POST", f"/v1/scenes/{scene}/bot", json=content, headers=key)
        return None if made is None else int(made["seq"])


def answered(person: Person, method: str, path: str, **options: Any) -> Any | None:
    """Send a REST request, and return its answer; None where it failed and may be sent again."""
    try:
        answer = person.send(method, path, **options)
    except httpx.HTTPError:
        return None
    if answer.status_code >= 500:
        return None
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def outcome(person: Person, name: str, asked: dict[str, Any], read: Callable[[Any], Any]) -> Any | None:
    """Send a mutation, and return what is read of its answer; None where it failed and may be sent again."""
    try:
        answer = person.graph(MUTATIONS[name], {"input": asked}).json()
    except (httpx.HTTPError, ValueError):
        return None
    found = (answer.get("data") or {}).get(name)
    if found is None or found.get("code") == "UNAVAILABLE":
        return None
    assert "code" not in found, found
    return read(found)


@pytest.fixture(scope="module")
def evening(house: Product) -> Evening:
    """Bring the people together."""
    gm, *players = (house.sign_up(name) for name in ("Mara", "Finn", "Sela", "Odo"))
    campaign = found_campaign(gm)
    for player in players:
        join(player, gm, campaign)
    hero = create_hero(gm, name="Brunna")
    seat(gm, campaign, hero)
    return Evening(gm, players, campaign, hero)


def followed(person: Person, campaign: str, transport: Transport) -> list[int]:
    """Follow the log until its last entry, subscribing again after what was heard wherever a feed ends."""
    heard: list[int] = []
    while True:
        after = cursor_of_number(heard[-1]) if heard else None
        try:
            with listening(
                person, transport, SUBSCRIPTIONS["campaignLog"], campaignId=campaign, after=after
            ) as feed:
                while (payload := feed.answer()) is not None and not payload.get("errors"):
                    entry = payload["data"]["campaignLog"]
                    heard.append(int(entry["seq"]))
                    if entry["text"] == LAST:
                        return heard
        except (httpx.HTTPError, OSError):
            pass


def is_another(product: Product, part: str, killed: int) -> bool:
    """Tell whether another process of a part runs than the one that was killed."""
    return product.pid(part) not in (None, killed)


def all_ready(product: Product) -> bool:
    """Tell whether each replica of each part is ready."""
    answer = product.http.get(f"{product.url}/readyz")
    return answer.status_code == 200 and set(answer.json()["checks"].values()) == {"ok"}


def all_rolls(person: Person, campaign: str) -> list[dict[str, Any]]:
    """Read all rolls of the table."""
    found: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        page = person.ask(ROLLS, id=campaign, after=after)["rolls"]
        found += page["nodes"]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            return found


def test_a_replica_that_is_killed_costs_nobody_more_than_one_retry(house: Product, evening: Evening) -> None:
    """Nothing acknowledged is lost, nothing is doubled, and the log arrives whole, once and in order."""
    until(lambda: all_ready(house), "every replica to be ready")
    gm, campaign = evening.gm, evening.campaign

    def repeat(person: Person, act: Callable[[Person, str], None], word: str) -> None:
        count = 0
        while not evening.over.is_set():
            act(person, f"{word} {count} of {person.name}")
            count += 1

    with ThreadPoolExecutor(12) as pool:
        feeds = [pool.submit(followed, gm, campaign, transport) for transport in ("websocket", "sse")]
        acts = [pool.submit(repeat, player, evening.roll, "throw") for player in evening.players]
        acts += [pool.submit(repeat, person, evening.write, "note") for person in (gm, evening.players[0])]
        acts.append(pool.submit(evening.play))
        jobs: list[str] = []
        try:
            for part in KILLED:
                before = len(evening.rolls), len(evening.notes), sum(map(len, evening.moves.values()))
                jobs.append(queue_map(gm, campaign, seed=len(jobs)))
                killed = house.kill(part)
                until(partial(is_another, house, part, killed), f"{part} to be started again")
                until(lambda: all_ready(house), "every replica to be ready again")

                def gone_on(before: tuple[int, int, int] = before) -> bool:
                    now = len(evening.rolls), len(evening.notes), sum(map(len, evening.moves.values()))
                    for act in acts:
                        assert not act.done(), act.result()
                    return all(new > old for new, old in zip(now, before, strict=True))

                until(gone_on, "rolls, notes and moves to go on")
        finally:
            evening.over.set()
            for act in acts:
                act.exception()
            ends = [ended(gm, job, seconds=90)["state"] for job in jobs]
            settled(evening, len(jobs))
            end = note(gm, campaign, LAST)
        for act in acts:
            act.result()
        heard = [feed.result(90) for feed in feeds]
    assert set(ends) == {"SUCCEEDED"}
    entries = [entry for entry in log(gm, campaign) if entry["seq"] <= end]
    numbers = [entry["seq"] for entry in entries]
    assert numbers == list(range(1, len(entries) + 1))
    assert heard == [numbers, numbers]
    # Each note stands in the log once, where its writer was told.
    noted = [(entry["text"], entry["seq"]) for entry in entries if entry["kind"] == "note"]
    assert sorted(noted) == sorted([*evening.notes.items(), (LAST, end)])
    # Each roll was made once, and told once; those of the scenes beside them.
    rolls = all_rolls(gm, campaign)
    assert {roll["label"]: roll["id"] for roll in rolls if roll["label"] in evening.rolls} == evening.rolls
    labels = Counter(roll["label"] for roll in rolls if roll["label"] and roll["label"].startswith("throw"))
    assert labels == dict.fromkeys(evening.rolls, 1)
    assert sorted(roll["seq"] for roll in rolls) == list(range(1, len(rolls) + 1))
    for kind in ("roll.recorded", "map.made"):
        subjects = Counter(entry["subject"] for entry in entries if entry["kind"] == kind)
        assert set(subjects.values()) == {1}, kind
    assert {*evening.rolls.values()} <= {e["subject"] for e in entries if e["kind"] == "roll.recorded"}
    # Each move follows the one before.
    for scene, made in evening.moves.items():
        kept = gm.get(f"/v1/scenes/{scene}/moves?first=100").json()["items"]
        assert [move["seq"] for move in kept] == list(range(1, len(kept) + 1))
        assert made == sorted(set(made)) and {*made} <= {move["seq"] for move in kept}
    print(f"{len(rolls)} rolls, {len(evening.notes)} notes, {evening.repeated} requests sent twice")


def settled(evening: Evening, maps: int) -> None:
    """Wait until the log has heard of each roll and map."""

    def whole() -> bool:
        entries = log(evening.gm, evening.campaign)
        kinds = Counter(entry["kind"] for entry in entries)
        told = {entry["subject"] for entry in entries}
        return kinds["map.made"] >= maps and {*evening.rolls.values()} <= told

    until(whole, "the log to hear of each roll and map")
