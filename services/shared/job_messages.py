"""Sends the messages of jobs: hints for a worker, who finds all else in the jobs table."""

import asyncio

from celery import Celery

from services.shared.jobs import Job
from services.shared.settings import BrokerSettings

PATIENCE_SECONDS = 2.0


class JobMessages:
    """Sends a job's message by the name of its task.

    Args:
        settings: of the installation; they name the broker.
    """

    def __init__(self, settings: BrokerSettings) -> None:
        self._celery = Celery(broker=settings.broker_url, set_as_current=False)
        self._celery.conf.update(
            task_serializer="json",
            task_ignore_result=True,
            task_publish_retry=False,
            broker_transport_options={"socket_timeout": 2, "socket_connect_timeout": 1},
        )

    async def send(self, job: Job) -> None:
        """Send a message.

        Raises:
            Exception: whatever the broker says, or ``TimeoutError`` when it says nothing for two seconds.
        """
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.to_thread(self._send, job)

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._celery.close)

    def _send(self, job: Job) -> None:
        self._celery.send_task(job.kind, args=[job.id], queue=job.queue)
