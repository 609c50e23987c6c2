"""A table's own words in the graph: its dice, its saved rolls, whose notation it writes."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry import argument

from services.dice.context import CampaignId, DiceInfo, DiceUseCases
from services.dice.library.dice import TableDie
from services.dice.library.macros import Macro
from services.dice.library.requests import (
    ChangeDie,
    CreateMacro,
    DefineDie,
    DeleteMacro,
    ForgetDie,
    SetDiceDialect,
    UpdateMacro,
)
from services.dice.library.settings import DiceSettings
from services.dice.rolls.graphql.types import Account
from services.rules.dice.notation import Dialect
from services.rules.dice.pool import Face
from services.shared.graphql.changes import Call, change
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.features import Feature
from services.shared.graphql.pages import After, Connection, First, connect
from services.shared.mirror import mirror, mirror_input
from services.shared.pagination import DEFAULT_PAGE, decode_cursor, page_size
from services.shared.problems import VersionConflict

DiceDialect = mirror_enum(Dialect, "DiceDialect")
DieFace = mirror(Face, name="DieFace")
mirror_input(Face, name="DieFaceInput")


@strawberry.type(name="TableDie", description="A die of a table's own; roll it by name: `3dboon`.")
class TableDieType:
    """Rolls keep the faces they were made with."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    name: str = strawberry.field(description="What the notation calls it behind the `d`.")
    faces: list[DieFace] = strawberry.field(description="In order; each comes as often as any other.")  # type: ignore[valid-type]
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    created_at: datetime = strawberry.field(description="When it was defined.")
    by: Account | None = strawberry.field(description="Who defined it.")

    @classmethod
    def of(cls, die: TableDie) -> "TableDieType":
        """Show a die."""
        return cls(
            id=strawberry.ID(die.id),
            name=die.name,
            faces=list(die.faces),
            version=die.version,
            created_at=die.created_at,
            by=Account(id=strawberry.ID(die.created_by)),
        )


@strawberry.type(description="A variable of a saved roll.")
class MacroVariable:
    """Written `@name` in the expression."""

    name: str = strawberry.field(description="Without its `@`, in small letters.")
    value: int | None = strawberry.field(
        description="What it is where neither the request nor the sheet says; null = one of them must say."
    )


@strawberry.type(name="Macro", description="A saved roll: roll it with `roll(input: {macroId: ...})`.")
class MacroType:
    """One's own, or shared at a table."""

    id: strawberry.ID = strawberry.field(description="Its id.")
    name: str = strawberry.field(description="One of a kind at its place.")
    expression: str = strawberry.field(description="As it was written, in its dialect.")
    dialect: DiceDialect = strawberry.field(description="Whose notation it is written in.")  # type: ignore[valid-type]
    variables: list[MacroVariable] = strawberry.field(description="In the order written.")
    label: str | None = strawberry.field(
        description="What a roll of it is for; its name where there is none."
    )
    shared: bool = strawberry.field(description="Whether everyone at a table sees it.")
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    created_at: datetime = strawberry.field(description="When it was saved.")
    by: Account | None = strawberry.field(description="Who made it.")

    @classmethod
    def of(cls, macro: Macro) -> "MacroType":
        """Show a saved roll."""
        return cls(
            id=strawberry.ID(macro.id),
            name=macro.name,
            expression=macro.expression,
            dialect=macro.dialect,
            variables=[MacroVariable(name=name, value=macro.variables.get(name)) for name in macro.names],
            label=macro.label,
            shared=macro.campaign is not None,
            version=macro.version,
            created_at=macro.created_at,
            by=Account(id=strawberry.ID(macro.account)),
        )


@strawberry.type(name="DiceSettings", description="What a table has chosen about its dice.")
class DiceSettingsType:
    """Holds for rolls that do not say otherwise."""

    dialect: DiceDialect = strawberry.field(description="Whose notation is written there.")  # type: ignore[valid-type]
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")

    @classmethod
    def of(cls, settings: DiceSettings) -> "DiceSettingsType":
        """Show settings."""
        return cls(dialect=settings.dialect, version=settings.version)


@strawberry.type(description="Here is the die as it is now.")
class DieSaved:
    """The answer of what makes or changes a die."""

    die: TableDieType = strawberry.field(description="The die.")

    @classmethod
    def of(cls, die: TableDie) -> "DieSaved":
        """Show the die."""
        return cls(die=TableDieType.of(die))


@strawberry.type(description="The die is forgotten; rolls made with it keep it.")
class DieForgotten:
    """The answer of ``forgetDie``."""

    id: strawberry.ID = strawberry.field(description="Of the die that was.")


