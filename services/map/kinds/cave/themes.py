"""The looks and the words of caves, a theme each."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from services.map.generation.grid.terrain import Terrain
from services.map.kinds.cave.parameters import CaveTheme
from services.map.kinds.dungeon.themes.model import FUNGUS, GLOW, LightKind

Chamber = tuple[str, str, str]
"""A chamber's name and two sentences for the game master, one of which is told."""


@dataclass(frozen=True, slots=True)
class CaveLook:
    """A theme.

    Attributes:
        titles: Forms of the cave's name; `{name}` is a made name.
        pool: What pools hold.
        shore: What is around them.
        growth: What grows or lies in patches; it can be walked on.
        lights: What shines by itself.
        props: What lies at the walls.
        senses: What one sees, hears or smells, a sentence each.
        chambers: Names and sentences of chambers.
    """

    titles: tuple[str, ...]
    pool: Terrain
    shore: Terrain
    growth: Terrain
    lights: tuple[LightKind, ...]
    props: tuple[str, ...]
    senses: tuple[str, ...]
    chambers: tuple[Chamber, ...]


_ICE_GLOW = LightKind("crystal", 2.0, 6.0, "#cfeaff")
_EMBERS = LightKind("embers", 3.0, 8.0, "#ff6a2b")
_SEA_GLOW = LightKind("crystal", 2.0, 5.0, "#7fe0d0")

_ANYWHERE: tuple[Chamber, ...] = (
    (
        "Cathedral",
        "The roof is lost in the dark, and every word comes back changed.",
        "Stone curtains divide the hall into chapels.",
    ),
    (
        "Bone Hollow",
        "Something drags its meals here and is tidy about it.",
        "Bones lie in a ring, skulls outwards.",
    ),
    (
        "Old Camp",
        "A cold fire, a broken pot and a diary without a last page.",
        "Five bedrolls, and tracks of four.",
    ),
    (
        "Whispering Gallery",
        "A whisper at one wall is heard at the other as if it were an answer.",
        "Voices from far chambers gather here.",
    ),
    (
        "Painted Hall",
        "Hunters of soot and ochre chase a beast that no one has ever seen.",
        "One of the painted hands has six fingers and is wet.",
    ),
    (
        "Fallen Roof",
        "Blocks as big as carts have come down, and more hang loose.",
        "Between the blocks runs a way for something small.",
    ),
    (
        "Den",
        "Fur, dung and a warm hollow: the owner has only gone out.",
        "The young are here, and the mother is not.",
    ),
    (
        "Blind Lake",
        "White fish come to the surface wherever a drop falls.",
        "Somebody has left a boat for one.",
    ),
    (
        "Echo Chamber",
        "Footsteps go on here after the feet have stopped.",
        "A stone tapped three times makes three others hum.",
    ),
    (
        "Standing Stones",
        "The stones were set up by hands, in a spiral.",
        "Offerings lie at the foot of the smallest stone.",
    ),
)

