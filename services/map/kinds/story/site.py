"""A story map as a campaign is set on it."""

from __future__ import annotations

from services.map.play.state import MapState
from services.rules.engine.codec import Json
from services.rules.systems.fortunate_blades.site import (
    STORY_SITE_CODEC,
    StorySite,
    StorySiteForce,
    StorySitePlace,
)
from services.rules.systems.fortunate_blades.story_map.model import StoryForce, StoryMap, StoryPlace
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryStanding


def site(model: StoryMap, _state: MapState) -> dict[str, Json]:
    """The story as it is now; secret notes of places stay on the map."""
    return STORY_SITE_CODEC.dump(
        StorySite(
            players=model.players,
            origin=model.origin.value,
            quest=model.quest.value,
            tones=tuple(tone.value for tone in model.tones),
            places=tuple(_place(place, model.start) for place in model.places),
            forces=tuple(map(_force, model.forces)),
        )
    )


def _place(place: StoryPlace, start: str) -> StorySitePlace:
    return StorySitePlace(
        key=place.id,
        name=place.name,
        text=next((note.text for note in place.notes if not note.secret), ""),
        detail="" if place.detail is None else place.detail.value,
        known=place.known,
        player=place.player,
        start=place.id == start,
    )


def _force(force: StoryForce) -> StorySiteForce:
    return StorySiteForce(
        key=force.id,
        name=force.name,
        magnitude=force.magnitude.value,
        text=" ".join(force.facts),
        goal=force.goal if force.peril else "",
        known=force.standing is not StoryStanding.SECRET,
        settled=force.standing is StoryStanding.SETTLED,
        seat=force.seat,
    )
