"""Two ways of playing Duel: the simple one that every game has, and a fierce one."""

from services.rules.engine.bots import Bot
from services.rules.engine.play import GM
from services.rules.engine.steps import Ask

from .moves import Answer, DuelMove, Reveal, Strike
from .state import DuelState


def bot(state: DuelState, actor: str) -> DuelMove | None:
    """Strikes at the weakest; the game master lets the hidden rival step out after round 1."""
    if actor == GM and state.hidden() and state.round > 1 and not state.over():
        return Reveal(actor=GM)
    if state.over() or actor != state.turn:
        return None
    return Strike(actor=actor, target=min(state.targets(actor), key=lambda who: state.find(who).nerve))


def reply(state: DuelState, ask: Ask) -> DuelMove:
    """Flinches with one Nerve left."""
    return Answer(actor=ask.actor, flinch=state.find(ask.actor).nerve == 1)


FIERCE = Bot(
    id="fierce",
    version=1,
    text="Strikes at the weakest, and never flinches.",
    move=lambda state, actor, _choose: bot(state, actor),
    answer=lambda _state, ask, _choose: Answer(actor=ask.actor, flinch=False),
)
bots = (FIERCE,)
