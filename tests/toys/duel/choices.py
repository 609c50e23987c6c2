"""What a player chooses of a duellist."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class DuelStyle(Enum):
    """How a duellist fights: one more die to strike, or one more against a strike."""

    BOLD = "bold"
    CAREFUL = "careful"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelChoices:
    """What a player chooses; `scars` come from duels, oaths from a table's own packs."""

    name: str
    style: DuelStyle = DuelStyle.BOLD
    scars: int = 0
    oaths: tuple[str, ...] = ()
