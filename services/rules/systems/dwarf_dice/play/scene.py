"""Dwarf Dice's games: what `engine.play` asks of a game, put together from the modules beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.rules.engine.bots import RANDOM, Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.plain import PlainPlay, union_codec
from services.rules.engine.play import (
    GM,
    ActorCard,
    CastMember,
    Change,
    Disposition,
    LegalMove,
    MoveGroup,
    Outcome,
    Roll,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.setups import Party
from services.rules.engine.simulation.figures import Amount, Figure
from services.rules.engine.steps import Ask, Steps, Turn
from services.rules.engine.windows import Windows
from services.rules.engine.work import Work
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, Forges
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.play import outcome, picture, rules, setup, tell, view
from services.rules.systems.dwarf_dice.play.bots import own_bots
from services.rules.systems.dwarf_dice.play.bots.strong import StrongBot
from services.rules.systems.dwarf_dice.play.evolve import evolve
from services.rules.systems.dwarf_dice.play.exact import is_enumerable, kinds_of
from services.rules.systems.dwarf_dice.play.facts import Fact
from services.rules.systems.dwarf_dice.play.figures import FIGURES, count, measure
from services.rules.systems.dwarf_dice.play.legal import own
from services.rules.systems.dwarf_dice.play.move_groups import MOVE_GROUPS
from services.rules.systems.dwarf_dice.play.moves import Move
from services.rules.systems.dwarf_dice.play.rules.powers import own_windows
from services.rules.systems.dwarf_dice.play.setup import SETUP_TEXTS, SETUPS, Setup
from services.rules.systems.dwarf_dice.play.state import Table


class DwarfDicePlay(PlainPlay[Setup, Table, Move, Fact]):
    """The game's scenes, played with a catalog.

    Args:
        catalog: The content.
        windows: What acts and who reacts in each window; the powers of the box when None.
    """

    setup_codec = Codec(Setup, f"{SLUG}/setup")
    # Version 1 kept what a game waited for in its state, and named all dice of a move before the first fell;
    # version 2 kept gems, and no powers, on its fighters.
    state_codec = Codec(Table, f"{SLUG}/table", version=3)
    move_codec = union_codec(Move, f"{SLUG}/move", version=2)
    event_codec = union_codec(Fact, f"{SLUG}/event", version=3)
    setups: Mapping[str, Setup] = SETUPS
    setup_texts: Mapping[str, str] = SETUP_TEXTS
    move_groups: tuple[MoveGroup, ...] = MOVE_GROUPS

    def __init__(self, catalog: Catalog, windows: Windows | None = None) -> None:
        self.catalog = catalog
        self.windows = own_windows() if windows is None else windows
        self._forges = Forges(catalog)
        self._strong = StrongBot(catalog, self._forges)
        self._bots = own_bots(catalog, self._forges, self._strong)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The game's own bots, the weakest first."""
        return self._bots

    def begin(self, setup_: Setup, cast: tuple[CastMember, ...]) -> Table | Problems:
        """The opening position."""
        return setup.begin(setup_, cast, self.catalog)

    def party(self, setup_: Setup) -> Party:
        """Which champions a setup can be begun with."""
        return setup.party(setup_, self.catalog)

    def legal(self, state: Table, actor: str) -> tuple[LegalMove, ...]:
        """What an actor may do now."""
        return own.legal(state, actor, self.catalog, self._forges)

    def rule(self, turn: Turn[Table, Fact], move: Move) -> Steps:
        """What happens when a move is made, step by step."""
        return rules.rule(turn, move, self.catalog, self._forges)

    def evolve(self, state: Table, event: Fact) -> Table:
        """The state after one fact."""
        return evolve(state, event, self.catalog)

    def outcome(self, state: Table) -> Outcome:
        """Whether the game is over, and how."""
        return outcome.outcome(state)

    def view(self, state: Table, viewer: Viewer) -> Table:
        """What a viewer may know of the game."""
        return view.view(state, viewer)

    def tell(self, state: Table, event: Fact) -> str:
        """A plain sentence for a fact."""
        return tell.tell(state, event, self.catalog)

    def card(self, state: Table) -> SceneCard:
        """What any client can draw."""
        return view.card(state, self.catalog)

    def disposition(self, mover: ActorCard, other: ActorCard) -> Disposition:
        """Everybody else is a foe: champions fight each for themselves."""
        return Disposition.FOE

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return FIGURES

    def measure(self, state: Table) -> Iterable[Amount]:
        """How a state stands."""
        return measure(state)

    def count(self, state: Table, event: Fact) -> Iterable[Amount]:
        """What an event adds to figures."""
        return count(state, event)

    def is_enumerable(self, state: Table, moves: int) -> bool:
        """Whether a simulation from here, of so many moves, is answered exactly."""
        return is_enumerable(state, moves)

    def kinds_of(self, state: Table, roll: Roll) -> Sequence[tuple[int, int]]:
        """Which faces of a roll mean the same: those that show one Resource."""
        return kinds_of(state, roll)

    def changes(self, state: Table) -> tuple[Change, ...]:
        """What the game changes about its champions."""
        return outcome.changes(state)

    def absorb(self, choices: ChampionChoices, data: Mapping[str, Json]) -> ChampionChoices:
        """A champion's choices with a game written into the chronicle."""
        return outcome.absorb(choices, data)

    def led_by(self, state: Table, actor: str) -> str:
        """Whose player moves an actor: rivals are the game master's."""
        found = state.find(actor)
        return actor if found is not None and found.character else GM

    def bot(self, state: Table, actor: str) -> Move | None:
        """The strong bot's move, from what the actor may know."""
        seen = view.view(state, Viewer(actors=frozenset({actor})))
        return self._strong.move(seen, actor)

    def reply(self, state: Table, ask: Ask) -> Move:
        """The strong bot's answer."""
        return self._strong.answer(state, ask)

    def work(self, state: Mapping[str, Any]) -> Work:
        """A strong bot weighs every choice by its exact odds; a hoard's dice have the most."""
        return Work(actors=len(state["fighters"]), bots={RANDOM: 8.0, "strong": 15.0}, picture=5.0)

    def picture(self, state: Table) -> str:
        """The table as the text of an SVG file."""
        return picture.picture(state, self.catalog)
