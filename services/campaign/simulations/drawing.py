"""The use case of drawing simulations: the answer that a viewer may see, as a picture."""

from collections.abc import Mapping
from typing import Any

import orjson

from services.campaign.scenes.games import Games
from services.campaign.simulations.plots import NoPlot, PlotRequest, draw
from services.campaign.simulations.service import READING, SimulationService, SimulationView
from services.rules.engine.simulation.report import REPORT_CODEC
from services.rules.engine.simulation.request import REQUEST_CODEC
from services.shared.auth import Viewer
from services.shared.problems import InvalidInput
from services.shared.reckoning import Reckoner
from services.shared.wording import clipped


class SimulationDrawing:
    """Draws simulations.

    Args:
        simulations: reads them, with the rights of their viewers.
        reckoner: draws in worker processes.
    """

    def __init__(self, simulations: SimulationService, reckoner: Reckoner[Games]) -> None:
        self._simulations = simulations
        self._reckoner = reckoner

    async def picture(self, viewer: Viewer, simulation: str, asked: PlotRequest) -> str | None:
        """Return the answer so far as SVG; None where the viewer may not see the simulation, or nothing is
        known yet.

        Raises:
            InvalidInput: the answer has no such case or figure, or the question asked for nothing
                of the kind.
            LimitReached: it is a long one, and the account cannot pay for reading it.
        """
        found = await self._simulations.simulation(viewer, simulation)
        return None if found is None else await self.drawn(viewer, found, asked)

    async def drawn(self, viewer: Viewer, view: SimulationView, asked: PlotRequest) -> str | None:
        """Return the answer so far of a simulation that the viewer sees; see ``picture``."""
        row = view.row
        if row.report is None or not row.runs:
            return None
        milliseconds = READING * (len(row.report) + len(row.request))
        await self._reckoner.charge(viewer, milliseconds)
        drawn = await self._reckoner.do(viewer.account, milliseconds, picture, row.report, row.request, asked)
        if isinstance(drawn, Mapping):
            raise InvalidInput.single("PLOT_UNKNOWN", drawn["message"], drawn["field"], **drawn["values"])
        return drawn


def picture(_games: Games, report: str, request: str, asked: PlotRequest) -> str | Mapping[str, Any]:
    """Draw an answer as it was stored, or tell what it has no figures for; a task of worker processes."""
    try:
        return draw(REPORT_CODEC.load(orjson.loads(report)), REQUEST_CODEC.load(orjson.loads(request)), asked)
    except NoPlot as error:
        values = {"found": clipped(error.found), "allowed": clipped(", ".join(error.allowed))}
        return {"message": str(error), "field": error.field, "values": values}
