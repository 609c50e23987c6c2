"""What a pack of a table's own content is made of: one list for each kind of thing, and settings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.systems.fortunate_blades.catalog import (
    Background,
    Blade,
    Fact,
    FinalAct,
    Gear,
    Loot,
    PersonalQuest,
    Talent,
    Trade,
)
from services.rules.systems.fortunate_blades.world import (
    Entanglement,
    ForceSeed,
    PlaceSeed,
)


class ListName(Enum):
    """The lists of a pack.

    Attributes:
        TALENTS: Talents.
        BACKGROUNDS: Backgrounds.
        TRADES: Trades.
        BLADES: Fortunate Blades.
        PERSONAL_QUESTS: Personal quests.
        FINAL_ACTS: Final acts.
        FACTS: Facts.
        PLACES: Places to begin from.
        FORCES: Forces to begin from.
        ENTANGLEMENTS: Entanglements.
        LOOT: Loot.
        GEAR: Gear.
    """

    TALENTS = "talents"
    BACKGROUNDS = "backgrounds"
    TRADES = "trades"
    BLADES = "blades"
    PERSONAL_QUESTS = "personal_quests"
    FINAL_ACTS = "final_acts"
    FACTS = "facts"
    PLACES = "places"
    FORCES = "forces"
    ENTANGLEMENTS = "entanglements"
    LOOT = "loot"
    GEAR = "gear"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """Settings of a table; what is left out stays as it is.

    Attributes:
        fortune: Fortune at the start of every quest, 1 to 30.
        slots: Gear slots of a hero, 1 to 20.
        ranks: Ranks of attributes of a new hero, 0 to 12.
        resistant_levels: Levels that Resistance takes off, 1 or 2 (P1).
        serious_harm: Fortune that a roll with serious Harm costs, 0 to 4 (P2).
        group_track: Boxes of the track of a group, 1 to 30.
        talent_track: Boxes of the track of talents, 1 to 30.
    """

    fortune: int | None = None
    slots: int | None = None
    ranks: int | None = None
    resistant_levels: int | None = None
    serious_harm: int | None = None
    group_track: int | None = None
    talent_track: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentPack:
    """A table's own content. Each entry has its content id, `fortunate_blades:<kind>/<name>`.

    Attributes:
        replaces: Lists that take the place of those there are; the others are added to them.
        talents: Talents.
        backgrounds: Backgrounds.
        trades: Trades.
        blades: Fortunate Blades.
        personal_quests: Personal quests.
        final_acts: Final acts.
        facts: Facts.
        places: Places to begin from.
        forces: Forces to begin from.
        entanglements: Entanglements.
        loot: Loot.
        gear: Gear.
        rules: Settings of the table.
    """

    replaces: tuple[ListName, ...] = ()
    talents: tuple[Talent, ...] = ()
    backgrounds: tuple[Background, ...] = ()
    trades: tuple[Trade, ...] = ()
    blades: tuple[Blade, ...] = ()
    personal_quests: tuple[PersonalQuest, ...] = ()
    final_acts: tuple[FinalAct, ...] = ()
    facts: tuple[Fact, ...] = ()
    places: tuple[PlaceSeed, ...] = ()
    forces: tuple[ForceSeed, ...] = ()
    entanglements: tuple[Entanglement, ...] = ()
    loot: tuple[Loot, ...] = ()
    gear: tuple[Gear, ...] = ()
    rules: HouseRules | None = None
