"""How scenes begin.

Read in this order: `document` (what a game master decides), `problems` (what may be wrong with it), `opening`
(the position that follows) and `named` (scenes ready to play).
"""

from services.rules.systems.dungeonteller.play.setup.document import Creatures, HeroStart, Place, Setup
from services.rules.systems.dungeonteller.play.setup.named import SETUP_TEXTS, SETUPS
from services.rules.systems.dungeonteller.play.setup.opening import begin

__all__ = ["SETUPS", "SETUP_TEXTS", "Creatures", "HeroStart", "Place", "Setup", "begin"]
