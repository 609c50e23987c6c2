"""The realm with its pieces as SVG: a sheet of paper on the left, the players' affairs on the right.

Read in this order: `drawing` (elements and colours), `land` (range, forests, ways, compass rose), `marks`
(places and their names, pieces beside them), `panel` (points, dice, tokens, the Vault).
"""

from __future__ import annotations

from xml.etree.ElementTree import tostring

from services.rules.systems.forgeborn.play.ground import drawn
from services.rules.systems.forgeborn.play.picture.land import compass, forests, mountains, ways
from services.rules.systems.forgeborn.play.picture.marks import pieces, places
from services.rules.systems.forgeborn.play.picture.panel import WIDTH, height_of, panel
from services.rules.systems.forgeborn.play.picture.svg import FONT, INK, PAPER, SCALE, element, text_of
from services.rules.systems.forgeborn.play.ranks import ending_text, in_points
from services.rules.systems.forgeborn.play.state import Game

__all__ = ["picture"]

BORDER = 24
"""Free space around sheet and panel."""

TITLE = 34
"""Height of the line above the sheet."""


def picture(game: Game) -> str:
    """A game as the text of an SVG file: no script, nothing from elsewhere."""
    width, height = round(game.ground.width / SCALE), round(game.ground.height / SCALE)
    tall = max(height + TITLE, round(height_of(game)))
    whole = (width + WIDTH + 3 * BORDER, tall + 2 * BORDER)
    svg = element(
        None,
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {whole[0]} {whole[1]}",
        width=whole[0],
        height=whole[1],
        font_family=FONT,
        role="img",
    )
    element(svg, "title").text = f"{game.title}: {game.ground.title}"
    element(svg, "desc").text = _description(game)
    element(svg, "rect", width=whole[0], height=whole[1], fill="#e9e2d0")
    text_of(svg, game.ground.title, BORDER, BORDER + 16, size=24, fill=INK, font_weight="bold")
    sheet = element(svg, "g", transform=f"translate({BORDER} {BORDER + TITLE})")
    element(sheet, "rect", width=width, height=height, rx=4, fill=PAPER, stroke="#b9a77f", stroke_width=2)
    if not game.ground.spots:
        text_of(
            sheet,
            "The dice have not fallen yet.",
            width / 2,
            height / 2,
            size=22,
            fill="#8a7a58",
            text_anchor="middle",
            font_style="italic",
        )
    else:
        realm = drawn(game.ground)
        forests(sheet, realm)
        mountains(sheet, realm)
        ways(sheet, game)
        compass(sheet, game)
        taken = places(sheet, game)
        pieces(sheet, game, taken)
    side = element(svg, "g", transform=f"translate({width + 2 * BORDER} {BORDER})")
    panel(side, game, whole[1] - 2 * BORDER)
    return tostring(svg, encoding="unicode")


def _description(game: Game) -> str:
    """What is to be seen, for those who do not see it."""
    if not game.ground.spots:
        return "A blank sheet on which the dice of the realm are to fall."
    lines = [
        f"{smith.name} is at {game.ground.spot(smith.place).name} with {in_points(smith.points)}."
        for smith in game.smiths
    ]
    lines += [
        f"{heroine.name}, Heroine of {game.smith(heroine.smith).name}, is at "
        f"{game.ground.spot(heroine.place).name}."
        for heroine in game.heroines
    ]
    return " ".join((*lines, _standing(game)))


def _standing(game: Game) -> str:
    if game.ending is None:
        return f"It is {game.smith(game.turn.smith).name}'s turn."
    return ending_text(game, game.ending, game.reason, game.ranking)
