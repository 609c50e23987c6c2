"""The glyph of every kind of prop, and in which layer it lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import MappingProxyType

from services.map.generation.grid.model import Prop
from services.map.render.grid.noise import one
from services.map.render.grid.outline import UNIT
from services.map.render.grid.palette import Palette
from services.map.render.grid.props import furniture, outdoors, underground
from services.map.render.svg import number

Glyph = Callable[[Palette, float, float, int], str]

GLYPHS: MappingProxyType[str, Glyph] = MappingProxyType(
    {
        "altar": underground.altar,
        "anvil": furniture.anvil,
        "barrel": furniture.barrel,
        "bars": underground.bars,
        "bed": furniture.bed,
        "bench": furniture.bench,
        "boat": outdoors.boat,
        "bones": underground.bones,
        "bookshelf": furniture.bookshelf,
        "brazier": underground.brazier,
        "bush": outdoors.bush,
        "cage": underground.cage,
        "candle": furniture.candle,
        "cart": outdoors.cart,
        "cauldron": furniture.cauldron,
        "chair": furniture.chair,
        "chest": furniture.chest,
        "coffin": underground.coffin,
        "column": underground.pillar,
        "column-broken": underground.column_broken,
        "crate": furniture.crate,
        "crystal": underground.crystal,
        "dock-post": outdoors.dock_post,
        "fence": outdoors.fence,
        "fire": outdoors.fire,
        "flowers": outdoors.flowers,
        "forge": furniture.forge,
        "hay": outdoors.hay,
        "heap": underground.heap,
        "hearth": furniture.hearth,
        "idol": underground.idol,
        "ladder": furniture.ladder,
        "lever": furniture.lever,
        "lilies": outdoors.lilies,
        "log": outdoors.log,
        "mushroom": underground.mushroom,
        "pew": furniture.pew,
        "pillar": underground.pillar,
        "pit": underground.pit,
        "reeds": outdoors.reeds,
        "rock": outdoors.rock,
        "rope": furniture.rope,
        "rubble": underground.rubble,
        "rug": furniture.rug,
        "sack": furniture.sack,
        "sarcophagus": underground.sarcophagus,
        "sign": furniture.sign,
        "stall": furniture.stall,
        "statue": underground.statue,
        "stump": outdoors.stump,
        "table": furniture.table,
        "tent": outdoors.tent,
        "throne": furniture.throne,
        "torch": underground.torch,
        "tracks": outdoors.tracks,
        "tree": outdoors.tree,
        "wagon": outdoors.wagon,
        "weapon-rack": furniture.weapon_rack,
        "web": underground.web,
        "well": outdoors.well,
    }
)

FLAT = frozenset({"rug", "tracks", "flowers", "lilies", "rubble", "pit", "web"})
"""Kinds that lie on the ground, under everything else."""

HIGH = frozenset({"tree"})
"""Kinds that people walk beneath."""

_VARIANTS = 4

_LONGEST = 60.0
"""Cells of the longest prop that is drawn at its length."""


class Stamps:
    """The glyphs of one picture: each is defined once, however often it is put down."""

    def __init__(self, paint: Palette) -> None:
        """Starts without any glyph."""
        self._paint = paint
        self._ids: dict[tuple[str, int, int, int], str] = {}

    def put(self, kind: str, x: float, y: float, w: float, h: float, turn: int = 0) -> str:
        """One glyph in its place.

        Args:
            kind: What it is; an unknown kind gets a plain mark.
            x: Of its middle, in cells.
            y: Of its middle, in cells.
            w: Its width in cells.
            h: Its height in cells.
            turn: Degrees clockwise.
        """
        variant = int(one(x, y, 301) * _VARIANTS)
        return self.stamp((kind, round(w * UNIT), round(h * UNIT), variant), x * UNIT, y * UNIT, turn)

    def stamp(self, key: tuple[str, int, int, int], x: float, y: float, turn: int = 0) -> str:
        """One glyph by its kind, width, height and variant, at a place in drawing units."""
        name = self._ids.get(key)
        if name is None:
            name = self._ids[key] = f"hf-p{len(self._ids)}"
        if not turn:
            return f'<use href="#{name}" x="{number(x)}" y="{number(y)}"/>'
        return f'<use href="#{name}" transform="translate({number(x)} {number(y)}) rotate({turn})"/>'

    def definitions(self) -> str:
        """All glyphs that were put down."""
        return "".join(f'<g id="{name}">{_drawn(self._paint, *key)}</g>' for key, name in self._ids.items())


@lru_cache(maxsize=4096)
def _drawn(paint: Palette, kind: str, width: int, height: int, variant: int) -> str:
    return GLYPHS.get(kind, underground.marker)(paint, width, height, variant)


def props_in_layers(props: Sequence[Prop], stamps: Stamps) -> tuple[str, str, str]:
    """What lies flat, what stands, and what is overhead."""
    layers: tuple[list[str], list[str], list[str]] = ([], [], [])
    for prop in props:
        layer = 0 if prop.kind in FLAT else 2 if prop.kind in HIGH else 1
        w, h = (min(max(side, 0.1), _LONGEST) for side in (prop.width, prop.height))
        layers[layer].append(
            stamps.put(prop.kind, prop.x + prop.width / 2, prop.y + prop.height / 2, w, h, prop.turn)
        )
    return "".join(layers[0]), "".join(layers[1]), "".join(layers[2])
