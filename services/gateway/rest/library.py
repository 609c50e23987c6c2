"""What games offer, to be looked through: ``/v1/systems/{system}`` and ``/v1/systems/{system}/content``."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.rest.answers import A_WHILE, page, shown
from services.gateway.rest.characters import MOST_PACKS, GameSystem
from services.gateway.rest.contract import After, First, Shown, reading
from services.gateway.rest.problems import Refusal, not_found
from services.gateway.rest.subgraphs import Subgraphs
from services.gateway.rest.visitor import LIST, LOOK, Doorkeeper, paged
from services.shared.auth import Viewer
from services.shared.wording import camel

MOST_CONDITIONS = 20
_TESTS = {
    "equals": "equals",
    "one_of": "oneOf",
    "at_least": "atLeast",
    "at_most": "atMost",
    "has": "has",
}
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_ABSENT = frozenset({"SYSTEM_UNKNOWN", "kind_unknown"})

SystemSlug = Annotated[str, Path(max_length=80, description="Slug of the game.", examples=["dungeonteller"])]
KindOfContent = Annotated[
    str,
    Path(max_length=80, description="Kind of content, as the list of kinds names it.", examples=["weapon"]),
]
Where = Annotated[
    list[str] | None,
    Query(
        max_length=MOST_CONDITIONS,
        description="A condition, `field:test:value`; once for each. Tests are `equals`, `one_of` (values "
        "with commas between them), `at_least`, `at_most` and `has`.",
        examples=[["gold:at_most:5", "use:has:BATTLE"]],
    ),
]
PackIds = Annotated[
    list[str] | None,
    Query(
        alias="pack",
        max_length=MOST_PACKS,
        description="Id of a content pack that stands beside the game's own; once for each, in order.",
        examples=[None],
    ),
]


class ExampleCharacter(Shown):
    """A character that comes with a game."""

    key: str = Field(description="Stable within the game.")
    build: dict[str, Any] = Field(description="Its choices, as `build` takes them when a character is made.")


class ExamplePack(Shown):
    """A content pack that comes with a game."""

    key: str = Field(description="Stable within the game.")
    pack: dict[str, Any] = Field(description="What it holds, as `pack` takes it when a pack is kept.")


class Game(GameSystem):
    """A game, with examples to begin from."""

    examples: list[ExampleCharacter]
    example_packs: list[ExamplePack]


class ContentField(Shown):
    """A field that content of a kind can be filtered and ordered by."""

    name: str = Field(description="Its path: `size.speed`.")
    kind: Literal["TEXT", "NUMBER", "FLAG", "WORD", "REFERENCE"]
    many: bool = Field(description="Whether an entry may have several values.")
    optional: bool = Field(description="Whether an entry may have none.")
    values: list[str] = Field(
        description="What it may say: every word of a closed list, or what entries share; empty where each "
        "entry says its own."
    )
    least: float | None = Field(description="Smallest number among the entries.")
    most: float | None = Field(description="Largest number.")


class ContentKind(Shown):
    """A kind of content."""

    kind: str = Field(description="As it stands in content ids.")
    title: str = Field(description="What a heading says.")
    count: int
    fields: list[ContentField]


class ContentKinds(Shown):
    """What kinds of content a game has."""

    system: str
    licence: str = Field(description="Whose game it is, and on what terms it is shown here.")
    kinds: list[ContentKind]


class ContentHit(Shown):
    """Something of a game's content."""

    id: str = Field(examples=["dungeonteller:weapon/longsword"])
    kind: str
    name: str
    text: str = Field(description="What it is, in plain words; empty where the game does not say.")
    data: dict[str, Any] = Field(description="All that it says.")


class ContentEntry(ContentHit):
    """One thing of a game's content."""

    system: str
    licence: str = Field(description="Whose game it is, and on what terms it is shown here.")


class ContentPage(Shown):
    """One page of content."""

    items: list[ContentHit]
    next: str | None = Field(description="Ask for the next page with `after` set to this; null at the end.")
    total: int = Field(description="How many fit in all.")
    licence: str = Field(description="Whose game it is, and on what terms it is shown here.")


def routes(door: Doorkeeper, graphs: Subgraphs) -> APIRouter:
    """Make the paths of what games offer."""
    router = APIRouter(prefix="/v1/systems/{system}", tags=["content"])
    _add_kinds(router, door, graphs)
    _add_content(router, door, graphs)
    return router


