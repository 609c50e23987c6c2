"""A scene's row and what is told of its beginning, wherever its first state comes from."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from services.campaign.log.repository import Log
from services.campaign.scenes.boards import board, leading
from services.campaign.scenes.deadlines import wind
from services.campaign.scenes.events import scene_board, scene_moved
from services.campaign.scenes.models import Scene
from services.campaign.scenes.repository import Scenes
from services.campaign.scenes.requests import MAX_TITLE
from services.campaign.tables import OUTBOX
from services.rules.engine.campaign import CampaignPlay
from services.rules.engine.driver import state_hash
from services.rules.engine.play import AnyPlay
from services.rules.engine.position import Position
from services.shared.auth import Viewer
from services.shared.ids import new_id
from services.shared.outbox import publish
from services.shared.problems import InvalidInput


def new_scene(
    viewer: Viewer,
    play: AnyPlay,
    opening: Any,
    *,
    campaign: str,
    system: str,
    title: str | None,
    cast: Sequence[str],
    moment: datetime,
) -> Scene:
    """Return the row of a scene that begins.

    Args:
        viewer: the GM who starts it.
        play: its game.
        opening: the state that it begins with.
        campaign: id of the campaign.
        system: slug of the game.
        title: what it is called; the game's own title for None.
        cast: ids of the players' characters that take part.
        moment: the present moment.
    """
    document = play.state_codec.dump(opening)
    return Scene(
        id=new_id("scn"),
        campaign=campaign,
        system=system,
        title=(title or play.card(opening).title).strip()[:MAX_TITLE],
        started_by=viewer.account,
        cast=list(cast),
        opening=document,
        state=document,
        state_hash=state_hash(play, opening),
        created_at=moment,
    )


async def demand_no_state(scenes: Scenes, play: AnyPlay, campaign: str, system: str) -> None:
    """Raise where a game keeps a state of the campaign already, of which there is one.

    Raises:
        InvalidInput: ``CAMPAIGN_RUNS``.
    """
    if isinstance(play, CampaignPlay) and await scenes.newest(campaign, system) is not None:
        message = "The game keeps a state of this campaign already."
        raise InvalidInput.single("CAMPAIGN_RUNS", message, "system", found=system)


def add_scene(session: AsyncSession, play: AnyPlay, scene: Scene, opening: Any) -> None:
    """Add a scene to the unit of work, with the deadlines of questions that are open from the first."""
    wind(session, scene, Position(play, opening), scene.created_at)
    Scenes(session).add(scene)


async def announce(session: AsyncSession, play: AnyPlay, scene: Scene, opening: Any) -> None:
    """Write into the log that a scene begins, and publish it and the map that it leads."""
    text, moment = f"{scene.title} begins.", scene.created_at
    await Log(session).write(
        scene.campaign, "scene.started", text, moment, account=scene.started_by, subject=scene.id
    )
    await publish(session, OUTBOX, scene_moved(scene), moment)
    site = board(play, opening) if leading(play, scene) else None
    if site is not None:
        owners = await Scenes(session).players(scene)
        await publish(session, OUTBOX, scene_board(scene, site, True, owners), moment)
