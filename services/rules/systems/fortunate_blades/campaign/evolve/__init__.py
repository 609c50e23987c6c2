"""Folds one fact into the state of a campaign: no dice, no choice, no failure."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.plain import with_one
from services.rules.systems.fortunate_blades.campaign.evolve import loot as loot
from services.rules.systems.fortunate_blades.campaign.evolve import session_zero as zero
from services.rules.systems.fortunate_blades.campaign.facts import (
    Advanced,
    AdvantageGained,
    AdvantageLost,
    AdvantageRestored,
    BoxFilled,
    CampaignEnded,
    CampaignFact,
    ClockTicked,
    EncounterPlanned,
    EncounterWon,
    Entangled,
    FactTold,
    ForceCame,
    ForceRevealed,
    ForceSeated,
    ForceSettled,
    GoalNoted,
    HeroCame,
    HeroFared,
    HeroLeft,
    PlaceCame,
    PlaceChanged,
    PlaceRevealed,
    QuestBegun,
    QuestEnded,
    QuestOffered,
    RestAllowed,
    SceneBegun,
    SceneOver,
    StageRevealed,
    TickOffered,
    TrackFilled,
    TruthNoted,
)
from services.rules.systems.fortunate_blades.campaign.facts.loot import LootFact
from services.rules.systems.fortunate_blades.campaign.facts.session_zero import ZeroFact
from services.rules.systems.fortunate_blades.campaign.state import (
    PRESENT,
    Campaign,
    Doom,
    Fate,
    Member,
    Owned,
)
from services.rules.systems.fortunate_blades.campaign.state.progress import Growth, with_talent
from services.rules.systems.fortunate_blades.choices import AdvanceKind

MOST_TOLD = 20
"""What was told is kept in full by the chronicle; the state has the last of it."""


def evolve(state: Campaign, fact: CampaignFact) -> Campaign:
    """The state after a fact."""
    match fact:
        case QuestOffered() | TruthNoted() | QuestBegun() | QuestEnded():
            return _quests(state, fact)
        case EncounterPlanned():
            return replace(state, plan=fact.plan)
        case RestAllowed():
            return replace(state, rest=fact.safety)
        case SceneBegun() | SceneOver():
            return _scenes(state, fact)
        case EncounterWon():
            quest = state.quest
            return replace(state, quest=None if quest is None else replace(quest, won=quest.won + 1))
        case BoxFilled() | HeroFared() | HeroCame() | HeroLeft() | Advanced():
            return _heroes(state, fact)
        case TickOffered() | ClockTicked() | Entangled():
            return _doom(state, fact)
        case StageRevealed():
            return replace(state, revealed=fact.stage)
        case TrackFilled():
            return replace(state, track=0, picks=state.picks + 1)
        case AdvantageGained() | AdvantageLost() | AdvantageRestored():
            return _advantages(state, fact)
        case ForceCame() | GoalNoted() | ForceRevealed() | ForceSettled() | ForceSeated():
            return _forces(state, fact)
        case PlaceCame() | PlaceRevealed() | PlaceChanged():
            return _places(state, fact)
        case FactTold():
            return replace(state, told=(*state.told, fact.told)[-MOST_TOLD:])
        case _ if isinstance(fact, ZeroFact):
            return zero.evolve(state, fact)
        case _ if isinstance(fact, LootFact):
            return loot.evolve(state, fact)
        case CampaignEnded():
            return replace(state, ended=fact.words, won=fact.won)
    return state


def _quests(state: Campaign, fact: QuestOffered | TruthNoted | QuestBegun | QuestEnded) -> Campaign:
    match fact:
        case QuestOffered():
            return replace(state, offered=(*state.offered, fact.quest), counted=state.counted + 1)
        case TruthNoted():
            return replace(state, offered=with_one(state.offered, fact.quest, truth=fact.truth))
        case QuestBegun():
            quest = next((each for each in state.offered if each.id == fact.quest), None)
            return replace(state, quest=quest, offered=())
    heroes = tuple(
        replace(
            each,
            experience=each.experience + fact.experience * (each.fate in PRESENT),
            fate=Fate.WITH if each.fate is Fate.OUT_OF_QUEST else each.fate,
        )
        for each in state.heroes
    )
    force = state.force(fact.force)
    forces = state.forces
    if force is not None:
        forces = with_one(forces, force.id, reputation=force.reputation + fact.reputation)
    doom = None if state.doom is None else replace(state.doom, entangled=True)
    return replace(
        state,
        quest=None,
        plan=None,
        rest=None,
        heroes=heroes,
        forces=forces,
        track=state.track + fact.reputation,
        quests_ended=state.quests_ended + 1,
        doom=doom,
    )


def _scenes(state: Campaign, fact: SceneBegun | SceneOver) -> Campaign:
    if isinstance(fact, SceneOver):
        return replace(state, scene="")
    # A low roll of an encounter before this one moves the campaign clock no more.
    doom = None if state.doom is None else replace(state.doom, offered=False)
    quest = state.quest
    if quest is not None and fact.rest:
        quest = replace(quest, rests=quest.rests + 1)
    elif quest is not None:
        quest = replace(quest, encounters=quest.encounters + 1)
    plan = state.plan if fact.rest else None
    return replace(state, scene=fact.scene, quest=quest, plan=plan, rest=None, doom=doom)


def _heroes(state: Campaign, fact: BoxFilled | HeroFared | HeroCame | HeroLeft | Advanced) -> Campaign:
    found = next((each for each in state.heroes if each.id == fact.hero), None)
    if isinstance(fact, HeroCame):
        if found is None:
            # A hero who comes is in the making no longer.
            drafts = tuple(each for each in state.drafts if each.name.strip() != fact.member.name.strip())
            return replace(state, heroes=(*state.heroes, fact.member), drafts=drafts)
        return replace(state, heroes=with_one(state.heroes, found.id, fate=Fate.WITH))
    if found is None:
        return state
    match fact:
        case BoxFilled():
            boxes = {**found.boxes, fact.track: found.boxes[fact.track] + 1}
            return replace(state, heroes=with_one(state.heroes, found.id, boxes=boxes))
        case HeroFared():
            return replace(state, heroes=with_one(state.heroes, found.id, fate=fact.fate))
        case HeroLeft():
            return replace(state, heroes=with_one(state.heroes, found.id, fate=Fate.GONE))
        case Advanced():
            advanced = _advanced(found, fact.growth)
            return replace(state, heroes=tuple(advanced if each is found else each for each in state.heroes))


def _advanced(one: Member, gained: Growth) -> Member:
    """A hero with an advance: boxes checked, or a full track emptied for what it brings."""
    one = replace(one, progress=one.progress.with_step(gained))
    if gained.type is AdvanceKind.BOXES:
        boxes = {**one.boxes, gained.track: one.boxes[gained.track] + gained.boxes}
        return replace(one, boxes=boxes, experience=one.experience - gained.boxes)
    one = replace(one, boxes={**one.boxes, gained.track: 0})
    if gained.attribute is not None:
        return replace(one, ranks={**one.ranks, gained.attribute: one.ranks[gained.attribute] + 1})
    return replace(one, trades=with_talent(one.trades, gained.trade, gained.talent))


def _doom(state: Campaign, fact: TickOffered | ClockTicked | Entangled) -> Campaign:
    """The campaign clock, which views of players lack."""
    doom: Doom | None = state.doom
    if doom is None:
        return state
    match fact:
        case TickOffered():
            return replace(state, doom=replace(doom, offered=True))
        case ClockTicked():
            return replace(state, doom=replace(doom, ticks=doom.ticks + 1, offered=False))
        case Entangled():
            return replace(state, doom=replace(doom, entangled=False))


def _advantages(state: Campaign, fact: AdvantageGained | AdvantageLost | AdvantageRestored) -> Campaign:
    if isinstance(fact, AdvantageGained):
        others = tuple(each for each in state.advantages if each.advantage != fact.owned.advantage)
        return replace(state, advantages=(*others, fact.owned), picks=max(state.picks - 1, 0))
    lost = isinstance(fact, AdvantageLost)
    found: tuple[Owned, ...] = tuple(
        replace(each, lost=lost) if each.advantage == fact.advantage else each for each in state.advantages
    )
    return replace(state, advantages=found)


def _forces(
    state: Campaign, fact: ForceCame | GoalNoted | ForceRevealed | ForceSettled | ForceSeated
) -> Campaign:
    match fact:
        case ForceCame():
            counted = state.counted + (not fact.force.secret)
            return replace(state, forces=(*state.forces, fact.force), counted=counted)
        case GoalNoted():
            return replace(state, forces=with_one(state.forces, fact.force, goal=fact.goal))
        case ForceRevealed():
            found = state.force(fact.was)
            key = found.key if found is not None and found.key else fact.was
            forces = with_one(state.forces, fact.was, id=fact.force, secret=False, key=key)
            return replace(state, forces=forces, counted=state.counted + 1)
        case ForceSettled():
            return replace(state, forces=with_one(state.forces, fact.force, settled=True))
        case ForceSeated():
            return replace(state, forces=with_one(state.forces, fact.force, seat=fact.place))


def _places(state: Campaign, fact: PlaceCame | PlaceRevealed | PlaceChanged) -> Campaign:
    if isinstance(fact, PlaceCame):
        counted = state.counted + (not fact.place.secret)
        return replace(state, places=(*state.places, fact.place), counted=counted)
    if isinstance(fact, PlaceChanged):
        return replace(state, places=with_one(state.places, fact.place, detail=fact.detail))
    plan = state.plan
    if plan is not None and plan.place == fact.was:
        plan = replace(plan, place=fact.place)
    found = state.place(fact.was)
    key = found.key if found is not None and found.key else fact.was
    places = with_one(state.places, fact.was, id=fact.place, secret=False, key=key)
    forces = tuple(
        replace(each, seat=fact.place) if found is not None and each.seat == fact.was else each
        for each in state.forces
    )
    return replace(state, places=places, forces=forces, plan=plan, counted=state.counted + 1)
