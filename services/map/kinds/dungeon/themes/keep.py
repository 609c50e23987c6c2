"""The cellars and lower halls of a fortress."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import BRAZIER, LANTERN, TORCH, Purpose, Theme

THEME = Theme(
    titles=("{name} Keep", "Castle {name}", "The {epithet} Hold", "The {epithet} Halls of {name}"),
    epithets=("Broken", "Besieged", "Raven", "Grey", "Oath-Bound", "Winter", "Usurped", "Last"),
    shapes=(110, 170, 60, 0),
    winding=0,
    snug=420,
    pillars=550,
    pools=30,
    pool=Terrain.WATER,
    shore=Terrain.SHALLOWS,
    rubble=160,
    doors=(
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.IRON,
        DoorKind.PORTCULLIS,
        DoorKind.GATE,
    ),
    strong=(DoorKind.WOODEN, DoorKind.IRON),
    lights=(TORCH, TORCH, BRAZIER, LANTERN),
    traps=("pit", "dart", "blade", "net"),
    senses=(
        "Arrow slits have been stuffed with rags against the draught.",
        "A hunting horn sounds far above, and boots answer.",
        "The smoke of old fires has blackened the vault.",
        "A coat of arms has been chiselled off, and a new one painted over it.",
        "Scorch marks and patched stones tell of the last siege.",
        "The wind finds a note in the stair and holds it.",
    ),
    qualities=("Upper", "Lower", "Old", "Great", "Little", "Ruined", "East", "West", "Second"),
    entrance=(
        Purpose(
            "Gate Passage",
            (
                "Holes in the ceiling are meant for hot sand, and they are lined with soot.",
                "The drawbridge chain was cut, and tied again with rope.",
            ),
            ("barrel", "crate", "bench"),
        ),
        Purpose(
            "Postern Stair",
            (
                "Every step is of another height, so that strangers stumble.",
                "A password is scratched under the lintel for those who are late.",
            ),
            ("crate", "barrel"),
        ),
    ),
    goal=(
        Purpose(
            "Throne Room",
            (
                "The throne is empty, and a dagger is stuck in its back.",
                "The pretender holds court here before seven frightened guests.",
            ),
            ("statue", "bench", "brazier"),
            "chair",
            rows=True,
        ),
        Purpose(
            "Lord's Strong Tower",
            (
                "The lord has sworn to be the last alive behind this door.",
                "A table is laid with the whole valley in clay and tin.",
            ),
            ("bookshelf", "chest", "bed"),
            "table",
        ),
    ),
    guard=(
        Purpose(
            "Guard Chamber",
            (
                "The watch is changed by a bell that has not rung today.",
                "A brazier, three stools and a fourth kicked over.",
            ),
            ("bench", "table", "barrel"),
        ),
        Purpose(
            "Murder Room",
            (
                "Slits look into the passage, and a bolt lies ready in each.",
                "Cauldrons stand by the holes in the floor, cold for now.",
            ),
            ("cauldron", "crate", "barrel"),
        ),
    ),
    treasure=(
        Purpose(
            "Treasury",
            (
                "Taxes of three years in sacks, and a fourth year in promises.",
                "The crown jewels are glass; the steward knows where the others are.",
            ),
            ("chest", "chest", "sack"),
        ),
        Purpose(
            "Armoury",
            (
                "One blade on the wall hums when the door is opened.",
                "Mail for a giant hangs in the corner, oiled every week.",
            ),
            ("crate", "bookshelf", "chest"),
            rows=True,
        ),
    ),
    hidden=(
        Purpose(
            "Priest Hole",
            (
                "A bed, a coal-black book and an ear to the chimney.",
                "The true heir lived here for six winters.",
            ),
            ("bed", "chest"),
        ),
        Purpose(
            "War Chest",
            (
                "Gold for one more army was hidden from the queen.",
                "Letters to the enemy are tied with a lady's ribbon.",
            ),
            ("chest", "crate", "chest"),
        ),
    ),
    ordinary=(
        Purpose(
            "Great Hall",
            (
                "The feast was left in the middle of a toast.",
                "High and low tables are parted by a line of salt.",
            ),
            ("bench", "hearth", "bench"),
            "table",
            rows=True,
            least=40,
        ),
        Purpose(
            "Kitchen",
            (
                "The spit turns under a boar that is far too large.",
                "The cook keeps a crossbow with the ladles.",
            ),
            ("hearth", "barrel", "table", "crate"),
            "table",
        ),
        Purpose(
            "Barracks",
            (
                "Forty beds, twenty of them slept in.",
                "Soldiers' names are cut into the posts, with hearts and dates.",
            ),
            ("bed", "bed", "chest"),
            rows=True,
            least=25,
        ),
        Purpose(
            "Wine Cellar",
            (
                "The largest cask sounds hollow in the wrong place.",
                "Somebody has drunk his way from the left, and lies there.",
            ),
            ("barrel", "barrel", "barrel"),
            rows=True,
        ),
        Purpose(
            "Granary",
            (
                "Enough grain for a year, and something warm lives in it.",
                "Cats patrol here and report to nobody.",
            ),
            ("sack", "sack", "crate"),
        ),
        Purpose(
            "Smithy",
            (
                "Horseshoes, hinges, and a mask for a face without eyes.",
                "The fire has been kept for a hundred years.",
            ),
            ("anvil", "hearth", "barrel"),
            "anvil",
        ),
        Purpose(
            "Chapel",
            (
                "Vows of knights hang on the wall, and one has been turned round.",
                "The altar cloth hides a stair that has been filled in.",
            ),
            ("bench", "statue", "bench"),
            "altar",
            rows=True,
        ),
        Purpose(
            "Solar",
            (
                "Needlework shows the siege as it will go on tomorrow.",
                "A harp stands by a window that has been bricked up.",
            ),
            ("chair", "bookshelf", "chest"),
            "table",
        ),
        Purpose(
            "Well Room",
            (
                "In a siege this was the most valuable room, and it was poisoned.",
                "A bucket comes up with a bottle in it.",
            ),
            ("barrel", "bench"),
            "well",
        ),
        Purpose(
            "Stable",
            (
                "One stall is hung with charms, and the straw in it is burnt.",
                "Hoof beats go round and round behind a closed half-door.",
            ),
            ("hay", "hay", "barrel", "cart"),
            least=25,
        ),
        Purpose(
            "Steward's Office",
            (
                "Debts are kept in knots on a string.",
                "Every key of the house hangs here but one.",
            ),
            ("table", "bookshelf", "chest"),
        ),
    ),
)
