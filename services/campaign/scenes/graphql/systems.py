"""What the games declare of their scenes, reflected into the graph: states and events."""

from dataclasses import is_dataclass
from typing import Any, cast

import strawberry
from strawberry.scalars import JSON

from services.campaign.scenes.games import Games
from services.rules.engine import play
from services.rules.engine.campaign import SUFFIX
from services.rules.engine.codec import Codec
from services.rules.engine.explain import Explained
from services.rules.engine.forms import spelled
from services.rules.engine.spelling import PUBLISHED
from services.shared.graphql.hints import hints_of, members
from services.shared.graphql.reflection import Naming, prefix_of
from services.shared.mirror import mirror

NAMING = Naming(("services.rules.engine.", "services.rules.dice."))
for _shown in (play.SceneCard, play.LegalMove):
    NAMING.name_parts(_shown, "")

SceneCard = mirror(play.SceneCard)
SceneOutcome = mirror(play.Outcome, name="SceneOutcome")
MoveField = mirror(play.MoveField)
Disposition = mirror(play.Disposition)
Reasons = mirror(Explained)

MANY = 4
"""Classes of a union whose names together are no name."""

_slug_of: dict[type, str] = {}
_codec_of: dict[type, Codec[Any]] = {}


def _slug(root: Any) -> str:
    return _slug_of[type(root)]


def _state_form(root: Any) -> JSON:
    return JSON(_published(root))


def _event_form(root: Any) -> JSON:
    # Who else may know of it is nobody's business.
    return JSON({key: value for key, value in _published(root).items() if key != "audience"})


def _published(root: Any) -> dict[str, Any]:
    return cast(dict[str, Any], spelled(_codec_of[type(root)].type, root, PUBLISHED, properties=False))


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


def reflect(games: Games) -> tuple[type, ...]:
    """Return the types of the states and events of those games that are played in scenes.

    Raises:
        TypeError: a game uses something that has no GraphQL form.
    """
    made: list[type] = []
    for slug, game in games.items():
        if game.play is None:
            continue
        prefix = prefix_of(slug, game.name)
        states, events = _classes(game.play.state_codec), _classes(game.play.event_codec)
        if slug.endswith(SUFFIX) and (system := games.get(slug.removesuffix(SUFFIX))):
            # A campaign holds types of its system, which sheets hold as well: everywhere by the same name.
            NAMING.prefixes[_package(system.choices_codec.type)] = prefix_of(system.slug, system.name)
            NAMING.prefixes[_package(states[0])] = prefix
        _codec_of.update(dict.fromkeys(states, game.play.state_codec))
        _codec_of.update(dict.fromkeys(events, game.play.event_codec))
        for root in states:
            _call_unions(root, prefix)
        for root in states + events:
            _slug_of[root] = slug
            NAMING.name_parts(root, prefix, roots=states + events)
        for root in states:
            name = f"{prefix}State" if len(states) == 1 else f"{prefix}{root.__name__}State"
            made.append(mirror(root, name=name, interfaces=[SceneState]))
        for root in events:
            name = f"{prefix}{root.__name__}Event"
            made.append(mirror(root, name=name, interfaces=[SceneEvent], exclude=["audience"]))
    return tuple(made)


def _call_unions(root: type, prefix: str) -> None:
    """Call unions of many classes by the field of a state that holds them: a name made of nine is none."""
    for name, hint in hints_of(root).items():
        if len(members(hint)) >= MANY:
            NAMING.called[frozenset(members(hint))] = prefix + _pascal(name)


def _package(cls: type) -> str:
    return cls.__module__.rpartition(".")[0] + "."


def _classes(codec: Codec[Any]) -> tuple[type, ...]:
    return tuple(kind for kind in members(codec.type) if isinstance(kind, type) and is_dataclass(kind))


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
