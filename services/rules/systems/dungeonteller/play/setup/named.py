"""Scenes ready to play, for any heroes: an evening's fight, a talk, a job; also what tests and bots play."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.engine.grid import Square
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.play.setup.document import Creatures, Place, Setup
from services.rules.systems.dungeonteller.play.state import Job, Side, Thing
from services.rules.systems.dungeonteller.powers import Light

_MONSTER = "dungeonteller:monster/"
_SITUATION = "dungeonteller:situation/"

SETUPS: Mapping[str, Setup] = MappingProxyType(
    {
        "bonfire": Setup(
            title="Howls around the bonfire",
            place=Place(
                width=24,
                height=14,
                light=Light.DIM,
                situations=(f"{_SITUATION}woods",),
                solid=tuple(Square(14, y) for y in range(6)),
                flammable=tuple(Square(x, y) for x in range(24) for y in range(10, 14)),
                stone=False,
                notes="Werewolves shrink from silver armour.",
            ),
            creatures=(
                Creatures(monster=f"{_MONSTER}werewolf", count=2),
                Creatures(monster=f"{_MONSTER}wolf", name="Grey wolf", hidden=1),
                Creatures(monster=f"{_MONSTER}hill-giant", side=Side.BYSTANDERS, surprised=True),
            ),
            things=(
                Thing(id="branch", name="a burning branch", at=Square(10, 7), luck=1),
                Thing(id="purse", name="a lost purse", gold=12, at=Square(9, 3), hidden=2),
            ),
        ),
        "locked-door": Setup(
            title="The pit with the locked door",
            place=Place(width=8, height=8, light=Light.DIM),
            jobs=(
                Job(
                    id="lock",
                    name="the tough lock",
                    action=Action.MAKE,
                    needed=3,
                    shown=False,
                    situations=(f"{_SITUATION}lock",),
                ),
                Job(id="beam", name="the beam across the door", action=Action.MUSCLE, needed=4),
            ),
        ),
        "orc-ambush": Setup(
            title="Orcs in the gorge",
            place=Place(width=16, height=8),
            creatures=(
                Creatures(monster=f"{_MONSTER}orc", count=2),
                Creatures(monster=f"{_MONSTER}goblin", count=2, hidden=2),
            ),
        ),
        "crypt": Setup(
            title="Bones under the chapel",
            place=Place(width=14, height=10, light=Light.DARK),
            creatures=(
                Creatures(monster=f"{_MONSTER}skeleton", count=2),
                Creatures(monster=f"{_MONSTER}zombie", count=1),
            ),
        ),
    }
)

SETUP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "bonfire": "Werewolves come for a camp in the woods, and a giant looks on.",
        "locked-door": "A pit, no foe, and a door that is locked and barred.",
        "orc-ambush": "Two orcs block the way through a gorge.",
        "crypt": "In the dark under a chapel the dead get up.",
    }
)
"""What waits in each of them."""
