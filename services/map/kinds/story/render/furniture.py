"""What makes the sketch a page of a journal: paper, the edge of the sheet, the title, the forces."""

from __future__ import annotations

from math import cos, pi, sin

from services.map.generation.stream import Stream
from services.map.kinds.story.render import pen
from services.map.kinds.story.render.layout import StoryLayout
from services.map.render.grid.writing import wrapped
from services.map.render.metrics import FONT_FAMILY, text_width
from services.map.render.shapes import Box
from services.map.render.svg import element, escaped, group, number, path
from services.rules.systems.fortunate_blades.story_map.forces import FORCE_WORDS
from services.rules.systems.fortunate_blades.story_map.model import StoryForce, StoryMap
from services.rules.systems.fortunate_blades.story_map.vocabulary import (
    StoryInvolvement,
    StoryMagnitude,
    StoryScale,
    StoryStanding,
)

SCALE_WORDS = {
    StoryScale.VILLAGE: "a village",
    StoryScale.TOWN: "a town",
    StoryScale.REGION: "a region",
    StoryScale.NATION: "a nation",
    StoryScale.CONTINENT: "a continent",
    StoryScale.WORLD: "all the world",
}
_HANDS = {
    StoryInvolvement.DISTANT: "stays distant",
    StoryInvolvement.WATCHFUL: "watches",
    StoryInvolvement.ACTIVE: "takes a hand",
    StoryInvolvement.EVERYWHERE: "is everywhere",
}
_PIPS = {StoryMagnitude.MINOR: 1, StoryMagnitude.SERIOUS: 2, StoryMagnitude.HEROIC: 3}
_CUT = "…"


def definitions() -> str:
    """The paper and its grain; every id begins with `hf-`."""
    return element(
        "radialGradient",
        element("stop", offset=0.0, stop_color=pen.PAPER_LIGHT),
        element("stop", offset=0.66, stop_color=pen.PAPER),
        element("stop", offset=1.0, stop_color=pen.PAPER_EDGE),
        id="hf-paper",
        cx="50%",
        cy="45%",
        r="76%",
    ) + element(
        "filter",
        element("feTurbulence", type="fractalNoise", baseFrequency="0.013 0.019", numOctaves="4", seed="11"),
        element(
            "feColorMatrix", type="matrix", values="0 0 0 0 0.42 0 0 0 0 0.29 0 0 0 0 0.12 0 0 0 0.9 -0.36"
        ),
        id="hf-grain",
        x="0%",
        y="0%",
        width="100%",
        height="100%",
    )


def paper(layout: StoryLayout) -> str:
    """The page, stained by a cup and a few drops of ink."""
    stream = Stream(layout.hand, "stains")
    x = layout.frame.left + layout.frame.width * (0.08 + stream.below(80) / 100)
    y = layout.frame.bottom - stream.below(60)
    rings = "".join(
        element(
            "circle", cx=x, cy=y, r=radius, fill="none", stroke=pen.WOOD, stroke_width=width, opacity=opacity
        )
        for radius, width, opacity in ((58.0, 5.0, 0.13), (61.0, 1.4, 0.22), (54.0, 1.0, 0.16))
    )
    drops = "".join(
        element(
            "circle",
            cx=stream.below(int(layout.width)),
            cy=stream.below(int(layout.height)),
            r=0.8 + stream.below(18) / 10,
            fill=pen.INK,
            opacity=0.35,
        )
        for _ in range(9)
    )
    return group(
        element("rect", width=layout.width, height=layout.height, fill="url(#hf-paper)"),
        element("rect", width=layout.width, height=layout.height, filter="url(#hf-grain)", opacity=0.34),
        rings,
        drops,
        aria_hidden="true",
    )


def edge(layout: StoryLayout) -> str:
    """The edge of the sheet: two lines by an unsteady hand."""
    box, stream = layout.frame, Stream(layout.hand, "edge")
    lines = [
        element(
            "path",
            d=pen.hand_box(*_sides(box.grown(by)), stream, 1.3),
            stroke_width=width,
        )
        for by, width in ((0.0, 2.4), (6.0, 1.2))
    ]
    return group(*lines, fill="none", stroke=pen.INK, stroke_linejoin="round", aria_hidden="true")


