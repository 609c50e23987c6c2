"""A client that plays any game for a whole table: it knows offers, cards and boards, and no game.

``Seat`` speaks for one person. ``gather`` brings a game master and players together with characters drawn by
chance and, where the game is played on maps, a map under fog; ``Evening.move`` makes one move, of whoever is
waited for, out of what is offered to them; ``Evening.look`` has a seat read all that a client shows.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

Json = dict[str, Any]
Send = Callable[..., Any]
"""Sends a request: method, path, and ``json`` for a body; returns a response with ``status_code`` and ``text``."""

WAIT_SECONDS = 60.0
AWAY, PATIENCE = 503, 4
"""The status of what does not answer just now, and how often a client asks for what only tells."""
BACKWARDS = 40
"""Sentences that a client shows of what was done and of the log."""
WORDS_OF_SECRETS = re.compile("secret|hidden|unseen", re.IGNORECASE)

RULES = "query ($system: String!) { sceneRules(system: $system) { namedSetups { key } mapKinds leadsMaps } }"
SCENE = """
query ($id: ID!) {
  scene(id: $id) {
    id title seq endedAt boardUrl myActors
    outcome { ended text winners }
    state { json }
    map { id revision }
    card {
      title round turn waitingFor
      actors { key name side conditions at { x y } character tracks { key name current maximum } }
      prompts { key actor question }
    }
  }
}
"""
GLANCE = "query ($id: ID!) { scene(id: $id) { seq myActors outcome { ended } card { waitingFor actors { key name } } } }"
OFFERS = """
query ($id: ID!, $actor: String) {
  scene(id: $id) {
    legalMoves(actor: $actor) {
      key actor label text rule cost move
      chances { key label value }
      fields { name label kind least most required choices { value label disposition } squares { x y } }
    }
  }
}
"""
DONE = """
query ($id: ID!, $last: Int!) {
  scene(id: $id) {
    moves(first: $last, newestFirst: true) {
      nodes { actor text sentences move events { kind } rolls { label notation faces actor } }
    }
  }
}
"""
LOG = "query ($id: ID!) { campaign(id: $id) { log(first: 40, newestFirst: true) { nodes { kind text subject } } } }"
PERFORM = """
mutation ($input: PerformMoveInput!) {
  performMove(input: $input) {
    __typename
    ... on MovePerformed { move { text } }
    ... on MoveRejected { issues { code message } legal { key } }
    ... on VersionConflict { message }
  }
}
"""
PLAY_BOT = "mutation ($input: PlayBotInput!) { playBot(input: $input) { __typename } }"


class Refused(Exception):
    """The product answers otherwise than a client that follows its offers expects."""


@dataclass
class Seat:
    """One person at the table.

    Attributes:
        name: what the client calls them.
        send: sends their requests.
        heard: told of every answer, with what was asked.
    """

    name: str
    send: Send
    heard: Callable[["Seat", str, str], None] = lambda _seat, _asked, _text: None

    def ask(self, document: str, **variables: Any) -> Any:
        """Run an operation, and return its data.

        Raises:
            Refused: it has errors.
        """
        answer = self._answer("POST", "/graphql", document, {"query": document, "variables": variables})
        found = json.loads(answer)
        if found.get("errors"):
            raise Refused(f"{self.name}: {found['errors']}")
        return found["data"]

    def read(self, path: str) -> str:
        """Read a path, or a whole address, as text."""
        return self._answer("GET", path, path, None)

    def write(self, path: str, body: Json, method: str = "POST") -> Json:
        """Send a body to a path of the REST face, and return what it answers.

        Raises:
            Refused: it is not done.
        """
        found: Json = json.loads(self._answer(method, path, path, body))
        return found

    def _answer(self, method: str, path: str, asked: str, body: Json | None) -> str:
        again = method == "GET" or asked.lstrip().startswith(("query", "{"))
        for tried in range(PATIENCE if again else 1):
            time.sleep(tried)
            answer = self.send(method, path, **({} if body is None else {"json": body}))
            if answer.status_code != AWAY:
                break
        text = answer.content.decode("utf-8", "replace")
        self.heard(self, asked, text)
        if answer.status_code >= 400:
            raise Refused(f"{self.name}: {method} {path}: {answer.status_code} {text[:2000]}")
        return text


@dataclass
class Evening:
    """A scene of a game at a table.

    Attributes:
        system: slug of the game.
        gm: leads the table.
        players: play a character each.
        campaign: id of the table's campaign.
        scene: id of the scene.
        map: id of the map that it is set on; empty without one.
        chance: chooses.
        secret: what words are written with that only the game master may read.
        moves: how many were made, by who made them.
        marks: actors to choose from that were marked as foes, neutral or friends, and those of them all.
    """

    system: str
    gm: Seat
    players: Sequence[Seat]
    campaign: str
    scene: str
    map: str
    chance: Random
    secret: str = "canary"
    moves: dict[str, int] = field(default_factory=dict)
    marks: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody."""
        return (self.gm, *self.players)

    def glance(self, seat: Seat) -> Json:
        """Read where the scene stands."""
        found: Json = seat.ask(GLANCE, id=self.scene)["scene"]
        return found

    def over(self) -> bool:
        """Tell whether the scene is over."""
        return bool(self.glance(self.gm)["outcome"]["ended"])

    def look(self, seat: Seat) -> Json:
        """Read all that a client shows its player, and return the scene."""
        seen: Json = seat.ask(SCENE, id=self.scene)["scene"]
        seat.ask(OFFERS, id=self.scene, actor=None)
        seat.ask(DONE, id=self.scene, last=BACKWARDS)
        seat.ask(LOG, id=self.campaign)
        if seen["boardUrl"]:
            seat.read(seen["boardUrl"])
        if self.map:
            seat.read(f"/v1/maps/{self.map}/play")
            seat.read(f"/v1/maps/{self.map}/map.json")
            seat.read(f"/v1/maps/{self.map}/map.svg?tokens=true")
        return seen

    def whose(self) -> tuple[Seat, str, int]:
        """Return whose move it is, for which actor, and the number of the last move that they saw."""
        led = self.glance(self.gm)
        waiting = led["card"]["waitingFor"] or ["gm"]
        for actor in waiting:
            for seat in self.players:
                seen = self.glance(seat)
                if actor in seen["myActors"]:
                    return seat, actor, seen["seq"]
        return self.gm, waiting[0], led["seq"]

    def move(self) -> None:
        """Make a move that is offered to whoever is waited for.

        Raises:
            Refused: what was offered is refused.
        """
        seat, actor, seq = self.whose()
        offers = seat.ask(OFFERS, id=self.scene, actor=actor)["scene"]["legalMoves"]
        if not offers:
            seat, actor = self.gm, "gm"
            offers = seat.ask(OFFERS, id=self.scene, actor=actor)["scene"]["legalMoves"]
        self.perform(seat, self.chance.choice(offers), seq)

    def perform(self, seat: Seat, offer: Json, seq: int) -> None:
        """Make an offered move, each field filled in within its bounds."""
        move = self.filled(offer)
        asked = {"sceneId": self.scene, "expectedSeq": seq, "move": move}
        done = seat.ask(PERFORM, input=asked)["performMove"]
        if done["__typename"] != "MovePerformed":
            raise Refused(f"{self.system}: {seat.name} was offered and refused {move}: {done}")
        self.moves[seat.name] = self.moves.get(seat.name, 0) + 1

    def keep_secrets(self) -> int:
        """Make each of the game master's moves that asks whether it is secret, and return how many there were."""
        count = 0
        for key in [one["key"] for one in self._secret_offers()]:
            again = {one["key"]: one for one in self._secret_offers()}
            if key in again:
                self.perform(self.gm, again[key], self.glance(self.gm)["seq"])
                count += 1
        return count

    def _secret_offers(self) -> Iterator[Json]:
        for offer in self.gm.ask(OFFERS, id=self.scene, actor="gm")["scene"]["legalMoves"]:
            kinds = {each["kind"] for each in offer["fields"] if is_secret(each) or each["kind"] == "TEXT"}
            if kinds >= {"FLAG", "TEXT"}:
                yield offer

    def bot(self, name: str) -> None:
        """Have a bot move for the game master, who ends what is decided, else for whoever is waited for."""
        seat, actor, seq = self.whose()
        for who, moved in ((self.gm, "gm"), (seat, actor)):
            asked = {"sceneId": self.scene, "expectedSeq": seq, "actor": moved, "bot": name}
            done = who.ask(PLAY_BOT, input=asked)["playBot"]
            if done["__typename"] == "MovePerformed":
                self.moves[name] = self.moves.get(name, 0) + 1
                return
        self.move()

    # What an offer leaves open

    def filled(self, offer: Json) -> Json:
        """Return an offered move in its JSON form, whole."""
        form: Json = json.loads(json.dumps(offer["move"]))
        kept = any(is_secret(each) for each in offer["fields"])
        for each in offer["fields"]:
            self._count(each)
            if each["required"] or kept or self.chance.random() < 0.5:
                value = self._value(each, kept)
                if value is not None:
                    put(form, each["name"], value)
        return form

    def _count(self, asked: Json) -> None:
        self.marks[0] += sum(1 for one in asked["choices"] if one["disposition"])
        self.marks[1] += len(asked["choices"])

    def _value(self, asked: Json, kept: bool) -> Any:
        """Choose a value for a field; None where there is nothing to choose from.

        Args:
            asked: the field.
            kept: whether the move is kept secret: then its words are marked.
        """
        least, most = asked["least"], asked["most"]
        choose = self.chance
        match asked["kind"]:
            case "CHOICE":
                return choose.choice(asked["choices"])["value"] if asked["choices"] else None
            case "CHOICES":
                values = [one["value"] for one in asked["choices"]]
                return choose.sample(values, choose.randint(*within(least, most, len(values))))
            case "NUMBER":
                return choose.randint(least or 0, (least or 0) + 9 if most is None else most)
            case "SQUARE":
                return choose.choice(asked["squares"]) if asked["squares"] else None
            case "SQUARES":
                return choose.sample(
                    asked["squares"], choose.randint(*within(least, most, len(asked["squares"])))
                )
            case "TEXT":
                words = f"{self.secret if kept else 'words'} {choose.randrange(1_000_000)}"
                return words[:most]
            case "FLAG":
                return True if is_secret(asked) else choose.random() < 0.5


