"""Run one HTTP process: ``python -m services.shared.serve services.dice.app:create_app --port 5001``."""

import argparse
import gc
import importlib
import signal
import sys
from typing import get_type_hints

import uvicorn

from services.shared.garbage import look_in_pauses_only
from services.shared.heap import give_back_what_is_freed
from services.shared.serve.one_write import OneWriteProtocol
from services.shared.settings import ProcessSettings
from services.shared.telemetry import configure_logging, start_tracing

GRACE_SECONDS = 3

IDLE_SECONDS = 65
"""How long a connection without requests stays open. Callers let go of theirs after four seconds: far
earlier, so that on a busy machine no request meets a connection that is just being closed."""


def main() -> None:
    """Build the application that the command line names and serve it until told to stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "factory", help="module:function that builds the application from settings of the kind that it names"
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    settings = ProcessSettings()
    module, _, function = options.factory.partition(":")
    service = module.split(".")[1]
    give_back_what_is_freed()
    configure_logging(service, settings)
    start_tracing(service, settings)
    for number in (signal.SIGINT, signal.SIGTERM):
        # After its orderly end uvicorn raises the signal again; without a handler that would kill the process
        # before the last traces are sent.
        signal.signal(number, lambda *_: sys.exit(0))
    # What is made while the application is loaded stays: to look through it for garbage again and again would
    # take a sixth of the start, and a part of every later look.
    gc.disable()
    factory = getattr(importlib.import_module(module), function)
    app = factory(get_type_hints(factory)["settings"]())
    gc.freeze()
    look_in_pauses_only()
    gc.enable()
    uvicorn.run(
        app,
        host=options.host,
        port=options.port,
        http=OneWriteProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_keep_alive=IDLE_SECONDS,
        ws_max_size=256 * 1024,
    )


if __name__ == "__main__":
    main()
