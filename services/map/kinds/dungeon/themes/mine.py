"""Diggings for ore, given up or still at work."""

from __future__ import annotations

from services.map.generation.grid.model import DoorKind
from services.map.generation.grid.terrain import Terrain
from services.map.kinds.dungeon.themes.model import GLOW, LANTERN, TORCH, Purpose, Theme

THEME = Theme(
    titles=("The {name} Mine", "{name} Deep", "The {epithet} Diggings", "The {epithet} Lode of {name}"),
    epithets=("Blackened", "Hungry", "Flooded", "Iron", "Singing", "Hollow", "Red", "Abandoned"),
    shapes=(60, 0, 0, 640),
    winding=5,
    snug=80,
    pillars=120,
    pools=220,
    pool=Terrain.CHASM,
    shore=Terrain.RUBBLE,
    rubble=480,
    doors=(
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.ARCH,
        DoorKind.WOODEN,
        DoorKind.WOODEN,
        DoorKind.BARRED,
        DoorKind.CURTAIN,
    ),
    strong=(DoorKind.WOODEN, DoorKind.IRON),
    lights=(LANTERN, TORCH, GLOW),
    traps=("collapse", "collapse", "pit", "gas", "net"),
    senses=(
        "Props creak, and dust trickles from a crack that was not there a moment ago.",
        "A draught smells of wet iron.",
        "Pick marks on the wall change from careful to frantic.",
        "Far off, something taps three times and waits.",
        "A thin vein glitters wherever light falls on it.",
        "Boot prints in the mud lead one way only.",
    ),
    qualities=("Old", "Deep", "Dry", "Dripping", "Western", "Spent", "Shored", "Second", "Crooked"),
    entrance=(
        Purpose(
            "Pit Head",
            (
                "Name tags hang on a board by the shaft, and eleven were never taken down.",
                "The windlass still turns, and the rope is newer than the rest.",
            ),
            ("cart", "crate", "rope"),
        ),
        Purpose(
            "Adit",
            (
                "Rails come in from daylight and have been polished by use.",
                "A warning is nailed across the way in, and neatly cut through.",
            ),
            ("cart", "log", "log"),
        ),
    ),
    goal=(
        Purpose(
            "Mother Lode",
            (
                "The vein is as wide as a house, and it beats.",
                "Ore was stacked here and not taken out, as if the diggers had changed their minds.",
            ),
            ("cart", "crystal", "crystal", "crate"),
            "rock",
        ),
        Purpose(
            "Breakthrough",
            (
                "The last blow of a pick opened a hall that no miner had made.",
                "On the far wall are marks of tools, from the other side.",
            ),
            ("crystal", "rock", "bones"),
            "crystal",
        ),
    ),
    guard=(
        Purpose(
            "Overseers' Post",
            (
                "A whip, a ledger and a strongbox share one table.",
                "From a slit in the wall one sees who comes along the rails.",
            ),
            ("table", "chest", "bench"),
        ),
        Purpose(
            "Barricade",
            (
                "Carts were tipped over to stop something that came from below.",
                "Behind a wall of timber lie slings and heaps of good stones.",
            ),
            ("cart", "log", "crate"),
        ),
    ),
    treasure=(
        Purpose(
            "Assay Office",
            (
                "Scales, acids and a drawer of nuggets, each with its price.",
                "Two sets of books are kept here, and only one tells the truth.",
            ),
            ("table", "chest", "bookshelf"),
        ),
        Purpose(
            "Ore Store",
            (
                "Sacks of sorted ore stand to the roof, and one is full of something else.",
                "The best of a whole year waits for a wagon that was robbed.",
            ),
            ("sack", "crate", "barrel", "cart"),
        ),
    ),
    hidden=(
        Purpose(
            "Jumped Claim",
            (
                "Two brothers dug here by night, and one of them still sits by the vein.",
                "A private tunnel ends in a crystal as big as a door.",
            ),
            ("crystal", "bones", "crate"),
        ),
        Purpose(
            "Strike Room",
            (
                "The miners planned their revolt behind this wall of stacked spoil.",
                "Banners, cudgels and a list of names are hidden here.",
            ),
            ("crate", "table", "sack"),
        ),
    ),
    ordinary=(
        Purpose(
            "Gallery",
            (
                "The vein was followed until it vanished as if cut with a knife.",
                "Candle stubs along the wall count the shifts.",
            ),
            ("rock", "cart", "log"),
        ),
        Purpose(
            "Timber Store",
            (
                "Props lie ready, and the longest has been gnawed.",
                "Among the beams someone has made a bed.",
            ),
            ("log", "log", "crate"),
        ),
        Purpose(
            "Powder Room",
            (
                "The kegs are dry, and the lock has been forced from inside.",
                "A fuse leads out under the door.",
            ),
            ("barrel", "barrel", "crate"),
        ),
        Purpose(
            "Miners' Mess",
            (
                "Bowls are set for twenty, and nineteen were used.",
                "A game of dice was broken off with a fortune on the table.",
            ),
            ("bench", "barrel", "table"),
            "table",
        ),
        Purpose(
            "Bunk Room",
            (
                "Under one mattress lies a map of a shaft that nobody speaks of.",
                "The beds nearest to the wall have been dragged away from it.",
            ),
            ("bed", "bed", "chest"),
            rows=True,
        ),
        Purpose(
            "Pump Room",
            (
                "The pump has stopped, and the water knows it.",
                "The pump works though nobody works it.",
            ),
            ("barrel", "rope", "crate"),
            "well",
        ),
        Purpose(
            "Smithy",
            (
                "Picks wait for new points, and the forge is warm.",
                "The anvil has a crack that runs on through the floor.",
            ),
            ("anvil", "hearth", "crate", "barrel"),
        ),
        Purpose(
            "Shaft Station",
            (
                "A bucket hangs over the dark, and its rope twitches.",
                "Numbers on the wall give the depth; the last is nonsense.",
            ),
            ("rope", "ladder", "crate"),
            least=25,
        ),
        Purpose(
            "Worked-Out Stope",
            (
                "The roof is held by hope and one beam.",
                "What was taken from here left a hollow in the shape of a beast.",
            ),
            ("rock", "rock", "bones"),
        ),
        Purpose(
            "Cart Turntable",
            (
                "The rails meet on a wheel that can be set to four ways.",
                "A cart stands loaded with tools that no one would leave.",
            ),
            ("cart", "crate"),
            "cart",
        ),
    ),
)
