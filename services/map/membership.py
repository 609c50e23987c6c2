"""What a viewer may see of some maps or of a job: asked of the campaigns that these are in alone."""

from collections.abc import Collection

from services.map.repository import place_of_job, places_of_maps
from services.shared.access import Access
from services.shared.auth import Viewer
from services.shared.database import Database
from services.shared.ids import is_id
from services.shared.policy import NOWHERE, Policy, campaigns_of


class Membership:
    """Asks for access to the campaigns of maps and jobs.

    Args:
        database: where maps and jobs are kept.
        policy: knows what viewers may do.
    """

    def __init__(self, database: Database, policy: Policy) -> None:
        self._database = database
        self._policy = policy

    async def of_maps(self, viewer: Viewer, maps: Collection[str]) -> Access:
        """Return a viewer's access, as far as it concerns maps.

        Raises:
            Unavailable: the campaign service is silent, and one of them is in a campaign.
        """
        return await self._policy.access(viewer, campaigns=await self._tables_of_maps(viewer, maps))

    async def of_maps_own_at_least(self, viewer: Viewer, maps: Collection[str]) -> Access:
        """Return it likewise; that to the viewer's own things while nobody knows more."""
        return await self._policy.own_at_least(viewer, campaigns=await self._tables_of_maps(viewer, maps))

    async def of_job(self, viewer: Viewer, job: str) -> Access:
        """Return a viewer's access, as far as it concerns a job; raises as ``of_maps`` does."""
        return await self._policy.access(viewer, campaigns=await self._tables_of_job(viewer, job))

    async def of_job_own_at_least(self, viewer: Viewer, job: str) -> Access:
        """Return it likewise; that to the viewer's own things while nobody knows more."""
        return await self._policy.own_at_least(viewer, campaigns=await self._tables_of_job(viewer, job))

    async def _tables_of_maps(self, viewer: Viewer, maps: Collection[str]) -> Collection[str]:
        wanted = [one for one in dict.fromkeys(maps) if is_id(one, "map")]
        if not wanted:
            return (NOWHERE,)
        async with self._database.read() as session:
            return campaigns_of(viewer, wanted, await places_of_maps(session, wanted))

    async def _tables_of_job(self, viewer: Viewer, job: str) -> Collection[str]:
        if not is_id(job, "job"):
            return (NOWHERE,)
        async with self._database.read() as session:
            return campaigns_of(viewer, [job], await place_of_job(session, job))
