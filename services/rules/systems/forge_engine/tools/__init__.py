"""The questions that Forge Engine's arithmetic answers, for the API.

    costs       what a table's own spells and weapons should cost, and what things are worth
    arms        reloading and ranges
    turns       energy when a turn starts, and movement, under conditions
    campaign    encounters, influence, travel, rewards, tables of chances

Adversaries are answered by `adversaries`, chances of attacks and tests by `attack_odds`. Each takes a
question, as a frozen dataclass, and the content of the table, and returns an answer or every rule that the
question breaks.
"""

from __future__ import annotations

from services.rules.engine.tools import AnyTool, Tool
from services.rules.systems.forge_engine.adversaries import AdversaryChanges, ChangedAdversary, change
from services.rules.systems.forge_engine.awards import Deeds
from services.rules.systems.forge_engine.conditions import TurnStart
from services.rules.systems.forge_engine.encounters import Encounter
from services.rules.systems.forge_engine.pools.attack_odds import (
    AttackOdds,
    AttackQuestion,
    AttributeTestOdds,
    AttributeTestQuestion,
    attack_odds,
    attribute_test_odds,
)
from services.rules.systems.forge_engine.printed_odds import OddsTable
from services.rules.systems.forge_engine.tools.arms import (
    RangeQuestion,
    ReloadAnswer,
    ReloadQuestion,
    run_range,
    run_reload,
)
from services.rules.systems.forge_engine.tools.campaign import (
    EncounterQuestion,
    InfluenceAnswer,
    InfluenceQuestion,
    OddsTableQuestion,
    RewardsAnswer,
    TravelQuestion,
    run_encounter,
    run_influence,
    run_odds_table,
    run_rewards,
    run_travel,
)
from services.rules.systems.forge_engine.tools.costs import (
    PriceAnswer,
    PriceQuestion,
    SpellCostAnswer,
    SpellCostQuestion,
    WeaponCostAnswer,
    WeaponCostQuestion,
    run_price,
    run_spell_cost,
    run_weapon_cost,
)
from services.rules.systems.forge_engine.tools.turns import (
    MovementAnswer,
    MovementQuestion,
    TurnStartQuestion,
    run_movement,
    run_turn_start,
)
from services.rules.systems.forge_engine.travel import PartyPace
from services.rules.systems.forge_engine.wares import Shot

TOOLS: tuple[AnyTool, ...] = (
    Tool(
        name="encounter",
        title="Difficulty of an encounter",
        text="Compares the energy of adversaries with that of the characters.",
        rule="Combat Encounter Design / Encounter Difficulty [R-99]",
        given=EncounterQuestion,
        answer=Encounter,
        run=run_encounter,
    ),
    Tool(
        name="adversary",
        title="Adversary from a template",
        text="Adds traits, skills, spells, weapons or armor to a template, or gives it another name.",
        rule="Custom Content / Custom Adversaries",
        given=AdversaryChanges,
        answer=ChangedAdversary,
        run=change,
    ),
    Tool(
        name="spell_cost",
        title="Cost of a spell",
        text="Counts what a spell should expend from its range, area, damage, healing and targets.",
        rule="Custom Content / Costing Spells [R-20]",
        given=SpellCostQuestion,
        answer=SpellCostAnswer,
        run=run_spell_cost,
    ),
    Tool(
        name="weapon_cost",
        title="Cost and rating of a weapon",
        text="Counts what a weapon should cost and give from its weight, edge, grip and the rest.",
        rule="Custom Content / Costing and Rating Custom Weapons [R-21]",
        given=WeaponCostQuestion,
        answer=WeaponCostAnswer,
        run=run_weapon_cost,
    ),
    Tool(
        name="attack_odds",
        title="Odds of an attack",
        text="Builds both pools of an attack step by step; exact chances, and what each energy adds.",
        rule="Attacks / S.A.G.E. Steps [R-53]",
        given=AttackQuestion,
        answer=AttackOdds,
        run=attack_odds,
    ),
    Tool(
        name="test_odds",
        title="Odds of an attribute test",
        text="Tells the exact chances of a test against a difficulty, a pool, or a rival for the same goal.",
        rule="Attribute Tests",
        given=AttributeTestQuestion,
        answer=AttributeTestOdds,
        run=attribute_test_odds,
    ),
    Tool(
        name="turn_start",
        title="Energy when a turn starts",
        text="Counts the energy that a turn starts with, under any conditions.",
        rule="Energy / Regaining Energy [R-42, R-43]",
        given=TurnStartQuestion,
        answer=TurnStart,
        run=run_turn_start,
    ),
    Tool(
        name="movement",
        title="Cost of a move or run",
        text="What it costs to go some feet in combat, and whether conditions allow it.",
        rule="Movement Actions [R-18, R-94, R-95]",
        given=MovementQuestion,
        answer=MovementAnswer,
        run=run_movement,
    ),
    Tool(
        name="odds_table",
        title="Tables of chances",
        text="A table of the book with each printed figure beside the exact one.",
        rule="Dice Pool Probabilities [R-124]",
        given=OddsTableQuestion,
        answer=OddsTable,
        run=run_odds_table,
    ),
    Tool(
        name="influence",
        title="Successes to convince somebody",
        text="How many successes it takes to talk somebody into something, and how likely they are.",
        rule="Resolving Influence Tests [R-100]",
        given=InfluenceQuestion,
        answer=InfluenceAnswer,
        run=run_influence,
    ),
    Tool(
        name="travel",
        title="Pace of a party",
        text="How fast a party goes on foot, mounted, by boat or vehicle, over any ground in any weather.",
        rule="Travel",
        given=TravelQuestion,
        answer=PartyPace,
        run=run_travel,
    ),
    Tool(
        name="rewards",
        title="Character points earned",
        text="The character points that sessions, quests and play have earned.",
        rule="Rewards And Progression",
        given=Deeds,
        answer=RewardsAnswer,
        run=run_rewards,
    ),
    Tool(
        name="price",
        title="Price of a thing",
        text="What a thing is worth by the ratio of its rating to its cost.",
        rule="Buying Equipment [R-115]",
        given=PriceQuestion,
        answer=PriceAnswer,
        run=run_price,
    ),
    Tool(
        name="reload",
        title="Reloading a weapon",
        text="What each way of reloading a weapon costs.",
        rule="Equipment / Reload [R-26]",
        given=ReloadQuestion,
        answer=ReloadAnswer,
        run=run_reload,
    ),
    Tool(
        name="range",
        title="Range of a weapon",
        text="Whether a weapon reaches a target, and the dice that the target gains for the distance.",
        rule="Externalities / Ranged Attacks [R-27, R-88]",
        given=RangeQuestion,
        answer=Shot,
        run=run_range,
    ),
)
"""Every question, by the names under which clients ask."""
