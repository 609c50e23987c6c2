"""The games that a process knows, alone or with packs of a table's own content in them.

A worker process is asked by ``in_edition``; it is handed and returns what can be pickled. A process remembers
the editions that it made last, since making one takes longer than most that is asked of it.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from services.character.packs.extension import extended
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem

P = ParamSpec("P")
R = TypeVar("R")

KEPT_ENTRIES = 40_000
"""Entries of packs that a process remembers in editions: some 100 MB."""

PackKeys = tuple[tuple[str, int], ...]
"""Ids and versions of packs, in order."""


class Unmade(Exception):
    """This process has not made the edition, or has forgotten it."""


class Games:
    """The games that a process knows, and the editions of them that were asked for last.

    Args:
        alone: the games as their books have them, by slug.
    """

    def __init__(self, alone: Mapping[str, AnySystem]) -> None:
        self.alone = alone
        self._made: OrderedDict[tuple[str, PackKeys], tuple[AnySystem, int]] = OrderedDict()

    def recall(self, slug: str, packs: PackKeys) -> AnySystem | None:
        """Give an edition; None where it is not remembered."""
        if not packs:
            return self.alone.get(slug)
        found = self._made.get((slug, packs))
        if found is None:
            return None
        self._made.move_to_end((slug, packs))
        return found[0]

    def make(self, slug: str, packs: PackKeys, held: Sequence[object]) -> int:
        """Make an edition, and return how many entries its packs add.

        Args:
            slug: of the game.
            packs: what it is extended by, in order.
            held: document of each pack; None for one that is not there.

        Raises:
            InvalidInput: a pack cannot be put into the game.
        """
        system, entries = self.alone[slug], 0
        for place, document in enumerate(held):
            system, added = extended(system, document, ["packs", str(place)])
            entries += added
        self._made[slug, packs] = system, entries
        while len(self._made) > 1 and sum(size for _, size in self._made.values()) > KEPT_ENTRIES:
            self._made.popitem(last=False)
        return entries


def own_games() -> Games:
    """Give the games of the house, for a worker process."""
    return Games(systems())


def make_edition(games: Games, slug: str, packs: PackKeys, held: Sequence[object]) -> int:
    """Make an edition, for what is asked of it next; see ``Games.make``."""
    return games.make(slug, packs, held)


def in_edition(
    games: Games,
    slug: str,
    packs: PackKeys,
    task: Callable[Concatenate[AnySystem, P], R],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """Do a task by an edition.

    Raises:
        Unmade: it has to be made first.
    """
    system = games.recall(slug, packs)
    if system is None:
        raise Unmade
    return task(system, *args, **kwargs)
