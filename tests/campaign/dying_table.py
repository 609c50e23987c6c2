"""A process that makes a move whose dice fall in two steps, and is killed on the way: ``python -m`` with its
database's address, the scene, its game master's account, a file that keeps the dice, and how many draws it
survives.

The dice are kept in the file as soon as they fall, as the dice service keeps them. A process that survives
more draws than there are is killed behind its commit, before it has answered.
"""

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from services.campaign.scenes.moves import Moves
from services.campaign.scenes.requests import PerformMove
from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, GM_ONLY, Roll
from services.shared.auth import Viewer
from services.shared.clock import system_clock
from services.shared.database import Database
from tests.campaign.scene_desk import DUEL, SYSTEMS, Dice, first

_PLAY = type(DUEL.play).__module__.rpartition(".")[0]
"""The package of the toy's play, as its game was found: one that is dropped in has a name of its own."""
duel: Any = SimpleNamespace(
    **{
        name: value
        for file in ("moves", "facts", "rules", "scene")
        for name, value in vars(sys.modules[f"{_PLAY}.{file}"]).items()
        if not name.startswith("_")
    }
)
"""The names of the toy's play."""


class Rolled(duel.DuelPlay):  # type: ignore[misc]
    """The toy, but that listening takes one die, and then as many as that shows."""

    def rule(self, turn: Any, move: Any) -> Any:
        if not isinstance(move, duel.Listen):
            yield from super().rule(turn, move)
            return
        ((count,),) = yield from turn.roll(_dice("how-many", 1))
        turn.happen(duel.Braced(actor=turn.state.turn))
        (faces,) = yield from turn.roll(_dice("ears", count))
        turn.happen(duel.Listened(audience=GM_ONLY, who=move.who, heard=sum(faces) >= 8))


def games(play: Any) -> dict[str, Any]:
    """The games of the tests, with another play of the toy."""
    return {**SYSTEMS, "duel": replace(DUEL, play=play)}  # type: ignore[type-var]


class KeptDice(Dice):
    """Dice that outlive the process, which may not outlive them.

    Args:
        file: keeps what fell.
        survives: how many draws the process survives; None for all.
    """

    def __init__(self, file: Path, survives: int | None = None) -> None:
        super().__init__()
        self._file, self._left = file, survives
        if file.exists():
            self.drawn = {
                key: (rolls, answer) for key, (rolls, answer) in json.loads(file.read_text()).items()
            }

    async def post(self, viewer: Viewer, *segments: str, body: dict[str, Any]) -> Any:
        if self._left == 0:
            die()
        answer = await super().post(viewer, *segments, body=body)
        self._file.write_text(json.dumps(self.drawn))
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                die()
        return answer


def die() -> None:
    """Ends the process at once, with nothing tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def _dice(name: str, count: int) -> Roll:
    return Roll(id=name, actor=GM, label=name, dice=Explained.of(Part(count, "Ears", "Hiding")))


async def main(url: str, scene: str, account: str, hero: str, file: str, survives: int) -> None:
    """Make the move, and die."""
    dice = KeptDice(Path(file), survives)
    playing = Moves(Database(url), system_clock, dice, games(Rolled()), first)
    move = {"kind": "Listen", "actor": GM, "who": hero}
    await playing.perform(Viewer(account), PerformMove(scene_id=scene, expected_seq=0, move=move))
    die()


if __name__ == "__main__":
    address, scene_id, master, listener, kept, draws = sys.argv[1:]
    asyncio.run(main(address, scene_id, master, listener, kept, int(draws)))
