"""Cells as rings: the outlines of a set of cells, with holes, as polygons want them.

Rings run along grid lines; a corner where two cells only touch parts them, so no ring crosses itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from scipy.ndimage import label

from services.map.generation.grid.cells import Mask

Node = tuple[int, int]
Ring = tuple[Node, ...]
"""Corners in order, the first not repeated; the cells are on the right hand of who walks along it, y down."""


def rings(mask: Mask) -> tuple[Ring, ...]:
    """The outlines of cells, from the top down: clockwise on the map, around holes the other way."""
    ends = _edges(mask)
    found: list[Ring] = []
    for start in sorted(ends, key=lambda node: (node[1], node[0])):
        while ends.get(start):
            found.extend(_walk(ends, start))
    return tuple(found)


def area(ring: Ring) -> float:
    """Cells within a ring: positive around cells, negative around a hole."""
    nexts = (*ring[1:], ring[0])
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, nexts, strict=True)) / 2


def polygons(mask: Mask) -> tuple[tuple[Ring, ...], ...]:
    """The shapes that cells make: each its outer ring, then its holes."""
    pieces, count = label(mask)
    shapes: list[list[Ring]] = [[] for _ in range(count)]
    holes: list[tuple[int, Ring]] = []
    for ring in rings(mask):
        # Below the topmost left corner of a shape is a cell of its own; above a hole's, one around the hole.
        x, y = min(ring, key=lambda node: (node[1], node[0]))
        if area(ring) > 0:
            shapes[pieces[y, x] - 1].append(ring)
        else:
            holes.append((pieces[y - 1, x] - 1, ring))
    for piece, hole in holes:
        shapes[piece].append(hole)
    return tuple(map(tuple, shapes))


def _edges(mask: Mask) -> dict[Node, list[Node]]:
    """Every unit edge around the cells, from its start to its end, the cells to its right."""
    padded = np.pad(mask, 1)
    ends: dict[Node, list[Node]] = defaultdict(list)

    inner = padded[1:-1, 1:-1]
    sides = (
        (padded[:-2, 1:-1], (0, 0), (1, 0)),
        (padded[1:-1, 2:], (1, 0), (1, 1)),
        (padded[2:, 1:-1], (1, 1), (0, 1)),
        (padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    for beyond, start, end in sides:
        rows, columns = np.nonzero(inner & ~beyond)
        for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
            ends[(x + start[0], y + start[1])].append((x + end[0], y + end[1]))
    return ends


def _walk(ends: dict[Node, list[Node]], start: Node) -> Iterator[Ring]:
    """The rings of one way around; it takes its edges out of those left."""
    nodes = [start]
    here, to = start, ends[start].pop()
    while to != start:
        heading = (to[0] - here[0], to[1] - here[1])
        nodes.append(to)
        here, to = to, _turn(ends[to], to, heading)
        ends[here].remove(to)
    if len(set(nodes)) == len(nodes):
        yield _corners(nodes)
        return
    # The way comes back to a corner where cells only touch: parted there, no ring meets itself.
    way: list[Node] = []
    place: dict[Node, int] = {}
    for node in nodes:
        if node in place:
            loop = way[place[node] :]
            del way[place[node] :]
            for passed in loop:
                del place[passed]
            yield _corners(loop)
        place[node] = len(way)
        way.append(node)
    yield _corners(way)


def _corners(nodes: list[Node]) -> Ring:
    """The nodes at which a ring of unit steps turns."""
    befores, nexts = (nodes[-1], *nodes[:-1]), (*nodes[1:], nodes[0])
    return tuple(
        node
        for before, node, after in zip(befores, nodes, nexts, strict=True)
        if before[0] != after[0] and before[1] != after[1]
    )


def _turn(ends: list[Node], here: Node, heading: Node) -> Node:
    if len(ends) == 1:
        return ends[0]
    # Two cells touch at this corner alone: to turn right is to stay with the same one.
    right = (here[0] - heading[1], here[1] + heading[0])
    return right if right in ends else ends[0]
