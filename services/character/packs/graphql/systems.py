"""What the game systems declare, reflected into the graph: sheets, choices, contents, cards and the like."""

import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, cast

import strawberry
from strawberry.scalars import JSON

from services.character.building.builds import Build
from services.character.packs.library import form
from services.character.packs.requests import PackContent as Pack
from services.character.rewards.requests import Proposal
from services.rules.engine.content import Shelf
from services.rules.engine.registry import systems
from services.rules.engine.sheet import SheetBase
from services.rules.engine.sheet_sections import PLAIN_LAYOUT, SheetLayout, SheetSection, SheetSummary
from services.rules.engine.shelf_index import name_of
from services.rules.engine.system import AnySystem
from services.shared.graphql.hints import attribute_descriptions
from services.shared.graphql.reflection import Naming, prefix_of
from services.shared.mirror import (
    chosen,
    mirror,
    mirror_input,
    mirror_interface,
    one_of,
    stand_for,
    to_domain,
)

NAMING = Naming(("services.rules.engine.", "services.rules.dice."))
NAMING.name_parts(SheetBase, "")

for part in (SheetSection, SheetSummary):
    NAMING.name_whole(part, "")

_system_of: dict[type, str] = {}
_layout_of: dict[type, SheetLayout[Any]] = {}


def _slug(root: Any) -> str:
    return _system_of[type(root)]


def _sendable(root: Any) -> JSON:
    return JSON(form(root, properties=False))


def _whole(root: Any) -> JSON:
    return JSON(form(root))


def _sections(root: Any) -> list[mirror(SheetSection)]:  # type: ignore[valid-type]
    return list(_layout_of[type(root)].sections(root))


def _summary(root: Any) -> mirror(SheetSummary):  # type: ignore[valid-type]
    return _layout_of[type(root)].summary(root)


SHEET_FIELDS = {
    "json": strawberry.field(
        description="All of it as JSON, as the `data` of `sheet-<game>.schema.json` describes it.",
        resolver=_sendable,
    ),
    "sections": strawberry.field(
        description="All of it as any client draws it, whatever the game: sections with groups of labelled "
        "entries, in their order and in plain words.",
        resolver=_sections,
    ),
    "summary": strawberry.field(
        description="The character in short, for lists and small screens: less than 2 KB as JSON.",
        resolver=_summary,
    ),
}
Sheet = mirror_interface(SheetBase, name="Sheet", beside=SHEET_FIELDS)


def _entry_name(root: Any) -> str:
    return name_of(root, root.id)


@strawberry.interface(
    description="What a player chose for a character; the system's own type has the choices."
)
class Choices:
    """Resubmit it, changed, to build the character anew."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    json: JSON = strawberry.field(
        description="All of them as JSON, as the game's field of `CharacterBuild` takes it.",
        resolver=_sendable,
    )


@strawberry.interface(description="What there is to choose from; the system's own type has the lists.")
class Content:
    """Enough to draw a character builder."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)


@strawberry.interface(description="Something of a game's content; its own type has all that it says.")
class ContentEntry:
    """An entry of any kind."""

    id: strawberry.ID = strawberry.field(description="Its content id: `dungeonteller:weapon/longsword`.")
    name: str = strawberry.field(description="The word for people.", resolver=_entry_name)


@strawberry.interface(description="A character to print; the system's own type has what stands on the card.")
class Card:
    """What a player keeps on the table."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    json: JSON = strawberry.field(
        description="All that stands on it as JSON, with the names and words of the graph.", resolver=_whole
    )


@strawberry.interface(
    description="What a character gains between sessions; the system's own type has the rest."
)
class Reward:
    """Until a game master approves it, it gives nothing."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    approved: bool = strawberry.field(description="Whether it has been approved.")
    json: JSON = strawberry.field(
        description="All of it as JSON, as the game's field of `RewardProposal` takes it.",
        resolver=_sendable,
    )


