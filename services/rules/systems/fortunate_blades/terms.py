"""The closed sets of words that Fortunate Blades counts with."""

from __future__ import annotations

from enum import Enum, StrEnum


class Group(Enum):
    """A group of attributes, and the type of Harm, Save and armour that goes with it (I1, F1; P22).

    Attributes:
        PHYSICAL: Prowess: Fight, Finesse, Wreck, Sneak.
        MENTAL: Insight: Notice, Study, Craft, Lore.
        SPIRITUAL: Spirit: Attune, Endure, Convince, Carouse.
    """

    PHYSICAL = "physical"
    MENTAL = "mental"
    SPIRITUAL = "spiritual"


class TrainingTrack(Enum):
    """The advancement tracks: one of each group of attributes, and one of new talents (N1).

    Attributes:
        PHYSICAL: Physical attributes.
        MENTAL: Mental attributes.
        SPIRITUAL: Spiritual attributes.
        TALENT: Talents.
    """

    PHYSICAL = "physical"
    MENTAL = "mental"
    SPIRITUAL = "spiritual"
    TALENT = "talent"


class Attribute(Enum):
    """What a hero is good or bad at, from -3 to +3 (The Attributes; I1).

    Attributes:
        FIGHT: Physical: to best an opponent with weapons or fists.
        FINESSE: Physical: to be quick, agile and deft of hand.
        WRECK: Physical: to break, lift and force things.
        SNEAK: Physical: to stay unseen and unheard.
        NOTICE: Mental: to be aware of what happens now.
        STUDY: Mental: to find out over time.
        CRAFT: Mental: to make, mend and judge things.
        LORE: Mental: to know of old tales and learning.
        ATTUNE: Spiritual: to touch magic, spirits and the feelings of others.
        ENDURE: Spiritual: to bear hardship, and struggles of will.
        CONVINCE: Spiritual: to plead, lead, lie and threaten.
        CAROUSE: Spiritual: to mingle, impress and gather rumours.
    """

    FIGHT = "fight"
    FINESSE = "finesse"
    WRECK = "wreck"
    SNEAK = "sneak"
    NOTICE = "notice"
    STUDY = "study"
    CRAFT = "craft"
    LORE = "lore"
    ATTUNE = "attune"
    ENDURE = "endure"
    CONVINCE = "convince"
    CAROUSE = "carouse"

    @property
    def group(self) -> Group:
        """The group it belongs to: four attributes each, in the order of the book."""
        return tuple(Group)[tuple(Attribute).index(self) // 4]

    @property
    def label(self) -> str:
        """The word for people: "Fight"."""
        return self.value.capitalize()


class HarmLevel(Enum):
    """How grave a Harm is, from the lightest (Harm; F1, F4).

    Attributes:
        MINOR: Effect of rolls of its group is one level lower.
        SERIOUS: Rolls of its group are Unlucky.
        HEROIC: A roll of its group takes one Fortune, or Aid.
        LETHAL: Its bearer is Defeated.
    """

    MINOR = "minor"
    SERIOUS = "serious"
    HEROIC = "heroic"
    LETHAL = "lethal"


class Magnitude(Enum):
    """How much armour does (Armor; P5).

    Attributes:
        MINOR: +1 on Saves.
        SERIOUS: +2.
        HEROIC: +3.
    """

    MINOR = "minor"
    SERIOUS = "serious"
    HEROIC = "heroic"


class EffectLevel(Enum):
    """How much a successful action does (Clocks & Effect; C2): ticks of a clock are its place from none.

    Attributes:
        NONE: No tick.
        MINOR: One tick.
        STANDARD: Two ticks.
        SERIOUS: Three ticks.
        HEROIC: Four ticks or more.
    """

    NONE = "none"
    MINOR = "minor"
    STANDARD = "standard"
    SERIOUS = "serious"
    HEROIC = "heroic"


class Quality(Enum):
    """How good a thing is, and so the Effect that it usually has (Quality; C3).

    Attributes:
        MINOR: Improvised, damaged or poor: one tick.
        SIMPLE: Ordinary: two ticks.
        SERIOUS: Fine and well made: three ticks.
        HEROIC: Magical or unique: four ticks or more.
    """

    MINOR = "minor"
    SIMPLE = "simple"
    SERIOUS = "serious"
    HEROIC = "heroic"

    @property
    def effect(self) -> EffectLevel:
        """The Effect of what is done with it, before anything raises or lowers it (C3)."""
        return tuple(EffectLevel)[tuple(Quality).index(self) + 1]


class Range(Enum):
    """How far something reaches, from the nearest (Range; C4).

    Attributes:
        TOUCH: Without a step.
        CLOSE: A step or two, or a one-handed weapon.
        REACH: A long weapon, or several steps.
        MID: A simple bow, a thrown stone, a shout.
        FAR: A fine bow, or a horse at a run.
        VERY_FAR: Just within sight.
    """

    TOUCH = "touch"
    CLOSE = "close"
    REACH = "reach"
    MID = "mid"
    FAR = "far"
    VERY_FAR = "very_far"


class Consequence(Enum):
    """What a Close or a Miss brings, in the order of the d8 (Consequences; D1).

    Attributes:
        REDUCE_EFFECT: 1: what just happened does less.
        UNWELCOME_TRUTH: 2: a fact comes out that makes all harder.
        LOST_OPPORTUNITY: 3: the chance has passed, another way is needed.
        IN_A_SPOT: 4: one of the party is in trouble at once.
        TAKE_AWAY: 5: something important breaks, is lost or used up.
        MOVE_CLOCK: 6: a clock moves against the heroes.
        DOWNSIDE_EMBARRASS: 7: one of the party looks bad.
        HARM: 8: one of the party takes Harm.
    """

    REDUCE_EFFECT = "reduce_effect"
    UNWELCOME_TRUTH = "unwelcome_truth"
    LOST_OPPORTUNITY = "lost_opportunity"
    IN_A_SPOT = "in_a_spot"
    TAKE_AWAY = "take_away"
    MOVE_CLOCK = "move_clock"
    DOWNSIDE_EMBARRASS = "downside_embarrass"
    HARM = "harm"


class Topic(Enum):
    """What a roll is about, where the renown of a party counts (Party Advantages; L3 to L5).

    Attributes:
        ROYALTY: The mighty.
        HONOR: Honour.
        TRUST: Trust.
        INTIMIDATE: Threats.
        BARGAIN: Bargains.
        NEGOTIATE: Talks.
        IMPRESS: To impress others.
        ENTERTAIN: To entertain.
        BRAVERY: Rash and brave deeds.
    """

    ROYALTY = "royalty"
    HONOR = "honor"
    TRUST = "trust"
    INTIMIDATE = "intimidate"
    BARGAIN = "bargain"
    NEGOTIATE = "negotiate"
    IMPRESS = "impress"
    ENTERTAIN = "entertain"
    BRAVERY = "bravery"


class Creation(Enum):
    """What a choice asks its player to bring into the story (J7).

    Attributes:
        PLACE: A place on the map.
        FORCE: A force of the story.
    """

    PLACE = "place"
    FORCE = "force"


class TalentUse(Enum):
    """When a talent counts.

    Attributes:
        ALWAYS: Unasked, wherever it fits.
        CHOSEN: On a roll for which its player names it, as often as they like.
        ENCOUNTER: The same, once in an encounter.
        QUEST: The same, once in a quest.
    """

    ALWAYS = "always"
    CHOSEN = "chosen"
    ENCOUNTER = "encounter"
    QUEST = "quest"


class Quantity(StrEnum):
    """The named quantities that a talent or a thing may add to; each is read by one rule.

    Attributes:
        ROLL: Added to a roll that it fits.
        LUCKY: A source of Lucky for such a roll; below zero, of Unlucky.
        EFFECT: Levels of Effect of such a roll, on a Close or a Clear.
        PROTECT: Levels less of a Harm that such a roll brings its bearer.
        RANGE: Steps of range that cost no Effect on such a roll.
        AID_ROLL: Added to a roll that its bearer Aids.
        AID_EFFECT: Levels of Effect of a roll that its bearer Aids.
        SAVE_PHYSICAL: Added to Saves against physical Harm.
        SAVE_MENTAL: Added to Saves against mental Harm.
        SAVE_SPIRITUAL: Added to Saves against spiritual Harm.
        SLOTS: Gear slots.
        FORTUNE: Fortune at the start of a quest.
        HARM_MINOR: Slots for minor Harm.
        HARM_SERIOUS: Slots for serious Harm.
        COST_AID: Fortune that Aid without a risk costs.
        COST_LUCKY: Fortune that a Lucky roll costs.
        COST_EFFECT: Fortune that a level of Effect costs.
        COST_LIFT: Fortune that a lift in a Group Action costs.
        COST_BREAK: Fortune that a Lucky Break costs.
        GAIN_NATURAL_20: Fortune from a natural 20, beyond what is rolled.
        GAIN_MISS: Fortune from a Miss of one's own.
        GAIN_STORY: Fortune from a story told at rest.
        RECOVER: Levels of Harm that Recover takes off, beyond one.
        PREPARE: Fortune that Prepare stores, beyond one.
        PROJECT: Ticks of a project, beyond the usual.
    """

    ROLL = "roll"
    LUCKY = "lucky"
    EFFECT = "effect"
    PROTECT = "protect"
    RANGE = "range"
    AID_ROLL = "aid_roll"
    AID_EFFECT = "aid_effect"
    SAVE_PHYSICAL = "save_physical"
    SAVE_MENTAL = "save_mental"
    SAVE_SPIRITUAL = "save_spiritual"
    SLOTS = "slots"
    FORTUNE = "fortune"
    HARM_MINOR = "harm_minor"
    HARM_SERIOUS = "harm_serious"
    COST_AID = "cost_aid"
    COST_LUCKY = "cost_lucky"
    COST_EFFECT = "cost_effect"
    COST_LIFT = "cost_lift"
    COST_BREAK = "cost_break"
    GAIN_NATURAL_20 = "gain_natural_20"
    GAIN_MISS = "gain_miss"
    GAIN_STORY = "gain_story"
    RECOVER = "recover"
    PREPARE = "prepare"
    PROJECT = "project"

    @classmethod
    def save(cls, group: Group) -> Quantity:
        """What is added to Saves against a type of Harm."""
        return cls(f"save_{group.value}")


class Tag(StrEnum):
    """What a talent or a thing makes of a roll on which it counts, where other rules ask.

    Attributes:
        MAGIC: Its Effect is magic, for clocks that only magic fills.
        UNRESISTED: Resistance does not lower its Effect.
        REROLL: Its player may roll a second time after the roll, and keeps the better.
        UNHINDERED_MINOR: Minor Harm does not lower its Effect.
        UNHINDERED_SERIOUS: Serious Harm does not make it Unlucky.
        UNHINDERED_HEROIC: Heroic Harm asks for neither Fortune nor Aid.
    """

    MAGIC = "magic"
    UNRESISTED = "unresisted"
    REROLL = "reroll"
    UNHINDERED_MINOR = "unhindered_minor"
    UNHINDERED_SERIOUS = "unhindered_serious"
    UNHINDERED_HEROIC = "unhindered_heroic"
