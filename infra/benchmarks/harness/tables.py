"""Tables at which scenes are played through the public door, one move after another."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import httpx
import orjson

from infra.benchmarks.harness.bot_scenes import Played
from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.load import PATIENCE, TOLERATED, Request, is_whole
from infra.benchmarks.harness.rounds import Measure
from services.rules.engine.grid import Square
from services.rules.engine.play import GM, Choice, FieldKind, LegalMove, MoveField
from services.rules.engine.sampling import Choose, complete

SYSTEM = "dungeonteller"
SETUP = "orc-ambush"
ROLES = ("warrior", "dwarf", "paladin", "elf")
MOVES_OF_SCENE = 40
"""Moves after which a table begins another scene, if theirs is not over: a log does not grow for ever."""
MOVES_OF_TURN = 500
"""Moves that a table makes in one turn at most."""

_SHOWN = """
fragment Shown on Scene {
  id seq
  card { round turn waitingFor actors { key name at { x y } conditions tracks { key current maximum } } }
  outcome { ended text }
}"""
_MADE = """
  ... on MovePerformed { scene { ...Shown } move { seq text rolls { label notation faces } } }
  ... on Problem { message }
"""
LAY = """
mutation Lay($name: String!, $role: String!) {
  createCampaign(input: {name: $name}) { ... on CampaignSaved { campaign { id } } ... on Problem { message } }
  createCharacter(input: {build: {dungeonteller: {name: $name, role: $role}}}) {
    ... on CharacterSaved { character { id } } ... on Problem { message }
  }
}"""
SEAT = """
mutation Seat($campaign: ID!, $hero: ID!) {
  seatCharacter(input: {campaignId: $campaign, characterId: $hero}) {
    ... on CampaignSaved { campaign { id } } ... on Problem { message }
  }
}"""
START = f"""
mutation Start($campaign: ID!, $system: String!, $setup: String!, $hero: ID!) {{
  startScene(
    input: {{campaignId: $campaign, system: $system, setupName: $setup, characters: [$hero]}}
  ) {{
    ... on SceneStarted {{ scene {{ ...Shown }} }} ... on Problem {{ message }}
  }}
}}{_SHOWN}"""
LOOK = """
query Look($scene: ID!, $actor: String!) {
  scene(id: $scene) {
    legalMoves(actor: $actor) {
      key actor label text rule move cost odds dice { value }
      fields { name label kind choices { value label } squares { x y } least most required }
    }
  }
}"""
PERFORM = f"""
mutation Perform($scene: ID!, $seq: Int!, $move: JSON!) {{
  performMove(input: {{sceneId: $scene, expectedSeq: $seq, move: $move}}) {{{_MADE}}}
}}{_SHOWN}"""
BOT = f"""
mutation Bot($scene: ID!, $seq: Int!, $actor: String!) {{
  playBot(input: {{sceneId: $scene, expectedSeq: $seq, actor: $actor}}) {{{_MADE}}}
}}{_SHOWN}"""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who runs a table.

    Attributes:
        account: id.
        key: the API key itself.
    """

    account: str
    key: str = field(repr=False)


def sign_up(address: str, name: str) -> Guest:
    """Make an account.

    Raises:
        BenchFailure: it was refused.
    """
    response = httpx.post(f"{address}/v1/accounts", json={"name": name}, timeout=20, trust_env=False)
    if response.status_code != HTTPStatus.CREATED:
        raise BenchFailure(f"nobody could sign up: {response.status_code} {response.text[:300]}")
    made = response.json()
    return Guest(made["account"]["id"], made["key"])


class Refused(Exception):
    """An answer is not as expected; the message says how."""


Ask = Callable[[str, Mapping[str, object]], Awaitable[tuple[Any, float]]]
"""Runs an operation; gives its data, and the milliseconds it took. Raises ``Refused``."""


