"""One plain sentence for each fact of a feud."""

from .facts import FeudEvent, Hit, Met, Settled
from .state import Feud


def tell(state: Feud, fact: FeudEvent) -> str:
    """The sentence for a fact."""
    match fact:
        case Met():
            return f"{state.rival} {'comes to a duel' if fact.met else 'walks off'}."
        case Hit():
            return f"{state.rival} will remember that."
        case Settled():
            return "The feud is settled." if fact.agreed else "Not all would settle."
