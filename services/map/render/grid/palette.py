"""The colours of each style: papers, inks, grounds and what things are made of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from services.map.render.grid.look import Style


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one style; every field is a colour unless its name says otherwise.

    Attributes:
        dark_page: Whether the page is dark, its writing light.
        paved: Whether the floors of dungeons and caves show what they are made of.
    """

    paper: str = "#f6f1e4"
    paper_edge: str = "#e9e0c9"
    floor: str = "#fffdf8"
    rock: str = "#f6f1e4"
    band: str = "#e7dfcd"
    hatch: str = "#4b443b"
    line: str = "#221d18"
    grid: str = "#c9c2b2"
    shadow: str = "#221d18"
    text: str = "#221d18"
    text_soft: str = "#5b5145"
    plate: str = "#fffdf8"
    master: str = "#a3271b"
    water: str = "#d7e6ea"
    deep: str = "#bcd3da"
    water_line: str = "#47626c"
    lava: str = "#f6cba6"
    lava_line: str = "#a3421c"
    lava_crust: str = "#7c3a22"
    ice: str = "#e9f3f6"
    ice_line: str = "#7d98a3"
    chasm: str = "#c9c0b0"
    chasm_deep: str = "#29241e"
    grass: str = "#f4f3e4"
    grass_mark: str = "#8f9272"
    brush: str = "#e3e6ce"
    earth: str = "#f0e8d6"
    earth_mark: str = "#a6967a"
    road: str = "#ebe1cb"
    road_edge: str = "#94836a"
    sand: str = "#f5edd6"
    mud: str = "#ddd0b9"
    planks: str = "#f1e6d0"
    plank_line: str = "#b09d80"
    flags: str = "#f4f0e6"
    flag_line: str = "#cfc6b4"
    masonry: str = "#8a8073"
    masonry_line: str = "#221d18"
    fungus: str = "#e9e4ee"
    leaf: str = "#dfe4c9"
    leaf_dark: str = "#b9c29b"
    leaf_light: str = "#eef1de"
    wood: str = "#eadcc2"
    wood_dark: str = "#c7b08b"
    stone: str = "#e8e4db"
    stone_dark: str = "#bfb8ab"
    metal: str = "#d3d5d6"
    metal_dark: str = "#7f8487"
    cloth: str = "#dcc7c1"
    cloth_alt: str = "#c8d0da"
    straw: str = "#f0e3b8"
    bone: str = "#fbf8ee"
    gold: str = "#e8cf86"
    fire: str = "#f0a24a"
    ember: str = "#c8501f"
    glass: str = "#a9d0e0"
    magic: str = "#cfc1e4"
    dark_page: bool = False
    paved: bool = False


_INK = Palette()

_PARCHMENT = replace(
    _INK,
    paper="#ecdcb4",
    paper_edge="#cfae73",
    floor="#f8eed2",
    rock="#ecdcb4",
    band="#cfb27d",
    hatch="#6b4a26",
    line="#3d2612",
    grid="#dcc898",
    shadow="#5a3a16",
    text="#3a2412",
    text_soft="#6b4b2c",
    plate="#fbf3dc",
    master="#9c2417",
    water="#c3d3c4",
    deep="#a3bcb4",
    water_line="#3f625f",
    lava="#eaa66a",
    ice="#e6ead9",
    ice_line="#7a9088",
    chasm="#b08c5a",
    chasm_deep="#21140a",
    grass="#e6deb0",
    grass_mark="#8c8347",
    brush="#cfcf91",
    earth="#dfc594",
    earth_mark="#9c7a47",
    road="#e3cc9d",
    road_edge="#8f6d3d",
    sand="#f0dfae",
    mud="#bf9f6c",
    planks="#dfc08a",
    plank_line="#9a7443",
    flags="#f1e4c3",
    flag_line="#d2bd8c",
    masonry="#7b5f3b",
    masonry_line="#3d2612",
    fungus="#dfcfc0",
    leaf="#b5bd7c",
    leaf_dark="#87935a",
    leaf_light="#cdd29a",
    wood="#d6b27a",
    wood_dark="#a37c49",
    stone="#ddd0b0",
    stone_dark="#b09f79",
    metal="#c3bda9",
    metal_dark="#7c7460",
    cloth="#c68d74",
    cloth_alt="#9fae9f",
    straw="#e6cd85",
    bone="#f7efd6",
    gold="#dcb14f",
)

