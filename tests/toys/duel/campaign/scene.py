"""The campaigns of Duel, put together from the files beside this one, and what a client can draw of them."""

from services.rules.engine.plain import PlainCampaign, assembled
from services.rules.engine.play import GM, ONGOING, ActorCard, Outcome, SceneCard
from services.rules.engine.sheet import Track

from ..play.state import HEROES, RIVALS
from . import evolve, rules, setup, tell
from .facts import FeudEvent
from .moves import FeudMove, Settle
from .setup import FeudSetup
from .state import ENOUGH, Feud


class FeudPlay(PlainCampaign[FeudSetup, Feud, FeudMove, FeudEvent]):
    """The campaigns of Duel."""

    def outcome(self, state: Feud) -> Outcome:
        """Over when it is settled, or when the rival has had enough."""
        if state.settled:
            return Outcome(ended=True, text="The feud is settled.")
        enough = Outcome(ended=True, winners=(HEROES,), text=f"{state.rival} has had enough.")
        return enough if state.over() else ONGOING

    def card(self, state: Feud) -> SceneCard:
        """Heroes and the rival."""
        hits = (Track("hits", "Hits", min(state.hits, ENOUGH), ENOUGH),)
        heroes = ((who, name, HEROES, ()) for who, name in state.heroes.items())
        actors = tuple(
            ActorCard(id=who, name=name, side=side, tracks=tracks, character=side == HEROES)
            for who, name, side, tracks in (*heroes, ("rival", state.rival, RIVALS, hits))
        )
        waiting = () if state.over() else (GM,)
        return SceneCard(title=state.title, round=1, turn=None, actors=actors, waiting_for=waiting)

    def bot(self, state: Feud, actor: str) -> FeudMove | None:
        """Settles."""
        return Settle(actor=GM) if actor == GM and not state.over() else None


PLAY = assembled(FeudPlay, "duel/feud", evolve, rules, setup, tell)
