"""A story map as an SVG picture: a page of a traveler's journal.

The same model gives the same bytes. What is secret is drawn where the model holds it: for players, draw the
model that `for_players` gives. The picture has a title and a description for screen readers, every place and
way its own title, no script and no reference to anything outside itself.
"""

from __future__ import annotations

from services.map.kinds.story.render import furniture, pen, scenery
from services.map.kinds.story.render.layout import Icon, StoryLayout, Way, caption, lay_out
from services.map.kinds.story.render.signs import sign, star
from services.map.render.font.faces import font_face
from services.map.render.label_markup import draw_label, draw_leader
from services.map.render.labels import Label
from services.map.render.metrics import FONT_FAMILY
from services.map.render.shapes import Curve
from services.map.render.svg import element, escaped, group, number, path
from services.rules.systems.fortunate_blades.story_map.model import StoryMap
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryPathSort

RENDER_VERSION = 1
"""Raised whenever the same model would give another picture."""

_WAY_WORDS = {
    StoryPathSort.ROAD: "Road",
    StoryPathSort.TRAIL: "Trail",
    StoryPathSort.RIVER: "By river",
    StoryPathSort.SEA: "By sea",
    StoryPathSort.UNKNOWN: "A way nobody has gone",
}
_WAY_LOOKS: dict[StoryPathSort, tuple[str, float, str]] = {
    StoryPathSort.ROAD: (pen.INK, 3.0, "15 6"),
    StoryPathSort.TRAIL: (pen.INK, 3.4, "0.1 8.6"),
    StoryPathSort.RIVER: ("#3f6f86", 3.0, "9 4 0.1 4"),
    StoryPathSort.SEA: ("#3f6f86", 2.6, "2.5 8"),
    StoryPathSort.UNKNOWN: (pen.RED, 2.6, "0.1 13"),
}


def render(model: StoryMap, *, embed: bool = True) -> str:
    """The picture of a story map as the text of an SVG file.

    Args:
        model: The map.
        embed: Whether the picture brings its font along, about 60 KB.
    """
    return draw(model, lay_out(model), embed=embed)


def draw(model: StoryMap, layout: StoryLayout, *, embed: bool = True) -> str:
    """Draws a finished layout of the model.

    Args:
        model: The map.
        layout: Where everything stands.
        embed: Whether the picture brings its font along.
    """
    names = {place.id: place.name or "a rumored place" for place in model.places}
    clips, ground = scenery.washes(model, layout)
    start = next(icon for icon in layout.icons if icon.place.id == model.start)
    body = (
        element("title", escaped(model.title), id="hf-title"),
        element("desc", escaped(describe(model)), id="hf-desc"),
        font_face() if embed else "",
        element("defs", furniture.definitions(), clips),
        furniture.paper(layout),
        ground,
        scenery.doodles(model, layout),
        group(*(_way(way, names) for way in layout.ways), id="hf-ways"),
        furniture.edge(layout),
        star(start.disc.x, start.disc.y, start.disc.radius),
        group(*map(draw_leader, layout.labels), stroke=pen.FAINT, stroke_width=1.0),
        group(*(_icon(icon, model) for icon in layout.icons), id="hf-places"),
        group(*(_label(label) for label in layout.terrain_labels), id="hf-terrain", font_family=FONT_FAMILY),
        group(*map(_label, layout.labels), id="hf-labels", font_family=FONT_FAMILY),
        furniture.north(layout),
        furniture.title(model, layout),
        furniture.forces(model, layout),
    )
    width, height = number(layout.width), number(layout.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="hf-title hf-desc">'
    )
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *filter(None, body), "</svg>", ""))


def describe(model: StoryMap) -> str:
    """The map in words: places, ways and forces."""
    names = {place.id: place.name or "a rumored place" for place in model.places}
    places = "; ".join(f"{names[place.id]} ({caption(place, model)})" for place in model.places)
    ways = "; ".join(
        f"{_WAY_WORDS[one.sort]} from {names[one.start]} to {names[one.end]}" for one in model.paths
    )
    forces = "; ".join(f"{force.name} ({force.magnitude.value})" for force in model.forces)
    return f"{places}. {ways}. Forces: {forces}."


def _way(way: Way, names: dict[str, str]) -> str:
    curve, sort = way.curve, way.path.sort
    color, width, dashes = _WAY_LOOKS[sort]
    d = path("M", *curve.start, "Q", *curve.bend, *curve.end)
    line = {"d": d, "fill": "none", "stroke_linecap": "round"}
    drawn = element("path", **line, stroke=pen.PAPER_LIGHT, stroke_width=width + 4, opacity=0.6)
    drawn += element("path", **line, stroke=color, stroke_width=width, stroke_dasharray=dashes)
    title = f"{_WAY_WORDS[sort]}: {names[way.path.start]} – {names[way.path.end]}"
    return group(element("title", escaped(title)), drawn, _boat(curve) if sort is StoryPathSort.SEA else "")


def _boat(curve: Curve) -> str:
    """A little boat half-way over the sea."""
    x, y = curve.at(0.5)
    return element(
        "path",
        d="M-10 2H11L7 9H-6ZM0 2V-12L9 -1H0M-2 -8L-9 -1H-2",
        transform=f"translate({number(x)} {number(y)})",
        fill=pen.PAPER_LIGHT,
        stroke=pen.INK,
        stroke_width=1.2,
        stroke_linejoin="round",
    )


def _icon(icon: Icon, model: StoryMap) -> str:
    place, disc = icon.place, icon.disc
    words = f"{place.name}: {caption(place, model)}" if place.name else "Here is something, they say"
    radius = disc.radius * 0.68 if place.id == model.start else disc.radius
    shown = sign(place.sort, disc.x, disc.y, radius, icon.tilt)
    mark = ""
    if not place.known and place.name:
        mark = element(
            "circle",
            cx=disc.x,
            cy=disc.y,
            r=disc.radius,
            fill="none",
            stroke=pen.RED,
            stroke_width=1.8,
            stroke_dasharray="5 5",
        )
    return group(element("title", escaped(words)), shown, mark)


def _label(label: Label) -> str:
    return draw_label(label, ink=pen.INK, soft=pen.FAINT, edge=pen.PAPER_LIGHT, width=3.2, opacity=0.8)
