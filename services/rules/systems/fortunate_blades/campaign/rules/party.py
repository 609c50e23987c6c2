"""What the party has and its heroes gain: advantages, advancement (Party Advantages; Advancement; L, N)."""

from __future__ import annotations

from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.fortunate_blades.advancement import raise_problem, talent_problem, track_of
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.facts import (
    Advanced,
    AdvantageGained,
    AdvantageLost,
    AdvantageRestored,
)
from services.rules.systems.fortunate_blades.campaign.moves import (
    LearnTalent,
    LoseAdvantage,
    RaiseAttribute,
    RestoreAdvantage,
    SpendExperience,
)
from services.rules.systems.fortunate_blades.campaign.state import (
    Member,
    Owned,
)
from services.rules.systems.fortunate_blades.campaign.state.progress import Growth
from services.rules.systems.fortunate_blades.campaign.turn import (
    CampaignTurn,
    catalog_of,
    chosen_by_all,
)
from services.rules.systems.fortunate_blades.choices import AdvanceKind
from services.rules.systems.fortunate_blades.terms import TrainingTrack


def pick_advantage(turn: CampaignTurn) -> Steps:
    """The group picks an advantage that it has not; one that stands somewhere takes a place."""
    state, catalog = turn.state, catalog_of(turn)
    open_ones = {
        each.id: each.name
        for each in sorted(catalog.advantages, key=lambda one: one.face)
        if each.id not in (one.advantage for one in state.held())
    }
    if not state.picks or not open_ones:
        refuse("nothing_to_choose", "No advantage is to be picked.", "Party Advantages")
    found = yield from chosen_by_all(turn, "advantage", "Which advantage?", open_ones)
    place = ""
    if catalog.advantages[found].placed:
        (settled,) = yield from turn.ask(asks.settle(turn.state))
        place = settled.place
    turn.happen(AdvantageGained(owned=Owned(advantage=found, place=place), place=place))


def change_advantage(turn: CampaignTurn, move: LoseAdvantage | RestoreAdvantage) -> None:
    owned, shelf = turn.state.owned(move.advantage), catalog_of(turn).advantages
    losing = isinstance(move, LoseAdvantage)
    if owned is None or owned.lost is losing:
        text = "The party has nothing of the kind."
        refuse("advantage_unknown", text, "Party Advantages", ("advantage",), move.advantage)
    if isinstance(move, RestoreAdvantage):
        turn.happen(AdvantageRestored(advantage=move.advantage))
        return
    if not shelf[move.advantage].can_be_lost:
        text = f"{shelf[move.advantage].name} is never lost."
        refuse("never_lost", text, "Party Advantages", ("advantage",), move.advantage)
    turn.happen(AdvantageLost(advantage=move.advantage, words=move.words))


# Advancement


def spend_experience(turn: CampaignTurn, hero: Member, move: SpendExperience) -> None:
    """One experience is one box (N1)."""
    room = hero.room(move.track, catalog_of(turn))
    if move.boxes > hero.experience:
        text = "There is not so much experience."
        refuse("not_enough_experience", text, "Advancement", ("boxes",), move.boxes, hero.experience)
    if not 1 <= move.boxes <= room:
        text = "The track has not so many boxes left."
        refuse("track_full", text, "Advancement", ("boxes",), move.boxes, room)
    _advance(turn, hero, Growth(type=AdvanceKind.BOXES, track=move.track, boxes=move.boxes))


def raise_attribute(turn: CampaignTurn, hero: Member, move: RaiseAttribute) -> None:
    """A full track is emptied for a rank, in the middle of a quest too (N2, P19)."""
    track, catalog = track_of(move.attribute), catalog_of(turn)
    if hero.room(track, catalog) > 0:
        refuse("track_not_full", "The track is not full.", "Advancement", ("attribute",), hero.boxes[track])
    wrong = raise_problem(move.attribute, hero.ranks[move.attribute], catalog)
    if wrong is not None:
        raise Refused(Problems((wrong,)))
    _advance(
        turn,
        hero,
        Growth(
            type=AdvanceKind.RAISE,
            track=track,
            boxes=hero.boxes[track],
            attribute=move.attribute,
        ),
    )


def learn_talent(turn: CampaignTurn, hero: Member, move: LearnTalent) -> None:
    """The full track of talents is emptied for one, when no quest is under way (N3)."""
    track, catalog = TrainingTrack.TALENT, catalog_of(turn)
    wrong = talent_problem(move.trade, move.talent, hero.trades, catalog)
    if wrong is not None:
        raise Refused(Problems((wrong,)))
    if hero.room(track, catalog) > 0:
        refuse("track_not_full", "The track is not full.", "Advancement", ("talent",), hero.boxes[track])
    if turn.state.quest is not None:
        text = "A new talent comes when the quest is over."
        refuse("waits_for_quest_end", text, "Advancement", ("kind",))
    _advance(
        turn,
        hero,
        Growth(
            type=AdvanceKind.TALENT,
            track=track,
            boxes=hero.boxes[track],
            trade=move.trade,
            talent=move.talent,
        ),
    )


def _advance(turn: CampaignTurn, hero: Member, growth: Growth) -> None:
    turn.happen(Advanced(hero=hero.id, growth=growth))
