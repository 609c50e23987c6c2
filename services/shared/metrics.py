"""What Prometheus may read of the Python processes: counted as things happen, by what is named here.

Labels are bounded: never a path, a name or a key. A process with a port serves what it has counted under
``/metrics``, with what is asked for at each scrape (``exposition``, ``backlog``). Workers and the sweeper
have none: what they count is in a registry of its own, which they hand over (``worker_counts``).
"""

from prometheus_client import CollectorRegistry, Counter, Histogram

SECONDS_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

HTTP_REQUESTS = Counter("hearthforge_http_requests_total", "HTTP requests", ["service", "method", "status"])
HTTP_SECONDS = Histogram(
    "hearthforge_http_request_seconds",
    "Time to answer HTTP requests, streams excepted",
    ["service"],
    buckets=SECONDS_BUCKETS,
)
GRAPHQL_OPERATIONS = Counter(
    "hearthforge_graphql_operations_total", "GraphQL operations", ["service", "kind", "outcome"]
)
GRAPHQL_SECONDS = Histogram(
    "hearthforge_graphql_operation_seconds",
    "Time to execute GraphQL queries and mutations",
    ["service", "kind"],
    buckets=SECONDS_BUCKETS,
)
EVENTS_PUBLISHED = Counter("hearthforge_events_published_total", "Events carried to the stream", ["service"])
BUDGETS_REFUSED = Counter(
    "hearthforge_budget_refused_total",
    "Charges that were refused, by the limit: of the key, account, network, or of one operation",
    ["limit"],
)
LOOP_HELD = Counter(
    "hearthforge_loop_held_seconds_total",
    "Time of steps that held the event loop for longer than 100 ms",
    ["service"],
)
SCRAPES_INCOMPLETE = Counter(
    "hearthforge_scrape_incomplete_total",
    "Scrapes that lack figures, since their source did not answer in time",
    ["service", "source"],
)

WORKER_REGISTRY = CollectorRegistry()
"""What processes without a port of their own count."""

JOBS_ENDED = Counter(
    "hearthforge_jobs_ended_total",
    "Jobs that workers brought to an end",
    ["kind", "state"],
    registry=WORKER_REGISTRY,
)
JOB_ATTEMPTS = Counter(
    "hearthforge_job_attempts_total",
    "Attempts at jobs that workers began, by the number of the attempt",
    ["kind", "attempt"],
    registry=WORKER_REGISTRY,
)
LEASES_LOST = Counter(
    "hearthforge_leases_lost_total",
    "Jobs that a worker lost to another one, since it had been silent for longer than its lease",
    ["kind"],
    registry=WORKER_REGISTRY,
)
MESSAGES_RESENT = Counter(
    "hearthforge_messages_resent_total",
    "Messages that the sweeper sent because jobs were due and the queue was empty",
    ["kind"],
    registry=WORKER_REGISTRY,
)
PRUNED = Counter(
    "hearthforge_pruned_total",
    "Rows and files whose time was over",
    ["service", "what"],
    registry=WORKER_REGISTRY,
)
