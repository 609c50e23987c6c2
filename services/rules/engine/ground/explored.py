"""What the players know of a place under fog: the cells that were seen, by all of them or by each apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from services.rules.engine.ground import fog
from services.rules.engine.ground.footprint import Footprint
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.sight import sees


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """The cells that are known of a place under fog; each set is one of `ground.fog`, as text.

    Attributes:
        cells: What every player knows.
        shared: Whether what one of the party sees is seen by all of them.
        own: What a hero's player knows beside that, by the hero's id, where sight is not shared.
    """

    cells: str = ""
    shared: bool = True
    own: Mapping[str, str] = field(default_factory=dict)

    def known(self, heroes: Iterable[str]) -> int:
        """The set of cells that is known to who plays these heroes."""
        found = fog.read(self.cells)
        for hero in heroes:
            found |= fog.read(self.own.get(hero, ""))
        return found

    def seen(self, hero: str, cells: int) -> Explored:
        """The same with cells that a hero sees; with the id of none, all players see them."""
        if self.shared or not hero:
            known = fog.read(self.cells)
            return self if cells | known == known else replace(self, cells=fog.written(cells | known))
        before = fog.read(self.own.get(hero, ""))
        if cells | before == before:
            return self
        return replace(self, own={**self.own, hero: fog.written(cells | before)})

    def changed(self, cells: int, *, known: bool) -> Explored:
        """The same with cells that every player knows from now on, or that none does."""
        if known:
            return replace(self, cells=fog.written(fog.read(self.cells) | cells))
        own = {hero: fog.written(fog.read(text) & ~cells) for hero, text in self.own.items()}
        return replace(self, cells=fog.written(fog.read(self.cells) & ~cells), own=own)


def as_known(ground: Ground, cells: int) -> Ground:
    """The ground cut to a set of cells; the same one each time."""
    known: Ground | None = ground.index.memory.get(("known", cells))
    return ground.index.keep(("known", cells), fog.cut(ground, cells)) if known is None else known


def looked(ground: Ground, eye: Footprint) -> int:
    """The set of cells that is seen from where a creature stands."""
    found = 0
    for square in eye.squares():
        found |= fog.seen_from(ground, square)
    return found


def makes_out(ground: Ground, eye: Footprint, other: Footprint) -> bool:
    """Whether a creature sees any of the squares that another fills, however far off."""
    return any(
        fog.bit_of(ground, square) & fog.seen_from(ground, at) or sees(ground, at, square)
        for at in eye.squares()
        for square in other.squares()
    )
