"""A realm as an SVG picture that people would print.

The same model gives the same bytes. The picture has a title and a description for screen readers, every place
and way its own title, no script and no reference to anything outside itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from services.map.kinds.realm.model import RealmMap
from services.map.kinds.realm.render.furniture import frame_lines, legend, road, trail
from services.map.kinds.realm.render.icons import sign
from services.map.kinds.realm.render.layout import Icon, RealmLayout, lay_out, power_words
from services.map.kinds.realm.render.nature import MOUNTAIN_STYLE, TREE_STYLE, mountain, tree, tufts
from services.map.kinds.realm.render.pawns import draw_pawn
from services.map.kinds.realm.render.ways import Way
from services.map.render import palette
from services.map.render.chart import cartouche, definitions, paper, rhumb_lines, rose
from services.map.render.figures import Figure
from services.map.render.font.faces import font_face
from services.map.render.label_markup import draw_label, draw_leader
from services.map.render.labels import Label
from services.map.render.metrics import FONT_FAMILY
from services.map.render.shapes import Disc
from services.map.render.svg import element, escaped, group, number
from services.rules.systems.forgeborn import LinkKind, Realm

RENDER_VERSION = 2
"""Raised whenever the same model would give another picture."""


def render(model: RealmMap, figures: Sequence[Figure] = (), *, embed: bool = True) -> str:
    """The picture of a realm as the text of an SVG file.

    Args:
        model: The realm.
        figures: Who stands on it.
        embed: Whether the picture brings its font along, about 60 KB.
    """
    return draw(model, lay_out(model, figures), embed=embed)


def draw(model: RealmMap, layout: RealmLayout, *, embed: bool = True) -> str:
    """Draws a finished layout of the model.

    Args:
        model: The realm.
        layout: Where everything stands.
        embed: Whether the picture brings its font along.
    """
    names = {place.id: place.name or power_words(place) for place in model.realm.places}
    roads = [way for way in layout.ways if way.link.kind is LinkKind.ROAD]
    trails = [way for way in layout.ways if way.link.kind is LinkKind.TRAIL]
    body = (
        element("title", escaped(model.title), id="hf-title"),
        element("desc", escaped(describe(model) + _standing(layout)), id="hf-desc"),
        font_face() if embed else "",
        definitions(),
        paper(layout.width, layout.height),
        rhumb_lines(layout.compass, layout.frame),
        tufts(model.seed, layout),
        group(*map(tree, layout.trees), id="hf-forests", **TREE_STYLE),
        group(
            *map(mountain, layout.peaks),
            id="hf-range",
            **MOUNTAIN_STYLE,
        ),
        group(*(_way(way, names) for way in roads), id="hf-roads"),
        group(*(_way(way, names) for way in trails), id="hf-trails"),
        frame_lines(layout.frame),
        rose(layout.compass),
        group(*map(draw_leader, layout.labels), stroke=palette.INK_SOFT, stroke_width=1.0),
        group(*map(_icon, layout.icons), id="hf-places"),
        group(*map(draw_pawn, sorted(layout.pawns, key=lambda pawn: pawn.disc.y)), id="hf-pawns"),
        group(*map(_label, layout.labels), id="hf-labels", font_family=FONT_FAMILY, fill=palette.INK),
        cartouche(model.title, layout.frame),
        legend(layout.legend),
    )
    width, height = number(layout.width), number(layout.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="hf-title hf-desc">'
    )
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *filter(None, body), "</svg>", ""))


def describe(model: RealmMap) -> str:
    """The map in words: every place with what it is, and every way."""
    realm = model.realm
    places = "; ".join(f"{place.name} ({power_words(place)})" for place in realm.places)
    names = {place.id: place.name for place in realm.places}
    ways = "; ".join(
        f"{link.kind.value.capitalize()} from {names[link.start.id]} to {names[link.end.id]}"
        for link in realm.links
    )
    return f"{places}. {_mountains(model, realm)} {ways}."


def _standing(layout: RealmLayout) -> str:
    """Those who stand on the realm in words, each with the place whose sign is nearest."""
    words = []
    for pawn in layout.pawns:
        nearest = min(layout.icons, key=lambda icon: _gap(pawn.disc, icon.disc)).place
        words.append(f" {pawn.figure.name} stands by {nearest.name or power_words(nearest)}.")
    return "".join(words)


def _gap(one: Disc, other: Disc) -> float:
    return hypot(one.x - other.x, one.y - other.y) - other.radius


def _mountains(model: RealmMap, realm: Realm) -> str:
    match len(realm.range):
        case 0:
            return "There are no mountains."
        case 1:
            return f"{model.range_name} is a single peak."
        case _:
            return f"{model.range_name} is a mountain range."


def _way(way: Way, names: dict[str, str]) -> str:
    curve = way.drawn
    # Two decimals are the rules' own grid: a road drawn here runs where it was tested.
    d = "M{:.2f} {:.2f} Q{:.2f} {:.2f} {:.2f} {:.2f}".format(*curve.start, *curve.bend, *curve.end)
    kind = way.link.kind.value.capitalize()
    title = element("title", escaped(f"{kind}: {names[way.link.start.id]} – {names[way.link.end.id]}"))
    return group(title, road(d) if way.link.kind is LinkKind.ROAD else trail(d))


def _icon(icon: Icon) -> str:
    place, disc = icon.place, icon.disc
    title = element("title", escaped(f"{place.name}: {power_words(place)}"))
    shown = sign(place.kind, place.power, disc.x, disc.y, disc.radius, spent=place.spent)
    return group(title, shown)


def _label(label: Label) -> str:
    return draw_label(
        label, ink=None, soft=palette.INK_SOFT, edge=palette.PAPER_LIGHT, width=3.4, opacity=0.85
    )
