"""What a game system is to the rest of the house.

A system builds characters: choices in, a sheet or every broken rule out. Its scenes are a second protocol,
`engine.play`; a system without them is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from services.rules.engine.codec import Codec
from services.rules.engine.content import Content
from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import Problems
from services.rules.engine.sheet import SheetBase

ChoicesT = TypeVar("ChoicesT")
SheetT = TypeVar("SheetT", bound=SheetBase)
ContentT = TypeVar("ContentT", bound=Content)


@runtime_checkable
class GameSystem(Protocol[ChoicesT, SheetT, ContentT]):
    """One game: who it is, what a player chooses, what a sheet holds, and how the one becomes the other."""

    @property
    def slug(self) -> str:
        """Stable name, also the package's: `forge_engine`."""

    @property
    def name(self) -> str:
        """The game's title."""

    @property
    def edition(self) -> str:
        """Which text is modelled: "version 1.0, August 2011"."""

    @property
    def licence(self) -> str:
        """One line: whose game it is and on what terms its mechanics are modelled here."""

    @property
    def choices(self) -> type[ChoicesT]:
        """Frozen dataclass of everything a player chooses, at creation and by advancement."""

    @property
    def sheet(self) -> type[SheetT]:
        """Frozen dataclass of a finished character; has what `SheetBase` asks."""

    @property
    def choices_codec(self) -> Codec[ChoicesT]:
        """Choices to JSON and back."""

    @property
    def sheet_codec(self) -> Codec[SheetT]:
        """Sheets to JSON and back."""

    @property
    def content(self) -> ContentT:
        """The numbers of the book, and the table settings with their defaults."""

    @property
    def examples(self) -> Mapping[str, ChoicesT]:
        """Named choices that build; at least one."""

    @property
    def playthroughs(self) -> Mapping[str, str]:
        """Golden playthroughs by file name, as text; see `engine.playthrough`."""

    @property
    def build(self) -> Callable[[ChoicesT, ContentT], SheetT | Problems]:
        """Builds a sheet from choices, or names every rule they break. Pure: same choices, same answer."""

    @property
    def play(self) -> AnyPlay | None:
        """Its scenes; None while only its characters are modelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System(Generic[ChoicesT, SheetT, ContentT]):
    """A `GameSystem` put together from its parts: what a package assigns to `SYSTEM`."""

    slug: str
    name: str
    edition: str
    licence: str
    choices_codec: Codec[ChoicesT]
    sheet_codec: Codec[SheetT]
    content: ContentT
    examples: Mapping[str, ChoicesT]
    playthroughs: Mapping[str, str]
    build: Callable[[ChoicesT, ContentT], SheetT | Problems]
    play: AnyPlay | None = None

    @property
    def choices(self) -> type[ChoicesT]:
        """Frozen dataclass of everything a player chooses."""
        return self.choices_codec.type

    @property
    def sheet(self) -> type[SheetT]:
        """Frozen dataclass of a finished character."""
        return self.sheet_codec.type


AnySystem = GameSystem[Any, Any, Any]
"""A system whose types the caller does not know, as the registry hands it out."""
