"""The rules of a campaign, as generators: a file for each chapter.

`session_zero` (the group makes its story), `quests` (their offer, their vote, their end), `loot` (found and
divided), `party` (its advantages, and what its heroes gain), `story` (the campaign clock, forces and places).
"""

from __future__ import annotations

from typing import get_args

from services.rules.engine.play import GM, PLAYER
from services.rules.engine.problem import Problems
from services.rules.engine.steps import (
    Refused,
    Steps,
    refuse,
)
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.facts import (
    AdvantageUsed,
    CampaignEnded,
    FactTold,
)
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    AllowRest,
    CallVote,
    CampaignMove,
    ChangePlace,
    EndCampaign,
    EndQuest,
    HeroMove,
    LearnTalent,
    LoseAdvantage,
    MasterMove,
    OfferQuest,
    PickAdvantage,
    PlanEncounter,
    RaiseAttribute,
    RestoreAdvantage,
    RevealForce,
    RevealPlace,
    RevealStage,
    RollEntanglement,
    SeatForce,
    SettleForce,
    SpendExperience,
    TellFact,
    TickClock,
    UseAdvantage,
)
from services.rules.systems.fortunate_blades.campaign.moves.loot import (
    DivideLoot,
    FindLoot,
    FindNothing,
    IdentifyLoot,
    LoseLoot,
)
from services.rules.systems.fortunate_blades.campaign.moves.session_zero import (
    BeginStory,
    CallChoice,
    DrawForce,
    MarkPlace,
    NameParty,
    NameStart,
    WishTone,
    ZeroHeroMove,
    ZeroMasterMove,
    ZeroPlayerMove,
)
from services.rules.systems.fortunate_blades.campaign.rules import loot as loot
from services.rules.systems.fortunate_blades.campaign.rules import (
    party,
    quests,
    story,
)
from services.rules.systems.fortunate_blades.campaign.rules import session_zero as zero
from services.rules.systems.fortunate_blades.campaign.state import (
    Member,
    Told,
)
from services.rules.systems.fortunate_blades.campaign.turn import CampaignTurn
from services.rules.systems.fortunate_blades.play.words import words_problem

EARLY = (
    *get_args(ZeroMasterMove),
    *get_args(ZeroHeroMove),
    AddForce,
    AddPlace,
    RevealForce,
    RevealPlace,
    SettleForce,
    SeatForce,
    ChangePlace,
    EndCampaign,
)
"""What may be done in session zero."""


def rule(turn: CampaignTurn, move: CampaignMove) -> Steps:
    """Every move: first what no move may break, then its own rule."""
    if turn.state.ended:
        refuse("scene_over", "The campaign is over.", "Campaign")
    wordy = words_problem(move)
    if wordy is not None:
        raise Refused(Problems((wordy,)))
    hero = turn.state.hero(move.actor)
    if isinstance(move, TellFact) and (move.actor == GM or hero is not None):
        _told(turn, move)
    elif move.actor == GM and isinstance(move, MasterMove):
        _playing(turn, move)
        yield from _master(turn, move)
    elif hero is not None and isinstance(move, HeroMove):
        _playing(turn, move)
        yield from _hero(turn, hero, move)
    elif move.actor.startswith(PLAYER) and isinstance(move, ZeroPlayerMove):
        yield from zero.rule(turn, move)
    else:
        refuse("not_yours", "That is not theirs to do.", "Campaign", ("actor",), move.actor)


def _playing(turn: CampaignTurn, move: CampaignMove) -> None:
    """In session zero forces and places come and are revealed; all else waits for the story."""
    if turn.state.session_zero and not isinstance(move, EARLY):
        refuse("session_zero", "The story has not begun.", "Playing The Game", ("kind",))


def _master(turn: CampaignTurn, move: MasterMove) -> Steps:
    match move:
        case OfferQuest():
            yield from quests.offer(turn, move)
        case CallVote():
            yield from quests.call_vote(turn)
        case EndQuest():
            yield from quests.end_quest(turn, move)
        case PickAdvantage():
            yield from party.pick_advantage(turn)
        case RollEntanglement():
            yield from quests.entangle(turn)
        case PlanEncounter() | AllowRest():
            quests.prepare(turn, move)
        case LoseAdvantage() | RestoreAdvantage():
            party.change_advantage(turn, move)
        case TickClock() | RevealStage():
            story.clock(turn, move)
        case AddForce() | RevealForce() | SettleForce() | SeatForce():
            story.force(turn, move)
        case AddPlace() | RevealPlace() | ChangePlace():
            story.place(turn, move)
        case FindLoot() | FindNothing() | IdentifyLoot() | DivideLoot() | LoseLoot():
            yield from loot.rule(turn, move)
        case WishTone() | NameParty() | NameStart() | CallChoice() | DrawForce() | BeginStory():
            yield from zero.rule(turn, move)
        case EndCampaign():
            words = move.words.strip() or "The story is told."
            turn.happen(CampaignEnded(won=move.won, words=words))


def _hero(turn: CampaignTurn, hero: Member, move: HeroMove) -> Steps:
    match move:
        case WishTone() | MarkPlace():
            yield from zero.rule(turn, move)
        case SpendExperience():
            party.spend_experience(turn, hero, move)
        case RaiseAttribute():
            party.raise_attribute(turn, hero, move)
        case LearnTalent():
            party.learn_talent(turn, hero, move)
        case UseAdvantage():
            owned = turn.state.owned(move.advantage)
            if owned is None or owned.lost:
                text = "The party has no such advantage."
                refuse("advantage_unknown", text, "Party Advantages", ("advantage",), move.advantage)
            turn.happen(AdvantageUsed(hero=hero.id, advantage=move.advantage, words=move.words))


def _told(turn: CampaignTurn, move: TellFact) -> None:
    """What a player tells is true in the story (J8)."""
    if not move.words.strip():
        refuse("nothing_told", "Something is told.", "The Story", ("words",))
    about = move.about or ""
    known = tuple(asks.known_ids(turn.state))
    if about and about not in known:
        refuse("unknown_target", "There is nothing of the kind.", "The Story", ("about",), about, known)
    told = Told(by=move.actor, words=move.words.strip(), about=about)
    turn.happen(FactTold(told=told, about=about))
