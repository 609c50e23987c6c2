"""How the dice fell at a table, for those who sit there, and one's own outside of any.

Only open rolls were ever counted, so everybody at the table may read the whole of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from services.dice.library.lexicons import OwnDice
from services.dice.statistics.counting import named_kind
from services.dice.statistics.expectation import Odds
from services.dice.statistics.fairness import Fairness, caution, fairness
from services.dice.statistics.luck import Expectation, Luck, Totals, luck
from services.dice.statistics.repository import Kind, Rolled, Tallies
from services.rules.dice.notation import NotationError
from services.rules.dice.pool import Faces
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.policy import Policy

ODDS_SECONDS = 4.0
"""How long odds may take all together; what is not known by then is not reckoned."""

ODDS_AT_ONCE = 4
"""Questions about odds at a time, so that others are not kept waiting."""

FATE = ("-1", "0", "+1")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose rolls are looked at, by one who may.

    Attributes:
        place: id of the campaign, or else of the viewer's account.
        account: only of this player; None for everybody at the table.
        viewer: who looks.
    """

    place: str
    account: str | None
    viewer: Viewer


@dataclass(frozen=True, slots=True)
class FaceCount:
    """How often one face came.

    Attributes:
        face: Counted from 1.
        label: What is on it.
        count: How often it came.
    """

    face: int
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class DieStatistics:
    """How the dice of one kind fell.

    Attributes:
        die: `d6`, `dF`, or the name of a die with faces of its own.
        former: Whether the table has changed or forgotten this die since; its faces are then numbered.
        faces: How often each face came.
        fairness: Whether that is anything to wonder at.
    """

    die: str
    former: bool
    faces: tuple[FaceCount, ...]
    fairness: Fairness


@dataclass(frozen=True, slots=True)
class DiceStatistics:
    """How the dice fell, kind by kind.

    Attributes:
        kinds: The kinds rolled most, at most 50, most first.
        other_dice: How many dice of further kinds were rolled.
        caution: What to keep in mind when several kinds are tested.
    """

    kinds: tuple[DieStatistics, ...]
    other_dice: int
    caution: str


class StatisticsService:
    """The use cases of statistics.

    Args:
        database: where rolls were counted.
        policy: who may do what.
        definitions: returns the dice of a place's own, as they are now.
        named: the games' own dice by name.
        odds: knows what expressions are expected to come to.
        seconds: how long that may take all together.
    """

    def __init__(
        self,
        database: Database,
        policy: Policy,
        definitions: Callable[[str], Awaitable[OwnDice]],
        named: OwnDice,
        odds: Odds,
        *,
        seconds: float = ODDS_SECONDS,
    ) -> None:
        self._database = database
        self._policy = policy
        self._definitions = definitions
        self._named = named
        self._odds = odds
        self._seconds = seconds

    async def scope(self, viewer: Viewer, campaign: str | None, account: str | None) -> Scope | None:
        """Say what a viewer may look at; None where they may not.

        Args:
            viewer: who asks.
            campaign: id of the campaign; None for the viewer's own rolls outside of any.
            account: only the rolls of this player.

        Raises:
            Unavailable: nobody knows whether the viewer is a member.
        """
        seat = await self._policy.seat_to_read(viewer, campaign)
        if seat is None or (seat.campaign is None and account not in (None, viewer.account)):
            return None
        # What is no account's id has rolled nothing; it need not be looked for, nor can every text be.
        return Scope(seat.place, account if account is None or is_id(account, "acc") else "", viewer)

    async def dice(self, scope: Scope, die: str | None = None) -> DiceStatistics:
        """Tell how the dice fell, and whether their faces came evenly.

        Args:
            scope: whose.
            die: only of this kind, `d6`; earlier faces of a die of the same name are kinds of their own.
        """
        async with self._database.read() as session:
            kinds, others = await Tallies(session, scope.place, scope.account).kinds()
        known = _labels({**self._named, **await self._definitions(scope.place)})
        every = [_shown(kind, known) for kind in kinds]
        found = tuple(kind for kind in every if die is None or kind.die == die)
        return DiceStatistics(found, others, caution([kind.fairness for kind in found]))

    async def luck(self, scope: Scope) -> Luck:
        """Tell how high the totals were, compared with the odds of each expression."""
        async with self._database.read() as session:
            rolled, others = await Tallies(session, scope.place, scope.account).rolled()
        expectations = await self._expectations(scope.viewer, rolled)
        totals = [
            Totals(one.counts, expected, one.voids)
            for one, expected in zip(rolled, expectations, strict=True)
        ]
        return luck(totals, left_out=others)

    async def _expectations(self, viewer: Viewer, rolled: Sequence[Rolled]) -> list[Expectation | None]:
        """Return what is known within the time there is; those that take long do not hold up the others."""
        turns = asyncio.Semaphore(ODDS_AT_ONCE)

        async def ask(one: Rolled) -> Expectation | None:
            async with turns:
                try:
                    return await self._odds.expectation(viewer, one.expression, one.definitions)
                except NotationError:
                    # It was notation when it was rolled: a game that is no longer installed, say.
                    return None

        tasks = [asyncio.create_task(ask(one)) for one in rolled]
        if not tasks:
            return []
        try:
            await asyncio.wait(tasks, timeout=self._seconds)
        finally:
            for task in tasks:
                task.cancel()
        return [task.result() if task.done() else None for task in tasks]


def _labels(dice: OwnDice) -> dict[str, tuple[str, ...]]:
    """Return the labels of dice by the name under which they are counted."""
    return {
        named_kind(Faces(faces, name)): tuple(face.label for face in faces) for name, faces in dice.items()
    }


def _shown(kind: Kind, known: Mapping[str, tuple[str, ...]]) -> DieStatistics:
    shown, mark, _ = kind.die.rpartition("#")
    numbers = tuple(str(face) for face in range(1, len(kind.counts) + 1))
    labels, former = numbers, False
    if not mark:
        shown, labels = kind.die, FATE if kind.die == "dF" else numbers
    elif kind.die in known:
        labels = known[kind.die]
    elif shown.startswith("d["):
        written = tuple(shown[2:-1].split(","))
        labels = written if shown.endswith("]") and len(written) == len(numbers) else numbers
    else:
        former = True
    faces = tuple(
        FaceCount(face, label, count)
        for face, (label, count) in enumerate(zip(labels, kind.counts, strict=True), start=1)
    )
    return DieStatistics(shown, former, faces, fairness(kind.counts))
