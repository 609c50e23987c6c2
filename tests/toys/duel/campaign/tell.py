"""One plain sentence for each fact of a feud."""

from .facts import FeudEvent, Hit, Met, Parted, Provoked, Settled
from .state import Feud


def tell(state: Feud, fact: FeudEvent) -> str:
    """The sentence for a fact."""
    names = {foe.id: foe.name for foe in state.foes}
    match fact:
        case Provoked():
            return f"{fact.name} is provoked."
        case Met():
            return f"{names[fact.foe]} comes to a duel."
        case Parted():
            return f"{names[fact.foe]} walks off."
        case Hit():
            return f"{names[fact.foe]} will remember that."
        case Settled():
            return "The feud is settled." if fact.agreed else "Not all would settle."
