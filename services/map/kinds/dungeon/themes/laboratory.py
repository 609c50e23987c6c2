"""Where somebody studied what should have been left alone."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import CANDLES, GLOW, LANTERN, WITCHLIGHT, Purpose, Theme

THEME = Theme(
    titles=(
        "{name}'s Laboratory",
        "The {epithet} Works",
        "The {epithet} College of {name}",
        "The House of {name}",
    ),
    epithets=("Glass", "Humming", "Forbidden", "Clockwork", "Quicksilver", "Seventh", "Shuttered", "Violet"),
    shapes=(200, 220, 60, 0),
    winding=0,
    snug=240,
    pillars=350,
    pools=90,
    pool=Terrain.LAVA,
    shore=Terrain.FLOOR,
    rubble=90,
    doors=(
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.IRON,
        DoorKind.IRON,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.CURTAIN,
    ),
    strong=(DoorKind.IRON, DoorKind.WOODEN),
    lights=(WITCHLIGHT, WITCHLIGHT, LANTERN, CANDLES, GLOW),
    traps=("rune", "rune", "gas", "gas", "dart"),
    senses=(
        "Hair stands on end near the northern wall.",
        "It smells of vinegar, thunder and burnt sugar.",
        "A metronome beats, and it is not quite regular.",
        "Chalk figures cover the floor, smudged in one decisive place.",
        "Glass tubes run along the ceiling, and in one of them something crawls.",
        "Labels are written in mirror script.",
    ),
    qualities=("First", "Second", "Old", "Scorched", "Spare", "Sealed", "Lesser", "Untidy", "Inner"),
    entrance=(
        Purpose(
            "Vestibule",
            (
                "A brass head by the stair asks for the purpose of the visit.",
                "Coats of the assistants hang here, one with a singed sleeve that still smokes.",
            ),
            ("bench", "statue", "bookshelf"),
        ),
        Purpose(
            "Delivery Room",
            (
                "Crates from far ports wait unopened; one has opened itself.",
                "A scale by the stair takes down weights in a neat moving hand.",
            ),
            ("crate", "barrel", "crate", "cart"),
        ),
    ),
    goal=(
        Purpose(
            "Great Work",
            (
                "The machine is finished but for one part, and it has begun to ask for it.",
                "In the circle stands the author of all this, unable to step out.",
            ),
            ("crystal", "bookshelf", "cauldron", "crystal"),
            "altar",
            rows=True,
        ),
        Purpose(
            "Observatory of the Depths",
            (
                "A lens as wide as a cart looks down instead of up.",
                "The last observation reads: it has turned round.",
            ),
            ("bookshelf", "table", "crystal"),
            "crystal",
        ),
    ),
    guard=(
        Purpose(
            "Golem Bay",
            (
                "Five niches, four clay giants, and wet prints leading off.",
                "The guardians obey a word that is written on the ceiling, where none of them looks.",
            ),
            ("statue",),
            rows=True,
        ),
        Purpose(
            "Airlock",
            (
                "Only one of the doors opens at a time, and a voice counts in between.",
                "Masks with glass eyes hang in a row, one of them fogged.",
            ),
            ("bench", "crate"),
        ),
    ),
    treasure=(
        Purpose(
            "Reagent Vault",
            (
                "Dragon tears, moon salt and honest gold are kept in the same drawers.",
                "The rarest of the bottles is labelled as soap.",
            ),
            ("bookshelf", "chest", "bookshelf"),
            rows=True,
        ),
        Purpose(
            "Patents Room",
            (
                "Inventions that a king paid for and never dared to use.",
                "Each cupboard opens with the answer to a sum.",
            ),
            ("chest", "bookshelf", "crate"),
            "table",
        ),
    ),
    hidden=(
        Purpose(
            "Private Study",
            (
                "The real notes are here; those outside are for the patron.",
                "A portrait of a child has been the reason for everything.",
            ),
            ("bookshelf", "chair", "chest"),
            "table",
        ),
        Purpose(
            "Failed Subjects",
            (
                "Beds with straps, and names instead of numbers.",
                "One of them has learnt to write and has been writing on the wall.",
            ),
            ("bed", "bed", "bones"),
        ),
    ),
    ordinary=(
        Purpose(
            "Distillery",
            (
                "Drop by drop something black fills the last flask.",
                "The furnace is kept going by a small, polite fire that speaks.",
            ),
            ("cauldron", "barrel", "table"),
            "hearth",
        ),
        Purpose(
            "Library",
            (
                "The books are chained, and one chain is taut.",
                "A ladder rolls along the shelves by itself and stops at a gap.",
            ),
            ("bookshelf", "bookshelf", "chair"),
            "table",
            rows=True,
        ),
        Purpose(
            "Menagerie",
            (
                "Cages of all sizes, and the largest is bent open.",
                "Every beast in here casts the wrong shadow.",
            ),
            ("crate", "crate", "bones"),
            least=25,
        ),
        Purpose(
            "Summoning Room",
            (
                "Salt, candles and a circle that was closed from the inside.",
                "The air in the middle is thick as water.",
            ),
            ("bookshelf", "brazier"),
            "altar",
        ),
        Purpose(
            "Herb Room",
            (
                "Bundles hang from the beams, and one has rooted in the wall.",
                "A drawer of seeds is warm and rustles.",
            ),
            ("bookshelf", "table", "barrel"),
        ),
        Purpose(
            "Dissection Hall",
            (
                "The table is ringed by benches, and the audience is made of wax.",
                "On the slab lies a thing of clockwork and meat.",
            ),
            ("bench", "bookshelf", "bench"),
            "table",
            least=25,
        ),
        Purpose(
            "Glassworks",
            (
                "Half-made alembics glow, and no one holds the pipe.",
                "A row of mirrors shows the room as it was yesterday.",
            ),
            ("hearth", "crate", "table"),
        ),
        Purpose(
            "Assistants' Dormitory",
            (
                "Under a pillow is a letter of resignation, dated weeks ago.",
                "Somebody sleepwalks here in squares.",
            ),
            ("bed", "bed", "chest"),
            rows=True,
        ),
        Purpose(
            "Store of Instruments",
            (
                "Needles point to a spot behind the wall, all of them.",
                "A small brass door leads nowhere, and it is bolted.",
            ),
            ("crate", "bookshelf", "anvil"),
        ),
        Purpose(
            "Lecture Room",
            (
                "The proof on the board is wrong in its last line, on purpose.",
                "Every seat bears burns in the shape of hands.",
            ),
            ("bench", "bench", "bookshelf"),
            "table",
            rows=True,
            least=25,
        ),
    ),
)
