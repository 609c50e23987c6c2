"""The words of a dungeon: its name, and what the game master reads about rooms, doors and traps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from services.map.generation.grid.model import DoorKind, RoomRole
from services.map.kinds.dungeon.chance import State, start, words
from services.map.kinds.dungeon.themes.model import Purpose, Theme

_T = TypeVar("_T")

_HEADS = (
    "Ash",
    "Bar",
    "Cal",
    "Dor",
    "Eld",
    "Fen",
    "Gar",
    "Hal",
    "Ith",
    "Kar",
    "Lor",
    "Mal",
    "Nar",
    "Oth",
    "Pell",
    "Quor",
    "Ral",
    "Sel",
    "Tor",
    "Ul",
    "Var",
    "Wen",
    "Yar",
    "Zer",
)
_MIDDLES = ("", "", "a", "e", "i", "o", "ama", "eri", "ino", "oru", "u")
_TAILS = (
    "beck",
    "dane",
    "drim",
    "gard",
    "grave",
    "heim",
    "ken",
    "lach",
    "mar",
    "mere",
    "moth",
    "nor",
    "rath",
    "ros",
    "sk",
    "thal",
    "than",
    "vale",
    "wick",
)

_DRAWN_AT_ONCE = 512

DIRECTIONS = ("north", "east", "south", "west")

_HOOKS: MappingProxyType[RoomRole, tuple[str, ...]] = MappingProxyType(
    {
        RoomRole.ENTRANCE: (
            "The way back up is the surest thing here.",
            "Marks at eye level tell that others came this way not long ago.",
            "Whoever flees will be awaited here.",
        ),
        RoomRole.GOAL: (
            "All that was heard of this place points here.",
            "Nothing that lives here enters this room without need.",
            "What was sought is here, and it is not alone.",
        ),
        RoomRole.GUARD: (
            "Those on watch are fewer than they should be, and nervous.",
            "One alarm from here wakes the neighbouring rooms.",
            "The watch can be bribed, fooled or joined.",
        ),
        RoomRole.TREASURE: (
            "What is worth most does not look it.",
            "Someone has been here first, and left in a hurry.",
            "The best piece is marked, so that its thief can be found.",
        ),
        RoomRole.SECRET: (
            "Nobody has come here for a long time, by this door at least.",
            "The door can be told by the draught along the floor.",
            "Whoever hides here hears all that is said next door.",
        ),
        RoomRole.DEAD_END: (
            "There is no other way out, and someone has tried to make one.",
            "A good place to rest, and a bad one to be found in.",
            "Tracks lead in, and none leads out.",
        ),
        RoomRole.HUB: (
            "Everyone who goes anywhere comes through here.",
            "Signs at the doors have been turned to lead strangers astray.",
            "Two groups claim this crossing and avoid each other by the hour.",
        ),
        RoomRole.ORDINARY: (),
    }
)

_FEATURES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "flooded": (
            "Water stands knee-deep, and something stirs where it is deeper.",
            "Furniture has drifted into one corner of the flood.",
            "The flood hides an uneven floor.",
        ),
        "pillars": (
            "The pillars give good cover, and someone uses it.",
            "One of the pillars is newer than the others.",
            "Carvings climb the pillars and tell one story, read from below.",
        ),
        "water": (
            "The pool is clear, deep and bottomless to any pole.",
            "Rings spread on the pool without cause.",
        ),
        "chasm": ("A cold breath rises from the chasm.", "A rope has been fixed to the lip of the chasm."),
        "lava": ("Heat beats up from the glowing pit.", "The melt crusts over, cracks and glows again."),
        "rubble": ("Part of the ceiling has come down.", "Under the rubble something gleams."),
    }
)

_NEIGHBOURS = (
    "Voices from {name} carry through the {side} way.",
    "A trail of drops leads {side}, to {name}.",
    "Whoever stays here long is noticed in {name}.",
    "Things have been dragged {side}, towards {name}.",
    "Those of {name} come here when they want to be alone.",
    "A draught from {name} carries a smell that does not belong there.",
)

_TRAPS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "pit": (
            "A lid covered with dust gives way; it sounds hollow when tapped.",
            "A mat hides a shaft; its edges lie a little too straight.",
        ),
        "dart": (
            "A loose slab lets darts fly from holes in the wall; dust is missing around the holes.",
            "A thread at ankle height sets off a row of dart tubes; it glints in low light.",
        ),
        "blade": (
            "A blade swings from a slit when the slab is stepped on; the opposite wall is scored.",
            "A scythe sweeps across at knee height; old stains end in one sharp line.",
        ),
        "net": (
            "A weighted net falls when the cord is touched; its knots can be seen among the beams.",
            "A snare jerks its victim to the ceiling; the bent beam creaks.",
        ),
        "rune": (
            "A sign on the floor flares when light falls on it; in the dark it can be felt.",
            "A rune wakes when blood or metal crosses it; the dust never settles there.",
        ),
        "gas": (
            "A cracked pipe fills the place with vapour when the slab sinks; a dead rat gives it away.",
            "A glass bulb under the floor breaks underfoot; the stones around it are bleached.",
        ),
        "collapse": (
            "The prop holds the ceiling only as long as no one touches it; grit lies all around it.",
            "Loud noise brings the ceiling down; cracks have been chalked by someone careful.",
        ),
    }
)

_SECRETS = (
    "It opens when a worn stone is pressed; the stone is cleaner than the others.",
    "It turns on a pivot; a curved scratch on the floor betrays it.",
    "It slides aside when a sconce is pulled down; the metal is polished by hands.",
    "It is only painted cloth and plaster, and it sounds so.",
    "It rises on a counterweight; a draught comes from below it.",
    "It is pushed in at knee height; a child's hand print marks the spot.",
)

_DOOR_NAMES: MappingProxyType[DoorKind, str] = MappingProxyType(
    {
        DoorKind.ARCH: "arch",
        DoorKind.WOODEN: "wooden door",
        DoorKind.IRON: "iron door",
        DoorKind.STONE: "stone door",
        DoorKind.PORTCULLIS: "portcullis",
        DoorKind.GATE: "gate",
        DoorKind.SECRET: "secret door",
        DoorKind.CURTAIN: "curtain",
        DoorKind.BARRED: "barred door",
    }
)


def _endless(state: State) -> Iterator[int]:
    while True:
        yield from words(state, _DRAWN_AT_ONCE).tolist()


class Words:
    """Choices that are made outside of kernels, from numbers that are drawn many at once."""

    __slots__ = ("_next",)

    def __init__(self, seed: int, *name: str | int) -> None:
        """Starts the stream of this name, e.g. `"dungeon words", attempt`."""
        self._next = _endless(start(seed, *name)).__next__

    def below(self, count: int) -> int:
        """The next number from 0 to count - 1; count is small."""
        return self._next() % count

    def choice(self, items: Sequence[_T]) -> _T:
        """One of the items."""
        return items[self._next() % len(items)]

    def chance(self, share: float) -> bool:
        """True this share of the times."""
        return self._next() < share * 2147483648.0


def made_name(choices: Words) -> str:
    """A name that nobody has heard before."""
    return choices.choice(_HEADS) + choices.choice(_MIDDLES) + choices.choice(_TAILS)


def made_title(theme: Theme, choices: Words) -> str:
    """The name of a dungeon."""
    name, epithet = made_name(choices), choices.choice(theme.epithets)
    return choices.choice(theme.titles).format(name=name, epithet=epithet)


class PurposeBag:
    """The purposes of one list, each used once before any comes again."""

    __slots__ = ("_all", "_left")

    def __init__(self, purposes: Sequence[Purpose]) -> None:
        """Fills the bag."""
        self._all = purposes
        self._left = list(purposes)

    def draw(self, area: int, choices: Words) -> Purpose:
        """One that a room of this many cells has space for."""
        fitting = [purpose for purpose in self._left if purpose.least <= area]
        if not fitting:
            self._left = list(self._all)
            fitting = [purpose for purpose in self._left if purpose.least <= area]
        chosen = choices.choice(fitting)
        self._left.remove(chosen)
        return chosen


def room_name(purpose: Purpose, theme: Theme, taken: Mapping[str, int], choices: Words) -> str:
    """A room's name, told apart from others of the same purpose as long as there are words for it."""
    if purpose.name not in taken:
        return purpose.name
    for _ in range(3):
        name = f"{choices.choice(theme.qualities)} {purpose.name}"
        if name not in taken:
            return name
    return f"{made_name(choices)}'s {purpose.name}"


