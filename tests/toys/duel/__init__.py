"""Duel, a whole small game: strike until the other side has lost its nerve. It stands outside the house.

It shows every part of a system once. Read in this order: `choices`, `build`, `sheet`, `examples` (a
character); `catalog` (the content), `mechanics` (the roll and its odds); `play` (turns, opposed dice, a
reaction with a time limit, a secret roll, a rival who hides, an effect, the end, and its changes to
characters); `campaign` (what a table keeps between duels); `guide`, `packs`, `tools`. Answers to case files
stand in `tests/conformance/duel`.

The rules: every duellist has 3 Nerve and, in turn, strikes or braces. To strike, roll two dice, three when
bold; the struck one rolls two, one more when careful, one more when braced. The higher sum wins, a tie is a
miss, and a hit takes one Nerve. Once in a duel a struck one may flinch instead: then nothing is rolled; who
takes longer than the game master's patience stands. The game master may let one rival hide: until it steps
out it neither strikes nor is struck, and counts for neither side.
"""

from __future__ import annotations

from services.rules.engine.codec import Codec
from services.rules.engine.playthrough import load_playthroughs
from services.rules.engine.system import System

# Relative: a package that is dropped in somewhere has no name of its own to import by.
from .build import build
from .campaign.scene import PLAY as FEUDS
from .catalog import CONTENT, DuelContent
from .choices import DuelChoices
from .examples import EXAMPLES
from .guide import GUIDE
from .mechanics import MECHANICS
from .packs import PACKS
from .play.scene import PLAY
from .sections import LAYOUT
from .sheet import DuelSheet
from .tools import TOOLS

__all__ = ["MECHANICS", "SYSTEM"]

SYSTEM: System[DuelChoices, DuelSheet, DuelContent] = System(
    slug="duel",
    name="Duel",
    edition="first",
    licence="Ours: a game for tests.",
    choices_codec=Codec(DuelChoices, "duel/choices"),
    sheet_codec=Codec(DuelSheet, "duel/sheet"),
    content=CONTENT,
    examples=EXAMPLES,
    playthroughs=load_playthroughs(__name__),
    build=build,
    layout=LAYOUT,
    play=PLAY,
    campaign=FEUDS,
    packs=PACKS,
    guide=GUIDE,
    tools=TOOLS,
)
