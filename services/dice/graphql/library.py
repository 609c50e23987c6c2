"""A table's own words in the graph: its dice, its saved rolls, whose notation it writes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Protocol, TypeVar

import strawberry
from strawberry.types import Info

from services.dice.graphql.types import Account
from services.dice.library.dice import NewDie, TableDie
from services.dice.library.macros import Edit, Macro, NewMacro, plain_name
from services.dice.library.service import Library
from services.dice.library.settings import DiceSettings
from services.rules.dice.notation import Dialect
from services.rules.dice.pool import Face
from services.shared.context import Context
from services.shared.graphql.enums import mirror_enum
from services.shared.graphql.errors import PublicError
from services.shared.idempotency import checked_key
from services.shared.mirror import mirror, mirror_input, to_domain
from services.shared.pagination import DEFAULT_PAGE, Connection, connect, decode_cursor, page_size
from services.shared.peers import PeerUnavailable
from services.shared.problems import (
    Forbidden,
    IdempotencyConflict,
    InvalidInput,
    NotFound,
    Unavailable,
    VersionConflict,
)

DiceDialect = mirror_enum(Dialect, "DiceDialect")
DieFace = mirror(Face, name="DieFace")
DieFaceInput = mirror_input(Face, name="DieFaceInput")

P = TypeVar("P")


class HasLibrary(Protocol):
    """What the resolvers here are handed."""

    @property
    def library(self) -> Library:
        """Give the use cases of a table's own words."""


LibraryInfo = Info[Context[HasLibrary], None]


@strawberry.type(name="TableDie", description="A die of a table's own; roll it by name: `3dboon`.")
class TableDieType:
    """Rolls keep the faces they were made with."""

    id: strawberry.ID
    name: str = strawberry.field(description="What the notation calls it behind the `d`.")
    faces: list[DieFace] = strawberry.field(description="In order; each comes as often as any other.")  # type: ignore[valid-type]
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    created_at: datetime
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

    name: str
    value: int | None = strawberry.field(
        description="What it is where neither the request nor the sheet says; null = one of them must say."
    )


@strawberry.input(description="What a variable of a saved roll is where nothing else says so.")
class MacroVariableInput:
    """The `@` may be left out."""

    name: str
    value: int


@strawberry.type(name="Macro", description="A saved roll: roll it with `roll(input: {macroId: ...})`.")
class MacroType:
    """One's own, or shared at a table."""

    id: strawberry.ID
    name: str = strawberry.field(description="One of a kind at its place.")
    expression: str = strawberry.field(description="As it was written, in its dialect.")
    dialect: DiceDialect  # type: ignore[valid-type]
    variables: list[MacroVariable] = strawberry.field(description="In the order written.")
    label: str | None = strawberry.field(
        description="What a roll of it is for; its name where there is none."
    )
    shared: bool = strawberry.field(description="Whether everyone at a table sees it.")
    version: int = strawberry.field(description="Counts the edits, from 1; edits name the one they saw.")
    created_at: datetime
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


@strawberry.input(description="A die to be defined.")
class DefineDieInput:
    """For a table by its GM, or for yourself."""

    name: str = strawberry.field(
        description="What the notation calls it behind the `d`: 3 to 40 characters, small letters and `_`, "
        "no word of the notation."
    )
    faces: list[DieFaceInput] = strawberry.field(  # type: ignore[valid-type]
        description="1 to 1,000, with labels of 1 to 20 characters and values within a million."
    )
    campaign_id: strawberry.ID | None = strawberry.field(
        default=None, description="At whose table; without one it is your own."
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key gives the same die for 24 hours."
    )


@strawberry.input(description="A roll to be saved.")
class CreateMacroInput:
    """For a table by anyone who plays there, or for yourself."""

    name: str = strawberry.field(description="1 to 80 characters, one of a kind at its place.")
    expression: str = strawberry.field(description="Dice notation, with `@variables` or without.")
    variables: list[MacroVariableInput] = strawberry.field(
        default_factory=list,
        description="Defaults of variables; others are filled in when it is rolled.",
    )
    label: str | None = strawberry.field(
        default=None, description="What a roll of it is for, up to 120 characters."
    )
    dialect: DiceDialect | None = strawberry.field(  # type: ignore[valid-type]
        default=None, description="Whose notation it is; the place's own setting without it."
    )
    campaign_id: strawberry.ID | None = strawberry.field(
        default=None, description="At whose table it is shared; without one it is your own."
    )
    idempotency_key: str | None = strawberry.field(
        default=None, description="The same key saves the same roll for 24 hours."
    )


