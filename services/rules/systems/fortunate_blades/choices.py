"""What a player chooses of a hero, and what play has brought upon them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum

from services.rules.systems.fortunate_blades.terms import Attribute, Group, HarmLevel, TrainingTrack

LONGEST_NAME = 80
LONGEST_TEXT = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundChoice:
    """A background (J1, J8).

    Attributes:
        background: Content id.
        talents: Content ids of the talents taken from it: one.
        story: What the player tells of it; true in the story, and without talents or ranks.
    """

    background: str
    talents: tuple[str, ...]
    story: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeChoice:
    """A trade (J2).

    Attributes:
        trade: Content id.
        talents: Content ids of the talents taken from it, the starting talent among them.
    """

    trade: str
    talents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BladeChoice:
    """A Fortunate Blade (J3).

    Attributes:
        blade: Content id of the item.
        talents: Content ids of the talents that it grants: one.
        name: What it is called.
        origin: How its bearer came by it.
        held: Whether its bearer has it; without it, its talent does not count.
    """

    blade: str
    talents: tuple[str, ...]
    name: str = ""
    origin: str = ""
    held: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Ranks of the attributes (J5).

    Attributes:
        fight: Physical: to best an opponent with weapons or fists.
        finesse: Physical: to be quick, agile and deft of hand.
        wreck: Physical: to break, lift and force things.
        sneak: Physical: to stay unseen and unheard.
        notice: Mental: to be aware of what happens now.
        study: Mental: to find out over time.
        craft: Mental: to make, mend and judge things.
        lore: Mental: to know of old tales and learning.
        attune: Spiritual: to touch magic, spirits and the feelings of others.
        endure: Spiritual: to bear hardship, and struggles of will.
        convince: Spiritual: to plead, lead, lie and threaten.
        carouse: Spiritual: to mingle, impress and gather rumours.
    """

    fight: int = 0
    finesse: int = 0
    wreck: int = 0
    sneak: int = 0
    notice: int = 0
    study: int = 0
    craft: int = 0
    lore: int = 0
    attune: int = 0
    endure: int = 0
    convince: int = 0
    carouse: int = 0

    def of(self, attribute: Attribute) -> int:
        """The rank of an attribute."""
        rank: int = getattr(self, attribute.value)
        return rank

    def total(self) -> int:
        """All ranks together, negative ones taken off."""
        return sum(getattr(self, one.name) for one in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestChoice:
    """A personal quest: one of the list, words of the player's own, or both (J6).

    Attributes:
        quest: Content id; empty for one that is made up.
        words: What it is for this hero.
    """

    quest: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryAddition:
    """A place or a force that a choice brings into the story; the game master has the last word (J7).

    Attributes:
        source: Content id of the background, trade or blade that asks for it.
        name: What it is called.
        facts: What is told of it.
    """

    source: str
    name: str
    facts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedGear:
    """A thing that a hero has (Gear).

    Attributes:
        gear: Content id.
        within: Content id of the container that it is packed into, which the hero has as well; empty for
            what is in a slot of the hero's own, ready for use.
        used: Times it has been used since it was bought or charged.
        carriers: How many heroes carry it together.
    """

    gear: str
    within: str = ""
    used: int = 0
    carriers: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Harm:
    """A Harm that a hero bears (F1, F6).

    Attributes:
        group: Its type.
        level: How grave it is.
        words: What it is: "goblin bite".
    """

    group: Group
    level: HarmLevel
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedFortune:
    """Fortune that is kept for one event (E13).

    Attributes:
        event: What it is kept for.
        points: How much.
    """

    event: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackBoxes:
    """Boxes that are filled of the advancement tracks (N1).

    Attributes:
        physical: Of the physical attributes.
        mental: Of the mental ones.
        spiritual: Of the spiritual ones.
        talent: Of new talents.
    """

    physical: int = 0
    mental: int = 0
    spiritual: int = 0
    talent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How a hero fares; scenes write it.

    Attributes:
        fortune: Fortune left; None for all of it, as at the start of a quest.
        harms: The Harm they bear.
        marks: Their Marks, in words.
        prepared: Fortune that is kept for events.
        used: Content ids of the talents that are used up for this quest.
        boxes: Boxes of the advancement tracks that training has filled, ever since the hero began.
    """

    fortune: int | None = None
    harms: tuple[Harm, ...] = ()
    marks: tuple[str, ...] = ()
    prepared: tuple[PreparedFortune, ...] = ()
    used: tuple[str, ...] = ()
    boxes: TrackBoxes = TrackBoxes()


class AdvanceKind(Enum):
    """What an advance is.

    Attributes:
        BOXES: Experience checks boxes of a track.
        RAISE: A full track of a group is emptied, and an attribute of it is one higher.
        TALENT: The full track of talents is emptied, and there is a new talent, or a new trade with it.
    """

    BOXES = "boxes"
    RAISE = "raise"
    TALENT = "talent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """A step of advancement, which counts once the game master has approved it (Advancement; N1 to N3).

    Attributes:
        kind: What it is.
        track: The track of `boxes`.
        boxes: Boxes that are checked; of a full track that is emptied, how many there were.
        attribute: The attribute that is raised.
        trade: Content id of the trade that a talent comes from.
        talent: Content id of the talent.
        approved: Whether the game master agrees.
    """

    kind: AdvanceKind
    track: TrainingTrack
    boxes: int
    attribute: Attribute | None = None
    trade: str = ""
    talent: str = ""
    approved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroChoices:
    """Everything a player decides about a hero.

    Attributes:
        name: What the hero is called.
        look: How the hero looks.
        backgrounds: Two different ones, with one talent each.
        trades: One with two talents, or two with their starting talents.
        blade: The Fortunate Blade, with one talent.
        ranks: Five ranks of attributes.
        quest: What the hero wants to bring about.
        additions: Places and forces that these choices bring into the story.
        gear: What the hero has.
        condition: How the hero fares.
        advances: What experience has brought since, in its order.
    """

    name: str
    look: str = ""
    backgrounds: tuple[BackgroundChoice, ...] = ()
    trades: tuple[TradeChoice, ...] = ()
    blade: BladeChoice | None = None
    ranks: Ranks = Ranks()
    quest: QuestChoice = QuestChoice()
    additions: tuple[StoryAddition, ...] = ()
    gear: tuple[CarriedGear, ...] = ()
    condition: Condition = Condition()
    advances: tuple[Advance, ...] = ()
