"""What tests of Forgeborn compare the rules with, worked out by trying everything."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.systems.forgeborn.pools import ASCENDING, DieSize
from services.rules.systems.forgeborn.prices import PRICES, Purchase
from services.rules.systems.forgeborn.realm import CITADEL_ID, Realm


def reachable(realm: Realm, start: str = CITADEL_ID) -> frozenset[str]:
    """Every place that Roads and Trails lead to from one (C9: from the Citadel that is all of them)."""
    found = {start}
    frontier = [start]
    while frontier:
        here = frontier.pop()
        for link in realm.links:
            if link.joins(here) and (there := link.other(here)) not in found:
                found.add(there)
                frontier.append(there)
    return frozenset(found)


def purchases(total: int, sizes: tuple[DieSize, ...] = ASCENDING) -> Iterator[Purchase]:
    """Every purchase a total pays for, at least one die each, the largest die first."""
    for place in range(len(sizes) - 1, -1, -1):
        left = total - PRICES[sizes[place]]
        if left >= 0:
            yield (sizes[place],)
            for rest in purchases(left, sizes[: place + 1]):
                yield (sizes[place], *rest)
