"""The page that Prometheus scrapes: what the process has counted, and figures that are asked for then.

A source that does not answer in time is left out, and counted: a figure that nobody knows is not shown as one
of before. Several processes may show the same figure of a database; dashboards and alerts take the largest.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from services.shared.metrics import SCRAPES_INCOMPLETE

ASK_SECONDS = 2.0
"""How long a source may take; Prometheus itself waits 10 s."""

log = structlog.get_logger(__name__)

Source = Callable[[], Awaitable[Iterable[Metric]]]
"""Returns figures of the present moment."""


class _Found(Collector):
    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        yield from self._metrics


def metrics_page(service: str, sources: Mapping[str, Source]) -> Callable[[Request], Awaitable[Response]]:
    """Make the handler of ``/metrics``.

    Args:
        service: name of the service.
        sources: what is asked at each scrape, by name.
    """

    async def ask(name: str, source: Source) -> list[Metric]:
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return list(await source())
        except Exception as error:  # the rest of the page is shown all the same
            SCRAPES_INCOMPLETE.labels(service, name).inc()
            log.warning("scrape_incomplete", source=name, error=f"{type(error).__name__}: {error}"[:200])
            return []

    for name in sources:
        SCRAPES_INCOMPLETE.labels(service, name)

    async def handler(_request: Request) -> Response:
        found = await asyncio.gather(*(ask(name, source) for name, source in sources.items()))
        asked = _Found(metric for metrics in found for metric in metrics)
        return Response(generate_latest() + generate_latest(asked), media_type=CONTENT_TYPE_LATEST)

    return handler
