"""What every offer is made with: whose turn it is, and whether a move is legal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from services.rules.engine.dispositions import in_order
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square, around
from services.rules.engine.play import Choice, FieldKind, LegalMove, MoveField, Roll
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import disposition, in_sight, solid_grid
from services.rules.systems.dungeonteller.play.moves import Go, Move, Squeeze, Struggle, Try
from services.rules.systems.dungeonteller.play.rules.dispatch import first_rolls
from services.rules.systems.dungeonteller.play.rules.feat import FEAT, feat_field
from services.rules.systems.dungeonteller.play.rules.gear import carried
from services.rules.systems.dungeonteller.play.state import Being, Scene

FAR = 6
"""Paces within which squares are offered; further ones in sight are as legal."""

Feat = TypeVar("Feat", Go, Try, Struggle, Squeeze)
"""Moves with a Muscle roll that a Feat of Strength may help."""


@dataclass(frozen=True)
class Offering:
    """Makes offers for a being whose turn it is.

    Attributes:
        scene: As the being's player knows it: nothing that is hidden from them is in any dice or chance.
    """

    scene: Scene
    catalog: Catalog
    being: Being

    @cached_property
    def squares_in_sight(self) -> tuple[Square, ...]:
        """The squares near them that they see, in order."""
        at = self.being.at
        near = sorted(around(self.scene.field.grid, at, FAR))
        return tuple(square for square in near if in_sight(self.scene, at, square))

    @cached_property
    def free_squares_in_sight(self) -> tuple[Square, ...]:
        """Those of them with nothing solid on."""
        grid = solid_grid(self.scene)
        return tuple(square for square in self.squares_in_sight if grid.open(square))

    def fits(self, move: Move) -> bool:
        """Whether a move is legal now."""
        return self.rolls(move) is not None

    def rolls(self, move: Move) -> tuple[Roll, ...] | None:
        """The dice that a legal move takes first; None for a move that is not legal now."""
        return first_rolls(self.scene, self.catalog, move)

    def offer(
        self,
        offer_id: str,
        label: str,
        text: str,
        rule: str,
        fields: tuple[MoveField, ...] = (),
        dice: Explained | None = None,
        odds: str = "",
        **move: Any,
    ) -> LegalMove:
        """An offer to them."""
        return LegalMove(
            id=offer_id,
            actor=self.being.id,
            label=label,
            text=text,
            rule=rule,
            move={"actor": self.being.id, **move},
            fields=fields,
            dice=dice,
            odds=odds,
        )

    def marked(self, beings: Iterable[Being], *, friends_first: bool = False) -> list[Choice]:
        """Beings to choose from, marked as foes and friends, foes before friends.

        Args:
            beings: Which.
            friends_first: Whether friends stand before foes: the move does good to whom it is aimed at.
        """
        side = self.being.side
        marked = (Choice(each.id, each.name, disposition(side, each.side)) for each in beings)
        return list(in_order(marked, friends_first=friends_first))

    def gear(self, move: Try) -> tuple[MoveField, ...]:
        """What is asked about gear, for whoever carries some that serves a try."""
        choices = tuple(
            Choice(item, self.catalog.gear[item].name)
            for item in carried(self.scene, self.being)
            if item in self.catalog.gear and self.fits(replace(move, gear=(item,)))
        )
        if not choices:
            return ()
        most = len(choices)
        return (
            MoveField(
                name="gear",
                label="What do you use?",
                kind=FieldKind.CHOICES,
                choices=choices,
                least=0,
                most=most,
                required=False,
            ),
        )

    def feat(self, move: Feat) -> tuple[MoveField, ...]:
        """What is asked about a Feat of Strength, for whoever can help a move with one."""
        if FEAT not in self.being.powers or not self.fits(replace(move, feat=1)):
            return ()
        return (feat_field(self.being),)
