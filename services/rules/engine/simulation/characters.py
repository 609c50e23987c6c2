"""Characters of a cast, built anew by their rules with what scenes change about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.rules.engine.codec import CodecError, Json, decode
from services.rules.engine.forms import spelled
from services.rules.engine.play import AnyPlay
from services.rules.engine.problem import KeyPath, Problems
from services.rules.engine.simulation.bounds import BrokenRequest
from services.rules.engine.simulation.changes import UnknownPointer, items_on_the_way, put_at
from services.rules.engine.simulation.request import PlayedPack, Replacement
from services.rules.engine.spelling import Spelling
from services.rules.engine.system import AnySystem

Editions = Callable[[Sequence[PlayedPack]], AnySystem | Problems]
"""Returns a request's game with these packs alone in it, or why a pack cannot be put into it."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Reads and writes the JSON forms of a game: setups, choices and sheets.

    Attributes:
        system: The game.
        spelling: How their names and words are spelled.
        editions: The game with packs that characters are built under; None where all are built by the game
            as it is.
    """

    system: AnySystem
    spelling: Spelling
    editions: Editions | None = None

    def write(self, hint: Any, value: object) -> Json:
        """Return the form of a value."""
        return spelled(hint, value, self.spelling, properties=False)

    def read(self, hint: Any, form: Json, path: KeyPath) -> Any:
        """Return the value of a form.

        Raises:
            BrokenRequest: It is malformed.
        """
        try:
            return decode(hint, form, (), self.spelling)
        except CodecError as error:
            problem = error.problem()
            raise BrokenRequest(replace(problem, path=(*path, *problem.path))) from error

    def build(self, choices: Json, path: KeyPath) -> Json:
        """Return the form of the sheet that the rules build of a form of choices.

        Raises:
            BrokenRequest: The choices are malformed, or break rules.
        """
        system = self.system
        sheet = system.build(self.read(system.choices_codec.type, choices, path), system.content)
        if isinstance(sheet, Problems):
            raise BrokenRequest(*(replace(each, path=(*path, *each.path)) for each in sheet))
        return self.write(system.sheet_codec.type, sheet)

    def under(self, packs: Json, path: KeyPath) -> Forms:
        """Return the forms of the game that a character is built by.

        Args:
            packs: The packs that it is built under, in their form; None for those of the scenes.
            path: Where the character stands in the request.

        Raises:
            BrokenRequest: A pack cannot be put into the game.
        """
        if packs is None or self.editions is None:
            return self
        system = self.editions(self.read(tuple[PlayedPack, ...], packs, (*path, "packs")))
        if isinstance(system, Problems):
            raise BrokenRequest(*(replace(each, path=(*path, *each.path)) for each in system))
        return replace(self, system=system)


@dataclass(frozen=True, slots=True)
class Character:
    """What a member of a cast is built from.

    Attributes:
        choices: What its player has chosen.
        forms: Those of the game that it is built by.
        sheet: The form of the sheet that it begins with.
        replaced: Values of the sheet that its case replaces, by pointers into the sheet. They stay replaced
            whenever it is built anew; one in a list that has fewer or more items by then does not.
        path: Where it stands in the request, or the change that replaces them.
    """

    choices: Any
    forms: Forms
    sheet: Json
    replaced: tuple[Replacement, ...] = ()
    path: KeyPath = ()

    @property
    def play(self) -> AnyPlay:
        """The scenes of the game that it is built by."""
        play = self.forms.system.play
        assert play is not None, "it is played in scenes"
        return play

    def sheet_of(self, choices: Any) -> Any | None:
        """Return the sheet that the rules build of its choices; None where these break rules.

        Raises:
            BrokenRequest: What its case replaces makes it unreadable.
        """
        system = self.forms.system
        sheet = system.build(choices, system.content)
        if isinstance(sheet, Problems):
            return None
        return self._with_replaced(sheet) if self.replaced else sheet

    def absorbing(self, play: AnyPlay, change: Mapping[str, Json]) -> tuple[Character, Any] | None:
        """Return it with what a scene has changed about it, and its sheet; None where that cannot be built:
        then the change is left out, as at a table.

        Args:
            play: Whose scene it was.
            change: The data of the change.

        Raises:
            BrokenRequest: What its case replaces makes the sheet unreadable.
        """
        choices = play.absorb(self.choices, change)
        sheet = self.sheet_of(choices)
        return None if sheet is None else (replace(self, choices=choices), sheet)

    def _with_replaced(self, sheet: Any) -> Any:
        hint = self.forms.system.sheet_codec.type
        form = self.forms.write(hint, sheet)
        for each in self.replaced:
            try:
                if items_on_the_way(form, each.pointer) == items_on_the_way(self.sheet, each.pointer):
                    put_at(form, each.pointer, each.value)
            except UnknownPointer:
                continue  # what it led to is gone
        return self.forms.read(hint, form, self.path)


def sheet_replacements(place: int, changes: Iterable[Replacement]) -> tuple[Replacement, ...] | None:
    """Return what a case replaces in the sheet of a character, by pointers into the sheet; None where it
    replaces the sheet as a whole.

    Args:
        place: The character's place in the cast.
        changes: What the case replaces.
    """
    whole = f"/cast/{place}/sheet"
    found = []
    for each in changes:
        if each.pointer == whole:
            return None
        if each.pointer.startswith(f"{whole}/"):
            found.append(replace(each, pointer=each.pointer.removeprefix(whole)))
    return tuple(found)
