"""Burrows and natural hollows that creatures have made their own."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import FUNGUS, GLOW, TORCH, Purpose, Theme

THEME = Theme(
    titles=("The {name} Warren", "{name} Hollows", "The {epithet} Burrows", "The {epithet} Nest of {name}"),
    epithets=(
        "Teeming",
        "Earthen",
        "Bone-Strewn",
        "Root-Bound",
        "Howling",
        "Musky",
        "Hidden",
        "Thousand-Fold",
    ),
    shapes=(0, 0, 0, 1000),
    winding=8,
    snug=60,
    pillars=0,
    pools=240,
    pool=Terrain.WATER,
    shore=Terrain.SHALLOWS,
    rubble=420,
    doors=(
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.CURTAIN,
        DoorKind.CURTAIN,
        DoorKind.BARRED,
    ),
    strong=(DoorKind.BARRED, DoorKind.STONE),
    lights=(FUNGUS, FUNGUS, TORCH, GLOW),
    traps=("pit", "pit", "net", "collapse"),
    senses=(
        "Roots hang from the roof, and some of them have been braided.",
        "It smells of fur, smoke and wild garlic.",
        "Small eyes gather at the edge of the light and scatter.",
        "Hand prints in ochre run along the wall at knee height.",
        "Drums begin, very quietly, and stop when one listens.",
        "The floor is soft with fur and feathers.",
    ),
    qualities=("Old", "Deep", "Warm", "Low", "Crooked", "Crowded", "Bare", "Smoky", "Far"),
    entrance=(
        Purpose(
            "Mouth of the Burrow",
            (
                "Skulls on sticks flank the way in; one of them has been given a hat.",
                "Fresh tracks of many small feet lead in, and one heavy pair leads out.",
            ),
            ("bones", "rock", "log"),
        ),
        Purpose(
            "Root Stair",
            (
                "The roots of one great tree form the steps.",
                "A string of shells rattles when someone comes down.",
            ),
            ("log", "mushroom", "rock"),
        ),
    ),
    goal=(
        Purpose(
            "Chieftain's Den",
            (
                "The chief sits on a shield carried by four who are not happy about it.",
                "Trophies on the wall include the sign of an inn not far from here.",
            ),
            ("chest", "bones", "bed", "barrel"),
            "fire",
        ),
        Purpose(
            "Brood Chamber",
            (
                "The young are many, and the mother is only sleeping.",
                "Everything in this warren is carried to this room in the end.",
            ),
            ("web", "bones", "mushroom", "bones"),
            "rock",
        ),
    ),
    guard=(
        Purpose(
            "Listening Post",
            (
                "Tin cups are held to the wall by two who argue in whispers.",
                "A tube of bark carries an alarm to the depths.",
            ),
            ("rock", "log", "sack"),
        ),
        Purpose(
            "Spiked Hollow",
            (
                "Stakes point at the only dry way through.",
                "Stones as big as heads lie on a ledge above the way.",
            ),
            ("log", "rock", "bones"),
        ),
    ),
    treasure=(
        Purpose(
            "Hoard",
            (
                "Everything that shines was brought here: spoons, buttons, one true crown.",
                "The hoard is sorted by smell.",
            ),
            ("chest", "sack", "barrel", "crate"),
        ),
        Purpose(
            "Larder",
            (
                "Hams, honey and a prisoner who is being fattened.",
                "The best of three stolen wagons is stacked here.",
            ),
            ("barrel", "sack", "crate"),
        ),
    ),
    hidden=(
        Purpose(
            "Deserter's Hole",
            (
                "Someone left the tribe and lives between its walls.",
                "A friendly soul hides here with a map drawn on skin.",
            ),
            ("bed", "sack"),
        ),
        Purpose(
            "Shaman's Hollow",
            (
                "The shaman keeps the tribe's true names here, in gourds.",
                "What the drums call lives behind the second curtain.",
            ),
            ("cauldron", "bones", "mushroom"),
            "fire",
        ),
    ),
    ordinary=(
        Purpose(
            "Sleeping Hollow",
            (
                "Nests of straw lie in heaps, the warmest in the middle.",
                "One sleeper talks in a language it should not know.",
            ),
            ("hay", "hay", "sack"),
        ),
        Purpose(
            "Cooking Pit",
            (
                "The pot never empties, and nobody asks what is in it.",
                "Two cooks settle a quarrel with ladles.",
            ),
            ("barrel", "sack", "log"),
            "cauldron",
        ),
        Purpose(
            "Fighting Pit",
            (
                "Stakes and ropes mark a ring, and bets are still chalked up.",
                "The champion sits alone and would rather be elsewhere.",
            ),
            ("log", "bench"),
            least=25,
        ),
        Purpose(
            "Midden",
            (
                "Between bones and shards lies a glove with a hand in it.",
                "Something large feeds here when the warren sleeps.",
            ),
            ("bones", "bones", "sack"),
        ),
        Purpose(
            "Fungus Garden",
            (
                "Rows of pale caps are tended by the very old.",
                "The red ones are never picked, and there are fewer every day.",
            ),
            ("mushroom", "mushroom", "mushroom"),
        ),
        Purpose(
            "Kennel",
            (
                "Chains as thick as a wrist, and one of them broken.",
                "The pups are friendly, which is the trouble.",
            ),
            ("bones", "hay", "rock"),
        ),
        Purpose(
            "Totem Hall",
            (
                "The pole is carved with every enemy the tribe has eaten.",
                "The face at the top has been turned to the wall.",
            ),
            ("bones", "log", "rock"),
            "statue",
            least=25,
        ),
        Purpose(
            "Tool Hollow",
            (
                "Stolen tools hang upside down, by people who have only guessed their use.",
                "A captured smith works here and has a plan.",
            ),
            ("anvil", "crate", "log"),
        ),
        Purpose(
            "Crystal Grotto",
            (
                "The stones ring when touched, and far away others answer.",
                "The young come here to be brave.",
            ),
            ("crystal", "crystal", "rock"),
        ),
        Purpose(
            "Drum Chamber",
            (
                "The drum is a hollow trunk, and its skin is scaled.",
                "The drummer is deaf and feels every footfall.",
            ),
            ("log", "bench"),
            "log",
        ),
    ),
)
