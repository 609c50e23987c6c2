"""One run, from its order to its exit code: 0 all is there, 1 not all could be made, 2 nothing was begun."""

import secrets
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from infra.mapmaker.folder import Folder, held, read_order
from infra.mapmaker.listing import listing
from infra.mapmaker.making import Task
from infra.mapmaker.ordering import Product, check_remote, make_there
from infra.mapmaker.orders import Order, Words, sound
from infra.mapmaker.progress import Progress
from infra.mapmaker.refusals import OrderRefused, Refusal, line
from infra.mapmaker.workshop import made_here
from services.map.generation.kind import MAX_SEED
from services.map.registry import GENERATORS
from services.shared.problems import Issue

MOST_TOLD = 100


def show_kinds(kind: str | None) -> int:
    """List the kinds, or one of them."""
    slug = None if kind is None else kind.replace("-", "_")
    if slug is not None and slug not in GENERATORS:
        refused = OrderRefused.of(
            "KIND_UNKNOWN", "There is no such kind of map.", "kind", found=kind, allowed=", ".join(GENERATORS)
        )
        return tell(refused)
    for text in listing(() if slug is None else (slug,)):
        print(text)
    return 0


def make_all(
    words: Words,
    out: Path,
    *,
    jobs: int,
    quiet: bool = False,
    open_product: Callable[[], Product] | None = None,
) -> int:
    """Make what is ordered and not there yet.

    Args:
        words: the order, as typed.
        out: the folder.
        jobs: how many processes make maps here.
        quiet: whether nothing is told of the progress.
        open_product: gives the product that is to make them; they are made here when None.
    """
    try:
        # A run that names no seed goes on with that of the folder.
        kept = (read_order(out) or {}).get("seed") if words.seed is None and words.seeds is None else None
        order = sound(words, int(kept or secrets.randbelow(MAX_SEED + 1)))
        if open_product is not None:
            check_remote(order)
        with held(out):
            folder = Folder(out, order)
            left = folder.missing()
            began = time.monotonic()
            make_progress = partial(Progress, sys.stderr, shown=not quiet)
            failed = 0
            if left and open_product is not None:
                product = open_product()
                try:
                    make_there(order, folder, product, make_progress)
                finally:
                    product.close()
            elif left:
                failed = _make_here(order, folder, left, jobs, make_progress)
    except Refusal as refusal:
        return tell(refusal)
    before = order.count - len(left)
    print(_summary(out, len(left) - failed, before, failed, time.monotonic() - began))
    return 1 if failed else 0


def tell(refusal: Refusal) -> int:
    """Tell what is wrong; gives the exit code."""
    _tell(refusal.issues)
    return refusal.exit_code


def _make_here(
    order: Order,
    folder: Folder,
    left: list[tuple[int, tuple[str, ...]]],
    jobs: int,
    make_progress: Callable[..., Progress],
) -> int:
    """Make what is left; gives how many maps could not be made."""
    progress = make_progress(order.count, done=float(order.count - len(left)))
    failed: list[Issue] = []
    failures = 0
    outcomes = made_here(order, folder.path, [Task(*each) for each in left], jobs)
    try:
        for outcome in outcomes:
            if outcome.entry is not None:
                folder.add(outcome.entry)
            failed += outcome.issues
            failures += outcome.entry is None
            progress.advance()
    finally:
        outcomes.close()
        progress.end()
        folder.finish()
    _tell(failed)
    return failures


def _summary(out: Path, made: int, before: int, failed: int, seconds: float) -> str:
    told = f"{made} maps made in {seconds:.1f} s" if made or failed else "nothing was left to be made"
    more = [f"{before} were there before"] if before else []
    more += [f"{failed} could not be made"] if failed else []
    return "; ".join([told, *more, str(out)])


def _tell(issues: list[Issue]) -> None:
    for issue in issues[:MOST_TOLD]:
        print(f"maps: {line(issue)}", file=sys.stderr)
    if len(issues) > MOST_TOLD:
        print(f"maps: and {len(issues) - MOST_TOLD} more", file=sys.stderr)