def _sides(box: Box) -> tuple[float, float, float, float]:
    return box.left, box.top, box.right, box.bottom


def _text(
    words: str,
    x: float,
    y: float,
    size: float,
    *,
    bold: bool = False,
    italic: bool = False,
    anchor: str | None = None,
    fill: str = pen.INK,
    tracking: float = 0.0,
) -> str:
    return element(
        "text",
        escaped(words),
        x=x,
        y=y,
        font_size=size,
        font_weight="bold" if bold else None,
        font_style="italic" if italic else None,
        text_anchor=anchor,
        textLength=text_width(words, size, bold=bold, italic=italic, tracking=tracking),
        lengthAdjust="spacing" if tracking else "spacingAndGlyphs",
        fill=fill,
        stroke="none",
    )


def title(model: StoryMap, layout: StoryLayout) -> str:
    """The title on a scroll, underlined by hand, with scale and tones below."""
    stream = Stream(layout.hand, "title")
    middle = layout.frame.center[0]
    size, room = 40.0, layout.frame.width - 220
    wide = text_width(model.title, size, bold=True, tracking=1.5)
    if wide > room:
        size *= room / wide
        wide = text_width(model.title, size, bold=True, tracking=1.5)
    tones = ", ".join(tone.value.replace("_", " ") for tone in model.tones)
    below = f"a story of {SCALE_WORDS[model.scale]}" + (f" · {tones}" if tones else "")
    half = max(wide / 2, min(room, text_width(below, 15, italic=True)) / 2) + 40
    left, right, top, bottom = middle - half, middle + half, 16.0, 96.0
    curls = "".join(
        element(
            "path",
            d=f"M{number(x)} {top + 8}q{number(side * 30)} -6 {number(side * 30)} 16v{bottom - top - 22}"
            f"q0 20 {number(-side * 30)} 12Z",
            fill=pen.PAPER_EDGE,
        )
        for x, side in ((left + 3, -1), (right - 3, 1))
    )
    scroll = element("path", d=pen.hand_box(left, top, right, bottom, stream, 1.6), fill=pen.PAPER_LIGHT)
    line = pen.wobbled([(middle - wide / 2 - 8, 66.0), (middle + wide / 2 + 8, 64.0)], stream, 40, 1.8)
    return group(
        curls,
        scroll,
        element("path", d=pen.smooth(line), fill="none", stroke=pen.RED, stroke_width=1.8),
        _text(model.title, middle, 54, size, bold=True, anchor="middle", tracking=1.5),
        _text(
            fitted(below, 15, 2 * half - 30, italic=True),
            middle,
            86,
            15,
            italic=True,
            anchor="middle",
            fill=pen.FAINT,
        ),
        stroke=pen.INK,
        stroke_width=1.8,
        stroke_linejoin="round",
        font_family=FONT_FAMILY,
    )


def fitted(words: str, size: float, room: float, *, bold: bool = False, italic: bool = False) -> str:
    """Words that fit the room: their end is left out where they do not."""
    if text_width(words, size, bold=bold, italic=italic) <= room:
        return words
    while words and text_width(words.rstrip() + _CUT, size, bold=bold, italic=italic) > room:
        words = words[:-1]
    return words.rstrip() + _CUT


def forces(model: StoryMap, layout: StoryLayout) -> str:
    """The forces on slips of paper below the sheet, each with pips for its magnitude."""
    if not layout.cards:
        return ""
    top = layout.cards[0][1].top
    head = group(
        _text("Forces of the Story", layout.frame.left, top - 16, 24, bold=True),
        _text(
            "one mark is minor, two serious, three heroic",
            layout.frame.left + 232,
            top - 16,
            14,
            italic=True,
            fill=pen.FAINT,
        ),
    )
    cards = (_card(force, box, Stream(layout.hand, force.id)) for force, box in layout.cards)
    return group(head, *cards, id="hf-forces", font_family=FONT_FAMILY)


