"""A place of worship under the earth."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import BRAZIER, CANDLES, GLOW, TORCH, Purpose, Theme

THEME = Theme(
    titles=(
        "The Temple of {name}",
        "The {epithet} Sanctuary",
        "{name}'s Shrine",
        "The {epithet} Halls of {name}",
    ),
    epithets=("Burning", "Hundred-Eyed", "Veiled", "Drowned", "Golden", "Faceless", "Inner", "Star-Lit"),
    shapes=(220, 200, 180, 0),
    winding=0,
    snug=120,
    pillars=850,
    pools=170,
    pool=Terrain.WATER,
    shore=Terrain.SHALLOWS,
    rubble=110,
    doors=(
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.CURTAIN,
        DoorKind.CURTAIN,
        DoorKind.STONE,
        DoorKind.GATE,
    ),
    strong=(DoorKind.STONE, DoorKind.IRON),
    lights=(BRAZIER, BRAZIER, CANDLES, TORCH, GLOW),
    traps=("rune", "rune", "dart", "blade", "pit", "gas"),
    senses=(
        "Incense hangs in the air, sweet above and sour below.",
        "Painted eyes on the walls follow every light.",
        "A chant goes on somewhere, always the same nine notes.",
        "The floor is a mosaic, and some of its stones sound hollow.",
        "Bare feet have worn a groove into the flagstones.",
        "Gold leaf has been scraped from the walls as high as a hand can reach.",
    ),
    qualities=("Lesser", "Greater", "Inner", "Outer", "Eastern", "Defiled", "Silent", "Painted", "Second"),
    entrance=(
        Purpose(
            "Pilgrims' Stair",
            (
                "Pilgrims left their shoes in rows, and many never came back for them.",
                "A basin for washing stands by the steps, its water red with rust.",
            ),
            ("bench", "statue", "bench"),
        ),
        Purpose(
            "Outer Court",
            (
                "A stone tongue sticks out of the wall to receive coins.",
                "Two carved beasts ask the same riddle in different scripts.",
            ),
            ("statue", "statue", "brazier"),
            rows=True,
        ),
    ),
    goal=(
        Purpose(
            "Holy of Holies",
            (
                "The god is absent, and something else has taken the seat.",
                "Behind the veil lies a thing that none but the high priest may name.",
            ),
            ("statue", "brazier", "chest"),
            "altar",
            rows=True,
        ),
        Purpose(
            "Chamber of the Idol",
            (
                "One eye of the idol is a jewel, and the other is looking.",
                "The idol's hands are open for a gift, and they are warm.",
            ),
            ("brazier", "statue", "bench"),
            "statue",
            rows=True,
        ),
    ),
    guard=(
        Purpose(
            "Hall of the Templars",
            (
                "The guards are forbidden to speak and have carved their jokes into the benches.",
                "Spears lean in a rack by the door, and all points are gilded but one.",
            ),
            ("bench", "statue", "crate"),
        ),
        Purpose(
            "Gate of Trial",
            (
                "Whoever passes must leave something dear on the scales.",
                "A line of salt crosses the floor, broken in one place.",
            ),
            ("statue", "brazier"),
            rows=True,
        ),
    ),
    treasure=(
        Purpose(
            "Offertory",
            (
                "Gifts of a whole people are heaped without order, the worthless on top.",
                "Each gift bears a wish on a slip of paper; some have been granted.",
            ),
            ("chest", "chest", "crate", "sack"),
        ),
        Purpose(
            "Relic Chamber",
            (
                "Bones of a saint lie on velvet, and there are too many of them.",
                "The holiest of the reliquaries has a false bottom.",
            ),
            ("chest", "bookshelf", "statue"),
            "altar",
        ),
    ),
    hidden=(
        Purpose(
            "Oracle's Cell",
            (
                "A tube in the wall carries a whisper into the mouth of the idol.",
                "The true prophecies are kept here, and they contradict the others.",
            ),
            ("chair", "bookshelf", "chest"),
        ),
        Purpose(
            "Heretics' Chapel",
            (
                "An older god is honoured here by some of the priests.",
                "The altar faces down, to a grating without a floor below.",
            ),
            ("bench", "brazier", "bench"),
            "altar",
        ),
    ),
    ordinary=(
        Purpose(
            "Prayer Hall",
            (
                "The mats lie in rows, and one is soaked.",
                "A choir stall has been turned into a barricade.",
            ),
            ("bench", "statue", "bench"),
            "altar",
            rows=True,
            least=25,
        ),
        Purpose(
            "Vestry",
            (
                "Robes for thirty hang here, and two are still warm.",
                "In a pocket is a note that names the next offering.",
            ),
            ("bookshelf", "chest", "bench"),
        ),
        Purpose(
            "Scriptorium",
            (
                "The copyists changed one word in every book.",
                "Ink is drying on a page, and the chair lies overturned.",
            ),
            ("table", "bookshelf", "table"),
            rows=True,
        ),
        Purpose(
            "Novices' Cells",
            (
                "Straw beds, a bucket, and a rule of silence written in tears.",
                "Someone has counted days on the wall and stopped at forty.",
            ),
            ("bed", "bed", "chest"),
            rows=True,
        ),
        Purpose(
            "Bath of Purity",
            (
                "Steps lead into water that shows no reflection.",
                "A robe lies folded at the edge, and nobody has surfaced.",
            ),
            ("bench", "statue"),
            "well",
        ),
        Purpose(
            "Incense Store",
            (
                "Resins in jars: some soothe, some bring dreams, one brings obedience.",
                "The floor is sticky, and small prints end in the middle of it.",
            ),
            ("barrel", "crate", "sack"),
        ),
        Purpose(
            "Bell Chamber",
            (
                "The bell has no rope and is rung by a mouth of stone.",
                "When the bell moves, all doors nearby fall shut.",
            ),
            ("rope", "bench"),
            "statue",
        ),
        Purpose(
            "Refectory",
            (
                "The meal of the priests is better than their vows allow.",
                "A reading desk stands before the tables, its book chained.",
            ),
            ("bench", "barrel", "bench"),
            "table",
            least=25,
        ),
        Purpose(
            "Gallery of Saints",
            (
                "One saint has been given horns by a careful chisel.",
                "The last pedestal is free and bears the name of someone still alive.",
            ),
            ("statue",),
            rows=True,
        ),
        Purpose(
            "Confessional",
            (
                "Behind the screen sits a listener who has not moved for years.",
                "Confessions were written down here and used.",
            ),
            ("chair", "bookshelf"),
        ),
    ),
)
