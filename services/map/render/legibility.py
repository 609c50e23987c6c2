"""The gate for the words on a map: they overlap no other word and no sign, and lie inside the frame.

It looks at the layout that is drawn, with the real widths of the letters; a name that found no room is left
out of the picture, which is no fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from services.map.generation.gate import Gate
from services.map.render.labels import Label
from services.map.render.metrics import text_width
from services.map.render.shapes import Box, Disc


def inspect_words(labels: Sequence[Label], signs: Sequence[Disc], frame: Box) -> Gate:
    """The gate over words in their places.

    Args:
        labels: The words.
        signs: What they must not cover.
        frame: What they must not leave.
    """
    faults = [
        f"the words of {one.id} and {other.id} overlap"
        for one, other in combinations(labels, 2)
        if one.box.overlaps(other.box)
    ]
    for label in labels:
        if not frame.holds(label.box):
            faults.append(f"the words of {label.id} leave the frame")
        if any(sign.meets(label.box) for sign in signs):
            faults.append(f"the words of {label.id} cover a sign")
        for line in label.lines:
            width = text_width(
                line.text, line.size, bold=line.bold, italic=line.italic, tracking=line.tracking
            )
            if width > label.box.width + 0.01:
                faults.append(f"the words of {label.id} are wider than their room")
    return Gate("labels", tuple(faults))
