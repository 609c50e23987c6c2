"""How maps themselves grow in play: what is found, spent or drawn later, by the rules of their game."""

from dataclasses import dataclass
from typing import Any

from services.map.generation.realm.generator import with_new_ruin, with_spent_ruin
from services.map.generation.realm.model import RealmMap
from services.map.generation.story.growth import grow as grow_story
from services.map.generation.story.model import StoryMap
from services.map.generation.story.operations import STORY_GROWTH, StoryGrowth
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.forgeborn import DroppedDie, PlaceKind, Point


@dataclass(frozen=True, slots=True)
class RuinDie:
    """The eight-sided die of a Ruin that is found in play, as it lies.

    Attributes:
        face: What it shows, 1 to 8.
        x: Units east of the sheet's north-west corner.
        y: Units south of it.
    """

    face: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class DropRuin:
    """Adds a Ruin to a Forgeborn realm, with its Trail; all that is older stays as it is.

    Attributes:
        die: The die as the table dropped it; drawn from the realm's seed without.
    """

    die: RuinDie | None = None


@dataclass(frozen=True, slots=True)
class SpendRuin:
    """Marks a Ruin of a Forgeborn realm as explored.

    Attributes:
        place: Its id: `ruin-1`, ...
    """

    place: str


Growth = DropRuin | SpendRuin | StoryGrowth
GROWTH = (DropRuin, SpendRuin, *STORY_GROWTH)


def grows(model: Any) -> bool:
    """Tell whether a map grows in play, so that its file is not for ever what it was when it was made."""
    return isinstance(model, RealmMap | StoryMap)


def grown(model: Any, growth: Growth) -> Any | Problems:
    """Let a map grow.

    Args:
        model: the map so far.
        growth: what is wanted.

    Returns:
        The map after it; or every broken rule, `map_cannot_grow_so` where the map is of another kind.
    """
    match growth, model:
        case DropRuin(die), RealmMap():
            if die is None:
                return with_new_ruin(model)
            return with_new_ruin(model, DroppedDie(8, die.face, Point.of(die.x, die.y)))
        case SpendRuin(place), RealmMap():
            return _spent(model, place)
        case _, StoryMap() if isinstance(growth, STORY_GROWTH):
            return grow_story(model, growth)
        case _:
            message = "A map of this kind does not grow so."
            return _refused("map_cannot_grow_so", message)


def _spent(model: RealmMap, place_id: str) -> RealmMap | Problems:
    found = next((place for place in model.realm.places if place.id == place_id), None)
    if found is None or found.kind is not PlaceKind.RUIN:
        return _refused("realm_no_such_ruin", "There is no such Ruin.", "place", found=place_id)
    if found.spent:
        return _refused("realm_ruin_spent", "This Ruin was explored before.", "place", found=place_id)
    return with_spent_ruin(model, place_id)


def _refused(code: str, message: str, *path: str, found: str | None = None) -> Problems:
    return Problems((RuleProblem(code, message, "play", path, found),))
