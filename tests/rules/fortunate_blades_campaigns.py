"""Campaigns of Fortunate Blades that bots play for tests, with the encounters that are begun from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from services.rules.engine.campaign import began, heard
from services.rules.engine.driver import thrower
from services.rules.engine.play import GM, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.campaign.bots import QUESTS
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    AllowRest,
    CallVote,
    OfferQuest,
    PlanEncounter,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import DivideLoot, FindLoot
from services.rules.systems.fortunate_blades.campaign.scene import FortunateBladesCampaign
from services.rules.systems.fortunate_blades.campaign.setup import CampaignSetup
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Size
from services.rules.systems.fortunate_blades.play.moves import Call
from services.rules.systems.fortunate_blades.play.setup import ClockSetup
from services.rules.systems.fortunate_blades.play.state import Safety
from tests.rules.fortunate_blades_encounters import PLAY as ENCOUNTERS
from tests.rules.fortunate_blades_encounters import party, stream

CAMPAIGNS = FortunateBladesCampaign(SYSTEM.content)
LONGEST, SECOND = 3_000, 2


def opened(heroes: int = 3, setup: CampaignSetup | None = None) -> Campaign:
    """The opening of a campaign."""
    found = CAMPAIGNS.begin(setup or CAMPAIGNS.setups["lantern-road"], party(heroes))
    assert not isinstance(found, Problems), str(found)
    return found


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """What a game master hides in encounters.

    Attributes:
        clock: A hidden clock of each.
        close: The number at which the second action roll of each is close, which is not shown.
        spread: How far above it is clear.
    """

    clock: ClockSetup
    close: int
    spread: int


@dataclass
class Evening:
    """A campaign as it is played.

    Attributes:
        at: Where it stands.
        seen: Every position, with what happened on the way to it: the state before each event, and the event.
        faces: What the dice are thrown by.
        made: The campaign's own moves, each with the position before it.
        scenes: The moves of every encounter and rest, each with the position before it.
        hide: What the game master hides in an encounter, and of which its players never learn.
    """

    at: Position
    faces: Any
    made: list[tuple[Position, Taken]] = field(default_factory=list)
    scenes: list[tuple[Position, Taken]] = field(default_factory=list)
    hide: Hidden | None = None
    seen: list[tuple[Position, list[tuple[Campaign, Any]]]] = field(default_factory=list)

    @classmethod
    def begun(cls, seed: int, heroes: int = 3, setup: CampaignSetup | None = None) -> Evening:
        """A campaign at its opening."""
        dice = thrower(stream("evening", seed))
        return cls(Position(CAMPAIGNS, opened(heroes, setup)), dice)

    @property
    def state(self) -> Campaign:
        """The campaign as it is now."""
        found: Campaign = self.at.state
        return found

    def make(self, move: Any) -> None:
        """Makes a move, or answers a question."""
        taken = self.at.take(move, len(self.seen) + 1, self.faces)
        assert isinstance(taken, Taken), f"{move} was refused: {taken}"
        self.made.append((self.at, taken))
        self.at = taken.position
        self.seen.append((self.at, [(each.before, each.event) for each in taken.happened]))

    def answered(self) -> None:
        """Answers what is asked, as simple players do."""
        while self.at.asks:
            ask = self.at.asks[0]
            viewer = Viewer(gm=ask.actor == GM, actors=frozenset({ask.actor}))
            self.make(CAMPAIGNS.reply(CAMPAIGNS.view(self.state, viewer), ask))

    def scene(self, name: str) -> None:
        """Plays a scene of the campaign to its end; the campaign hears each event when it happens."""
        setup = CAMPAIGNS.scenes(self.state)[name].setup
        if self.hide is not None and setup.rest is None:
            setup = replace(setup, clocks=(*setup.clocks, self.hide.clock))
        opening = ENCOUNTERS.begin(setup, party(len(self.state.heroes)))
        assert not isinstance(opening, Problems), str(opening)
        self.hear(began(CAMPAIGNS, self.state, name))
        for before, taken in _scene_of_bots(opening, self.faces, self.hide):
            self.scenes.append((before, taken))
            self.hear(heard(CAMPAIGNS, self.state, name, [each.event for each in taken.happened]))
        self.hear(heard(CAMPAIGNS, self.state, name, (), over=True))

    def hear(self, turn: Any) -> None:
        """Takes in what a scene, or its beginning, did to the campaign."""
        self.at = Position(CAMPAIGNS, turn.state)
        self.seen.append((self.at, [(each.before, each.event) for each in turn.happened]))


def _scene_of_bots(opening: Any, faces: Any, hide: Hidden | None) -> Iterator[tuple[Position, Taken]]:
    """The moves of bots in an encounter or a rest, each with the position before it."""
    at, calls = Position(ENCOUNTERS, opening), 0
    for number in range(1, LONGEST):
        if ENCOUNTERS.outcome(at.state).ended:
            return
        if at.asks:
            ask = at.asks[0]
            move = ENCOUNTERS.reply(ENCOUNTERS.view(at.state, Viewer(actors=frozenset({ask.actor}))), ask)
        else:
            actors = (GM, *ENCOUNTERS.card(at.state).waiting_for)
            found = (ENCOUNTERS.bot(at.state, actor) for actor in actors)
            move = next(each for each in found if each is not None)
        calls += isinstance(move, Call)
        if hide is not None and isinstance(move, Call) and calls == SECOND:
            move = replace(move, difficulty=None, close=hide.close, spread=hide.spread, shown=False)
        taken = at.take(move, number, faces)
        assert isinstance(taken, Taken), str(taken)
        yield at, taken
        at = taken.position


def played(seed: int, quests: int, secret: str = "hush", hide: Hidden | None = None) -> Evening:
    """A campaign of so many quests by bots, each with encounters; what is secret in it has a word in it."""
    evening = Evening.begun(seed)
    evening.hide = hide
    evening.make(AddForce(actor=GM, name=f"Force {secret}", secret=True, goal=f"goal {secret}"))
    evening.make(AddPlace(actor=GM, name=f"Place {secret}", secret=True, text=f"text {secret}"))
    while evening.state.quests_ended < quests:
        state = evening.state
        if evening.at.asks:
            evening.answered()
        elif state.quest is None and state.undivided():
            evening.make(DivideLoot(actor=GM))
        elif state.quest is None and not state.offered and not _advancing(evening):
            force = state.known_forces()[state.quests_ended % len(state.known_forces())].id
            size = tuple(Size)[state.quests_ended % 2]
            evening.make(OfferQuest(actor=GM, force=force, size=size, truth=f"truth {secret}"))
        elif state.offered and state.quests_ended >= QUESTS and not _advancing(evening):
            # A simple game master would end the story here.
            evening.make(CallVote(actor=GM))
        elif state.quest is not None and not _enough(state):
            _encounter(evening, secret)
        else:
            _bots(evening)
    return evening


def _advancing(evening: Evening) -> bool:
    return CAMPAIGNS.card(evening.state).waiting_for[0] != GM


def _enough(state: Campaign) -> bool:
    assert state.quest is not None
    return state.quest.encounters >= state.quest.size.rules(SYSTEM.content.rules.quests).least


def _encounter(evening: Evening, secret: str) -> None:
    """The next encounter, prepared in secret, with something that is found, and behind it a rest."""
    hidden = next(each.id for each in evening.state.places if each.secret)
    evening.make(PlanEncounter(actor=GM, title=f"Plan {secret}", clock="Foes", size=4, place=hidden))
    evening.scene("encounter")
    if evening.state.quest is not None and evening.state.quest.encounters == 1:
        evening.make(FindLoot(actor=GM, name="A Sealed Jar", secret=f"find {secret}"))
    evening.make(AllowRest(actor=GM, safety=Safety.SAFE))
    evening.scene("rest")


def _bots(evening: Evening) -> None:
    for actor in CAMPAIGNS.card(evening.state).waiting_for:
        move = CAMPAIGNS.bot(evening.state, actor)
        if move is not None:
            evening.make(move)
            evening.answered()
            return
    raise AssertionError("nobody has anything to do")