def open_names(scene: Json) -> set[str]:
    """Return the names of those on the game master's card whom no word there calls secret (any more)."""
    return {
        one["name"]
        for one in scene["card"]["actors"]
        if not any(WORDS_OF_SECRETS.search(each) for each in one["conditions"])
    }


def is_secret(asked: Json) -> bool:
    """Tell whether a field asks for secrecy."""
    return asked["kind"] == "FLAG" and bool(WORDS_OF_SECRETS.search(f"{asked['label']} {asked['name']}"))


def within(least: int | None, most: int | None, there: int) -> tuple[int, int]:
    """Return the fewest and the most that may be chosen of so many."""
    return least or 0, there if most is None else min(most, there)


def put(form: Json, name: str, value: Any) -> None:
    """Write a value into a form; a dotted name is a nested key."""
    *outer, last = name.split(".")
    for key in outer:
        form = form.setdefault(key, {})
    form[last] = value


# Coming together


def gather(system: str, gm: Seat, players: Sequence[Seat], chance: Random) -> Evening:
    """Found a table, draw characters, have a map made under fog where the game has any, and start a scene.

    Raises:
        Refused: none of the game's setups can be started.
    """
    campaign = gm.write("/v1/campaigns", {"name": f"An evening of {system}"})["id"]
    characters = []
    for number, seat in enumerate(players):
        code = gm.write(f"/v1/campaigns/{campaign}/invitations", {"role": "PLAYER", "uses": 1})["code"]
        seat.write("/v1/campaigns/join", {"code": code})
        drawn = seat.write("/v1/characters/random", {"system": system, "seed": f"{number}-{chance.random()}"})
        seat.write(f"/v1/campaigns/{campaign}/characters", {"characterId": drawn["id"]})
        characters.append(drawn["id"])
    rules = gm.ask(RULES, system=system)["sceneRules"]
    ground = make_map(gm, campaign, rules["mapKinds"], chance)
    refusals = []
    for setup in rules["namedSetups"]:
        wanted: Json = {"system": system, "setup": setup["key"], "characters": characters}
        if ground:
            wanted["mapId"] = ground
        try:
            scene = gm.write(f"/v1/campaigns/{campaign}/scenes", wanted)["id"]
            return Evening(system, gm, players, campaign, scene, ground, chance)
        except Refused as refused:
            refusals.append(str(refused))
    raise Refused("\n".join(refusals))


