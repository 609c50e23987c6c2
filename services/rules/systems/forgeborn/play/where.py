"""Who may do something now, and where: the turn as the rules count it (E1 to E10)."""

from __future__ import annotations

from services.rules.engine.problem import RuleProblem
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.play.state import Game, Heroine, Phase, Smith, Spot, Way
from services.rules.systems.forgeborn.realm import PlaceKind

TURNS = "Turn Actions"
JOURNEY = "Journey Through the Realm"


def running_problem(game: Game) -> RuleProblem | None:
    """Why nothing is to be done any more, or not yet."""
    if game.phase is Phase.OVER:
        return RuleProblem("game_over", "The game is over.", "Face the Dragon", ("actor",), game.phase.value)
    if game.phase is Phase.MAP:
        text = "First the dice of the realm fall."
        return RuleProblem("realm_not_made", text, "How to Play", ("actor",), game.phase.value, "play")
    return None


def nobody(game: Game, who: str) -> RuleProblem:
    """Nobody of this id is in the game."""
    there = (*(smith.id for smith in game.smiths), *(heroine.id for heroine in game.heroines))
    return RuleProblem("actor_unknown", "There is nobody like that here.", TURNS, ("actor",), who, there)


def turn_problem(game: Game, who: str) -> RuleProblem | None:
    """Why somebody may not act in this turn (E2)."""
    stopped = running_problem(game)
    if stopped is not None:
        return stopped
    player = game.player_of(who)
    if not player:
        return nobody(game, who)
    if game.question is not None:
        text = "Something has to be answered first."
        found = game.question.id
        return RuleProblem("answer_first", text, TURNS, ("actor",), who, found)
    if player != game.turn.smith:
        text = "It is somebody else's turn."
        return RuleProblem("not_your_turn", text, TURNS, ("actor",), who, game.turn.smith)
    return None


def actor_problem(game: Game, who: str) -> RuleProblem | None:
    """Why it is not for this one to act, though it may be for her player (E2)."""
    problem = turn_problem(game, who)
    if problem is None and game.turn.actor not in ("", who):
        text = "Only one acts in a turn, a Smith or one Heroine."
        allowed = game.turn.actor
        return RuleProblem("another_acts", text, "Heroines (and Heroes)", ("actor",), who, allowed)
    return problem


def smith_problem(game: Game, who: str) -> RuleProblem | None:
    """Why somebody cannot do what only Master Smiths do (E8)."""
    problem = actor_problem(game, who)
    if problem is None and not isinstance(game.find(who), Smith):
        smith = game.player_of(who)
        return RuleProblem("smith_only", "Only a Master Smith does this.", TURNS, ("actor",), who, smith)
    return problem


def heroine_problem(game: Game, who: str) -> RuleProblem | None:
    """Why somebody cannot do what only Heroines do (E8)."""
    problem = actor_problem(game, who)
    if problem is None and not isinstance(game.find(who), Heroine):
        hers = tuple(heroine.id for heroine in game.of(who))
        return RuleProblem("heroine_only", "Only a Heroine is tested.", TURNS, ("actor",), who, hers)
    return problem


def here(game: Game, who: str) -> Spot:
    """Where somebody is.

    Raises:
        KeyError: There is nobody of this id, or no realm yet.
    """
    return game.ground.spot(game.actor(who).place)


def place_problem(game: Game, who: str, rule: str, *kinds: PlaceKind) -> RuleProblem | None:
    """Why this is not the place for something."""
    spot = here(game, who)
    if spot.kind in kinds:
        return None
    wanted = tuple(kind.value for kind in kinds)
    names = " or ".join(WORDS[kind] for kind in kinds)
    return RuleProblem("wrong_place", f"That is done {names}.", rule, ("actor",), spot.kind.value, wanted)


WORDS = {
    PlaceKind.LAIR: "at the Dragon's Lair",
    PlaceKind.CITADEL: "at the Citadel",
    PlaceKind.CITY: "in the City of the Prince",
    PlaceKind.VILLAGE: "in a Village",
    PlaceKind.RUIN: "in Ruins",
    PlaceKind.FOREST: "in the Forest",
}


def way_to(game: Game, who: str, to: str) -> Way | None:
    """The way from where somebody is to a place; a Road where there are several."""
    place = game.actor(who).place
    ways = [way for way in game.ground.ways_from(place) if way.other(place) == to]
    return min(ways, key=lambda way: way.kind is LinkKind.TRAIL, default=None)


def journey_problem(game: Game, who: str, to: str) -> RuleProblem | None:
    """Why somebody cannot go to a place (E3 to E7)."""
    problem = actor_problem(game, who)
    if problem is not None:
        return problem
    way = way_to(game, who, to)
    place = game.actor(who).place
    if way is None:
        text = "No Road or Trail leads there from here."
        near = tuple(one.other(place) for one in game.ground.ways_from(place))
        return RuleProblem("no_way_there", text, JOURNEY, ("to",), to, near)
    if game.turn.moved and way.kind is LinkKind.TRAIL:
        text = "A Trail takes a whole turn, and this one has begun with a Road."
        roads = tuple(one.other(place) for one in game.ground.ways_from(place) if one.kind is LinkKind.ROAD)
        return RuleProblem("trail_after_road", text, JOURNEY, ("to",), to, roads)
    return None