def _add_kinds(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "",
        operation_id="getSystem",
        summary="Read about a game",
        tags=["characters"],
        responses=reading(Game, 404, 422),
    )
    async def one(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LOOK))], system: SystemSlug
    ) -> Response:
        """A game that characters can be made for, with characters and content packs to begin from."""
        found = await graphs.read(viewer, "character.system", "game", slug=system)
        member = camel(found["slug"])
        found["examples"] = [
            {"key": example["key"], "build": {member: example["choices"]["json"]}}
            for example in found["examples"]
        ]
        found["examplePacks"] = [
            {"key": example["key"], "pack": {member: example["content"]["json"]}}
            for example in found["examplePacks"]
        ]
        return shown(request, found, cache=A_WHILE)

    @router.get(
        "/content",
        operation_id="listContentKinds",
        summary="List kinds of content",
        responses=reading(ContentKinds, 404, 422),
    )
    async def kinds(
        request: Request, viewer: Annotated[Viewer, Depends(door.keyed(LIST))], system: SystemSlug
    ) -> Response:
        """The kinds of a game's content, with the fields that each can be filtered and ordered by."""
        found = await graphs.read(viewer, "character.contentKinds", "game", system=system)
        return shown(request, found, cache=A_WHILE)


def _add_content(router: APIRouter, door: Doorkeeper, graphs: Subgraphs) -> None:
    @router.get(
        "/content/{kind}",
        operation_id="findContent",
        summary="Look through content",
        responses=reading(ContentPage, 404, 422, description="A page of what fits."),
    )
    async def several(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(paged))],
        system: SystemSlug,
        kind: KindOfContent,
        search: Annotated[
            str | None,
            Query(
                max_length=200,
                description="Words, each of which must begin a word of the entry.",
                examples=[None],
            ),
        ] = None,
        where: Where = None,
        order: Annotated[
            str | None,
            Query(
                max_length=200,
                description="`name`, `book`, `relevance` or a field, with `-` before it for the other way "
                "round.",
                examples=["name"],
            ),
        ] = None,
        first: First = 20,
        after: After = None,
        packs: PackIds = None,
    ) -> Response:
        """What fits of a game's content, or of a table's own beside it: by words, by fields, in any order."""
        try:
            found = await graphs.change(
                viewer,
                "character.content",
                wrapper=(("orderBy",), ("order",)),
                system=system,
                kind=kind,
                search=search,
                where=_conditions(where or ()),
                orderBy=order,
                first=first,
                after=after,
                packs=packs,
            )
        except Refusal as refusal:
            codes = {found["code"] for found in refusal.more.get("issues", ())}
            raise (not_found("kind of content") if codes & _ABSENT else refusal) from refusal
        told = {**page(found), "total": found["total"], "licence": found["licence"]}
        return shown(request, told, cache=A_WHILE) if not packs else shown(request, told)

    @router.get(
        "/content/{kind}/{slug}",
        operation_id="getContent",
        summary="Read something of a game's content",
        responses=reading(ContentEntry, 404, 422),
    )
    async def one(
        request: Request,
        viewer: Annotated[Viewer, Depends(door.keyed(LOOK))],
        system: SystemSlug,
        kind: KindOfContent,
        slug: Annotated[
            str, Path(max_length=120, description="Last part of its id.", examples=["longsword"])
        ],
    ) -> Response:
        """One thing of a game's content, with all that it says."""
        found = await graphs.read(viewer, "character.contentEntry", "content", id=f"{system}:{kind}/{slug}")
        return shown(request, found, cache=A_WHILE)


def _conditions(given: Sequence[str]) -> list[dict[str, Any]]:
    """Read ``gold:at_most:5``.

    Raises:
        Refusal: something else is given.
    """
    found: list[dict[str, Any]] = []
    issues: list[dict[str, Any]] = []
    for place, text in enumerate(given):
        field, _, rest = text.partition(":")
        test, colon, value = rest.partition(":")
        if not field or not colon or test not in _TESTS:
            issues.append(
                {
                    "code": "BAD_CONDITION",
                    "message": "A condition is written `field:test:value`.",
                    "path": ["where", str(place)],
                    "found": text[:120],
                    "allowed": ", ".join(_TESTS),
                }
            )
            continue
        found.append({"field": field, _TESTS[test]: _value(test, value)})
    if issues:
        raise Refusal("INVALID_INPUT", issues[0]["message"], path=issues[0]["path"], issues=issues)
    return found


def _value(test: str, text: str) -> Any:
    if test == "one_of":
        return text.split(",")
    if test in ("at_least", "at_most") and _NUMBER.fullmatch(text):
        return float(text)
    # What is no number where one belongs is told by the graph.
    return text
