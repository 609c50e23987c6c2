"""Questions that a game's own arithmetic answers: ``/v1/systems/{system}/tools``."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import A_WHILE, made, shown
from services.gateway.rest.contract import Shown, changing, reading
from services.gateway.rest.library import SystemSlug
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, Doorkeeper
from services.shared.auth import Viewer


class ToolName(Shown):
    """Which question was answered."""

    name: str = Field(description="Stable.")
    title: str = Field(description="What a heading says.")
    rule: str = Field(description="Book section or ruling.")


class Tool(ToolName):
    """A question that a game's arithmetic answers."""

    text: str = Field(description="What it answers, in plain words.")
    given_schema: dict[str, Any] = Field(description="JSON Schema (draft 2020-12) of what is to be sent.")
    answer_schema: dict[str, Any] = Field(description="JSON Schema (draft 2020-12) of the answer.")


class Tools(Shown):
    """The questions of a game."""

    items: list[Tool]


class ToolAnswer(Shown):
    """An answer."""

    tool: ToolName
    answer: dict[str, Any] = Field(description="As the tool's `answerSchema` describes it.")


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of tools."""
    router = APIRouter(prefix="/v1/systems/{system}/tools", tags=["tools"])

    @router.get(
        "",
        operation_id="listTools",
        summary="List a game's tools",
        responses=reading(Tools, 404, 422),
    )
    async def several(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LIST))], system: SystemSlug
    ) -> Response:
        """The questions that a game's arithmetic answers, each with what it asks for."""
        found = await graphs.read(viewer, "character.tools", "game", system=system)
        return shown(request, {"items": found}, cache=A_WHILE)

    @router.post(
        "/{tool}",
        operation_id="askTool",
        summary="Ask a tool",
        responses=changing(ToolAnswer, 404, status=200, description="The answer."),
    )
    async def ask(
        viewer: Annotated[Viewer, Depends(door.keyed(LIST))],
        system: SystemSlug,
        tool: Annotated[str, Path(max_length=80, description="Name of the tool.", examples=["spell_cost"])],
        body: Annotated[
            dict[str, Any], Body(description="As the tool's `givenSchema` describes it.", examples=[{}])
        ],
    ) -> Response:
        """Ask a question; every rule that it breaks is named, with its path. Nothing is rolled or kept."""
        answer = await graphs.change(
            viewer, "character.tool", wrapper="given", system=system, name=tool, given=body
        )
        return made(answer, status=200)

    return router
