"""Named Smiths that build: four, so that a game has room for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.rules.systems.forgeborn.choices import ChronicleEntry, SmithChoices
from services.rules.systems.forgeborn.pools import DiceCount

EXAMPLES: Mapping[str, SmithChoices] = MappingProxyType(
    {
        "brika": SmithChoices(
            name="Brika", description="Broad, burned and cheerful", dice=DiceCount(d4=3, d12=5)
        ),
        "gaugr": SmithChoices(
            name="Gaugr", description="Speaks to his hammers by name", dice=DiceCount(d8=2, d10=2, d12=3)
        ),
        "oxyli": SmithChoices(
            name="Oxyli", description="Works small, and by night", dice=DiceCount(d4=9, d6=2, d12=2)
        ),
        "hawina": SmithChoices(
            name="Hawina",
            description="Has stood at the Citadel's fire before",
            dice=DiceCount(d4=3, d6=2, d8=2, d10=2, d12=1),
            chronicle=(
                ChronicleEntry(
                    title="The Realm of Wilum", points=11, rank=1, players=3, artifacts=("Nightwell Crown",)
                ),
            ),
        ),
    }
)
