"""Sheets of characters, with entity tags of their own: ``/v1/characters/{character}/sheet``."""

from functools import partial

from starlette.responses import Response

from services.gateway.rest.endpoint import JSON, Call, Endpoint
from services.gateway.rest.files import file_answer, given_out, path_id
from services.gateway.rest.shapes import Shapes
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK


def endpoints(graphs: Subgraphs, shapes: Shapes) -> list[Endpoint]:
    """Makes the endpoint of sheets."""
    return [
        Endpoint(
            id="getSheet",
            method="GET",
            path="/v1/characters/{character}/sheet",
            tag="characters",
            summary="Read a character's sheet",
            description="The whole sheet with every derived number; ask with `If-None-Match` whether "
            "yours still "
            "holds.",
            price=LOOK,
            answer=file_answer(JSON, shapes.published("sheet", exact=False), "The sheet."),
            handle=partial(_sheet, graphs),
            problems=frozenset((404,)),
            checked=True,
            parameters=(path_id("character", "Id of the character."),),
        )
    ]


async def _sheet(graphs: Subgraphs, call: Call) -> Response:
    place = ("characters", call.given["character"], "sheet", "published")
    return await given_out(call, graphs, *place, service="character", kind="character", media_type=JSON)