@strawberry.type(description="Here is the saved roll as it is now.")
class MacroSaved:
    """The answer of what makes or changes a saved roll."""

    macro: MacroType = strawberry.field(description="The saved roll.")

    @classmethod
    def of(cls, macro: Macro) -> "MacroSaved":
        """Show the saved roll."""
        return cls(macro=MacroType.of(macro))


@strawberry.type(description="The saved roll is gone.")
class MacroDeleted:
    """The answer of ``deleteMacro``."""

    id: strawberry.ID = strawberry.field(description="Of the saved roll that was.")


@strawberry.type(description="Here are the settings as they are now.")
class DiceSettingsSaved:
    """The answer of what changes settings."""

    settings: DiceSettingsType = strawberry.field(description="The settings.")


@strawberry.type
class LibraryQuery:
    """What can be asked about a table's own words."""

    @strawberry.field(
        description="The dice of a table's own, by name; without a campaign, your own. Null for a campaign "
        "that you are no member of."
    )
    async def table_dice(self, info: DiceInfo, campaign_id: CampaignId = None) -> list[TableDieType] | None:
        """Return the dice of a place."""
        viewer = info.context.signed_in()
        found = await info.context.service.library.dice.at(viewer, campaign_id)
        return None if found is None else [TableDieType.of(die) for die in found]

    @strawberry.field(description="A saved roll that you may see.")
    async def macro(
        self, info: DiceInfo, id: Annotated[strawberry.ID, argument(description="Of the saved roll.")]
    ) -> MacroType | None:
        """Return one saved roll."""
        viewer = info.context.signed_in()
        found = await info.context.service.library.macro(viewer, id)
        return None if found is None else MacroType.of(found)

    @strawberry.field(
        description="The saved rolls of a table, oldest first; without a campaign, your own. Null for a "
        "campaign that you are no member of."
    )
    async def macros(
        self,
        info: DiceInfo,
        campaign_id: CampaignId = None,
        first: First = DEFAULT_PAGE,
        after: After = None,
    ) -> Connection[MacroType] | None:
        """Return a page of saved rolls."""
        viewer = info.context.signed_in()
        size, behind = page_size(first), None if after is None else decode_cursor(after, "mac")
        page = await info.context.service.library.macros.page(viewer, campaign_id, first=size, after=behind)
        return None if page is None else connect(page, lambda macro: macro.id, MacroType.of)

    @strawberry.field(
        description="What a table has chosen about its dice; without a campaign, you. Null for a campaign "
        "that you are no member of."
    )
    async def dice_settings(self, info: DiceInfo, campaign_id: CampaignId = None) -> DiceSettingsType | None:
        """Return the settings of a place."""
        viewer = info.context.signed_in()
        found = await info.context.service.library.settings.at(viewer, campaign_id)
        return None if found is None else DiceSettingsType.of(found)


@strawberry.type
class LibraryMutation:
    """What can be done about a table's own words."""

    @change()
    async def define_die(call: Call[DiceUseCases], asked: DefineDie) -> DieSaved:
        """Define a die with faces of its own (GM), or else for yourself."""
        return DieSaved.of(await call.service.library.dice.define(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def change_die(call: Call[DiceUseCases], asked: ChangeDie) -> DieSaved:
        """Give a die other faces (GM, or its owner); rolls made before keep theirs."""
        return DieSaved.of(await call.service.library.dice.change(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def forget_die(call: Call[DiceUseCases], asked: ForgetDie) -> DieForgotten:
        """Forget a die (GM, or its owner); rolls made before keep it."""
        return DieForgotten(
            id=strawberry.ID(await call.service.library.dice.forget(call.viewer, asked, call.key))
        )

    @change()
    async def create_macro(call: Call[DiceUseCases], asked: CreateMacro) -> MacroSaved:
        """Save a roll, for yourself or (GMs and players) for a table."""
        return MacroSaved.of(await call.service.library.macros.create(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def update_macro(call: Call[DiceUseCases], asked: UpdateMacro) -> MacroSaved:
        """Change a saved roll (who made it, or a GM)."""
        return MacroSaved.of(await call.service.library.macros.update(call.viewer, asked, call.key))

    @change(VersionConflict)
    async def delete_macro(call: Call[DiceUseCases], asked: DeleteMacro) -> MacroDeleted:
        """Delete a saved roll (who made it, or a GM)."""
        return MacroDeleted(
            id=strawberry.ID(await call.service.library.macros.delete(call.viewer, asked, call.key))
        )

    @change(VersionConflict)
    async def set_dice_dialect(call: Call[DiceUseCases], asked: SetDiceDialect) -> DiceSettingsSaved:
        """Choose whose notation a table writes (GM), or else you yourself."""
        saved = await call.service.library.settings.set_dialect(call.viewer, asked, call.key)
        return DiceSettingsSaved(settings=DiceSettingsType.of(saved))


FEATURE = Feature(query=LibraryQuery, mutation=LibraryMutation)
