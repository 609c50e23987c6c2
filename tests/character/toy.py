"""A game system that is no part of the house, to be dropped in."""

from pathlib import Path

SLUG = "toy_box"
TOY = '''
"""A game for a test."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.codec import Codec
from services.rules.engine.content import Shelf
from services.rules.engine.explain import Explained
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.engine.system import System


class Action(Enum):
    """A word that another game uses too."""

    HOP = "hop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """A word that another game uses too."""

    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyChoices:
    """What a player chooses."""

    name: str
    best: Action = Action.HOP
    buys: tuple[Purchase, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToySheet:
    """A toy."""

    system: str
    name: str
    tracks: tuple[Track, ...]
    checks: tuple[RollableCheck, ...]
    best: Action
    hops: Explained
    bought: tuple[Purchase, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy:
    """Something on the shelf."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Toys:
    """What there is."""

    toys: Shelf[Toy]

    def shelves(self) -> tuple[Shelf[Toy], ...]:
        return (self.toys,)


def build(choices: ToyChoices, toys: Toys) -> ToySheet | Problems:
    if choices.buys:
        path = ("buys", 0, "item")
        return Problems((RuleProblem("toys_are_free", "Take it.", "rule 1", path, choices.buys[0].item),))
    return ToySheet(
        system="toy_box", name=choices.name, tracks=(), checks=(), best=choices.best, hops=Explained.of(),
        bought=(),
    )


BEAR = "toy_box:toy/bear"
SYSTEM = System(
    slug="toy_box",
    name="Toy Box",
    edition="first",
    licence="ours",
    choices_codec=Codec(ToyChoices, "toy_box/choices"),
    sheet_codec=Codec(ToySheet, "toy_box/sheet"),
    content=Toys(toys=Shelf("toy_box", "toy", "toys.toml", {BEAR: Toy(id=BEAR, name="Bear")})),
    examples={"bear": ToyChoices(name="Bear")},
    playthroughs={},
    build=build,
)
'''


def dropped_in(folder: Path) -> Path:
    """Write the system's package and give the folder of packages that it lies in."""
    package = folder / "systems" / SLUG
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(TOY)
    return package.parent