@asynccontextmanager
async def door(port: int, key: str) -> AsyncIterator[Ask]:
    """Hold a connection to the public door open for one account."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError as error:
        raise BenchFailure(f"port {port} cannot be reached: {error}") from None

    async def ask(document: str, variables: Mapping[str, object]) -> tuple[Any, float]:
        message = Request.graphql(document, dict(variables), authorization=f"Bearer {key}").message
        asked = time.perf_counter()
        writer.write(message)
        answer = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while not is_whole(answer):
                    more = await reader.read(1 << 16)
                    if not more:
                        raise BenchFailure("the connection was closed instead of an answer")
                    answer += more
        except TimeoutError:
            raise BenchFailure(f"port {port} did not answer within {PATIENCE:.0f} s") from None
        took = (time.perf_counter() - asked) * 1000
        return data_of(answer), took

    try:
        yield ask
    finally:
        writer.close()


def data_of(answer: bytes) -> Any:
    """Read the data of a whole answer over HTTP whose body has a length.

    Raises:
        Refused: it has errors, or one of its fields answers with a problem.
    """
    head, _, body = answer.partition(b"\r\n\r\n")
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Refused(head.decode(errors="replace").partition("\r\n")[0]) from None
    if found.get("errors") or not found.get("data"):
        raise Refused(body.decode(errors="replace")[:500])
    for name, outcome in found["data"].items():
        if outcome is None or "message" in outcome:
            raise Refused(f"{name}: {outcome and outcome['message']}")
    return found["data"]


@dataclass(slots=True)
class Table:
    """A campaign with a hero, at which scenes are played.

    Attributes:
        ask: how its host asks the product.
        campaign: id.
        hero: id.
        choose: how its host makes up their mind.
        scene: as it was shown last; None before the first and after one in which something went wrong.
        moves: that were made in it.
    """

    ask: Ask
    campaign: str
    hero: str
    choose: Choose
    scene: Any = None
    moves: int = 0

    async def sit_down(self) -> None:
        """Begin a scene, unless one is being played."""
        over = self.scene is None or self.scene["outcome"]["ended"] or self.moves >= MOVES_OF_SCENE
        if not over:
            return
        about = {"campaign": self.campaign, "system": SYSTEM, "setup": SETUP, "hero": self.hero}
        data, _ = await self.ask(START, about)
        self.scene, self.moves = data["startScene"]["scene"], 0

    async def look(self) -> tuple[tuple[LegalMove, ...], float]:
        """Give what the one who is waited for may do, and the milliseconds it took to learn."""
        data, took = await self.ask(LOOK, {"scene": self.scene["id"], "actor": self.awaited})
        return tuple(offer(each) for each in data["scene"]["legalMoves"]), took

    async def bot(self) -> tuple[bool, float]:
        """Have the one who is waited for be moved by their bot; gives whether dice fell, and milliseconds."""
        return await self._move("playBot", BOT, {"actor": self.awaited})

    async def perform(self, offers: Sequence[LegalMove]) -> tuple[bool, float]:
        """Make one of these moves, with dice if there is one; gives whether dice fell, and milliseconds."""
        liked = [each for each in offers if each.dice is not None] or offers
        if not liked:
            raise Refused(f"{self.awaited} is waited for and can do nothing")
        form = complete(liked[self.choose(len(liked))], self.choose)
        return await self._move("performMove", PERFORM, {"move": form})

    @property
    def awaited(self) -> str:
        """Who is waited for."""
        waiting: list[str] = self.scene["card"]["waitingFor"]
        return waiting[0] if waiting else GM

    async def _move(self, name: str, document: str, more: Mapping[str, object]) -> tuple[bool, float]:
        about = {"scene": self.scene["id"], "seq": self.scene["seq"], **more}
        data, took = await self.ask(document, about)
        self.scene, self.moves = data[name]["scene"], self.moves + 1
        return bool(data[name]["move"]["rolls"]), took


def offer(told: Any) -> LegalMove:
    """Read an offer as the graph tells it; of its dice, only whether there are any matters."""
    fields = tuple(
        MoveField(
            name=each["name"],
            label=each["label"],
            kind=FieldKind[each["kind"]],
            choices=tuple(Choice(**choice) for choice in each["choices"]),
            squares=tuple(Square(**square) for square in each["squares"]),
            least=each["least"],
            most=each["most"],
            required=each["required"],
        )
        for each in told["fields"]
    )
    # What the graph calls its key, since it is unique within the list alone, the engine calls its id.
    rest = {name: value for name, value in told.items() if name != "key"}
    return LegalMove(**{**rest, "id": told["key"], "fields": fields})


def playing(tables: Sequence[Table], *, bots: bool) -> Measure:
    """Measure moves at all these tables at once.

    Args:
        tables: each makes one move after another.
        bots: whether by ``playBot``; else by ``performMove``, from what ``legalMoves`` offers.
    """

    async def keep_on(table: Table, until: float, found: "_Turn") -> None:
        for _ in range(MOVES_OF_TURN):
            try:
                await table.sit_down()
                if bots:
                    rolled, took = await table.bot()
                else:
                    offers, looked = await table.look()
                    found.looks.append(looked)
                    rolled, took = await table.perform(offers)
            except Refused as refused:
                found.failures.append(str(refused))
                table.scene = None
            else:
                found.latencies.append(took)
                found.with_dice += rolled
            if time.perf_counter() >= until:
                return

    async def measure(seconds: float) -> Sample:
        found = _Turn()
        began = time.perf_counter()
        await asyncio.gather(*(keep_on(table, began + seconds, found) for table in tables))
        return found.sample(time.perf_counter() - began)

    return measure


@dataclass(slots=True)
class _Turn:
    """What is found out in one turn."""

    latencies: list[float] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    with_dice: int = 0

    def sample(self, seconds: float) -> Played:
        made, failed = len(self.latencies), len(self.failures)
        if failed > max(1, made * TOLERATED) or not made:
            raise BenchFailure(f"{failed} of {failed + made} moves failed: {self.failures[0]}")
        return Played(
            seconds, self.latencies, self.failures, moves=made, with_dice=self.with_dice, looks=self.looks
        )


async def lay(ask: Ask, number: int) -> Table:
    """Lay a table: a campaign, and a hero in it.

    Raises:
        BenchFailure: something was refused.
    """
    role = f"{SYSTEM}:role/{ROLES[number % len(ROLES)]}"
    try:
        data, _ = await ask(LAY, {"name": f"Table {number + 1}", "role": role})
        campaign: str = data["createCampaign"]["campaign"]["id"]
        hero: str = data["createCharacter"]["character"]["id"]
        await ask(SEAT, {"campaign": campaign, "hero": hero})
    except Refused as refused:
        raise BenchFailure(f"a table could not be laid: {refused}") from None
    return Table(ask, campaign, hero, random.Random(number).randrange)
