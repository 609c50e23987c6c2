"""The gate for the words on a region, laid out as its picture is."""

from __future__ import annotations

from services.map.generation.gate import Gate
from services.map.kinds.region.model import RegionMap
from services.map.kinds.region.render.picture import lay_out
from services.map.render.legibility import inspect_words


def inspect(model: RegionMap) -> Gate:
    """The gate over a region."""
    layout = lay_out(model)
    signs = [disc for _, disc in (*layout.settlements, *layout.sites)]
    return inspect_words([words.label for words in layout.words], signs, layout.page.frame)
