"""What is decided before a campaign, and how it opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.setups import Party
from services.rules.systems.fortunate_blades.campaign.facts import ForceCame, PlaceCame
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Force, Member, Place
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME, LONGEST_TEXT, TradeChoice
from services.rules.systems.fortunate_blades.sheet import HeroSheet
from services.rules.systems.fortunate_blades.site import StorySite, StorySiteForce, StorySitePlace
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryMagnitude,
    StoryOrigin,
    StoryQuest,
)
from services.rules.systems.fortunate_blades.terms import Creation, TrainingTrack

RULE = "The Party"
MOST_HEROES = 6
MOST_ADDED = 100
MOST_KNOWN = 200
"""Forces, and places, that a story has at most."""
SECRET = "secret"
"""What ids of the secret series begin with: what is secret leaves no gap in the open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceSetup:
    """A force that the story begins with.

    Attributes:
        name: What it is called.
        magnitude: How much it weighs in the world, in a word of the story map.
        text: What is told of it.
        secret: Whether only the game master knows of it.
        goal: What it really wants; the game master's alone.
        seat: Key of the place that it works from; empty for none.
        key: What it is called on the story map; empty where it is not on one.
        settled: Whether it has no more part in the story.
    """

    name: str
    magnitude: str = StoryMagnitude.SERIOUS.value
    text: str = ""
    secret: bool = False
    goal: str = ""
    seat: str = ""
    key: str = ""
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSetup:
    """A place that the story begins with.

    Attributes:
        name: What it is called.
        text: What is told of it.
        secret: Whether only the game master knows of it.
        detail: What it is like, in a word of the story map; empty where nobody has said.
        player: Number of the player who brings it, from 1, in the order of the cast; 0 for none.
        key: What it is called on the story map; empty where it is not on one.
        start: Whether it is the place where the story begins; then `start` may give it another name.
    """

    name: str
    text: str = ""
    secret: bool = False
    detail: str = ""
    player: int = 0
    key: str = ""
    start: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSetup:
    """What a group decides before a campaign (The Party; The Map; Forces).

    Attributes:
        title: What it is called.
        party: What the party is called; empty where session zero names it.
        start: The place where it begins; empty where session zero draws it.
        origin: How the party came together, in a word of the story map.
        quest: What it is after in all its adventures, likewise.
        forces: Forces beside those that heroes bring along.
        places: Places beside those that heroes bring along, and the first.
        session_zero: Whether the group makes its story in session zero, by moves: the party, its origin and
            quest, tones, places and forces; heroes may come to it later.
    """

    title: str
    party: str = ""
    start: str = ""
    origin: str = StoryOrigin.MET_BY_CHANCE.value
    quest: str = StoryQuest.RIGHT_A_WRONG.value
    forces: tuple[ForceSetup, ...] = ()
    places: tuple[PlaceSetup, ...] = ()
    session_zero: bool = False


SETUPS: Mapping[str, CampaignSetup] = MappingProxyType(
    {
        "lantern-road": CampaignSetup(
            title="The Lantern Road",
            party="The Late Arrivals",
            start="Candle Ford",
            forces=(
                ForceSetup(name="The Lantern Order", text="It keeps a light in every pass."),
                ForceSetup(
                    name="The King under Thorn",
                    magnitude=StoryMagnitude.HEROIC.value,
                    secret=True,
                    goal="To be crowned again, by those who buried him.",
                ),
            ),
            places=(
                PlaceSetup(name="Toller's Rest", text="Three roads, one roof."),
                PlaceSetup(name="The Barrow of Nine Locks", secret=True),
            ),
        ),
        "session-zero": CampaignSetup(title="A New Story", session_zero=True),
    }
)


SETUP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "lantern-road": "A campaign that is under way, on a road with a light in every pass.",
        "session-zero": "A campaign from its first evening: the table decides everything together.",
    }
)
"""What each of them is."""


def party(setup: CampaignSetup) -> Party:
    """Which heroes a campaign can be begun with: for session zero none need be there yet."""
    return Party(fewest=0 if setup.session_zero else 1, most=MOST_HEROES)


