"""What can be done with rolls: make them, one or many at once, reveal secret ones, and read what was rolled.

Each roll is drawn from the verifiable chain of its place, and its receipt is written in the same transaction.
Dice that fall so that the expression means nothing (a division by zero) use up a number of the chain all the
same: that number is published as void.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

import orjson
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.asking import Asked, NewRoll, Reader
from services.dice.chain.ledger import EpochMoved, Ledger
from services.dice.events import hidden, recorded
from services.dice.models import IDEMPOTENCY, OUTBOX, RollRow
from services.dice.replay import Recorded, read_definitions
from services.dice.repository import Narrowed, Rolls
from services.dice.scenes import SceneAsked
from services.dice.statistics.repository import OpenRoll, tally_all
from services.rules.dice.failure import RollError
from services.rules.dice.result import RollResult
from services.rules.dice.text import text
from services.rules.dice.vr1 import Chain, RollContent, Table
from services.shared.access import Access, AccessSource
from services.shared.auth import Viewer
from services.shared.clock import Clock
from services.shared.database import Database
from services.shared.idempotency import Conflict, Replay, claim, remember
from services.shared.ids import new_id
from services.shared.outbox import publish
from services.shared.pagination import Page
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    Issue,
    NotFound,
    Unavailable,
)
from services.shared.sequence import next_value

BATCH = 100
"""Rolls of one request, and of one step of a subscription."""

MADE = "."
_VOIDS = {
    "D": ("DIVISION_BY_ZERO", "The dice fell so that something would be divided by zero."),
    "N": ("NO_WHOLE_NUMBER", "The dice fell so that a number of dice, of sides or an exponent is none."),
    "M": ("TOO_MANY_DICE", "The dice would not come to an end."),
    "L": ("TOO_LARGE", "The total is too large."),
}
"""Why dice come to nothing, by the letter that is remembered of it."""


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a request.

    Attributes:
        rolls: those that were kept, in the order asked for.
        voids: those that came to nothing when the dice fell, an issue each.
    """

    rolls: Sequence[Recorded]
    voids: Sequence[Issue]


@dataclass(frozen=True, slots=True)
class Slot:
    """What a roll will be known by.

    Attributes:
        roll: its id.
        batch: name of the request it is part of.
        place: its place among the rolls of that request, from 0.
    """

    roll: str
    batch: str
    place: int


Refusal = InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable


