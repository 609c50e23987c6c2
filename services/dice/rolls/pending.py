"""The rolls of a request before they are made: what is kept of each, whatever it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from services.dice.rolls.reader import Asked
from services.dice.rolls.requests import ExternalMessage
from services.rules.dice.vr1 import Chain
from services.shared.auth import Viewer
from services.shared.ids import new_id


@dataclass(frozen=True, slots=True)
class PendingRoll:
    """A roll that is to be made, as far as it is kept whatever it comes to.

    Attributes:
        roll: its id.
        batch: name of the request it is part of.
        batch_place: its place among the rolls of that request, from 0.
        place: where: the campaign, or else the account.
        account: who rolls.
        campaign, character, scene: ids, where there are any.
        label: what it is for.
        expression: in dice notation, without variables.
        definitions: the named dice in it.
        secret: whether only the GMs may see it.
        external: the message elsewhere by which it was asked for, if any.
    """

    roll: str
    batch: str
    batch_place: int
    place: str
    account: str
    campaign: str | None
    character: str | None
    scene: str | None
    label: str | None
    expression: str
    definitions: str | None
    secret: bool
    external: ExternalMessage | None = None

    @property
    def chain(self) -> Chain:
        """The chain that its number is taken from."""
        return Chain.SECRET if self.secret else Chain.OPEN


def pending_rolls(viewer: Viewer, many: Iterable[Asked], batch: str, moment: datetime) -> list[PendingRoll]:
    """Names the rolls of a request, in the order asked for."""
    found = []
    asked_before: Counter[bool] = Counter()
    for place, asked in enumerate(many):
        # Ids sort by the moment and, within a request, by the order asked for; open and secret rolls
        # are counted apart, or a gap between the ids of open ones would tell of a secret one.
        secret = asked.secret
        milliseconds = int(moment.timestamp() * 1000) + asked_before[secret]
        asked_before[secret] += 1
        found.append(
            PendingRoll(
                roll=new_id("rol", milliseconds=milliseconds),
                batch=batch,
                batch_place=place,
                place=asked.place,
                account=viewer.account,
                campaign=asked.campaign,
                character=asked.character,
                scene=asked.scene,
                label=asked.label,
                expression=asked.ready.expression,
                definitions=asked.ready.definitions,
                secret=secret,
                external=asked.external,
            )
        )
    return found
