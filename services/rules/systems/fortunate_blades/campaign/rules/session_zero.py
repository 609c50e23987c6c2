"""What each move of session zero does, and what is open before the story can begin (K1 to K9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from services.rules.engine.play import GM, GM_ONLY
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Step, Steps, refuse
from services.rules.systems.fortunate_blades.campaign.facts import ForceCame, GoalNoted, PlaceCame
from services.rules.systems.fortunate_blades.campaign.facts.session_zero import (
    MatterDecided,
    PartyNamed,
    StoryBegun,
    ToneWished,
)
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    BeginStory,
    CallChoice,
    DraftHero,
    DrawForce,
    DropDraft,
    MarkPlace,
    Matter,
    NameParty,
    NameStart,
    WishTone,
    ZeroHeroMove,
    ZeroMasterMove,
    ZeroPlayerMove,
)
from services.rules.systems.fortunate_blades.campaign.rules import drafts
from services.rules.systems.fortunate_blades.campaign.setup import next_id, word_problems
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Force, Member, Place
from services.rules.systems.fortunate_blades.campaign.turn import (
    CampaignTurn,
    catalog_of,
    check_room,
    chosen_by_all,
    die,
    named,
)
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryDetail,
    StoryOrigin,
    StoryQuest,
    StoryTone,
)
from services.rules.systems.fortunate_blades.tools import FEWEST_FORCES

DICE = "dice"
"""The choice to let dice decide."""
WORDS: Mapping[Matter, type[StrEnum]] = MappingProxyType(
    {Matter.ORIGIN: StoryOrigin, Matter.PARTY_QUEST: StoryQuest}
)
ASKED: Mapping[Matter, str] = MappingProxyType(
    {
        Matter.ORIGIN: "How did the party come together?",
        Matter.PARTY_QUEST: "What is the party after in all its adventures?",
    }
)


def spoken(word: str) -> str:
    """A word of the story map for people."""
    return word.replace("_", " ").capitalize()


def rule(turn: CampaignTurn, move: ZeroMasterMove | ZeroHeroMove | ZeroPlayerMove) -> Steps:
    """A move of session zero; none of them is made once the story has begun."""
    if not turn.state.session_zero:
        refuse("story_begun", "The story has begun already.", "Playing The Game", ("kind",))
    match move:
        case WishTone():
            yield from _wish(turn, move)
        case MarkPlace():
            yield from _mark(turn, move)
        case NameParty():
            named(move.name, "name")
            turn.happen(PartyNamed(name=move.name.strip()))
        case NameStart():
            yield from _start(turn, move)
        case CallChoice():
            yield from _choose(turn, move.matter)
        case DrawForce():
            yield from _force(turn, move)
        case DraftHero() | DropDraft():
            drafts.rule(turn, move)
        case BeginStory():
            broken = (*open_matters(turn.state, catalog_of(turn)), *behind_the_peril(turn.state))
            if broken:
                raise Refused(Problems(broken))
            turn.happen(StoryBegun())


def _wish(turn: CampaignTurn, move: WishTone) -> Steps:
    """A tone that is wanted or not; what one of the group does not want, the story has not."""
    state = turn.state
    said = (*state.tones, *state.unwanted_tones)
    tone = move.tone
    if not tone:
        free = tuple(each.value for each in StoryTone if each.value not in said)
        if not free:
            refuse("tones_spent", "There is no further tone.", "Tones", ("tone",))
        tone, throw = (yield from _rolled(turn, "tone", "Which tone?", StoryTone)), 1
        while tone in said:
            throw += 1
            tone = yield from _rolled(turn, f"tone:{throw}", "Which tone, again?", StoryTone)
    _word(tone, StoryTone, "tone")
    if tone in state.unwanted_tones or (tone in state.tones and not move.unwanted):
        refuse("tone_named", "The group has named this tone already.", "Tones", ("tone",), tone)
    turn.happen(ToneWished(by=move.actor, tone=tone, unwanted=move.unwanted))


def _mark(turn: CampaignTurn, move: MarkPlace) -> Steps:
    """A place of a hero's, chosen or drawn."""
    name, text, detail = move.name.strip(), move.text, move.detail
    if not name:
        taken = {each.name for each in turn.state.known_places()}
        seeds = [each for each in catalog_of(turn).places if each.name not in taken]
        if not seeds:
            refuse("list_spent", "All places of the list are in the story.", "Places", ("name",))
        ((face,),) = yield from turn.roll(die("place", "Which place?", len(seeds)))
        seed = seeds[face - 1]
        name, text, detail = seed.name, text or seed.text, detail or seed.detail
    yield from _came(turn, name, detail, text, by=move.actor)


