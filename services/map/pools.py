"""The pools of processes that the map service has: one draws, the other reads files that are brought
along."""

from services.map import drawing, outputs, reading
from services.shared.workers import MUTATION_PATIENCE, Workers


def drawing_pool() -> Workers:
    """Make the processes that draw pictures and write exports."""
    return Workers(
        drawing.warm,
        loaded=[drawing.__name__, outputs.__name__],
        count=drawing.PROCESSES,
        seconds=drawing.SECONDS,
        patience=drawing.PATIENCE,
        memory=drawing.MEMORY,
        name="drawing",
    )


def reading_pool() -> Workers:
    """Make the processes that read files nobody trusts: however much work one is, pictures are drawn."""
    return Workers(
        reading.ready,
        loaded=[reading.__name__],
        count=reading.PROCESSES,
        seconds=reading.SECONDS,
        patience=MUTATION_PATIENCE,
        memory=reading.MEMORY,
        waiting=reading.WAITING,
        waiting_each=reading.WAITING_EACH,
        name="reading",
    )