class DiceService:
    """The use cases of rolls.

    Args:
        database: where rolls are kept.
        clock: the present moment.
        access: who sees which campaigns.
        reader: finds out what requests mean.
        ledger: the verifiable source of all faces.
    """

    def __init__(
        self, database: Database, clock: Clock, access: AccessSource, reader: Reader, ledger: Ledger
    ) -> None:
        self._database = database
        self._clock = clock
        self._access = access
        self._reader = reader
        self._ledger = ledger

    async def roll(self, viewer: Viewer, new: NewRoll, key: str | None = None) -> Recorded | Refusal:
        """Roll dice and keep the roll; under the same key, the same roll."""
        asked = await self._read(viewer, new)
        if not isinstance(asked, Asked):
            return asked
        made = await self._make(viewer, [asked], {"roll": asdict(new)}, key)
        if not isinstance(made, Made):
            return made
        if made.rolls:
            return made.rolls[0]
        return InvalidInput.single(made.voids[0].code, made.voids[0].message, "expression")

    async def roll_many(
        self, viewer: Viewer, many: Sequence[NewRoll], key: str | None = None
    ) -> Made | Refusal:
        """Roll up to 100 times in one transaction; nothing is rolled unless every request may be."""
        if not 1 <= len(many) <= BATCH:
            return InvalidInput.single(
                "TOO_MANY",
                f"From 1 to {BATCH} rolls go into one request.",
                "rolls",
                found=str(len(many)),
                allowed=f"1..{BATCH}",
            )
        asked = []
        issues: list[Issue] = []
        for place, new in enumerate(many):
            found = await self._read(viewer, new)
            if isinstance(found, Asked):
                asked.append(found)
            elif isinstance(found, InvalidInput):
                issues += [_inside(issue, place) for issue in found.issues]
            else:
                found.path[:0] = ["rolls", str(place)]
                return found
        if issues:
            return InvalidInput.of(issues)
        return await self._make(viewer, asked, {"rolls": [asdict(new) for new in many]}, key)

    async def draw_for_scene(
        self, viewer: Viewer, asked: SceneAsked
    ) -> Sequence[Recorded] | IdempotencyConflict:
        """Roll the dice of a move in a scene, or give those that were rolled for it before, however long ago.

        Whoever calls this has checked that the viewer may make the move.
        """
        moment = self._clock()
        async with self._database.write() as session:
            kept = Rolls(session, Access(viewer.account, {}))
            await kept.hold_scene(asked.scene)
            before = await kept.of_batch(asked.batch)
            if before:
                if not asked.gave(before):
                    return IdempotencyConflict.of("key")
                return [Recorded.of(row) for row in before]
            rolls, _ = await self._draw_all(session, viewer, asked.rolls(), asked.batch, moment)
        return rolls

    async def reveal(self, viewer: Viewer, roll_id: str) -> Recorded | NotFound | Forbidden | Unavailable:
        """Show a secret roll to the whole table; one that is open already stays as it is."""
        try:
            access = await self._access.of(viewer)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)
        moment = self._clock()
        async with self._database.write() as session:
            row = await Rolls(session, access).for_change(roll_id)
            if row is None:
                return NotFound.of("roll", "id")
            if row.seq is not None:
                return Recorded.of(row)
            if row.campaign is None or not access.runs(row.campaign):
                return Forbidden.because("Only a GM reveals what was rolled in secret.", "id")
            row.seq = await next_value(session, f"rolls:{row.place}")
            row.revealed_at = moment
            session.add(row)
            shown = Recorded.of(row)
            await self._ledger.reveal(session, row.id)
            await self._publish_open(session, shown, moment)
            await tally_all(session, [_open(shown)])
        return shown

    async def rolls(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Recorded]:
        """Read those of the rolls that the viewer may see."""
        access = await self._access.of(viewer)
        async with self._database.read() as session:
            found = await Rolls(session, access).by_id(ids)
        return {key: Recorded.of(row) for key, row in found.items()}

    async def content(self, viewer: Viewer, roll_id: str) -> RollContent | None:
        """Evaluate a roll that the viewer may see anew, for its verification; None where there is none."""
        found = (await self.rolls(viewer, [roll_id])).get(roll_id)
        return None if found is None else _content(found.row, found.result)

    async def page(
        self, viewer: Viewer, wanted: Narrowed, *, first: int, after: str | None
    ) -> Page[Recorded]:
        """Read a page of the rolls that the viewer may see, newest first, narrowed by what is given."""
        access = await self._access.of(viewer, campaign=wanted.campaign, character=wanted.character)
        async with self._database.read() as session:
            page = await Rolls(session, access).page(wanted, first=first, after=after)
        return Page([Recorded.of(row) for row in page.items], page.has_next, page.has_previous)

    async def behind(
        self, viewer: Viewer, campaign: str | None, seq: int, *, secret: bool = False
    ) -> list[Recorded] | None:
        """Read rolls behind number ``seq``, in order, of a campaign or of the viewer's own outside of any.

        Gives None when the viewer is no member of the campaign (any more), or does not run it where the
        secret rolls are asked for.
        """
        access = await self._access.of(viewer, campaign=campaign)
        if campaign is not None and campaign not in access.roles:
            return None
        if secret and not access.runs(campaign or ""):
            return None
        async with self._database.read() as session:
            rows = await Rolls(session, access).behind(
                campaign or viewer.account, seq, secret=secret, limit=BATCH
            )
        return [Recorded.of(row) for row in rows]

    async def _read(
        self, viewer: Viewer, new: NewRoll
    ) -> Asked | InvalidInput | NotFound | Forbidden | Unavailable:
        try:
            return await self._reader.read(viewer, new)
        except PeerUnavailable as error:
            return Unavailable.of(error.peer)

    async def _make(
        self, viewer: Viewer, many: Sequence[Asked], request: dict[str, object], key: str | None
    ) -> Made | IdempotencyConflict | InvalidInput:
        """Draw, keep and tell all rolls of a request, or give what came of it before."""
        try:
            return await self._make_at_once(viewer, many, request, key)
        except EpochMoved as error:
            return InvalidInput.single(
                "EPOCH_MOVED",
                "The epoch of verifiable rolls has ended; look at the commitment of the next one first.",
                "epoch",
                allowed=error.live,
            )

    async def _make_at_once(
        self, viewer: Viewer, many: Sequence[Asked], request: dict[str, object], key: str | None
    ) -> Made | IdempotencyConflict:
        """Carry a request out in one transaction."""
        moment = self._clock()
        batch = new_id("bat")
        async with self._database.write() as session:
            claimed = await claim(session, IDEMPOTENCY, viewer.account, key, request, moment)
            if isinstance(claimed, Conflict):
                return IdempotencyConflict.of()
            if isinstance(claimed, Replay):
                return await self._made_before(session, viewer, claimed.answer)
            rolls, marks = await self._draw_all(session, viewer, many, batch, moment)
            await remember(session, IDEMPOTENCY, viewer.account, key, f"{batch}:{marks}")
        return Made(rolls, _voids(marks))

    async def _made_before(self, session: AsyncSession, viewer: Viewer, answer: str) -> Made:
        batch, _, marks = answer.partition(":")
        rows = await Rolls(session, Access(viewer.account, {})).of_batch(batch)
        return Made([Recorded.of(row) for row in rows], _voids(marks))

    async def _draw_all(
        self, session: AsyncSession, viewer: Viewer, many: Iterable[Asked], batch: str, moment: datetime
    ) -> tuple[list[Recorded], str]:
        """Draw, keep, tell and count the rolls of a batch; give those kept, and for each what came of it."""
        rolls: list[Recorded] = []
        marks = ""
        asked_before: Counter[bool] = Counter()
        for place, asked in enumerate(many):
            # Ids sort by the moment and, within a request, by the order asked for; open and secret rolls
            # are counted apart, or a gap between the ids of open ones would tell of a secret one.
            secret = asked.new.secret
            milliseconds = int(moment.timestamp() * 1000) + asked_before[secret]
            asked_before[secret] += 1
            slot = Slot(new_id("rol", milliseconds=milliseconds), batch, place)
            outcome = await self._draw(session, viewer, asked, slot, moment)
            marks += outcome if isinstance(outcome, str) else MADE
            if isinstance(outcome, Recorded):
                rolls.append(outcome)
        await tally_all(session, [_open(roll) for roll in rolls if not roll.secret])
        return rolls, marks

    async def _draw(
        self, session: AsyncSession, viewer: Viewer, asked: Asked, slot: Slot, moment: datetime
    ) -> Recorded | str:
        """Draw one roll; give it, or the letter for why the dice came to nothing."""
        secret = asked.new.secret
        chain = Chain.SECRET if secret else Chain.OPEN
        draw = await self._ledger.draw(
            session, asked.place, chain, asked.entropy, moment, epoch=asked.new.epoch
        )
        try:
            result = asked.ready.plan.roll(draw.stream())
        except RollError as error:
            await self._ledger.void(session, draw, error.code, moment)
            return next(letter for letter, (code, _) in _VOIDS.items() if code == error.code)
        scope = f"rolls:{asked.place}:secret" if secret else f"rolls:{asked.place}"
        seq = await next_value(session, scope)
        row = RollRow(
            id=slot.roll,
            place=asked.place,
            seq=None if secret else seq,
            secret_seq=seq if secret else None,
            account=viewer.account,
            campaign=asked.campaign,
            character=asked.new.character,
            scene=asked.new.scene,
            label=asked.label,
            expression=asked.ready.expression,
            definitions=asked.ready.definitions,
            faces=orjson.dumps(result.faces).decode(),
            total=result.total,
            exact=None if isinstance(result.value, int) else str(result.value),
            outcome=result.outcome,
            epoch=draw.epoch,
            number=draw.number,
            batch=slot.batch,
            batch_place=slot.place,
            created_at=moment,
        )
        Rolls(session, Access(viewer.account, {})).add(row)
        await self._ledger.record(session, draw, _content(row, result), moment)
        made = Recorded(row, result)
        if secret:
            await publish(session, OUTBOX, hidden(row), moment)
        else:
            await self._publish_open(session, made, moment)
        return made

    async def _publish_open(self, session: AsyncSession, made: Recorded, moment: datetime) -> None:
        """Tell of an open roll."""
        await publish(session, OUTBOX, recorded(made.row, text(made.result)), moment)


def _open(made: Recorded) -> OpenRoll:
    row = made.row
    return OpenRoll(row.place, row.account, made.result, row.expression, row.definitions)


def _content(row: RollRow, result: RollResult) -> RollContent:
    draws = result.draws
    return RollContent(
        roll=row.id,
        expression=row.expression,
        dice=tuple(sides for sides, _ in draws),
        faces=tuple(face for _, face in draws),
        tables={
            name: Table.of([(face.label, face.value) for face in faces])
            for name, faces in read_definitions(row.definitions).items()
        },
        total=result.value,
    )


def _voids(marks: str) -> list[Issue]:
    """Say which rolls of a request came to nothing, and why."""
    return [
        Issue(code=_VOIDS[mark][0], message=_VOIDS[mark][1], path=["rolls", str(place), "expression"])
        for place, mark in enumerate(marks)
        if mark != MADE
    ]


def _inside(issue: Issue, place: int) -> Issue:
    return Issue(
        code=issue.code,
        message=issue.message,
        path=["rolls", str(place), *issue.path],
        rule=issue.rule,
        found=issue.found,
        allowed=issue.allowed,
    )
