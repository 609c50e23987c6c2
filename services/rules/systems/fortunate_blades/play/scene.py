"""Encounters: what `engine.play` asks of a game, put together from the modules beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.rules.engine.bots import Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.plain import PlainPlay, union_codec
from services.rules.engine.play import (
    ActorCard,
    Audience,
    CastMember,
    Change,
    Disposition,
    LegalMove,
    MoveGroup,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.setups import Party
from services.rules.engine.simulation.figures import Amount, Figure
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.steps import Ask, Steps
from services.rules.engine.windows import Windows
from services.rules.systems.fortunate_blades.catalog import SLUG, Catalog
from services.rules.systems.fortunate_blades.choices import HeroChoices
from services.rules.systems.fortunate_blades.play import (
    aftermath,
    bots,
    legal,
    rests,
    rules,
    setup,
    tell,
    view,
)
from services.rules.systems.fortunate_blades.play.evolve import evolve
from services.rules.systems.fortunate_blades.play.facts import Fact
from services.rules.systems.fortunate_blades.play.figures import FIGURES, count, measure
from services.rules.systems.fortunate_blades.play.move_groups import MOVE_GROUPS
from services.rules.systems.fortunate_blades.play.moves import Move
from services.rules.systems.fortunate_blades.play.setup import (
    MOST_HEROES,
    SETUP_TEXTS,
    SETUPS,
    EncounterSetup,
)
from services.rules.systems.fortunate_blades.play.state import Encounter
from services.rules.systems.fortunate_blades.play.windows import GameTurn


class FortunateBladesPlay(PlainPlay[EncounterSetup, Encounter, Move, Fact]):
    """The game's encounters, played with a catalog.

    Args:
        catalog: The content.
        windows: Who may react in each window; those of the book when None.
    """

    setup_codec = Codec(EncounterSetup, f"{SLUG}/setup")
    state_codec = Codec(Encounter, f"{SLUG}/encounter")
    move_codec = union_codec(Move, f"{SLUG}/move")
    event_codec = union_codec(Fact, f"{SLUG}/event")
    setups: Mapping[str, EncounterSetup] = SETUPS
    setup_texts: Mapping[str, str] = SETUP_TEXTS
    move_groups: tuple[MoveGroup, ...] = MOVE_GROUPS

    def __init__(self, catalog: Catalog, windows: Windows | None = None) -> None:
        self.catalog = catalog
        self.windows = rules.own_windows() if windows is None else windows
        self._bots = bots.own_bots(catalog)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The game's own bots, the weakest first."""
        return self._bots

    def begin(self, setup_: EncounterSetup, cast: tuple[CastMember, ...]) -> Encounter | Problems:
        """The opening position."""
        return setup.begin(setup_, cast, self.catalog)

    def party(self, _setup: EncounterSetup) -> Party:
        """Which heroes an encounter can be begun with."""
        return Party(most=MOST_HEROES)

    def legal(self, state: Encounter, actor: str) -> tuple[LegalMove, ...]:
        """What an actor may do now."""
        return legal.legal(state, actor, self.catalog)

    def rule(self, turn: GameTurn, move: Move) -> Steps:
        """What happens when a move is made, step by step."""
        return rules.rule(turn, move)

    def evolve(self, state: Encounter, event: Fact) -> Encounter:
        """The state after one fact."""
        return evolve(state, event)

    def outcome(self, state: Encounter) -> Outcome:
        """Whether the encounter is over, and how."""
        return view.outcome(state)

    def view(self, state: Encounter, viewer: Viewer) -> Encounter:
        """What a viewer may know of the encounter."""
        return view.view(state, viewer)

    def known_to(self, state: Encounter, actor: str) -> Audience | None:
        """Who may know of a hero or a clock."""
        return view.known_to(state, actor)

    def tell(self, state: Encounter, event: Fact) -> str:
        """A plain sentence for a fact."""
        return tell.tell(state, event, self.catalog)

    def card(self, state: Encounter) -> SceneCard:
        """What any client can draw."""
        return view.card(state)

    def disposition(self, mover: ActorCard, other: ActorCard) -> Disposition | None:
        """How a hero, or what a clock stands for, stands to a hero who moves; None for work and trials."""
        return view.disposition(other)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return FIGURES

    def measure(self, state: Encounter) -> Iterable[Amount]:
        """How a state stands."""
        return measure(state)

    def count(self, state: Encounter, event: Fact) -> Iterable[Amount]:
        """What an event adds to figures."""
        return count(state, event)

    def changes(self, state: Encounter) -> tuple[Change, ...]:
        """What the encounter changes about its heroes."""
        return aftermath.changes(state)

    def absorb(self, choices: HeroChoices, data: Mapping[str, Json]) -> HeroChoices:
        """A hero's choices with an encounter taken in."""
        return aftermath.absorb(choices, data, self.catalog)

    @property
    def rests(self) -> tuple[DayRest, ...]:
        """The rests between two encounters of a day."""
        return rests.RESTS

    def opening_after(self, opening: Encounter, before: Encounter, _rest: str | None) -> Encounter | None:
        """A day's next encounter with those out of it who stay out; rests are played before."""
        return rests.opening_after(opening, before)

    def bot(self, state: Encounter, actor: str) -> Move | None:
        """A simple player's move."""
        return bots.bot(state, actor, self.catalog)

    def reply(self, state: Encounter, ask: Ask) -> Move:
        """A simple player's answer."""
        return bots.reply(state, ask, self.catalog)
