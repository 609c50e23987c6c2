"""What a table may decide: the figures of the book, and every ruling that can be a setting."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.fortunate_blades.terms import HarmLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class CreationRules:
    """What a hero is made of (Character Creation; J1 to J6).

    Attributes:
        backgrounds: Different backgrounds, with one talent each.
        trades: The most trades to begin with.
        trade_talents: Talents from trades.
        blade_talents: Talents from the Fortunate Blade.
        ranks: Ranks of attributes in all, negative ones counted against them.
        lowest: The lowest rank of an attribute.
        highest: The highest.
    """

    backgrounds: int
    trades: int
    trade_talents: int
    blade_talents: int
    ranks: int
    lowest: int
    highest: int

    @property
    def talents(self) -> int:
        """Talents of a new hero."""
        return self.backgrounds + self.trade_talents + self.blade_talents


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneCosts:
    """What Fortune buys, in points (Fortune; E2 to E10).

    Attributes:
        aid: Aid that costs no action and runs no risk.
        lucky: One's own roll is Lucky.
        effect: The Effect of a successful roll is one level higher.
        point: One more on a roll.
        lift: Another's result of a Group Action is one step better.
        serious_harm: A roll with serious Harm of its group; 0 by default (P2).
        heroic_harm: A roll with heroic Harm of its group (P3).
        break_least: The least a Lucky Break costs.
        break_most: The most.
        save_die: Sides of the die that a Save of the player's own choice costs (P5).
    """

    aid: int
    lucky: int
    effect: int
    point: int
    lift: int
    serious_harm: int
    heroic_harm: int
    break_least: int
    break_most: int
    save_die: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FortuneGains:
    """What brings Fortune (E12, E14).

    Attributes:
        natural_20_die: Sides of the die that a natural 20 brings.
        save_natural_20_die: Sides of the die that a natural 20 on a Save brings.
        minor_harm: Fortune for a minor Harm that is taken at 0 Fortune.
        serious_harm: The same for a serious one.
        heroic_harm: The same for a heroic one.
    """

    natural_20_die: int
    save_natural_20_die: int
    minor_harm: int
    serious_harm: int
    heroic_harm: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmRules:
    """How much Harm a hero can bear (Harm; F2, F7, H3).

    Attributes:
        minor: Slots for minor Harm.
        serious: Slots for serious Harm.
        heroic: Slots for heroic Harm.
        usual: Level of the Harm that a consequence usually brings.
        marks: The Mark with which a hero is Defeated.
    """

    minor: int
    serious: int
    heroic: int
    usual: HarmLevel
    marks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSettings:
    """What lowers and raises Effect (Clocks & Effect; C4 to C7, P1, P11).

    Attributes:
        resistant_levels: Levels that Resistance takes off.
        minor_harm_levels: Levels that minor Harm of the group takes off.
        range_levels: Levels that one step off the range takes off.
        range_steps: Steps off the range from which there is no Effect.
        natural_20_times: What a natural 20 multiplies the ticks by.
    """

    resistant_levels: int
    minor_harm_levels: int
    range_levels: int
    range_steps: int
    natural_20_times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSizes:
    """Usual sizes of clocks, in ticks; any other may be drawn (C1).

    Attributes:
        simple: What two ordinary actions overcome.
        standard: A group of ordinary enemies.
        large: One dangerous enemy.
        huge: What takes the party and luck.
        most: The largest that may be drawn.
    """

    simple: int
    standard: int
    large: int
    huge: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackLengths:
    """Boxes of the advancement tracks, and what they lead to at most (N1, N3).

    Attributes:
        group: Of each group of attributes.
        talent: Of talents.
        trades: The most trades of a hero at the same time (N3).
    """

    group: int
    talent: int
    trades: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSize:
    """What a quest of a size is, and what it brings (Experience; Reputation; M1, M2).

    Attributes:
        least: Its fewest encounters.
        most: Its most; None for any number.
        reputation: Reputation of the party.
        experience: Experience of every hero.
    """

    least: int
    reputation: int
    experience: int
    most: int | None = None

    def fits(self, encounters: int) -> bool:
        """Whether a quest of so many encounters may be of this size."""
        return self.least <= encounters and (self.most is None or encounters <= self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestSizes:
    """The sizes of quests; where they overlap the game master names the size (P21).

    Attributes:
        trivial: One encounter.
        standard: A few.
        serious: Several.
        heroic: Many.
    """

    trivial: QuestSize
    standard: QuestSize
    serious: QuestSize
    heroic: QuestSize


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRules:
    """What a campaign counts (Reputation; The Campaign Clock; M6, Q1, Q2).

    Attributes:
        reputation_track: Reputation that fills the track of the party.
        clock: Ticks of the campaign clock; then it is the showdown.
        grim_portent: The tick at which a larger force shows its hand.
        getting_real: The tick at which it is known.
        longshot_hope: The tick at which there is a hope.
        entanglement_face: The face of an entanglement roll that moves the clock.
        worst_action_face: The highest kept die of an action roll at which the clock may move (P9).
    """

    reputation_track: int
    clock: int
    grim_portent: int
    getting_real: int
    longshot_hope: int
    entanglement_face: int
    worst_action_face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackMinimums:
    """The fewest entries of each list that a table can play with (J9; K6).

    Attributes:
        backgrounds: Backgrounds.
        trades: Trades.
        talents_per_trade: Talents of each trade, its starting talent counted.
        blades: Fortunate Blades.
        personal_quests: Personal quests.
        final_acts: Final acts.
        facts: Facts.
        places_per_player: Places of the map that the story begins with, for each player.
    """

    backgrounds: int
    trades: int
    talents_per_trade: int
    blades: int
    personal_quests: int
    final_acts: int
    facts: int
    places_per_player: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """The settings of a table.

    Attributes:
        fortune: Fortune at the start of every quest (E1).
        slots: Gear slots of a hero (P1).
        creation: What a hero is made of.
        costs: What Fortune buys.
        gains: What brings Fortune.
        harm: How much Harm a hero can bear.
        effect: What lowers and raises Effect.
        clocks: Usual sizes of clocks.
        tracks: Boxes of the advancement tracks.
        quests: The sizes of quests.
        campaign: What a campaign counts.
        minimums: The fewest entries of each list.
    """

    fortune: int
    slots: int
    creation: CreationRules
    costs: FortuneCosts
    gains: FortuneGains
    harm: HarmRules
    effect: EffectSettings
    clocks: ClockSizes
    tracks: TrackLengths
    quests: QuestSizes
    campaign: CampaignRules
    minimums: PackMinimums
