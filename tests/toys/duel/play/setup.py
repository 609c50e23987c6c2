"""What the game master decides before a duel, and how it opens."""

from dataclasses import dataclass

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem

from ..catalog import CONTENT
from ..choices import DuelStyle
from .state import HEROES, RIVALS, Duellist, DuelState

MOST_RIVALS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSetup:
    """The rivals of the cast; `patience` is the seconds that there are to flinch, None for no limit."""

    title: str
    rivals: tuple[str, ...]
    hidden_rival: bool = False
    patience: int | None = None


setups = {
    "yard": DuelSetup(title="The Yard at Dawn", rivals=("Sour Tam",)),
    "ambush": DuelSetup(title="The Old Bridge", rivals=("Sour Tam", "Red Nell"), hidden_rival=True),
}


def begin(setup: DuelSetup, cast: tuple[CastMember, ...]) -> DuelState | Problems:
    """The opening: heroes in the order of the cast, then the rivals, the hidden one last."""
    wrong = [] if cast else [RuleProblem("cast_missing", "A duel takes a hero.", "Duellists")]
    if not 1 <= len(setup.rivals) <= MOST_RIVALS:
        text, found, allowed = f"From 1 to {MOST_RIVALS} rivals.", len(setup.rivals), (1, MOST_RIVALS)
        wrong.append(RuleProblem("rivals_out_of_range", text, "Duellists", ("rivals",), found, allowed))
    if wrong:
        return Problems(tuple(wrong))
    names, nerve = (*setup.rivals, *["The Grey Cloak"] * setup.hidden_rival), CONTENT.settings.nerve
    heroes = ((one.id, one.sheet.name, HEROES, one.sheet.style, one.sheet.tracks[0].maximum) for one in cast)
    rivals = ((f"rival-{i}", each, RIVALS, DuelStyle.CAREFUL, nerve) for i, each in enumerate(names, start=1))
    hidden = f"rival-{len(setup.rivals) + 1}"
    duellists = tuple(
        Duellist(id=who, name=name, side=side, style=style, nerve=most, most=most, hidden=who == hidden)
        for who, name, side, style, most in (*heroes, *rivals)
    )
    return DuelState(title=setup.title, duellists=duellists, turn=cast[0].id, patience=setup.patience)
