"""What maps can be asked for: an input for each kind, made from its parameters."""

from enum import Enum, EnumType
from typing import Any, get_args, get_type_hints

import strawberry

from services.map.filed import FILED
from services.map.formats import FORMATS
from services.map.kinds import KINDS
from services.map.wishes import REALM, Die, PlaceName, RealmWish, Wish
from services.shared.mirror import chosen, mirror, mirror_input, one_of, to_domain

# Named after their game: other games have dice and places of their own.
mirror_input(Die, name="ForgebornDieInput")
mirror_input(PlaceName, name="ForgebornPlaceNameInput")


def _name_enums(cls: type, prefix: str) -> None:
    """Name the enums of a kind's parameters after the kind: several kinds have a relief."""
    for hint in get_type_hints(cls).values():
        for each in (hint, *get_args(hint)):
            if isinstance(each, EnumType):
                name = each.__name__
                mirror(each, name=name if name.startswith(prefix) else f"{prefix}{name}")


for _slug, _kind in KINDS.items():
    if _slug != REALM:
        _name_enums(_kind.codec.type, _slug.title().replace("_", ""))

_INPUTS: dict[str, Any] = {
    slug: mirror_input(RealmWish, name="ForgebornRealmInput")
    if slug == REALM
    else mirror_input(kind.codec.type, name=f"{slug.title().replace('_', '')}MapInput")
    for slug, kind in KINDS.items()
}

MapWishInput = one_of(
    "MapWishInput",
    _INPUTS,
    description="What to make a map of: one field for each kind; `{}` is its defaults.",
)

MapKind: Any = Enum("MapKind", {slug.upper(): slug for slug in FILED})  # type: ignore[misc]
MapFormat: Any = Enum(  # type: ignore[misc]
    "MapFormat", {name.replace("-", "_").upper(): name for name in FORMATS}
)
strawberry.enum(MapKind, description="What a map is a map of.")
strawberry.enum(MapFormat, description="What a map can be given out as.")


def wish_of(given: Any, seed: str | None) -> Wish:
    """Read a wish for a map."""
    slug, parameters = chosen(given)
    return Wish(slug, to_domain(parameters), seed)