@strawberry.input(description="What to change about a saved roll.")
class UpdateMacroInput:
    """What is left out stays as it is."""

    id: strawberry.ID
    version: int = strawberry.field(description="The version you saw.")
    name: str | None = None
    expression: str | None = None
    variables: list[MacroVariableInput] | None = strawberry.field(
        default=None, description="All defaults anew."
    )
    label: str | None = strawberry.field(default=None, description="An empty one takes it away.")
    dialect: DiceDialect | None = None  # type: ignore[valid-type]


@strawberry.type(description="Here is the die as it is now.")
class DieSaved:
    """The answer of what makes or changes a die."""

    die: TableDieType


@strawberry.type(description="The die is forgotten; rolls made with it keep it.")
class DieForgotten:
    """The answer of ``forgetDie``."""

    id: strawberry.ID


@strawberry.type(description="Here is the saved roll as it is now.")
class MacroSaved:
    """The answer of what makes or changes a saved roll."""

    macro: MacroType


@strawberry.type(description="The saved roll is gone.")
class MacroDeleted:
    """The answer of ``deleteMacro``."""

    id: strawberry.ID


@strawberry.type(description="Here are the settings as they are now.")
class DiceSettingsSaved:
    """The answer of what changes settings."""

    settings: DiceSettingsType


DefineDieResult = Annotated[
    DieSaved | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("DefineDieResult"),
]
ChangeDieResult = Annotated[
    DieSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("ChangeDieResult"),
]
ForgetDieResult = Annotated[
    DieForgotten | NotFound | Forbidden | VersionConflict | Unavailable, strawberry.union("ForgetDieResult")
]
CreateMacroResult = Annotated[
    MacroSaved | InvalidInput | NotFound | Forbidden | IdempotencyConflict | Unavailable,
    strawberry.union("CreateMacroResult"),
]
UpdateMacroResult = Annotated[
    MacroSaved | InvalidInput | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("UpdateMacroResult"),
]
DeleteMacroResult = Annotated[
    MacroDeleted | NotFound | Forbidden | VersionConflict | Unavailable, strawberry.union("DeleteMacroResult")
]
SetDiceDialectResult = Annotated[
    DiceSettingsSaved | NotFound | Forbidden | VersionConflict | Unavailable,
    strawberry.union("SetDiceDialectResult"),
]


@strawberry.type
class LibraryQuery:
    """What can be asked about a table's own words."""

    @strawberry.field(
        description="The dice of a table's own, by name; without a campaign, your own. Null for a campaign "
        "that you are no member of."
    )
    async def table_dice(
        self, info: LibraryInfo, campaign_id: strawberry.ID | None = None
    ) -> list[TableDieType] | None:
        """Give the dice of a place."""
        viewer = info.context.signed_in()
        with _reaching():
            found = await info.context.service.library.dice.at(viewer, campaign_id)
        return None if found is None else [TableDieType.of(die) for die in found]

    @strawberry.field(description="A saved roll that you may see.")
    async def macro(self, info: LibraryInfo, id: strawberry.ID) -> MacroType | None:
        """Give one saved roll."""
        viewer = info.context.signed_in()
        with _reaching():
            found = await info.context.service.library.macro(viewer, id)
        return None if found is None else MacroType.of(found)

    @strawberry.field(
        description="The saved rolls of a table, oldest first; without a campaign, your own. Null for a "
        "campaign that you are no member of."
    )
    async def macros(
        self,
        info: LibraryInfo,
        campaign_id: strawberry.ID | None = None,
        first: int = DEFAULT_PAGE,
        after: str | None = None,
    ) -> Connection[MacroType] | None:
        """Give a page of saved rolls."""
        viewer = info.context.signed_in()
        size, behind = page_size(first), None if after is None else decode_cursor(after, "mac")
        with _reaching():
            page = await info.context.service.library.macros.page(
                viewer, campaign_id, first=size, after=behind
            )
        return None if page is None else connect(page, lambda macro: macro.id, MacroType.of)

    @strawberry.field(
        description="What a table has chosen about its dice; without a campaign, you. Null for a campaign "
        "that you are no member of."
    )
    async def dice_settings(
        self, info: LibraryInfo, campaign_id: strawberry.ID | None = None
    ) -> DiceSettingsType | None:
        """Give the settings of a place."""
        viewer = info.context.signed_in()
        with _reaching():
            found = await info.context.service.library.settings.at(viewer, campaign_id)
        return None if found is None else DiceSettingsType.of(found)


