"""The looks and the words of dungeons, one module a theme.

Read in this order: `model` (what a theme consists of), then any theme, e.g. `crypt`.
"""

from __future__ import annotations

from types import MappingProxyType

from services.map.kinds.dungeon.parameters import DungeonTheme
from services.map.kinds.dungeon.themes import (
    crypt,
    keep,
    laboratory,
    mine,
    prison,
    sewer,
    temple,
    warren,
)
from services.map.kinds.dungeon.themes.model import Theme

THEMES: MappingProxyType[DungeonTheme, Theme] = MappingProxyType(
    {
        DungeonTheme.CRYPT: crypt.THEME,
        DungeonTheme.MINE: mine.THEME,
        DungeonTheme.TEMPLE: temple.THEME,
        DungeonTheme.PRISON: prison.THEME,
        DungeonTheme.SEWER: sewer.THEME,
        DungeonTheme.LABORATORY: laboratory.THEME,
        DungeonTheme.KEEP: keep.THEME,
        DungeonTheme.WARREN: warren.THEME,
    }
)
"""Each theme by its name."""
