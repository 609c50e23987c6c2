"""Asks the dice service for the faces of a move, under a key by which the same dice fall each time."""

from typing import Any, Protocol

from services.campaign.models import Scene
from services.campaign.scenes.history import Pending, Thrown
from services.rules.engine.play import EVERYONE, Roll
from services.shared.auth import Viewer
from services.shared.peers import PeerUnavailable

MAX_LABEL = 120


class Poster(Protocol):
    """The dice service, as far as scenes need it; see ``services.shared.peers``."""

    @property
    def name(self) -> str:
        """Its name."""

    async def post(self, viewer: Viewer, *segments: str, body: dict[str, Any]) -> Any:
        """Send a request between services."""


async def draw(dice: Poster, scene: Scene, pending: Pending) -> list[Thrown]:
    """Let the dice of a pending move fall, or find out how they fell.

    Raises:
        PeerRefused: the dice service says that there are no such dice.
        PeerUnavailable: it does not answer, or not as agreed.
    """
    rolls = pending.dice()
    wanted = [roll for roll in rolls if roll.dice.value > 0]
    found: list[tuple[str, tuple[int, ...]]] = []
    if wanted:
        key = f"{scene.id}:{pending.number}"
        body = {
            "campaign": scene.campaign,
            "key": key,
            "entropy": pending.entropy,
            "rolls": [_asked(scene, roll) for roll in wanted],
        }
        answer = await dice.post(Viewer(pending.account), "scenes", scene.id, "draws", body=body)
        found = _read(dice.name, answer, len(wanted))
    fallen = iter(found)
    thrown = []
    for roll in rolls:
        id_, faces = next(fallen) if roll.dice.value > 0 else (None, ())
        thrown.append(Thrown(roll, faces, id_))
    return thrown


def _asked(scene: Scene, roll: Roll) -> dict[str, Any]:
    return {
        "expression": roll.notation,
        "label": (roll.label or roll.id)[:MAX_LABEL],
        "character": roll.actor if roll.actor in scene.cast else None,
        "secret": roll.audience != EVERYONE,
    }


def _read(peer: str, answer: Any, count: int) -> list[tuple[str, tuple[int, ...]]]:
    try:
        found = [(str(each["id"]), tuple(int(face) for face in each["faces"])) for each in answer["rolls"]]
    except (KeyError, TypeError, ValueError) as error:
        raise PeerUnavailable(peer, "an answer of another shape") from error
    if len(found) != count:
        raise PeerUnavailable(peer, f"{len(found)} rolls instead of {count}")
    return found
