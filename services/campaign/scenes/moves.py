"""How a move is made: let in, given its dice, settled, written down.

A move without dice takes one transaction. One with dice takes two, with the dice between them: the first
lets it in as the scene's pending move, the second settles it with the faces that fell. Whoever comes upon a
pending move, after a crash or beside whoever sent it, completes it first, under the same key and so with the
same dice; there is no way to have them fall anew. Where an answer is overdue, the move that stands for none
comes before all others (see ``lapses``).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.scenes.bots import named, think
from services.campaign.scenes.deadlines import overdue
from services.campaign.scenes.dice import OnItsWay, Poster, roll_out, taken_up
from services.campaign.scenes.forms import Form
from services.campaign.scenes.games import Games, game_of, played
from services.campaign.scenes.handover import TABLE
from services.campaign.scenes.history import VOID, Author, Pending, Thrown
from services.campaign.scenes.lapses import lapse
from services.campaign.scenes.ledger import Ledger
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.narration import GM_EYES, sentences
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.positions import is_current, place
from services.campaign.scenes.preparation import Kept, Preparation, Prepared
from services.campaign.scenes.problem import MoveRejected
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.requests import PerformMove, PlayBot, UndoMove
from services.campaign.scenes.rulings import entered, legal
from services.campaign.scenes.workload import Workload
from services.rules.engine.codec import CodecError
from services.rules.engine.play import AnyPlay
from services.rules.engine.position import Held, Position
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Refused, RuleFault, Run
from services.shared.auth import Viewer
from services.shared.bounds import check
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import KeyLocks, once
from services.shared.ids import is_id
from services.shared.peers import PeerRefused, PeerUnavailable
from services.shared.policy import Right, demand
from services.shared.problems import Forbidden, InvalidInput, NotFound, Unavailable, VersionConflict
from services.shared.reckoning import Reckoner

Asked = PerformMove | PlayBot | UndoMove


@dataclass(frozen=True, slots=True)
class Performed:
    """A move that was made, or taken back.

    Attributes:
        scene: as it is now.
        move: what was written.
        who: who is asking.
    """

    scene: Scene
    move: SceneMove
    who: Participant


@dataclass(frozen=True, slots=True)
class _Settled:
    """A move that was written down.

    Attributes:
        scene: behind it.
        row: of the move.
    """

    scene: Scene
    row: SceneMove


@dataclass(frozen=True, slots=True)
class _Entered:
    """A move has its number.

    Attributes:
        number: of its row.
        settled: the move where it is written down; else it may still be the pending one.
        way: the pending one as far as it has run, where it was just let in.
        who: who sent it; None where it was sent before.
    """

    number: int
    settled: _Settled | None = None
    way: OnItsWay | None = None
    who: Participant | None = None


_Step = Callable[[AsyncSession, Scene, Participant], Awaitable[_Entered]]


class _First(Exception):
    """Something has to be done outside of the unit of work, which leaves nothing behind and is begun anew.

    Attributes:
        work: what has to be done.
    """

    def __init__(self, work: Callable[..., Awaitable[object]], *arguments: Any) -> None:
        super().__init__()
        self.work = partial(work, *arguments)


class Moves:
    """The use cases of moves.

    Args:
        database: where scenes are kept.
        clock: the present moment.
        dice: the dice service.
        games: the games that can be played, by slug.
        choose: chance, for what bots leave to it.
        reckoner: charges for what takes long, and has it done apart.

    Attributes:
        workload: asks the rules what takes long.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        dice: Poster,
        games: Games,
        choose: Choose,
        reckoner: Reckoner[Games] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._dice = dice
        self._games = games
        self._choose = choose
        self.workload = Workload(games, reckoner or Reckoner(games), choose)
        self._preparation = Preparation(database, self.workload)
        self._completing: dict[tuple[str, int], asyncio.Task[_Settled | None]] = {}
        self._keys = KeyLocks()

    async def perform(self, viewer: Viewer, asked: PerformMove, key: str | None = None) -> Performed:
        """Make a move, and return it.

        Raises:
            InvalidInput: a bound is broken, the form is malformed, or the game is not played here any more.
            MoveRejected: the rules do not allow it; every rule that it breaks is named.
            VersionConflict: the scene has gone on.
            NotFound: no member.
            Forbidden: the actor is another's.
            IdempotencyConflict: the key was used for another request.
            Unavailable: the dice service does not answer; what was let in is made once it does.
            LimitReached: the account cannot pay for it.
        """
        form = Form(asked.move, ("move",))
        check(asked, *form.faults())
        prepared = Prepared()

        async def step(session: AsyncSession, scene: Scene, who: Participant) -> _Entered:
            at = await self._paid_for(scene, who, prepared)
            moment = self._clock()
            move: Any = form.read(at.play.move_codec)
            _demand_actor(who, at, move.actor)
            self._demand_now(scene, asked.expected_seq, moment, entering=True)
            run = entered(at, who, move, form, scene.number + 1)
            return await self._let_in(session, scene, who, at, move, run, asked.entropy)

        return await self._through(viewer, asked, key, step)

    async def play_bot(self, viewer: Viewer, asked: PlayBot, key: str | None = None) -> Performed:
        """Make a move that a bot chooses, and return it.

        Raises:
            InvalidInput: the game has no such bot, or is not played here any more.
            MoveRejected: there is nothing for the actor to do.
            VersionConflict, NotFound, Forbidden, IdempotencyConflict, Unavailable, LimitReached: as with
                ``perform``.
        """
        prepared = Prepared()

        async def step(session: AsyncSession, scene: Scene, who: Participant) -> _Entered:
            at = await self._paid_for(scene, who, prepared)
            move = self._chosen(scene, at, who, asked, prepared)
            run = entered(at, who, move, Form({}, ("move",)), scene.number + 1)
            return await self._let_in(session, scene, who, at, move, run)

        return await self._through(viewer, asked, key, step)

    async def undo(self, viewer: Viewer, asked: UndoMove, key: str | None = None) -> Performed:
        """Take back the last move that still stands, and return the row that says so; the GM's right.

        Raises:
            MoveRejected: no move stands, or it cannot be taken back here.
            InvalidInput, VersionConflict, NotFound, Forbidden, IdempotencyConflict, Unavailable,
                LimitReached: as with ``perform``.
        """
        prepared = Prepared()

        async def step(session: AsyncSession, scene: Scene, who: Participant) -> _Entered:
            return await self._take_back(session, scene, who, asked, prepared)

        return await self._through(viewer, asked, key, step)

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
                number = None
                if scene is not None and self._play(scene) is not None:
                    number = await lapse(session, scene, self._games, self._clock())
            if number is not None:
                await self.complete(scene_id, number)

    async def complete(self, scene: str, number: int, way: OnItsWay | None = None) -> _Settled | None:
        """Complete a scene's pending move, if it is still pending, and return it as it was settled here.

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
        return await asyncio.shield(task)

    def _completed(self, key: tuple[str, int], task: "asyncio.Task[_Settled | None]") -> None:
        self._completing.pop(key, None)
        if not task.cancelled():
            task.exception()

    # From the request to the answer

    async def _through(self, viewer: Viewer, asked: Asked, key: str | None, step: _Step) -> Performed:
        async with self._keys.held(viewer.account, key):
            while True:
                try:
                    found = await self._unit_of_work(viewer, asked, key, step)
                except _First as first:
                    await first.work()
                    continue
                settled = found.settled or await self.complete(asked.scene_id, found.number, found.way)
                if settled is None or found.who is None:
                    return await self._performed(viewer, asked.scene_id, found.number)
                return _answer(settled.scene, settled.row, found.who)

    async def _unit_of_work(self, viewer: Viewer, asked: Asked, key: str | None, step: _Step) -> _Entered:
        """Take one step with the scene held; only what enters the scene leaves anything behind."""
        scene_id = asked.scene_id
        if not is_id(scene_id, "scn"):
            raise NotFound.of("scene", "sceneId")
        # What its player saw is no part of what they ask for: a retry may have seen more.
        request = replace(asked, expected_seq=0)
        async with (
            self._database.write() as session,
            once(session, viewer, key, request, self._clock()) as done,
        ):
            held = await Scenes(session).held(viewer.account, scene_id)
            if held is None:
                raise NotFound.of("scene", "sceneId")
            if done.answer is not None:
                return _Entered(int(done.answer))
            found = replace(await step(session, *held), who=held[1])
            done.answer = str(found.number)
            return found

    async def _performed(self, viewer: Viewer, scene_id: str, number: int) -> Performed:
        async with self._database.read() as session:
            scenes = Scenes(session)
            found = (await scenes.seen(viewer.account, [scene_id])).get(scene_id)
            row = await scenes.move(scene_id, number)
        if found is None:
            raise NotFound.of("scene", "sceneId")
        if row is None:
            raise Unavailable.of("rules")
        scene, who = found
        return _answer(scene, row, who)

    # Letting a move in

    async def _paid_for(self, scene: Scene, who: Participant, prepared: Prepared) -> Position:
        """Return where a scene stands, once a move that is larger than its price is paid for."""
        play = self._playable(scene)
        beyond = 0.0 if prepared.paid else self.workload.beyond_price(scene)
        if beyond > 0:
            raise _First(self._preparation.pay, prepared, who.account, beyond)
        return place(play, scene)

    async def _let_in(
        self,
        session: AsyncSession,
        scene: Scene,
        who: Participant,
        at: Position,
        move: Any,
        run: Run | Held,
        entropy: str | None = None,
    ) -> _Entered:
        number = scene.number + 1
        ledger = Ledger(session, scene, self._games, self._clock())
        row = await ledger.let_in(Author(who.account, who.gm), at, move, run, entropy)
        if row is not None:
            return _Entered(number, _Settled(scene, row))
        assert isinstance(run, Run)
        return _Entered(number, way=OnItsWay(at, move, run))

    def _chosen(
        self, scene: Scene, at: Position, who: Participant, asked: PlayBot, prepared: Prepared
    ) -> Any:
        """Return the move that a bot has thought of."""
        bot = named(at.play, asked.bot)
        _demand_actor(who, at, asked.actor)
        self._demand_now(scene, asked.expected_seq, self._clock(), entering=True)
        if not self.workload.is_slow(bot, scene):
            move = think(bot, at, asked.actor, self._choose)
        elif scene.number not in prepared.moves:
            # The scene is let go while it thinks, and it thinks anew should the scene change.
            raise _First(self._preparation.think, prepared, Kept.of(scene), who.account, bot, asked.actor)
        else:
            found = prepared.moves[scene.number]
            move = None if found is None else at.play.move_codec.load(found)
        if move is None:
            message = "There is nothing for them to do now."
            raise MoveRejected.single("nothing_to_do", message, "actor", legal=legal(at, asked.actor, who))
        _demand_actor(who, at, move.actor)
        return move

    # Completing it

    async def _complete(self, scene_id: str, number: int, way: OnItsWay | None) -> _Settled | None:
        async with self._database.read() as session:
            scene = await Scenes(session).one(scene_id)
        pending = None if scene is None else Pending.of(scene)
        if scene is None or pending is None or pending.number != number:
            return None
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
                return None
            ledger = Ledger(session, scene, self._games, self._clock())
            if refused is not None or way is None:
                actor = str(pending.move["data"].get("actor", ""))
                row = await ledger.void(number, pending.author, actor, pending.move, thrown, refused or "")
            else:
                row = await ledger.move(number, pending.author, way.at, way.move, way.run, thrown)
        return _Settled(scene, row)

    # Taking back

    async def _take_back(
        self, session: AsyncSession, scene: Scene, who: Participant, asked: UndoMove, prepared: Prepared
    ) -> _Entered:
        demand(who.role, Right.RUN, "sceneId")
        play = self._playable(scene)
        moment = self._clock()
        self._demand_now(scene, asked.expected_seq, moment)
        again = prepared.replayed.get(scene.number)
        if again is None and scene.number not in prepared.replayed:
            # The scene is let go while it is played again, which is done anew should there be another move.
            raise _First(self._preparation.replay, prepared, Kept.of(scene), who.account)
        if again is None:
            raise MoveRejected.single("nothing_to_undo", "There is no move to take back.", "sceneId")
        if again.replayed.hash != (again.expected or again.replayed.opening):
            message = "The rules have changed since: what was before cannot be brought back."
            raise MoveRejected.single("history_differs", message, "sceneId")
        undone = [row for each in again.undone if (row := await Scenes(session).move(scene.id, each))]
        if undone[0].heard_from is not None:
            raise _handed_over(undone[0].heard_from)
        ledger = Ledger(session, scene, self._games, moment)
        awaited = await ledger.awaited(undone)
        if awaited is not None:
            raise _First(self.complete, *awaited)
        state = play.state_codec.load(again.replayed.document)
        number = scene.number + 1
        row = await ledger.undo(number, Author(who.account, True), undone, state)
        return _Entered(number, _Settled(scene, row))

    def _demand_now(
        self, scene: Scene, expected_seq: int, moment: datetime, *, entering: bool = False
    ) -> None:
        """Raise where it is not the time for a move, or for taking one back."""
        pending = Pending.of(scene)
        if pending is not None:
            raise _First(self.complete, scene.id, pending.number)
        if overdue(scene, moment) is not None:
            raise _First(self.lapse, scene.id)
        if not (entering and is_current(scene, expected_seq)):
            VersionConflict.check(expected_seq, scene.seq, "expectedSeq")
        if scene.ended_at is not None:
            raise MoveRejected.single("scene_over", "The scene is over.", "sceneId")

    def _play(self, scene: Scene) -> AnyPlay | None:
        game = game_of(self._games, played(scene))
        return None if game is None else game.play

    def _playable(self, scene: Scene) -> AnyPlay:
        play = self._play(scene)
        if play is None:
            message = "This installation no longer has the game."
            raise InvalidInput.single("SYSTEM_UNKNOWN", message, "sceneId", found=scene.system)
        return play


def _answer(scene: Scene, row: SceneMove, who: Participant) -> Performed:
    """Return what is answered to who moved.

    Raises:
        MoveRejected: the move came to nothing.
    """
    if row.kind == VOID:
        reason = " ".join(sentences(row.told, GM_EYES)) if who.gm else "This move came to nothing."
        raise MoveRejected.single("MOVE_VOID", reason, "move")
    return Performed(scene, row, who)


def _handed_over(source: str) -> MoveRejected:
    if source.startswith(TABLE):
        code, message = "heard_from_table", "A character has come to the table since, or left it."
    else:
        code, message = "heard_from_scene", "A scene handed this over: it is taken back there."
    return MoveRejected.single(code, message, "sceneId")


def _demand_actor(who: Participant, at: Position, actor: str) -> None:
    """Raise unless a member may move an actor."""
    if not who.may_move(at.play, at.state, actor):
        raise Forbidden.because("Only its player or a GM may move this actor.", "move", "actor")
