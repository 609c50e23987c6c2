"""Events that are handled in steps, each in a unit of work of its own, as a reader of events does it."""

from services.shared.consumer import Handler
from services.shared.database import Database
from services.shared.outbox import Event


async def in_steps(database: Database, handler: Handler, event: Event, *, at_most: int = 1_000) -> int:
    """Handle an event to its end, or interrupt it after some steps; return how many were taken."""
    for step in range(1, at_most + 1):
        async with database.write() as session:
            more = await handler(session, event)
        if not more:
            return step
    return at_most
