"""Duel, a whole small game: strike until the other side has lost its nerve. It is no part of the house.

It shows every part of a system once. Read in this order: `duellists` (choices, sheet, and the roll with its
odds), `scene` (what a scene is made of), `play` (turns, opposed dice, a prompt with a time limit, a secret
roll, somebody who hides, an end, and what the end changes), `bots`, `picture`, `workshop` (being led
through creation, a question answered), `oaths` (packs of a table's own). Answers to case files stand in
`tests/conformance/duel`.

The rules: everybody has 3 Nerve and, in turn, strikes or braces. To strike, roll two dice, three when bold;
the struck one rolls two, one more when careful, one more when braced. The higher sum wins, a tie is a miss,
and a hit takes one Nerve. Once in a duel a struck one may flinch instead: then nothing is rolled; who takes
longer than the game master's patience stands. The game master may let one rival hide: until it steps out it
neither strikes nor is struck, and counts for nobody.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import System

# Relative: a package that is dropped in somewhere has no name of its own to import by.
from .duellists import CONTENT, MECHANICS, DuelChoices, DuelContent, DuelSheet, DuelStyle, build
from .feud import FeudPlay
from .oaths import PACKS
from .play import DuelPlay
from .workshop import GUIDE, TOOLS

__all__ = ["MECHANICS", "SYSTEM"]

SYSTEM: System[DuelChoices, DuelSheet, DuelContent] = System(
    slug="duel",
    name="Duel",
    edition="first",
    licence="Ours: a game for tests.",
    choices_codec=Codec(DuelChoices, "duel/choices"),
    sheet_codec=Codec(DuelSheet, "duel/sheet"),
    content=CONTENT,
    examples={
        "bold": DuelChoices(name="Anna"),
        "careful": DuelChoices(name="Ben", style=DuelStyle.CAREFUL, scars=1),
    },
    playthroughs=load_playthroughs(__name__),
    build=build,
    play=DuelPlay(),
    campaign=FeudPlay(),
    packs=PACKS,
    guide=GUIDE,
    tools=TOOLS,
)
