"""Journey Through the Realm: Roads and Trails (E3 to E7, F1)."""

from __future__ import annotations

from services.rules.engine.steps import refuse
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.facts import Journeyed
from services.rules.systems.forgeborn.play.moves import Journey
from services.rules.systems.forgeborn.play.rules.turns import GameTurn, acting, end_turn
from services.rules.systems.forgeborn.play.state import Game, Way

BOOK = "Journey Through the Realm"


def journey(turn: GameTurn, move: Journey) -> None:
    """One move by Road is free, a second ends the turn; a Trail is the whole turn."""
    way = way_to(turn.state, move.actor, move.to)
    ends = way.kind is LinkKind.TRAIL or turn.state.turn.moved
    turn.happen(Journeyed(who=move.actor, to=move.to, by=way.kind))
    if ends:
        end_turn(turn)


def way_to(game: Game, who: str, to: str) -> Way:
    """Returns the way from where the one who acts is to a place; a Road where there are several.

    Raises:
        Refused: It is not hers to act, no way leads there, or a Trail would follow a Road.
    """
    place = acting(game, who).place
    ways = [way for way in game.ground.ways_from(place) if way.other(place) == to]
    if not ways:
        text = "No Road or Trail leads there from here."
        near = tuple(one.other(place) for one in game.ground.ways_from(place))
        refuse("no_way_there", text, BOOK, ("to",), to, near)
    way = min(ways, key=lambda way: way.kind is LinkKind.TRAIL)
    if game.turn.moved and way.kind is LinkKind.TRAIL:
        text = "A Trail takes a whole turn, and this one has begun with a Road."
        roads = tuple(one.other(place) for one in game.ground.ways_from(place) if one.kind is LinkKind.ROAD)
        refuse("trail_after_road", text, BOOK, ("to",), to, roads)
    return way
