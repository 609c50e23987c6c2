"""Chronicles of campaigns as Markdown: ``/v1/campaigns/{campaign}/chronicle.md``."""

from functools import partial

from starlette.responses import Response

from services.gateway.rest.endpoint import Call, Endpoint, Parameter
from services.gateway.rest.files import TEXT, file_answer, given_out, path_id, query, text
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST

MARKDOWN = "text/markdown"


def endpoints(graphs: Subgraphs) -> list[Endpoint]:
    """Make the endpoint of chronicles."""
    return [
        Endpoint(
            id="getCampaignChronicleMarkdown",
            method="GET",
            path="/v1/campaigns/{campaign}/chronicle.md",
            tag="campaigns",
            summary="Read a campaign's chronicle as Markdown",
            description="All that a game has told of a campaign's story, as you may know it: a heading for "
            "each chapter, an item for each entry.",
            price=LIST,
            answer=file_answer(MARKDOWN, TEXT, "The chronicle."),
            handle=partial(_chronicle, graphs),
            problems=frozenset((404, 422)),
            checked=True,
            parameters=(
                path_id("campaign", "Id of the campaign."),
                Parameter("system", "query", text(40), "Slug of the game.", required=True),
                query("text", text(200), "Only entries that hold this, whatever its case."),
                query("about", text(80), "Only entries about this: id of an actor of the state's card."),
            ),
        )
    ]


async def _chronicle(graphs: Subgraphs, call: Call) -> Response:
    place = ("campaigns", call.given["campaign"], "chronicle.md")
    wanted = {name: call.given.get(name, "") for name in ("system", "text", "about")}
    return await given_out(
        call, graphs, *place, service="campaign", kind="chronicle", media_type=MARKDOWN, query=wanted
    )
