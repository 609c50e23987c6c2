"""How a realm grows in play: Ruins that are found, and Ruins that were explored."""

from __future__ import annotations

from dataclasses import dataclass

from services.map.kinds.realm.generator import with_new_ruin, with_spent_ruin
from services.map.kinds.realm.model import RealmMap
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


def grow(model: RealmMap, operation: DropRuin | SpendRuin) -> RealmMap | Problems:
    """The realm after an operation, or every broken rule."""
    match operation:
        case DropRuin(die):
            dropped = None if die is None else DroppedDie(8, die.face, Point.of(die.x, die.y))
            return with_new_ruin(model, dropped)
        case SpendRuin(place):
            return _spent(model, place)


def _spent(model: RealmMap, place_id: str) -> RealmMap | Problems:
    found = next((place for place in model.realm.places if place.id == place_id), None)
    if found is None or found.kind is not PlaceKind.RUIN:
        return _refused("realm_no_such_ruin", "There is no such Ruin.", place_id)
    if found.spent:
        return _refused("realm_ruin_spent", "This Ruin was explored before.", place_id)
    return with_spent_ruin(model, place_id)


def _refused(code: str, message: str, place_id: str) -> Problems:
    return Problems((RuleProblem(code, message, "play", ("place",), place_id),))
