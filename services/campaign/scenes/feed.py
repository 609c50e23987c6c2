"""Subscriptions to a scene: all moves behind a cursor, then each new one, once, as the viewer may know them.

What is hidden from a viewer does not even wake them: it is told on topics of their own for GMs and for the
players of each character (see ``services.campaign.scenes.events``).
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from services.campaign.scenes.events import scene_topic
from services.campaign.scenes.looks import START, Cursor, SeenMove
from services.campaign.scenes.participant import Participant
from services.campaign.scenes.reader import SceneReader
from services.rules.engine.play import GM
from services.shared.auth import Viewer
from services.shared.problems import NotFound
from services.shared.stream import POLL_SECONDS, Wakes


class SceneFeed:
    """The use case of following a scene.

    Args:
        reader: shows what happened, with the viewer's rights checked anew each time.
        wakes: signals of what was committed.
    """

    def __init__(self, reader: SceneReader, wakes: Wakes) -> None:
        self._reader = reader
        self._wakes = wakes

    async def follow(self, viewer: Viewer, scene: str, *, after: Cursor = START) -> AsyncIterator[SeenMove]:
        """Yield all moves behind a cursor, then each new one, once, as the viewer may know them.

        Raises:
            NotFound: they may not see the scene, or no longer.
        """
        last = after
        look = (await self._reader.scenes(viewer, [scene])).get(scene)
        if look is None:
            raise NotFound.of("scene")
        with _signals(self._wakes, topics(scene, look.who)) as signals:
            while True:
                for signal in signals:
                    signal.clear()
                batch = await self._reader.moves(viewer, scene, after=last)
                for move in batch:
                    last = move.cursor
                    yield move
                if not batch:
                    await _first(signals)


def topics(scene: str, who: Participant) -> list[str]:
    """Return what a member is to be woken by."""
    eyes = [GM] if who.gm else sorted(who.eyes.actors)
    return [scene_topic(scene), *(scene_topic(scene, each) for each in eyes)]


@contextmanager
def _signals(wakes: Wakes, names: Sequence[str]) -> Iterator[list[asyncio.Event]]:
    with ExitStack() as stack:
        yield [stack.enter_context(wakes.watch(name)) for name in names]


async def _first(signals: Sequence[asyncio.Event]) -> None:
    """Wait until one of the signals is set, or until it is time to look whatever they say."""
    waiting = [asyncio.create_task(signal.wait()) for signal in signals]
    try:
        await asyncio.wait(waiting, timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
