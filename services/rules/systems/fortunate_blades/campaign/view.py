"""What a viewer may know of a campaign, what any client can draw of it, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.play import (
    EVERYONE,
    GM,
    GM_ONLY,
    ONGOING,
    ActorCard,
    Audience,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.sheet import Track
from services.rules.systems.fortunate_blades.advancement import length_of
from services.rules.systems.fortunate_blades.campaign.facts import (
    CampaignFact,
    ForceRevealed,
    PlaceRevealed,
)
from services.rules.systems.fortunate_blades.campaign.legal import may_advance
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Fate, Force, Member
from services.rules.systems.fortunate_blades.catalog import Catalog

PARTY, HEROES, FORCES, PLACES, CLOCK = "party", "heroes", "forces", "places", "campaign-clock"


def view(state: Campaign, viewer: Viewer) -> Campaign:
    """The campaign; to players without secret forces and places, goals, truths, plans and the clock."""
    if viewer.gm:
        return state
    return replace(
        state,
        forces=tuple(replace(each, goal="") for each in state.forces if not each.secret),
        places=state.known_places(),
        offered=tuple(replace(each, truth="") for each in state.offered),
        quest=None if state.quest is None else replace(state.quest, truth=""),
        plan=None,
        doom=None,
    )


def sees(event: CampaignFact, viewer: Viewer) -> CampaignFact | None:
    """An event for those in its audience; the id that something secret had is the game master's alone."""
    if not viewer.may_know(event.audience):
        return None
    if isinstance(event, ForceRevealed | PlaceRevealed) and not viewer.gm:
        return replace(event, was="")
    return event


def known_to(state: Campaign, actor: str) -> Audience | None:
    """The game master alone for secret forces and places, everyone for all else there is."""
    found = state.force(actor) or state.place(actor)
    if found is not None:
        return GM_ONLY if found.secret else EVERYONE
    return EVERYONE if any(each.id == actor for each in state.heroes) else None


def card(state: Campaign, catalog: Catalog) -> SceneCard:
    """The party with its reputation, heroes with their tracks, forces, places; the clock where it is seen."""
    return SceneCard(
        title=state.title,
        round=state.quests_ended + 1,
        turn=None,
        actors=tuple(_actors(state, catalog)),
        waiting_for=() if state.ended else (*_advancing(state, catalog), GM),
    )


def _advancing(state: Campaign, catalog: Catalog) -> Iterator[str]:
    """The heroes who have something to spend."""
    yield from (each.id for each in state.present() if may_advance(state, each, catalog))


def _actors(state: Campaign, catalog: Catalog) -> Iterator[ActorCard]:
    rules = catalog.rules.campaign
    yield from (_hero(each, catalog) for each in state.heroes if each.fate is not Fate.GONE)
    quest = [] if state.quest is None else [f"on a quest: {state.quest.name}"]
    advantages = [catalog.advantages[each.advantage].name for each in state.held()]
    known = [] if state.revealed is None else [state.revealed.value.replace("_", " ")]
    track = Track("reputation", "Reputation", state.track, max(rules.reputation_track, state.track))
    yield ActorCard(
        id=PARTY, name=state.party, side=PARTY, tracks=(track,), conditions=(*quest, *advantages, *known)
    )
    yield from (_force(each) for each in state.forces)
    for place in state.places:
        secret = ("secret",) if place.secret else ()
        yield ActorCard(id=place.id, name=place.name, side=PLACES, tracks=(), conditions=secret)
    if state.doom is not None:
        ticks = Track("ticks", "Ticks", state.doom.ticks, rules.clock)
        yield ActorCard(id=CLOCK, name="Campaign clock", side=FORCES, tracks=(ticks,), conditions=("secret",))


def _hero(hero: Member, catalog: Catalog) -> ActorCard:
    boxes = (
        Track(
            track.value,
            f"{track.value.capitalize()} track",
            filled,
            max(length_of(track, catalog.rules.tracks), filled),
        )
        for track, filled in hero.boxes.items()
    )
    left = Track("experience", "Experience", hero.experience, hero.experience)
    fate = () if hero.fate is Fate.WITH else (hero.fate.value.replace("_", " "),)
    return ActorCard(
        id=hero.id, name=hero.name, side=HEROES, tracks=(left, *boxes), conditions=fate, character=True
    )


def _force(force: Force) -> ActorCard:
    words = [
        force.magnitude,
        *(["secret"] if force.secret else []),
        *(["settled"] if force.settled else []),
    ]
    known = Track("reputation", "Reputation", force.reputation, force.reputation)
    return ActorCard(id=force.id, name=force.name, side=FORCES, tracks=(known,), conditions=tuple(words))


def outcome(state: Campaign) -> Outcome:
    """Over when a fact says so."""
    if not state.ended:
        return ONGOING
    return Outcome(ended=True, winners=(HEROES,) if state.won else (), text=state.ended)
