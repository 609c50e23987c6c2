"""What may be done in session zero, as buttons."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, flag_field, text_field
from services.rules.engine.play import GM, LegalMove, MoveField
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    BeginStory,
    CallChoice,
    DrawForce,
    MarkPlace,
    Matter,
    NameParty,
    NameStart,
    WishTone,
)
from services.rules.systems.fortunate_blades.campaign.rules.session_zero import (
    ASKED,
    behind_the_peril,
    open_matters,
    spoken,
)
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Member
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME
from services.rules.systems.fortunate_blades.play.words import LONGEST
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryDetail, StoryTone


def of_hero(state: Campaign, hero: Member, catalog: Catalog) -> Iterator[LegalMove]:
    """What a hero's player may do: tones, and places."""
    yield from _tones(state, hero.id)
    if len(state.places) < MOST_KNOWN:
        own, draw = MarkPlace(actor=hero.id), MarkPlace(actor=hero.id)
        text = f"Two or more for each hero; {hero.name} has {state.places_of(hero.id)}."
        yield button(own, "mark", "Bring a place", text, "Places", _name(), _detail(), _text())
        known = {one.name for one in state.known_places()}
        if any(each.name not in known for each in catalog.places):
            yield button(draw, "mark:draw", "Draw a place", text, "Places")


def of_master(state: Campaign, catalog: Catalog) -> Iterator[LegalMove]:
    """What the game master may do: all that the group decides together."""
    yield from _tones(state, GM)
    named = NameParty(actor=GM, name="")
    yield button(named, "party", "Name the party", "As the group calls it.", "The Party", _name())
    for matter, question in ASKED.items():
        call = CallChoice(actor=GM, matter=matter)
        label = "Let them choose an origin" if matter is Matter.ORIGIN else "Let them choose a Party Quest"
        yield button(call, f"choose:{matter.value}", label, question, "The Party")
    if state.start() is None and len(state.places) < MOST_KNOWN:
        start = NameStart(actor=GM, name="")
        text = "Where the story begins."
        yield button(
            start, "start", "Draw the centre of the map", text, "The Map", _name(), _detail(), _text()
        )
    if len(state.forces) < MOST_KNOWN and any(
        each.name not in {one.name for one in state.forces} for each in catalog.forces
    ):
        secret = flag_field("secret", "Is it secret?")
        goal = text_field("goal", "What does it really want?", LONGEST, required=False)
        draw = DrawForce(actor=GM)
        yield button(draw, "force:draw", "Draw a force", "From the list.", "Forces", secret, goal)
    if not any(open_matters(state, catalog)) and not any(behind_the_peril(state)):
        begin = BeginStory(actor=GM)
        yield button(begin, "begin", "Begin the story", "Session zero is over.", "Playing The Game")


def _tones(state: Campaign, who: str) -> Iterator[LegalMove]:
    named = (*state.tones, *state.unwanted_tones)
    free = [(each.value, spoken(each.value)) for each in StoryTone if each.value not in named]
    if free:
        for unwanted, name, label in (
            (False, "want", "Want a tone"),
            (True, "refuse", "Keep a tone out"),
        ):
            which = choice_field("tone", "Which tone?", free)
            move = WishTone(actor=who, unwanted=unwanted)
            yield button(
                move, f"tone:{name}", label, "What one keeps out, the story has not.", "Tones", which
            )
        text = "By a d20, again where it is named already."
        yield button(WishTone(actor=who), "tone:roll", "Roll for a tone", text, "Tones")


def _name() -> MoveField:
    return text_field("name", "What is it called?", LONGEST_NAME)


def _text() -> MoveField:
    return text_field("text", "What is told of it?", LONGEST, required=False)


def _detail() -> MoveField:
    details = ((each.value, spoken(each.value)) for each in StoryDetail)
    return choice_field("detail", "What is it like? A d10 says it where you do not.", details, required=False)
