"""The campaigns of Duel: what `engine.campaign` asks of a game beside what it asks of every scene."""

from collections.abc import Mapping
from typing import Any

from services.rules.engine.buttons import button, text_field
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.codec import Codec
from services.rules.engine.plain import PlainCampaign, union_codec
from services.rules.engine.play import GM, ONGOING, ActorCard, CastMember, LegalMove, Outcome, SceneCard
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import Track
from services.rules.engine.steps import Ask

from ..play.facts import Struck
from ..play.setup import DuelSetup
from ..play.state import HEROES, RIVALS
from .evolve import evolve
from .facts import FeudEvent, Hit, Met, Parted
from .moves import Consent, FeudMove, Provoke, Settle
from .rules import MOST_FOES, RULE, rule
from .setup import FeudSetup
from .state import ENOUGH, Feud
from .tell import tell


class FeudPlay(PlainCampaign[FeudSetup, Feud, FeudMove, FeudEvent]):
    """The campaigns of Duel."""

    setup_codec = Codec(FeudSetup, "duel/feud-setup")
    state_codec = Codec(Feud, "duel/feud")
    move_codec = union_codec(FeudMove, "duel/feud-move")
    event_codec = union_codec(FeudEvent, "duel/feud-event")
    setups: Mapping[str, FeudSetup] = {"mill": FeudSetup(title="The Feud at the Mill")}
    rule = staticmethod(rule)
    evolve = staticmethod(evolve)
    tell = staticmethod(tell)

    def begin(self, setup: FeudSetup, cast: tuple[CastMember, ...]) -> Feud | Problems:
        """The heroes, and no rival yet."""
        if not cast:
            return Problems((RuleProblem("cast_missing", "A feud takes heroes.", RULE),))
        return Feud(title=setup.title, heroes={member.id: member.sheet.name for member in cast})

    def scenes(self, state: Feud) -> Mapping[str, SceneOrder]:
        """A duel with each rival who has not had enough and is not met already."""
        ready = (foe for foe in state.foes if not (foe.met or foe.hits >= ENOUGH or state.settled))
        titles = {foe: DuelSetup(title=f"{state.title}: {foe.name}", rivals=(foe.name,)) for foe in ready}
        return {foe.id: SceneOrder(setup=setup, text=f"Meet {foe.name}.") for foe, setup in titles.items()}

    def began(self, state: Feud, name: str) -> tuple[FeudEvent, ...]:
        """The rival is met."""
        return (Met(foe=name),)

    def hears(self, state: Feud, name: str, event: Any) -> tuple[FeudEvent, ...]:
        """A hit on the rival counts at once."""
        hit = isinstance(event, Struck) and event.hit and event.target.startswith("rival-")
        return (Hit(foe=name),) if hit else ()

    def parted(self, state: Feud, name: str) -> tuple[FeudEvent, ...]:
        """The rival can be met again."""
        return (Parted(foe=name),)

    def legal(self, state: Feud, actor: str) -> tuple[LegalMove, ...]:
        """The game master provokes and settles."""
        if actor != GM or state.over():
            return ()
        name, text = text_field("name", "Whom?", 40), "A rival to be met in a duel."
        provoke = button(Provoke(actor=GM, name=""), "provoke", "Provoke", text, RULE, name)
        settle = button(Settle(actor=GM), "settle", "Settle", "Over, if every hero agrees.", RULE)
        return (provoke, settle) if len(state.foes) < MOST_FOES else (settle,)

    def outcome(self, state: Feud) -> Outcome:
        """Over when it is settled, or when every rival has had enough."""
        if state.settled:
            return Outcome(ended=True, text="The feud is settled.")
        won = Outcome(ended=True, winners=(HEROES,), text="The rivals have had enough.")
        return won if state.over() else ONGOING

    def card(self, state: Feud) -> SceneCard:
        """Heroes and rivals."""
        heroes = [(hero, name, HEROES, ()) for hero, name in state.heroes.items()]
        hits = {foe.id: Track("hits", "Hits", min(foe.hits, ENOUGH), ENOUGH) for foe in state.foes}
        actors = tuple(
            ActorCard(id=who, name=name, side=side, tracks=tracks, character=side == HEROES)
            for who, name, side, tracks in (
                *heroes,
                *((foe.id, foe.name, RIVALS, (hits[foe.id],)) for foe in state.foes),
            )
        )
        waiting = () if state.over() else (GM,)
        return SceneCard(title=state.title, round=1, turn=None, actors=actors, waiting_for=waiting)

    def bot(self, state: Feud, actor: str) -> FeudMove | None:
        """Provokes two rivals, and settles."""
        if actor != GM or state.over():
            return None
        few = len(state.foes) < 2
        return Provoke(actor=GM, name=f"Cousin {len(state.foes) + 1}") if few else Settle(actor=GM)

    def reply(self, state: Feud, ask: Ask) -> FeudMove:
        """Agrees."""
        return Consent(actor=ask.actor, agrees=True)
