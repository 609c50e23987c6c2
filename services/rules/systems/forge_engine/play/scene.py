"""The scenes of Forge Engine: what `engine.play` asks, put together from the files beside this one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.rules.engine.bots import Bot
from services.rules.engine.codec import Codec, Json
from services.rules.engine.map_now import GroundNow
from services.rules.engine.plain import PlainPlay, union_codec
from services.rules.engine.play import (
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
from services.rules.engine.simulation.figures import Amount, Figure, Power
from services.rules.engine.simulation.grades import DangerGrade
from services.rules.engine.simulation.rests import DayRest
from services.rules.engine.site import GRID_KINDS, SITE_CODEC, Site
from services.rules.engine.steps import Ask, Steps
from services.rules.systems.forge_engine.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.forge_engine.choices import CharacterChoices
from services.rules.systems.forge_engine.play import (
    bots,
    home,
    rests,
    rules,
    secrecy,
    setup,
    site,
    tell,
    view,
)
from services.rules.systems.forge_engine.play.document import FightCodec
from services.rules.systems.forge_engine.play.evolve import evolve
from services.rules.systems.forge_engine.play.facts import FightFact
from services.rules.systems.forge_engine.play.figures import FIGURES, count, danger, measure, powers
from services.rules.systems.forge_engine.play.legal import legal
from services.rules.systems.forge_engine.play.move_groups import MOVE_GROUPS
from services.rules.systems.forge_engine.play.moves import FightMove
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.setup import Setup
from services.rules.systems.forge_engine.play.state import Fight

OWN_BOTS = (bots.STRONG,)


class ForgePlay(PlainPlay[Setup, Fight, FightMove, FightFact]):
    """The scenes of Forge Engine.

    Args:
        catalog: The content that they are played by: the book's, or with packs in it.
    """

    setup_codec = Codec(Setup, f"{SLUG}/setup")
    move_codec = union_codec(FightMove, f"{SLUG}/move")
    event_codec = union_codec(FightFact, f"{SLUG}/event")
    site_codec = SITE_CODEC
    map_kinds = GRID_KINDS
    setups: Mapping[str, Setup] = setup.SETUPS
    setup_texts: Mapping[str, str] = setup.SETUP_TEXTS
    move_groups: tuple[MoveGroup, ...] = MOVE_GROUPS
    windows = rules.WINDOWS
    bots: tuple[Bot, ...] = OWN_BOTS

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.state_codec = FightCodec(catalog)

    def begin(self, setup_: Setup, cast: tuple[CastMember, ...]) -> Fight | Problems:
        """The opening position."""
        return setup.begin(setup_, cast, self._catalog)

    def party(self, _setup: Setup) -> Party:
        """Which characters a setup can be begun with: any."""
        return Party()

    def laid_out(self, setup_: Setup, where: Site) -> Setup | Problems:
        """The setup with a stored map as its place."""
        return site.laid_out(setup_, where, self._catalog)

    def ground_now(self, state: Fight) -> GroundNow | None:
        """The grid as it is now."""
        return site.ground_now(state)

    def legal(self, state: Fight, actor: str) -> tuple[LegalMove, ...]:
        """What an actor may do now."""
        return legal(state, actor)

    def rule(self, turn: FightTurn, move: FightMove) -> Steps:
        """What happens when a move is made."""
        return rules.rule(turn, move)

    def evolve(self, state: Fight, event: FightFact) -> Fight:
        """The state after one event."""
        return evolve(state, event)

    def outcome(self, state: Fight) -> Outcome:
        """Whether the fight is over, and who is left."""
        return view.outcome(state)

    def view(self, state: Fight, viewer: Viewer) -> Fight:
        """What a viewer may know of the fight."""
        return view.view(state, viewer)

    def known_to(self, state: Fight, actor: str) -> Audience | None:
        """Who may know of a combatant."""
        return secrecy.known_to(state, actor)

    def tell(self, state: Fight, event: FightFact) -> str:
        """A plain sentence for an event."""
        return tell.tell(state, event)

    def card(self, state: Fight) -> SceneCard:
        """What any client can draw."""
        return view.card(state)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What simulations measure beside what every game has."""
        return FIGURES

    def measure(self, state: Fight) -> Iterable[Amount]:
        """How a state stands."""
        return measure(state)

    def powers(self, state: Fight) -> Iterable[Power]:
        """The skills, spells and traits that figures are told of."""
        return powers(state)

    def count(self, state: Fight, event: FightFact) -> Iterable[Amount]:
        """What an event adds to figures."""
        return count(state, event)

    def danger(self, opening: Fight) -> DangerGrade | None:
        """How hard the book calls a fight."""
        return danger(opening)

    def changes(self, state: Fight) -> tuple[Change, ...]:
        """What the fight has changed about the characters."""
        return home.changes(state)

    def absorb(self, choices: CharacterChoices, data: Mapping[str, Json]) -> CharacterChoices:
        """A character's choices with what a fight has changed."""
        return home.absorb(choices, data, self._catalog)

    @property
    def rests(self) -> tuple[DayRest, ...]:
        """The rests between two scenes of a day."""
        return rests.RESTS

    def opening_after(self, opening: Fight, before: Fight, rest: str | None) -> Fight:
        """A day's next scene with its characters as they are left."""
        return rests.opening_after(opening, before, rest)

    def bot(self, state: Fight, actor: str) -> FightMove | None:
        """A combatant's move, or the game master's."""
        return bots.bot(state, actor)

    def reply(self, state: Fight, ask: Ask) -> FightMove:
        """A combatant's answer to a question."""
        return bots.reply(state, ask)


PLAY = ForgePlay(own_catalog())
"""The scenes by the book alone."""
