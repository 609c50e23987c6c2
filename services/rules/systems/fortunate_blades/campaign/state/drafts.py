"""What a hero in the making is to the table."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.fortunate_blades.choices import QuestChoice, Ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroDraft:
    """A hero in the making, as all of the table see it before it is kept.

    Attributes:
        id: Of the player who makes it, as an actor of this campaign.
        name: What the hero is called so far.
        look: How the hero looks so far.
        backgrounds: Content ids of backgrounds.
        trades: Content ids of trades.
        blade: Content id of the item that the Fortunate Blade is; empty for none so far.
        talents: Content ids of talents, of the backgrounds, trades and blade.
        ranks: Ranks of the attributes so far.
        quest: The personal quest so far.
    """

    id: str
    name: str = ""
    look: str = ""
    backgrounds: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()
    blade: str = ""
    talents: tuple[str, ...] = ()
    ranks: Ranks = Ranks()  # noqa: RUF009
    quest: QuestChoice = QuestChoice()  # noqa: RUF009
