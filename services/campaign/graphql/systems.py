"""What the game systems declare of their scenes, reflected into the graph: states, events, moves, setups."""

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

import strawberry
from strawberry.scalars import JSON

from services.campaign.scenes.forms import Form
from services.rules.engine import play
from services.rules.engine.codec import Codec
from services.rules.engine.explain import Explained
from services.rules.engine.system import AnySystem
from services.shared.graphql.hints import hints_of, members
from services.shared.graphql.reflection import Naming, prefix_of
from services.shared.mirror import chosen, mirror, mirror_input, one_of, to_domain
from services.shared.wording import camel

NAMING = Naming(("services.rules.engine.", "services.rules.dice."))
for _shown in (play.SceneCard, play.LegalMove):
    NAMING.name_parts(_shown, "")

SceneCard = mirror(play.SceneCard)
SceneOutcome = mirror(play.Outcome, name="SceneOutcome")
MoveField = mirror(play.MoveField)
Reasons = mirror(Explained)

MANY = 4
"""Classes of a union whose names together are no name."""

_slug_of: dict[type, str] = {}
_codec_of: dict[type, Codec[Any]] = {}
_choices: set[type] = set()
"""Inputs of a single system that are a choice themselves."""


def _slug(root: Any) -> str:
    return _slug_of[type(root)]


def _state_form(root: Any) -> JSON:
    return JSON(_codec_of[type(root)].dump(root)["data"])


def _event_form(root: Any) -> JSON:
    data: Any = _codec_of[type(root)].dump(root)["data"]
    # Who else may know of it is nobody's business.
    return JSON({key: value for key, value in data.items() if key != "audience"})


def _kind(root: Any) -> str:
    return type(root).__name__


@strawberry.interface(description="Where a scene stands, as you may know it; the game's own type has it all.")
class SceneState:
    """A position of a game."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    json: JSON = strawberry.field(description="The same in the game's own JSON form.", resolver=_state_form)


@strawberry.interface(description="Something that happened in a scene; the game's own type has it all.")
class SceneEvent:
    """A fact of a game."""

    system: str = strawberry.field(description="Slug of the game system.", resolver=_slug)
    kind: str = strawberry.field(description="What happened, for programs.", resolver=_kind)
    json: JSON = strawberry.field(description="The same in the game's own JSON form.", resolver=_event_form)


@dataclass(frozen=True, slots=True)
class Reflection:
    """The scenes of game systems as GraphQL types.

    Attributes:
        types: those that are only reached through an interface.
        move: the @oneOf input with the moves of each system.
        setup: the @oneOf input with the setups of each system.
        moves: codecs of moves, by slug.
        setups: codecs of setups, by slug.
    """

    types: tuple[type, ...]
    move: Any
    setup: Any
    moves: Mapping[str, Codec[Any]]
    setups: Mapping[str, Codec[Any]]

    def move_form(self, sent: Any) -> Form:
        """Read a move that was sent in either form."""
        return _read(sent, "move", self.moves)

    def setup_form(self, sent: Any) -> Form | str:
        """Read a setup that was sent in either form, or its name."""
        name, found = chosen(sent)
        return str(found) if name == "named" else _read(sent, "setup", self.setups)

    def setup_system(self, sent: Any) -> str | None:
        """Give the slug of the system that a setup is spelled out for; None for plain JSON or a name."""
        name, _ = chosen(sent)
        return name if name in self.setups else None


def reflect(found: Mapping[str, AnySystem]) -> Reflection:
    """Reflect the states, events, moves and setups of those game systems that are played in scenes.

    Raises:
        TypeError: a system uses something that has no GraphQL form.
    """
    made: list[type] = []
    moves: dict[str, Any] = {}
    setups: dict[str, Any] = {}
    plays = {slug: system.play for slug, system in found.items() if system.play is not None}
    for slug, game in plays.items():
        prefix = prefix_of(slug, found[slug].name)
        states, events = _classes(game.state_codec), _classes(game.event_codec)
        roots = (*states, *events, *_classes(game.move_codec), *_classes(game.setup_codec))
        _codec_of.update(dict.fromkeys(states, game.state_codec) | dict.fromkeys(events, game.event_codec))
        for root in states:
            _call_unions(root, prefix)
        for root in states + events:
            _slug_of[root] = slug
            NAMING.name_parts(root, prefix, roots=roots)
        for root in states:
            name = f"{prefix}State" if len(states) == 1 else f"{prefix}{root.__name__}State"
            made.append(mirror(root, name=name, interfaces=[SceneState]))
        for root in events:
            name = f"{prefix}{root.__name__}Event"
            made.append(mirror(root, name=name, interfaces=[SceneEvent], exclude=["audience"]))
        moves[slug] = _input(game.move_codec, prefix, "Move", roots)
        setups[slug] = _input(game.setup_codec, prefix, "Setup", roots)
    json = {"json": JSON}
    return Reflection(
        types=tuple(made),
        move=one_of(
            "MoveInput",
            {**moves, **json},
            description="A move: typed, or in the game's own JSON form as `legalMoves` hands it out, its "
            "fields filled in.",
        ),
        setup=one_of(
            "SetupInput",
            {**setups, **json, "named": str},
            description="What a game wants to know before a scene: typed, in the game's own JSON form, or "
            "the name of one of the game's own setups.",
        ),
        moves={slug: game.move_codec for slug, game in plays.items()},
        setups={slug: game.setup_codec for slug, game in plays.items()},
    )


def _call_unions(root: type, prefix: str) -> None:
    """Call unions of many classes by the field of a state that holds them: a name made of nine is none."""
    for name, hint in hints_of(root).items():
        if len(members(hint)) >= MANY:
            NAMING.called[frozenset(members(hint))] = prefix + _pascal(name)


def _classes(codec: Codec[Any]) -> tuple[type, ...]:
    return tuple(kind for kind in members(codec.type) if isinstance(kind, type) and is_dataclass(kind))


def _input(codec: Codec[Any], prefix: str, what: str, roots: tuple[type, ...]) -> Any:
    """Make the input of a codec's type: of a union, or of moves, a @oneOf of its classes."""
    classes = _classes(codec)
    for cls in classes:
        NAMING.name_parts(cls, prefix, roots=roots, inputs=True)
    if len(classes) == 1 and what != "Move":
        return mirror_input(classes[0], name=f"{prefix}{what}Input")
    annotations: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    for cls in classes:
        # A class may be called Try or Pass: in Python its field then needs another name.
        name = f"{_snake(cls.__name__)}_"
        annotations[name] = mirror_input(cls, name=f"{prefix}{cls.__name__}{what}Input") | None
        fields[name] = strawberry.field(name=camel(name[:-1]), default=strawberry.UNSET)
    bare = type(f"{prefix}{what}Input", (), {"__annotations__": annotations, **fields})
    choice = strawberry.input(bare, one_of=True, description=f"A {what.lower()} of this game.")
    _choices.add(choice)
    return choice


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _snake(name: str) -> str:
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name).removeprefix("_")


def _read(sent: Any, field: str, codecs: Mapping[str, Codec[Any]]) -> Form:
    slug, value = chosen(sent)
    if slug == "json":
        return Form(value, (field, "json"))
    codec = codecs[slug]
    path = [field, camel(slug)]
    if type(value) in _choices:
        kind, value = chosen(value)
        path.append(camel(kind[:-1]))
    sent = to_domain(value)
    return Form(codec.dump(sent)["data"], tuple(path), sent)
