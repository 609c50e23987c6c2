"""What the game master decides before a feud, and how it opens."""

from dataclasses import dataclass

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem

from .state import Feud


@dataclass(frozen=True, slots=True, kw_only=True)
class FeudSetup:
    """The name of the feud, and the rival's."""

    title: str
    rival: str = "Sour Tam"


setups = {"mill": FeudSetup(title="The Feud at the Mill")}


def begin(setup: FeudSetup, cast: tuple[CastMember, ...]) -> Feud | Problems:
    """The heroes, and a rival who was never hit."""
    if not cast:
        return Problems((RuleProblem("cast_missing", "A feud takes heroes.", "Feuds"),))
    return Feud(title=setup.title, rival=setup.rival, heroes={one.id: one.sheet.name for one in cast})
