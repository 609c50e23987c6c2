"""The Celery application: what every worker runs.

A message is acknowledged only after its work; a worker that dies gives it back. Messages may all the same be
lost or doubled (the jobs table takes care of both), so no result backend is kept and nothing but a job's id
travels in them.
"""

import gc
from collections.abc import Mapping
from typing import Any

from celery import Celery
from celery.signals import import_modules, setup_logging, worker_init, worker_process_init

from services.shared.settings import WorkerSettings
from services.shared.telemetry import configure_logging
from workers.liveness import VISIBILITY_SECONDS, Heartbeat, Lease
from workers.making import allow_makers
from workers.transport import guard_against_poison

# By the clock, for when all else fails: the work itself has a limit of processor time (``making``), and a job
# whose worker is silent another one takes over, long before.
SOFT_LIMIT_SECONDS = 25
HARD_LIMIT_SECONDS = 30

settings = WorkerSettings()
guard_against_poison()
app = Celery("hearthforge", broker=settings.broker_url, include=["workers.maps", "workers.simulations"])
app.conf.update(
    task_default_queue="maps",
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    result_backend=None,
    # One message at a time, acknowledged when its work is done, given back when the process at it dies.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_soft_time_limit=SOFT_LIMIT_SECONDS,
    task_time_limit=HARD_LIMIT_SECONDS,
    # A worker that finishes after the connection broke commits all the same; its double finds nothing to do.
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_enable_prefetch_count_reduction=False,
    worker_proc_alive_timeout=30,
    worker_soft_shutdown_timeout=5,
    worker_send_task_events=False,
    worker_enable_remote_control=False,
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        "visibility_timeout": VISIBILITY_SECONDS,
        # Look for messages of dead workers every two seconds, and at each look.
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 3,
        "socket_timeout": 5,
        "health_check_interval": 5,
    },
)
app.steps["consumer"].update((Lease, Heartbeat))


@import_modules.connect(weak=False)  # type: ignore[untyped-decorator]
def _begin_loading(**_options: Any) -> None:
    """Look for no garbage among what is loaded: all of it stays."""
    gc.disable()


@worker_init.connect(weak=False)  # type: ignore[untyped-decorator]
def _warm_up(options: Mapping[str, Any] | None = None, **_more: Any) -> None:
    """Compile and load what this worker's queues need, before the pool is forked and any job's time runs."""
    queues = str((options or {}).get("queues") or "maps,simulations")
    if "maps" in queues:
        from services.map.compiling import warm

        warm()
    if "simulations" in queues:
        from services.campaign.scenes.games import games

        games()
    gc.freeze()
    gc.enable()


@worker_process_init.connect(weak=False)  # type: ignore[untyped-decorator]
def _prepare_child(**_options: Any) -> None:
    allow_makers()


@setup_logging.connect(weak=False)  # type: ignore[untyped-decorator]
def _log_as_everywhere(**_options: Any) -> None:
    configure_logging("worker", settings)
