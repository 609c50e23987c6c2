"""All SQL of scenes. Every query that answers a viewer joins the viewer's own membership."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Text, cast, or_, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.membership.models import Member, Seat
from services.campaign.scenes.history import MOVE
from services.campaign.scenes.models import Scene, SceneMove
from services.campaign.scenes.narration import ANYBODY
from services.campaign.scenes.participant import Participant, participant
from services.campaign.tables import BAGS, METADATA
from services.shared.metadata.bags import Bags
from services.shared.pagination import Page, read_page
from services.shared.pruning import remove_step
from services.shared.sequence import forget, take_turns


@dataclass(frozen=True, slots=True)
class StandingMove:
    """What a move did that still stands.

    Attributes:
        number: its internal number.
        part_of: of an answer, the number of the move that waited for it.
        state_hash: of the state that it led to.
        events: as JSON; scenes may have thousands of moves, and they may be read elsewhere.
    """

    number: int
    part_of: int | None
    state_hash: str
    events: str

    def documents(self) -> list[dict[str, Any]]:
        """The documents of its events."""
        found: list[dict[str, Any]] = orjson.loads(self.events)
        return found

    @property
    def belongs_to(self) -> int:
        """The number of the move that it is, or is an answer to."""
        return self.number if self.part_of is None else self.part_of


AT_ONCE = 100
"""The most scenes that one step deletes."""


class Scenes:
    """The scenes of one database, inside a caller's session.

    Args:
        session: a reading session or a unit of work.
    """

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def seen(self, account: str, ids: Sequence[str]) -> dict[str, tuple[Scene, Participant]]:
        """Read those of the scenes that are played in campaigns of ``account``, as they are now, and who they
        are in them, by the scene's id.
        """
        query = (
            select(Scene, Member)
            .join(Member, col(Member.campaign) == col(Scene.campaign))
            .where(Member.account == account, col(Scene.id).in_(ids))
            .execution_options(populate_existing=True)
        )
        found = (await self._session.exec(query)).all()
        if not found:
            return {}
        campaigns = {scene.campaign for scene, _ in found}
        seats = await self._session.exec(
            select(Seat).where(Seat.account == account, col(Seat.campaign).in_(campaigns))
        )
        taken = seats.all()
        return {scene.id: (scene, participant(scene, account, member.rank, taken)) for scene, member in found}

    async def page(
        self, account: str, campaign: str, *, running: bool | None, first: int, after: str | None
    ) -> Page[Scene]:
        """Read a page of a campaign's scenes, newest first; those that run, or those that are over."""
        query = (
            select(Scene)
            .join(Member, col(Member.campaign) == col(Scene.campaign))
            .where(Member.account == account, Scene.campaign == campaign)
        )
        if running is not None:
            ended = col(Scene.ended_at)
            query = query.where(ended.is_(None) if running else ended.is_not(None))
        return await read_page(self._session, query, Scene.id, first=first, after=after)

    async def seats(self, campaign: str, characters: Sequence[str]) -> dict[str, Seat]:
        """Read those seats of a campaign that belong to these characters, by character."""
        query = select(Seat).where(Seat.campaign == campaign, col(Seat.character).in_(characters))
        return {row.character: row for row in (await self._session.exec(query)).all()}

    async def players(self, scene: Scene) -> dict[str, str]:
        """Read the ids of the accounts whose characters take part in a scene, by character."""
        return {
            character: seat.account
            for character, seat in (await self.seats(scene.campaign, scene.cast)).items()
        }

    async def runs_on(self, map_id: str, systems: Sequence[str]) -> bool:
        """Tell whether a scene of these games is played on a map, at whatever table."""
        query = select(Scene.id).where(
            Scene.map == map_id, col(Scene.system).in_(systems), col(Scene.ended_at).is_(None)
        )
        return (await self._session.exec(query.limit(1))).first() is not None

    async def due(self, moment: datetime, systems: Sequence[str]) -> list[str]:
        """Read which scenes of these games wait for an answer that is overdue, the longest first."""
        query = (
            select(Scene.id)
            .where(col(Scene.due_at) <= moment, col(Scene.system).in_(systems))
            .order_by(col(Scene.due_at), col(Scene.id))
        )
        return list((await self._session.exec(query)).all())

    async def next_due(self, moment: datetime, systems: Sequence[str]) -> datetime | None:
        """Read when the next answer is due in a scene of these games."""
        query = (
            select(Scene.due_at)
            .where(col(Scene.due_at) > moment, col(Scene.system).in_(systems))
            .order_by(col(Scene.due_at))
            .limit(1)
        )
        return (await self._session.exec(query)).first()

    async def one(self, scene: str) -> Scene | None:
        """Read a scene for the house itself, whoever may see it, as it is now; None for one that is being
        deleted, with its campaign or by itself.
        """
        seen = select(Member.campaign).where(col(Member.campaign) == col(Scene.campaign)).exists()
        query = select(Scene).where(Scene.id == scene, seen).execution_options(populate_existing=True)
        return (await self._session.exec(query)).first()

    async def moves(
        self,
        scene: str,
        *,
        since: int = 0,
        behind: int = 0,
        limit: int | None = None,
        who: Participant | None = None,
    ) -> list[SceneMove]:
        """Read moves in their order.

        Args:
            scene: of which scene.
            since: only those made when this public number was reached, or later.
            behind: only those behind this internal number.
            limit: how many.
            who: leaves out most of those of which this member may not know; None leaves out none.
        """
        query = (
            select(SceneMove)
            .where(SceneMove.scene == scene, col(SceneMove.since) >= since, col(SceneMove.number) > behind)
            .order_by(col(SceneMove.number))
        )
        if who is not None and not who.gm:
            heard = col(SceneMove.heard)
            own = [f" {name} " for name in (who.account, *sorted(who.eyes.actors))]
            query = query.where(
                or_(heard == ANYBODY, *(heard.contains(name, autoescape=True) for name in own))
            )
        return list((await self._session.exec(query if limit is None else query.limit(limit))).all())

    async def move(self, scene: str, number: int) -> SceneMove | None:
        """Read one move by its internal number."""
        return await self._session.get(SceneMove, (scene, number))

    async def numbered(self, scene: str, seq: int) -> int:
        """Read the internal number of the last move made before public number ``seq + 1``; 0 for none."""
        query = (
            select(SceneMove.number)
            .where(SceneMove.scene == scene, col(SceneMove.since) <= seq)
            .order_by(col(SceneMove.number).desc())
            .limit(1)
        )
        return (await self._session.exec(query)).first() or 0

    async def standing_events(self, scene: str, until: int) -> list[StandingMove]:
        """Read what the moves up to an internal number did that were not undone by then, in their order."""
        query = (
            select(
                SceneMove.number,
                SceneMove.part_of,
                SceneMove.state_hash,
                cast(col(SceneMove.events), Text),
            )
            .where(
                SceneMove.scene == scene,
                SceneMove.kind == MOVE,
                col(SceneMove.number) <= until,
                col(SceneMove.undone_by).is_(None) | (col(SceneMove.undone_by) > until),
            )
            .order_by(col(SceneMove.number))
        )
        return [StandingMove(*row) for row in (await self._session.exec(query)).all()]

    def add(self, row: Scene | SceneMove) -> None:
        """Add a new row."""
        self._session.add(row)

    async def hold_map(self, map_id: str) -> None:
        """Take turns with every other unit of work that begins a scene on this map."""
        await take_turns(self._session, _turn(map_id))

    async def hold(self, scene: str) -> None:
        """Take turns with every other unit of work that concerns this scene, or what it was begun from."""
        query = select(Scene.begun_from).where(Scene.id == scene)
        await self._hold(scene, (await self._session.exec(query)).first())

    async def _hold(self, scene: str, begun_from: str | None) -> None:
        if begun_from is not None:
            await take_turns(self._session, _turn(begun_from))
        await take_turns(self._session, _turn(scene))

    async def held(self, account: str, scene_id: str) -> tuple[Scene, Participant] | None:
        """Hold a scene for a member of its campaign; return it as it is then, and what they are in it.

        None for who is no member, and where there is no such scene, or not any more.
        """
        query = (
            select(Scene.id, Scene.begun_from)
            .join(Member, col(Member.campaign) == col(Scene.campaign))
            .where(Member.account == account, Scene.id == scene_id)
        )
        found = (await self._session.exec(query)).first()
        if found is None:
            return None
        await self._hold(*found)
        return (await self.seen(account, [scene_id])).get(scene_id)

    async def running_from(self, own: Scene) -> list[str]:
        """Read which scenes run that were begun from a campaign's own, in the order in which they began."""
        query = select(Scene.id).where(
            Scene.campaign == own.campaign, Scene.begun_from == own.id, col(Scene.ended_at).is_(None)
        )
        return list((await self._session.exec(query.order_by(col(Scene.id)))).all())

    async def remove(self, scene: str) -> bool:
        """Take a step of deleting a scene, which is held, with its moves; tell whether more wait."""
        return await self._remove([scene])

    async def hand_over(self, scene: str, campaign: str, moment: datetime) -> None:
        """Have what is left of a scene belong to another campaign, ended as it stands."""
        await self._session.execute(
            update(Scene).where(col(Scene.id) == scene).values(campaign=campaign, **_over(moment)),
            execution_options={"synchronize_session": False},
        )

    async def close_in(self, campaign: str, moment: datetime) -> list[str]:
        """End the scenes of a campaign, which is held, as they stand; return which of them ran.

        Scenes that run are waited for. The campaign's log is not held before that: a move holds both in this
        order. Nothing is pending or due in them any more, and none is set on a map.
        """
        for scene in await self._running_in(campaign):
            await self.hold(scene)
        running = await self._running_in(campaign)
        await self._session.execute(
            update(Scene).where(col(Scene.id).in_(running)).values(**_over(moment)),
            execution_options={"synchronize_session": False},
        )
        return running

    async def remove_next(self, campaign: str) -> bool:
        """Take a step of deleting the scenes of a campaign with their moves; tell whether more wait."""
        query = select(Scene.id).where(Scene.campaign == campaign).order_by(col(Scene.id)).limit(AT_ONCE)
        ids = list((await self._session.exec(query)).all())
        return await self._remove(ids) or len(ids) == AT_ONCE

    async def _remove(self, ids: Sequence[str]) -> bool:
        move, scene = METADATA.tables["scene_move"], METADATA.tables["scene"]
        await forget(self._session, [_turn(each) for each in ids])
        await Bags(self._session, BAGS).remove_beside(ids)
        return await remove_step(self._session, (move, move.c.scene.in_(ids)), (scene, scene.c.id.in_(ids)))

    async def _running_in(self, campaign: str) -> list[str]:
        query = select(Scene.id).where(Scene.campaign == campaign, col(Scene.ended_at).is_(None))
        return list((await self._session.exec(query.order_by(col(Scene.id)))).all())

    async def let_go(self, own: Scene) -> None:
        """Have those that were begun from a campaign's own be begun from nothing."""
        await self._session.execute(
            update(Scene)
            .where(col(Scene.campaign) == own.campaign, col(Scene.begun_from) == own.id)
            .values(begun_from=None)
        )

    async def leave_map(self, map_id: str) -> None:
        """Have the scenes that were set on a map be set on none."""
        await self._session.execute(update(Scene).where(col(Scene.map) == map_id).values(map=None))

    async def newest(self, campaign: str, system: str, *, over: bool = False) -> Scene | None:
        """Read the newest scene of a game that runs in a campaign, with ``over`` also one that has ended."""
        query = select(Scene).where(Scene.campaign == campaign, Scene.system == system)
        if not over:
            query = query.where(col(Scene.ended_at).is_(None))
        return (await self._session.exec(query.order_by(col(Scene.id).desc()).limit(1))).first()

    async def kept(self, campaign: str, systems: Sequence[str]) -> list[str]:
        """Read which states of these games run in a campaign, in the order in which they began."""
        query = select(Scene.id).where(
            Scene.campaign == campaign, col(Scene.system).in_(systems), col(Scene.ended_at).is_(None)
        )
        return list((await self._session.exec(query.order_by(col(Scene.id)))).all())

    async def heard_of(self, scene: str, source: str) -> list[SceneMove]:
        """Read what a scene handed over to a campaign's own in all, and still stands, in its order."""
        query = (
            select(SceneMove)
            .where(
                SceneMove.scene == scene,
                col(SceneMove.heard_from).startswith(f"{source}:", autoescape=True),
                col(SceneMove.undone_by).is_(None),
            )
            .order_by(col(SceneMove.number))
        )
        return list((await self._session.exec(query)).all())

    async def heard(self, scene: str, sources: Sequence[str]) -> list[SceneMove]:
        """Read what rows of scenes handed over to a campaign's own, and still stands, in its order."""
        query = (
            select(SceneMove)
            .where(
                SceneMove.scene == scene,
                col(SceneMove.heard_from).in_(sources),
                col(SceneMove.undone_by).is_(None),
            )
            .order_by(col(SceneMove.number))
        )
        return list((await self._session.exec(query)).all())


def _over(moment: datetime) -> dict[str, Any]:
    """Return what a scene is that has ended where it stands: nothing is pending, due or set on a map."""
    return {"ended_at": moment, "due_at": None, "pending": None, "waiting": None, "map": None}


def _turn(row_id: str) -> str:
    return f"turn:{row_id}"