def begin(setup: CampaignSetup, cast: tuple[CastMember, ...], catalog: Catalog) -> Campaign | Problems:
    """The opening, with the places and forces that heroes bring along; or every rule the setup breaks."""
    broken = tuple(_problems(setup, cast))
    if broken:
        return Problems(broken)
    zero = setup.session_zero
    state = Campaign(
        title=setup.title.strip(),
        party=setup.party.strip(),
        origin="" if zero else setup.origin,
        quest_of_party="" if zero else setup.quest,
        heroes=tuple(member_of(member, catalog) for member in cast),
        session_zero=zero,
    )
    start = next((place for place in setup.places if place.start), None)
    if start is not None:
        found = _place(start, cast)
        state = _placed(state, replace(found, name=setup.start.strip() or found.name))
    elif setup.start.strip():
        state = _placed(state, Place(id="", name=setup.start.strip(), start=True))
    for member in cast:
        for brought in brought_along(member):
            state = _placed(state, brought) if isinstance(brought, Place) else _with_part(state, brought)
    for place in setup.places:
        if place is not start:
            state = _placed(state, _place(place, cast))
    for force in setup.forces:
        state = _with_part(state, _force(force, state))
    return state


def laid_out(setup: CampaignSetup, site: StorySite) -> CampaignSetup:
    """The setup with the places and forces of a story map; its own come behind them."""
    places = tuple(
        PlaceSetup(
            name=place.name,
            text=place.text,
            secret=not place.known,
            detail=place.detail,
            player=place.player,
            key=place.key,
            start=place.start,
        )
        for place in site.places
    )
    forces = tuple(
        ForceSetup(
            name=force.name,
            magnitude=force.magnitude,
            text=force.text,
            secret=not force.known,
            goal=force.goal,
            seat=force.seat,
            key=force.key,
            settled=force.settled,
        )
        for force in site.forces
    )
    own = tuple(replace(place, start=False) for place in setup.places)
    return replace(setup, places=(*places, *own), forces=(*forces, *setup.forces))


def site_of(state: Campaign) -> StorySite:
    """The story as its map is to show it."""
    heroes = {hero.id: number for number, hero in enumerate(state.heroes, 1)}
    keys = {place.id: place.key or place.id for place in state.places}
    return StorySite(
        players=len(state.present()),
        origin=state.origin,
        quest=state.quest_of_party,
        tones=state.tones,
        places=tuple(
            StorySitePlace(
                key=keys[place.id],
                name=place.name,
                text=place.text,
                detail=place.detail,
                known=not place.secret,
                player=heroes.get(place.by, 0),
                start=place.start,
            )
            for place in state.places
        ),
        forces=tuple(
            StorySiteForce(
                key=force.key or force.id,
                name=force.name,
                magnitude=force.magnitude,
                text=force.text,
                goal=force.goal,
                known=not force.secret,
                settled=force.settled,
                seat=keys.get(force.seat, ""),
            )
            for force in state.forces
        ),
    )


def brought_along(member: CastMember) -> Iterator[Place | Force]:
    """The places and forces that a hero's choices ask for, without ids (J7)."""
    for line in member.sheet.additions:
        if line.kind is Creation.FORCE:
            yield Force(id="", name=line.name.strip(), text=line.facts)
        else:
            yield Place(id="", name=line.name.strip(), text=line.facts, by=member.id)


def arrivals(state: Campaign, member: CastMember) -> Iterator[PlaceCame | ForceCame]:
    """The places and forces that a hero brings who comes to the table after the campaign has begun."""
    for brought in brought_along(member):
        place = isinstance(brought, Place)
        if len(state.places if place else state.forces) >= MOST_KNOWN:
            continue
        if isinstance(brought, Place):
            state = _placed(state, brought)
            yield PlaceCame(place=state.places[-1], id=state.places[-1].id)
        else:
            state = _with_part(state, brought)
            yield ForceCame(force=state.forces[-1], id=state.forces[-1].id)


def _place(setup: PlaceSetup, cast: tuple[CastMember, ...]) -> Place:
    return Place(
        id="",
        name=setup.name.strip(),
        text=setup.text,
        secret=setup.secret and not setup.start,
        detail=setup.detail,
        by=cast[setup.player - 1].id if 0 < setup.player <= len(cast) else "",
        start=setup.start,
        key=setup.key,
    )


def _force(setup: ForceSetup, state: Campaign) -> Force:
    seats = {place.key: place.id for place in state.places if place.key}
    return Force(
        id="",
        name=setup.name.strip(),
        magnitude=setup.magnitude,
        text=setup.text,
        secret=setup.secret,
        goal=setup.goal,
        settled=setup.settled,
        seat=seats.get(setup.seat, ""),
        key=setup.key,
    )


def _with_part(state: Campaign, force: Force) -> Campaign:
    """The campaign with one more force, under the next id."""
    force = replace(force, id=next_id(state, "force", secret=force.secret))
    return replace(state, forces=(*state.forces, force), counted=state.counted + (not force.secret))


def _placed(state: Campaign, place: Place) -> Campaign:
    """The campaign with one more place, under the next id."""
    place = replace(place, id=next_id(state, "place", secret=place.secret))
    return replace(state, places=(*state.places, place), counted=state.counted + (not place.secret))


