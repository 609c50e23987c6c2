"""How a move is made: let in, given its dice, settled, written down.

A move without dice takes one transaction. One with dice takes two, with the dice between them: the first
lets it in as the scene's pending move, the second settles it with the faces that fell. Whoever comes upon a
pending move, after a crash or beside whoever sent it, completes it first, under the same key and so with the
same dice; there is no way to have them fall anew. Where an answer is overdue, the move that stands for none
comes before all others (see ``lapsing``).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, cast

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.models import IDEMPOTENCY, Scene
from services.campaign.scenes.asking import Answer, BotMove, Performed, Refusal, Rejected, WantedMove
from services.campaign.scenes.bots import named, think
from services.campaign.scenes.drawing import OnItsWay, Poster, roll_out, taken_up
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games
from services.campaign.scenes.handing import TABLE
from services.campaign.scenes.history import VOID, Author, Pending, Thrown
from services.campaign.scenes.lapsing import lapse
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.outside import Done, Kept, Outside
from services.campaign.scenes.places import is_current, place
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.rulings import entered
from services.campaign.scenes.standing import Standing
from services.campaign.scenes.telling import GM_EYES, sentences
from services.campaign.scenes.thinking import Thinking
from services.campaign.scenes.timing import overdue
from services.rules.engine.bots import Bot
from services.rules.engine.codec import CodecError
from services.rules.engine.play import AnyPlay
from services.rules.engine.position import Position
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Refused, RuleFault, Run
from services.rules.engine.system import AnySystem
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, KeyLocks, Replay, claim, remember
from services.shared.ids import is_id
from services.shared.peers import PeerRefused, PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
    VersionConflict,
)
from services.shared.reckoning import Reckoner


@dataclass(frozen=True, slots=True)
class _Entered:
    """A move has its number; unless it is settled, it may still be the pending one, on its way."""

    number: int
    settled: bool = False
    way: OnItsWay | None = None


@dataclass(frozen=True, slots=True)
class _Blocked:
    """Another move comes first."""

    number: int


@dataclass(frozen=True, slots=True)
class _First:
    """Something has to be done outside of the unit of work before the step is taken again."""

    work: Callable[[], Awaitable[None]]


_Found = _Entered | _Blocked | _First | Rejected | Refusal
_Step = Callable[[AsyncSession, Scene, Standing], Awaitable[_Found]]


class _Leave(Exception):
    """Ends a unit of work that leaves nothing behind."""

    def __init__(self, outcome: Any) -> None:
        super().__init__()
        self.outcome = outcome


class Playing:
    """The use cases of moves.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        dice: the dice service.
        systems: the games that can be played, by slug.
        choose: chance, for what bots leave to it.
        reckoner: charges for what takes long, and has it done apart.

    Attributes:
        thinking: asks the rules what takes long.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        dice: Poster,
        systems: Mapping[str, AnySystem],
        choose: Choose,
        reckoner: Reckoner[Games] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._dice = dice
        self._systems = systems
        self._choose = choose
        self.thinking = Thinking(systems, reckoner or Reckoner(systems), choose)
        self._outside = Outside(database, self.thinking)
        self._completing: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._keys = KeyLocks()

    async def perform(self, viewer: Viewer, wanted: WantedMove) -> Answer:
        """Make a move, or name every rule it breaks; under the same key, the same move."""
        fault = wanted.fault()
        if fault is not None:
            return fault

        done = Done()

        async def step(session: AsyncSession, scene: Scene, who: Standing) -> Any:
            return await self._enter(session, scene, who, wanted, done)

        async with self._keys.held(viewer.account, wanted.idempotency_key):
            return await self._through(viewer, wanted.scene, step)

    async def undo(self, viewer: Viewer, scene_id: str, expected_seq: int, key: str | None = None) -> Answer:
        """Take back the last move that still stands; the GM's right."""
        done = Done()

        async def step(session: AsyncSession, scene: Scene, who: Standing) -> Any:
            return await self._take_back(session, scene, who, expected_seq, key, done)

        async with self._keys.held(viewer.account, key):
            return await self._through(viewer, scene_id, step)

    async def lapse(self, scene_id: str) -> None:
        """Make the moves that stand for answers which a scene waits for no longer.

        Raises:
            PeerUnavailable: the dice service does not answer; what was let in stays pending, the rest due.
        """
        number: int | None = 0
        while number is not None:
            async with self._database.write() as session:
                await Scenes(session).hold(scene_id)
                scene = await Scenes(session).one(scene_id)
                play = None if scene is None else self._play(scene)
                number = None
                if scene is not None and play is not None:
                    number = await lapse(session, scene, self._systems, self._clock())
            if number is not None:
                await self.complete(scene_id, number)

    async def complete(self, scene: str, number: int, way: OnItsWay | None = None) -> None:
        """Complete a scene's pending move, if it is still pending.

        Args:
            scene: id of the scene.
            number: of the move.
            way: the move as far as it has run, where it was just let in.

        Raises:
            PeerUnavailable: the dice service does not answer; the move stays pending.
        """
        key = (scene, number)
        task = self._completing.get(key)
        if task is None:
            task = asyncio.create_task(self._complete(scene, number, way))
            self._completing[key] = task
            task.add_done_callback(lambda done: self._completed(key, done))
        # Whoever waits may go away; what was begun is brought to its end.
        await asyncio.shield(task)

    def _completed(self, key: tuple[str, int], task: "asyncio.Task[None]") -> None:
        self._completing.pop(key, None)
        if not task.cancelled():
            task.exception()

    # From the request to the answer

    async def _through(self, viewer: Viewer, scene_id: str, step: _Step) -> Answer:
        try:
            while True:
                outcome = await self._unit_of_work(viewer, scene_id, step)
                if isinstance(outcome, _First):
                    await outcome.work()
                    continue
                if not isinstance(outcome, _Entered | _Blocked):
                    return outcome
                if isinstance(outcome, _Blocked):
                    await self.complete(scene_id, outcome.number)
                elif not outcome.settled:
                    await self.complete(scene_id, outcome.number, outcome.way)
                if isinstance(outcome, _Entered):
                    return await self._answer(viewer, scene_id, outcome.number)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)

    async def _unit_of_work(self, viewer: Viewer, scene_id: str, step: _Step) -> _Found:
        """Take one step with the scene held; only what enters the scene leaves anything behind."""
        if not is_id(scene_id, "scn"):
            return NotFound.of("scene", "sceneId")
        try:
            async with self._database.write() as session:
                scenes = Scenes(session)
                known = (await scenes.visible(viewer.account, [scene_id])).get(scene_id)
                if known is None:
                    return NotFound.of("scene", "sceneId")
                await scenes.hold(scene_id)
                scene = await scenes.one(scene_id)
                assert scene is not None
                who = (await scenes.standings(viewer.account, [scene])).get(scene_id)
                outcome = NotFound.of("scene", "sceneId") if who is None else await step(session, scene, who)
                if not isinstance(outcome, _Entered):
                    raise _Leave(outcome)
                return outcome
        except _Leave as left:
            found: _Found = left.outcome
            return found

    async def _answer(self, viewer: Viewer, scene_id: str, number: int) -> Answer:
        async with self._database.read() as session:
            scenes = Scenes(session)
            scene = (await scenes.visible(viewer.account, [scene_id])).get(scene_id)
            row = await scenes.move(scene_id, number)
            if scene is None:
                return NotFound.of("scene", "sceneId")
            if row is None:
                return Unavailable.of("rules")
            who = (await scenes.standings(viewer.account, [scene]))[scene_id]
        if row.kind == VOID:
            reason = " ".join(sentences(row.told, GM_EYES)) if who.gm else "This move came to nothing."
            return Rejected([Issue(code="MOVE_VOID", message=reason, path=["move"])])
        return Performed(scene, row, who)

    # Letting a move in

    async def _enter(
        self,
        session: AsyncSession,
        scene: Scene,
        who: Standing,
        wanted: WantedMove,
        done: Done,
    ) -> _Found:
        play = self._play(scene)
        if play is None:
            return _unplayable(scene)
        sent = wanted.move.data if isinstance(wanted.move, Form) else _asked_of_bot(wanted.move)
        request = {"move": [scene.id, sent, wanted.entropy]}
        claimed = await self._claim(session, who, wanted.idempotency_key, request)
        if claimed is not None:
            return claimed
        beyond = 0.0 if done.paid else self.thinking.beyond_price(scene)
        if beyond > 0:
            return _First(partial(self._outside.pay, done, who.account, beyond))
        at = place(play, scene)
        moment = self._clock()
        move: Any = self._wanted(scene, at, who, wanted, moment, done)
        if isinstance(move, _Found):
            return move
        form = wanted.move if isinstance(wanted.move, Form) else Form({}, ("move",))
        number = scene.number + 1
        found = entered(at, who, move, form, number)
        if isinstance(found, Rejected):
            return found
        key = wanted.idempotency_key
        await remember(session, IDEMPOTENCY, who.account, key, f"{scene.id}:{number}")
        ledger = Ledger(session, scene, self._systems, moment)
        settled = await ledger.let_in(Author(who.account, who.gm), at, move, found, wanted.entropy)
        return _Entered(number, settled, None if settled else OnItsWay(at, move, cast(Run, found)))

    def _wanted(
        self, scene: Scene, at: Position, who: Standing, wanted: WantedMove, moment: datetime, done: Done
    ) -> Any:
        """Return the move that was sent, or that a bot has thought of; or what stands in its way."""
        play = at.play
        bot = named(play, wanted.move) if isinstance(wanted.move, BotMove) else None
        move: Any = wanted.move.read(play.move_codec) if isinstance(wanted.move, Form) else bot
        if isinstance(move, InvalidInput):
            return move
        actor = wanted.move.actor if isinstance(wanted.move, BotMove) else move.actor
        if not who.may_move(play, at.state, actor):
            return _not_theirs()
        early = self._not_now(scene, wanted.expected_seq, moment, entering=True)
        if early is not None or not isinstance(bot, Bot):
            return early or move
        if not self.thinking.is_slow(bot, scene):
            move = think(bot, at, actor, self._choose)
        elif scene.number not in done.moves:
            # Nobody waits while it thinks: the scene is let go, and it thinks anew should it change.
            return _First(partial(self._outside.think, done, Kept.of(scene), who.account, bot, actor))
        else:
            found = done.moves[scene.number]
            move = None if found is None else play.move_codec.load(found)
        if move is None:
            message = "There is nothing for them to do now."
            issue = Issue(code="nothing_to_do", message=message, path=["actor"])
            return Rejected([issue], at.legal(actor, who.eyes))
        return move if who.may_move(play, at.state, move.actor) else _not_theirs()

    # Completing it

    async def _complete(self, scene_id: str, number: int, way: OnItsWay | None) -> None:
        async with self._database.read() as session:
            scene = await Scenes(session).one(scene_id)
        pending = None if scene is None else Pending.of(scene)
        if scene is None or pending is None or pending.number != number:
            return
        play = self._play(scene)
        if play is None:
            raise PeerUnavailable("rules", f"{scene.system} is not installed")
        thrown: list[Thrown] = []
        refused: str | None = None
        try:
            way = way or taken_up(play, scene, pending)
            await roll_out(self._dice, scene, pending, way.run, thrown)
        except PeerRefused as error:
            refused = error.message or error.code
        except (CodecError, Refused, RuleFault) as error:
            refused = str(error)
        async with self._database.write() as session:
            scenes = Scenes(session)
            await scenes.hold(scene_id)
            scene = await scenes.one(scene_id)
            # Another process may have completed it meanwhile, with the same dice.
            if scene is None or Pending.of(scene) != pending:
                return
            ledger = Ledger(session, scene, self._systems, self._clock())
            if refused is not None or way is None:
                actor = str(pending.move["data"].get("actor", ""))
                await ledger.void(number, pending.author, actor, pending.move, thrown, refused or "")
            else:
                await ledger.move(number, pending.author, way.at, way.move, way.run, thrown)

    # Taking back

    async def _take_back(
        self,
        session: AsyncSession,
        scene: Scene,
        who: Standing,
        expected_seq: int,
        key: str | None,
        done: Done,
    ) -> _Found:
        if not who.gm:
            return Forbidden.because("Only a GM of the campaign may do this.", "sceneId")
        play = self._play(scene)
        if play is None:
            return _unplayable(scene)
        claimed = await self._claim(session, who, key, {"undo": scene.id})
        if claimed is not None:
            return claimed
        moment = self._clock()
        early = self._not_now(scene, expected_seq, moment)
        if early is not None:
            return early
        again = done.replayed.get(scene.number)
        if again is None and scene.number not in done.replayed:
            # Nobody waits while it is played again, and it is played anew should there be another move.
            return _First(partial(self._outside.replay, done, Kept.of(scene), who.account))
        if again is None:
            message = "There is no move to take back."
            return Rejected([Issue(code="nothing_to_undo", message=message, path=["sceneId"])])
        if again.replayed.hash != (again.expected or again.replayed.opening):
            message = "The rules have changed since: what was before cannot be brought back."
            return Rejected([Issue(code="history_differs", message=message, path=["sceneId"])])
        undone = [row for each in again.undone if (row := await Scenes(session).move(scene.id, each))]
        if undone[0].heard_from is not None:
            return _handed_over(undone[0].heard_from)
        ledger = Ledger(session, scene, self._systems, moment)
        awaited = await ledger.awaited(undone)
        if awaited is not None:
            return _First(partial(self.complete, *awaited))
        state = play.state_codec.load(again.replayed.document)
        number = scene.number + 1
        await remember(session, IDEMPOTENCY, who.account, key, f"{scene.id}:{number}")
        await ledger.undo(number, Author(who.account, True), undone, state)
        return _Entered(number, settled=True)

    async def _claim(
        self, session: AsyncSession, who: Standing, key: str | None, request: dict[str, Any]
    ) -> _Entered | IdempotencyConflict | None:
        claimed = await claim(session, IDEMPOTENCY, who.account, key, request, self._clock())
        if isinstance(claimed, Conflict):
            return IdempotencyConflict.of()
        if isinstance(claimed, Replay):
            return _Entered(int(claimed.answer.rpartition(":")[2]))
        return None

    def _not_now(
        self, scene: Scene, expected_seq: int, moment: datetime, *, entering: bool = False
    ) -> _Blocked | _First | VersionConflict | Rejected | None:
        pending = Pending.of(scene)
        if pending is not None:
            return _Blocked(pending.number)
        if overdue(scene, moment) is not None:
            return _First(partial(self.lapse, scene.id))
        if expected_seq != scene.seq and not (entering and is_current(scene, expected_seq)):
            return VersionConflict.between(expected_seq, scene.seq, "expectedSeq")
        if scene.ended_at is not None:
            return Rejected([Issue(code="scene_over", message="The scene is over.", path=["sceneId"])])
        return None

    def _play(self, scene: Scene) -> AnyPlay | None:
        system = self._systems.get(scene.system)
        return None if system is None else system.play


def _asked_of_bot(move: BotMove) -> dict[str, str]:
    return {"bot": move.actor} if move.bot is None else {"bot": move.actor, "plays": move.bot}


def _handed_over(source: str) -> Rejected:
    if source.startswith(TABLE):
        code, message = "heard_from_table", "A character has come to the table since, or left it."
    else:
        code, message = "heard_from_scene", "A scene handed this over: it is taken back there."
    return Rejected([Issue(code=code, message=message, path=["sceneId"])])


def _not_theirs() -> Forbidden:
    return Forbidden.because("Only its player or a GM may move this actor.", "move", "actor")


def _unplayable(scene: Scene) -> InvalidInput:
    return InvalidInput.single(
        "SYSTEM_UNKNOWN", "This installation no longer has the game.", "sceneId", found=scene.system
    )
