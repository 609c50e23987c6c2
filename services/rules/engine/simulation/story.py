"""One run told move by move, as readable text, and played again to any of its positions."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import SceneCard, Viewer
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.simulation.run import PlayedScene, Runner

GAME_MASTER = Viewer(gm=True)


def told(plan: Plan, case: Case, number: int) -> Iterator[str]:
    """Tell a run's first scene, line by line: a heading for each round, then what happened; of a campaign,
    also in each scene that is begun from it.

    Args:
        plan: The request.
        case: One of its cases.
        number: The run's number, from 0.
    """
    play = plan.play
    scene = PlayedScene(case.scenes[0].opening)
    card = play.card(scene.state)
    yield card.title
    heading = ""
    for whose, facts in Runner(plan, case).moves(scene, number):
        for happened in facts:
            seen = whose.sees(happened.event, GAME_MASTER)
            text = "" if seen is None else whose.tell(happened.before, seen)
            if text:
                now = _heading(whose.card(happened.before), begun=whose is not play)
                if now != heading:
                    heading = now
                    yield heading
                yield f"  {text}"
    outcome = play.outcome(scene.state)
    yield outcome.text if outcome.ended else f"Given up after {scene.moves} moves."


def _heading(card: SceneCard, *, begun: bool) -> str:
    """Return the heading of a round; in a scene that is begun from a campaign, with what that is called."""
    return f"{card.title}, round {card.round}" if begun else f"Round {card.round}"


def position_at(plan: Plan, case: Case, number: int, moves: int) -> PlayedScene:
    """Return a run's first scene as it is after so many moves; a campaign in which a scene of its own is
    played by then as it was before that scene.

    Args:
        plan: The request.
        case: One of its cases.
        number: The run's number.
        moves: How many moves; the end, where it has fewer.
    """
    scene = PlayedScene(case.scenes[0].opening)
    if moves:
        for _ in Runner(plan, case).moves(scene, number):
            if scene.moves >= moves:
                break
    return scene
