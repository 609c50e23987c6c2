"""Who waits for a place in this process: for a worker process, a thread, the database's one writer."""

from collections import Counter
from collections.abc import Sequence

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from services.shared.limits.turns import named_turns


async def pool_figures() -> Sequence[Metric]:
    """Return how many hold a place, wait for one, and were turned away, by the name of what has places."""
    busy = GaugeMetricFamily("hearthforge_pool_busy", "Places that are held now", labels=["pool"])
    waiting = GaugeMetricFamily("hearthforge_pool_waiting", "Who waits for a place now", labels=["pool"])
    refused = CounterMetricFamily(
        "hearthforge_pool_refused", "Questions turned away because too many waited", labels=["pool"]
    )
    held, queued, turned_away = Counter[str](), Counter[str](), Counter[str]()
    for turns in named_turns():
        held[turns.name] += turns.held
        queued[turns.name] += turns.waiting
        turned_away[turns.name] += turns.turned_away
    for family, counts in ((busy, held), (waiting, queued), (refused, turned_away)):
        for pool, count in sorted(counts.items()):
            family.add_metric([pool], count)
    return [busy, waiting, refused]
