"""The ways of a finished dungeon measured again, from its cells alone: more kernels behind the gates.

Rooms are joined where a stretch of corridor touches both; routes that share no step are found by augmenting
paths (Ford, Fulkerson 1956).
"""

from __future__ import annotations

import numpy as np

from services.map.kinds.dungeon.chance import Bytes, Ints, kernel

_DX = (1, 0, -1, 0)
_DY = (0, 1, 0, -1)


@kernel
def join_up(label: Ints, plain: Bytes, rooms: int) -> tuple[Ints, Ints, int]:
    """The graph of plain ways, rooms drawn together to one node each and every other cell a node of its own.

    Args:
        label: The room of each cell, or -1.
        plain: 1 where one comes with secret doors shut.
        rooms: How many rooms there are.

    Returns:
        The node of each cell (-1 for none); the edges, a row each; and how many nodes there are.
    """
    height, width = label.shape
    node = np.full((height, width), -1, np.int32)
    used = np.zeros(rooms, np.int32)
    nodes = rooms
    for y in range(height):
        for x in range(width):
            if plain[y, x] == 1:
                if label[y, x] >= 0:
                    node[y, x] = label[y, x]
                    used[label[y, x]] = 1
                else:
                    node[y, x] = nodes
                    nodes += 1
    edges = np.empty((2 * (nodes - rooms) * 2 + 4, 2), np.int32)
    count = 0
    for y in range(height - 1):
        for x in range(width - 1):
            here = node[y, x]
            if here < 0:
                continue
            for k in range(2):
                there = node[y + _DY[k], x + _DX[k]]
                if there >= 0 and there != here:
                    edges[count, 0] = here
                    edges[count, 1] = there
                    count += 1
    return node, edges[:count].copy(), nodes - rooms + used.sum()


@kernel
def disjoint_routes(edges: Ints, nodes: int, first: int, last: int) -> int:
    """How many routes between two nodes share no edge: 0, 1 or 2 (two are not counted further).

    Args:
        edges: A row an edge, as `join_up` finds them.
        nodes: One more than the greatest node.
        first: A node.
        last: Another one.
    """
    total = edges.shape[0]
    begin = np.zeros(nodes + 1, np.int32)
    for edge in range(total):
        begin[edges[edge, 0] + 1] += 1
        begin[edges[edge, 1] + 1] += 1
    for node in range(nodes):
        begin[node + 1] += begin[node]
    fill = begin[:nodes].copy()
    links = np.empty(2 * total, np.int32)  # the edge doubled, plus one when it is met at its end
    for edge in range(total):
        links[fill[edges[edge, 0]]] = 2 * edge
        fill[edges[edge, 0]] += 1
        links[fill[edges[edge, 1]]] = 2 * edge + 1
        fill[edges[edge, 1]] += 1
    flow = np.zeros(total, np.int32)  # 1 when a route runs from its first node to its second, -1 back
    came = np.empty(nodes, np.int32)
    queue = np.empty(nodes, np.int32)
    for route in range(2):
        came[:] = -1
        came[first] = -2
        queue[0] = first
        found = 1
        done = 0
        while done < found and came[last] == -1:
            node = queue[done]
            done += 1
            for index in range(begin[node], begin[node + 1]):
                link = links[index]
                edge = link >> 1
                away = 1 if link & 1 == 0 else -1
                other = edges[edge, 1] if away == 1 else edges[edge, 0]
                if came[other] == -1 and flow[edge] != away:
                    came[other] = link
                    queue[found] = other
                    found += 1
        if came[last] == -1:
            return route
        node = last
        while node != first:
            link = came[node]
            edge = link >> 1
            if link & 1 == 0:
                flow[edge] += 1
                node = edges[edge, 0]
            else:
                flow[edge] -= 1
                node = edges[edge, 1]
    return 2


