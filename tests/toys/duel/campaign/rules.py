"""The rules of a feud: rivals are provoked, and peace takes every hero's consent."""

from services.rules.engine.buttons import button, flag_field
from services.rules.engine.play import GM
from services.rules.engine.steps import Ask, Steps, Turn, refuse

from .facts import FeudEvent, Provoked, Settled
from .moves import Consent, FeudMove, Provoke, Settle
from .state import Feud

RULE = "Feuds"
MOST_FOES = 5


def rule(turn: Turn[Feud, FeudEvent], move: FeudMove) -> Steps:
    """Every move."""
    if turn.state.over():
        refuse("feud_over", "The feud is over.", RULE)
    if move.actor != GM:
        refuse("not_yours", "That is the game master's to do.", RULE, ("actor",), move.actor)
    match move:
        case Provoke():
            taken = tuple(foe.name for foe in turn.state.foes)
            if len(taken) == MOST_FOES or move.name in taken or not move.name.strip():
                refuse("no_such_foe", "No new rival to provoke.", RULE, ("name",), move.name)
            turn.happen(Provoked(foe=f"foe-{len(taken) + 1}", name=move.name))
        case Settle():
            answers = yield from turn.ask(*map(_consent, turn.state.heroes))
            turn.happen(Settled(agreed=all(answer.agrees for answer in answers)))
        case Consent():
            refuse("nothing_asked", "No question is open.", RULE)


def _consent(hero: str) -> Ask:
    text, agrees = "The feud is over if all agree.", flag_field("agrees", "Agree?")
    offer = button(Consent(actor=hero, agrees=False), "consent", "Answer", text, RULE, agrees)
    return Ask(id=f"settle:{hero}", actor=hero, question="Let the feud rest?", offers=(offer,))
