"""What the strong bot of Forge Engine is worth, what powers are worth to it, and which powers it never uses.

In this order:

- A thousand balanced fights of the strong bot against a random one, sides alternating.
- A thousand fights of a party with powers against the same party without, both played by the strong bot.
- Two thousand fights of parties that all have powers: whatever no bot ever used must stand in the README.

Fewer seconds play fewer fights, in the same proportion. The fights are the same in every run.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from infra.benchmarks.harness.cases import Case
from infra.benchmarks.harness.forge_parties import (
    Fought,
    against_random,
    both_with_powers,
    power_names,
    with_powers,
)
from infra.benchmarks.harness.rounds import say
from services.rules.systems import forge_engine
from services.rules.systems.forge_engine.catalog import own_catalog

SECONDS = 1_500.0
FIGHTS, FIGHTS_OF_ALL = 1_000, 2_000
AGAINST_RANDOM, WITH_POWERS = 0.8, 0.7
"""Shares of the fights that are to be won."""
UNUSED = "### Powers that no bot uses"
"""The heading of the README under which they stand, each by its name at the start of a line."""


def run(seconds: float) -> Iterator[Case]:
    """Fight a thousand times, or fewer where there is less time."""
    part = min(1.0, seconds / SECONDS)
    yield from shares(max(1, round(FIGHTS * part)))
    yield never_used(max(1, round(FIGHTS_OF_ALL * part)))


def shares(fights: int) -> Iterator[Case]:
    """Tell which share of fights the strong bot wins of a random one, and a party by its powers."""
    yield _share("the strong bot against a random one", against_random, fights, AGAINST_RANDOM)
    yield _share("a party with powers against the same without", with_powers, fights, WITH_POWERS)


def _share(name: str, fight: Callable[[int], tuple[Fought, str]], fights: int, target: float) -> Case:
    say(f"fighting {fights:,} times: {name}")
    began = time.process_time()
    won, called_off, moves = 0, 0, 0
    for number in range(fights):
        found, side = fight(number)
        won += found.winner == side
        called_off += not found.winner
        moves += found.moves
    return Case(
        f"forge_engine: {name}",
        won / fights,
        "share of fights won",
        against=1.0,
        against_name="all of them",
        target=target,
        more={
            "fights": fights,
            "called_off": called_off,
            "moves_a_fight": moves / fights,
            "seconds": time.process_time() - began,
        },
    )


def never_used(fights: int) -> Case:
    """Tell how many powers no bot used, beside those that the README says so of."""
    say(f"fighting {fights:,} times: parties that all have powers")
    used = Counter[str]()
    for number in range(fights):
        used.update(both_with_powers(number).used)
    unused = set(power_names().values()) - set(used)
    unsaid = unused - explained()
    return Case(
        "forge_engine: powers that no bot used and the README does not name",
        len(unsaid),
        "powers",
        more={"fights": fights, "unused": len(unused)},
        failures=sorted(unsaid),
        less_is_better=True,
    )


def explained() -> set[str]:
    """Content ids of the powers that the README says bots do not use."""
    text = (Path(forge_engine.__file__).parent / "README.md").read_text(encoding="utf-8")
    said = text.partition(UNUSED)[2].partition("\n## ")[0]
    catalog = own_catalog()
    return {each.id for each in (*catalog.martial, *catalog.spells) if f"**{each.name}**" in said}
