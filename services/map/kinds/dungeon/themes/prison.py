"""A prison under the earth."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import LANTERN, TORCH, Purpose, Theme

THEME = Theme(
    titles=(
        "The Dungeons of {name}",
        "{name} Gaol",
        "The {epithet} Oubliette",
        "The {epithet} Cells of {name}",
    ),
    epithets=("Sunless", "Iron", "Lower", "Whispering", "Bottomless", "Merciless", "Locked", "Grey"),
    shapes=(60, 40, 60, 0),
    winding=0,
    snug=320,
    pillars=350,
    pools=60,
    pool=Terrain.CHASM,
    shore=Terrain.FLOOR,
    rubble=150,
    doors=(
        DoorKind.IRON,
        DoorKind.IRON,
        DoorKind.BARRED,
        DoorKind.BARRED,
        DoorKind.PORTCULLIS,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.GATE,
    ),
    strong=(DoorKind.IRON, DoorKind.BARRED),
    lights=(TORCH, LANTERN),
    traps=("pit", "net", "blade", "dart"),
    senses=(
        "Chains clink somewhere, in answer to footsteps.",
        "The walls are covered with tallies, and some of them count backwards.",
        "It smells of wet straw and cold porridge.",
        "A voice asks through the stones what year it is.",
        "Keys have worn a hollow into the hook by the door.",
        "The drain in the floor is large enough for a thin person.",
    ),
    qualities=("First", "Second", "Third", "Old", "Deep", "Damp", "Empty", "Crowded", "Western"),
    entrance=(
        Purpose(
            "Reception",
            (
                "Belongings of prisoners are kept in labelled boxes, and many owners are long dead.",
                "The register lies open, and a page has been torn out with care.",
            ),
            ("table", "bookshelf", "crate"),
        ),
        Purpose(
            "Gatehouse Stair",
            (
                "Every visitor was weighed here, on the way in and on the way out.",
                "A slot in the wall is just wide enough for a bribe.",
            ),
            ("bench", "crate", "barrel"),
        ),
    ),
    goal=(
        Purpose(
            "Cell of the Prisoner",
            (
                "The one prisoner that nobody may name sits at a well-laid table.",
                "Nine locks close this cell, and the bed is carefully made.",
            ),
            ("bed", "bookshelf", "chair", "chest"),
            "table",
        ),
        Purpose(
            "Warden's Hall",
            (
                "The warden has not left these rooms since the keys were lost.",
                "Portraits of all wardens hang here, each older than the last.",
            ),
            ("bookshelf", "chest", "bench", "statue"),
            "table",
        ),
    ),
    guard=(
        Purpose(
            "Guard Room",
            (
                "Cards, a bottle and a set of loaded dice: the watch is just out of sight.",
                "A board on the wall shows who has the night watch, and two names are crossed out.",
            ),
            ("table", "bench", "barrel", "crate"),
        ),
        Purpose(
            "Sally Room",
            (
                "From here two doors can be barred at once.",
                "Shields and clubs hang ready for a revolt.",
            ),
            ("bench", "crate"),
            rows=True,
        ),
    ),
    treasure=(
        Purpose(
            "Strongroom",
            (
                "Ransoms that were paid too late are kept here.",
                "What the guards have taken from prisoners fills three chests.",
            ),
            ("chest", "chest", "crate"),
        ),
        Purpose(
            "Evidence Room",
            (
                "Weapons of famous murders hang here with their stories.",
                "One box is marked with a warning in every language but one.",
            ),
            ("bookshelf", "chest", "crate"),
            rows=True,
        ),
    ),
    hidden=(
        Purpose(
            "Forgotten Cell",
            (
                "The door was plastered over, and the food slot is still in use.",
                "Somebody has drawn the whole prison on these walls, with ways that do not exist yet.",
            ),
            ("bed", "bones"),
        ),
        Purpose(
            "Tunnellers' Den",
            (
                "Spoons worn to stumps and a heap of earth tell of a long labour.",
                "False papers for five are ready, and four men are left.",
            ),
            ("sack", "crate", "rope"),
        ),
    ),
    ordinary=(
        Purpose(
            "Cell Block",
            (
                "The prisoners have agreed on a sign and fall silent together.",
                "All doors stand open, and nobody has left.",
            ),
            ("bed", "bed", "bench"),
            rows=True,
        ),
        Purpose(
            "Interrogation Room",
            (
                "The chair is bolted to the floor, and so is the other chair.",
                "A clerk's desk faces the wall so that he need not see.",
            ),
            ("table", "brazier", "chair"),
            "chair",
        ),
        Purpose(
            "Kitchen",
            (
                "The soup has been watered until it reflects the ceiling.",
                "A knife is missing from the block, and the cook has not reported it.",
            ),
            ("hearth", "barrel", "table", "crate"),
            "cauldron",
        ),
        Purpose(
            "Wash House",
            (
                "Troughs of grey water and a bar of soap with a key pressed into it.",
                "Laundry hangs in rows, thick enough to hide in.",
            ),
            ("barrel", "bench"),
            "well",
        ),
        Purpose(
            "Workshop",
            (
                "Prisoners knot nets here, and one net is a ladder.",
                "Every tool is painted on the wall where it hangs; one shape is bare.",
            ),
            ("table", "crate", "barrel", "anvil"),
        ),
        Purpose(
            "Infirmary",
            (
                "The healer is a prisoner too and knows who is not really ill.",
                "A bed by the wall is screened off, and the screen breathes.",
            ),
            ("bed", "bed", "bookshelf"),
            rows=True,
        ),
        Purpose(
            "Exercise Yard",
            (
                "A ring is trodden into the floor by thousands of turns.",
                "High above is a grating, and once a day the sun.",
            ),
            ("bench", "rock"),
            least=40,
        ),
        Purpose(
            "Chapel",
            (
                "The last night before the block was spent on this bench.",
                "The chaplain sells messages, hidden in prayer books.",
            ),
            ("bench", "bench"),
            "altar",
            rows=True,
        ),
        Purpose(
            "Record Room",
            (
                "Sentences are filed by length; the last shelf is endless.",
                "Somebody has released himself with a single stroke of a pen.",
            ),
            ("bookshelf", "bookshelf", "table"),
            rows=True,
        ),
        Purpose(
            "Execution Chamber",
            (
                "The block is clean, and the sand around it is fresh.",
                "The headsman's mask hangs on a nail, too small for any man.",
            ),
            ("bench", "sack"),
            "table",
        ),
    ),
)
