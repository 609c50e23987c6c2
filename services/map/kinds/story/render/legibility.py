"""The gate for the words of a story map: they overlap nothing and lie on the sheet, by real letter widths."""

from __future__ import annotations

from itertools import combinations

from services.map.generation.gate import Gate
from services.map.kinds.story.render.layout import StoryLayout, lay_out
from services.map.render.metrics import text_width
from services.rules.systems.fortunate_blades.story_map.model import StoryMap


def inspect_labels(model: StoryMap) -> Gate:
    """The gate over a map, laid out for it."""
    return inspect_layout(model, lay_out(model))


def inspect_layout(model: StoryMap, layout: StoryLayout) -> Gate:
    """The gate over a layout that is there already."""
    faults: list[str] = []
    labels = (*layout.labels, *layout.terrain_labels)
    faults += [
        f"the names of {one.id} and {other.id} overlap"
        for one, other in combinations(labels, 2)
        if one.box.overlaps(other.box)
    ]
    for label in labels:
        if not layout.frame.holds(label.box):
            faults.append(f"the name of {label.id} runs off the sheet")
        faults += [
            f"the name of {label.id} covers the sign of {icon.place.id}"
            for icon in layout.icons
            if icon.disc.meets(label.box)
        ]
        for line in label.lines:
            width = text_width(
                line.text, line.size, bold=line.bold, italic=line.italic, tracking=line.tracking
            )
            if width > label.box.width + 1e-6:
                faults.append(f"the name of {label.id} is wider than its room")
    named = {label.id for label in layout.labels}
    faults += [f"{place.id} bears no name" for place in model.places if place.name and place.id not in named]
    return Gate("labels", tuple(faults))
