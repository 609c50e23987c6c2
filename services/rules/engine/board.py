"""The board of a scene as SVG, for every game that draws none of its own: the place, and who stands there.

Where a scene has no ground, those who take part are shown in rows, a side in each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from services.rules.engine.ground.kinds import Ambient, Door, DoorState
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.map_now import GroundNow, OnGround
from services.rules.engine.play import ActorCard, AnyPlay, Pictured, SceneCard
from services.rules.engine.token_portrait import CLIP, portrait

NAMESPACE = "http://www.w3.org/2000/svg"
PAPER, INK, FLOOR, WALL, WATER, ROUGH = "#f3ecdc", "#2b2118", "#faf6ea", "#6b6258", "#9db8c9", "#e2d7bd"
LIT, TURN = "#f2c14e", "#d98a00"
SIDES = {"heroes": "#2a5ba8", "foes": "#8a2a20"}
OTHERS = ("#4f7a3a", "#7b3f8c", "#a3672a", "#3a7a78")
"""Colours of sides that have other names, in the order in which they come."""

CELL, LARGEST, LEAST = 32, 1_600, 4
"""Units along a square, the most along a board, and the fewest along a square of one that is larger."""
LETTERS, LINE, PANEL = 2, 18, 260
SHARED = 0.45
"""How large a token is on the place of another, such as a rider's on its mount, to that one's size."""
# What no XML text may hold.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


NO_PORTRAITS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Look:
    """How those who take part are drawn.

    Attributes:
        turn: The id of the actor whose turn it is.
        colours: The colour of each side.
        portraits: `data:` URIs by the ids of actors.
    """

    turn: str | None
    colours: Mapping[str, str]
    portraits: Mapping[str, str]


def picture(play: AnyPlay, state: object, portraits: Mapping[str, str] = NO_PORTRAITS) -> str:
    """A state, or a view of it, as the text of an SVG file: the game's own picture, else such a board.

    Args:
        play: The game.
        state: The state.
        portraits: See `draw`; a game's own picture has none.
    """
    if isinstance(play, Pictured):
        return play.picture(state)
    now = play.ground_now(state) if isinstance(play, OnGround) else None
    return draw(play.card(state), now, portraits)


def draw(card: SceneCard, now: GroundNow | None, portraits: Mapping[str, str] = NO_PORTRAITS) -> str:
    """A board with the cards of all who take part beside it.

    Args:
        card: Who takes part.
        now: The place; None where there is no ground.
        portraits: `data:` URIs of square pictures by the ids of actors; the other tokens have letters.
    """
    look = _Look(card.turn, colours_of(card), portraits)
    cell = CELL if now is None else _cell_of(now.ground)
    wide = 0 if now is None else now.ground.width * cell
    tall = 0 if now is None else now.ground.height * cell
    height = max(tall, LINE * (3 + 2 * len(card.actors)))
    root = Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "width": str(wide + PANEL),
            "height": str(height),
            "viewBox": f"0 0 {wide + PANEL} {height}",
            "role": "img",
            "font-family": "Georgia, serif",
        },
    )
    SubElement(root, "title").text = clean(card.title)
    SubElement(root, "desc").text = clean(_described(card))
    _box(root, 0, 0, wide + PANEL, height, PAPER)
    if portraits:
        root.append(fromstring(CLIP))
    if now is not None:
        _place(root, now, cell)
        _standing(root, card, cell, look)
    _panel(root, card, wide + 8, look)
    return tostring(root, encoding="unicode")


def colours_of(card: SceneCard) -> dict[str, str]:
    """The colour of each side."""
    sides = dict.fromkeys(actor.side for actor in card.actors)
    others = iter(OTHERS * (1 + len(sides) // len(OTHERS)))
    return {side: SIDES.get(side) or next(others) for side in sides}


def letters_of(name: str, most: int = LETTERS) -> str:
    """The letters on a token: those that the words of a name begin with, and the number it ends with."""
    words = clean(name).split()
    number = words[-1] if len(words) > 1 and words[-1].isdigit() else ""
    found = "".join(word[0].upper() for word in words if not word.isdigit())
    return (found[: max(1, most - len(number))] + number)[: most + 1] or "?"


def clean(words: str) -> str:
    """Words without signs that a picture cannot hold."""
    return _FORBIDDEN.sub("", words)


def _described(card: SceneCard) -> str:
    whose = next((actor.name for actor in card.actors if actor.id == card.turn), None)
    turn = "" if whose is None else f" It is the turn of {whose}."
    return f"Round {card.round}, {len(card.actors)} take part.{turn}"


def _cell_of(ground: Ground) -> int:
    return max(LEAST, min(CELL, LARGEST // max(ground.width, ground.height)))


# The place


def _place(root: Element, now: GroundNow, cell: int) -> None:
    ground = now.ground
    group = SubElement(root, "g", {"id": "place"})
    _box(group, 0, 0, ground.width * cell, ground.height * cell, FLOOR)
    for y in range(ground.height):
        row = ground.cells[y * ground.width : (y + 1) * ground.width]
        for x, count, fill in _runs(ground, row):
            _box(group, x * cell, y * cell, count * cell, cell, fill)
    _grid(group, ground, cell)
    if ground.ambient is not Ambient.BRIGHT:
        dark = 0.45 if ground.ambient is Ambient.DARK else 0.2
        _box(group, 0, 0, ground.width * cell, ground.height * cell, "#1b2233", opacity=dark)
    for lamp in (*ground.lamps, *now.lights):
        _circle(group, (lamp.at.x + 0.5) * cell, (lamp.at.y + 0.5) * cell, lamp.dim * cell, LIT, opacity=0.18)
    for signs, down in ((ground.east, False), (ground.south, True)):
        _edges(group, ground, signs, cell, down=down)
    for door in ground.doors:
        _door(group, door, cell)


def _runs(ground: Ground, row: str) -> Iterator[tuple[int, int, str]]:
    """Where cells of one look begin in a row, how many they are, and what fills them; floor is left out."""
    looks = {kind.sign: _fill(kind.cost, opaque=kind.opaque) for kind in ground.terrains}
    x = 0
    for fill, cells in groupby(row, key=looks.__getitem__):
        count = len(list(cells))
        if fill != FLOOR:
            yield x, count, fill
        x += count


def _fill(cost: int, *, opaque: bool) -> str:
    if not cost:
        return WALL if opaque else WATER
    return FLOOR if cost == 1 and not opaque else ROUGH


def _grid(group: Element, ground: Ground, cell: int) -> None:
    wide, tall = ground.width * cell, ground.height * cell
    lines = [f"M{x * cell} 0V{tall}" for x in range(ground.width + 1)]
    lines += [f"M0 {y * cell}H{wide}" for y in range(ground.height + 1)]
    _path(group, "".join(lines), "#00000022", 1)


def _edges(group: Element, ground: Ground, signs: str, cell: int, *, down: bool) -> None:
    walls = {kind.sign: kind.opaque for kind in ground.barriers if kind.flags}
    for opaque in (True, False):
        lines = []
        for at, sign in enumerate(signs):
            if walls.get(sign) is opaque:
                x, y = at % ground.width, at // ground.width
                lines.append(
                    f"M{x * cell} {(y + 1) * cell}h{cell}" if down else f"M{(x + 1) * cell} {y * cell}v{cell}"
                )
        if lines:
            _path(group, "".join(lines), WALL, 3 if opaque else 1.5)


def _door(group: Element, door: Door, cell: int) -> None:
    fill = {DoorState.OPEN: "none", DoorState.CLOSED: "#a3672a", DoorState.LOCKED: "#5a3312"}[door.state]
    for square in door.squares:
        inset = cell * 0.2
        side = cell - 2 * inset
        found = _box(group, square.x * cell + inset, square.y * cell + inset, side, side, fill)
        found.set("stroke", "#5a3312")
    for one, other in door.edges:
        down = one.x == other.x
        x, y = other.x * cell, other.y * cell
        line = f"M{x} {y}h{cell}" if down else f"M{x} {y}v{cell}"
        _path(group, line, "#5a3312" if fill == "none" else fill, 1.5 if fill == "none" else 5)


# Those who take part


def _standing(root: Element, card: SceneCard, cell: int, look: _Look) -> None:
    group = SubElement(root, "g", {"id": "tokens"})
    # The small ones stand above the large ones.
    standing = sorted((one for one in card.actors if one.at is not None), key=lambda one: -one.size)
    over: Counter[Square | None] = Counter()
    for actor in standing:
        if actor.at is None:
            continue
        middle, before = actor.size / 2, over[actor.at]
        x, y, radius = (actor.at.x + middle) * cell, (actor.at.y + middle) * cell, middle * cell
        if before:
            # Who shares a place with another stands smaller in a row along its upper edge.
            radius *= SHARED
            x, y = actor.at.x * cell + radius * (2 * before - 1), actor.at.y * cell + radius
        _token(group, actor, x, y, radius, look)
        over[actor.at] += 1


def _token(parent: Element, actor: ActorCard, x: float, y: float, radius: float, look: _Look) -> None:
    group = SubElement(parent, "g", {"class": "token"})
    words = "; ".join((actor.name, *actor.conditions))
    SubElement(group, "title").text = clean(words)
    if actor.id == look.turn:
        _circle(group, x, y, radius * 0.98, TURN)
    circle = _circle(group, x, y, radius * 0.82, look.colours[actor.side])
    circle.set("stroke", INK)
    address = look.portraits.get(actor.id)
    if address is not None:
        group.append(fromstring(portrait(address, x, y, radius)))
        return
    _text(group, x, y + radius * 0.3, letters_of(actor.name), radius * 0.85, "#ffffff", anchor="middle")


def _panel(root: Element, card: SceneCard, x: float, look: _Look) -> None:
    group = SubElement(root, "g", {"id": "panel"})
    _text(group, x, LINE, f"{card.title[:28]}, round {card.round}", 14, INK)
    y = LINE * 2.5
    sides = list(look.colours)
    for actor in sorted(card.actors, key=lambda one: sides.index(one.side)):
        _token(group, actor, x + 10, y, 10, look)
        _text(group, x + 26, y, actor.name[:30], 13, INK)
        tracks = [f"{track.name} {track.current}/{track.maximum}" for track in actor.tracks]
        _text(group, x + 26, y + 13, "  ".join((*tracks, *actor.conditions))[:44], 10, "#5d5142")
        y += LINE * 2


def _box(
    parent: Element, x: float, y: float, width: float, height: float, fill: str, *, opacity: float = 1
) -> Element:
    shape = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}", "fill": fill}
    return SubElement(parent, "rect", shape if opacity == 1 else {**shape, "opacity": f"{opacity:g}"})


def _circle(parent: Element, x: float, y: float, radius: float, fill: str, *, opacity: float = 1) -> Element:
    shape = {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{radius:g}", "fill": fill}
    return SubElement(parent, "circle", shape if opacity == 1 else {**shape, "opacity": f"{opacity:g}"})


def _path(parent: Element, line: str, stroke: str, width: float) -> None:
    SubElement(parent, "path", {"d": line, "stroke": stroke, "stroke-width": f"{width:g}", "fill": "none"})


def _text(
    parent: Element, x: float, y: float, words: str, size: float, fill: str, *, anchor: str = "start"
) -> None:
    place = {"x": f"{x:g}", "y": f"{y:g}", "font-size": f"{size:g}", "fill": fill, "text-anchor": anchor}
    SubElement(parent, "text", place).text = clean(words)
