"""The games that scenes are played by: those that are installed, what they keep of campaigns, and games with
packs of a table's own content in them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import orjson
import structlog

from services.rules.engine.campaign import with_campaigns
from services.rules.engine.codec import CodecError
from services.rules.engine.editions import with_pack
from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import Problems
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem

if TYPE_CHECKING:
    from services.campaign.scenes.models import Scene

log = structlog.get_logger(__name__)

Games = Mapping[str, AnySystem]
"""Games by slug; what one keeps of campaigns is a game of its own: ``duel``, ``duel_campaign``."""

KEPT_EDITIONS = 32
"""Games with packs in them that a process remembers: some megabytes each at most."""


class Played(NamedTuple):
    """What a scene is played by.

    Attributes:
        system: slug of its game.
        packs: what its packs hold, as ``Scene.pack_documents`` keeps it; empty for the book alone.
    """

    system: str
    packs: str = ""


class PackUnusable(Exception):
    """A pack cannot be put into a game.

    Attributes:
        place: which of the packs, from 0.
        reason: why, in plain words.
    """

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(f"pack {place}: {reason}")
        self.place = place
        self.reason = reason


_editions: OrderedDict[tuple[int, str], tuple[AnySystem, AnySystem]] = OrderedDict()
"""A game and its edition, by the game's identity and what its packs hold: that names the whole edition, so
none is ever out of date."""


@cache
def games() -> Games:
    """The games that are installed."""
    return with_campaigns(systems())


def edition(game: AnySystem, packs: str) -> AnySystem:
    """A game with packs in it.

    Args:
        game: the game, by its book alone.
        packs: what they hold, in order, as JSON; empty for none.

    Raises:
        PackUnusable: the game cannot read a pack, or it breaks rules beside what is before it.
    """
    if not packs:
        return game
    known = _editions.get((id(game), packs))
    if known is not None:
        _editions.move_to_end((id(game), packs))
        return known[1]
    made = game
    for place, document in enumerate(orjson.loads(packs)):
        try:
            found = with_pack(made, document)
        except CodecError as error:
            raise PackUnusable(place, str(error)) from error
        if isinstance(found, Problems):
            raise PackUnusable(place, found.items[0].message)
        made = found[0]
    _editions[id(game), packs] = game, made
    while len(_editions) > KEPT_EDITIONS:
        _editions.popitem(last=False)
    return made


def played(scene: Scene) -> Played:
    """What a scene is played by."""
    return Played(scene.system, scene.pack_documents)


def game_of(games: Games, by: Played) -> AnySystem | None:
    """The game that a scene is played by; None where this installation has none such any more."""
    game = games.get(by.system)
    if game is None:
        return None
    try:
        return edition(game, by.packs)
    except PackUnusable as error:
        log.error("edition_unmakeable", system=by.system, reason=str(error))
        return None


def play_of(games: Games, scene: Scene) -> AnyPlay:
    """The play of a scene, whose game is known here."""
    game = game_of(games, played(scene))
    assert game is not None and game.play is not None
    return game.play