def room_hook(
    role: RoomRole, features: Sequence[str], neighbour: tuple[str, int], theme: Theme, choices: Words
) -> str:
    """A sentence that gives the game master something to play: what role, features and neighbours suggest.

    Args:
        role: Of the room.
        features: Its tags that have words of their own.
        neighbour: Name of a room next to it, and in which direction it lies (an index of `DIRECTIONS`).
        theme: Of the dungeon.
        choices: Where to draw from.
    """
    turn = choices.below(6)
    hooks = _HOOKS[role]
    if hooks and turn < 3:
        return choices.choice(hooks)
    for feature in features:
        if feature in _FEATURES and turn < 4:
            return choices.choice(_FEATURES[feature])
    if turn < 5 and neighbour[0]:
        name, side = neighbour
        return (
            choices.choice(_NEIGHBOURS)
            .format(name=f"the {name}", side=DIRECTIONS[side])
            .replace("the The", "the")
        )
    return choices.choice(theme.senses)


def door_name(kind: DoorKind) -> str:
    """What a door is called in a sentence."""
    return _DOOR_NAMES[kind]


def secret_note(choices: Words) -> str:
    """How a secret door is found and opened."""
    return choices.choice(_SECRETS)


def trap_note(kind: str, choices: Words) -> str:
    """How a trap is set off and found."""
    return choices.choice(_TRAPS[kind])
