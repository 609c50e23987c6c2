"""The loops over pixels of flat pictures, compiled."""

from __future__ import annotations

from numba import njit

CLEAR = 255
"""In a stamp: what is below shows."""

SHADOWED = 254
"""In a stamp: what is below lies in shadow."""


@njit(cache=True)
def lay(image, tiles, bank, px):  # type: ignore[no-untyped-def]
    """Lays a tile on every cell.

    Args:
        image: uint8 (rows * px, columns * px), written.
        tiles: int16 (rows, columns), a tile each.
        bank: uint8 (tiles, px, px).
        px: Pixels a cell.
    """
    rows, columns = tiles.shape
    for row in range(rows):
        for y in range(px):
            line = image[row * px + y]
            for column in range(columns):
                line[column * px : column * px + px] = bank[tiles[row, column], y]


@njit(cache=True)
def soften(image, codes, tiles, bank, px, firm, rims, drift):  # type: ignore[no-untyped-def]
    """Lets soft grounds meet in wavering lines instead of along the edges of cells.

    Args:
        image: uint8 (rows * px, columns * px), written.
        codes: uint8 (rows, columns), the ground of each cell.
        tiles: int16 (rows, columns), its tile.
        bank: uint8 (tiles, px, px).
        px: Pixels a cell.
        firm: uint8 by code: 0 soft, 1 firm but a soft one may run into it, 2 keeps its edges.
        rims: uint8 (codes, codes): the ink of the first ground's rim where it meets the second; 255 for none.
        drift: int16 (2, n, n), how far to look across and down for each pixel, less than a cell; it repeats
            every n pixels, n being some cells.
    """
    rows, columns = codes.shape
    period = drift.shape[1]
    step = max(1, px // 15)
    for row in range(rows):
        for column in range(columns):
            own = codes[row, column]
            if firm[own] == 2:
                continue
            mixed = False
            # Two cells away, for a border may waver into the next cell from beyond it.
            for y in range(max(0, row - 2), min(rows, row + 3)):
                for x in range(max(0, column - 2), min(columns, column + 3)):
                    other = codes[y, x]
                    if other != own and firm[other] < 2 and firm[other] + firm[own] < 2:
                        mixed = True
            if not mixed:
                continue
            # The drift repeats every few cells and is shorter than a cell: no division is needed.
            from_x, from_y = (column * px) % period, (row * px) % period
            for v in range(px):
                for u in range(px):
                    across = u + drift[0, from_y + v, from_x + u]
                    down = v + drift[1, from_y + v, from_x + u]
                    c, r = column, row
                    if across < 0 and column > 0:
                        c, across = column - 1, across + px
                    elif across >= px and column < columns - 1:
                        c, across = column + 1, across - px
                    if down < 0 and row > 0:
                        r, down = row - 1, down + px
                    elif down >= px and row < rows - 1:
                        r, down = row + 1, down - px
                    there = codes[r, c]
                    if firm[there] == 2 or firm[there] + firm[own] > 1:
                        r, c, there = row, column, own
                        across = min(max(u + drift[0, from_y + v, from_x + u], 0), px - 1)
                        down = min(max(v + drift[1, from_y + v, from_x + u], 0), px - 1)
                    # A corner that another ground holds on both sides is rounded off, by half a cell.
                    x, y = 2 * across + 1 - px, 2 * down + 1 - px
                    beside = min(max(c + (1 if x > 0 else -1), 0), columns - 1)
                    above = min(max(r + (1 if y > 0 else -1), 0), rows - 1)
                    other = codes[r, beside]
                    meets = other == codes[above, c] and other != there and firm[other] + firm[there] < 2
                    # Where two grounds cross like a chessboard, the higher code holds together.
                    if meets and (there < other or codes[above, beside] != there):
                        reach = (x * x + y * y) ** 0.5 - px
                        tile, edge = tiles[r, c], rims[there, other]
                        if reach > 0:
                            tile, edge = tiles[r, beside], rims[other, there]
                        ink = bank[tile, v, u]
                        if edge != CLEAR and abs(reach) < 2 * step:
                            ink = edge
                    else:
                        ink = bank[tiles[r, c], v, u]
                        near_x = -1 if across < step else 1 if across >= px - step else 0
                        near_y = -1 if down < step else 1 if down >= px - step else 0
                        if near_x != 0 or near_y != 0:
                            c = min(max(c + near_x, 0), columns - 1)
                            r = min(max(r + near_y, 0), rows - 1)
                            beyond = codes[r, c]
                            if rims[there, beyond] != CLEAR and firm[beyond] + firm[there] < 2:
                                ink = rims[there, beyond]
                    image[row * px + v, column * px + u] = ink


@njit(cache=True)
def rim(image, solid, px, band, shadow, ink, shade):  # type: ignore[no-untyped-def]
    """Outlines the solid cells where they meet open ones, and shades the floor south and east of them.

    Args:
        image: uint8 (rows * px, columns * px), written.
        solid: uint8 (rows, columns).
        px: Pixels a cell.
        band: How thick the outline is, in pixels inside the solid cell.
        shadow: How long the shadow is, in pixels.
        ink: The outline's.
        shade: Added to what lies in shadow.
    """
    rows, columns = solid.shape
    for row in range(rows):
        for column in range(columns):
            x, y = column * px, row * px
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    r, c = row + dy, column + dx
                    if (dx == 0 and dy == 0) or r < 0 or c < 0 or r >= rows or c >= columns:
                        continue
                    if solid[row, column] and not solid[r, c]:
                        left = x + (px - band if dx == 1 else 0)
                        right = x + (band if dx == -1 else px)
                        top = y + (px - band if dy == 1 else 0)
                        bottom = y + (band if dy == -1 else px)
                        image[top:bottom, left:right] = ink
                    if not solid[row, column] and solid[r, c] and dx < 1 and dy < 1:
                        right = x + (shadow if dx == -1 else px)
                        bottom = y + (shadow if dy == -1 else px)
                        for v in range(y, bottom):
                            for u in range(x, right):
                                image[v, u] |= shade


@njit(cache=True)
def press(image, bank, which, lefts, tops, shade):  # type: ignore[no-untyped-def]
    """Presses stamps onto the picture, in order; what lies outside is cut off.

    Args:
        image: uint8 (height, width), written.
        bank: uint8 (stamps, side, side); `CLEAR` and `SHADOWED` are no inks.
        which: int16, the stamp each time.
        lefts: int32, its left edge in pixels.
        tops: int32, its top edge.
        shade: Added to what a stamp shadows.
    """
    height, width = image.shape
    side = bank.shape[1]
    for k in range(which.shape[0]):
        stamp = bank[which[k]]
        for y in range(max(0, -tops[k]), min(side, height - tops[k])):
            for x in range(max(0, -lefts[k]), min(side, width - lefts[k])):
                ink = stamp[y, x]
                if ink == SHADOWED:
                    image[tops[k] + y, lefts[k] + x] |= shade
                elif ink != CLEAR:
                    image[tops[k] + y, lefts[k] + x] = ink


@njit(cache=True)
def stroke(image, ends, half, ink):  # type: ignore[no-untyped-def]
    """Draws straight lines with square ends.

    Args:
        image: uint8 (height, width), written.
        ends: float64 (lines, 4): x and y of both ends, in pixels.
        half: Half the width of a line, in pixels.
        ink: Its ink.
    """
    height, width = image.shape
    for k in range(ends.shape[0]):
        x0, y0, x1, y1 = ends[k]
        dx, dy = x1 - x0, y1 - y0
        long = (dx * dx + dy * dy) ** 0.5
        if long > 0:
            dx, dy = dx / long, dy / long
        else:
            dx, dy = 1.0, 0.0
        for y in range(max(0, int(min(y0, y1) - half - 1)), min(height, int(max(y0, y1) + half + 2))):
            for x in range(max(0, int(min(x0, x1) - half - 1)), min(width, int(max(x0, x1) + half + 2))):
                u, v = x + 0.5 - x0, y + 0.5 - y0
                along = u * dx + v * dy
                if -half <= along < long + half and -half <= v * dx - u * dy < half:
                    image[y, x] = ink


@njit(cache=True)
def filtered_up(rows, first, count, raw):  # type: ignore[no-untyped-def]
    """Writes rows as their differences from the row above, as PNG's filter 2 does.

    Args:
        rows: uint8 (height, width).
        first: The first row wanted.
        count: How many.
        raw: uint8 (count or more, width + 1), written: the number of the filter, then the row.
    """
    width = rows.shape[1]
    for n in range(count):
        y = first + n
        raw[n, 0] = 2
        for x in range(width):
            raw[n, x + 1] = rows[y, x] - rows[y - 1, x] if y > 0 else rows[y, x]