def make_map(gm: Seat, campaign: str, kinds: Sequence[str], chance: Random) -> str:
    """Have a map of the first of some kinds that can be made, and return its id; empty where there is none."""
    known = {one["kind"].lower(): one for one in json.loads(gm.read("/v1/maps/kinds"))["items"]}
    kind = next((known[one]["kind"] for one in kinds if one in known and known[one]["parameters"]), None)
    if kind is None:
        return ""
    wish = {"kind": kind, "campaignId": campaign, "sharing": "FOGGED", "seed": str(chance.randrange(10**6))}
    try:
        job = gm.write("/v1/maps", wish)
    except Refused:
        job = gm.write("/v1/maps", {**wish, "sharing": "OPEN"})  # a map of paper has no fog
    began = time.monotonic()
    while job["state"] not in ("SUCCEEDED", "FAILED", "CANCELLED"):
        if time.monotonic() - began > WAIT_SECONDS:
            raise Refused(f"no map came of {job}")
        time.sleep(0.1)
        job = json.loads(gm.read(f"/v1/jobs/{job['id']}"))
    return str(job["map"]["id"])


def hide_on_map(evening: Evening) -> int:
    """Lay things on the map that only the game master may see, and return how many there are."""
    if not evening.map:
        return 0
    at, count = {"x": 1, "y": 1}, 0
    for kind, thing in (
        ("putToken", {"name": f"{evening.secret} token", "at": at, "layer": "GM"}),
        ("putMarker", {"label": f"{evening.secret} marker", "at": at, "layer": "GM"}),
        (
            "putNote",
            {"title": f"{evening.secret} note", "text": f"{evening.secret} text", "at": at, "layer": "GM"},
        ),
    ):
        try:
            evening.gm.write(f"/v1/maps/{evening.map}/edits", {"edit": {kind: thing}})
            count += 1
        except Refused:
            continue  # not every kind of map has a layer for game masters
    return count
