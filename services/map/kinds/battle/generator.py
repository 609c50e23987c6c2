"""Makes battle maps: parameters to a model, one attempt at a time.

    site (what the place is made of) -> zones (starts, approaches, exits, hazards) -> GridMap -> gates

Every stage draws from a stream of its own, named by the site, the attempt and the stage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from services.map.generation.gate import GateReport
from services.map.generation.grid import canonical, secrets
from services.map.generation.grid.model import GridKind, GridMap
from services.map.generation.kind import make
from services.map.generation.stream import Stream
from services.map.kinds.battle import gates, landscape, names, zones
from services.map.kinds.battle.country import forest, road
from services.map.kinds.battle.draft import Draft
from services.map.kinds.battle.hall import dungeon_room
from services.map.kinds.battle.parameters import BattleParameters, Hour, Season, Site, check
from services.map.kinds.battle.ruin import ruin
from services.map.kinds.battle.village import village
from services.rules.engine.codec import Codec
from services.rules.engine.problem import RuleProblem

VERSION = 1

_SITES: Mapping[Site, Callable[[BattleParameters, int, int], Draft]] = MappingProxyType(
    {
        Site.DUNGEON_ROOM: dungeon_room,
        Site.ROAD: road,
        Site.VILLAGE: village,
        Site.RUIN: ruin,
        Site.FOREST: forest,
    }
)
_AMBIENT = MappingProxyType({Hour.DAY: "bright", Hour.DUSK: "dim", Hour.NIGHT: "dark"})


class BattleGenerator:
    """Tactical battle maps on the five-foot grid.

    Attributes:
        slug: `battle`.
        generator_version: Of this generator.
        codec: Of its parameters.
        secretive: Its maps hold ambushes and the game master's notes.
    """

    slug: str = "battle"
    generator_version: int = VERSION
    codec: Codec[BattleParameters] = Codec(BattleParameters, "map/battle-parameters")
    secretive: bool = True

    def check(self, parameters: BattleParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters, with paths; cheap, whatever they are."""
        return check(parameters)

    def draw(self, parameters: BattleParameters, seed: int, attempt: int) -> GridMap:
        """One attempt at a map, from the sub-seed of this attempt."""
        draft = _SITES[parameters.site](parameters, seed, attempt)
        landscape.freeze(draft)
        # Without room for the starts there are no zones, and the gates say so.
        zones.mark(draft)
        return _model(draft)

    def inspect(self, model: GridMap) -> GateReport:
        """Runs every gate over a map, with code of their own."""
        return gates.inspect(model)

    def title(self, model: GridMap) -> str:
        """The map's name."""
        return model.title

    def to_bytes(self, model: GridMap) -> bytes:
        """The map file, JSON: the same bytes for equal maps, in every process."""
        return canonical.to_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> GridMap:
        """The map whose file was read as plain data.

        Raises:
            MapFileError: The data is no map of this kind and format.
        """
        return canonical.from_data(data)

    def for_players(self, model: GridMap) -> GridMap:
        """The map without what only the game master knows."""
        return secrets.for_players(model)


GENERATOR = BattleGenerator()


def _model(draft: Draft) -> GridMap:
    parameters = draft.parameters
    indoors = parameters.site is Site.DUNGEON_ROOM
    theme = parameters.site.value
    if not indoors and parameters.season is not Season.SUMMER:
        theme = f"{theme}-{parameters.season.value}"
    starts = [zone for zone in draft.zones if zone.kind == "start"]
    cells = [(zone.spans[0][1], zone.spans[0][0]) for zone in starts]
    return GridMap(
        kind=GridKind.BATTLE,
        generator_version=VERSION,
        seed=draft.seed,
        attempt=draft.attempt,
        title=parameters.title or names.title(Stream(draft.seed, "battle", "title"), parameters.site),
        theme=theme,
        width=draft.width,
        height=draft.height,
        cells=draft.cells.tobytes(),
        ambient="dark" if indoors else _AMBIENT[parameters.hour],
        rooms=tuple(draft.rooms),
        doors=tuple(draft.doors),
        walls=draft.walls(),
        traps=tuple(draft.traps),
        lights=tuple(draft.lights),
        props=tuple(draft.props),
        zones=tuple(draft.zones),
        notes=tuple(draft.notes),
        heights=draft.heights.tobytes() if draft.heights.any() else b"",
        entrance=cells[0] if cells else None,
        goal=cells[1] if len(cells) > 1 else None,
    )


def warm() -> None:
    """Compiles what battle maps need by making a small one."""
    make(GENERATOR, BattleParameters(width=16, height=16), 1)
