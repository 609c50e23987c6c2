"""The dice of a roll: one roll for each size and owner, each with its reasons, and the odds by name."""

from __future__ import annotations

from collections.abc import Sequence

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, Roll
from services.rules.systems.forgeborn.mechanics import MOST, MOST_POWER, OPPOSITION
from services.rules.systems.forgeborn.play.state import Artifact
from services.rules.systems.forgeborn.pools import DESCENDING, SIDES, DieSize, notation

BOOK = "Conflict Rolls"
AGAINST = "opposition"
"""The name of the roll against her."""


def own_rolls(
    who: str, label: str, dice: Sequence[DieSize], sacrificed: Sequence[DieSize] = (), odds: str = ""
) -> tuple[Roll, ...]:
    """Dice of a Smith or Heroine, the largest first; the first roll bears the odds of all."""
    rolls: list[Roll] = []
    for size in DESCENDING:
        plain, on_top = dice.count(size), sacrificed.count(size)
        parts = [Part(plain, "her own dice", BOOK)] if plain else []
        if on_top:
            parts.append(Part(on_top, "sacrificed", BOOK))
        if parts:
            roll = Roll(
                id=f"{who}:{size.value}",
                actor=who,
                label=label,
                dice=Explained.of(*parts),
                sides=SIDES[size],
                odds="" if rolls else odds,
            )
            rolls.append(roll)
    return tuple(rolls)


def artifact_rolls(who: str, artifacts: Sequence[Artifact]) -> tuple[Roll, ...]:
    """The dice of Artifacts, which are never lost (D5)."""
    return tuple(
        Roll(
            id=f"{artifact.id}:{size.value}",
            actor=who,
            label=artifact.name,
            dice=Explained.of(Part(artifact.dice.count(size), artifact.name, BOOK)),
            sides=SIDES[size],
        )
        for artifact in artifacts
        for size in DESCENDING
        if artifact.dice.count(size)
    )


def opposition(dice: Explained, label: str) -> Roll:
    """One d12 for each point of Power, and what lasts on her adds (D6)."""
    return Roll(id=AGAINST, actor=GM, label=label, dice=dice, sides=OPPOSITION)


def table_roll(name: str, actor: str, label: str, sides: int, rule: str, count: int = 1) -> Roll:
    """Dice that are looked up, or that say where something lies."""
    dice = Explained.of(Part(count, label, rule))
    return Roll(id=name, actor=actor, label=label, dice=dice, sides=sides)


def conflict_odds(dice: Sequence[DieSize], power: int) -> str:
    """A Conflict in the notation of the odds; empty where there are more dice than those go to."""
    if not 1 <= len(dice) <= MOST or not 0 <= power <= MOST_POWER:
        return ""
    return f"forgeborn:conflict({notation(dice)}, {power})"


def creation_odds(dice: Sequence[DieSize]) -> str:
    """A creation or recruiting likewise."""
    return f"forgeborn:creation({notation(dice)})" if 1 <= len(dice) <= MOST else ""


def forest_odds(dice: Sequence[DieSize], limit: int) -> str:
    """A wish in the Forest likewise."""
    return f"forgeborn:forest({notation(dice)}, {limit})" if 1 <= len(dice) <= MOST else ""
