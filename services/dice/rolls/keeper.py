"""Keeps what rolls came to: the row, its receipt in the chain, and the news of it, in one unit of work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import orjson
from sqlmodel.ext.asyncio.session import AsyncSession

from services.dice.chain.ledger import Draw, Ledger
from services.dice.rolls.evaluation import Evaluated
from services.dice.rolls.events import hidden, recorded
from services.dice.rolls.models import RollRow
from services.dice.rolls.pending import PendingRoll
from services.dice.rolls.replay import Recorded, read_definitions
from services.dice.rolls.transcript import Transcript
from services.dice.statistics.repository import OpenRoll, tally_all
from services.dice.tables import OUTBOX
from services.rules.dice.vr1 import RollContent, Table
from services.shared.outbox import publish
from services.shared.sequence import next_value


class Keeper:
    """Keeps rolls.

    Args:
        ledger: keeps their receipts.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def keep(
        self, session: AsyncSession, wanted: PendingRoll, draw: Draw, found: Evaluated, moment: datetime
    ) -> Recorded:
        """Keep a roll and tell of it; it is still to be counted.

        Args:
            session: the unit of work in which its number was drawn.
            wanted: what was asked for.
            draw: its number in the chain.
            found: what it came to.
            moment: when it was rolled.
        """
        secret, told, external = wanted.secret, found.told, wanted.external
        scope = f"rolls:{wanted.place}:secret" if secret else f"rolls:{wanted.place}"
        seq = await next_value(session, scope)
        row = RollRow(
            id=wanted.roll,
            place=wanted.place,
            seq=None if secret else seq,
            secret_seq=seq if secret else None,
            account=wanted.account,
            campaign=wanted.campaign,
            character=wanted.character,
            scene=wanted.scene,
            label=wanted.label,
            expression=wanted.expression,
            definitions=wanted.definitions,
            faces=found.faces,
            total=told.value // 1,
            exact=None if isinstance(told.value, int) else str(told.value),
            outcome=found.outcome,
            epoch=draw.epoch,
            number=draw.number,
            void=told.void,
            told=found.stored,
            batch=wanted.batch,
            batch_place=wanted.batch_place,
            external_author=None if external is None else external.author,
            external_message=None if external is None else external.message_id,
            external_platform=None if external is None else external.platform,
            created_at=moment,
        )
        session.add(row)
        content = content_of(row, told)
        if told.void is None:
            await self._ledger.record(session, draw, content, moment)
        else:
            await self._ledger.void(session, draw, wanted.account, content, moment)
        event = hidden(row) if secret else recorded(row, told.text)
        await publish(session, OUTBOX, event, moment)
        return Recorded(row, told)


async def count(session: AsyncSession, rolls: Sequence[Recorded]) -> None:
    """Count those of the rolls that everybody may see, in the unit of work in which they become open."""
    await tally_all(
        session,
        [
            OpenRoll(
                roll.row.place, roll.row.account, roll.told.fallen, roll.row.expression, roll.row.definitions
            )
            for roll in rolls
            if not roll.secret
        ],
    )


def content_of(row: RollRow, told: Transcript) -> RollContent:
    """Returns what a receipt tells of a roll."""
    return RollContent(
        roll=row.id,
        expression=row.expression,
        dice=told.drawn_sizes,
        faces=tuple(orjson.loads(row.faces)),
        tables={
            name: Table.of([(face.label, face.value) for face in faces])
            for name, faces in read_definitions(row.definitions).items()
        },
        total=told.value,
        void=told.void,
    )
