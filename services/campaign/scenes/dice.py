"""Asks the dice service for the faces of a move, under a key by which the same dice fall each time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from services.campaign.scenes.history import Pending, Thrown
from services.campaign.scenes.models import Scene
from services.campaign.scenes.positions import place
from services.rules.engine.play import EVERYONE, AnyPlay, Roll
from services.rules.engine.position import Held, Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, RuleFault, Run
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


@dataclass(frozen=True, slots=True)
class OnItsWay:
    """A pending move as far as it has run.

    Attributes:
        at: where the scene stood before it.
        move: the move, or the answer with which a move that waited goes on.
        run: its rule, which waits for dice.
    """

    at: Position
    move: Any
    run: Run


def taken_up(play: AnyPlay, scene: Scene, pending: Pending) -> OnItsWay:
    """Runs a pending move from its beginning to its first dice.

    Raises:
        CodecError: the game no longer knows what was written.
        Refused: the game no longer allows it.
        RuleFault: the game no longer comes to what it came to before.
    """
    at = place(play, scene)
    move = play.move_codec.load(pending.move)
    run = at.enter(move, pending.number)
    if isinstance(run, Problems):
        raise Refused(run)
    if isinstance(run, Held):
        raise RuleFault("an answer that took dice waits for others")
    return OnItsWay(at, move, run)


async def roll_out(dice: Poster, scene: Scene, pending: Pending, run: Run, thrown: list[Thrown]) -> None:
    """Let the dice of a pending move fall, step by step, until it waits for answers or is done.

    Each step has a key of its own, so that after a crash between any two the same dice are found again.

    Args:
        dice: the dice service.
        scene: the scene.
        pending: the move.
        run: its rule, which waits for dice.
        thrown: takes the dice as they fall.

    Raises:
        PeerRefused: the dice service says that there are no such dice.
        PeerUnavailable: it does not answer, or not as agreed.
        RuleFault: the rule went wrong.
    """
    step = 0
    while run.rolls:
        fallen = await draw(dice, scene, pending, step, run.rolls)
        thrown += fallen
        run.go_on(tuple(each.faces for each in fallen))
        step += 1


async def draw(
    dice: Poster, scene: Scene, pending: Pending, step: int, rolls: Sequence[Roll]
) -> list[Thrown]:
    """Let the dice of one step of a pending move fall, or find out how they fell.

    Args:
        dice: the dice service.
        scene: the scene.
        pending: the move.
        step: how many steps of it had dice before; each has a key of its own.
        rolls: the dice.

    Raises:
        PeerRefused: the dice service says that there are no such dice.
        PeerUnavailable: it does not answer, or not as agreed.
    """
    key = f"{scene.id}:{pending.number}" + (f":{step}" if step else "")
    body = {
        "campaign": scene.campaign,
        "key": key,
        "entropy": pending.entropy,
        "rolls": [_asked(scene, roll) for roll in rolls],
    }
    answer = await dice.post(Viewer(pending.account), "scenes", scene.id, "draws", body=body)
    fallen = _read(dice.name, answer, len(rolls))
    return [Thrown(roll, faces, id_) for roll, (id_, faces) in zip(rolls, fallen, strict=True)]


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
