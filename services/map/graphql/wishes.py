"""What maps can be asked for: an input for each kind, made from its parameters."""

from collections.abc import Mapping
from enum import Enum, EnumType
from typing import Any, get_args, get_type_hints

import strawberry

from services.map.formats import FORMATS
from services.map.graphql.kind import graphs
from services.map.registry import GENERATORS, KINDS
from services.map.wishes import Wish
from services.shared.mirror import chosen, mirror, mirror_input, one_of, to_domain


def _name_enums(cls: type, prefix: str) -> None:
    """Name the enums of a kind's parameters after the kind: several kinds have a relief."""
    for hint in get_type_hints(cls).values():
        for each in (hint, *get_args(hint)):
            if isinstance(each, EnumType):
                name = each.__name__
                mirror(each, name=name if name.startswith(prefix) else f"{prefix}{name}")


def _input(slug: str) -> Any:
    """Make the input that maps of a kind are asked for by, unless the kind has made one."""
    made = graphs()[slug].wish
    if made is not None:
        return made
    cls, name = GENERATORS[slug].codec.type, slug.title().replace("_", "")
    _name_enums(cls, name)
    return mirror_input(cls, name=f"{name}MapInput")


_INPUTS = {slug: _input(slug) for slug in GENERATORS}

MapWishInput = one_of(
    "MapWishInput",
    _INPUTS,
    description="What to make a map of: one field for each kind; `{}` is its defaults.",
)


def _slugs(name: str, description: str, about: Mapping[str, str]) -> Any:
    """Make an enum of slugs, with what each is about."""
    made: Any = Enum(name, {slug.replace("-", "_").upper(): slug for slug in about})  # type: ignore[misc]
    definition: Any = vars(strawberry.enum(made, description=description))["__strawberry_definition__"]
    for value in definition.values:
        value.description = about[value.value]
    return made


MapKind = _slugs("MapKind", "What a map is a map of.", {slug: kind.about for slug, kind in KINDS.items()})
MapFormat = _slugs(
    "MapFormat", "What a map can be given out as.", {name: form.about for name, form in FORMATS.items()}
)


def wish_of(given: Any, seed: str | None) -> Wish:
    """Read a wish for a map."""
    slug, parameters = chosen(given)
    return Wish(slug, to_domain(parameters), seed)