@kernel
def rooms_joined(label: Ints, plain: Bytes, rooms: int) -> tuple[Ints, Ints]:
    """Which rooms one comes to from which without passing a third: a stretch of corridor touches both.

    Args:
        label: The room of each cell, or -1.
        plain: 1 where one comes with secret doors shut.
        rooms: How many rooms there are.

    Returns:
        The stretch of each cell (-1 for none), and rows of room and stretch that touch.
    """
    height, width = label.shape
    stretch = np.full((height, width), -1, np.int32)
    stack = np.empty((height * width, 2), np.int32)
    touching = np.empty((height * width // 2 + 4, 2), np.int32)
    count = 0
    stretches = 0
    for y in range(height):
        for x in range(width):
            if plain[y, x] == 0 or label[y, x] >= 0 or stretch[y, x] >= 0:
                continue
            stretch[y, x] = stretches
            stack[0, 0] = x
            stack[0, 1] = y
            held = 1
            while held > 0:
                held -= 1
                cx = stack[held, 0]
                cy = stack[held, 1]
                for k in range(4):
                    nx = cx + _DX[k]
                    ny = cy + _DY[k]
                    if plain[ny, nx] == 0:
                        continue
                    if label[ny, nx] >= 0:
                        touching[count, 0] = label[ny, nx]
                        touching[count, 1] = stretches
                        count += 1
                    elif stretch[ny, nx] < 0:
                        stretch[ny, nx] = stretches
                        stack[held, 0] = nx
                        stack[held, 1] = ny
                        held += 1
            stretches += 1
    return stretch, touching[:count].copy()


@kernel
def hops_between(touching: Ints, rooms: int, first: int, last: int) -> tuple[int, int]:
    """Rooms passed from one room to another, and between the two that are farthest apart.

    Args:
        touching: As `rooms_joined` finds it.
        rooms: How many rooms there are.
        first: A room.
        last: Another one.
    """
    total = touching.shape[0]
    stretches = 0
    for row in range(total):
        stretches = max(stretches, touching[row, 1] + 1)
    nodes = rooms + stretches
    begin = np.zeros(nodes + 1, np.int32)
    for row in range(total):
        begin[touching[row, 0] + 1] += 1
        begin[rooms + touching[row, 1] + 1] += 1
    for node in range(nodes):
        begin[node + 1] += begin[node]
    fill = begin[:nodes].copy()
    links = np.empty(2 * total, np.int32)
    for row in range(total):
        room = touching[row, 0]
        node = rooms + touching[row, 1]
        links[fill[room]] = node
        fill[room] += 1
        links[fill[node]] = room
        fill[node] += 1
    far = np.empty(nodes, np.int32)
    queue = np.empty(nodes, np.int32)
    # Bounds on how far the farthest room is from each: few searches settle the widest (Takes, Kosters 2011).
    least = np.zeros(rooms, np.int32)
    most = np.full(rooms, 1 << 30, np.int32)
    apart = -1
    widest = 0
    source = first
    high = True
    while source >= 0:
        far[:] = -1
        far[source] = 0
        queue[0] = source
        found = 1
        done = 0
        while done < found:
            node = queue[done]
            done += 1
            for index in range(begin[node], begin[node + 1]):
                other = links[index]
                if far[other] < 0:
                    far[other] = far[node] + 1
                    queue[found] = other
                    found += 1
        if source == first:
            apart = far[last]
        farthest = 0
        for room in range(rooms):
            farthest = max(farthest, far[room])
        widest = max(widest, farthest)
        for room in range(rooms):
            if far[room] >= 0:
                least[room] = max(least[room], farthest - far[room], far[room])
                most[room] = min(most[room], farthest + far[room])
            elif room != source and source == first:
                most[room] = 0  # out of reach: the gate on reachability speaks of it
        most[source] = least[source] = farthest
        source = -1
        for room in range(rooms):
            if most[room] <= widest or least[room] == most[room]:
                continue
            better = source < 0 or (most[room] > most[source] if high else least[room] < least[source])
            if better:
                source = room
        high = not high
    return apart // 2, widest // 2


@kernel
def check_ways(label: Ints, stretch: Ints, doors: Ints, ways: Ints) -> Ints:
    """For each way, 1 when a stretch of corridor (or one door) joins its two rooms.

    Args:
        label: The room of each cell, or -1.
        stretch: As `rooms_joined` finds it.
        doors: A row a door: column, row, ...
        ways: A row a way: first door, last door, first room, last room.
    """
    sound = np.zeros(ways.shape[0], np.int32)
    for way in range(ways.shape[0]):
        ends = 0
        for end in range(2):
            x = doors[ways[way, end], 0]
            y = doors[ways[way, end], 1]
            for k in range(4):
                if label[y + _DY[k], x + _DX[k]] == ways[way, 2 + end]:
                    ends += 1
        one = doors[ways[way, 0]]
        other = doors[ways[way, 1]]
        joined = stretch[one[1], one[0]] >= 0 and stretch[one[1], one[0]] == stretch[other[1], other[0]]
        sound[way] = 1 if joined and ends == 2 else 0
    return sound
