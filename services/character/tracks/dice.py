"""Dice that fall at a rest: the dice service rolls them, once for each version of a character."""

from collections.abc import Sequence
from typing import Any, Protocol

from services.rules.engine.play import Faces, Roll
from services.shared.auth import Viewer
from services.shared.peers import PeerRefused, PeerUnavailable

MAX_LABEL = 120


class Poster(Protocol):
    """The dice service, as far as rests need it; see ``services.shared.peers``."""

    @property
    def name(self) -> str:
        """Its name."""

    async def post(self, viewer: Viewer, *segments: str, body: dict[str, Any]) -> Any:
        """Send a request between services."""


async def draw(
    dice: Poster | None,
    viewer: Viewer,
    character: str,
    campaign: str | None,
    key: str,
    rolls: Sequence[Roll],
) -> Faces:
    """Let dice fall that a character rolls, or find out how they fell under the same key.

    Args:
        dice: the dice service.
        viewer: who asks.
        character: id of the character.
        campaign: where it sits; None where at no table.
        key: names the dice among those of the character.
        rolls: the dice.

    Raises:
        PeerUnavailable: it does not answer, or not as agreed.
    """
    if dice is None:
        raise PeerUnavailable("dice", "no dice service is known here")
    asked = [{"expression": roll.notation, "label": (roll.label or roll.id)[:MAX_LABEL]} for roll in rolls]
    body = {"campaign": campaign, "key": key, "rolls": asked}
    try:
        answer = await dice.post(viewer, "characters", character, "draws", body=body)
        faces = tuple(tuple(int(face) for face in each["faces"]) for each in answer["rolls"])
    except (KeyError, TypeError, ValueError, PeerRefused) as error:
        raise PeerUnavailable(dice.name, f"no faces: {error!r}") from error
    if len(faces) != len(rolls):
        raise PeerUnavailable(dice.name, f"{len(faces)} rolls instead of {len(rolls)}")
    return faces
