"""A simple game master and simple players of a campaign: some quests, everything that they earn spent."""

from __future__ import annotations

from services.rules.engine.bots import Bot, plain_answer
from services.rules.engine.campaign import DueScene
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
    AllowRest,
    AnswerQuestions,
    CallVote,
    CampaignMove,
    EndCampaign,
    Ending,
    EndQuest,
    LearnTalent,
    OfferQuest,
    PickAdvantage,
    PlanEncounter,
    RaiseAttribute,
    RollEntanglement,
    SpendExperience,
    TickClock,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import DivideLoot, FindLoot, FindNothing
from services.rules.systems.fortunate_blades.campaign.rules.quests import sizes_of
from services.rules.systems.fortunate_blades.campaign.scenes import ENCOUNTER, REST
from services.rules.systems.fortunate_blades.campaign.setup import MOST_KNOWN
from services.rules.systems.fortunate_blades.campaign.state import Campaign, Fate, Member, Quest, Size
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.clocks import ClockKind
from services.rules.systems.fortunate_blades.play.state import Safety
from services.rules.systems.fortunate_blades.terms import Attribute, TrainingTrack

QUESTS = 5
"""Quests after which a simple game master ends the story."""

FOES = 6
"""Ticks of the clock of an encounter that a simple game master prepares."""


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


def due(state: Campaign, catalog: Catalog) -> DueScene | None:
    """The rest or the encounter that a simple game master has prepared, for the heroes who are with the
    party; None where a move comes first.
    """
    quest = state.quest
    if quest is None or state.ended or state.scene or state.session_zero:
        return None
    if any(may_advance(state, each, catalog) for each in state.present()) or _pending(state, catalog):
        return None
    cast = _with_party(state)
    if not cast:
        return None
    if quest.rests < quest.encounters:
        safe = state.rest is not None and state.rest is not Safety.UNSAFE
        return DueScene(name=REST, cast=cast) if safe else None
    wanted = state.plan is not None and not _played(quest, catalog)
    return DueScene(name=ENCOUNTER, cast=cast) if wanted else None


def _master(state: Campaign, catalog: Catalog) -> CampaignMove | None:
    """What waits first of all; then the quest under way, or the next one to choose."""
    waiting = _pending(state, catalog)
    if waiting is not None:
        return waiting
    if state.quest is not None:
        return _in_quest(state, state.quest, catalog)
    if not state.present():
        return EndCampaign(actor=GM, won=False, words="No hero is left.")
    if state.quests_ended >= QUESTS:
        return EndCampaign(actor=GM, won=True, words="They did what they set out to do.")
    if len(state.offered) > 1:
        return CallVote(actor=GM)
    known = [each.id for each in state.known_forces()]
    force = known[state.quests_ended % len(known)] if known else None
    size = (Size.TRIVIAL, Size.STANDARD)[(state.quests_ended + len(state.offered)) % 2]
    return OfferQuest(actor=GM, force=force, size=size)


def _pending(state: Campaign, catalog: Catalog) -> CampaignMove | None:
    """What waits for the game master, whatever comes next: loot, the campaign clock, an advantage."""
    doom = state.doom
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
    return None


def _in_quest(state: Campaign, quest: Quest, catalog: Catalog) -> CampaignMove:
    """A rest behind each encounter and the next encounter before it, while a hero is with the party; the
    quest ends when it has seen enough of them, and is abandoned where nobody plays them.
    """
    if _with_party(state):
        if quest.rests < quest.encounters:
            if state.rest is None:
                return AllowRest(actor=GM, safety=Safety.SAFE)
        elif state.plan is None and not _played(quest, catalog):
            return PlanEncounter(actor=GM, title="Foes", clock="Foes", size=FOES, sort=ClockKind.ENEMY)
    if _played(quest, catalog):
        return EndQuest(actor=GM, size=sizes_of(quest, Ending.COMPLETED, catalog)[0])
    return EndQuest(actor=GM, ending=Ending.MIDWAY, size=quest.size)


def _with_party(state: Campaign) -> tuple[str, ...]:
    """Ids of the heroes who are with the party now."""
    return tuple(each.id for each in state.present() if each.fate is Fate.WITH)


def _played(quest: Quest, catalog: Catalog) -> bool:
    """Whether a quest has seen enough encounters."""
    return quest.encounters >= quest.size.rules(catalog.rules.quests).least


def reply(play: object, ask: Ask) -> CampaignMove:
    """A simple answer: the first of several, and yes to what every quest has."""
    if ask.id.startswith("questions:"):
        return AnswerQuestions(actor=ask.actor, learned_world=True, memorable=True, hindrance=True)
    found: CampaignMove = plain_answer(play, ask)  # type: ignore[arg-type]
    return found
