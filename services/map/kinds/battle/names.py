"""What places are called and what the game master reads of them, in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.map.generation.stream import Stream
from services.map.kinds.battle.parameters import Site


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST = _words(
    "Alder Amber Ash Barrow Birch Black Bram Cinder Cold Copper Crow Dun Elder Fallow Fen Flint Gall Grey "
    "Harrow Hazel Heron Hollow Kestrel Lark Mallow Marrow Mire Moth Nettle Otter Pale Quill Raven Rook Rush "
    "Sallow Sedge Sorrel Tallow Thorn Vesper Wether Willow Wren"
)
_LAST: Mapping[Site, tuple[str, ...]] = MappingProxyType(
    {
        Site.ROAD: _words("road way lane bend mile turn causeway pass crossing rise"),
        Site.VILLAGE: _words("ford ham stead thorpe wick cote field bury ton green"),
        Site.RUIN: _words("priory keep hall abbey watch court chapel villa tower cloister"),
        Site.FOREST: _words("wood holt shaw weald thicket hollow dell grove copse tangle"),
        Site.DUNGEON_ROOM: _words("vault crypt hall sanctum undercroft gallery chamber cistern shrine court"),
    }
)
_MOODS: Mapping[Site, tuple[str, ...]] = MappingProxyType(
    {
        Site.ROAD: _words("Long Broken Toll Drovers' Lonely Salt Pilgrims' Hanged King's Dusty"),
        Site.VILLAGE: _words("Upper Nether Little Old Far"),
        Site.RUIN: _words("Roofless Fallen Drowned Silent Burnt Forgotten Leaning Bare Lost Split"),
        Site.FOREST: _words("Deep Whispering Tangled Green Crooked Still Antlered Old Dim Wolf"),
        Site.DUNGEON_ROOM: _words(
            "Sunken Sealed Echoing Weeping Buried Nameless Salt-white Bone Iron Starless"
        ),
    }
)


def title(stream: Stream, site: Site) -> str:
    """A title for a map of this site: `The Broken Heron Road`, `Sallowthorpe`."""
    first, last = stream.choice(_FIRST), stream.choice(_LAST[site])
    if site is Site.VILLAGE:
        name = first + (last[1:] if first[-1] == last[0] else last)
        return f"{stream.choice(_MOODS[site])} {name}" if stream.below(4) == 0 else name
    if stream.below(2):
        return f"The {stream.choice(_MOODS[site])} {last.capitalize()}"
    return f"{first} {last.capitalize()}"


_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "road": _lines("Open road\nRutted bend\nLong straight\nWorn stretch"),
        "track": _lines("Side track\nCattle track\nNarrow lane\nGrown-over way"),
        "wagon": _lines("Broken wagon\nStranded cart\nLooted wagon\nAbandoned load"),
        "camp": _lines("Camp\nCold camp\nTravellers' fire\nRing of ashes"),
        "shrine": _lines("Wayside shrine\nWeathered idol\nOffering stone\nFaceless saint"),
        "field": _lines("Fenced field\nStubble field\nHay meadow\nFallow strip"),
        "grove": _lines("Thicket\nDark stand\nWindbreak\nHuddle of trees"),
        "ford": _lines("Ford\nStepping place\nGravel bar\nCattle ford"),
        "bridge": _lines("Plank bridge\nOld bridge\nLow bridge\nCreaking bridge"),
        "water": _lines("Still pool\nReed pond\nBlack water\nDuck pond"),
        "log": _lines("Fallen giant\nFelled trunk\nRotting bole\nTimber lock"),
        "hill": _lines("Hillock\nLookout knoll\nGrassy brow\nStony ledge"),
        "cottage": _lines(
            "Cottage\nNarrow cottage\nWidow's house\nWeaver's house\nPotter's house\nCrooked house"
        ),
        "tavern": _lines("Tavern\nAlehouse\nInn\nTap room"),
        "smithy": _lines("Smithy\nFarrier's forge\nOld smithy\nHammer yard"),
        "barn": _lines("Barn\nTithe barn\nByre\nHay barn"),
        "chapel": _lines("Chapel\nPrayer house\nHouse of lamps\nSmall temple"),
        "store": _lines("Storehouse\nGranary\nChandler's shop\nWool store"),
        "square": _lines("Village square\nGreen\nMarket place\nWell yard"),
        "garden": _lines("Kitchen garden\nHerb plot\nBean rows\nOrchard corner"),
        "nave": _lines("Roofless nave\nGreat hall\nMain hall\nBroken hall"),
        "chamber": _lines("Side chamber\nFallen cell\nScriptorium\nCracked vault\nOld kitchen\nGuardroom"),
        "tower": _lines("Stump of a tower\nStair tower\nRound tower\nWatch post"),
        "court": _lines("Overgrown court\nCloister garth\nInner yard\nPaved court"),
        "clearing": _lines("Clearing\nSunlit glade\nTrampled glade\nMossy hollow\nDeer lawn"),
        "stones": _lines("Standing stones\nToppled ring\nMoss-grown stones\nOld circle"),
        "hall": _lines("Pillared hall\nHigh hall\nEchoing hall\nHall of embers"),
        "dais": _lines("Dais\nHigh seat\nAltar step\nRaised stage"),
        "alcove": _lines("Alcove\nNiche\nSide chapel\nCurtained recess"),
        "pit": _lines("Pit\nBroken floor\nWell shaft\nYawning gap"),
        "pool": _lines("Basin\nStill pool\nFont\nFlooded pit"),
        "gallery": _lines("Gallery\nUpper ledge\nBalcony\nRaised walk"),
        "side": _lines("Side chamber\nAnteroom\nStore\nVestry\nCell"),
    }
)

_NOTES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "road": _lines(
            """Fresh hoof marks stop short in the middle and go back the way they came.
            Someone has scratched a warning into the milestone and someone else has scratched it out.
            The ruts are deep enough to hide a kneeling child, or a taut rope.
            Dust hangs in the air: whoever passed last is not far ahead."""
        ),
        "track": _lines(
            """The track is used more often than anyone here admits.
            Snapped twigs at shoulder height show that something heavy was carried along it.
            It comes out behind whoever holds the main way."""
        ),
        "wagon": _lines(
            """The axle did not break: it was sawn halfway through.
            Under the sacking lies a box that nobody has listed on the bill of lading.
            The draught animals were cut free, and someone took care not to hurt them.
            A good place to kneel behind, until somebody sets light to the tar."""
        ),
        "camp": _lines(
            """The embers are warm under the ash, and one bedroll more than expected was laid out.
            A pot still simmers; its owners went to look at a noise.
            The sentry's place is chosen well, save for one blind side."""
        ),
        "shrine": _lines(
            """Coins lie in the bowl, and no thief has dared to touch them.
            The idol has been turned so that it no longer looks at the road.
            Wax has run over the step; the candles were lit this morning."""
        ),
        "field": _lines(
            """The fence will not stop a charge, but it will slow one down.
            A scarecrow stands among the rows. Yesterday it stood elsewhere.
            The gate is tied with a good knot that costs a moment to undo."""
        ),
        "grove": _lines(
            """Birds fall silent here a breath before anybody shows.
            From inside one sees out far better than anybody outside sees in.
            Arrows stuck in the bark point back at an older quarrel."""
        ),
        "ford": _lines(
            """The bottom is gravel and holds, but the cold bites and the current pulls.
            Upstream somebody has piled stones, as if to loose the water at a word.
            Footprints go in on this side; none come out on the other."""
        ),
        "bridge": _lines(
            """Two planks are newer than the rest and ring hollow.
            Whoever holds the bridge holds the talk as well.
            A rope hangs beneath it, out of sight from either bank."""
        ),
        "water": _lines(
            """The water is deeper than it looks, and something pale lies at the bottom.
            Reeds stand high enough to hide a patient swimmer.
            Nothing drinks here, and the tracks go round in a wide curve."""
        ),
        "log": _lines(
            """The cut is clean and the sap still wet: this did not fall by itself.
            Whoever climbs it has a fine view and nowhere to hide.
            The hollow underneath would take a person lying flat."""
        ),
        "hill": _lines(
            """Every throw from up here goes further, and every careless step is seen.
            The ledge crumbles towards its edge.
            A flattened patch of grass tells of a long watch kept here."""
        ),
        "cottage": _lines(
            """The stew is on the table and nobody has touched it.
            Someone breathes very quietly under the bed.
            A loose hearthstone covers a purse and a letter in a shaky hand.
            The shutters are barred from inside, the door is not."""
        ),
        "tavern": _lines(
            """Tables here have been turned over before; their edges are scarred by blades.
            The keeper has a cudgel, a back way out, and no wish to use either.
            Under the counter a trapdoor leads nowhere but to good barrels."""
        ),
        "smithy": _lines(
            """The coals still glow, and a blade left in them would brand whoever grabs it.
            Half-finished spear heads lie in a row: more than a village needs.
            The bellows can fill the room with sparks for a moment."""
        ),
        "barn": _lines(
            """The hay is dry, and a single spark would settle the matter for everybody.
            A ladder leads to the loft; from there the whole yard lies open.
            The beasts inside are frightened enough to break out as one."""
        ),
        "chapel": _lines(
            """Whoever draws steel in here will be remembered for it.
            The altar slab has a crack that lets in a draught from below.
            Villagers have fled to the benches and will not leave them."""
        ),
        "store": _lines(
            """The stacks are tall and badly tied: a good push brings a whole row down.
            A seal on one crate belongs to nobody who trades here.
            Rats have been at the sacks, and something at the rats."""
        ),
        "square": _lines(
            """Everyone who crosses can be seen from four windows.
            The bell rope hangs within reach; one pull brings the whole place running.
            Chalk marks on the stones show where stalls, or archers, were to stand."""
        ),
        "garden": _lines(
            """Beanpoles and netting tangle whoever runs through.
            A beehive stands in the corner, and its owner throws it well.
            Someone buried something here last night and raked badly."""
        ),
        "nave": _lines(
            """What is left of the roof shifts with every loud noise.
            Names are cut into the floor; one of them is fresh.
            The great window is gone, and the hole it left looks straight at the approach."""
        ),
        "chamber": _lines(
            """Soot on the stones shows that somebody sleeps here through the cold months.
            A fallen lintel makes a low way through for those who crawl.
            The far wall leans, and would follow a good kick.
            Broken jars hold a smear of something that still burns."""
        ),
        "tower": _lines(
            """The stair ends in the open air, with half the county in view.
            Loose stones lie ready along the edge, just the size to be rolled.
            An owl keeps the place; when she leaves, others come."""
        ),
        "court": _lines(
            """Roots have lifted the paving, and nobody runs here without looking down.
            The well in the weeds is dry, deep, and not empty.
            A ring of blackened stones shows where the last ones here made their stand."""
        ),
        "clearing": _lines(
            """The grass lies flat in a wide circle, as if something large had turned round to sleep.
            Light falls in from above, and all around it is easy to watch unseen.
            Mushrooms grow in a ring; the locals walk around it, never through.
            A snare hangs from a bent sapling at the edge."""
        ),
        "stones": _lines(
            """The stones hum when the wind comes from the north.
            Fresh flowers lie at the foot of the tallest.
            One has been dug out at the base and would fall if pushed together."""
        ),
        "hall": _lines(
            """Every footstep comes back twice, the second time from the wrong side.
            Drag marks lead between the pillars and end at bare wall.
            The braziers were filled a short while ago by someone who knew company was coming.
            Painted eyes on the ceiling follow the light."""
        ),
        "dais": _lines(
            """Whoever speaks from here is heard in every corner.
            The top step moves by a finger's breadth under weight.
            A curtain rail and no curtain: something was taken down in haste."""
        ),
        "alcove": _lines(
            """The dust has been wiped away at the height of a crouching body.
            A lamp hook, a bench, and a peephole into the hall.
            The lid of the chest is warm to the touch."""
        ),
        "pit": _lines(
            """Cold air rises from below, and now and then a voice.
            The edge is worn smooth where ropes ran over it.
            What fell in last time is still trying to climb out."""
        ),
        "pool": _lines(
            """The surface shows the hall as it was, lit and full of people.
            Something has drunk from it and left wet prints towards the door.
            Silver lies at the bottom, and so do the bones of a hand."""
        ),
        "gallery": _lines(
            """From the ledge the whole floor lies open, and there is only one way up.
            The balustrade is rotten in two places, and somebody has marked them.
            Arrow shafts stand in a jar, tips down, ready."""
        ),
        "side": _lines(
            """Shelves stand empty but for what the last looters thought worthless.
            The door has been forced once already, from inside.
            Somebody waits here for a signal that is late."""
        ),
    }
)

HAZARDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "water": ("Deep water", "Cold current", "Drowning hole"),
        "chasm": ("Open pit", "Sheer drop"),
        "mud": ("Sucking mire", "Boggy ground", "Treacherous mud"),
        "rubble": ("Loose masonry", "Shifting rubble"),
        "fire": ("Open fire", "Hot embers"),
        "ice": ("Thin ice",),
        "brush": ("Thorns", "Nettle thicket", "Snarled briars"),
    }
)


def place(stream: Stream, kind: str) -> tuple[str, str]:
    """A name for a place of this kind, and a note about it."""
    return stream.choice(_NAMES[kind]), stream.choice(_NOTES[kind])
