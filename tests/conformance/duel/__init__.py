"""Answers conformance cases of Duel: lays out two duellists, has one strike, and reads off what falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from services.rules.engine.conformance import Area
from services.rules.engine.driver import Made, make
from services.rules.engine.play import AnyPlay, CastMember, Roll
from tests.toys.duel import SYSTEM
from tests.toys.duel.choices import DuelChoices, DuelStyle

Given = Mapping[str, Any]
Answer = dict[str, Any]
Faces = Mapping[str, tuple[int, ...]]

PLAY = cast(AnyPlay, SYSTEM.play)
HERO, RIVAL = "hero", "rival-1"
GUARDS = {2: (DuelStyle.BOLD, False), 3: (DuelStyle.CAREFUL, False), 4: (DuelStyle.CAREFUL, True)}
"""Who guards with so many dice: their style, and whether they are braced."""


def _struck(striker: DuelStyle, guard: DuelStyle, *, braced: bool, faces: Faces) -> Made:
    """The rival's strike at a hero, who stands; rolls without faces show ones."""
    sheet = SYSTEM.build(DuelChoices(name="Hero", style=guard), SYSTEM.content)
    state: Any = PLAY.begin(PLAY.setups["yard"], (CastMember(id=HERO, sheet=sheet),))
    duellists = (replace(one, style=striker) if one.id == RIVAL else one for one in state.duellists)
    state = replace(state, duellists=tuple(duellists), turn=HERO if braced else RIVAL)

    def throw(roll: Roll) -> tuple[int, ...]:
        return faces.get(roll.id, (1,) * roll.dice.value)

    def moved(state: Any, **form: str) -> Made:
        made = make(PLAY, state, PLAY.move_codec.read(form), throw, lambda _, ask: ask.silence)
        assert isinstance(made, Made), made
        return made

    if braced:
        state = moved(state, kind="Brace", actor=HERO).state
    return moved(state, kind="Strike", actor=RIVAL, target=HERO)


def _dice(given: Given) -> Answer:
    style = DuelStyle(given["style"])
    made = _struck(style, style, braced=bool(given.get("braced", False)), faces={})
    counts = {roll.id: roll.dice.value for roll in made.rolls}
    return {"strike": counts["attack"], "guard": counts["guard"]}


def _strike(given: Given) -> Answer:
    attack, guard = tuple(given["attack"]), tuple(given["guard"])
    style, braced = GUARDS[len(guard)]
    striker = DuelStyle.BOLD if len(attack) == 3 else DuelStyle.CAREFUL
    made = _struck(striker, style, braced=braced, faces={"attack": attack, "guard": guard})
    (struck,) = (event for event in made.events if type(event).__name__ == "Struck")
    return {"ahead": struck.ahead, "hit": struck.hit}


AREAS: Mapping[str, Area] = {"dice": _dice, "strike": _strike}
