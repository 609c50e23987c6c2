"""What became of characters, and taking it back: ``/v1/characters/{character}/history`` and ``.../undo``."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends
from pydantic import ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import made, page, shown
from services.gateway.rest.characters import Character, CharacterId
from services.gateway.rest.contract import (
    After,
    Asked,
    First,
    Listed,
    Ref,
    Shown,
    Version,
    Whole,
    changing,
    reading,
)
from services.gateway.rest.problems import not_found
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import WRITE, Doorkeeper, paged
from services.shared.auth import Viewer


class PackOfCharacter(Shown):
    """A content pack that a character is built under."""

    id: str
    name: str = Field(description="What it was called then.")
    version: int
    outdated: bool = Field(description="Whether there is a newer version by now.")


class CharacterChange(Shown):
    """A value of the choices that an edit changed."""

    kind: Literal["ADDED", "REMOVED", "CHANGED"]
    path: list[str] = Field(description="Where it stands; of what was removed, where it stood.")
    before: str | None = Field(description="What it was, as JSON, cut after 200 characters.")
    after: str | None = Field(description="What it is, likewise.")


class CharacterHistoryLine(Shown):
    """One edit of a character."""

    version: int = Field(description="The version that came of it; `undo` takes it as `to`.")
    at: datetime
    by: Ref | None = Field(description="Who did it; null for a scene, and where the history begins.")
    what: Literal["CREATED", "KEPT", "EDITED", "PROPOSED", "APPROVED", "REFUSED", "SCENE", "UNDONE"]
    text: str = Field(description="The same in plain words.")
    name: str = Field(description="What the character was called.")
    packs: list[PackOfCharacter]
    changes: list[CharacterChange] = Field(
        description="How the choices differ from the version before, up to 200."
    )
    more_changes: bool = Field(description="Whether there are more than those.")


class UndoneEdit(Asked):
    """Where to take a character back to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 3}]})

    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")
    to: Version | None = Field(None, description="The version to go back to; the one before without it.")


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of histories."""
    router = APIRouter(prefix="/v1/characters", tags=["characters"])

    @router.get(
        "/{character}/history",
        operation_id="getCharacterHistory",
        summary="Read what became of a character",
        responses=reading(Listed[CharacterHistoryLine], 404, 422, description="A page, newest first."),
    )
    async def history(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        character: CharacterId,
        first: First = 20,
        after: After = None,
    ) -> Response:
        """The edits of a character of yours, or of one that sits at a table which you run."""
        found = await graphs.read(
            viewer, "character.history", "character", id=character, first=first, after=after
        )
        if found["history"] is None:
            raise not_found("history")
        return shown(request, page(found["history"]))

    @router.post(
        "/{character}/undo",
        operation_id="undoCharacterEdit",
        summary="Take a character back to what it was",
        responses=changing(Character, 404, 409, status=200, description="The character as it is now."),
    )
    async def undo(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], character: CharacterId, body: UndoneEdit
    ) -> Response:
        """Undo edits of a character of yours, or of one at your table; that is an edit as well.

        At a table that somebody else runs, a reward that is not approved now waits.
        """
        found = await graphs.change(
            viewer, "character.undoCharacterEdit", characterId=character, version=body.version, to=body.to
        )
        return made(found, status=200)

    return router
