"""How a campaign leads its story map: places and forces are the campaign's, where they lie is drawn here.

A place keeps its spot as long as it is in the story; what is drawn for a new one depends on the map's seed
and the place's key alone, so that a move that is taken back and made again finds the same spot where it is
free.
"""

from __future__ import annotations

from dataclasses import replace

from services.map.generation.stream import Stream
from services.map.kind import Leading, Piece
from services.map.kinds.story.growth import fitting_way, joined
from services.map.kinds.story.land import Water, around
from services.map.kinds.story.sites import found_near
from services.rules.systems.fortunate_blades.site import (
    STORY_SITE_CODEC,
    StorySite,
    StorySiteForce,
    StorySitePlace,
)
from services.rules.systems.fortunate_blades.story_map import details, forces, places
from services.rules.systems.fortunate_blades.story_map.growth import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_FORCES,
    MOST_NOTES,
    MOST_PLACES,
)
from services.rules.systems.fortunate_blades.story_map.model import (
    StoryForce,
    StoryMap,
    StoryNote,
    StoryPath,
    StoryPlace,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryBringer,
    StoryDetail,
    StoryMagnitude,
    StoryOrigin,
    StoryPathSort,
    StoryQuest,
    StoryStanding,
    StoryTone,
)


def follow(model: StoryMap, site: StorySite) -> StoryMap:
    """The map with the places and forces of a campaign; what a full sheet has no room for is left out.

    Raises:
        ValueError: The campaign begins at another place than the map's start.
    """
    start = next((place for place in site.places if place.start), None)
    if start is None or start.key != model.start:
        raise ValueError("this story does not begin at the start of this map")
    model = replace(
        model,
        players=site.players or model.players,
        origin=StoryOrigin(site.origin) if site.origin else model.origin,
        quest=StoryQuest(site.quest) if site.quest else model.quest,
        tones=tuple(map(StoryTone, site.tones)) or model.tones,
    )
    return _with_forces(_with_places(model, site), site)


def _with_places(model: StoryMap, site: StorySite) -> StoryMap:
    told = {_id_of(model, "place", place.key): place for place in site.places}
    water = Water.of(model)
    left = tuple(_as_told(place, told[place.id]) for place in model.places if place.id in told)
    shown = {place.id for place in left}
    followed = replace(
        model,
        places=left,
        paths=tuple(path for path in model.paths if {path.start, path.end} <= shown),
        # A seat that is gone is named again with the forces.
        forces=tuple(force if force.seat in shown else replace(force, seat="") for force in model.forces),
    )
    followed = replace(followed, paths=tuple(_way(followed, path, water) for path in followed.paths))
    for id, place in told.items():
        if id not in shown and len(followed.places) < MOST_PLACES:
            followed = _with_new(followed, id, place, water)
    linked = {end for path in followed.paths for end in (path.start, path.end)}
    for cut_off in followed.places:
        if cut_off.id not in linked and cut_off.id != model.start:
            followed = joined(followed, cut_off, water)
    return followed


def _id_of(model: StoryMap, word: str, key: str) -> str:
    """The id of what a campaign calls by a key: the map's own, or one that tells nothing of the key."""
    if model.place(key) is not None or model.force(key) is not None:
        return key
    return f"{word}-{Stream(model.seed, 'led', word, key).below(1 << 40):010x}"


def _as_told(place: StoryPlace, told: StorySitePlace) -> StoryPlace:
    """A place that is on the map already; its spot, and what it is, do not change."""
    return replace(
        place,
        name=_short(told.name, LONGEST_NAME),
        detail=StoryDetail(told.detail) if told.detail else place.detail,
        player=told.player or place.player,
        known=told.known,
        notes=_notes(place, told),
    )


def _notes(place: StoryPlace, told: StorySitePlace) -> tuple[StoryNote, ...]:
    """The notes of a place with what the campaign tells of it, which is secret as long as the place is."""
    text = _short(told.text, LONGEST_TEXT)
    if not text:
        return place.notes
    note = StoryNote(text, secret=not told.known)
    if any(each.text == text for each in place.notes):
        return tuple(note if each.text == text else each for each in place.notes)
    return (*place.notes, note)[:MOST_NOTES]


