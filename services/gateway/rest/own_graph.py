"""The account subgraph as the REST face asks it: it is served by this very process, so nothing travels."""

from collections.abc import Mapping
from typing import Any

import structlog

from services.gateway.accounts.service import AccountService
from services.gateway.schema import SCHEMA
from services.shared.auth import Viewer
from services.shared.context import Context


class OwnGraph:
    """Runs operations on the account subgraph.

    Args:
        accounts: what its resolvers are handed.
    """

    def __init__(self, accounts: AccountService) -> None:
        self._accounts = accounts

    async def graphql(self, viewer: Viewer, operation: str, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Run an operation on behalf of ``viewer``; the answer holds ``data`` and maybe ``errors``."""
        request_id = structlog.contextvars.get_contextvars().get("request_id", "")
        context = Context(viewer, self._accounts, request_id)
        result = await SCHEMA.execute(operation, dict(variables), context_value=context)
        errors = [error.formatted for error in result.errors or ()]
        return {"data": result.data, **({"errors": errors} if errors else {})}
