"""What changes an action's dice: situations, bonus dice, and how well a being sees (Roles / Bonus Dice)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.dungeonteller.actions import Action


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Something about the moment that bonus dice ask for.

    Attributes:
        id: Content id.
        name: The word for people.
        words: Other words a table may use for it.
    """

    id: str
    name: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """Dice added to (or taken from) an action when it fits.

    Attributes:
        action: Whose dice become more or fewer.
        dice: How many; negative takes away.
        when: Plain words for the hero card.
        situations: Any of these must hold; empty when no situation is asked for.
        weapons: One of these must be used; empty when any or none will do.
        once: Good for one roll, then used up.
        rule: Where it comes from.
    """

    action: Action
    dice: int
    when: str
    situations: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    once: bool = False
    rule: str = "Roles / Bonus Dice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Notice dice gained or lost by light; None where nothing can be seen at all.

    Attributes:
        dim: In dim light; negative takes dice away.
        dark: In the dark; null where nothing can be seen there.
    """

    dim: int
    dark: int | None = None
