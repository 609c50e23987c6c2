"""Seeing what happens: structured logs, Prometheus metrics, OpenTelemetry traces.

Logs go to standard output, one JSON object a line (or readable text by setting), each with the request id.
Metrics are counted in-process and served under ``/metrics``. Traces are off until an OTLP endpoint is set.
"""

import logging
import sys
from typing import Any

import structlog
from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp

from services.shared.settings import ProcessSettings

HTTP_REQUESTS = Counter("hearthforge_http_requests_total", "HTTP requests", ["service", "method", "status"])
HTTP_SECONDS = Histogram(
    "hearthforge_http_request_seconds",
    "Time to answer HTTP requests, streams excepted",
    ["service"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
GRAPHQL_OPERATIONS = Counter(
    "hearthforge_graphql_operations_total", "GraphQL operations", ["service", "kind", "outcome"]
)
GRAPHQL_SECONDS = Histogram(
    "hearthforge_graphql_operation_seconds",
    "Time to execute GraphQL queries and mutations",
    ["service", "kind"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
EVENTS_PUBLISHED = Counter("hearthforge_events_published_total", "Events carried to the stream", ["service"])
JOBS_ENDED = Counter("hearthforge_jobs_ended_total", "Jobs that reached an end", ["kind", "state"])
PRUNED = Counter("hearthforge_pruned_total", "Rows and files whose time was over", ["service", "what"])


def configure_logging(service: str, settings: ProcessSettings) -> None:
    """Send this process's logs, and those of its libraries, to standard output in one form."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        # Not the renderer's own: it would write all variables of each frame, for seconds.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stdout.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stdout),
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)


def start_tracing(service: str, settings: ProcessSettings) -> None:
    """Send traces to the OTLP endpoint of the settings; without one, nothing is set up."""
    if settings.otlp_endpoint is None:
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.aiohttp_client import AioHttpClientInstrumentor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": f"hearthforge-{service}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    AioHttpClientInstrumentor().instrument()


def traced(app: ASGIApp, settings: ProcessSettings) -> ASGIApp:
    """Make each request a span when traces are on."""
    if settings.otlp_endpoint is None:
        return app
    from opentelemetry.instrumentation.asgi import OpenTelemetryMiddleware

    wrapped: ASGIApp = OpenTelemetryMiddleware(app, excluded_urls="healthz,readyz,metrics")
    return wrapped