def _start(turn: CampaignTurn, move: NameStart) -> Steps:
    if turn.state.start() is not None:
        refuse("start_named", "The centre of the map is drawn already.", "The Map", ("name",))
    yield from _came(turn, move.name, move.detail, move.text, start=True)


def _came(
    turn: CampaignTurn, name: str, detail: str, text: str, *, by: str = "", start: bool = False
) -> Steps:
    check_room(len(turn.state.places))
    named(name, "name")
    if not detail:
        detail = yield from _rolled(turn, "detail", "What is it like?", StoryDetail)
    _word(detail, StoryDetail, "detail")
    place = Place(
        id=next_id(turn.state, "place"),
        name=name.strip(),
        text=text.strip(),
        detail=detail,
        by=by,
        start=start,
    )
    turn.happen(PlaceCame(place=place, id=place.id))


def _choose(turn: CampaignTurn, matter: Matter) -> Steps:
    """A vote of the group; where dice have most votes they decide."""
    words = WORDS[matter]
    offers = {**{each.value: spoken(each.value) for each in words}, DICE: "Let dice decide"}
    word = yield from chosen_by_all(turn, matter.value, ASKED[matter], offers)
    if word == DICE:
        word = yield from _rolled(turn, matter.value, ASKED[matter], words)
    turn.happen(MatterDecided(matter=matter, word=word))


def _force(turn: CampaignTurn, move: DrawForce) -> Steps:
    """A force of the list; its dice are secret, since their faces would tell how many forces there are."""
    check_room(len(turn.state.forces))
    taken = {each.name for each in turn.state.forces}
    seeds = [each for each in catalog_of(turn).forces if each.name not in taken]
    if not seeds:
        refuse("list_spent", "All forces of the list are in the story.", "Forces", ("kind",))
    ((face,),) = yield from turn.roll(die("force", "Which force?", len(seeds), secret=True))
    seed = seeds[face - 1]
    force = Force(
        id=next_id(turn.state, "force", secret=move.secret),
        name=seed.name,
        magnitude=seed.magnitude,
        text=seed.text,
        secret=move.secret,
    )
    turn.happen(ForceCame(force=force, id=force.id))
    if move.goal.strip():
        turn.happen(GoalNoted(force=force.id, goal=move.goal.strip(), audience=GM_ONLY))


def _rolled(turn: CampaignTurn, name: str, label: str, words: type[StrEnum]) -> Step[str]:
    """A word of a table of the book by its die."""
    ((face,),) = yield from turn.roll(die(name, label, len(words)))
    return str(tuple(words)[face - 1].value)


def _word(word: str, words: type[StrEnum], field: str) -> None:
    wrong = tuple(word_problems(word, words, (field,)))
    if wrong:
        raise Refused(Problems(wrong))


# What is open


def open_matters(state: Campaign, catalog: Catalog) -> Iterator[RuleProblem]:
    """What all can see is still open before the story can begin."""
    if not state.tones:
        yield RuleProblem("tones_missing", "The group names a tone that it wants.", "Tones", ())
    if not state.party:
        yield RuleProblem("party_unnamed", "The party has a name.", "The Party", ())
    if not state.origin:
        yield RuleProblem("origin_open", "The group chooses an origin.", "The Party", ())
    if not state.quest_of_party:
        yield RuleProblem("party_quest_open", "The group chooses a Party Quest.", "The Party", ())
    if not state.present():
        yield RuleProblem("cast_missing", "Heroes come to the table.", "The Players", ())
    if state.start() is None:
        yield RuleProblem("start_missing", "The centre of the map is drawn.", "The Map", ())
    needed = catalog.rules.minimums.places_per_player
    for hero in short_of_places(state, catalog):
        text = f"{hero.name} brings {needed} places into the story."
        found = state.places_of(hero.id)
        yield RuleProblem("places_missing", text, "The Map [K6]", (hero.id,), found, needed)
    known = len(state.known_forces())
    if known < FEWEST_FORCES:
        text = f"{FEWEST_FORCES} forces are known."
        yield RuleProblem("forces_missing", text, "Forces [K7]", (), known, FEWEST_FORCES)


def short_of_places(state: Campaign, catalog: Catalog) -> tuple[Member, ...]:
    """The heroes whose places are still to come."""
    needed = catalog.rules.minimums.places_per_player
    return tuple(hero for hero in state.present() if state.places_of(hero.id) < needed)


def behind_the_peril(state: Campaign) -> Iterator[RuleProblem]:
    """The game master's own: a force is behind the peril, and wants something."""
    if not any(each.goal for each in state.forces):
        text = "A force is behind the peril; say what it really wants."
        yield RuleProblem("peril_missing", text, "Forces [K7]", (GM,))
