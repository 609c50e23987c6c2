"""Long work, done outside the services: Celery carries the hints, the jobs tables say what is true.

Read in this order: ``app`` (the Celery application and its settings), ``liveness`` (how a dead worker's
message comes back, how a living one is seen), ``making`` (the process that a job is made in), ``carrying``
(one attempt at one job), ``messages`` (calls for help), ``maps`` and ``batches`` (the tasks that make maps),
``simulations`` (the task that plays scenes by the thousand), ``sweeper`` (a process of its
own that calls for work when a message was lost), ``pruning`` (what the sweeper removes because its time is
over). Run from the repository's root: ``celery -A workers.app worker`` and ``python -m workers.sweeper``.
"""