@strawberry.type
class LibraryMutation:
    """What can be done about a table's own words."""

    @strawberry.mutation(description="Define a die with faces of its own (GM), or else for yourself.")
    async def define_die(self, info: LibraryInfo, input: DefineDieInput) -> DefineDieResult:
        """Define a die."""
        viewer = info.context.signed_in("write")
        new = NewDie(
            input.name, to_domain(input.faces), input.campaign_id, checked_key(input.idempotency_key)
        )
        return _die(await info.context.service.library.dice.define(viewer, new))

    @strawberry.mutation(
        description="Give a die other faces (GM, or its owner); rolls made before keep theirs."
    )
    async def change_die(
        self,
        info: LibraryInfo,
        id: strawberry.ID,
        version: int,
        faces: list[DieFaceInput],  # type: ignore[valid-type]
    ) -> ChangeDieResult:
        """Change a die."""
        viewer = info.context.signed_in("write")
        return _die(await info.context.service.library.dice.change(viewer, id, version, to_domain(faces)))

    @strawberry.mutation(description="Forget a die (GM, or its owner); rolls made before keep it.")
    async def forget_die(self, info: LibraryInfo, id: strawberry.ID, version: int) -> ForgetDieResult:
        """Forget a die."""
        viewer = info.context.signed_in("write")
        gone = await info.context.service.library.dice.forget(viewer, id, version)
        return DieForgotten(id=strawberry.ID(gone)) if isinstance(gone, str) else gone

    @strawberry.mutation(description="Save a roll, for yourself or (GMs and players) for a table.")
    async def create_macro(self, info: LibraryInfo, input: CreateMacroInput) -> CreateMacroResult:
        """Save a roll."""
        viewer = info.context.signed_in("write")
        values = _values(input.variables)
        if isinstance(values, InvalidInput):
            return values
        new = NewMacro(
            name=input.name,
            expression=input.expression,
            variables=values,
            label=input.label,
            dialect=input.dialect,
            campaign=input.campaign_id,
            idempotency_key=checked_key(input.idempotency_key),
        )
        return _macro(await info.context.service.library.macros.create(viewer, new))

    @strawberry.mutation(description="Change a saved roll (who made it, or a GM).")
    async def update_macro(self, info: LibraryInfo, input: UpdateMacroInput) -> UpdateMacroResult:
        """Change a saved roll."""
        viewer = info.context.signed_in("write")
        values = None if input.variables is None else _values(input.variables)
        if isinstance(values, InvalidInput):
            return values
        edit = Edit(input.name, input.expression, values, input.label, input.dialect)
        return _macro(await info.context.service.library.macros.update(viewer, input.id, input.version, edit))

    @strawberry.mutation(description="Delete a saved roll (who made it, or a GM).")
    async def delete_macro(self, info: LibraryInfo, id: strawberry.ID, version: int) -> DeleteMacroResult:
        """Delete a saved roll."""
        viewer = info.context.signed_in("write")
        gone = await info.context.service.library.macros.delete(viewer, id, version)
        return MacroDeleted(id=strawberry.ID(gone)) if isinstance(gone, str) else gone

    @strawberry.mutation(description="Choose whose notation a table writes (GM), or else you yourself.")
    async def set_dice_dialect(
        self,
        info: LibraryInfo,
        dialect: DiceDialect,  # type: ignore[valid-type]
        version: int,
        campaign_id: strawberry.ID | None = None,
    ) -> SetDiceDialectResult:
        """Change the dialect of a place."""
        viewer = info.context.signed_in("write")
        outcome = await info.context.service.library.settings.set_dialect(
            viewer, campaign_id, dialect, version
        )
        if isinstance(outcome, DiceSettings):
            return DiceSettingsSaved(settings=DiceSettingsType.of(outcome))
        return outcome


def _die(outcome: TableDie | P) -> DieSaved | P:
    return DieSaved(die=TableDieType.of(outcome)) if isinstance(outcome, TableDie) else outcome


def _macro(outcome: Macro | P) -> MacroSaved | P:
    return MacroSaved(macro=MacroType.of(outcome)) if isinstance(outcome, Macro) else outcome


def _values(given: Sequence[MacroVariableInput]) -> dict[str, int] | InvalidInput:
    values = {plain_name(item.name): item.value for item in given}
    if len(values) == len(given):
        return values
    return InvalidInput.single("TWICE", "A variable is given twice.", "variables")


@contextmanager
def _reaching() -> Iterator[None]:
    """Tell a client which part of the house a question could not reach."""
    try:
        yield
    except PeerUnavailable as error:
        raise PublicError("UNAVAILABLE", f"The {error.peer} service does not answer; try again.") from error
