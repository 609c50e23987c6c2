"""DungeonTeller's scenes: what `engine.play` asks of a game, put together from the modules beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from services.rules.engine.bots import RANDOM
from services.rules.engine.codec import Codec, Json
from services.rules.engine.map_now import GroundNow
from services.rules.engine.play import (
    GM,
    ONGOING,
    ActorCard,
    Audience,
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
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.site import GRID_KINDS, SITE_CODEC, Site
from services.rules.engine.steps import Ask, Steps, Turn
from services.rules.engine.work import Work
from services.rules.systems.dungeonteller.catalog import SLUG, Catalog
from services.rules.systems.dungeonteller.choices import HeroChoices
from services.rules.systems.dungeonteller.play import bots, view
from services.rules.systems.dungeonteller.play.changes import absorb, changes
from services.rules.systems.dungeonteller.play.conditions import disposition
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.evolve import evolve
from services.rules.systems.dungeonteller.play.exact import is_enumerable, kinds_of
from services.rules.systems.dungeonteller.play.facts import Event
from services.rules.systems.dungeonteller.play.figures import FIGURES, count, measure
from services.rules.systems.dungeonteller.play.legal import master
from services.rules.systems.dungeonteller.play.legal.turn import legal
from services.rules.systems.dungeonteller.play.move_groups import MOVE_GROUPS
from services.rules.systems.dungeonteller.play.moves import Move
from services.rules.systems.dungeonteller.play.rests import RESTS, opening_after
from services.rules.systems.dungeonteller.play.rules.dispatch import make
from services.rules.systems.dungeonteller.play.scene_card import card
from services.rules.systems.dungeonteller.play.secrecy import known_to
from services.rules.systems.dungeonteller.play.setup import SETUP_TEXTS, SETUPS, Setup, begin
from services.rules.systems.dungeonteller.play.sites import ground_now, laid_out
from services.rules.systems.dungeonteller.play.state import Scene, Side
from services.rules.systems.dungeonteller.play.targeting import player_of
from services.rules.systems.dungeonteller.play.tell import ending_text, tell

SETUP_CODEC = Codec(Setup, f"{SLUG}/setup")
STATE_CODEC = Codec(Scene, f"{SLUG}/scene", version=3)
MOVE_CODEC: Codec[Move] = Codec(cast(Any, Move), f"{SLUG}/move", version=2)
EVENT_CODEC: Codec[Event] = Codec(cast(Any, Event), f"{SLUG}/event", version=3)


@dataclass(frozen=True, slots=True)
class DungeonTellerPlay:
    """The game's scenes, played with a catalog."""

    catalog: Catalog

    @property
    def setup_codec(self) -> Codec[Setup]:
        """Setups to JSON and back."""
        return SETUP_CODEC

    @property
    def state_codec(self) -> Codec[Scene]:
        """Scenes to JSON and back."""
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
    def move_groups(self) -> tuple[MoveGroup, ...]:
        """The groups of moves."""
        return MOVE_GROUPS

    @property
    def setups(self) -> Mapping[str, Setup]:
        """Named setups."""
        return SETUPS

    @property
    def setup_texts(self) -> Mapping[str, str]:
        """What waits in each of them."""
        return SETUP_TEXTS

    def party(self, _setup: Setup) -> Party:
        """Which heroes a setup can be begun with: any."""
        return Party()

    def begin(self, setup: Setup, cast: tuple[CastMember, ...]) -> Scene | Problems:
        """The opening position."""
        return begin(setup, cast, self.catalog)

    @property
    def site_codec(self) -> Codec[Site]:
        """It is played on squares."""
        return SITE_CODEC

    @property
    def map_kinds(self) -> tuple[str, ...]:
        """It is played on all maps in cells."""
        return GRID_KINDS

    def laid_out(self, setup: Setup, site: Site) -> Setup | Problems:
        """The setup with a stored map as its place, and those who stand on it where they stand."""
        return laid_out(setup, site, self.catalog)

    def ground_now(self, state: Scene) -> GroundNow:
        """The place as it is now."""
        return ground_now(state)

    def work(self, state: Mapping[str, Any]) -> Work:
        """Legal moves weigh everybody there is against everybody; a bot may look for a way round walls."""
        beings, grid, turn = state["beings"], state["field"]["grid"], state["turn"]
        mover = turn["order"][turn["place"]] if turn["place"] < len(turn["order"]) else None
        far = next((being["fly"][1] for being in beings if being["id"] == mover and being["fly"]), 0)
        flown = min((2 * far + 1) ** 2, grid["width"] * grid["height"]) * 0.035 if far else 0.0
        legal = 20.0 + len(beings) + flown
        walled = grid["solid"] or grid.get("base")
        around_walls = grid["width"] * grid["height"] * 0.004 if walled else 0.0
        return Work(actors=len(beings), legal=legal, bot=3.0 + around_walls, bots={RANDOM: legal + 3.0})

    def legal(self, state: Scene, actor: str) -> tuple[LegalMove, ...]:
        """What a being may do now."""
        if actor == GM:
            return master.offers(state, self.catalog)
        return legal(state, self.catalog, actor)

    def rule(self, turn: Turn[Scene, Event], move: Move) -> Steps:
        """What happens when a move is made."""
        yield from make(Desk(turn, self.catalog), move)

    def evolve(self, state: Scene, event: Event) -> Scene:
        """The state after one event."""
        return evolve(state, event)

    def outcome(self, state: Scene) -> Outcome:
        """Whether the scene is over."""
        return (
            ONGOING
            if state.ended is None
            else Outcome(ended=True, winners=state.winners, text=ending_text(state.ended, state.ended_words))
        )

    def view(self, state: Scene, viewer: Viewer) -> Scene:
        """What a viewer may know of the scene."""
        return view.view(state, viewer)

    def sees(self, event: Event, viewer: Viewer) -> Event | None:
        """What a viewer may know of an event."""
        return view.sees(event, viewer)

    def tell(self, state: Scene, event: Event) -> str:
        """A plain sentence for an event."""
        return tell(self.catalog, state, event)

    def card(self, state: Scene) -> SceneCard:
        """What any client can draw."""
        return card(state)

    def disposition(self, mover: ActorCard, other: ActorCard) -> Disposition:
        """How a being stands to another that moves: bystanders are on no side."""
        return disposition(Side(mover.side), Side(other.side))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return FIGURES

    def measure(self, state: Scene) -> Iterable[Amount]:
        """How a state stands."""
        return measure(state)

    def count(self, state: Scene, event: Event) -> Iterable[Amount]:
        """What an event adds to figures."""
        return count(state, event)

    def is_enumerable(self, state: Scene, moves: int) -> bool:
        """Whether a simulation from here, of so many moves, is answered exactly."""
        return is_enumerable(state, moves)

    def kinds_of(self, _state: Scene, roll: Roll) -> Sequence[tuple[int, int]]:
        """Which faces of a roll mean the same: those that succeed, and those that fail."""
        return kinds_of(roll, self.catalog.settings.lucky_faces)

    def changes(self, state: Scene) -> tuple[Change, ...]:
        """What the scene changes about its heroes."""
        return changes(state)

    def absorb(self, choices: HeroChoices, data: Mapping[str, Json]) -> HeroChoices:
        """A hero's choices with what a scene brought."""
        return absorb(choices, self.catalog, data)

    @property
    def rests(self) -> tuple[DayRest, ...]:
        """The rests between two scenes of a day."""
        return RESTS

    def opening_after(self, opening: Scene, before: Scene, rest: str | None) -> Scene:
        """A day's next scene with the Luck that is left."""
        return opening_after(opening, before, rest)

    def led_by(self, state: Scene, actor: str) -> str:
        """Whose player moves a being: a pet or minion, its owner's."""
        return player_of(state, actor)

    def known_to(self, state: Scene, actor: str) -> Audience | None:
        """Who may know of a being: all, or for one who hides their own side and those who found them."""
        return known_to(state, actor)

    def reply(self, state: Scene, ask: Ask) -> Move:
        """A simple player's answer."""
        return bots.reply(state, ask)

    def bot(self, state: Scene, actor: str) -> Move | None:
        """A simple player's move."""
        return bots.bot(state, self.catalog, actor)
