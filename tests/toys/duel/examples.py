"""Named duellists that build."""

from __future__ import annotations

from .choices import DuelChoices, DuelStyle

EXAMPLES = {
    "bold": DuelChoices(name="Anna"),
    "careful": DuelChoices(name="Ben", style=DuelStyle.CAREFUL, scars=1),
}
