"""Every kind of map that can be kept, by its slug: those that are made, and those that were brought along."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from services.map.generation.grid.imported import IMPORTED
from services.map.generation.grid.model import GridKind, GridMap
from services.map.generation.kind import Filed
from services.map.generation.realm.model import RealmMap
from services.map.kinds import KINDS
from services.map.play.state import Extent
from services.rules.systems.forgeborn import units

FILED: Mapping[str, Filed[Any]] = MappingProxyType({**KINDS, IMPORTED.slug: IMPORTED})


def filed(slug: str) -> Filed[Any]:
    """Give a kind by its slug."""
    return FILED[slug]


def is_grid(slug: str) -> bool:
    """Tell whether maps of a kind have cells, and so ground, sight and fog."""
    return slug in {kind.value for kind in GridKind}


def extent_of(model: Any) -> Extent:
    """Tell how far a map goes."""
    match model:
        case GridMap():
            return Extent(model.width, model.height, cells=True)
        case RealmMap():
            return Extent(units(model.realm.sheet.width), units(model.realm.sheet.height), cells=False)
        case _:
            return Extent(float(model.width), float(model.height), cells=False)
