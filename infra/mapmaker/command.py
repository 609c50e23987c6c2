"""``infra/maps``: reads the arguments and begins a run.

Exit code: 0 every map is there, 1 something could not be made, 2 the order is not sound and nothing was
begun, 130 interrupted; the same command goes on then.
"""

import argparse
import os
import signal
import sys
from pathlib import Path
from types import FrameType

KEY = "HEARTHFORGE_KEY"


def main(arguments: list[str] | None = None) -> int:
    """Make maps as the command line says; gives the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    # Asked to end in another way than by Ctrl-C, a run puts its things away just the same.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        return _run(parser, options)
    except KeyboardInterrupt:
        print("maps: interrupted; the same command goes on", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the list has had enough; Python must not try to write the rest of it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    if not options.list:
        missing = [f"--{name}" for name in ("kind", "out") if getattr(options, name) is None]
        if options.url and not (options.key or os.environ.get(KEY)):
            missing.append(f"--key (or {KEY})")
        if missing:
            parser.error(f"the following arguments are required: {', '.join(missing)}")
    # Loading all that makes maps takes longer than reading the arguments: a slip is told before.
    from infra.mapmaker.ordering import Product
    from infra.mapmaker.orders import Words
    from infra.mapmaker.runs import make_all, show_kinds

    if options.list:
        return show_kinds(options.kind)
    words = Words(
        kind=options.kind,
        given=options.set,
        count=options.count,
        seed=options.seed,
        seeds=options.seeds,
        formats=[name for text in options.format for name in text.split(",") if name.strip()],
        view=options.view,
        pixels=options.px,
        style=options.style,
    )

    def open_product() -> Product:
        return Product(options.url, options.key or os.environ[KEY])

    return make_all(
        words,
        options.out,
        jobs=options.jobs,
        quiet=options.quiet,
        open_product=open_product if options.url else None,
    )


def processors() -> int:
    """Give how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _jobs(text: str) -> int:
    jobs = int(text)
    if not 1 <= jobs <= 256:
        raise argparse.ArgumentTypeError("between 1 and 256, please")
    return jobs


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="infra/maps",
        description="Make many maps: here, or by a running product (--url).",
        epilog="The same order always gives the same files; what is in the folder already is not made again. "
        "Exit code: 0 all is there, 1 not all could be made, 2 the order is not sound, 130 interrupted.",
    )
    parser.add_argument("--list", action="store_true", help="list the kinds and their parameters")
    parser.add_argument("--kind", metavar="KIND", help="which kind of map; see --list")
    parser.add_argument("--count", type=int, metavar="N", help="how many; without, one for each of --seeds")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder they are left in")
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument("--seed", metavar="N", help="what their seeds are drawn from (default: a drawn one)")
    seeds.add_argument("--seeds", type=Path, metavar="FILE", help="a seed a line, one for each map")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the kind, such as width=51 or theme=CRYPT; repeat for several",
    )
    parser.add_argument(
        "--format",
        action="append",
        default=[],
        metavar="NAMES",
        help="files besides each map's own .json, with commas between, such as svg,png,uvtt; see --list",
    )
    parser.add_argument("--view", default="gm", help="gm (default) or players: without what is secret")
    parser.add_argument("--px", type=int, metavar="N", help="pixels to a cell, 8 to 200 (default: by format)")
    parser.add_argument("--style", help="flat, ink, parchment, painted or blueprint (default: by format)")
    parser.add_argument(
        "--jobs", type=_jobs, default=processors(), metavar="N", help="processes (default: one for each core)"
    )
    parser.add_argument("--url", metavar="ADDRESS", help="the product that is to make them")
    parser.add_argument("--key", help=f"API key for it (default: {KEY} of the environment)")
    parser.add_argument("--quiet", action="store_true", help="tell nothing of the progress")
    return parser
