"""Dwarf Dice's games: what `engine.play` asks of a game, put together from the modules beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from services.rules.engine.bots import RANDOM, Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.first_edition import FirstEdition
from services.rules.engine.play import (
    GM,
    ONGOING,
    CastMember,
    Change,
    Check,
    Faces,
    LegalMove,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.work import Work
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, Forges
from services.rules.systems.dwarf_dice.champion import ChampionChoices
from services.rules.systems.dwarf_dice.play import (
    homecoming,
    lapsing,
    offers,
    picture,
    rules,
    setup,
    summary,
    telling,
    view,
)
from services.rules.systems.dwarf_dice.play.bots import own_bots
from services.rules.systems.dwarf_dice.play.events import Event
from services.rules.systems.dwarf_dice.play.evolve import evolve
from services.rules.systems.dwarf_dice.play.moves import Move
from services.rules.systems.dwarf_dice.play.setup import SETUPS, Setup
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.play.strong_bot import StrongBot

SETUP_CODEC = Codec(Setup, f"{SLUG}/setup")
STATE_CODEC = Codec(Table, f"{SLUG}/table")
MOVE_CODEC: Codec[Move] = Codec(cast(Any, Move), f"{SLUG}/move")
EVENT_CODEC: Codec[Event] = Codec(cast(Any, Event), f"{SLUG}/event")


class DwarfDicePlay(FirstEdition[Any, Any, Any]):
    """The game's scenes, played with a catalog.

    Args:
        catalog: The content.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._forges = Forges(catalog)
        self._strong = StrongBot(catalog, self._forges)
        self._bots = own_bots(catalog, self._forges, self._strong)

    @property
    def setup_codec(self) -> Codec[Setup]:
        """Setups to JSON and back."""
        return SETUP_CODEC

    @property
    def state_codec(self) -> Codec[Table]:
        """Games to JSON and back."""
        return STATE_CODEC

    @property
    def move_codec(self) -> Codec[Move]:
        """Moves to JSON and back."""
        return MOVE_CODEC

    @property
    def event_codec(self) -> Codec[Event]:
        """Events to JSON and back."""
        return EVENT_CODEC

    @property
    def setups(self) -> Mapping[str, Setup]:
        """Named setups."""
        return SETUPS

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The game's own bots, the weakest first."""
        return self._bots

    def begin(self, setup_: Setup, cast: tuple[CastMember, ...]) -> Table | Problems:
        """The opening position."""
        return setup.begin(setup_, cast, self.catalog)

    def legal(self, state: Table, actor: str) -> tuple[LegalMove, ...]:
        """What somebody may do now."""
        return offers.offers(state, actor, self.catalog, self._forges)

    def check(self, state: Table, move: Move) -> Check | Problems:
        """The dice of a move."""
        return rules.check(state, move, self.catalog, self._forges)

    def decide(self, state: Table, move: Move, faces: Faces) -> tuple[Event, ...] | Problems:
        """What happens when a move's dice fall so."""
        return rules.decide(state, move, faces, self.catalog, self._forges)

    def evolve(self, state: Table, event: Event) -> Table:
        """The state after one event."""
        return evolve(state, event)

    def outcome(self, state: Table) -> Outcome:
        """Whether the game is over."""
        ending = state.ending
        if ending is None:
            return ONGOING
        return Outcome(ended=True, winners=ending.winners, text=ending.text)

    def view(self, state: Table, viewer: Viewer) -> Table:
        """What a viewer may know of the game."""
        return view.view(state, viewer)

    def sees(self, event: Event, viewer: Viewer) -> Event | None:
        """What a viewer may know of an event."""
        return view.sees(event, viewer)

    def tell(self, state: Table, event: Event) -> str:
        """A plain sentence for an event."""
        return telling.tell(state, event, self.catalog)

    def card(self, state: Table) -> SceneCard:
        """What any client can draw."""
        return summary.card(state, self.catalog)

    def changes(self, state: Table) -> tuple[Change, ...]:
        """What the game changes about its champions."""
        return homecoming.changes(state)

    def absorb(self, choices: ChampionChoices, data: Mapping[str, Json]) -> ChampionChoices:
        """A champion's choices with what a game brought."""
        return homecoming.absorb(choices, data)

    def led_by(self, state: Table, actor: str) -> str:
        """Whose player moves somebody: rivals are the game master's."""
        found = state.find(actor)
        return actor if found is not None and found.character else GM

    def bot(self, state: Table, actor: str) -> Move | None:
        """The strong bot's move, from what the actor may know."""
        seen = view.view(state, Viewer(actors=frozenset({actor})))
        return self._strong.move(seen, actor)

    def lapse(self, state: Table, prompt: str) -> Move | None:
        """The move that stands for no answer."""
        return lapsing.lapse(state, prompt, self.catalog)

    def work(self, state: Mapping[str, Any]) -> Work:
        """A strong bot weighs every choice by its exact odds; a hoard's dice have the most."""
        return Work(actors=len(state["fighters"]), bots={RANDOM: 8.0, "strong": 15.0}, picture=5.0)

    def picture(self, state: Table) -> str:
        """The table as the text of an SVG file."""
        return picture.picture(state, self.catalog)
