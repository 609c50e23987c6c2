"""Builds the sheet of a duellist from choices, or names every rule they break."""

from __future__ import annotations

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track

from .catalog import DuelContent
from .choices import DuelChoices
from .mechanics import strike_dice
from .sheet import DuelSheet


def build(choices: DuelChoices, content: DuelContent) -> DuelSheet | Problems:
    """The sheet of these choices, or every rule they break."""
    wrong = []
    if not choices.name.strip():
        wrong.append(RuleProblem("name_missing", "A duellist has a name.", "Duellists", ("name",)))
    if choices.scars < 0:
        found = choices.scars
        wrong.append(RuleProblem("scars_negative", "No scar is undone.", "Scars", ("scars",), found, 0))
    for place, oath in enumerate(choices.oaths):
        if oath not in content.oaths:
            path, known = ("oaths", place), content.oaths.ids
            wrong.append(RuleProblem("oath_unknown", "Nobody swears that here.", "Oaths", path, oath, known))
    if wrong:
        return Problems(tuple(wrong))
    pool, nerve = strike_dice(choices.style), content.settings.nerve
    nerve += sum(content.oaths[oath].nerve for oath in choices.oaths)
    return DuelSheet(
        system="duel",
        name=choices.name,
        tracks=(Track("nerve", "Nerve", nerve, nerve),),
        checks=(
            RollableCheck("strike", "Strike", f"{pool.value}d6", "A higher sum than theirs hits.", pool),
        ),
        style=choices.style,
        scars=choices.scars,
    )
