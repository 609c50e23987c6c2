"""What simulations take long for beside playing; each is done in a worker process of the service.

Tasks take and give what can be pickled. ``Games`` is what each process knows. They end with their time; what
they took is told, so that it can be paid for.
"""

import csv
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from itertools import islice
from typing import Any

import orjson

from services.campaign.scenes.games import Games, PackUnusable, edition
from services.campaign.simulations.packs import pinned_to_request
from services.rules.engine.editions import plays_packs
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.simulation.blocks import Progress, blocks_of
from services.rules.engine.simulation.bounds import BrokenRequest
from services.rules.engine.simulation.cases import Case, Plan, planned
from services.rules.engine.simulation.report import REPORT_CODEC, Report, report
from services.rules.engine.simulation.request import REQUEST_CODEC, PlayedPack, SimulationRequest
from services.rules.engine.simulation.rows import rows
from services.rules.engine.simulation.story import position_at, told
from services.rules.engine.simulation.tally import Tally
from services.rules.engine.spelling import PUBLISHED
from services.rules.engine.system import AnySystem

MOST_LINES = 5_000
"""Lines of a run that are told."""

PACKS = "content packs"
"""The rule that a pack of a request breaks."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a question comes to.

    Attributes:
        problems: What is wrong with it; the rest holds where nothing is.
        cases: How many cases it has.
        most_blocks: Blocks that answer it in any case.
        done: Whether what is known answers it already.
        report: The answer so far, JSON.
        milliseconds: Processor time that it took.
    """

    problems: tuple[RuleProblem, ...] = ()
    cases: int = 0
    most_blocks: int = 0
    done: bool = False
    report: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """A run in words, or where it stands.

    Attributes:
        found: Its lines, or what it has ``Reached``; None where there is no such case.
        milliseconds: Processor time that it took.
        problems: Why a later scene of its day cannot be begun; the rest holds where it can.
    """

    found: Any
    milliseconds: float
    problems: tuple[RuleProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a scene of a run stands.

    Attributes:
        scene: Its place in its day, from 0: the last one that the run has where it has not the one that was
            asked for.
        state: Document of its state.
        moves: How many moves led there: fewer than were asked for where the scene has no more.
        ended: Whether the scene is over.
    """

    scene: int
    state: dict[str, Any]
    moves: int
    ended: bool


def plan_of(games: Games, form: Mapping[str, Any]) -> Plan | Problems:
    """Return a request in its stored form laid out, or what is wrong with it."""
    return laid_out(games, REQUEST_CODEC.load(form))


def laid_out(games: Games, request: SimulationRequest) -> Plan | Problems:
    """Return a request of a known game laid out, with its packs in the game, or what is wrong with it."""
    if request.packs and not plays_packs(games[request.system]):
        text = "Scenes of this game are played by its book alone."
        return Problems((RuleProblem("no_packs", text, PACKS, ("packs",), len(request.packs), 0),))
    try:
        game = pinned_to_request(games, request).system
    except PackUnusable as error:
        text = f"This pack cannot be played with: {error.reason}"
        return Problems((RuleProblem("pack_unusable", text, PACKS, ("packs", error.place)),))
    return planned(request, game, PUBLISHED, partial(_built_under, games, request))


def _built_under(
    games: Games, request: SimulationRequest, packs: Sequence[PlayedPack]
) -> AnySystem | Problems:
    """Return a request's game with the packs in it that one of its characters is built under."""
    book = games[request.system]
    if packs and book.packs is None:
        text = "Characters of this game are built by its book alone."
        return Problems((RuleProblem("no_packs", text, PACKS, ("packs",), len(packs), 0),))
    held = {(pack.id, pack.version): pack.document for pack in request.packs}
    documents = [held.get((pack.id, pack.version), pack.document) for pack in packs]
    try:
        return edition(book, orjson.dumps(documents).decode() if documents else "")
    except PackUnusable as error:
        text = f"This character cannot be built under this pack: {error.reason}"
        return Problems((RuleProblem("pack_unusable", text, PACKS, ("packs", error.place)),))


def check(games: Games, form: Mapping[str, Any], tally: str | None, blocks: int) -> Checked:
    """Find what is wrong with a request, and what is known of its answer.

    Args:
        games: what the process knows.
        form: the request, in its stored form.
        tally: what the first blocks of the same question came to, JSON, where some were played.
        blocks: how many those are.
    """
    began = time.process_time()
    plan = plan_of(games, form)
    if isinstance(plan, Problems):
        return Checked(tuple(_portable(each) for each in plan), milliseconds=_since(began))
    progress = Progress.begun(plan) if tally is None else Progress(Tally.read(orjson.loads(tally)), blocks)
    return Checked(
        cases=len(plan.cases),
        most_blocks=blocks_of(plan.request.runs, len(plan.cases)),
        done=progress.enough(plan),
        report=report_text(plan, progress),
        milliseconds=_since(began),
    )


def report_text(plan: Plan, progress: Progress) -> str:
    """Return what is known of a request, as it is stored."""
    return orjson.dumps(REPORT_CODEC.dump(report(plan, progress))).decode()


def read_report(_games: Games, text: str) -> Report:
    """Return an answer as it was stored."""
    found: Report = REPORT_CODEC.load(orjson.loads(text))
    return found


def table(_games: Games, text: str) -> str:
    """Return an answer as it was stored as CSV."""
    target = StringIO()
    csv.writer(target).writerows(rows(REPORT_CODEC.load(orjson.loads(text))))
    return target.getvalue()


def tell(games: Games, form: Mapping[str, Any], case: str, number: int) -> Told:
    """Tell a run of a request move by move, in lines; see ``story.told``."""
    began = time.process_time()
    plan = plan_of(games, form)
    found = _case(plan, case)
    if found is None or isinstance(plan, Problems):
        return Told(None, _since(began))
    try:
        return Told(list(islice(told(plan, found, number), MOST_LINES)), _since(began))
    except BrokenRequest as error:
        return _broken(error, began)


def position(
    games: Games, form: Mapping[str, Any], case: str, number: int, moves: int, scene: int = 0
) -> Told:
    """Return where a scene of a run stands after so many of its moves; see ``Reached``."""
    began = time.process_time()
    plan = plan_of(games, form)
    found = _case(plan, case)
    if found is None or isinstance(plan, Problems):
        return Told(None, _since(began))
    try:
        stage = position_at(plan, found, number, moves, scene)
    except BrokenRequest as error:
        return _broken(error, began)
    state = stage.scene.state
    ended = plan.play.outcome(state).ended
    reached = Reached(stage.place, plan.play.state_codec.dump(state), stage.scene.moves, ended)
    return Told(reached, _since(began))


def _broken(error: BrokenRequest, began: float) -> Told:
    return Told(None, _since(began), tuple(_portable(each) for each in error.problems))


def _case(plan: Plan | Problems, name: str) -> Case | None:
    if isinstance(plan, Problems):
        return None
    return next((each for each in plan.cases if each.name == name), None)


def _since(began: float) -> float:
    return 1_000 * (time.process_time() - began)


def _portable(problem: RuleProblem) -> RuleProblem:
    """Return a problem whose values are texts: what was found may be anything."""
    found = problem.found if isinstance(problem.found, int | str | None) else str(problem.found)[:200]
    return replace(problem, found=found)
