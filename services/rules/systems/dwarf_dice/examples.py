"""Named champions that build: one of each, under the name that is printed on the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.dwarf_dice.catalog import own_catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices

EXAMPLES: Mapping[str, ChampionChoices] = MappingProxyType(
    {
        champion.id.rpartition("/")[2]: ChampionChoices(name=champion.name, champion=champion.id)
        for champion in own_catalog().champions
    }
)
