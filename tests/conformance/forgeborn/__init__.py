"""Answers case files by the rules themselves.

Cases of the map and of odds run the rule of that part (`realm`). All others are played: `stage` lays out
the position a case speaks of, makes the moves with the faces it gives, and reads the answer off what
happened; what is refused is answered in the words of the cases. Read `stage` first, then `making`,
`fights`, `citadel`, `travels` and `table`, an area a function.
"""

from __future__ import annotations

from services.rules.engine.conformance import Area
from tests.conformance.forgeborn import citadel, fights, making, realm, table, travels

AREAS: dict[str, Area] = {
    **realm.AREAS,
    **making.AREAS,
    **fights.AREAS,
    **citadel.AREAS,
    **travels.AREAS,
    **table.AREAS,
}
"""What answers each area of the cases."""
