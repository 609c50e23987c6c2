"""Names from the tongue of a region: each region speaks with its own choice of sounds.

A tongue is drawn once; then every kind of place has a stream of its own, so that one more river renames no
town.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.map.generation.stream import Stream
from services.map.kinds.region.vocabulary import FeatureKind, SettlementKind, SiteKind, Siting

LONGEST = 22
"""Most letters of a made name."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FAMILIES = (
    (
        _words("b br c d dr f g gl h l m n p r s st t th tr w"),
        _words("a a e e i o o u ea"),
        _words("l ll ld lm m n nd nn r rd rn rth s st sk"),
        _words("an ard en er eth in on or ow un ey a"),
    ),
    (
        _words("bj d ei f g gr h hj hr k kn l m r s sk st sv t th v"),
        _words("a a e i o u ei au y"),
        _words("l ld lf lk m mr n nd ng r rg rk rn rv ss st v"),
        _words("ar eid ir und ur a ik en vik gard holt mark"),
    ),
    (
        _words("c cal d fl gi l lu m mar n pal r ro s sal t v val vi"),
        _words("a a e e i o ia io"),
        _words("l ll m n nt r rc rd rn s ss st t v z"),
        _words("a ana ara ella ena ia ino o ona ora ese ura"),
    ),
    (
        _words("ab al as b d f h j k kh m n q r s sh t y z"),
        _words("a a a i i u aa e"),
        _words("b d h j l m mr n q r rr s sh t z"),
        _words("ad af ah al an ar at id im in ir un ura iya"),
    ),
    (
        _words("ab aer br c cad car d dyf g gl gw ll m n p pen r rh t tal tr y"),
        _words("a a e i o u w y ae"),
        _words("dd f g l ll lm m n nt r rdd rn rth s th w"),
        _words("an ach ed el en eth og on or wen wy yr a"),
    ),
)
_HOMELY = _words(
    "alder apple ash barley birch black bram brook clay cold copper dun elder fen flint gold green grey "
    "hazel heron high honey long low marsh mill moss oak oat otter red reed rook rush sedge silver "
    "stone swan thorn west white willow winter wolf"
)
_STEADS = {
    Siting.RIVER_MOUTH: _words("mouth haven quay"),
    Siting.HARBOR: _words("haven port wick cove"),
    Siting.CONFLUENCE: _words("bridge waters ford"),
    Siting.RIVERSIDE: _words("ford bridge brook wade mill"),
    Siting.LAKESIDE: _words("mere water strand"),
    Siting.FERTILE_LAND: _words("field ham ton stead thorpe"),
    Siting.PASTURE: _words("den leigh wold ham ton"),
    Siting.TIMBER: _words("holt hurst wood shaw"),
    Siting.MINES: _words("delve pit cliff crag"),
    Siting.HEIGHTS: _words("watch hold guard crown"),
    Siting.OASIS: _words("well spring palms"),
}
_FEATURES = {
    FeatureKind.MOUNTAINS: ("{} Mountains", "The {} Range", "{} Peaks", "The {} Spine", "{} Crags"),
    FeatureKind.HILLS: ("{} Hills", "{} Downs", "The {} Fells", "{} Heights"),
    FeatureKind.FOREST: ("{} Forest", "{}wood", "The {} Wilds", "{} Weald", "Forest of {}"),
    FeatureKind.SWAMP: ("{} Fens", "{} Marsh", "The {} Mire", "{} Moss"),
    FeatureKind.DESERT: ("{} Desert", "The {} Sands", "{} Waste", "The {} Barrens"),
    FeatureKind.PLAIN: ("{} Plain", "The {} Lea", "{} Vale", "Fields of {}"),
    FeatureKind.ICE: ("{} Glacier", "The {} Ice", "{} Icefield"),
    FeatureKind.SEA: ("Sea of {}", "The {} Sea", "{} Ocean", "{} Sound"),
    FeatureKind.BAY: ("{} Bay", "Gulf of {}", "Bay of {}"),
    FeatureKind.ISLAND: ("Isle of {}", "{} Island", "{} Isle", "{} Holm"),
}
_SITES = {
    SiteKind.RUIN: ("Ruins of {}", "{} Abbey", "Fallen {}", "Old {}"),
    SiteKind.TOWER: ("{} Tower", "Tower of {}", "{} Spire"),
    SiteKind.CAVE: ("{} Cave", "{} Caverns", "{} Grotto"),
    SiteKind.SHRINE: ("Shrine of {}", "{} Chapel", "{}’s Well"),
    SiteKind.LAIR: ("{}’s Lair", "{} Den", "Maw of {}"),
    SiteKind.STONES: ("{} Stones", "{} Ring", "Giants of {}"),
    SiteKind.MINE: ("{} Mine", "{} Delving", "{} Pits"),
}
_LAKES = ("Lake {}", "{} Water", "{} Mere", "Loch {}")
_RIVERS = ("{}", "{}", "River {}", "{} Water")
_TITLES = ("The Marches of {}", "The Lands of {}", "{} and its Bounds", "The {} Country", "The Reach of {}")


