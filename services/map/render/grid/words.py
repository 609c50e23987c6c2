"""The gate for the words on a grid map, laid out as its picture is."""

from __future__ import annotations

from services.map.generation.gate import Gate
from services.map.generation.grid.model import GridMap
from services.map.render.grid.lettering import letter
from services.map.render.grid.look import Look
from services.map.render.grid.outline import UNIT
from services.map.render.legibility import inspect_words
from services.map.render.shapes import Box


def inspect(model: GridMap) -> Gate:
    """The gate over a map in the usual look."""
    lettering = letter(model, Look().pixels)
    discs = [badge.disc for badge in lettering.badges] + [disc for disc, _ in lettering.notes]
    frame = Box(0, 0, model.width * UNIT, model.height * UNIT)
    return inspect_words(lettering.labels, discs, frame)
