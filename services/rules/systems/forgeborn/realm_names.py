"""Names of realms, their places and their mountains, put together from syllables.

Names are told apart from those already taken; long ones are dropped again, because a label must fit on the
sheet.
"""

from __future__ import annotations

from collections.abc import Collection

from services.rules.engine.chance import Chance
from services.rules.systems.forgeborn.realm import PlaceKind

LONGEST = 15
"""Most letters of a made name."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONSETS = _words("b br c d dr f g gr h k l m n p r s st t th tr v w")
_VOWELS = _words("a a ae e e ei i o o u")
_MIDDLES = _words("l ll ld lm lv m mb n nd nn r rd rn rr rv sk ss st th v")
_ENDS = _words("an ar ath eil en er eth ia iel in is or oth un ur yn")

_HOMELY = _words(
    "alder apple ash barley bell birch bram brook clay cold copper dun elder fen fern flint hazel "
    "heron honey kettle lark long loom marsh mill moss oat otter plum reed rook rush sedge sheep "
    "stone swan thistle wether willow winter wren"
)
_STEADS = _words(
    "bridge brook bury by cote cross den field ford gate ham holm hurst leigh mere stead thorpe ton wick"
)
_GRIM = _words("ashen blind broken drowned fallen hollow mute pale riven sunken unlit wailing")
_REMAINS = _words("abbey arch barrow court crypt hall halls priory spire stair vault well")
_WOODS = _words("holt shaw weald wold wood")
_HEIGHTS = _words("crags fells heights horns spine teeth")
_SUMMITS = _words("crag fell horn pike tor")
_WORKS = _words("anvil bellows crucible ember hammer hearth tongs")


def root(chance: Chance) -> str:
    """A made word of two or three syllables: `Thandar`, `Brelmoth`."""
    middle = chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_MIDDLES)
    if chance.below(4) == 0:
        middle += chance.choice(_VOWELS) + chance.choice(("l", "m", "n", "r", "v"))
    return (middle + chance.choice(_ENDS)).capitalize()


def _village(chance: Chance) -> str:
    first, last = chance.choice(_HOMELY), chance.choice(_STEADS)
    # "millleigh", "fernnwick": no letter stands three times, no half-word twice.
    return "" if first[-1] == last[0] or first == last else (first + last).capitalize()


def _ruin(chance: Chance) -> str:
    if chance.below(2):
        return f"{chance.choice(_GRIM)} {chance.choice(_REMAINS)}".title()
    return f"{root(chance)} {chance.choice(_REMAINS).capitalize()}"


def _made(kind: PlaceKind, chance: Chance) -> str:
    match kind:
        case PlaceKind.VILLAGE:
            return _village(chance)
        case PlaceKind.RUIN:
            return _ruin(chance)
        case PlaceKind.CITADEL:
            return f"{root(chance)} {chance.choice(_WORKS).capitalize()}"
        case PlaceKind.LAIR:
            return f"Mount {root(chance)}"
        case PlaceKind.FOREST:
            return f"{root(chance)}{chance.choice(_WOODS)}"
        case PlaceKind.CITY:
            return root(chance)


def place_name(kind: PlaceKind, taken: Collection[str], chance: Chance) -> str:
    """A name for a place, other than those taken."""
    while True:
        name = _made(kind, chance)
        if name and len(name) <= LONGEST and name not in taken:
            return name


def range_name(peaks: int, chance: Chance) -> str:
    """A name for the mountain range, or for the single peak; empty without mountains."""
    if peaks == 0:
        return ""
    return f"{root(chance)} {chance.choice(_HEIGHTS if peaks > 1 else _SUMMITS).capitalize()}"


def realm_title(chance: Chance) -> str:
    """A name for the realm."""
    return f"The Realm of {root(chance)}"
