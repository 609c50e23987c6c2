"""A simple game master and simple players of a campaign: some quests, everything that they earn spent."""

from __future__ import annotations

from services.rules.engine.bots import Bot, plain_answer
from services.rules.engine.play import GM, AnyPlay
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.advancement import (
    learnable,
    open_trades,
    raise_problem,
    track_of,
)
from services.rules.systems.fortunate_blades.campaign.bots import session_zero
from services.rules.systems.fortunate_blades.campaign.bots.strong import strong_bot
from services.rules.systems.fortunate_blades.campaign.legal import may_advance
from services.rules.systems.fortunate_blades.campaign.moves import (
    AnswerQuestions,
    CallVote,
    CampaignMove,
    EndCampaign,
    Ending,
    EndQuest,
    LearnTalent,
    OfferQuest,
    PickAdvantage,
    RaiseAttribute,
    RollEntanglement,
    SpendExperience,
    TickClock,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import DivideLoot, FindLoot, FindNothing
from services.rules.systems.fortunate_blades.campaign.rules.quests import sizes_of
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Member, Quest
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack

QUESTS = 5
"""Quests after which a simple game master ends the story."""


def own_bots(play: AnyPlay) -> tuple[Bot, ...]:
    """The bots of campaigns beside those that every game has, the weakest first."""
    return (strong_bot(play),)


def bot(state: Campaign, actor: str, catalog: Catalog) -> CampaignMove | None:
    """A hero spends what there is; the game master waits for that, and lets quest follow quest."""
    if state.ended or state.scene:
        return None
    if state.session_zero:
        return session_zero.bot(state, actor, catalog)
    if actor == GM:
        if any(may_advance(state, each, catalog) for each in state.present()):
            return None
        return _master(state, catalog)
    hero = state.hero(actor)
    return None if hero is None else _hero(state, hero, catalog)


def _hero(state: Campaign, hero: Member, catalog: Catalog) -> CampaignMove | None:
    able = [
        each
        for each in Attribute
        if hero.room(track_of(each), catalog) <= 0 and raise_problem(each, hero.ranks[each], catalog) is None
    ]
    if able:
        return RaiseAttribute(actor=hero.id, attribute=max(able, key=lambda each: hero.ranks[each]))
    if hero.room(TrainingTrack.TALENT, catalog) <= 0 and state.quest is None:
        for trade in open_trades(hero.trades, catalog):
            return LearnTalent(actor=hero.id, trade=trade, talent=learnable(trade, hero.trades, catalog)[0])
    for track in TrainingTrack:
        boxes = min(hero.experience, hero.room(track, catalog))
        if boxes > 0:
            return SpendExperience(actor=hero.id, track=track, boxes=boxes)
    return None


def _master(state: Campaign, catalog: Catalog) -> CampaignMove | None:
    doom, quest = state.doom, state.quest
    if state.quest is None and state.undivided() and state.present():
        return DivideLoot(actor=GM)
    if state.searched:
        hero = state.searched[0]
        full = len(state.finds) >= MOST_KNOWN
        return FindNothing(actor=GM, hero=hero) if full else FindLoot(actor=GM, hero=hero)
    if doom is not None and doom.entangled:
        return RollEntanglement(actor=GM)
    if doom is not None and doom.offered and doom.ticks < catalog.rules.campaign.clock:
        return TickClock(actor=GM)
    if state.picks and len(state.held()) < len(catalog.advantages.ids):
        return PickAdvantage(actor=GM)
    if quest is not None:
        return _over(quest, catalog)
    if state.quests_ended >= QUESTS:
        return EndCampaign(actor=GM, won=True, words="They did what they set out to do.")
    known = [each.id for each in state.known_forces()]
    if len(state.offered) > 1:
        return CallVote(actor=GM)
    force = known[state.quests_ended % len(known)] if known else None
    return OfferQuest(actor=GM, force=force)


def _over(quest: Quest, catalog: Catalog) -> CampaignMove | None:
    """The quest ends when it has seen enough encounters; who plays none abandons it."""
    wanted = quest.size.rules(catalog.rules.quests).least
    if quest.encounters >= wanted:
        return EndQuest(actor=GM, size=sizes_of(quest, Ending.COMPLETED, catalog)[0])
    return EndQuest(actor=GM, ending=Ending.MIDWAY, size=quest.size)


def reply(play: object, ask: Ask) -> CampaignMove:
    """A simple answer: the first of several, and yes to what every quest has."""
    if ask.id.startswith("questions:"):
        return AnswerQuestions(actor=ask.actor, learned_world=True, memorable=True, hindrance=True)
    found: CampaignMove = plain_answer(play, ask)  # type: ignore[arg-type]
    return found
