"""One run told move by move, as readable text, and played again to any of its positions."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.play import SceneCard, Viewer
from services.rules.engine.simulation.cases import Case, Plan
from services.rules.engine.simulation.rests import rests_of
from services.rules.engine.simulation.run import Runner, Stage
from services.rules.engine.wording import counted

GAME_MASTER = Viewer(gm=True)


def told(plan: Plan, case: Case, number: int) -> Iterator[str]:
    """Tell a run, line by line: of each of its scenes the title, a heading for each round, then what
    happened, and how it ended; between two scenes of a day the rest that was taken; of a campaign, also what
    happened in each scene that is begun from it.

    Args:
        plan: The request.
        case: One of its cases.
        number: The run's number, from 0.
    """
    scenes, rests, done = case.scenes, {rest.key: rest for rest in rests_of(plan.play)}, 0
    for stage in Runner(plan, case).stages(number):
        key = scenes[stage.place].rest
        if stage.rest is not None:
            yield stage.rest.name
            yield from _events(plan, stage)
            continue
        done += 1
        if key is not None and rests[key].scene is None:
            yield rests[key].name
        yield plan.play.card(stage.scene.state).title
        yield from _events(plan, stage)
        outcome = plan.play.outcome(stage.scene.state)
        yield outcome.text if outcome.ended else f"Given up after {counted(stage.scene.moves, 'move')}."
    if done < len(scenes):
        yield f"The day is over after {done} of {len(scenes)} scenes."


def _events(plan: Plan, stage: Stage) -> Iterator[str]:
    """Yield what happens in a scene or a rest, under a heading for each round."""
    heading = ""
    for whose, facts in stage.moves:
        for happened in facts:
            seen = whose.sees(happened.event, GAME_MASTER)
            text = "" if seen is None else whose.tell(happened.before, seen)
            if text:
                now = _heading(whose.card(happened.before), begun=whose is not plan.play)
                if now != heading:
                    heading = now
                    yield heading
                yield f"  {text}"


def _heading(card: SceneCard, *, begun: bool) -> str:
    """Return the heading of a round; in a scene that is begun from a campaign, with what that is called."""
    return f"{card.title}, round {card.round}" if begun else f"Round {card.round}"


def position_at(plan: Plan, case: Case, number: int, moves: int, scene: int = 0) -> Stage:
    """Return a scene of a run as it is after so many of its moves; a campaign in which a scene of its own is
    played by then as it was before that scene.

    Args:
        plan: The request.
        case: One of its cases.
        number: The run's number.
        moves: How many moves; the end, where the scene has fewer.
        scene: The scene's place in its day, from 0.

    Returns:
        The scene; the last one that the run has, at its end, where its day is over before this one.
    """
    stages = (stage for stage in Runner(plan, case).stages(number) if stage.rest is None)
    for stage in stages:
        if stage.place == scene:
            while stage.scene.moves < moves and next(stage.moves, None) is not None:
                pass
            break
    return stage
