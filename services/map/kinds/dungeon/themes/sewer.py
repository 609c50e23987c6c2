"""Drains and cisterns beneath a city."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import FUNGUS, LANTERN, TORCH, Purpose, Theme

THEME = Theme(
    titles=("The {name} Drains", "Under {name}", "The {epithet} Sewers", "The {epithet} Cisterns of {name}"),
    epithets=("Black", "Seeping", "Lower", "Rat-Ridden", "Old", "Roaring", "Nameless", "Green"),
    shapes=(200, 230, 120, 40),
    winding=1,
    snug=140,
    pillars=500,
    pools=620,
    pool=Terrain.WATER,
    shore=Terrain.SHALLOWS,
    rubble=240,
    doors=(
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.PORTCULLIS,
        DoorKind.BARRED,
        DoorKind.IRON,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
    ),
    strong=(DoorKind.IRON, DoorKind.BARRED),
    lights=(LANTERN, TORCH, FUNGUS, FUNGUS),
    traps=("pit", "gas", "gas", "net"),
    senses=(
        "Something swims just below the surface and turns away from light.",
        "Voices from the street above come down through a pipe.",
        "Bubbles rise in a line, as if something walked along the bottom.",
        "A tide mark on the wall is higher than a head.",
        "Lost things have gathered here: a doll, a wig, a wedding ring.",
        "The bricks bear a builder's mark that no guild admits to.",
    ),
    qualities=("Upper", "Lower", "Old", "Foul", "Brick", "Overgrown", "Northern", "Dripping", "Blocked"),
    entrance=(
        Purpose(
            "Manhole",
            (
                "A rusted ladder climbs to a lid on which a market stall now stands.",
                "Chalk signs of at least three gangs share the wall by the ladder.",
            ),
            ("ladder", "crate", "rope"),
        ),
        Purpose(
            "Outfall",
            (
                "The grating to the river was sawn through long ago and hung again on hinges.",
                "A flat boat is tied up here, dry inside.",
            ),
            ("boat", "rope", "crate"),
        ),
    ),
    goal=(
        Purpose(
            "Great Cistern",
            (
                "Columns stand in black water, and something has nested on the island between them.",
                "The whole city drinks from here, and a barrel has been opened over it.",
            ),
            ("barrel", "crate", "bones"),
            "statue",
        ),
        Purpose(
            "Court of the Rat King",
            (
                "A throne of umbrellas, tins and stolen chairs is occupied.",
                "The beggars' parliament meets here under a chandelier of bottles.",
            ),
            ("chair", "barrel", "sack", "chest"),
            "table",
        ),
    ),
    guard=(
        Purpose(
            "Toll Landing",
            (
                "Whoever passes pays, in coin or in news.",
                "Bells on threads hang across the way at the height of a shin.",
            ),
            ("barrel", "crate", "bench"),
        ),
        Purpose(
            "Lookout",
            (
                "A child with a lantern counts everyone who goes by.",
                "Through a broken pipe one sees two tunnels at once.",
            ),
            ("crate", "sack"),
        ),
    ),
    treasure=(
        Purpose(
            "Smugglers' Store",
            (
                "Casks of foreign spirits stand above the tide mark.",
                "Every crate bears a seal of the customs house, and every seal is false.",
            ),
            ("crate", "barrel", "crate", "chest"),
        ),
        Purpose(
            "Fence's Den",
            (
                "Half the silver of the upper town is sorted here by pattern.",
                "A price list hangs by the door, with a column for the living.",
            ),
            ("chest", "table", "bookshelf"),
        ),
    ),
    hidden=(
        Purpose(
            "Cellar of a Noble House",
            (
                "The owner has two front doors, and this is the other one.",
                "Fine carpets lie on the wet floor, and a stair above has been bricked up.",
            ),
            ("chest", "bookshelf", "chair"),
            "table",
        ),
        Purpose(
            "Plague Pit",
            (
                "The dead of one bad summer were put here without a word.",
                "Lime still dusts the heap, and it has slid lately.",
            ),
            ("bones", "bones", "sack"),
        ),
    ),
    ordinary=(
        Purpose(
            "Settling Tank",
            (
                "Mud lies here as deep as a man, and something has ploughed it.",
                "Treasure hunters have left sieves and one glove.",
            ),
            ("barrel", "rock"),
            least=25,
        ),
        Purpose(
            "Sluice Room",
            (
                "Three wheels open three gates, and none is labelled.",
                "The main gate is held shut by a sword.",
            ),
            ("crate", "rope"),
            "well",
        ),
        Purpose(
            "Junction",
            (
                "The waters of four streets meet, and so do those who live from them.",
                "An arrow on the wall has been painted over with its opposite.",
            ),
            ("rock", "barrel"),
            least=25,
        ),
        Purpose(
            "Workers' Shelter",
            (
                "Coats hang on pegs, stiff with years.",
                "A kettle is on the boil, and no one is to be seen.",
            ),
            ("bench", "table", "hearth"),
        ),
        Purpose(
            "Beggars' Hall",
            (
                "Crutches and false wounds hang on hooks until the morning.",
                "Whoever knows the song gets soup.",
            ),
            ("bed", "sack", "barrel"),
            "fire",
        ),
        Purpose(
            "Fungus Beds",
            (
                "Somebody grows mushrooms here and has put up a polite sign.",
                "The caps turn slowly towards whoever breathes.",
            ),
            ("mushroom", "mushroom", "mushroom"),
        ),
        Purpose(
            "Fat Vault",
            (
                "A pale mass fills half the room, and it has teeth marks.",
                "Candle makers come here by night with spades.",
            ),
            ("barrel", "cauldron"),
        ),
        Purpose(
            "Dry Vault",
            (
                "Shelves of a forgotten archive rot above the water.",
                "An older street lies here, with a shop sign and a doorstep.",
            ),
            ("bookshelf", "crate", "bench"),
        ),
        Purpose(
            "Nest",
            (
                "Rags and bones are woven into something as neat as a basket.",
                "Eggs like wet leather lie along the warm pipe.",
            ),
            ("bones", "sack", "web"),
        ),
        Purpose(
            "Overflow Basin",
            (
                "After rain this room is full to the roof in a hundred breaths.",
                "Scratches near the ceiling show where somebody waited.",
            ),
            ("rock", "ladder"),
        ),
    ),
)
