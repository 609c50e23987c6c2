"""What a running scene has changed so far about the characters that take part, before two pairs of eyes.

Who plays a character may know more of it than the others at the table: what they took in secret changes the
sheet for them and their GMs at once, and for the others when the scene is over. What each pair of eyes is
told follows from the state as those may know it, so what is hidden from them leaves no trace.
"""

from collections.abc import Sequence
from typing import Any

import orjson

from services.campaign.scenes.narration import NO_EYES
from services.rules.engine.play import Change, Viewer
from services.rules.engine.position import Position

OWN, OPEN = "own", "open"

Told = dict[str, dict[str, Any]]
"""By character: the change as its player may know it, and as everybody at the table may; null for none."""


def so_far(at: Position, cast: Sequence[str]) -> Told:
    """Returns what a scene has changed so far about each character; those it has not changed are left out.

    Args:
        at: where the scene stands.
        cast: ids of the players' characters.
    """
    known = {change.character: _form(change) for change in at.play.changes(at.view(NO_EYES))}
    found: Told = {}
    for character in cast:
        own = at.play.changes(at.view(Viewer(actors=frozenset({character}))))
        sides = {
            OWN: next((_form(change) for change in own if change.character == character), None),
            OPEN: known.get(character),
        }
        if any(sides.values()):
            found[character] = sides
    return found


def _form(change: Change) -> dict[str, Any]:
    """The JSON form of a change, as it is read back from a database."""
    form: dict[str, Any] = orjson.loads(orjson.dumps({"data": dict(change.data), "text": change.text}))
    return form
