"""The games' tools in the graph: a field for each game that has some, with a typed field for each tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

import strawberry
from strawberry.scalars import JSON

from services.character.context import CharacterInfo
from services.character.packs import schemas, tasks, tools
from services.character.packs.editions import Cost
from services.character.packs.graphql.arguments import BesidePacks, System, pack_ids
from services.character.packs.graphql.systems import NAMING
from services.character.packs.library import form
from services.rules.engine.system import AnySystem
from services.rules.engine.tools import AnyTool
from services.shared.graphql.changes import question, result
from services.shared.graphql.problems import shown
from services.shared.graphql.reading import read_input
from services.shared.graphql.reflection import prefix_of
from services.shared.graphql.schema import HouseSchema
from services.shared.mirror import mirror, mirror_input, to_domain
from services.shared.problems import InvalidInput, NotFound, Unavailable
from services.shared.wording import with_nearest

ASKING = Cost(alone=10.0, per_entry=0.001)


@strawberry.type(description="A question that a game's own arithmetic answers.")
class GameTool:
    """Ask it with `tool`, or typed by way of its game's own field."""

    system: str = strawberry.field(description="Slug of the game system.")
    name: str = strawberry.field(description="Stable; in camel case the field of the game's tools.")
    title: str = strawberry.field(description="What a heading says.")
    text: str = strawberry.field(description="What it answers, in plain words.")
    rule: str = strawberry.field(description="Book section or ruling.")
    own: strawberry.Private[AnyTool]

    @strawberry.field(description="JSON Schema (draft 2020-12) of what is to be given.")
    def given_schema(self) -> JSON:
        """Give the schema of the question."""
        return JSON(schemas.given_schema(self.own))

    @strawberry.field(description="JSON Schema (draft 2020-12) of the answer.")
    def answer_schema(self) -> JSON:
        """Give the schema of the answer."""
        return JSON(schemas.answer_schema(self.own))

    @classmethod
    def of(cls, system: AnySystem, tool: AnyTool) -> "GameTool":
        """Show a tool."""
        return cls(
            system=system.slug, name=tool.name, title=tool.title, text=tool.text, rule=tool.rule, own=tool
        )


@strawberry.type(description="What a tool answers, as JSON.")
class ToolAnswer:
    """The answer to a question that was sent as JSON."""

    tool: GameTool = strawberry.field(description="The tool that was asked.")
    answer: JSON = strawberry.field(description="In the form that the tool's `answerSchema` describes.")


@dataclass(frozen=True, slots=True)
class _Asking:
    """Whose tools are asked.

    Attributes:
        packs: ids of the packs that stand beside the game's own content.
    """

    packs: list[strawberry.ID] | None


@strawberry.type
class ToolQuery:
    """Asking games about their arithmetic."""

    @strawberry.field(description="The questions that a game's arithmetic answers; null for no such game.")
    def tools(self, info: CharacterInfo, system: System) -> list[GameTool] | None:
        """List the tools of a game."""
        info.context.signed_in()
        game = info.context.service.systems.get(system)
        return None if game is None else [GameTool.of(game, tool) for tool in game.tools]

    @question(InvalidInput, NotFound, Unavailable)
    async def tool(
        self,
        info: CharacterInfo,
        system: System,
        name: Annotated[str, strawberry.argument(description="Of the tool, as `tools` lists it.")],
        given: Annotated[
            JSON, strawberry.argument(description="In the form that the tool's `givenSchema` describes.")
        ],
        packs: BesidePacks = None,
    ) -> ToolAnswer:
        """Ask a tool with JSON; typed, it is a field of its game."""
        viewer, use_cases = info.context.signed_in(), info.context.service
        game = use_cases.systems.get(system)
        tool = None if game is None else tools.tool_of(game, name)
        if game is None or tool is None:
            known = [] if game is None else [one.name for one in game.tools]
            raise NotFound("NOT_FOUND", with_nearest("There is no such tool.", name, known), ["name"])
        sent = read_input(cast(HouseSchema, info.schema), mirror_input(tool.given), given, [tools.GIVEN])
        answer = await use_cases.packs.ask(
            viewer, system, pack_ids(packs), ASKING, tasks.answered, name, sent
        )
        return ToolAnswer(tool=GameTool.of(game, tool), answer=JSON(form(answer)))


def with_tools(root: type, found: Mapping[str, AnySystem]) -> type:
    """Give a root of queries that has a field for each game with tools beside its own.

    Args:
        root: a Strawberry type.
        found: the games that can be played, by slug.

    Raises:
        TypeError: a tool asks for, or answers, something that has no GraphQL form.
    """
    fields = {slug: _field(system) for slug, system in found.items() if system.tools}
    return strawberry.type(type(root.__name__, (root,), fields)) if fields else root


def _field(system: AnySystem) -> Any:
    kind = _tools_type(system)

    def resolve(info: CharacterInfo, packs: BesidePacks = None) -> Any:
        info.context.signed_in()
        return kind(asking=_Asking(packs))

    resolve.__annotations__ = {"info": CharacterInfo, "packs": BesidePacks, "return": kind}
    return strawberry.field(resolver=resolve, description=f"What the arithmetic of {system.name} answers.")


def _tools_type(system: AnySystem) -> Any:
    prefix = prefix_of(system.slug, system.name)
    fields = {tool.name: _tool_field(system, tool, prefix) for tool in system.tools}
    own = {"__annotations__": {"asking": strawberry.Private[_Asking]}}
    description = f"Questions that the arithmetic of {system.name} answers; nothing is rolled or kept."
    return strawberry.type(type(f"{prefix}Tools", (), {**own, **fields}), description=description)


def _tool_field(system: AnySystem, tool: AnyTool, prefix: str) -> Any:
    roots = (system.sheet, system.choices, type(system.content))
    NAMING.name_whole(tool.given, prefix, roots=roots, inputs=True)
    NAMING.name_whole(tool.answer, prefix, roots=roots)
    description = f"{tool.title}. {tool.text} ({tool.rule})"
    given_kind: Any = mirror_input(tool.given)
    sent: Any = Annotated[given_kind, strawberry.argument(description="What the tool is asked.")]
    name = f"{prefix}{prefix_of(tool.name)}Result"
    problems = (InvalidInput, Unavailable)

    async def resolve(root: Any, info: CharacterInfo, given: Any) -> Any:
        viewer, asking = info.context.signed_in(), tasks.answered
        packs = pack_ids(root.asking.packs)
        try:
            return await info.context.service.packs.ask(
                viewer, system.slug, packs, ASKING, asking, tool.name, to_domain(given)
            )
        except problems as refused:
            return shown(refused)

    resolve.__annotations__ = {
        "root": Any,
        "info": CharacterInfo,
        "given": sent,
        "return": result(name, mirror(tool.answer), problems),
    }
    return strawberry.field(resolver=resolve, description=description)
