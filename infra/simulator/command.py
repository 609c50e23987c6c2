"""``infra/simulate``: reads the arguments, plays, and tells the answer.

Exit code: 0 answered, 1 the product failed, 2 the question or the picture is not sound, 130
interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from infra.mapmaker.command import processors
from infra.mapmaker.refusals import Refusal, line

if TYPE_CHECKING:
    from services.rules.engine.simulation.report import Report
    from services.rules.engine.simulation.request import SimulationRequest


PLOTS = ("shares", "histogram", "rounds", "sweep", "differences", "worth")


def main(arguments: list[str] | None = None) -> int:
    """Answer a question as the command line says; returns the exit code."""
    options = _parser().parse_args(arguments)
    # Loading the games takes longer than reading the arguments.
    from infra.simulator.question import Unsound
    from services.campaign.simulations.plots import NoPlot
    from services.rules.engine.simulation.bounds import BrokenRequest

    try:
        return _list(options.list) if options.list is not None else _answer(options)
    except Unsound as error:
        print("\n".join(f"simulate: {line}" for line in str(error).splitlines()), file=sys.stderr)
        return 2
    except BrokenRequest as error:
        print(f"simulate: {error.reason}", file=sys.stderr)
        return 2
    except NoPlot as error:
        print(f"simulate: {error.field}: {error} There are: {', '.join(error.allowed)}", file=sys.stderr)
        return 2
    except Refusal as refusal:
        print("\n".join(f"simulate: {line(issue)}" for issue in refusal.issues), file=sys.stderr)
        return refusal.exit_code
    except KeyboardInterrupt:
        print("simulate: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the answer has had enough; Python must not try to write the rest of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _answer(options: argparse.Namespace) -> int:
    from infra.simulator.output import table, write_csv, write_json, write_svg
    from infra.simulator.question import question
    from services.campaign.simulations.plots import PlotRequest, SimulationPlot

    request = question(options)
    if options.tell is not None:
        return _tell(request, options.tell)
    answer = _there(request, options) if options.url else _here(request, options)
    if options.json:
        write_json(answer, options.json)
    if options.csv:
        write_csv(answer, options.csv)
    if options.svg:
        plot = None if options.plot is None else SimulationPlot(options.plot)
        asked = PlotRequest(plot=plot, figure=options.figure, case=options.case, width=options.width)
        write_svg(answer, request, asked, options.svg)
    print("\n".join(table(answer, everything=options.all)))
    return 0


def _tell(request: SimulationRequest, run: int) -> int:
    from infra.simulator.question import plan_of
    from services.rules.engine.simulation.story import told

    plan = plan_of(request)
    print("\n".join(told(plan, plan.cases[0], run)))
    return 0


def _here(request: SimulationRequest, options: argparse.Namespace) -> Report:
    """Play on this machine."""
    from infra.mapmaker.progress import Progress as ProgressBar
    from infra.simulator.pool import play
    from infra.simulator.question import plan_of
    from services.rules.engine.simulation.report import report

    plan = plan_of(request)
    bar = ProgressBar(sys.stderr, request.runs, unit="runs", shown=not options.quiet)
    for progress in play(plan, options.jobs):
        bar.move_to(progress.tally.cases[0].runs)
    bar.total = bar.done
    bar.end()
    return report(plan, progress)


def _there(request: SimulationRequest, options: argparse.Namespace) -> Report:
    """Have a running product play."""
    from infra.mapmaker.command import KEY
    from infra.mapmaker.progress import Progress as ProgressBar
    from infra.simulator.output import running
    from infra.simulator.question import Unsound
    from infra.simulator.remote import SimulatingProduct, answer_there

    key = options.key or os.environ.get(KEY)
    if not key:
        raise Unsound(f"--url needs --key (or {KEY})")
    bar = ProgressBar(sys.stderr, request.runs, unit="runs", shown=not options.quiet)
    wanted = None if request.precision is None else request.precision.figure

    def tell(known: Report) -> None:
        bar.note = running(known, wanted)
        bar.move_to(known.runs)

    product = SimulatingProduct(options.url, key)
    try:
        answer = answer_there(request, product, tell)
    finally:
        product.close()
    tell(answer)
    bar.total = bar.done
    bar.end()
    return answer


def _list(system: str) -> int:
    """Print what can be named in a question: setups, examples, policies, rests and figures."""
    print("\n".join(_names(system)))
    return 0


def _names(system: str) -> Iterator[str]:
    from infra.simulator.question import Unsound
    from services.rules.engine.bots import bots_by_policy
    from services.rules.engine.campaign import with_campaigns
    from services.rules.engine.registry import systems
    from services.rules.engine.simulation.figures import figures_of
    from services.rules.engine.simulation.rests import rests_of

    playable = {slug: game for slug, game in with_campaigns(systems()).items() if game.play is not None}
    if system not in playable:
        raise Unsound(f"no game with scenes is called {system!r}; there are {', '.join(playable)}")
    game, play = playable[system], playable[system].play
    assert play is not None
    yield f"setups    {', '.join(play.setups)}"
    yield f"examples  {', '.join(game.examples)}"
    yield "policies"
    yield from (
        f"  {name}  {bot.text if name == bot.policy else bot.policy}"
        for name, bot in bots_by_policy(play).items()
    )
    yield "rests"
    yield from (f"  {rest.key}  {rest.text}" for rest in rests_of(play))
    yield "figures"
    yield from (
        f"  {figure.key}  {figure.name}, in {figure.unit}: {figure.text}" for figure in figures_of(play)
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1, please")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="infra/simulate",
        description="Play a scene, or a day of scenes, many times, and tell what came out with its error.",
        epilog="The same question has the same answer, however many processes play. Pointers are RFC 6901 "
        "pointers into the question: /scenes/0/setup/title, /cast/0/choices/name, /policies/heroes.",
    )
    add = parser.add_argument
    add("file", nargs="?", type=Path, help="the question as JSON (schema/simulation-request.schema.json)")
    add("--list", metavar="SYSTEM", help="list a game's setups, examples, policies, rests and figures")
    add("--system", metavar="SYSTEM", help="the game")
    add("--setup", action="append", default=[], metavar="NAME", help="a scene; repeat for a day of several")
    add("--rest", metavar="KEY", help="the rest before each scene of a day but the first (none)")
    add("--cast", default="", metavar="NAMES", help="examples of the game, with commas between")
    add(
        "--pack",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a content pack as its schema has it; repeat for several, in order",
    )
    add("--policy", action="append", default=[], metavar="SUBJECT=BOT", help="who plays: heroes=strong@1")
    add("--runs", type=_count, default=1_000, metavar="N", help="runs; with --precision, at most (1,000)")
    add("--precision", metavar="FIGURE=WIDTH", help="stop early: won@side:heroes=0.01")
    add("--variant", action="append", default=[], metavar="NAME:POINTER=VALUE", help="a change to compare")
    add(
        "--sweep",
        action="append",
        default=[],
        metavar="POINTER=VALUES",
        help="values to go through, at most 2",
    )
    add("--worth", action="append", default=[], metavar="POINTER", help="what one more of a number changes")
    add("--seed", default="", help="what the dice are derived from")
    add("--most-moves", type=_count, default=2_000, metavar="N", help="moves after which a scene is given up")
    add(
        "--jobs",
        type=_count,
        default=processors(),
        metavar="N",
        help="processes (default: one for each core)",
    )
    add("--tell", type=int, metavar="RUN", help="tell one run move by move instead")
    add("--all", action="store_true", help="lines for each actor too")
    add("--json", type=Path, metavar="FILE", help="write the answer as JSON")
    add("--csv", type=Path, metavar="FILE", help="write the answer as CSV")
    add("--svg", type=Path, metavar="FILE", help="write the answer as a picture")
    add("--plot", choices=PLOTS, help="what the picture shows (default: what suits the question)")
    add("--figure", metavar="NAME", help="of which figure: won@side:heroes, or won of every side")
    add("--case", default="", metavar="NAME", help="of which case (default: the opening itself)")
    add("--width", type=_count, default=720, metavar="PIXELS", help="of the picture (720)")
    add("--url", metavar="ADDRESS", help="ask a running product instead: http://127.0.0.1:4000")
    add("--key", help="API key for it (default: HEARTHFORGE_KEY of the environment)")
    add("--quiet", action="store_true", help="tell nothing of the progress")
    return parser
