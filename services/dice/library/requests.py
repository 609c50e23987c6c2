"""What is asked of a table's own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from services.dice.library.checks import MAX_FACES, MAX_LABEL, MAX_NAME
from services.dice.library.variables import MAX_VARIABLES, MacroVariable
from services.rules.dice.notation import Dialect
from services.rules.dice.pool import Face
from services.shared.bounds import Count, Line


@dataclass(frozen=True, slots=True)
class DefineDie:
    """A die to be defined: for a table by its GM, or for yourself.

    Attributes:
        name: What the notation calls it behind the `d`: 3 to 40 characters, small letters and `_`, no word of
            the notation.
        faces: In order, each as likely as any other; with labels of 1 to 20 characters and values within a
            million.
        campaign_id: At whose table; without one it is your own.
    """

    name: str
    faces: Annotated[tuple[Face, ...], Count(1, MAX_FACES)]
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeDie:
    """Other faces for a die.

    Attributes:
        id: Of the die.
        version: The version you saw.
        faces: All of them anew; with labels of 1 to 20 characters and values within a million.
    """

    id: str
    version: int
    faces: Annotated[tuple[Face, ...], Count(1, MAX_FACES)]


@dataclass(frozen=True, slots=True)
class ForgetDie:
    """A die to be forgotten.

    Attributes:
        id: Of the die.
        version: The version you saw.
    """

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class CreateMacro:
    """A roll to be saved: for a table by anyone who plays there, or for yourself.

    Attributes:
        name: One of a kind at its place.
        expression: Dice notation, with `@variables` or without.
        variables: Defaults of variables; others are filled in when it is rolled.
        label: What a roll of it is for; its name where there is none.
        dialect: Whose notation it is; the place's own setting without it.
        campaign_id: At whose table it is shared; without one it is your own.
    """

    name: Annotated[str, Line(MAX_NAME)]
    expression: str
    variables: Annotated[tuple[MacroVariable, ...], Count(0, MAX_VARIABLES)] = ()
    label: Annotated[str, Line(MAX_LABEL, least=0)] | None = None
    dialect: Dialect | None = None
    campaign_id: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateMacro:
    """What to change about a saved roll; what is left out stays as it is.

    Attributes:
        id: Of the saved roll.
        version: The version you saw.
        name: One of a kind at its place.
        expression: Dice notation.
        variables: All defaults anew.
        label: What a roll of it is for; an empty one takes it away.
        dialect: Whose notation it is.
    """

    id: str
    version: int
    name: Annotated[str, Line(MAX_NAME)] | None = None
    expression: str | None = None
    variables: Annotated[tuple[MacroVariable, ...], Count(0, MAX_VARIABLES)] | None = None
    label: Annotated[str, Line(MAX_LABEL, least=0)] | None = None
    dialect: Dialect | None = None


@dataclass(frozen=True, slots=True)
class DeleteMacro:
    """A saved roll to be deleted.

    Attributes:
        id: Of the saved roll.
        version: The version you saw.
    """

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class SetDiceDialect:
    """Whose notation a table is to write.

    Attributes:
        dialect: Whose notation; it holds for rolls that do not say otherwise.
        version: The version of the settings that you saw.
        campaign_id: Of whose table; without one they are your own.
    """

    dialect: Dialect
    version: int
    campaign_id: str | None = None
