"""Many stored files, some of them side by side: most of what each takes is waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator

AT_ONCE = 16


async def transfer(keys: Iterable[str], one: Callable[[str], Awaitable[None]]) -> None:
    """Do something with each of many files, ``AT_ONCE`` of them at a time; the first failure ends all.

    Args:
        keys: of the files.
        one: does it with the file of a key.
    """
    waiting = iter(keys)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(_through(waiting, one))
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def _through(waiting: Iterator[str], one: Callable[[str], Awaitable[None]]) -> None:
    for key in waiting:
        await one(key)
