"""Makes what the content of games is looked through by, before anybody asks: the first question would take a
tenth of a second of everybody's time."""

import asyncio

from services.character.packs.library import kinds
from services.rules.engine.registry import systems

LATER = 2.0
"""Seconds after the start of the service, so that others start first."""


def make_indexes() -> None:
    """Make the indexes of every game's content, with the values of their fields."""
    for system in systems().values():
        kinds(system.content)


async def ready_library() -> None:
    """Make them once, in a thread, then rest until cancelled."""
    await asyncio.sleep(LATER)
    await asyncio.to_thread(make_indexes)
    await asyncio.Event().wait()
