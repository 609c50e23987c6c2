"""What the game master decides before a duel, and how it opens."""

from dataclasses import dataclass

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem

from ..catalog import CONTENT
from ..choices import DuelStyle
from .state import HEROES, RIVALS, Duellist, DuelState

MOST_RIVALS, A_DAY = 5, 24 * 60 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSetup:
    """The rivals of the cast; `patience` is the seconds that there are to flinch, None for no limit."""

    title: str
    rivals: tuple[str, ...]
    hidden_rival: bool = False
    patience: int | None = None


SETUPS = {
    "yard": DuelSetup(title="The Yard at Dawn", rivals=("Sour Tam",)),
    "ambush": DuelSetup(title="The Old Bridge", rivals=("Sour Tam", "Red Nell"), hidden_rival=True),
}


def begin(setup: DuelSetup, cast: tuple[CastMember, ...]) -> DuelState | Problems:
    """The opening: heroes in the order of the cast, then the rivals, the hidden one last."""
    wrong = [] if cast else [RuleProblem("cast_missing", "A duel takes a hero.", "Duellists")]
    patience = 1 if setup.patience is None else setup.patience
    for name, found, most in (("rivals", len(setup.rivals), MOST_RIVALS), ("patience", patience, A_DAY)):
        if not 1 <= found <= most:
            code, text = f"{name}_out_of_range", f"This is from 1 to {most}."
            wrong.append(RuleProblem(code, text, "Duellists", (name,), found, (1, most)))
    if wrong:
        return Problems(tuple(wrong))
    heroes = ((one.id, one.sheet.name, HEROES, one.sheet.style, one.sheet.tracks[0].maximum) for one in cast)
    names, nerve = (*setup.rivals, *["The Grey Cloak"] * setup.hidden_rival), CONTENT.settings.nerve
    rivals = ((f"rival-{i}", each, RIVALS, DuelStyle.CAREFUL, nerve) for i, each in enumerate(names, start=1))
    hidden = f"rival-{len(setup.rivals) + 1}"
    duellists = tuple(
        Duellist(id=who, name=name, side=side, style=style, nerve=most, most=most, hidden=who == hidden)
        for who, name, side, style, most in (*heroes, *rivals)
    )
    return DuelState(title=setup.title, duellists=duellists, turn=cast[0].id, patience=setup.patience)
