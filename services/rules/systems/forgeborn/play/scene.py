"""Forgeborn's games: what `engine.play` asks of a game, put together from the modules beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from services.rules.engine.bots import Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.plain import PlainPlay, union_codec
from services.rules.engine.play import (
    GM,
    Audience,
    CastMember,
    Change,
    LegalMove,
    MoveGroup,
    Outcome,
    SceneCard,
    Viewer,
)
from services.rules.engine.problem import Problems
from services.rules.engine.setups import Party
from services.rules.engine.simulation.figures import Amount, Figure
from services.rules.engine.steps import Ask, Steps
from services.rules.engine.windows import Windows
from services.rules.engine.work import Work
from services.rules.systems.forgeborn.catalog import SLUG, Catalog
from services.rules.systems.forgeborn.choices import SmithChoices
from services.rules.systems.forgeborn.play import chronicle, view
from services.rules.systems.forgeborn.play import setup as _setup
from services.rules.systems.forgeborn.play.bots import able, own_bots, strong_answer, strong_move
from services.rules.systems.forgeborn.play.evolve import evolve
from services.rules.systems.forgeborn.play.facts import Fact
from services.rules.systems.forgeborn.play.figures import FIGURES, count, measure
from services.rules.systems.forgeborn.play.legal import legal
from services.rules.systems.forgeborn.play.move_groups import MOVE_GROUPS
from services.rules.systems.forgeborn.play.moves import Move
from services.rules.systems.forgeborn.play.offers import MOVE_CODEC
from services.rules.systems.forgeborn.play.picture import picture
from services.rules.systems.forgeborn.play.rules import rule
from services.rules.systems.forgeborn.play.rules.conflict import own_windows
from services.rules.systems.forgeborn.play.rules.turns import GameTurn
from services.rules.systems.forgeborn.play.setup import SETUP_TEXTS, SETUPS, Setup
from services.rules.systems.forgeborn.play.setup.document import MOST
from services.rules.systems.forgeborn.play.state import Game
from services.rules.systems.forgeborn.play.tell import tell
from services.rules.systems.forgeborn.site import REALM_SITE_CODEC, RealmSite


class ForgebornPlay(PlainPlay[Setup, Game, Move, Fact]):
    """The game's scenes, played with a catalog.

    Args:
        catalog: The content.
        windows: What acts and who reacts in each window; those of the book when None.
    """

    setup_codec = Codec(Setup, f"{SLUG}/setup")
    # Games of the first version kept questions in their state, those of the second the Prince's favour and
    # grants as numbers and names: there is no way up from them.
    state_codec = Codec(Game, f"{SLUG}/game", version=3)
    move_codec = MOVE_CODEC
    event_codec = union_codec(Fact, f"{SLUG}/event", version=2)
    site_codec = REALM_SITE_CODEC
    map_kinds = ("forgeborn_realm",)
    setups: Mapping[str, Setup] = SETUPS
    setup_texts: Mapping[str, str] = SETUP_TEXTS
    move_groups: tuple[MoveGroup, ...] = MOVE_GROUPS

    def __init__(self, catalog: Catalog, windows: Windows | None = None) -> None:
        self.catalog = catalog
        self.windows = own_windows() if windows is None else windows

    @property
    def bots(self) -> tuple[Bot, ...]:
        """Bots of the game's own, the weakest first."""
        return own_bots(self.catalog)

    def begin(self, setup: Setup, cast: tuple[CastMember, ...]) -> Game | Problems:
        """The opening position."""
        return _setup.begin(setup, cast, self.catalog)

    def party(self, _setup: Setup) -> Party:
        """Which Smiths a setup can be begun with (Overview)."""
        return Party(most=MOST)

    def laid_out(self, setup: Setup, site: RealmSite) -> Setup | Problems:
        """The setup with a stored realm as its place."""
        return _setup.laid_out(setup, site)

    def on_map(self, state: Game) -> RealmSite | None:
        """The stored realm as it is now, with the pieces on it."""
        return _setup.site_of(state)

    def legal(self, state: Game, actor: str) -> tuple[LegalMove, ...]:
        """What an actor may do now."""
        return legal(state, self.catalog, actor)

    def rule(self, turn: GameTurn, move: Move) -> Steps:
        """What happens when a move is made."""
        return rule(turn, move)

    def evolve(self, state: Game, event: Fact) -> Game:
        """The state after one event."""
        return evolve(state, event)

    def outcome(self, state: Game) -> Outcome:
        """Whether the game is over, and who has won."""
        return view.outcome(state)

    def view(self, state: Game, viewer: Viewer) -> Game:
        """What a viewer may know of the game."""
        return view.view(state, viewer)

    def sees(self, event: Fact, viewer: Viewer) -> Fact | None:
        """What a viewer may know of an event."""
        return view.sees(event, viewer)

    def tell(self, state: Game, event: Fact) -> str:
        """A plain sentence for an event."""
        return tell(state, event, self.catalog)

    def card(self, state: Game) -> SceneCard:
        """What any client can draw."""
        return view.card(state, self.catalog)

    def work(self, state: Mapping[str, Any]) -> Work:
        """The picture draws every die of the realm."""
        return Work(picture=5.0 + 0.3 * len(state["ground"]["dice"]))

    def picture(self, state: Game) -> str:
        """The realm with its pieces, as SVG."""
        return picture(state)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return FIGURES

    def measure(self, state: Game) -> Iterable[Amount]:
        """How a state stands."""
        return measure(state)

    def count(self, state: Game, event: Fact) -> Iterable[Amount]:
        """What an event adds to figures."""
        return count(state, event)

    def changes(self, state: Game) -> tuple[Change, ...]:
        """What the game leaves in the Smiths' chronicles."""
        return chronicle.changes(state)

    def absorb(self, choices: SmithChoices, data: Mapping[str, Json]) -> SmithChoices:
        """A Smith's choices with a game taken into her chronicle."""
        return chronicle.absorb(choices, data)

    def led_by(self, state: Game, actor: str) -> str:
        """Whose player moves an actor: a Heroine, her Smith's; rivals, the game master."""
        smith = state.find_smith(state.player_of(actor))
        return smith.id if smith is not None and smith.character else GM

    def known_to(self, state: Game, actor: str) -> Audience:
        """Who may know of an actor."""
        return view.known_to(state, actor)

    def bot(self, state: Game, actor: str) -> Move | None:
        """A player's move."""
        return able(strong_move(state, self.catalog, actor), state, self.catalog)

    def reply(self, state: Game, ask: Ask) -> Move:
        """A player's answer to a question."""
        return strong_answer(state, self.catalog, ask)
