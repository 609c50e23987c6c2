"""What a viewer may know of a duel, what any client can draw of it, and how it ends."""

from dataclasses import replace
from xml.sax.saxutils import escape

from services.rules.engine import play as frame
from services.rules.engine.effects import on
from services.rules.engine.sheet import Track

from ..catalog import EFFECTS
from .state import HEROES, RIVALS, Duellist, DuelState


def known_to(state: DuelState, actor: str) -> frame.Audience:
    """The game master alone for the hidden rival, everyone for all others."""
    hidden = state.hidden()
    return frame.GM_ONLY if hidden is not None and hidden.id == actor else frame.EVERYONE


def view(state: DuelState, viewer: frame.Viewer) -> DuelState:
    """The state; to players without the hidden rival and whether it was heard."""
    shown = tuple(one for one in state.duellists if not one.hidden)
    return state if viewer.gm else replace(state, duellists=shown, heard=False)


def card(state: DuelState) -> frame.SceneCard:
    """The duellists with their Nerve."""
    turns = () if state.over() else (state.turn,)
    actors = tuple(_actor(state, one) for one in state.duellists)
    return frame.SceneCard(
        title=state.title, round=state.round, turn=(*turns, None)[0], actors=actors, waiting_for=turns
    )


def _actor(state: DuelState, one: Duellist) -> frame.ActorCard:
    marks = {"hidden": one.hidden, "out of nerve": not one.nerve}
    words = [EFFECTS[effect.kind].name for effect in on(state.effects, one.id)]
    words += [word for word, holds in marks.items() if holds]
    tracks, hero = (Track("nerve", "Nerve", one.nerve, one.most),), one.side == HEROES
    return frame.ActorCard(
        id=one.id, name=one.name, side=one.side, tracks=tracks, conditions=tuple(words), character=hero
    )


def outcome(state: DuelState) -> frame.Outcome:
    """Over when one side alone can be seen with Nerve left, or the game master stopped the duel."""
    left = tuple(side for side in (HEROES, RIVALS) if state.on(side) and not state.stopped)
    text = f"Only the {left[0]} stand." if left else "The game master stopped the duel."
    return frame.Outcome(ended=True, winners=left, text=text) if state.over() else frame.ONGOING


def picture(state: DuelState) -> str:
    """The duel as SVG: a line for each duellist who can be seen."""
    lines = [f"{one.name}: {one.nerve} of {one.most} Nerve" for one in state.duellists]
    texts = "".join(f'<text y="{20 * row}">{escape(line)}</text>' for row, line in enumerate(lines, start=1))
    head = f"<title>{escape(state.title)}</title><desc>Round {state.round}.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200" role="img">{head}{texts}</svg>'
