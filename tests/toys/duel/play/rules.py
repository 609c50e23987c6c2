"""The rules, as generators: refusals come first; dice fall and questions are asked where they stand."""

from services.rules.engine.buttons import button, flag_field
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, GM_ONLY, Roll
from services.rules.engine.steps import Ask, Steps, Turn, refuse

from ..mechanics import read_strike, strike_dice
from .facts import Braced, DuelEvent, Flinched, Listened, Lunged, Revealed, Stopped, Struck, TurnEnded
from .moves import Answer, Brace, DuelMove, Listen, Reveal, Stop, Strike
from .state import HEROES, Duellist, DuelState

HEARD_AT = 8
"""The sum of two dice at which a hero hears the hidden rival."""


def rule(turn: Turn[DuelState, DuelEvent], move: DuelMove) -> Steps:
    """Every move: first what no move may break, then its own rule."""
    if turn.state.over():
        refuse("duel_over", "The duel is over.", "The end")
    if move.actor not in (GM, turn.state.turn):
        refuse("not_your_turn", "It is not their turn.", "Turns", ("actor",), move.actor)
    if isinstance(move, Answer) or (move.actor == GM) != isinstance(move, Listen | Reveal | Stop):
        refuse("not_yours", "That is not theirs to do.", "Turns", ("actor",), move.actor)
    match move:
        case Strike():
            yield from strike(turn, move)
        case Brace():
            turn.happen(Braced(actor=move.actor), TurnEnded())
        case Listen():
            yield from listen(turn, move)
        case Reveal():
            hidden = hiding(turn.state)
            turn.happen(Revealed(rival=hidden.id, name=hidden.name))
        case Stop():
            turn.happen(Stopped())


def strike(turn: Turn[DuelState, DuelEvent], move: Strike) -> Steps:
    """A lunge, the struck one's reaction, the dice of both, a hit or a miss."""
    targets = turn.state.targets(move.actor)
    if move.target not in targets:
        refuse("unknown_target", "No such opponent.", "Striking", ("target",), move.target, targets)
    turn.happen(Lunged(striker=move.actor, target=move.target))
    if not turn.state.find(move.target).flinched:
        (answer,) = yield from turn.ask(flinch_or_stand(turn.state, move.target))
        if answer.flinch:
            turn.happen(Flinched(target=move.target), TurnEnded())
            return
    attack, guard = strike_dice(turn.state.find(move.actor).style), turn.state.guard(move.target)
    odds = f"duel:strike({attack.value}, {guard.value})"
    mine = Roll(id="attack", actor=move.actor, label="Strike", dice=attack, odds=odds)
    theirs = Roll(id="guard", actor=move.target, label="Guard", dice=guard)
    reading = read_strike(*(yield from turn.roll(mine, theirs)))
    ahead, hit = reading.total, reading.outcome == "hit"
    turn.happen(Struck(striker=move.actor, target=move.target, ahead=ahead, hit=hit), TurnEnded())


def flinch_or_stand(state: DuelState, target: str) -> Ask:
    """The question to the struck one; silence stands."""
    flinch, stand = flag_field("flinch", "Flinch?"), Answer(actor=target, flinch=False)
    offer = button(stand, "answer", "Answer", "Flinch, once in a duel, or stand.", "Flinching", flinch)
    text, offers = "Stand, or flinch?", (offer,)
    return Ask(id="flinch", actor=target, question=text, offers=offers, silence=stand, seconds=state.patience)


def listen(turn: Turn[DuelState, DuelEvent], move: Listen) -> Steps:
    """Two dice in secret: whether a hero hears the hidden rival."""
    hiding(turn.state)
    heroes = tuple(hero.id for hero in turn.state.on(HEROES))
    if move.who not in heroes:
        refuse("unknown_hero", "No such hero can listen.", "Hiding", ("who",), move.who, heroes)
    dice = Explained.of(Part(2, "Listen", "Hiding"))
    (faces,) = yield from turn.roll(Roll(id="listen", actor=GM, label="Listen", dice=dice, audience=GM_ONLY))
    turn.happen(Listened(who=move.who, heard=sum(faces) >= HEARD_AT, audience=GM_ONLY))


def hiding(state: DuelState) -> Duellist:
    """The rival that hides; refused where none does."""
    return state.hidden() or refuse("nobody_hides", "No rival hides.", "Hiding")
