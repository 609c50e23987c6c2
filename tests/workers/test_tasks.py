"""Whatever a message calls for, a worker knows it."""

from celery import Celery

import workers.maps  # noqa: F401, which has the tasks
from services.map.work import BATCH, MAP_TASK, PART_TASK


def test_every_kind_of_job_has_a_task_of_its_name() -> None:
    app = Celery("tests", set_as_current=False)
    app.finalize()
    assert {MAP_TASK, PART_TASK, BATCH} <= set(app.tasks)
