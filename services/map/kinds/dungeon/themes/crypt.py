"""A burial place under the earth."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import BRAZIER, CANDLES, TORCH, Purpose, Theme

THEME = Theme(
    titles=("The Crypt of {name}", "The {epithet} Tombs", "{name}'s Rest", "The {epithet} Vaults of {name}"),
    epithets=("Silent", "Weeping", "Bone-White", "Forgotten", "Sunless", "Sevenfold", "Unquiet", "Ashen"),
    shapes=(160, 90, 140, 0),
    winding=1,
    snug=150,
    pillars=600,
    pools=90,
    pool=Terrain.CHASM,
    shore=Terrain.RUBBLE,
    rubble=220,
    doors=(
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.STONE,
        DoorKind.STONE,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.IRON,
        DoorKind.PORTCULLIS,
    ),
    strong=(DoorKind.STONE, DoorKind.IRON),
    lights=(TORCH, TORCH, CANDLES, BRAZIER),
    traps=("dart", "blade", "pit", "rune", "collapse", "gas"),
    senses=(
        "The air is dry and tastes of old linen.",
        "Grave dust lies so thick that every step leaves a print.",
        "Somewhere water drips at the pace of a slow heart.",
        "Niches in the walls hold skulls, each with a coin under the jaw.",
        "Names are chiselled on the walls, and one of them has been scratched out.",
        "Candle wax has run down the stones, and some of it is still soft.",
    ),
    qualities=("Lower", "Upper", "Old", "Cracked", "Dusty", "Sealed", "Nameless", "Plundered", "Northern"),
    entrance=(
        Purpose(
            "Mourners' Stair",
            (
                "Wreaths of dead flowers lie on the steps, one of them fresh.",
                "A bronze bell hangs by the stair; its clapper has been wrapped in cloth.",
            ),
            ("statue", "bench", "bench"),
        ),
        Purpose(
            "Lich Gate",
            (
                "Two stone mourners hold out bowls, and both bowls have been emptied lately.",
                "The slab that closed the way in was pushed aside from below.",
            ),
            ("statue", "rock"),
        ),
    ),
    goal=(
        Purpose(
            "Founder's Tomb",
            (
                "The lid of the great sarcophagus has been turned round, and it fits no more.",
                "The founder lies in state, and the right hand is missing three rings.",
            ),
            ("statue", "brazier", "chest", "statue"),
            "sarcophagus",
            rows=True,
        ),
        Purpose(
            "Hall of the Last King",
            (
                "A dead king sits upright on a stone chair, facing the door that was opened last.",
                "Banners of a house that nobody remembers stir without a draught.",
            ),
            ("statue", "sarcophagus", "brazier"),
            "altar",
            rows=True,
        ),
    ),
    guard=(
        Purpose(
            "Wardens' Post",
            (
                "Four suits of rusted mail kneel in the corners, and they are not empty.",
                "A ledger by the door lists who passed; the last entry is tomorrow's.",
            ),
            ("statue", "bench", "bones"),
        ),
        Purpose(
            "Hall of the Oath",
            (
                "Sentinels swore here never to leave, and their bones have kept the oath.",
                "Whoever speaks above a whisper is answered from the walls.",
            ),
            ("statue", "column-broken"),
            rows=True,
        ),
    ),
    treasure=(
        Purpose(
            "Grave Goods",
            (
                "Jars, mirrors and a child's gilded cart were sealed in for a long journey.",
                "The offerings are sorted by a careful hand that still comes and goes.",
            ),
            ("chest", "crate", "chest", "barrel"),
        ),
        Purpose(
            "Dowry Chamber",
            (
                "A bride's treasure was buried without the bride.",
                "Silver has blackened on the shelves; what lies under the cloth has not.",
            ),
            ("chest", "bookshelf", "crate"),
            "chest",
        ),
    ),
    hidden=(
        Purpose(
            "Shunned Grave",
            (
                "Someone was walled in here without a name, and scratched at the wall for long.",
                "A plain coffin is chained shut from the outside.",
            ),
            ("bones", "chest"),
            "sarcophagus",
        ),
        Purpose(
            "Robbers' Cache",
            (
                "Tomb robbers left spades, a lamp and their third man here.",
                "Sacks of grave gold stand ready for a night that never came.",
            ),
            ("sack", "chest", "crate"),
        ),
    ),
    ordinary=(
        Purpose(
            "Hall of Urns",
            (
                "Hundreds of urns stand on the shelves, and one has been filled this year.",
                "Half the urns are broken, from within.",
            ),
            ("bookshelf", "barrel", "bookshelf"),
            rows=True,
        ),
        Purpose(
            "Embalming Room",
            (
                "Hooks, basins and a table with a drain still smell of cedar oil.",
                "A list of spices on the wall has been changed in fresh chalk.",
            ),
            ("barrel", "bookshelf", "cauldron"),
            "table",
        ),
        Purpose(
            "Family Vault",
            (
                "A family lies here by age, and a place is left for one more.",
                "The youngest coffin is empty, its lining torn.",
            ),
            ("sarcophagus", "sarcophagus", "statue"),
            rows=True,
            least=25,
        ),
        Purpose(
            "Ossuary",
            (
                "Walls of stacked thigh bones lean inwards, and one pillar of skulls hums.",
                "Somebody has begun to sort the bones into whole people.",
            ),
            ("bones", "bones", "rock"),
        ),
        Purpose(
            "Chapel of Rest",
            (
                "The benches face away from the altar.",
                "A last prayer is cut off in the middle of a word on the wall.",
            ),
            ("bench", "bench", "statue"),
            "altar",
            rows=True,
            least=25,
        ),
        Purpose(
            "Gravediggers' Room",
            (
                "Spades hang by size on the wall, and the smallest is missing.",
                "A pot on the hearth holds a meal that is only days old.",
            ),
            ("table", "bed", "barrel", "crate"),
        ),
        Purpose(
            "Catacomb",
            (
                "Shelves for the dead line the walls four high, and some are in use by the living.",
                "Rats have made a road along the lowest shelf and avoid the third.",
            ),
            ("sarcophagus", "bones", "rock"),
        ),
        Purpose(
            "Hall of Effigies",
            (
                "The stone knights hold real swords, and one sheath is empty.",
                "All the effigies have been given the same face.",
            ),
            ("statue",),
            rows=True,
            least=25,
        ),
        Purpose(
            "Well of Ashes",
            (
                "Ash was poured down here for centuries, and it has begun to rise.",
                "A rope leads into the shaft and is taut.",
            ),
            ("bench", "rock"),
            "well",
        ),
    ),
)
