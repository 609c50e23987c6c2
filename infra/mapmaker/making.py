"""One map and its files, in whichever process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.mapmaker.folder import write_whole
from infra.mapmaker.orders import Order
from infra.mapmaker.refusals import WorkFailed
from services.map.batches import entry_name
from services.map.formats import Audience
from services.map.generation.kind import make
from services.map.outputs import Studio
from services.map.registry import GENERATORS
from services.map.wishes import issue
from services.rules.engine.problem import Problems


@dataclass(frozen=True, slots=True)
class Task:
    """A map to be made.

    Attributes:
        number: its place among all, from 0.
        formats: the files to be written.
    """

    number: int
    formats: tuple[str, ...]


class GatesFailed(WorkFailed):
    """No attempt at this one map passed every gate; others may."""


def make_map(order: Order, folder: Path, task: Task) -> dict[str, Any]:
    """Make a map and write its files; gives its line of the index.

    Raises:
        GatesFailed: no attempt passed every gate.
        WorkFailed: a file cannot be made so, of this map or any other; or it cannot be written.
    """
    kind = GENERATORS[order.kind]
    seed = order.seed_of(task.number)
    made = make(kind, order.parameters, seed)
    where = ("maps", str(task.number))
    if isinstance(made, Problems):
        raise GatesFailed([issue(problem, where) for problem in made])
    players = order.audience is Audience.PLAYERS
    model = kind.for_players(made.model) if players else made.model
    file = kind.to_bytes(model)
    title = kind.title(made.model)
    studio = Studio(order.kind, file, model, stem=entry_name(task.number, title, ""))
    names = []
    for wanted in task.formats:
        output = studio.give(order.request(wanted))
        if isinstance(output, Problems):
            raise WorkFailed([issue(problem, (*where, wanted)) for problem in output])
        names.append(entry_name(task.number, title, output.suffix))
        write_whole(folder / names[-1], output.content)
    return {
        "number": task.number,
        "seed": str(seed),
        "name": title,
        "attempts": made.attempts,
        "figures": dict(made.report.figures),
        "files": names,
    }
