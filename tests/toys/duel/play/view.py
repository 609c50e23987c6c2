"""What a viewer may know of a duel, and what any client can draw of it."""

from dataclasses import replace

from services.rules.engine.effects import on
from services.rules.engine.play import ONGOING, ActorCard, Outcome, SceneCard, Viewer
from services.rules.engine.sheet import Track

from ..catalog import EFFECTS
from .state import HEROES, RIVALS, Duellist, DuelState


def view(state: DuelState, viewer: Viewer) -> DuelState:
    """The state; to players without the hidden rival and without those who heard it."""
    shown = tuple(one for one in state.duellists if viewer.gm or not one.hidden)
    return state if viewer.gm else replace(state, duellists=shown, heard=())


def card(state: DuelState) -> SceneCard:
    """The duellists with their Nerve."""
    turns = () if state.over() else (state.turn,)
    actors = tuple(_actor(state, one) for one in state.duellists)
    turn = state.turn if turns else None
    return SceneCard(title=state.title, round=state.round, turn=turn, actors=actors, waiting_for=turns)


def outcome(state: DuelState) -> Outcome:
    """Over when one side alone can be seen with Nerve left, or the game master stopped the duel."""
    left = tuple(side for side in (HEROES, RIVALS) if state.on(side))
    if state.stopped:
        return Outcome(ended=True, text="The game master stopped the duel.")
    return Outcome(ended=True, winners=left, text=f"Only the {left[0]} stand.") if state.over() else ONGOING


def _actor(state: DuelState, one: Duellist) -> ActorCard:
    marks = {"hidden": one.hidden, "out of nerve": not one.nerve}
    words = [EFFECTS[effect.kind].name for effect in on(state.effects, one.id)]
    words += [word for word, holds in marks.items() if holds]
    tracks, hero = (Track("nerve", "Nerve", one.nerve, one.most),), one.side == HEROES
    return ActorCard(
        id=one.id, name=one.name, side=one.side, tracks=tracks, conditions=tuple(words), character=hero
    )
