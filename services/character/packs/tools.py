"""Questions that the games' own arithmetic answers."""

from itertools import islice
from typing import Any

import orjson

from services.character.building.builds import MAX_ISSUES, broken_rules
from services.character.packs.library import form
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.rules.engine.tools import AnyTool
from services.shared.problems import InvalidInput
from services.shared.wording import unwritable

MAX_BYTES = 64 * 1024
GIVEN = "given"


def tool_of(system: AnySystem, name: str) -> AnyTool | None:
    """Find a tool of a game; None when it has no such one."""
    return next((tool for tool in system.tools if tool.name == name), None)


def answer(system: AnySystem, tool: AnyTool, given: Any) -> Any:
    """Answer a question.

    Args:
        system: the game system.
        tool: one of its tools.
        given: the question, in the tool's own type.

    Raises:
        InvalidInput: every rule that the question breaks is named.
    """
    sent = form(given, properties=False)
    InvalidInput.check(*islice(unwritable(sent, [GIVEN]), MAX_ISSUES))
    size = len(orjson.dumps(sent))
    if size > MAX_BYTES:
        text = f"A question fits into {MAX_BYTES:,} bytes."
        raise InvalidInput.single("TOO_LARGE", text, GIVEN, found=str(size), allowed=str(MAX_BYTES))
    found = tool.run(given, system.content)
    if isinstance(found, Problems):
        raise broken_rules(found, [GIVEN])
    return found
