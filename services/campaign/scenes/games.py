"""The games that scenes are played by: those that are installed, and what they keep of campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from services.rules.engine.campaign import with_campaigns
from services.rules.engine.play import AnyPlay
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem

if TYPE_CHECKING:
    from services.campaign.scenes.models import Scene

Games = Mapping[str, AnySystem]
"""Games by slug; what one keeps of campaigns is a game of its own: ``duel``, ``duel_campaign``."""


@cache
def games() -> Games:
    """The games that are installed."""
    return with_campaigns(systems())


def play_of(games: Games, scene: Scene) -> AnyPlay:
    """The play of a scene, whose game is known here."""
    play = games[scene.system].play
    assert play is not None
    return play
