"""One plain sentence for each fact."""

from .facts import Braced, DuelEvent, Flinched, Listened, Lunged, Revealed, Stopped, Struck, TurnEnded
from .state import DuelState


def tell(state: DuelState, fact: DuelEvent) -> str:
    """The sentence for a fact; empty for one that need not be read."""
    names = {one.id: one.name for one in state.duellists}
    match fact:
        case TurnEnded():
            return ""
        case Lunged():
            return f"{names[fact.striker]} lunges at {names[fact.target]}."
        case Struck():
            return f"{names[fact.striker]} {'hits' if fact.hit else 'misses'} {names[fact.target]}."
        case Flinched():
            return f"{names[fact.target]} flinches."
        case Braced():
            return f"{names[fact.actor]} braces."
        case Listened():
            return f"{names[fact.who]} hears {'a breath' if fact.heard else 'nothing'}."
        case Revealed():
            return f"{fact.name} steps out."
        case Stopped():
            return "The duel is stopped."
