"""The gate for the words on a map: they overlap no other word and no sign, and lie inside the frame.

It looks at the layout that is drawn, with the real widths of the letters; a name that found no room is left
out of the picture, which is no fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from services.map.generation.gate import Gate
from services.map.generation.grid.model import GridMap
from services.map.generation.realm.model import RealmMap
from services.map.generation.region.model import RegionMap
from services.map.generation.story.model import StoryMap
from services.map.render.grid.lettering import letter
from services.map.render.grid.look import Look
from services.map.render.grid.outline import UNIT
from services.map.render.labels import Label
from services.map.render.metrics import text_width
from services.map.render.realm.layout import lay_out as lay_out_realm
from services.map.render.region.picture import lay_out as lay_out_region
from services.map.render.shapes import Box, Disc
from services.map.render.story.legibility import inspect_labels


def inspect(model: Any) -> Gate:
    """The gate over a map of any kind, laid out as its picture is."""
    match model:
        case RealmMap():
            realm = lay_out_realm(model)
            return inspect_words(realm.labels, [icon.disc for icon in realm.icons], realm.frame)
        case RegionMap():
            region = lay_out_region(model)
            signs = [disc for _, disc in (*region.settlements, *region.sites)]
            return inspect_words([words.label for words in region.words], signs, region.page.frame)
        case StoryMap():
            return inspect_labels(model)
        case GridMap():
            lettering = letter(model, Look().pixels)
            discs = [badge.disc for badge in lettering.badges] + [disc for disc, _ in lettering.notes]
            frame = Box(0, 0, model.width * UNIT, model.height * UNIT)
            return inspect_words(lettering.labels, discs, frame)
        case _:
            raise TypeError(f"no picture of {type(model).__name__}")


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
