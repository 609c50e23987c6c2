"""What the game systems declare, reflected into the graph: typed sheets, typed choices, typed content.

A system's own types carry its name (``DungeontellerActionLine``), so that two systems may use the same word;
the engine's types, which all systems share, do not.
"""

import enum
import inspect
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import strawberry

from services.rules.engine.content import Shelf
from services.rules.engine.registry import systems
from services.rules.engine.sheet import SheetBase
from services.rules.engine.system import AnySystem
from services.shared.mirror import mirror, mirror_input, mirror_interface, one_of

SHARED_RULES = ("services.rules.engine.", "services.rules.dice.")

Sheet = mirror_interface(SheetBase, name="Sheet")

_system_of: dict[type, str] = {}


def _slug(root: Any) -> str:
    return _system_of[type(root)]


@strawberry.interface(
    description="What a player chose for a character; the system's own type has the choices."
)
class Choices:
    """Resubmit it, changed, to build the character anew."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)


@strawberry.interface(description="What there is to choose from; the system's own type has the lists.")
class Content:
    """Enough to draw a character builder."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)


@dataclass(frozen=True, slots=True)
class Reflection:
    """The game systems as GraphQL types.

    Attributes:
        types: those that are only reached through an interface.
        build: the @oneOf input with the choices of each system.
    """

    types: tuple[type, ...]
    build: Any


def reflect(found: Mapping[str, AnySystem]) -> Reflection:
    """Reflect the sheets, choices and contents of game systems.

    Raises:
        TypeError: a system uses something that has no GraphQL form.
    """
    made: list[type] = []
    inputs: dict[str, Any] = {}
    for slug, system in found.items():
        prefix = "".join(word.capitalize() for word in slug.split("_"))
        content = type(system.content)
        _system_of.update({system.choices: slug, content: slug})
        # The roots are marked as seen: they get names of their own.
        roots = (system.sheet, system.choices, content)
        for root in roots:
            seen = set(roots)
            for hint in _hints_within(root):
                _name_parts(hint, prefix, seen, inputs=root is system.choices)
        made += [
            mirror(system.sheet, name=f"{prefix}Sheet", interfaces=[Sheet]),
            mirror(system.choices, name=f"{prefix}Choices", interfaces=[Choices]),
            _mirror_content(content, f"{prefix}Content"),
        ]
        inputs[slug] = mirror_input(system.choices, name=f"{prefix}ChoicesInput")
    description = "A character of one game system: give the choices of exactly one."
    return Reflection(tuple(made), one_of("CharacterBuild", inputs, description=description))


# Content


def _mirror_content(cls: type, name: str) -> type:
    """Make the type of a system's content: its shelves are lists, in the order of the book."""
    hints = typing.get_type_hints(cls)
    members: dict[str, Any] = {}
    for field in fields(cls):
        hint = hints[field.name]
        shelf = typing.get_origin(hint) is Shelf
        kind = list[mirror(typing.get_args(hint)[0])] if shelf else mirror(hint)  # type: ignore[misc]
        members[field.name] = strawberry.field(resolver=_reader(field.name, kind, shelf=shelf))

    def is_type_of(_type: type, value: object, _info: object) -> bool:
        return isinstance(value, cls)

    bare = type(name, (Content,), {"is_type_of": classmethod(is_type_of), **members})
    return strawberry.type(bare, description="What this game offers to choose from.")


def _reader(name: str, kind: Any, *, shelf: bool) -> Any:
    def read(root: Any) -> Any:
        return list(getattr(root, name)) if shelf else getattr(root, name)

    read.__annotations__ = {"root": Any, "return": kind}
    return read


# Names


def _name_parts(hint: Any, prefix: str, seen: set[type], *, inputs: bool = False) -> None:
    """Mirror every dataclass and enum that a type is made of, innermost first, under the system's name.

    What a mirrored class is made of looks as it was mirrored first.
    """
    for argument in typing.get_args(hint):
        _name_parts(argument, prefix, seen, inputs=inputs)
    if not isinstance(hint, type) or not (is_dataclass(hint) or issubclass(hint, enum.Enum)) or hint in seen:
        return
    seen.add(hint)
    for part in _hints_within(hint):
        _name_parts(part, prefix, seen, inputs=inputs)
    if hint.__module__.startswith(SHARED_RULES):
        return
    mirror(hint, name=f"{prefix}{hint.__name__}")
    if inputs and is_dataclass(hint):
        mirror_input(hint, name=f"{prefix}{hint.__name__}Input")


def _hints_within(cls: type) -> Iterator[Any]:
    yield from typing.get_type_hints(cls).values()
    for _, member in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        yield typing.get_type_hints(member.fget).get("return")


REFLECTION = reflect(systems())
CharacterBuild = REFLECTION.build
