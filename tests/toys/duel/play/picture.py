"""A picture of a duel: a column for each side, a bar of nerve for each duellist who can be seen."""

from xml.sax.saxutils import escape

from .state import RIVALS, DuelState

ROW, COLUMN = 30, 200


def picture(state: DuelState) -> str:
    """The duel as SVG."""
    sides: dict[str, int] = {}
    bars = []
    for one in state.duellists:
        row = sides[one.side] = sides.get(one.side, 0) + 1
        x, y = COLUMN * (one.side == RIVALS) + 10, ROW * row
        bars.append(
            f'<text x="{x}" y="{y}">{escape(one.name)}</text>'
            f'<rect x="{x}" y="{y + 4}" width="{20 * one.nerve}" height="8" fill="#733"/>'
        )
    height = ROW * (max(sides.values(), default=0) + 1)
    standing = sum(1 for one in state.duellists if one.nerve)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * COLUMN} {height}" role="img">'
        f"<title>{escape(state.title)}</title><desc>Round {state.round}, {standing} with nerve left.</desc>"
        f"{''.join(bars)}</svg>"
    )
