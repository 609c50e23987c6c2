"""Answers of simulations as tables: ``/v1/simulations/{simulation}/report.csv``."""

from functools import partial

from starlette.responses import Response

from services.gateway.rest.endpoint import Call, Endpoint
from services.gateway.rest.files import TEXT, file_answer, given_out, path_id
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK

CSV = "text/csv"


def endpoints(graphs: Subgraphs) -> list[Endpoint]:
    """Make the endpoint of tables."""
    return [
        Endpoint(
            id="getSimulationTable",
            method="GET",
            path="/v1/simulations/{simulation}/report.csv",
            tag="simulations",
            summary="Read a simulation as a table",
            description="What is known so far as CSV: a line for every figure of every case.",
            price=LOOK,
            answer=file_answer(CSV, TEXT, "The table."),
            handle=partial(_table, graphs),
            problems=frozenset((404,)),
            checked=True,
            parameters=(path_id("simulation", "Id of the simulation."),),
        )
    ]


async def _table(graphs: Subgraphs, call: Call) -> Response:
    place = ("simulations", call.given["simulation"], "report.csv")
    return await given_out(call, graphs, *place, service="campaign", kind="simulation", media_type=CSV)
