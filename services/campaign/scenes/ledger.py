"""Writes what happened into a scene: its new state, the row of the move, the campaign's log, the outbox.

All of it belongs to the caller's unit of work. What is hidden from some takes a number of another counter and
leaves no trace where those could find one: not in ``seq``, the log, or the topics that they wait for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.scenes.boards import board, leading
from services.campaign.scenes.changes import so_far
from services.campaign.scenes.deadlines import stop, wind
from services.campaign.scenes.events import (
    scene_board,
    scene_changed,
    scene_ended,
    scene_moved,
    scene_stirred,
)
from services.campaign.scenes.games import Games, play_of
from services.campaign.scenes.handover import Handover
from services.campaign.scenes.history import MOVE, UNDO, VOID, Author, Thrown, reserve
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.narration import (
    NO_EYES,
    hearers,
    is_open,
    movers,
    remark,
    retold,
    sentences,
    tell,
)
from services.campaign.scenes.positions import held, hold_answer, put
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.rows import Entry, written
from services.campaign.tables import OUTBOX
from services.rules.engine.play import GM, GM_ONLY, Outcome
from services.rules.engine.position import Held, Position
from services.rules.engine.steps import Happened, Run, Turn
from services.shared.outbox import publish


class Ledger:
    """Writes into one scene, which the unit of work holds.

    Args:
        session: the unit of work.
        scene: the scene, of a game that is played here.
        games: the games that are played here, by slug.
        moment: the present moment.
    """

    def __init__(self, session: AsyncSession, scene: Scene, games: Games, moment: datetime) -> None:
        self._session = session
        self._scene = scene
        self._games = games
        self._play = play_of(games, scene)
        self._moment = moment

    async def let_in(
        self, author: Author, at: Position, move: Any, entered: Run | Held, entropy: str | None = None
    ) -> SceneMove | None:
        """Let a lawful move or answer in: one that takes dice now as the scene's pending one, others are
        written.

        Args:
            author: who sends it.
            at: where the scene stands.
            move: the move.
            entered: what it came to.
            entropy: the mover's own random bytes for the dice, as text.

        Returns:
            Its row; None where it is pending.
        """
        if isinstance(entered, Held):
            return await self.answer(author, at, move, entered)
        if entered.rolls:
            reserve(self._play, self._scene, author, move, entropy)
            return None
        return await self.move(self._scene.number + 1, author, at, move, entered, [])

    async def answer(self, author: Author, at: Position, move: Any, entered: Held) -> SceneMove:
        """Write an answer that is in while others are not: all may know that, not what it says."""
        scene, ask = self._scene, entered.ask
        number = scene.number + 1
        then = Position(self._play, at.state, entered.waiting)
        self._advance(number, scene.state_hash)
        wind(self._session, scene, then, self._moment, but=author.lapses)
        entry = Entry(
            kind=MOVE,
            author=author,
            actor=ask.actor,
            known_to=ask.audience,
            is_open=ask.audience.everyone,
            part_of=entered.waiting.number,
            move=self._play.move_codec.dump(move),
            sealed=ask.sealed,
        )
        row = self._write(entry)
        hold_answer(scene, then, number, secret=not ask.open_to_gm)
        await self._tell(row, "scene.move")
        return row

    async def move(
        self, number: int, author: Author, at: Position, move: Any, run: Run, thrown: Sequence[Thrown]
    ) -> SceneMove:
        """Write a move that came as far as it can for now; a scene that it ends is closed.

        Args:
            number: of its row.
            author: who sent it.
            at: where the scene stood before it.
            move: the move, or the answer with which a move that waited goes on.
            run: the move on its way.
            thrown: the dice that fell since then.
        """
        happened = run.happened[at.told :]
        then = at.after(run, number)
        play = self._play
        entry = Entry(
            kind=MOVE,
            author=author,
            actor=move.actor,
            known_to=movers(play, (at.state, then.state), move.actor, self._scene.cast),
            part_of=None if at.waiting is None else at.waiting.number,
            move=play.move_codec.dump(move),
            rolls=[each.form() for each in thrown],
            sealed=at.seals(move),
        )
        return await self._happened(number, at, then, happened, entry)

    async def hear(self, author: Author, turn: Turn[Any, Any], source: str) -> None:
        """Write what a scene hands over to the campaign's own, which this ledger is of; nothing for nothing.

        Args:
            author: whose move it was there.
            turn: the campaign's state with what it heard.
            source: the scene, and the number of its row.
        """
        if not turn.happened:
            return
        before = Position(self._play, turn.happened[0].before)
        then = Position(self._play, turn.state)
        entry = Entry(kind=MOVE, author=author, actor=GM, heard_from=source)
        await self._happened(self._scene.number + 1, before, then, tuple(turn.happened), entry)

    async def _happened(
        self, number: int, at: Position, then: Position, happened: Sequence[Happened], entry: Entry
    ) -> SceneMove:
        """Write a row of what happened, tell it to those who may know of it, and to what the scene leads or
        serves.
        """
        scene, play, author = self._scene, self._play, entry.author
        self._advance(number, then.hash)
        wind(self._session, scene, then, self._moment, but=author.lapses)
        row = self._write(
            replace(
                entry,
                told=tell(play, happened, scene.cast),
                is_open=is_open(play, happened) or any(ask.audience.everyone for ask in then.asks),
                events=[play.event_codec.dump(each.event) for each in happened],
            )
        )
        put(scene, then)
        await self._tell(row, "scene.move")
        outcome = play.outcome(then.state)
        await self._board(at.state, then.state, ended=outcome.ended)
        if outcome.ended:
            await self._end(author, then.state, outcome)
        else:
            await self._change(then)
        await self._handover().over(scene, author, [each.event for each in happened])
        await self._handover().take_in(scene)
        return row

    def _handover(self) -> Handover:
        return Handover(
            self._session, self._games, lambda own: Ledger(self._session, own, self._games, self._moment)
        )

    async def _end(self, author: Author, state: Any, outcome: Outcome) -> None:
        scene = self._scene
        scene.ended_at = self._moment
        changes = self._play.changes(state)
        text = " ".join(filter(None, (outcome.text, *(change.text for change in changes))))
        text = text or f"{scene.title} is over."
        await self._log("scene.ended", text, author.account)
        await publish(self._session, OUTBOX, scene_ended(scene, changes, text), self._moment)

    async def undo(self, number: int, author: Author, undone: Sequence[SceneMove], state: Any) -> SceneMove:
        """Write that a move is taken back with all answers to it, for those who know of it.

        An answer that was still secret is never read any more: nothing has been made of it.

        Args:
            number: of the row.
            author: who takes it back.
            undone: the rows of the move, its own first.
            state: where the scene stood before it.
        """
        leads = leading(self._play, self._scene)
        before = self._play.state_codec.load(self._scene.state) if leads else None
        then = Position(self._play, state)
        unread = held(self._scene)
        self._advance(number, then.hash)
        wind(self._session, self._scene, then, self._moment, keep=False)
        for row in undone:
            row.undone_by = number
            row.sealed = row.sealed or row.number in unread
        told = retold([entry for row in undone for entry in row.told], self._scene.cast)
        is_open = any(row.seq is not None for row in undone)
        entry = Entry(kind=UNDO, author=author, actor=GM, told=told, is_open=is_open, undoes=undone[0].number)
        row = self._write(entry)
        put(self._scene, then)
        await self._tell(row, "scene.undo")
        await self._board(before, state)
        await self._change(then)
        await self._handover().back(self._scene, author, [each.number for each in undone])
        await self._handover().take_in(self._scene)
        return row

    async def awaited(self, undone: Sequence[SceneMove]) -> tuple[str, int] | None:
        """Find the scene and number of a pending move that comes before rows are taken back, if any."""
        return await self._handover().awaited(self._scene, [each.number for each in undone])

    async def begin(self, own: Scene) -> None:
        """Tell the campaign's own, which the unit of work holds, that this scene of it is begun."""
        await self._handover().begun(own, self._scene)

    async def came(self, author: Author, character: str, sheet: Mapping[str, Any]) -> None:
        """Tell the campaign's own, which this ledger is of, that a character has come to the table."""
        await self._handover().came(self._scene, author, character, sheet)

    async def went(self, author: Author, character: str) -> None:
        """Tell the campaign's own, which this ledger is of, that a character has left the table."""
        await self._handover().went(self._scene, author, character)

    async def void(
        self,
        number: int,
        author: Author,
        actor: str,
        move: dict[str, Any],
        thrown: Sequence[Thrown],
        reason: str,
    ) -> SceneMove:
        """Write that a move came to nothing; the scene stands where it stood."""
        self._scene.number = number
        self._scene.pending = None
        if author.lapses is not None:
            # Its dice would be refused again and again: the table waits for people until they have moved.
            stop(self._scene, author.lapses)
        entry = Entry(
            kind=VOID,
            author=author,
            actor=actor,
            known_to=GM_ONLY,
            told=remark(reason),
            move=move,
            rolls=[each.form() for each in thrown],
        )
        row = self._write(entry)
        await self._tell(row, "scene.void")
        return row

    def _advance(self, number: int, hashed: str) -> None:
        self._scene.number = number
        self._scene.state_hash = hashed
        self._scene.pending = None

    def _write(self, entry: Entry) -> SceneMove:
        row = written(self._scene, entry, self._moment)
        Scenes(self._session).add(row)
        return row

    async def _tell(self, row: SceneMove, kind: str) -> None:
        if row.seq is None:
            for eyes in (GM, *hearers(row.told)):
                await publish(self._session, OUTBOX, scene_stirred(self._scene, eyes), self._moment)
            return
        text = " ".join(sentences(row.told, NO_EYES))
        if text:
            await self._log(kind, text, row.account)
        await publish(self._session, OUTBOX, scene_moved(self._scene), self._moment)

    async def _board(self, before: Any, after: Any, *, ended: bool = False) -> None:
        """Publish the stored map that the scene leads, where it has changed, and once more at the end."""
        if not leading(self._play, self._scene):
            return
        now = board(self._play, after, None if ended else before)
        if now is not None:
            owners = await Scenes(self._session).players(self._scene)
            event = scene_board(self._scene, now, not ended, owners)
            await publish(self._session, OUTBOX, event, self._moment)

    async def _change(self, at: Position) -> None:
        """Publish what the running scene has changed so far about its characters, where that is new."""
        before, self._scene.changes = self._scene.changes, so_far(at, self._scene.cast)
        if self._scene.changes != before:
            await publish(self._session, OUTBOX, scene_changed(self._scene, before), self._moment)

    async def _log(self, kind: str, text: str, account: str) -> None:
        await Log(self._session).write(
            self._scene.campaign, kind, text, self._moment, account=account, subject=self._scene.id
        )
