"""What the rules are asked about a game's content in a worker process: functions of a game."""

from typing import Any

from services.character.packs import tools
from services.character.packs.library import kinds, search
from services.rules.engine.library import ContentKind, Found, Hit, Wanted, entry
from services.rules.engine.system import AnySystem


def answered(system: AnySystem, tool: str, given: Any) -> Any:
    """Answer a question by a tool that the game is known to have; see ``tools.answer``."""
    found = tools.tool_of(system, tool)
    assert found is not None
    return tools.answer(system, found, given)


def searched(system: AnySystem, wanted: Wanted) -> Found:
    """Look through the content; see ``search``."""
    return search(system.content, wanted)


def entry_of(system: AnySystem, entry_id: str) -> Hit | None:
    """Find one entry of the content."""
    return entry(system.content, entry_id)


def kinds_of(system: AnySystem) -> tuple[ContentKind, ...]:
    """List the kinds of the content."""
    return kinds(system.content)
