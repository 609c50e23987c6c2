"""What the rules are asked about one character in a worker process: functions of a game."""

from collections.abc import Mapping
from typing import Any

from services.character.building.builds import Build
from services.character.building.drafts import Draft, draft
from services.rules.engine.system import AnySystem

Document = Mapping[str, Any]


def drafted(system: AnySystem, choices: Document, step: str | None) -> Draft:
    """Look at choices that are not finished, given as their document; see ``draft``."""
    wanted = Build(system.slug, system.choices_codec.load(choices))
    return draft({system.slug: system}, wanted, step)


def card(system: AnySystem, sheet: Document) -> Any | None:
    """Make a card from a sheet's document; None where the game prints none."""
    if system.printable is None:
        return None
    return system.printable.make(system.sheet_codec.load(sheet), system.content)
