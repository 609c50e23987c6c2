"""The moves that an actor may make now, as buttons; none of them is refused."""

from dataclasses import replace

from services.rules.engine.buttons import button, choice_field
from services.rules.engine.play import GM, Chance, LegalMove

from ..mechanics import hit_chance, strike_dice
from .moves import Brace, Listen, Reveal, Stop, Strike
from .state import HEROES, DuelState


def legal(state: DuelState, actor: str) -> tuple[LegalMove, ...]:
    """Strike or brace in one's turn; the game master's moves at any time."""
    if state.over() or actor not in (GM, state.turn):
        return ()
    if actor == GM:
        stop = button(Stop(actor=GM), "stop", "Stop", "The duel ends here.", "The end")
        who = choice_field("who", "Who listens?", ((hero.id, hero.name) for hero in state.on(HEROES)))
        listen = button(Listen(actor=GM, who=""), "listen", "Listen", "2 dice in secret.", "Hiding", who)
        reveal = button(Reveal(actor=GM), "reveal", "Reveal", "The hidden rival steps out.", "Hiding")
        return (listen, reveal, stop) if state.hidden() else (stop,)
    brace = button(Brace(actor=actor), "brace", "Brace", "One more die until your next turn.", "Bracing")
    return (*(_strike(state, actor, target) for target in state.targets(actor)), brace)


def _strike(state: DuelState, actor: str, target: str) -> LegalMove:
    move, name = Strike(actor=actor, target=target), state.find(target).name
    offer = button(move, f"strike:{target}", f"Strike {name}", "A hit takes 1 Nerve.", "Striking")
    attack, guard = strike_dice(state.find(actor).style), state.guard(target)
    hit = Chance("hit", f"hit {name}, if they stand", hit_chance(attack.value, guard.value))
    return replace(offer, dice=attack, odds=f"duel:strike({attack.value}, {guard.value})", chances=(hit,))
