"""Seeing what happens: structured logs and OpenTelemetry traces; ``metrics`` has what is counted.

Logs go to standard output, one JSON object a line (or readable text by setting), each with the request id.
Traces are off until an OTLP endpoint is set.
"""

import json
import logging
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

import orjson
import structlog
from starlette.types import ASGIApp

from services.shared.log_lines import LogLines
from services.shared.settings import ProcessSettings

GATHERED = "gathered"
"""The key of a line that may wait for others; it is not written."""


def configure_logging(service: str, settings: ProcessSettings) -> None:
    """Send this process's logs, and those of its libraries, to standard output in one form."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: Any = (
        structlog.processors.JSONRenderer(_json)
        if settings.log_format == "json"
        # Not the renderer's own: it would write all variables of each frame, for seconds.
        else structlog.dev.ConsoleRenderer(
            colors=sys.stdout.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    lines = LogLines(sys.stdout.fileno())

    def write(logger: LogLines, method: str, event: MutableMapping[str, Any]) -> Any:
        if event.pop(GATHERED, False):
            logger.gather(renderer(logger, method, event))
            raise structlog.DropEvent
        return renderer(logger, method, event)

    level = logging.getLevelNamesMapping().get(settings.log_level.upper(), logging.INFO)
    structlog.configure(
        processors=[*shared, write],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=True,
    )
    structlog.contextvars.bind_contextvars(service=service)
    handler = logging.StreamHandler(lines)
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


def _json(event: MutableMapping[str, Any], default: Callable[[Any], Any]) -> str:
    """Write a line's fields as JSON: what the fast library refuses, as half a pair of surrogates, too."""
    try:
        return orjson.dumps(event, default, orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        return json.dumps(event, default=default, skipkeys=True)
