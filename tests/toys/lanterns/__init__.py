"""Lanterns, the smallest game that shows the whole frame; it stands outside the house.

Wanderers cross a wood by lantern light. In turn each steps on (a die of 4 or more brings the party a step
further) or trims the wick, which spares one Light when the next step fails. Whoever stumbles loses Light, two
where the wood is after them: that is the game master's secret. Another wanderer may share Light, which is the
reaction. The party is through after three steps each, or lost when all lanterns are out.

Read in this order: this file (a character), `play` (steps, a reaction and an effect in a window, a secret,
the end) and `campaign` (what is left of the party's oil, night by night). `tests/toys/duel` shows each part
in the file that the shape of a larger game has for it, and everything that a game may offer beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from services.rules.engine.codec import Codec
from services.rules.engine.content import Shelf
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.system import System

from . import campaign, play


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a player chooses of a wanderer."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A wanderer at home."""

    system: str
    name: str


class Content:
    """The game's content: none that a client would search."""

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """No shelves."""
        return ()


def build(choices: Choices, content: Content) -> Sheet | Problems:
    """The sheet of these choices, or the rule they break."""
    if not choices.name.strip():
        return Problems((RuleProblem("name_missing", "A wanderer has a name.", "Wanderers", ("name",)),))
    return Sheet(system="lanterns", name=choices.name)


SYSTEM: System[Choices, Sheet, Content] = System(
    slug="lanterns",
    name="Lanterns",
    edition="first",
    licence="Ours: a game for tests.",
    choices_codec=Codec(Choices, "lanterns/choices"),
    sheet_codec=Codec(Sheet, "lanterns/sheet"),
    content=Content(),
    examples={"ada": Choices(name="Ada"), "bo": Choices(name="Bo")},
    playthroughs={},
    build=build,
    play=play.PLAY,
    campaign=campaign.PLAY,
)