@dataclass(slots=True)
class Tongue:
    """The sounds of a region, and the names already given.

    Attributes:
        seed: The map's seed.
        onsets: How words begin.
        vowels: What follows.
        middles: Consonants inside.
        ends: How words end.
        taken: Names given so far; no name is given twice.
    """

    seed: int
    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    middles: tuple[str, ...]
    ends: tuple[str, ...]
    taken: set[str]

    @classmethod
    def of(cls, seed: int) -> Tongue:
        """The tongue that goes with a seed."""
        stream = Stream(seed, "tongue")
        onsets, vowels, middles, ends = stream.choice(_FAMILIES)

        def some(sounds: Sequence[str]) -> tuple[str, ...]:
            left = list(sounds)
            stream.shuffle(left)
            return tuple(left[: max(5, len(left) * 2 // 3)])

        return cls(seed, some(onsets), some(vowels), some(middles), some(ends), set())

    def root(self, stream: Stream) -> str:
        """A made word of two or three syllables."""
        word = stream.choice(self.onsets) + stream.choice(self.vowels) + stream.choice(self.middles)
        if stream.below(4) == 0:
            word += stream.choice(self.vowels) + stream.choice(self.middles[:4])
        return (word + stream.choice(self.ends)).capitalize()

    def _fresh(self, stream: Stream, patterns: Sequence[str]) -> str:
        while True:
            root = self.root(stream)
            name = stream.choice(patterns).format(root)
            if len(name) <= LONGEST and name not in self.taken and "lll" not in name and "sss" not in name:
                self.taken.add(name)
                return name

    def settlement(self, kind: SettlementKind, siting: Siting, index: int) -> str:
        """A name for the settlement of this number."""
        stream = Stream(self.seed, "names", "settlement", index)
        while True:
            large = kind in (SettlementKind.CITY, SettlementKind.PORT)
            if not large and stream.below(2):
                first, last = stream.choice(_HOMELY), stream.choice(_STEADS[siting])
                if first[-1] == last[0] or first == last or (first + last).capitalize() in self.taken:
                    continue
                self.taken.add((first + last).capitalize())
                return (first + last).capitalize()
            patterns = ("{}", "{}", "{} Keep") if kind is SettlementKind.KEEP else ("{}",)
            return self._fresh(stream, patterns)

    def river(self, index: int) -> str:
        """A name for the river of this number."""
        return self._fresh(Stream(self.seed, "names", "river", index), _RIVERS)

    def lake(self, index: int) -> str:
        """A name for the lake of this number."""
        return self._fresh(Stream(self.seed, "names", "lake", index), _LAKES)

    def feature(self, kind: FeatureKind, index: int) -> str:
        """A name for a stretch of land or sea."""
        return self._fresh(Stream(self.seed, "names", "feature", kind.value, index), _FEATURES[kind])

    def site(self, kind: SiteKind, index: int) -> str:
        """A name for a place of interest."""
        return self._fresh(Stream(self.seed, "names", "site", index), _SITES[kind])

    def title(self) -> str:
        """A name for the region."""
        stream = Stream(self.seed, "names", "region")
        return stream.choice(_TITLES).format(self.root(stream))
