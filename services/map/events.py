"""The facts that the map service publishes."""

from services.map.models import MapRow
from services.shared.jobs import Job
from services.shared.outbox import Event


def job_topic(job: str) -> str:
    """Name what subscriptions to a job's progress wait for."""
    return f"job:{job}"


def job_changed(job: Job) -> Event:
    """Tell that a job has a new version."""
    return Event(
        "job.changed",
        job_topic(job.id),
        {"id": job.id, "version": job.version, "state": job.state, "progress": job.progress},
    )


def job_deleted(job_id: str) -> Event:
    """Tell that a job is gone."""
    return Event("job.deleted", job_topic(job_id), {"id": job_id})


def made(row: MapRow) -> Event:
    """Tell that a map is finished."""
    return Event(
        "map.made",
        f"maps:{row.campaign or row.owner}",
        {
            "id": row.id,
            "campaign": row.campaign,
            "account": row.owner,
            "text": f"A map is drawn: {row.name}.",
        },
    )


def map_topic(map_id: str) -> str:
    """Name what subscriptions to a map wait for."""
    return f"map:{map_id}"


def edited(map_id: str) -> Event:
    """Tell that a map is not as it was; who is woken looks for themselves what they see of that."""
    return Event("map.edited", map_topic(map_id), {"id": map_id})


def deleted(map_id: str, campaign: str | None) -> Event:
    """Tell that a map is gone."""
    return Event("map.deleted", map_topic(map_id), {"map": map_id, "campaign": campaign})
