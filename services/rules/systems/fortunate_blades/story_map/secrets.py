"""What players may know of a story map: unknown places as rumors only, no secret forces or notes."""

from __future__ import annotations

from dataclasses import replace

from services.rules.systems.fortunate_blades.story_map.model import StoryForce, StoryMap, StoryPlace
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryPathSort,
    StoryPlaceSort,
    StoryStanding,
)


def for_players(model: StoryMap) -> StoryMap:
    """The map as players know it.

    A rumored place is a mark without a name, and the way to it is there; any other unknown place is gone with
    its ways. What betrays the seed is gone as well: with it they could have the whole map made again.
    """
    places = tuple(_told(place) for place in model.places if place.known or place.rumored)
    shown = {place.id for place in places}
    rumored = {place.id for place in places if not place.known}
    forces = [force for force in model.forces if force.standing is not StoryStanding.SECRET]
    told = {force.id for force in forces}
    return replace(
        model,
        seed=0,
        attempt=0,
        asked_unknown=0,
        growth=0,
        places=places,
        paths=tuple(
            replace(path, sort=StoryPathSort.UNKNOWN) if {path.start, path.end} & rumored else path
            for path in model.paths
            if path.start in shown and path.end in shown
        ),
        forces=tuple(_declared(force, shown - rumored, told) for force in forces),
    )


def _told(place: StoryPlace) -> StoryPlace:
    if place.known:
        return replace(place, rumored=False, notes=tuple(note for note in place.notes if not note.secret))
    return StoryPlace(
        place.id, "", StoryPlaceSort.UNKNOWN, place.at, None, StoryBringer.GM, known=False, rumored=True
    )


def _declared(force: StoryForce, places: set[str], forces: set[str]) -> StoryForce:
    return replace(
        force,
        seat=force.seat if force.seat in places else "",
        foe=force.foe if force.foe in forces else "",
        peril=False,
        goal="",
        agents=(),
    )
