"""What the rules are asked about rests in a worker process: functions of a game."""

from collections.abc import Mapping
from typing import Any

from services.rules.engine.system import AnySystem
from services.rules.engine.tracks import RestAction


def rest_actions(system: AnySystem, sheet: Mapping[str, Any]) -> dict[str, tuple[RestAction, ...]]:
    """Return what a character can do at each rest of its game, by the rest's key; its sheet as a document."""
    found = system.sheet_codec.load(sheet)
    return {each.rest.key: each.actions(found, system.content) for each in system.tracks.rests}
