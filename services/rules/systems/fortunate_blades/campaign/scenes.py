"""The scenes of a campaign: encounters and rests that are begun from it, and what it hears of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.rules.engine.campaign import SceneOrder
from services.rules.engine.play import GM_ONLY
from services.rules.systems.fortunate_blades.campaign.facts import (
    AdvantageLost,
    BoxFilled,
    CampaignFact,
    EncounterWon,
    FactTold,
    HeroFared,
    SceneBegun,
    SceneOver,
    TickOffered,
)
from services.rules.systems.fortunate_blades.campaign.facts.loot import LootSought
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Fate, Plan, Quest, Told
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play import facts
from services.rules.systems.fortunate_blades.play.causes import Cause
from services.rules.systems.fortunate_blades.play.setup import ClockSetup, EncounterSetup
from services.rules.systems.fortunate_blades.play.state import Activity, Safety

ENCOUNTER, REST = "encounter", "rest"
MOST_SEARCHES = 50
"""Searches that wait for an answer at most; what is searched for beyond that turns up nothing."""


def scenes(state: Campaign, catalog: Catalog) -> Mapping[str, SceneOrder]:
    """The next encounter of the quest, as it is prepared or a plain one; a rest where there may be one."""
    quest = state.quest
    if quest is None or state.scene or state.ended:
        return {}
    setup = _encounter(state, quest, catalog)
    found = {ENCOUNTER: SceneOrder(setup=setup, text=f"Play the next encounter: {setup.title}.")}
    if state.rest is not None and state.rest is not Safety.UNSAFE:
        rest = EncounterSetup(title=f"A rest: {quest.name}", clocks=(), rest=state.rest)
        found[REST] = SceneOrder(setup=rest, text="Rest.")
    return found


def _encounter(state: Campaign, quest: Quest, catalog: Catalog) -> EncounterSetup:
    plan = state.plan or Plan(
        title=quest.name, clock=quest.name, size=catalog.rules.clocks.standard, kind=ClockKind.CHALLENGE
    )
    place = state.place(plan.place or quest.place)
    clocks = [ClockSetup(name=plan.clock, size=plan.size, type=plan.kind)]
    if plan.kind not in (ClockKind.ENEMY, ClockKind.CHALLENGE):
        # An encounter has something to overcome.
        clocks.append(ClockSetup(name=quest.name, size=plan.size, type=ClockKind.CHALLENGE))
    return EncounterSetup(
        title=plan.title,
        clocks=tuple(clocks),
        place="" if place is None else place.name,
        advantages=tuple(each.advantage for each in state.held()),
        here=tuple(_here(state, "" if place is None else place.id, catalog, aboard=plan.aboard)),
        quest_begins=not quest.encounters,
    )


def _here(state: Campaign, place: str, catalog: Catalog, *, aboard: bool) -> Iterator[str]:
    """The advantages that are where an encounter is: those that stand at its place, and a vehicle."""
    for each in state.held():
        entry = catalog.advantages[each.advantage]
        if not entry.local:
            continue
        if (entry.placed and place and each.place == place) or (not entry.placed and aboard):
            yield each.advantage


def began(state: Campaign, name: str) -> tuple[CampaignFact, ...]:
    """A scene is played."""
    return (SceneBegun(scene=name, rest=name == REST),)


def parted(state: Campaign, name: str) -> tuple[CampaignFact, ...]:
    """It is over."""
    return (SceneOver(scene=name),)


def hears(state: Campaign, event: Any, catalog: Catalog) -> tuple[CampaignFact, ...]:
    """What happens in a scene and stays: training, fates, people lost, what is told, low action rolls."""
    hero = state.hero(getattr(event, "hero", ""))
    match event:
        case facts.Rolled():
            return _low(state, event, catalog)
        case facts.FollowersLost():
            return (AdvantageLost(advantage=event.advantage),)
        case facts.EncounterEnded() if event.won and state.quest is not None and state.scene == ENCOUNTER:
            return (EncounterWon(quest=state.quest.id),)
    return () if hero is None else tuple(_of_hero(state, hero.id, event, catalog))


def _low(state: Campaign, event: facts.Rolled, catalog: Catalog) -> tuple[CampaignFact, ...]:
    """An action roll that is low enough lets the game master move the campaign clock (P9)."""
    low = event.natural <= catalog.rules.campaign.worst_action_face and not event.save
    due = state.doom is not None and not state.doom.offered
    return (TickOffered(audience=GM_ONLY),) if low and due else ()


def _of_hero(state: Campaign, who: str, event: Any, catalog: Catalog) -> Iterator[CampaignFact]:
    hero = state.hero(who)
    match event:
        case facts.Trained() if hero is not None and hero.room(event.track, catalog) > 0:
            yield BoxFilled(hero=who, track=event.track)
        case facts.Marked() if event.cause is not Cause.FORTUNE_RAN_OUT:
            yield HeroFared(hero=who, fate=Fate.OUT_OF_QUEST)
        case facts.Revived():
            yield HeroFared(hero=who, fate=Fate.OUT_OF_QUEST)
        case facts.Retired():
            yield HeroFared(hero=who, fate=Fate.RETIRED)
        case facts.WentOut():
            yield HeroFared(hero=who, fate=Fate.DEAD)
        case facts.FactStated() if event.words.strip():
            yield _told(who, event.words)
        case facts.Rested(activity=Activity.LOOT) if len(state.searched) < MOST_SEARCHES:
            yield LootSought(hero=who)
        case facts.Rested() if event.activity is Activity.STORY and event.words.strip():
            yield _told(who, event.words)


def _told(who: str, words: str) -> FactTold:
    return FactTold(told=Told(by=who, words=words.strip(), about=who), about=who)