@strawberry.interface(
    description="What a pack of a table's own content holds; the system's own type has the lists."
)
class PackContent:
    """Resubmit it, changed, to edit the pack."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    json: JSON = strawberry.field(
        description="All of it as JSON, as the game's field of `ContentPackInput` takes it.",
        resolver=_sendable,
    )


@dataclass(frozen=True, slots=True)
class Reflection:
    """The game systems as GraphQL types.

    Attributes:
        types: those that are only reached through an interface.
        build: the @oneOf input with the choices of each system.
        reward: the @oneOf input with the rewards of each system that gives some.
        pack: the @oneOf input with the packs of each system that takes some.
    """

    types: tuple[type, ...]
    build: Any
    reward: Any
    pack: Any


def reflect(found: Mapping[str, AnySystem]) -> Reflection:
    """Reflect the sheets, choices and contents of game systems, and the cards, rewards and packs of
    those with any.

    Raises:
        TypeError: a system uses something that has no GraphQL form.
    """
    made: list[type] = []
    inputs: dict[str, Any] = {}
    rewards: dict[str, Any] = {}
    packs: dict[str, Any] = {}
    for slug, system in found.items():
        prefix = prefix_of(slug, system.name)
        content = type(system.content)
        _system_of.update({system.choices: slug, content: slug})
        _layout_of[system.sheet] = system.layout or PLAIN_LAYOUT
        NAMING.interfaces.update((entry, (ContentEntry,)) for entry in _entries(content))
        if system.printable is not None:
            made.append(_mirror_card(system.printable.type, prefix, slug))
        gains = () if system.advance is None else (system.advance.reward,)
        for reward in gains:
            made.append(_mirror_reward(reward, prefix, slug))
            rewards[slug] = mirror_input(reward, name=f"{prefix}{reward.__name__}Input")
        roots = (system.sheet, system.choices, content)
        for root in roots:
            NAMING.name_parts(root, prefix, roots=(*roots, *gains), inputs=root is system.choices)
        made += [
            mirror(system.sheet, name=f"{prefix}Sheet", interfaces=[Sheet]),
            mirror(system.choices, name=f"{prefix}Choices", interfaces=[Choices]),
            _mirror_content(content, f"{prefix}Content"),
        ]
        inputs[slug] = mirror_input(system.choices, name=f"{prefix}ChoicesInput")
        if system.packs is not None:
            made.append(_mirror_pack(system.packs.type, prefix, slug))
            packs[slug] = mirror_input(system.packs.type, name=f"{prefix}PackInput")
    description = "A character of one game system: give the choices of exactly one."
    gained = "A reward of one game system: give one of exactly one."
    added = "Content of a table's own for one game system: give the pack of exactly one."
    return Reflection(
        tuple(made),
        one_of("CharacterBuild", inputs, description=description),
        one_of("RewardProposal", rewards, description=gained),
        # An input has a field at least, even where no game takes packs.
        one_of("ContentPackInput", packs or {"none": bool}, description=added),
    )


# Cards and rewards


def _mirror_card(cls: type, prefix: str, slug: str) -> type:
    _system_of[cls] = slug
    NAMING.name_parts(cls, prefix)
    made: type = mirror(cls, name=f"{prefix}Card", interfaces=[Card])
    return made


def _mirror_reward(cls: type, prefix: str, slug: str) -> type:
    """Make the type of a system's rewards, before its choices are made of them."""
    _system_of[cls] = slug
    NAMING.name_parts(cls, prefix, inputs=True)
    made: type = mirror(cls, name=f"{prefix}{cls.__name__}", interfaces=[Reward])
    return made


# Content


def _entries(content: type) -> Iterator[type]:
    """Find the types of what stands on a content's shelves."""
    for hint in typing.get_type_hints(content).values():
        if typing.get_origin(hint) is Shelf:
            yield typing.get_args(hint)[0]


def _mirror_pack(cls: type, prefix: str, slug: str) -> type:
    _system_of[cls] = slug
    NAMING.name_parts(cls, prefix, inputs=True)
    made: type = mirror(cls, name=f"{prefix}Pack", interfaces=[PackContent])
    return made


def _mirror_content(cls: type, name: str) -> type:
    """Make the type of a system's content: its shelves are lists, in the order of the book."""
    hints, words = typing.get_type_hints(cls), attribute_descriptions(cls)
    members: dict[str, Any] = {}
    for field in fields(cls):
        hint = hints[field.name]
        shelf = typing.get_origin(hint) is Shelf
        kind = list[mirror(typing.get_args(hint)[0])] if shelf else mirror(hint)  # type: ignore[misc]
        reader = _reader(field.name, kind, shelf=shelf)
        members[field.name] = strawberry.field(reader, description=words.get(field.name))

    def is_type_of(_type: type, value: object, _info: object) -> bool:
        return isinstance(value, cls)

    bare = type(name, (Content,), {"is_type_of": classmethod(is_type_of), **members})
    return strawberry.type(bare, description="What this game offers to choose from.")


def _reader(name: str, kind: Any, *, shelf: bool) -> Any:
    def read(root: Any) -> Any:
        return list(getattr(root, name)) if shelf else getattr(root, name)

    read.__annotations__ = {"root": Any, "return": kind}
    return read


REFLECTION = reflect(systems())
CharacterBuild = REFLECTION.build
RewardProposal = REFLECTION.reward
PackInput = REFLECTION.pack


def _stand_for(cls: Callable[[str, Any], Any], given: Any) -> None:
    """Let a @oneOf input, a field for each game, stand for a class of a game's slug and what is given."""

    def read(value: Any) -> Any:
        slug, sent = chosen(value)
        return cls(slug, to_domain(sent))

    stand_for(cast(type, cls), given, read)


_stand_for(Build, CharacterBuild)
_stand_for(Proposal, RewardProposal)
_stand_for(Pack, PackInput)
