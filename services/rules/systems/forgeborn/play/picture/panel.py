"""The side of the picture: whose turn it is, points, tokens, dice and Artifacts, and the Vault."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from services.rules.systems.forgeborn.play.picture.svg import FADED, INK, PAPER, cut, element, text_of
from services.rules.systems.forgeborn.play.ranks import in_points
from services.rules.systems.forgeborn.play.state import VAULT, Artifact, Game, Phase, Smith
from services.rules.systems.forgeborn.realm import LAIR_ID

WIDTH = 330
LINE = 18
LONGEST = 46
"""Letters of a line."""

MOST_VAULT = 8
"""Artifacts of the Vault that are listed one by one."""


def height_of(game: Game) -> float:
    """How tall the side has to be for everything on it."""
    players = sum(_tall(len(list(_lines(game, smith)))) + 6 for smith in game.smiths)
    return 68 + players + 40 + (LINE - 2) * (min(len(game.held_by(VAULT)), MOST_VAULT) + 2) + 16


def _tall(lines: int) -> float:
    return 34 + (LINE - 2) * lines + 8


def panel(parent: Element, game: Game, height: float) -> None:
    """Everything beside the sheet."""
    element(parent, "rect", width=WIDTH, height=height, rx=6, fill=PAPER, stroke="#b9a77f", stroke_width=2)
    y = 30.0
    text_of(parent, cut(game.title, 30), 16, y, size=18, fill=INK, font_weight="bold")
    y += 22
    text_of(parent, _state(game), 16, y, size=13, fill=FADED, font_style="italic")
    y += 16
    for smith in game.smiths:
        y = _smith(parent, game, smith, y)
    y += 8
    text_of(parent, "The Vault", 16, y + 14, size=15, fill=INK, font_weight="bold")
    y += 32
    there = game.held_by(VAULT)
    lines = [_artifact(one) for one in there[-MOST_VAULT:]] or ["It is empty."]
    if len(there) > MOST_VAULT:
        lines.append(f"and {len(there) - MOST_VAULT} more")
    for line in lines:
        text_of(parent, cut(line, LONGEST), 16, y, size=12, fill=INK)
        y += LINE - 2


def _state(game: Game) -> str:
    if game.phase is Phase.OVER:
        first = [game.smith(rank.smith).name for rank in game.ranking if rank.rank == 1]
        return cut(f"Over: {' and '.join(first)} {'wins' if len(first) == 1 else 'win'}", LONGEST)
    if game.phase is Phase.MAP:
        return "The realm is still to be made."
    dragon = game.ground.spot(LAIR_ID).power
    beast = "the Dragon is dead" if game.slayer else f"Dragon {dragon}"
    return f"Round {game.turn.round}, {beast}"


def _smith(parent: Element, game: Game, smith: Smith, y: float) -> float:
    lines = [cut(line, LONGEST) for line in _lines(game, smith)]
    tall = _tall(len(lines))
    on_turn = game.phase not in (Phase.MAP, Phase.OVER) and game.turn.smith == smith.id
    element(
        parent,
        "rect",
        x=8,
        y=y,
        width=WIDTH - 16,
        height=tall,
        rx=5,
        fill="#fffdf4" if on_turn else "none",
        stroke=smith.color if on_turn else "#dccfae",
        stroke_width=2 if on_turn else 1,
    )
    element(parent, "circle", cx=26, cy=y + 19, r=9, fill=smith.color)
    text_of(parent, cut(smith.name, 22), 44, y + 24, size=15, fill=INK, font_weight="bold")
    points = in_points(smith.points)
    text_of(parent, points, WIDTH - 20, y + 24, size=14, fill=INK, text_anchor="end", font_weight="bold")
    for order, line in enumerate(lines):
        text_of(parent, line, 44, y + 42 + order * (LINE - 2), size=12, fill=INK)
    return y + tall + 6


def _lines(game: Game, smith: Smith) -> Iterator[str]:
    yield smith.dice.text()
    tokens = [
        f"{count} {name}" for count, name in ((smith.resource, "Resource"), (smith.secret, "Secret")) if count
    ]
    if tokens:
        yield f"Tokens: {', '.join(tokens)}"
    if smith.swayed_on is not None:
        yield "The Prince is on her side"
    for artifact in game.held_by(smith.id):
        yield _artifact(artifact)
    for heroine in game.of(smith.id):
        yield f"{heroine.name}: {heroine.dice.text()}"
        for artifact in game.held_by(heroine.id):
            yield f"  {_artifact(artifact)}"


def _artifact(artifact: Artifact) -> str:
    return f"{cut(artifact.name, 26)} ({artifact.dice.text()})"
