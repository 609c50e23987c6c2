"""Every kind of map that can be made, by its slug."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from services.map.generation.battle.generator import KIND as BATTLE
from services.map.generation.cave.generator import KIND as CAVE
from services.map.generation.dungeon.generator import KIND as DUNGEON
from services.map.generation.kind import AnyKind
from services.map.generation.realm.kind import KIND as REALM
from services.map.generation.region.generator import KIND as REGION
from services.map.generation.story.generator import KIND as STORY

_MADE = cast(tuple[AnyKind, ...], (REALM, STORY, DUNGEON, CAVE, BATTLE, REGION))
KINDS: Mapping[str, AnyKind] = MappingProxyType({kind.slug: kind for kind in _MADE})
