"""The gate for the words on a realm, laid out as its picture is."""

from __future__ import annotations

from services.map.generation.gate import Gate
from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.layout import lay_out
from services.map.render.legibility import inspect_words


def inspect(model: RealmMap) -> Gate:
    """The gate over a realm."""
    layout = lay_out(model)
    return inspect_words(layout.labels, [icon.disc for icon in layout.icons], layout.frame)
