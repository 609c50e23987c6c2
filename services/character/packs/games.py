"""What the rules are asked about characters that may take long: with packs, or of large choices.

Each task is handed a game, alone or with packs in it, and takes and gives what can be pickled. A process
remembers the editions that it made last, since making one takes longer than most that is asked of it.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from services.character.building.builds import Build
from services.character.building.drafts import Draft, draft
from services.character.building.random_characters import Drawn, Wish, draw
from services.character.packs import tools
from services.character.packs.extension import extended
from services.character.packs.library import kinds, search
from services.character.rewards.advancement import RewardLine, reward_lines, reward_offers
from services.rules.engine.library import ContentKind, Found, Hit, Wanted, entry
from services.rules.engine.registry import systems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput

P = ParamSpec("P")
R = TypeVar("R")

KEPT_ENTRIES = 40_000
"""Entries of packs that a process remembers in editions: some 100 MB."""

Document = Mapping[str, Any]
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

    def make(self, slug: str, packs: PackKeys, held: Sequence[object]) -> int | InvalidInput:
        """Make an edition; gives how many entries its packs add, or what is wrong with them.

        Args:
            slug: of the game.
            packs: what it is extended by, in order.
            held: document of each pack; None for one that is not there.
        """
        system, entries = self.alone[slug], 0
        for place, document in enumerate(held):
            made = extended(system, document, ["packs", str(place)])
            if isinstance(made, InvalidInput):
                return made
            system, added = made
            entries += added
        self._made[slug, packs] = system, entries
        while len(self._made) > 1 and sum(size for _, size in self._made.values()) > KEPT_ENTRIES:
            self._made.popitem(last=False)
        return entries


def own_games() -> Games:
    """Give the games of the house, for a worker process."""
    return Games(systems())


def make_edition(games: Games, slug: str, packs: PackKeys, held: Sequence[object]) -> int | InvalidInput:
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


def drafted(system: AnySystem, choices: Document, step: str | None) -> Draft | InvalidInput:
    """Look at choices that are not finished, given as their document."""
    wanted = Build(system.slug, system.choices_codec.load(choices))
    return draft({system.slug: system}, wanted, step)


def drawn(system: AnySystem, wish: Wish, fresh: str) -> Drawn | InvalidInput:
    """Draw a character; see ``draw``."""
    return draw({system.slug: system}, wish, fresh)


def answered(system: AnySystem, tool: str, given: Any) -> Any | InvalidInput:
    """Answer a question by a tool that the game is known to have."""
    found = tools.tool_of(system, tool)
    assert found is not None
    return tools.answer(system, found, given)


def searched(system: AnySystem, wanted: Wanted) -> Found | InvalidInput:
    """Look through the content."""
    return search(system.content, wanted)


def entry_of(system: AnySystem, entry_id: str) -> Hit | None:
    """Find one entry of the content."""
    return entry(system.content, entry_id)


def kinds_of(system: AnySystem) -> tuple[ContentKind, ...]:
    """List the kinds of the content."""
    return kinds(system.content)


def card(system: AnySystem, sheet: Document) -> Any | None:
    """Make a card from a sheet's document; None where the game prints none."""
    if system.printable is None:
        return None
    return system.printable.make(system.sheet_codec.load(sheet), system.content)


def rewards(system: AnySystem, choices: Document) -> list[RewardLine]:
    """List the rewards among choices, given as their document."""
    return reward_lines(system, system.choices_codec.load(choices))


def offers(system: AnySystem, choices: Document) -> list[RewardLine]:
    """List the rewards that could be proposed next."""
    return reward_offers(system, system.choices_codec.load(choices))