def _with_new(model: StoryMap, id: str, told: StorySitePlace, water: Water) -> StoryMap:
    """The map with a place that has come to the story, near the start; as it was where there is no room."""
    stream = Stream(model.seed, "led", "place", id)
    start = model.place(model.start)
    assert start is not None
    at = found_near(start.at, [place.at for place in model.places], model.width, model.height, water, stream)
    if at is None:
        return model
    terrain = around(at, model.terrains)
    brought = StoryBringer.BACKGROUND if told.player else StoryBringer.PLAY
    older = [place.sort for place in model.places]
    sort = places.choose_sort(model.scale, model.tones, terrain, brought, older, stream)
    described = [place.detail for place in model.places if place.detail]
    detail = details.choose_detail(sort, model.scale, model.tones, terrain, described, stream)
    place = _as_told(StoryPlace(id, "", sort, at, detail, brought), told)
    return joined(replace(model, places=(*model.places, place)), place, water)


def _way(model: StoryMap, path: StoryPath, water: Water) -> StoryPath:
    """A way as it is while players know both its ends, or not."""
    one, other = model.place(path.start), model.place(path.end)
    assert one is not None and other is not None
    if not (one.known and other.known):
        return replace(path, sort=StoryPathSort.UNKNOWN)
    if path.sort is not StoryPathSort.UNKNOWN:
        return path
    return replace(path, sort=fitting_way(model, one, other, water))


def _with_forces(model: StoryMap, site: StorySite) -> StoryMap:
    followed: list[StoryForce] = []
    older = {force.id: number for number, force in enumerate(model.forces)}
    by_id = {_id_of(model, "force", told.key): told for told in site.forces}
    # Forces that the map has keep their order; new ones come behind them.
    for id in sorted(by_id, key=lambda id: older.get(id, len(older)))[:MOST_FORCES]:
        told = by_id[id]
        seat = _id_of(model, "place", told.seat) if told.seat else ""
        force = model.force(id) or _new_force(model, id, told, followed)
        followed.append(
            replace(
                force,
                name=_short(told.name, LONGEST_NAME),
                magnitude=StoryMagnitude(told.magnitude),
                facts=force.facts if told.text in ("", " ".join(force.facts)) else _facts(told),
                standing=_standing(told),
                seat="" if model.place(seat) is None else seat,
                peril=bool(told.goal),
                goal=_short(told.goal, LONGEST_TEXT) or force.goal,
            )
        )
    ids = {force.id for force in followed}
    return replace(
        model, forces=tuple(each if each.foe in ids else replace(each, foe="") for each in followed)
    )


def _new_force(model: StoryMap, id: str, told: StorySiteForce, older: list[StoryForce]) -> StoryForce:
    stream = Stream(model.seed, "led", "force", id)
    sort = forces.choose_sort(
        model.scale, model.tones, [force.sort for force in older], peril=bool(told.goal), stream=stream
    )
    return forces.draw_force(
        sort,
        {force.name for force in older},
        stream,
        id=id,
        standing=_standing(told),
        brought=StoryBringer.PLAY,
        peril=bool(told.goal),
        seats=(),
    )


def _standing(told: StorySiteForce) -> StoryStanding:
    if told.settled:
        return StoryStanding.SETTLED
    return StoryStanding.KNOWN if told.known else StoryStanding.SECRET


def _facts(told: StorySiteForce) -> tuple[str, ...]:
    return (_short(told.text, LONGEST_TEXT),)


def _short(text: str, longest: int) -> str:
    """A text in the form of the map: one line of printable signs that is not too long."""
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain.strip()[:longest].strip()


def _no_pieces(_model: StoryMap, _site: StorySite) -> tuple[Piece, ...]:
    """None: where the party is at a moment the campaign does not say."""
    return ()


LEADING: Leading[StoryMap, StorySite] = Leading(codec=STORY_SITE_CODEC, follow=follow, pieces=_no_pieces)
