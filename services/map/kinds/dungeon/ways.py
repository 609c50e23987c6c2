"""Which rooms are joined: a tree of short ways, loops, hidden rooms and ways; where it begins and ends.

The graph of plain ways (those without a secret door) joins every room but the hidden ones, holds every loop
that was asked for, and keeps some rooms with a single way in: those are the places for treasure and secrets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from services.map.kinds.dungeon.chance import Ints, State, below, kernel, shuffle

UNUSED, TREE, LOOP, HIDDEN_ROOM, HIDDEN_WAY = 0, 1, 2, 3, 4
"""What a pair of neighbouring rooms is: not joined, joined, or joined by secret doors."""

_LEAF_SHARE = 150
_LOOPED_FROM = 8
_GUARANTEED_LOOP = 1
_FEW_LOOPS = 0.2
_STRUNG = 400
_STRUNG_WITHOUT_LOOPS = 800
_HIDDEN_WAYS_PER_MILLE = 120


@kernel
def _join(head: Ints, follow: Ints, end: Ints, edge: Any, a: int, b: int) -> None:
    """Adds both directions of an edge to the linked lists of the graph."""
    end[2 * edge] = b
    follow[2 * edge] = head[a]
    head[a] = 2 * edge
    end[2 * edge + 1] = a
    follow[2 * edge + 1] = head[b]
    head[b] = 2 * edge + 1


@kernel
def hops(head: Ints, follow: Ints, end: Ints, first: int, limit: int, far: Ints, queue: Ints) -> int:
    """Breadth-first search over the graph of rooms.

    Args:
        head: First link of each room, or -1.
        follow: The link after each link.
        end: The room each link leads to.
        first: Where to start.
        limit: How many hops to go at most.
        far: Is filled with the hops to each room, -1 where the search did not come.
        queue: Is filled with the rooms in the order they were found.

    Returns:
        How many rooms were found.
    """
    far[:] = -1
    far[first] = 0
    queue[0] = first
    found = 1
    done = 0
    while done < found:
        room = queue[done]
        done += 1
        if far[room] >= limit:
            break
        link = head[room]
        while link >= 0:
            other = end[link]
            if far[other] < 0:
                far[other] = far[room] + 1
                queue[found] = other
                found += 1
            link = follow[link]
    return found


@kernel
def choose_ways(pairs: Ints, count: int, loops: float, secrets: float, state: State) -> tuple[Ints, Ints]:
    """Chooses which pairs of neighbouring rooms are joined, and how.

    Args:
        pairs: Rows of room, room, cell, cell, cost, as `lattice.borders` finds them.
        count: How many rooms there are.
        loops: Loops wanted for each room, 0 to 1.
        secrets: Share of the rooms with a single way in that are hidden, 0 to 1.
        state: Of the random stream.

    Returns:
        What each pair is (`TREE`, `LOOP`, ...), and for each room whether it is hidden.
    """
    total = pairs.shape[0]
    use = np.zeros(total, np.int32)
    hidden = np.zeros(count, np.int32)
    degree = np.zeros(count, np.int32)
    parent = np.arange(count).astype(np.int32)
    head = np.full(count, -1, np.int32)
    follow = np.full(2 * total, -1, np.int32)
    end = np.zeros(2 * total, np.int32)
    far = np.empty(count, np.int32)
    queue = np.empty(count, np.int32)
    joined = 0
    cost = 0
    by_cost = np.argsort(pairs[:, 4])
    # Some short ways string rooms together first: a plain shortest tree has too many ends.
    strung = _STRUNG_WITHOUT_LOOPS if loops < _FEW_LOOPS else _STRUNG
    limit = 2 * pairs[by_cost[total // 2], 4]
    for turn in range(2 * total):
        edge = by_cost[turn % total]
        a = pairs[edge, 0]
        b = pairs[edge, 1]
        if turn < total and (
            degree[a] > 1 or degree[b] > 1 or pairs[edge, 4] > limit or below(state, 1000) >= strung
        ):
            continue
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a == b:
            continue
        parent[a] = b
        use[edge] = TREE
        joined += 1
        cost += pairs[edge, 4]
        degree[pairs[edge, 0]] += 1
        degree[pairs[edge, 1]] += 1
        _join(head, follow, end, edge, pairs[edge, 0], pairs[edge, 1])
    # Some rooms with one way in stay so: no loop is led to them.
    leaves = np.nonzero(degree == 1)[0].astype(np.int32)
    shuffle(state, leaves)
    kept = np.zeros(count, np.int32)
    keep = min(leaves.shape[0], max(1, count * _LEAF_SHARE // 1000))
    conceal = min(int(secrets * keep + below(state, 1000) / 1000.0), count - 4)
    for index in range(keep):
        kept[leaves[index]] = 1
        if index < conceal:
            hidden[leaves[index]] = 1
    order = np.arange(total).astype(np.int32)
    shuffle(state, order)
    wanted = int(loops * count + 0.5)
    if count >= _LOOPED_FROM:
        wanted = max(wanted, _GUARANTEED_LOOP)
    longest = 2 * cost // max(joined, 1)
    # First the rooms that would be dead ends, then wide loops, then narrower ones, at last whatever there is.
    for least in (3, 5, 3, 2):
        leaves_only = least == 3 and wanted > 0 and use.max() <= TREE
        for edge in order:
            if wanted == 0:
                break
            a = pairs[edge, 0]
            b = pairs[edge, 1]
            if use[edge] != UNUSED or kept[a] + kept[b] > 0:
                continue
            if least > 2 and pairs[edge, 4] > longest:
                continue
            if leaves_only and degree[a] > 1 and degree[b] > 1:
                continue
            hops(head, follow, end, a, least - 1, far, queue)
            if far[b] >= 0:
                continue
            use[edge] = LOOP
            wanted -= 1
            degree[a] += 1
            degree[b] += 1
            _join(head, follow, end, edge, a, b)
    spare = int(secrets * count * _HIDDEN_WAYS_PER_MILLE / 1000.0 + below(state, 1000) / 1000.0)
    for edge in order:
        a = pairs[edge, 0]
        b = pairs[edge, 1]
        if use[edge] == TREE and hidden[a] + hidden[b] > 0:
            use[edge] = HIDDEN_ROOM
        if use[edge] != UNUSED or spare == 0 or kept[a] + kept[b] > 0 or pairs[edge, 4] > longest:
            continue
        hops(head, follow, end, a, 3, far, queue)
        if far[b] < 0:
            use[edge] = HIDDEN_WAY
            spare -= 1
    return use, hidden


@kernel
def _cores(head: Ints, follow: Ints, end: Ints, count: int, root: int) -> Ints:
    """Which rooms stay joined whatever single way is closed: equal numbers, equal core (Tarjan 1974)."""
    found = np.zeros(count, np.int32)
    low = np.zeros(count, np.int32)
    core = np.full(count, -1, np.int32)
    path = np.empty(count, np.int32)
    through = np.full(count, -1, np.int32)
    link = head.copy()
    waiting = np.empty(count, np.int32)
    depth = 0
    held = 1
    clock = 1
    path[0] = root
    waiting[0] = root
    found[root] = low[root] = clock
    while depth >= 0:
        room = path[depth]
        step = link[room]
        if step < 0:
            if low[room] == found[room]:
                while True:
                    held -= 1
                    core[waiting[held]] = room
                    if waiting[held] == room:
                        break
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[room])
            continue
        link[room] = follow[step]
        if through[room] >= 0 and step == through[room] ^ 1:
            continue
        other = end[step]
        if found[other] == 0:
            clock += 1
            found[other] = low[other] = clock
            through[other] = step
            depth += 1
            path[depth] = other
            waiting[held] = other
            held += 1
        else:
            low[room] = min(low[room], found[other])
    return core


@kernel
def _to_edge(box: Ints, columns: int, rows: int) -> int:
    """Lattice cells between a room and the nearest edge of the map."""
    return int(min(box[0], columns - box[0] - box[2], box[1], rows - box[1] - box[3]))


@kernel
def choose_ends(
    pairs: Ints, use: Ints, hidden: Ints, boxes: Ints, columns: int, rows: int, state: State
) -> tuple[int, int, Ints, Ints]:
    """Chooses where the dungeon begins and what it is all about, far apart and, as a rule, on a loop.

    Args:
        pairs: As `lattice.borders` finds them.
        use: As `choose_ways` chose them.
        hidden: As `choose_ways` chose them.
        boxes: The rooms.
        columns: Of the lattice.
        rows: Of the lattice.
        state: Of the random stream.

    Returns:
        The rooms of the entrance and of the goal; the hops of each room from the entrance over plain ways, -1
        for hidden rooms; and for each room how many ways it has, the hidden ones too.
    """
    count = boxes.shape[0]
    head = np.full(count, -1, np.int32)
    follow = np.full(2 * pairs.shape[0], -1, np.int32)
    end = np.zeros(2 * pairs.shape[0], np.int32)
    degree = np.zeros(count, np.int32)
    for edge in range(pairs.shape[0]):
        if use[edge] != UNUSED:
            degree[pairs[edge, 0]] += 1
            degree[pairs[edge, 1]] += 1
        if use[edge] == TREE or use[edge] == LOOP:
            _join(head, follow, end, edge, pairs[edge, 0], pairs[edge, 1])
    far = np.full(count, -1, np.int32)
    queue = np.empty(count, np.int32)
    first = below(state, count)
    while hidden[first] == 1:
        first = (first + 1) % count
    found = hops(head, follow, end, first, count, far, queue)
    one = queue[found - 1]
    hops(head, follow, end, one, count, far, queue)
    other = queue[found - 1]
    across = far[other]
    core = _cores(head, follow, end, count, first)
    # The core with the most rooms; its two rooms farthest apart are the ends when they are far enough.
    size = np.zeros(count, np.int32)
    for room in range(count):
        if core[room] >= 0:
            size[core[room]] += 1
    largest = np.argmax(size)
    if size[largest] > 2 and below(state, 8) > 0:
        a = -1
        for index in range(found):
            if core[queue[index]] == largest:
                a = queue[index]
        hops(head, follow, end, a, count, far, queue)
        b = a
        for index in range(found):
            if core[queue[index]] == largest:
                b = queue[index]
        if 2 * far[b] > across:
            one = a
            other = b
    # One comes in nearer to the edge of the map.
    if _to_edge(boxes[other], columns, rows) < _to_edge(boxes[one], columns, rows):
        one, other = other, one
    hops(head, follow, end, one, count, far, queue)
    return one, other, far, degree