def next_id(state: Campaign, kind: str, *, secret: bool = False) -> str:
    """The id of the next force, place or quest; that of what is secret is of a series of its own."""
    if not secret:
        return f"{kind}-{state.counted + 1}"
    series = f"{SECRET}-{kind}-"
    ids = [each for each in state.names() if each.startswith(series)]
    return f"{series}{max((int(each.removeprefix(series)) for each in ids), default=0) + 1}"


def member_of(member: CastMember, catalog: Catalog) -> Member:
    """A cast member as a hero of the party."""
    sheet: HeroSheet = member.sheet
    tracks = {track.id: track.current for track in sheet.tracks}
    return Member(
        id=member.id,
        name=sheet.name,
        ranks={line.attribute: line.rank.value for line in sheet.attributes},
        trades=tuple(
            TradeChoice(
                trade=trade.id, talents=tuple(line.id for line in sheet.talents if line.source == trade.name)
            )
            for trade in catalog.trades
            if trade.name in sheet.trades
        ),
        boxes={track: tracks[f"{track.value}_track"] for track in TrainingTrack},
    )


def _problems(setup: CampaignSetup, cast: tuple[CastMember, ...]) -> Iterator[RuleProblem]:
    size = party(setup)
    if not size.fewest <= len(cast) <= size.most:
        code = "cast_too_large" if cast else "cast_missing"
        text = f"A party has from {size.fewest} to {size.most} heroes."
        yield RuleProblem(code, text, RULE, ("cast",), len(cast), (size.fewest, size.most))
    yield from name_problems(setup.title, ("title",))
    drawn = any(place.start for place in setup.places)
    for field, said in (("party", setup.party), ("start", setup.start)):
        if said or not (setup.session_zero or (drawn and field == "start")):
            yield from name_problems(said, (field,))
    for field, found in (("forces", setup.forces), ("places", setup.places)):
        if len(found) > MOST_ADDED:
            text = f"At most {MOST_ADDED} can be written down."
            yield RuleProblem("list_too_long", text, "table", (field,), len(found), MOST_ADDED)
            return
    yield from word_problems(setup.origin, StoryOrigin, ("origin",))
    yield from word_problems(setup.quest, StoryQuest, ("quest",))
    for place, one in enumerate(setup.forces):
        yield from word_problems(one.magnitude, StoryMagnitude, ("forces", place, "magnitude"))
    for place, other in enumerate(setup.places):
        if other.detail:
            yield from word_problems(other.detail, StoryDetail, ("places", place, "detail"))
    yield from _key_problems(setup)
    added = (
        *(("forces", place, one.name, (one.text, one.goal)) for place, one in enumerate(setup.forces)),
        *(("places", place, one.name, (one.text,)) for place, one in enumerate(setup.places)),
    )
    for field, place, name, texts in added:
        yield from name_problems(name, (field, place, "name"))
        if max(len(text) for text in texts) > LONGEST_TEXT:
            message = f"At most {LONGEST_TEXT} signs fit."
            yield RuleProblem("text_too_long", message, "table", (field, place), None, LONGEST_TEXT)


def _key_problems(setup: CampaignSetup) -> Iterator[RuleProblem]:
    """What is wrong with the keys that places and forces have on a story map, and with where it begins."""
    keyed = (
        ("places", [each.key for each in setup.places]),
        ("forces", [each.key for each in setup.forces]),
    )
    for field, keys in keyed:
        for place, key in enumerate(keys):
            if key and keys.count(key) > 1:
                text = "Each has a key of its own on the map."
                yield RuleProblem("key_repeated", text, "The Map", (field, place, "key"), key)
    starts = [place for place, each in enumerate(setup.places) if each.start]
    for place in starts[1:]:
        yield RuleProblem(
            "start_named", "A story begins at one place.", "The Map", ("places", place, "start")
        )


def name_problems(name: str, path: tuple[str | int, ...]) -> Iterator[RuleProblem]:
    """What is wrong with the name of a party, a place, a force."""
    if not len(name.strip()) >= 1 or len(name) > LONGEST_NAME:
        text, bounds = f"It has a name of up to {LONGEST_NAME} signs.", (1, LONGEST_NAME)
        yield RuleProblem("name_missing", text, RULE, path, len(name), bounds)


def word_problems(word: str, words: type[StrEnum], path: tuple[str | int, ...]) -> Iterator[RuleProblem]:
    """What is wrong with a word that the story map is to have."""
    allowed = tuple(each.value for each in words)
    if word not in allowed:
        text = "The map of a story knows no such word."
        yield RuleProblem("story_word_unknown", text, "The Map; Forces", path, word, allowed)
