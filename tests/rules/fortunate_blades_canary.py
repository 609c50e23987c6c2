"""All that players are sent of a played campaign of Fortunate Blades, with a canary in everything hidden.

Hidden are secret forces and places, goals, truths of quests, prepared encounters, finds, the campaign clock
with entanglements, hidden clocks of encounters and numbers that are not shown. An answer is what a client is
sent: a state, a card, one of its actors, an actor's offers, an event, its sentence, an entry of the
chronicle, a refusal with what it allows, a picture, a map, what simulations measure; and the chronicle as
Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from services.campaign.scenes.chronicle import BEGINNING, ChronicleEntry
from services.campaign.scenes.chronicle_markdown import chronicle_markdown
from services.map.kinds.story.canonical import to_bytes
from services.map.kinds.story.generator import GENERATOR
from services.map.kinds.story.kind import KIND
from services.map.kinds.story.parameters import StoryParameters
from services.map.kinds.story.render.picture import render
from services.rules.engine.board import picture
from services.rules.engine.play import GM, PLAYER, AnyPlay, Viewer
from services.rules.engine.position import Position
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign import setup as campaign_setup
from services.rules.systems.fortunate_blades.campaign.facts import Entangled
from services.rules.systems.fortunate_blades.campaign.facts.loot import LootIdentified
from services.rules.systems.fortunate_blades.campaign.moves import (
    RevealForce,
    RevealPlace,
    SeatForce,
    TellFact,
    TickClock,
    UseAdvantage,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import IdentifyLoot
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import DraftHero
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Doom, Force, Place
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.setup import ClockSetup
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.secrets import for_players
from tests.rules.fortunate_blades_campaigns import CAMPAIGNS, Evening, Hidden, played
from tests.rules.fortunate_blades_encounters import PLAY

CANARY = "Quicksilver7f"
"""In what is hidden of a campaign."""

HIDDEN_CLOCK = "Canary3a9c"
"""A hidden clock of every encounter: the title and place of a prepared one are told when it begins."""

SECRET_CLOCK = ClockSetup(name=HIDDEN_CLOCK, size=23, type=ClockKind.PROJECT, hidden=True)
HIDE = Hidden(clock=SECRET_CLOCK, close=53, spread=6)
NUMBERS = re.compile(rf"\b({HIDE.close}|{HIDE.close + HIDE.spread})\b")
"""Numbers that nothing else in an encounter comes to, but for chances and what is drawn."""

NUMBERED = tuple(f"encounter {each}" for each in ("state", "card", "actor", "event", "sentence"))
MOST_PICTURES = 3
SEED = 5


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player is sent.

    Attributes:
        kind: What it is.
        text: All of it.
        marks: What must not be in it.
    """

    kind: str
    text: str
    marks: tuple[str, ...]

    @property
    def betrayed(self) -> str:
        """The first mark in it; empty for none."""
        number = NUMBERS.search(self.text) if self.kind in NUMBERED else None
        return number[0] if number else next((each for each in self.marks if each in self.text), "")


def answers(quests: int) -> Iterator[Answer]:
    """Every answer to players and to whoever watches of a campaign of so many quests."""
    evening = played(SEED, quests, CANARY, HIDE)
    assert evening.state.quests_ended >= quests
    yield from _of_campaign(evening)
    yield from _of_encounters(evening)
    yield from _of_maps(evening)


def looked_through(quests: int) -> tuple[Counter[str], list[str]]:
    """How many answers there were of each kind, and what was betrayed in which."""
    counted: Counter[str] = Counter()
    betrayed = []
    for each in answers(quests):
        counted[each.kind] += 1
        if each.betrayed:
            place = each.text.index(each.betrayed)
            betrayed.append(f"{each.kind}: {each.text[max(place - 80, 0) : place + 40]}")
    return counted, betrayed


def told_to_the_master(quests: int) -> set[str]:
    """The marks that the game master of the same campaign is told, so that something would be found."""
    evening = played(SEED, quests, CANARY, HIDE)
    master = Viewer(gm=True)
    got = repr([at.view(master) for at, _ in evening.seen])
    got += repr([before.view(master) for before, _ in evening.scenes])
    marks = (CANARY, HIDDEN_CLOCK, "secret-", f"close={HIDE.close}", "Doom(")
    return {mark for mark in marks if mark in got}


def _viewers(state: Campaign) -> list[Viewer]:
    heroes = (Viewer(actors=frozenset({each.id})) for each in state.heroes)
    return [Viewer(), Viewer(actors=frozenset({f"{PLAYER}guest"})), *heroes]


def _of_campaign(evening: Evening) -> Iterator[Answer]:
    told: dict[Viewer, list[ChronicleEntry]] = {}
    marks: tuple[str, ...] = (CANARY, "secret-", "campaign-clock", "Campaign clock")
    for at, happened in evening.seen:
        twin = replace(at, state=_twin(at.state))
        for viewer in _viewers(at.state):
            found = list(_of_position(CAMPAIGNS, at, viewer))
            # Counts too: more secrets, or other ones, make no difference to a player.
            assert at.waiting is not None or list(_of_position(CAMPAIGNS, twin, viewer)) == found
            for before, event in happened:
                found += _of_event(CAMPAIGNS, before, event, viewer)
                entry = _entry(before, event, viewer)
                if entry is not None:
                    told.setdefault(viewer, []).append(entry)
                    found.append(("chronicle", repr(entry)))
                found.append(("figures", repr(list(CAMPAIGNS.count(before, event)))))
                if isinstance(event, Entangled):
                    marks = (*marks, SYSTEM.content.entanglements[event.entanglement].text)
            found.append(("figures", repr(list(CAMPAIGNS.measure(at.state)))))
            for kind, text in (*found, *_of_refusals(at, viewer)):
                yield Answer(kind, text, marks)
    for entries in told.values():
        yield Answer("markdown", chronicle_markdown("The Lantern Road", entries), marks)


