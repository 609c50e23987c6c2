"""What characters gain between sessions: ``/v1/characters/{character}/rewards``."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from pydantic import ConfigDict, Field, JsonValue
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import made, shown
from services.gateway.rest.characters import Character, CharacterId
from services.gateway.rest.contract import Asked, Shown, Whole, changing, reading
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LOOK, WRITE, Doorkeeper
from services.shared.auth import Viewer
from services.shared.wording import camel

REWARD_EXAMPLE: dict[str, JsonValue] = {"dungeonteller": {"session": 1, "kind": "DIE", "action": "SNEAK"}}
# The graph calls it by its kind; here it stands in the path.
OWN = (("characterId",), ("id",))

Index = Annotated[
    int,
    Path(ge=0, le=2**31 - 1, description="Place of the waiting reward among the character's.", examples=[0]),
]


class NewReward(Asked):
    """A reward to be proposed."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1, "reward": REWARD_EXAMPLE}]})

    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")
    reward: dict[str, Any] = Field(
        min_length=1,
        max_length=1,
        description="One member: the game, with its reward, as the graph's `RewardProposal`; an offer's "
        "`reward` with what is left empty written out.",
    )


class Verdict(Asked):
    """A reward is decided about."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 2}]})

    version: Whole = Field(ge=1, le=2**31 - 1, description="The version you saw.")


class RewardOffer(Shown):
    """A reward that could be proposed next."""

    text: str = Field(description="What it would give, in plain words.")
    reward: dict[str, Any] = Field(description="One member: the game, with its reward.")


class Reward(RewardOffer):
    """A reward, approved or waiting."""

    index: int = Field(description="Its place, from 0: what approval and refusal name.")
    approved: bool = Field(description="Until it is approved, it gives nothing.")


class Rewards(Shown):
    """The rewards of a character."""

    version: int = Field(description="Of the character; edits name the one they saw.")
    items: list[Reward] = Field(description="In the order they were proposed.")
    offers: list[RewardOffer] = Field(description="What its player could propose next.")


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of rewards."""
    router = APIRouter(prefix="/v1/characters/{character}/rewards", tags=["characters"])
    _add_proposing(router, door, graphs)
    _add_deciding(router, door, graphs)
    return router


def _add_proposing(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "",
        operation_id="listRewards",
        summary="Read a character's rewards",
        responses=reading(Rewards, 404),
    )
    async def several(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], character: CharacterId
    ) -> Response:
        """What it gained between sessions, and what its player could propose next."""
        found = await graphs.read(viewer, "character.characterRewards", "character", id=character)
        game = camel(found["system"])
        told = {
            "version": found["version"],
            "items": [{**line, "reward": {game: line["reward"]["json"]}} for line in found["rewards"]],
            "offers": [{**line, "reward": {game: line["reward"]["json"]}} for line in found["offers"]],
        }
        return shown(request, told)

    @router.post(
        "",
        operation_id="proposeReward",
        summary="Propose a reward",
        status_code=201,
        responses=changing(Character, 404, 409, description="It waits for approval."),
    )
    async def propose(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))], character: CharacterId, body: NewReward
    ) -> Response:
        """Propose a reward for your character. It waits, and gives nothing, until it is approved."""
        return made(
            await graphs.change(
                viewer,
                "character.proposeReward",
                wrapper=OWN,
                characterId=character,
                version=body.version,
                reward=body.reward,
            )
        )


def _add_deciding(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.post(
        "/{index}/approve",
        operation_id="approveReward",
        summary="Approve a reward",
        responses=changing(Character, 404, 409, status=200, description="It is approved."),
    )
    async def approve(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        character: CharacterId,
        index: Index,
        body: Verdict,
    ) -> Response:
        """Approve a waiting reward of a character at a table of yours (GM)."""
        given = {"characterId": character, "version": body.version, "index": index}
        return made(await graphs.change(viewer, "character.approveReward", wrapper=OWN, **given), status=200)

    @router.post(
        "/{index}/refuse",
        operation_id="refuseReward",
        summary="Refuse a reward",
        responses=changing(Character, 404, 409, status=200, description="It is gone."),
    )
    async def refuse(
        viewer: Annotated[Viewer, Depends(door.keyed(WRITE))],
        character: CharacterId,
        index: Index,
        body: Verdict,
    ) -> Response:
        """Refuse a waiting reward of a character at a table of yours (GM): it is gone."""
        given = {"characterId": character, "version": body.version, "index": index}
        return made(await graphs.change(viewer, "character.refuseReward", wrapper=OWN, **given), status=200)
