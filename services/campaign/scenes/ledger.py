"""Writes what happened into a scene: its new state, the row of the move, the campaign's log, the outbox.

All of it belongs to the caller's unit of work. What is hidden from some takes a number of another counter and
leaves no trace where those could find one: not in ``seq``, the log, or the topics that they wait for.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.events import scene_board, scene_ended, scene_moved, scene_stirred
from services.campaign.models import OUTBOX, Scene, SceneMove
from services.campaign.repository import Campaigns
from services.campaign.scenes.boards import board, leading
from services.campaign.scenes.history import MOVE, UNDO, VOID, Author, Thrown, reserve
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.telling import (
    ANYBODY,
    NO_EYES,
    Told,
    heard_by,
    hearers,
    is_open,
    movers,
    remark,
    retold,
    sentences,
    tell,
)
from services.campaign.scenes.timing import stop, wind
from services.rules.engine.codec import encode
from services.rules.engine.driver import Made, settle, state_hash
from services.rules.engine.play import EVERYONE, GM, GM_ONLY, AnyPlay, Audience, Check
from services.rules.engine.problem import Problems
from services.shared.outbox import publish


class Ledger:
    """Writes into one scene, which the unit of work holds.

    Args:
        session: the unit of work.
        scene: the scene.
        play: its game.
        moment: the present moment.
    """

    def __init__(self, session: AsyncSession, scene: Scene, play: AnyPlay, moment: datetime) -> None:
        self._session = session
        self._scene = scene
        self._play = play
        self._moment = moment

    async def let_in(
        self, author: Author, before: Any, move: Any, check: Check, entropy: str | None = None
    ) -> Problems | None:
        """Let a lawful move in: one with dice as the scene's pending move, one without is settled at once.

        Args:
            author: who sends it.
            before: where the scene stands.
            move: the move.
            check: its dice.
            entropy: the mover's own random bytes for the dice, as text.

        Returns:
            None; or what the rules say of it after all, and then nothing is written.
        """
        if any(roll.dice.value > 0 for roll in check.rolls):
            reserve(self._play, self._scene, author, move, check, entropy)
            return None
        made = settle(self._play, before, move, check, tuple(() for _ in check.rolls))
        if isinstance(made, Problems):
            return made
        thrown = [Thrown(roll, (), None) for roll in check.rolls]
        await self.move(self._scene.number + 1, author, before, made, thrown)
        return None

    async def move(
        self, number: int, author: Author, before: Any, made: Made, thrown: Sequence[Thrown]
    ) -> None:
        """Write a move that was made; a scene that it ends is closed."""
        scene, play = self._scene, self._play
        told = tell(play, before, made.events, scene.cast)
        self._advance(number, made.state, state_hash(play, made.state))
        wind(self._session, play, scene, made.state, self._moment, but=author.lapses)
        row = self._row(
            MOVE,
            author,
            told,
            is_open=is_open(play, made.events),
            actor=made.move.actor,
            known_to=movers(play, (before, made.state), made.move.actor, scene.cast),
            move=play.move_codec.dump(made.move),
            rolls=[each.form() for each in thrown],
            events=[play.event_codec.dump(event) for event in made.events],
        )
        await self._tell(row, "scene.move")
        outcome = play.outcome(made.state)
        await self._board(before, made.state, ended=outcome.ended)
        if outcome.ended:
            scene.ended_at = self._moment
            changes = play.changes(made.state)
            text = " ".join(filter(None, (outcome.text, *(change.text for change in changes))))
            text = text or f"{scene.title} is over."
            await self._log("scene.ended", text, author.account)
            await publish(self._session, OUTBOX, scene_ended(scene, changes, text), self._moment)

    async def undo(self, number: int, author: Author, undone: SceneMove, state: Any) -> None:
        """Write that a move is taken back, for those who know of it."""
        leads = leading(self._play, self._scene)
        before = self._play.state_codec.load(self._scene.state) if leads else None
        self._advance(number, state, state_hash(self._play, state))
        wind(self._session, self._play, self._scene, state, self._moment, keep=False)
        undone.undone_by = number
        told = retold(undone.told, self._scene.cast)
        row = self._row(UNDO, author, told, is_open=undone.seq is not None, actor=GM, undoes=undone.number)
        await self._tell(row, "scene.undo")
        await self._board(before, state)

    async def void(
        self,
        number: int,
        author: Author,
        actor: str,
        move: dict[str, Any],
        thrown: Sequence[Thrown],
        reason: str,
    ) -> None:
        """Write that a move came to nothing; the scene stands where it stood."""
        self._scene.number = number
        self._scene.pending = None
        if author.lapses is not None:
            # Its dice would be refused again and again: the table waits for people until they have moved.
            stop(self._scene, author.lapses)
        row = self._row(
            VOID,
            author,
            remark(reason),
            is_open=False,
            actor=actor,
            known_to=GM_ONLY,
            move=move,
            rolls=[each.form() for each in thrown],
        )
        await self._tell(row, "scene.void")

    def _advance(self, number: int, state: Any, hashed: str) -> None:
        self._scene.number = number
        self._scene.state = self._play.state_codec.dump(state)
        self._scene.state_hash = hashed
        self._scene.pending = None

    def _row(
        self,
        kind: str,
        author: Author,
        told: Told,
        *,
        is_open: bool,
        actor: str,
        known_to: Audience = EVERYONE,
        move: dict[str, Any] | None = None,
        rolls: Sequence[dict[str, Any]] = (),
        events: Sequence[dict[str, Any]] = (),
        undoes: int | None = None,
    ) -> SceneMove:
        scene = self._scene
        if is_open:
            scene.seq += 1
        else:
            scene.secret_seq += 1
        row = SceneMove(
            scene=scene.id,
            number=scene.number,
            kind=kind,
            seq=scene.seq if is_open else None,
            secret_seq=None if is_open else scene.secret_seq,
            since=scene.seq,
            actor=actor,
            known_to=cast(dict[str, Any], encode(Audience, known_to)),
            account=author.account,
            by_gm=author.by_gm,
            lapsed=author.lapses is not None,
            move=move,
            rolls=list(rolls),
            events=list(events),
            told=told,
            heard=ANYBODY if is_open else "" if kind == VOID else heard_by(told, author.account),
            undoes=undoes,
            state_hash=scene.state_hash,
            created_at=self._moment,
        )
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
            await publish(self._session, OUTBOX, scene_board(self._scene, now, not ended), self._moment)

    async def _log(self, kind: str, text: str, account: str) -> None:
        await Campaigns(self._session).write_log(
            self._scene.campaign, kind, text, self._moment, account=account, subject=self._scene.id
        )