def _card(force: StoryForce, box: Box, stream: Stream) -> str:
    secret = force.standing is StoryStanding.SECRET
    settled = force.standing is StoryStanding.SETTLED
    room = box.width - 28
    left = box.left + 14
    kind = f"{FORCE_WORDS[force.sort]} for {force.ethic.value}, {_HANDS[force.involvement]}"
    lines = [
        _text(fitted(force.name, 18, room - 66, bold=True), left, box.top + 26, 18, bold=True),
        _text(fitted(kind, 13.5, room, italic=True), left, box.top + 45, 13.5, italic=True, fill=pen.FAINT),
    ]
    told = list(force.facts[:2])
    if secret:
        goal = ("Behind the peril: " if force.peril else "Secretly: ") + force.goal
        told = [*wrapped(goal, 14, room)[:2], "through " + ", ".join(force.agents)]
    if settled:
        told = [force.ending or "Done with.", *told[:1]]
    for row, words in enumerate(told):
        color = pen.RED if secret else pen.INK
        lines.append(_text(fitted(words, 14, room), left, box.top + 66 + 18 * row, 14, fill=color))
    tag = (
        _text("secret", box.right - 12, box.bottom - 7, 13, italic=True, anchor="end", fill=pen.RED)
        if secret
        else ""
    )
    pips = "".join(
        _pip(box.right - 18 - 19 * i, box.top + 20, i >= 3 - _PIPS[force.magnitude], force.peril)
        for i in range(3)
    )
    struck = ""
    if settled:
        wide = min(room - 66, text_width(force.name, 18, bold=True))
        line = pen.wobbled([(left - 3, box.top + 21), (left + wide + 4, box.top + 20)], stream, 24, 1.2)
        struck = element("path", d=pen.smooth(line), fill="none", stroke=pen.RED, stroke_width=2.2)
    return group(
        element("title", escaped(f"{force.name}: {force.magnitude.value}")),
        element(
            "path",
            d=pen.hand_box(*_sides(box), stream, 1.4),
            fill=pen.PAPER_LIGHT,
            stroke=pen.RED if secret else pen.INK,
            stroke_width=1.5,
            stroke_dasharray="9 6" if secret else None,
            opacity=0.55 if settled else None,
        ),
        *lines,
        tag,
        pips,
        struck,
    )


def _pip(x: float, y: float, full: bool, peril: bool) -> str:
    d = path("M", x, y - 9, "L", x + 7, y, "L", x, y + 9, "L", x - 7, y, "Z")
    fill = (pen.RED if peril else pen.STRAW) if full else pen.PAPER
    return element("path", d=d, fill=fill, stroke=pen.INK, stroke_width=1.2, stroke_linejoin="round")


def north(layout: StoryLayout) -> str:
    """A small arrow to the north, in the emptiest corner of the sheet."""
    box = layout.frame
    taken = [icon.disc.box for icon in layout.icons]
    taken += [label.box for label in (*layout.labels, *layout.terrain_labels)]
    corners = [(x, y) for y in (box.top + 48, box.bottom - 42) for x in (box.right - 38, box.left + 38)]

    def room(at: tuple[float, float]) -> float:
        ways = (spot for way in layout.ways for spot in way.curve.spots(20))
        near = min((other.distance(at) for other in taken), default=999.0)
        return min(near, min((abs(x - at[0]) + abs(y - at[1]) for x, y in ways), default=999.0))

    x, y = max(corners, key=room)
    if room((x, y)) < 34:
        return ""
    turns = [(cos(i * pi / 4), sin(i * pi / 4)) for i in range(8)]
    ring = "".join(path("M", dx * 17, dy * 17, "L", dx * 20, dy * 20) for dx, dy in turns)
    return group(
        element(
            "path",
            d=f"M0 -26L6 2L0 -2L-6 2ZM0 24L4 4L0 6L-4 4Z{ring}",
            fill=pen.INK,
            stroke=pen.INK,
            stroke_width=1.2,
        ),
        _text("N", 0, -28, 13, bold=True, anchor="middle"),
        transform=f"translate({number(x)} {number(y)})",
        stroke_linejoin="round",
        font_family=FONT_FAMILY,
    )
