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
from services.rules.systems.fortunate_blades.campaign.drafts import draft_card
from services.rules.systems.fortunate_blades.campaign.facts import (
    CampaignFact,
    ForceRevealed,
    PlaceRevealed,
)
from services.rules.systems.fortunate_blades.campaign.legal import may_advance
from services.rules.systems.fortunate_blades.campaign.rules.session_zero import open_matters, short_of_places
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Fate, Force, Member, Place, Quest
from services.rules.systems.fortunate_blades.campaign.state.loot import Find
from services.rules.systems.fortunate_blades.catalog import Catalog

PARTY, HEROES, FORCES, PLACES, CLOCK = "party", "heroes", "forces", "places", "campaign-clock"
QUESTS, LOOT = "quests", "loot"


def view(state: Campaign, viewer: Viewer) -> Campaign:
    """The campaign; to players without secret forces and places, goals, truths, plans and the clock."""
    if viewer.gm:
        return state
    return replace(
        state,
        forces=tuple(_known_force(each, state) for each in state.forces if not each.secret),
        places=tuple(replace(each, key="") if each.key else each for each in state.known_places()),
        offered=tuple(replace(each, truth="") for each in state.offered),
        quest=None if state.quest is None else replace(state.quest, truth=""),
        plan=None,
        doom=None,
        finds=tuple(map(_known_find, state.finds)),
    )


def _known_force(force: Force, state: Campaign) -> Force:
    """A force without what it really wants, and without a seat that is secret."""
    seat = state.place(force.seat)
    return replace(force, goal="", key="", seat="" if seat is None or seat.secret else force.seat)


def _known_find(find: Find) -> Find:
    """A find without what identifying it will tell."""
    return find if find.identified or not find.secret else replace(find, secret="")


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
    if state.draft(actor) is not None or any(each.id == actor for each in state.heroes):
        return EVERYONE
    return None


def card(state: Campaign, catalog: Catalog) -> SceneCard:
    """The party with its reputation, heroes with their tracks, forces, places; the clock where it is seen."""
    return SceneCard(
        title=state.title,
        round=state.quests_ended + 1,
        turn=None,
        actors=tuple(_actors(state, catalog)),
        waiting_for=() if state.ended else (*_awaited(state, catalog), GM),
    )


def _awaited(state: Campaign, catalog: Catalog) -> Iterator[str]:
    """The heroes who have something to spend, or in session zero to bring along."""
    if state.session_zero:
        yield from (each.id for each in short_of_places(state, catalog))
        return
    yield from (each.id for each in state.present() if may_advance(state, each, catalog))


def _actors(state: Campaign, catalog: Catalog) -> Iterator[ActorCard]:
    rules = catalog.rules.campaign
    yield from (_hero(each, catalog) for each in state.heroes if each.fate is not Fate.GONE)
    quest = [] if state.quest is None else [f"on a quest: {state.quest.name}"]
    advantages = [catalog.advantages[each.advantage].name for each in state.held()]
    known = [] if state.revealed is None else [_plain(state.revealed.value)]
    open_now = [each.message for each in open_matters(state, catalog)] if state.session_zero else []
    track = Track("reputation", "Reputation", state.track, max(rules.reputation_track, state.track))
    yield ActorCard(
        id=PARTY,
        name=state.party or state.title,
        side=PARTY,
        tracks=(track,),
        conditions=(*_story(state), *quest, *advantages, *known, *open_now),
    )
    yield from (draft_card(each, catalog) for each in state.drafts)
    yield from (_quest(each, state, catalog) for each in _quests(state))
    yield from (_force(each, state) for each in state.forces)
    yield from (_place(each, state) for each in state.places)
    yield from (_find(each, state) for each in state.finds)
    if state.doom is not None:
        ticks = Track("ticks", "Ticks", state.doom.ticks, rules.clock)
        yield ActorCard(id=CLOCK, name="Campaign clock", side=FORCES, tracks=(ticks,), conditions=("secret",))


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _story(state: Campaign) -> Iterator[str]:
    """What the group has decided about its party and its story."""
    if state.origin:
        yield f"origin: {_plain(state.origin)}"
    if state.quest_of_party:
        yield f"Party Quest: {_plain(state.quest_of_party)}"
    yield from (f"tone: {_plain(each)}" for each in state.tones)
    yield from (f"unwanted: {_plain(each)}" for each in state.unwanted_tones)


def _quests(state: Campaign) -> tuple[Quest, ...]:
    return state.offered if state.quest is None else (state.quest,)


def _quest(quest: Quest, state: Campaign, catalog: Catalog) -> ActorCard:
    """The sheet of a quest: what it is about, its size, its force and where it leads; how far it has come."""
    force, place = state.force(quest.force), state.place(quest.place)
    words = [catalog.quest_kinds[quest.kind].name, quest.size.value]
    words += [] if force is None else [f"force: {force.name}"]
    words += [] if place is None else [f"place: {place.name}"]
    done = Track("encounters", "Encounters", quest.encounters, quest.encounters)
    return ActorCard(id=quest.id, name=quest.name, side=QUESTS, tracks=(done,), conditions=tuple(words))


def _place(place: Place, state: Campaign) -> ActorCard:
    """The sheet of a place: what it is like, who brought it, what the party has there."""
    words = [_plain(place.detail)] * bool(place.detail)
    words += ["secret"] * place.secret + ["the centre of the map"] * place.start
    words += [f"brought by {each.name}" for each in state.heroes if each.id == place.by]
    return ActorCard(id=place.id, name=place.name, side=PLACES, tracks=(), conditions=tuple(words))


def _find(find: Find, state: Campaign) -> ActorCard:
    """The sheet of something that was found: who has it, and what it is where that is known."""
    words = [f"held by {each.name}" for each in state.heroes if each.id == find.holder] or ["not divided"]
    words += [find.secret] * bool(find.identified and find.secret)
    return ActorCard(id=find.id, name=find.name, side=LOOT, tracks=(), conditions=tuple(words))


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


def _force(force: Force, state: Campaign) -> ActorCard:
    seat = state.place(force.seat)
    words = [
        force.magnitude,
        *(["secret"] if force.secret else []),
        *(["settled"] if force.settled else []),
        *([] if seat is None else [f"seat: {seat.name}"]),
    ]
    known = Track("reputation", "Reputation", force.reputation, force.reputation)
    return ActorCard(id=force.id, name=force.name, side=FORCES, tracks=(known,), conditions=tuple(words))


def outcome(state: Campaign) -> Outcome:
    """Over when a fact says so."""
    if not state.ended:
        return ONGOING
    return Outcome(ended=True, winners=(HEROES,) if state.won else (), text=state.ended)