_PAINTED = replace(
    _INK,
    paper="#efe7d4",
    paper_edge="#d8c9a6",
    floor="#c9bda6",
    rock="#3b352f",
    band="#4a433b",
    hatch="#2a2520",
    line="#231d17",
    grid="#231d17",
    shadow="#120d08",
    text="#2a2119",
    text_soft="#5c4d3c",
    plate="#fbf5e6",
    master="#b3261a",
    water="#6fa6b8",
    deep="#417f9a",
    water_line="#d3e8ec",
    lava="#e8672a",
    lava_line="#ffd06a",
    lava_crust="#6b2413",
    ice="#cfe4ec",
    ice_line="#8fb4c4",
    chasm="#7d7160",
    chasm_deep="#0f0b08",
    grass="#8ea35d",
    grass_mark="#6f8745",
    brush="#7b9450",
    earth="#a98a5f",
    earth_mark="#8b6d45",
    road="#bfa57a",
    road_edge="#8f7549",
    sand="#dcc891",
    mud="#7d6548",
    planks="#b08654",
    plank_line="#7f5a33",
    flags="#b9ae9a",
    flag_line="#978b76",
    masonry="#8f877b",
    masonry_line="#3a332b",
    fungus="#9c8aa5",
    leaf="#5f7f3d",
    leaf_dark="#40602c",
    leaf_light="#86a254",
    wood="#a8773f",
    wood_dark="#714a23",
    stone="#a9a398",
    stone_dark="#77716a",
    metal="#9ba1a6",
    metal_dark="#4e5357",
    cloth="#a4463a",
    cloth_alt="#4d6a8c",
    straw="#d9b95b",
    bone="#ece4cd",
    gold="#d8a93a",
    fire="#ffc24a",
    ember="#e0531f",
    glass="#9fd0e2",
    magic="#9a7bd0",
    paved=True,
)

_BLUEPRINT = replace(
    _INK,
    paper="#1d4675",
    paper_edge="#163a63",
    floor="#2a5a8f",
    rock="#1d4675",
    band="#1a406b",
    hatch="#6f9ac6",
    line="#eef5fc",
    grid="#4676a8",
    shadow="#0c2442",
    text="#f3f8fd",
    text_soft="#c5d9ec",
    plate="#1d4675",
    master="#ffc46b",
    water="#3470a6",
    deep="#2b669e",
    water_line="#a9d0f0",
    lava="#7a5a6a",
    lava_line="#ffc9a0",
    lava_crust="#ffc9a0",
    ice="#4a7fb2",
    ice_line="#d3e8fa",
    chasm="#143459",
    chasm_deep="#0d2747",
    grass="#27568a",
    grass_mark="#6c9ac4",
    brush="#2f6396",
    earth="#2d5c8e",
    earth_mark="#6c9ac4",
    road="#36689b",
    road_edge="#a9c8e4",
    sand="#356697",
    mud="#274f7d",
    planks="#34659a",
    plank_line="#7fa9d0",
    flags="#2f6095",
    flag_line="#4676a8",
    masonry="#d5e5f4",
    masonry_line="#eef5fc",
    fungus="#3d6296",
    leaf="#2f6699",
    leaf_dark="#245687",
    leaf_light="#4279ab",
    wood="#315f92",
    wood_dark="#264f7f",
    stone="#3a6da3",
    stone_dark="#2b598c",
    metal="#40739f",
    metal_dark="#9cbfdf",
    cloth="#3b6ca3",
    cloth_alt="#316298",
    straw="#3f72a8",
    bone="#d9e7f4",
    gold="#d9b56a",
    fire="#ffd48a",
    ember="#ffb066",
    glass="#bfe3f7",
    magic="#8ea7e0",
    dark_page=True,
)

PALETTES: MappingProxyType[Style, Palette] = MappingProxyType(
    {
        Style.INK: _INK,
        Style.PARCHMENT: _PARCHMENT,
        Style.PAINTED: _PAINTED,
        Style.BLUEPRINT: _BLUEPRINT,
    }
)

_SEASONS: MappingProxyType[str, dict[str, str]] = MappingProxyType(
    {
        "spring": {
            "grass": "#97b561",
            "grass_mark": "#759648",
            "leaf": "#6f9a45",
            "leaf_dark": "#4c7a34",
            "leaf_light": "#9dbf60",
        },
        "autumn": {
            "grass": "#a89e5c",
            "grass_mark": "#887c40",
            "leaf": "#c07a2f",
            "leaf_dark": "#8f4b1f",
            "leaf_light": "#dca650",
        },
        "winter": {
            "grass": "#e4eaee",
            "grass_mark": "#a9b6bf",
            "earth": "#c8bcab",
            "earth_mark": "#a08f78",
            "road": "#d5cbbc",
            "road_edge": "#a39683",
            "mud": "#98887a",
            "leaf": "#7d9488",
            "leaf_dark": "#4d675c",
            "leaf_light": "#eef3f5",
        },
    }
)


def palette_for(style: Style, theme: str) -> Palette:
    """The colours of a style; painted meadows and woods follow the season that the theme ends with."""
    season = _SEASONS.get(theme.rpartition("-")[2])
    if style is Style.PAINTED and season:
        return replace(_PAINTED, **season)  # type: ignore[arg-type]
    return PALETTES[style]
