"""How a game begins.

Read in this order: `document` (what the game master decides), `problems` (what is wrong with it), `begin`
(the opening position), `named` (setups by name), `realms` (stored realms that are played on).
"""

from __future__ import annotations

from services.rules.systems.forgeborn.play.setup.document import Rival, Setup, SpotName, SpotPower
from services.rules.systems.forgeborn.play.setup.named import DROP, SETUP_TEXTS, SETUPS
from services.rules.systems.forgeborn.play.setup.opening import begin
from services.rules.systems.forgeborn.play.setup.realms import laid_out, site_of

__all__ = [
    "DROP",
    "SETUPS",
    "SETUP_TEXTS",
    "Rival",
    "Setup",
    "SpotName",
    "SpotPower",
    "begin",
    "laid_out",
    "site_of",
]