LOOKS: MappingProxyType[CaveTheme, CaveLook] = MappingProxyType(
    {
        CaveTheme.LIMESTONE: CaveLook(
            ("{name} Cave", "The Caverns of {name}", "The {name} Sinks", "{name}'s Hollow"),
            Terrain.WATER,
            Terrain.SHALLOWS,
            Terrain.FUNGUS,
            (GLOW, FUNGUS),
            ("rock", "bones", "rock", "mushroom"),
            (
                "Water drips in three different rhythms.",
                "Pale crickets cover the wall and part before a light.",
                "A cold breath comes out of a crack too narrow for a hand.",
                "Stone icicles have been broken off, and not by time.",
            ),
            (
                (
                    "Organ Pipes",
                    "Columns of stone ring when struck, each with a note of its own.",
                    "Someone has chalked a tune on the columns.",
                ),
                (
                    "Terraced Pools",
                    "Water steps down from basin to basin, and in the lowest it turns red.",
                    "Coins lie in the basins, of a king not yet crowned.",
                ),
                (
                    "Chimney",
                    "A shaft leads up to a star of daylight and a smell of sheep.",
                    "A frayed rope hangs out of reach.",
                ),
                (
                    "Flowstone Throne",
                    "The stone has grown around somebody who sat still too long.",
                    "A seat of stone faces the dark as if waiting for it to begin.",
                ),
            ),
        ),
        CaveTheme.ICE: CaveLook(
            ("{name} Glacier Caves", "The Frozen Halls of {name}", "{name}'s Ice"),
            Terrain.WATER,
            Terrain.ICE,
            Terrain.ICE,
            (_ICE_GLOW,),
            ("rock", "crystal", "bones"),
            (
                "The ice groans like a ship at anchor.",
                "Breath freezes and falls as glitter.",
                "Blue light comes through the walls from nowhere.",
                "Shapes move behind the ice, or the light does.",
            ),
            (
                (
                    "Frozen Fall",
                    "A waterfall stands still, and behind it something does not.",
                    "Steps have been cut into the ice, and the edges are sharp.",
                ),
                (
                    "Mammoth Wall",
                    "A great beast is locked in the ice with a spear in its flank.",
                    "One tusk sticks out of the wall and has been sawn.",
                ),
                (
                    "Mirror Hall",
                    "The ice shows everyone a little older.",
                    "One reflection lags behind.",
                ),
                (
                    "Meltwater Dome",
                    "Warm water wells up, and a garden of moss surrounds it.",
                    "Tracks of bare feet go round the spring.",
                ),
            ),
        ),
        CaveTheme.LAVA: CaveLook(
            ("{name} Tubes", "The Furnace of {name}", "The {name} Vents"),
            Terrain.LAVA,
            Terrain.RUBBLE,
            Terrain.RUBBLE,
            (_EMBERS,),
            ("rock", "rock", "bones", "crystal"),
            (
                "The air tastes of struck flint.",
                "The ground trembles like the flank of a sleeping beast.",
                "Hot wind blows, stops, and blows from the other side.",
                "Threads of glass hang in the draught.",
            ),
            (
                (
                    "Cinder Hall",
                    "Ash falls here like snow and hides the cracks.",
                    "Prints in the ash lead straight into the melt.",
                ),
                (
                    "Glass Garden",
                    "Trees of black glass stand where the melt met water.",
                    "Each tree holds a leaf of real gold.",
                ),
                (
                    "Forge of the Deep",
                    "An anvil of basalt stands by the melt, its hammer for larger hands.",
                    "Half a blade lies in the fire and does not soften.",
                ),
                (
                    "Vent",
                    "Steam roars up every few hundred breaths.",
                    "Eggs the size of barrels lie in the warm ash.",
                ),
            ),
        ),
        CaveTheme.FUNGAL: CaveLook(
            ("The {name} Spore Caves", "{name}'s Garden", "The Pale Forest of {name}"),
            Terrain.WATER,
            Terrain.SHALLOWS,
            Terrain.FUNGUS,
            (FUNGUS, FUNGUS, GLOW),
            ("mushroom", "mushroom", "rock", "mushroom", "web"),
            (
                "Spores drift like slow snow and light up when touched.",
                "The ground gives underfoot and sighs.",
                "Caps turn to follow whoever passes.",
                "It smells of cellars, honey and rain.",
            ),
            (
                (
                    "Cap Forest",
                    "Stalks as thick as oaks carry a roof of gills.",
                    "Ladders lean on the stalks, sized for cats.",
                ),
                (
                    "Spore Bank",
                    "One loud word fills the hall with sleep.",
                    "A sleeper lies here, overgrown and smiling.",
                ),
                (
                    "Thread Loom",
                    "White threads run from everywhere to here, and they pulse.",
                    "A thread has been tied round a stone, with a label.",
                ),
                (
                    "Rot Garden",
                    "Dead things are laid out in beds and watered.",
                    "The gardener is harmless as long as nothing is picked.",
                ),
            ),
        ),
        CaveTheme.SEA: CaveLook(
            ("{name} Sea Caves", "The Grottoes of {name}", "Smugglers' {name}"),
            Terrain.WATER,
            Terrain.SHALLOWS,
            Terrain.SAND,
            (_SEA_GLOW,),
            ("rock", "reeds", "bones", "crate", "rope"),
            (
                "The tide breathes in and out of the passages.",
                "Salt has drawn maps on the walls.",
                "Crabs carry something shiny from hand to hand.",
                "A bell rings under water.",
            ),
            (
                (
                    "Wreck Hall",
                    "Half a ship is wedged here, far above any tide.",
                    "The figurehead's eyes have been covered.",
                ),
                (
                    "Blue Grotto",
                    "Light comes up through the water and not down.",
                    "A ring of pearls lies on the bottom, in plain sight.",
                ),
                (
                    "Landing",
                    "Iron rings, a winch, and casks rolled out of the wet.",
                    "A lantern is ready, shuttered towards the land.",
                ),
                (
                    "Seal Beach",
                    "Skins of seals hang to dry, and one weeps.",
                    "The seals here listen when people speak.",
                ),
            ),
        ),
    }
)
"""Each theme by its name."""


def chambers_of(look: CaveLook) -> tuple[Chamber, ...]:
    """The chambers of a theme and those that are found anywhere."""
    return look.chambers + _ANYWHERE
