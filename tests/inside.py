"""A service's graph in this process, without a server around it, and the campaign service that it asks."""

from collections.abc import Collection, Mapping
from typing import Any

from strawberry.federation import Schema

from services.shared.access import Access, Role
from services.shared.auth import Viewer
from services.shared.context import Context
from services.shared.peers import PeerUnavailable


class Campaigns:
    """The campaign service, as far as it is asked.

    Attributes:
        roles: by account: its role in each campaign.
        seats: the campaign of each character that sits at a table.
        past: by account: the role it had in each campaign that was deleted.
        away: whether it can't be reached.
    """

    def __init__(self) -> None:
        self.roles: dict[str, dict[str, Role]] = {}
        self.seats: dict[str, str] = {}
        self.past: dict[str, dict[str, Role]] = {}
        self.away = False

    async def of(
        self,
        viewer: Viewer,
        *,
        campaigns: Collection[str] | None = None,
        characters: Collection[str] | None = None,
    ) -> Access:
        """Give a viewer's access."""
        if self.away:
            raise PeerUnavailable("campaign", "ConnectError")
        roles = self.roles.get(viewer.account, {})
        seats = {who: where for who, where in self.seats.items() if where in roles}
        return Access(viewer.account, roles, seats, self.past.get(viewer.account, {}))


class Graph:
    """Calls to a service's graph.

    Args:
        schema: the graph.
        use_cases: what its resolvers are handed.
    """

    def __init__(self, schema: Schema, use_cases: object) -> None:
        self.schema = schema
        self._use_cases = use_cases

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Run an operation and give the whole answer, as a service would."""
        context: Context[Any] = Context(viewer, self._use_cases, "request")
        result = await self.schema.execute(operation, dict(variables), context_value=context)
        answer: dict[str, Any] = {"data": result.data}
        if result.errors:
            answer["errors"] = [error.formatted for error in result.errors]
        return answer