def _of_position(play: AnyPlay, at: Position, viewer: Viewer) -> Iterator[tuple[str, str]]:
    view = at.view(viewer)
    yield "state", repr(play.state_codec.dump(view))
    card = at.card(viewer)
    yield "card", repr(card)
    yield from (("actor", repr(each)) for each in card.actors)
    yield from (("offers", repr(at.legal(actor, viewer))) for actor in sorted(viewer.actors))
    yield "changes", repr(play.changes(view))
    if card.round % 5 == 1 and at.waiting is None:
        yield "picture", picture(play, view)


def _of_event(play: AnyPlay, before: Any, event: Any, viewer: Viewer) -> Iterator[tuple[str, str]]:
    seen = play.sees(event, viewer)
    if seen is not None:
        yield "event", repr(play.event_codec.dump(seen))
        yield "sentence", play.tell(play.view(before, viewer), seen)


def _entry(before: Campaign, event: Any, viewer: Viewer) -> ChronicleEntry | None:
    seen = CAMPAIGNS.sees(event, viewer)
    note = None if seen is None or isinstance(seen, LootIdentified) else CAMPAIGNS.chronicle(seen)
    if seen is None or note is None:
        return None
    text = CAMPAIGNS.tell(CAMPAIGNS.view(before, viewer), seen)
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return ChronicleEntry(cursor=BEGINNING, note=note, text=text, created_at=moment)


def _of_refusals(at: Position, viewer: Viewer) -> Iterator[tuple[str, str]]:
    """What players are told who feel for what is hidden."""
    for actor in (*sorted(viewer.actors), GM):
        hidden = (
            RevealForce(actor=actor, force="none"),
            RevealPlace(actor=actor, place="none"),
            SeatForce(actor=actor, force="none", place="none"),
            IdentifyLoot(actor=actor, find="none"),
            TickClock(actor=actor),
            TellFact(actor=actor, words="It is so.", about="none"),
            UseAdvantage(actor=actor, advantage="none"),
            DraftHero(actor=actor),
        )
        for move in hidden:
            for each in at.refusal(move, viewer) or ():
                yield "refusal", f"{each.message} {each.allowed}"


def _twin(state: Campaign) -> Campaign:
    """The same campaign with other secrets: more of them, other ones, another clock."""
    forces = tuple(replace(each, goal=f"{each.goal}Another") for each in state.forces)
    places = (*state.places, Place(id="secret-place-90", name="Another place", secret=True))
    doom = state.doom or Doom()
    ticks = doom.ticks + 1 if doom.ticks < SYSTEM.content.rules.campaign.clock else 0
    return replace(
        state,
        forces=(*forces, Force(id="secret-force-90", name="Another force", secret=True, goal="To win")),
        places=places,
        offered=tuple(replace(each, truth="Another") for each in state.offered),
        quest=None if state.quest is None else replace(state.quest, truth="Another"),
        plan=None,
        doom=replace(doom, ticks=ticks, offered=not doom.offered, entangled=not doom.entangled),
        finds=tuple(each if each.identified else replace(each, secret="Another") for each in state.finds),
    )


def _of_encounters(evening: Evening) -> Iterator[Answer]:
    marks = (HIDDEN_CLOCK, "secret-")
    for _, taken in evening.scenes:
        at = taken.position
        for who in ("", *(each.id for each in at.state.heroes)):
            viewer = Viewer(actors=frozenset({who} if who else ()))
            found = list(_of_position(PLAY, at, viewer))
            for each in taken.happened:
                found += _of_event(PLAY, each.before, each.event, viewer)
            yield from (Answer(f"encounter {kind}", text, marks) for kind, text in found)


def _of_maps(evening: Evening) -> Iterator[Answer]:
    """The story map that a campaign leads: as a file of players, and as a picture."""
    model = GENERATOR.draw(StoryParameters(players=len(evening.state.heroes)), 7, 0)
    assert isinstance(model, StoryMap) and KIND.leading is not None
    start, drawn = model.start, 0
    for at, _ in evening.seen:
        site = campaign_setup.site_of(at.state)
        places = tuple(replace(each, key=start) if each.start else each for each in site.places)
        after = KIND.leading.follow(model, replace(site, places=places))
        if after == model:
            continue
        model = after
        hidden = tuple(each.id for each in model.places if not each.known)
        seen = for_players(model)
        yield Answer("map", to_bytes(seen).decode(), (CANARY, "secret-", *hidden))
        if drawn < MOST_PICTURES:
            drawn += 1
            yield Answer("map picture", render(seen), (CANARY, "secret-", *hidden))
