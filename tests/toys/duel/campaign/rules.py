"""The rules of a feud: peace takes every hero's consent, and what happens in a duel is remembered."""

from collections.abc import Mapping
from typing import Any

from services.rules.engine.buttons import button, flag_field
from services.rules.engine.campaign import SceneOrder
from services.rules.engine.play import GM, LegalMove
from services.rules.engine.steps import Ask, Steps, Turn, refuse

from ..play.facts import Struck
from ..play.setup import DuelSetup
from .facts import FeudEvent, Hit, Met, Settled
from .moves import Consent, FeudMove, Settle
from .state import Feud


def rule(turn: Turn[Feud, FeudEvent], move: FeudMove) -> Steps:
    """Peace, if every hero's player agrees, asked side by side."""
    if turn.state.over() or not isinstance(move, Settle) or move.actor != GM:
        refuse("not_yours", "There is nothing for them to do.", "Feuds", ("actor",), move.actor)
    answers = yield from turn.ask(*map(_consent, turn.state.heroes))
    turn.happen(Settled(agreed=all(answer.agrees for answer in answers)))


def _consent(hero: str) -> Ask:
    yes, agrees = Consent(actor=hero, agrees=True), flag_field("agrees", "Agree?")
    offer = button(yes, "consent", "Answer", "The feud is over if all agree.", "Feuds", agrees)
    return Ask(id=f"settle:{hero}", actor=hero, question="Let it rest?", offers=(offer,), silence=yes)


def legal(state: Feud, actor: str) -> tuple[LegalMove, ...]:
    """The game master settles."""
    settle = button(Settle(actor=GM), "settle", "Settle", "Over, if every hero agrees.", "Feuds")
    return (settle,) if actor == GM and not state.over() else ()


def scenes(state: Feud) -> Mapping[str, SceneOrder]:
    """A duel with the rival who has not had enough and is not met already."""
    setup = DuelSetup(title=f"{state.title}: {state.rival}", rivals=(state.rival,))
    order = SceneOrder(setup=setup, text=f"Meet {state.rival}.")
    return {} if state.met or state.over() else {"rival": order}


def began(state: Feud, name: str) -> tuple[FeudEvent, ...]:
    """The rival is met."""
    return (Met(met=True),)


def hears(state: Feud, name: str, event: Any) -> tuple[FeudEvent, ...]:
    """A hit on the rival counts at once."""
    return (Hit(),) if isinstance(event, Struck) and event.hit and event.target == "rival-1" else ()


def parted(state: Feud, name: str) -> tuple[FeudEvent, ...]:
    """The rival can be met again."""
    return (Met(met=False),)
