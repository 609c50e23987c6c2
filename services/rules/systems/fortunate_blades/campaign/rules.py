"""The rules of a campaign: quests and votes, rewards, advantages, advancement, the clock, the world."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import GM, GM_ONLY, Roll
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Step, Steps, Turn, refuse
from services.rules.systems.fortunate_blades.advancement import raise_problem, talent_problem, track_of
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.facts import (
    Advanced,
    AdvantageGained,
    AdvantageLost,
    AdvantageRestored,
    AdvantageUsed,
    Answered,
    CampaignEnded,
    CampaignFact,
    Chosen,
    ClockTicked,
    EncounterPlanned,
    Entangled,
    FactTold,
    ForceCame,
    ForceRevealed,
    ForceSettled,
    GoalNoted,
    PlaceCame,
    PlaceRevealed,
    QuestBegun,
    QuestEnded,
    QuestOffered,
    RestAllowed,
    StageRevealed,
    Tally,
    TrackFilled,
    TruthNoted,
)
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    AllowRest,
    CallVote,
    CampaignMove,
    EndCampaign,
    Ending,
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
    SettleForce,
    SpendExperience,
    TellFact,
    TickCause,
    TickClock,
    UseAdvantage,
)
from services.rules.systems.fortunate_blades.campaign.setup import name_problems, next_id
from services.rules.systems.fortunate_blades.campaign.state import (
    Campaign,
    Force,
    Growth,
    Member,
    Owned,
    Place,
    Plan,
    Quest,
    Question,
    Size,
    Stage,
    Told,
)
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import AdvanceKind
from services.rules.systems.fortunate_blades.play.words import words_problem
from services.rules.systems.fortunate_blades.terms import TrainingTrack

if TYPE_CHECKING:
    from services.rules.systems.fortunate_blades.campaign.scene import FortunateBladesCampaign

CampaignTurn = Turn[Campaign, CampaignFact]
MOST_OFFERED = 8
MOST_KNOWN = 200
"""Forces, and places, that a story has at most."""


def catalog_of(turn: CampaignTurn) -> Catalog:
    """The content that a turn is played with."""
    return cast("FortunateBladesCampaign", turn.play).catalog


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
        yield from _master(turn, move)
    elif hero is not None and isinstance(move, HeroMove):
        _hero(turn, hero, move)
    else:
        refuse("not_yours", "That is not theirs to do.", "Campaign", ("actor",), move.actor)


def _master(turn: CampaignTurn, move: MasterMove) -> Steps:
    match move:
        case OfferQuest():
            yield from _offer(turn, move)
        case CallVote():
            yield from _call_vote(turn)
        case EndQuest():
            yield from _end_quest(turn, move)
        case PickAdvantage():
            yield from _pick_advantage(turn)
        case RollEntanglement():
            yield from _entangle(turn)
        case PlanEncounter() | AllowRest():
            _prepare(turn, move)
        case LoseAdvantage() | RestoreAdvantage():
            _change_advantage(turn, move)
        case TickClock() | RevealStage():
            _clock(turn, move)
        case AddForce() | RevealForce() | SettleForce():
            _force(turn, move)
        case AddPlace() | RevealPlace():
            _place(turn, move)
        case EndCampaign():
            words = move.words.strip() or "The story is told."
            turn.happen(CampaignEnded(won=move.won, words=words))


def _hero(turn: CampaignTurn, hero: Member, move: HeroMove) -> None:
    match move:
        case SpendExperience():
            spend_experience(turn, hero, move)
        case RaiseAttribute():
            raise_attribute(turn, hero, move)
        case LearnTalent():
            learn_talent(turn, hero, move)
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


# Quests


def _offer(turn: CampaignTurn, move: OfferQuest) -> Steps:
    """A quest to choose, of a kind that is named or rolled."""
    state, catalog = turn.state, catalog_of(turn)
    if state.quest is not None or len(state.offered) >= MOST_OFFERED:
        refuse("not_between_quests", f"Between quests up to {MOST_OFFERED} are offered.", "Quests")
    kinds = catalog.quest_kinds
    if move.about and move.about not in kinds:
        refuse("unknown_target", "There is no such quest.", "Quests", ("about",), move.about, kinds.ids)
    _known_or_none(state, move.force, move.place)
    kind = move.about
    if not kind:
        sides = max(each.face for each in kinds)
        ((face,),) = yield from turn.roll(_die("quest", "What is it about?", sides))
        kind = next(each.id for each in kinds if each.face == face)
    quest = Quest(
        id=next_id(state, "quest"),
        name=move.name.strip() or kinds[kind].name,
        kind=kind,
        size=move.size,
        force=move.force or "",
        place=move.place or "",
    )
    turn.happen(QuestOffered(quest=quest, place=quest.place, force=quest.force))
    if move.truth.strip():
        turn.happen(TruthNoted(quest=quest.id, truth=move.truth.strip(), audience=GM_ONLY))


def _known_or_none(state: Campaign, force: str | None, place: str | None) -> None:
    """Refuses what is linked to a force or a place that players do not know."""
    forces = tuple(each.id for each in state.known_forces())
    places = tuple(each.id for each in state.known_places())
    if force and force not in forces:
        refuse("unknown_target", "There is no such force.", "Forces", ("force",), force, forces)
    if place and place not in places:
        refuse("unknown_target", "There is no such place.", "The Map", ("place",), place, places)


def _die(name: str, label: str, sides: int, *, secret: bool = False) -> Roll:
    dice = Explained.of(Part(1, label, "Quests"))
    if secret:
        return Roll(id=name, actor=GM, label=label, dice=dice, sides=sides, audience=GM_ONLY)
    return Roll(id=name, actor=GM, label=label, dice=dice, sides=sides)


def _call_vote(turn: CampaignTurn) -> Steps:
    """The players choose a quest (R1, R3)."""
    state = turn.state
    if state.quest is not None or not state.offered:
        refuse("nothing_to_choose", "There is no quest to choose.", "Quests")
    offers = {each.id: each.name for each in state.offered}
    quest = yield from _chosen(turn, "quest", "Which quest?", offers)
    turn.happen(QuestBegun(quest=quest))


def _chosen(turn: CampaignTurn, name: str, question: str, offers: dict[str, str]) -> Step[str]:
    """What most heroes vote for; where it is tied, what the game master says of that."""
    votes = yield from turn.ask(
        *(asks.vote(f"{name}:{hero.id}", hero.id, question, offers) for hero in turn.state.present())
    )
    counted = {each: sum(vote.choice == each for vote in votes) for each in offers}
    most = max(counted.values())
    best = {each: offers[each] for each, found in counted.items() if found == most}
    (last,) = yield from turn.ask(asks.vote(f"tie:{name}", GM, f"It is tied: {question}", best))
    tallies = tuple(Tally(choice=each, votes=found) for each, found in counted.items())
    turn.happen(Chosen(choice=last.choice, votes=tallies, tied=len(best) > 1))
    choice: str = last.choice
    return choice


def _prepare(turn: CampaignTurn, move: PlanEncounter | AllowRest) -> None:
    """What comes next in a quest: an encounter, or a rest."""
    state = turn.state
    if state.quest is None or state.scene:
        refuse("no_quest", "That is for a quest, between its encounters.", "Adventuring")
    if isinstance(move, AllowRest):
        turn.happen(RestAllowed(safety=move.safety))
        return
    most = catalog_of(turn).rules.clocks.most
    broken = tuple(
        problem
        for field, said in (("title", move.title), ("clock", move.clock))
        for problem in name_problems(said, (field,))
    )
    if not 1 <= move.size <= most:
        text = f"A clock has from 1 to {most} ticks."
        size = RuleProblem("size_out_of_range", text, "Clocks & Effect", ("size",), move.size, (1, most))
        broken = (*broken, size)
    if move.place and state.place(move.place) is None:
        text = "There is no such place."
        broken = (*broken, RuleProblem("unknown_target", text, "The Map", ("place",), move.place))
    if broken:
        raise Refused(Problems(broken))
    plan = Plan(
        title=move.title.strip(),
        clock=move.clock.strip(),
        size=move.size,
        kind=move.sort,
        place=move.place or "",
        aboard=move.aboard,
    )
    turn.happen(EncounterPlanned(plan=plan, audience=GM_ONLY))


# A quest's end


def _end_quest(turn: CampaignTurn, move: EndQuest) -> Steps:
    """Five questions to all, then what the quest brings (M1 to M7)."""
    state = turn.state
    quest = state.quest
    if quest is None or state.scene:
        refuse("no_quest", "No quest is to be ended now.", "End of the Quest")
    fitting = sizes_of(quest, move.ending, catalog_of(turn))
    if move.size not in fitting:
        text = "A quest of so many encounters is not of this size."
        allowed = tuple(each.value for each in fitting)
        refuse("size_not_fitting", text, "Quests [P21]", ("size",), move.size.value, allowed)
    _known_or_none(state, move.force, None)
    if len(move.new_force.strip()) > 0:
        _named(move.new_force, "new_force")
    answered: list[Answered] = []
    if move.ending is not Ending.AT_START:
        voters = (*(each.id for each in state.present()), GM)
        answers = yield from turn.ask(*(asks.questions(who) for who in voters))
        for each in Question:
            yes = sum(bool(getattr(answer, each.value)) for answer in answers)
            answered.append(Answered(question=each, yes=yes, no=len(voters) - yes))
        turn.happen(*answered)
    force = move.force or quest.force
    if not force:
        force = next_id(turn.state, "force")
        name = move.new_force.strip() or quest.name
        turn.happen(ForceCame(force=Force(id=force, name=name), id=force))
    agreed = tuple(each.question for each in answered if each.agreed)
    experience, reputation = rewards(move.ending, move.size, agreed, catalog_of(turn))
    turn.happen(
        QuestEnded(
            quest=quest.name,
            ending=move.ending,
            experience=experience,
            reputation=reputation,
            force=force,
        )
    )
    if turn.state.track >= catalog_of(turn).rules.campaign.reputation_track:
        turn.happen(TrackFilled())


def sizes_of(quest: Quest, ending: Ending, catalog: Catalog) -> tuple[Size, ...]:
    """The sizes that a quest may have been of; one that was abandoned is what it was thought to be."""
    if ending is not Ending.COMPLETED:
        return (quest.size,)
    return tuple(each for each in Size if each.rules(catalog.rules.quests).fits(quest.encounters))


def rewards(ending: Ending, size: Size, agreed: Iterable[Question], catalog: Catalog) -> tuple[int, int]:
    """What a quest brings: experience of every hero, and reputation (M2 to M4, M7; P7, P8)."""
    own, yes = size.rules(catalog.rules.quests), tuple(agreed)
    experience = own.experience + len(yes)
    match ending:
        case Ending.COMPLETED:
            return experience, own.reputation + sum(each is not Question.HINDRANCE for each in yes)
        case Ending.MIDWAY:
            return experience // 2, 0
        case Ending.AT_START:
            return 0, 0


def _entangle(turn: CampaignTurn) -> Steps:
    """A d6 in secret; on its highest face the campaign clock moves (P9)."""
    doom, catalog = turn.state.doom, catalog_of(turn)
    if doom is None or not doom.entangled:
        refuse("no_entanglement", "It is rolled once after a quest.", "Entanglements [P9]")
    sides = max(each.face for each in catalog.entanglements)
    ((face,),) = yield from turn.roll(_die("entanglement", "Entanglement", sides, secret=True))
    found = tuple(each.id for each in catalog.entanglements if each.face == face)
    turn.happen(Entangled(entanglement=found[turn.state.quests_ended % len(found)], audience=GM_ONLY))
    rules = catalog.rules.campaign
    if face == rules.entanglement_face and doom.ticks < rules.clock:
        turn.happen(ClockTicked(audience=GM_ONLY))


# Advantages


def _pick_advantage(turn: CampaignTurn) -> Steps:
    """The group picks an advantage that it has not; one that stands somewhere takes a place."""
    state, catalog = turn.state, catalog_of(turn)
    open_ones = {
        each.id: each.name
        for each in sorted(catalog.advantages, key=lambda one: one.face)
        if each.id not in (one.advantage for one in state.held())
    }
    if not state.picks or not open_ones:
        refuse("nothing_to_choose", "No advantage is to be picked.", "Party Advantages")
    found = yield from _chosen(turn, "advantage", "Which advantage?", open_ones)
    place = ""
    if catalog.advantages[found].placed:
        (settled,) = yield from turn.ask(asks.settle(turn.state))
        place = settled.place
    turn.happen(AdvantageGained(owned=Owned(advantage=found, place=place), place=place))


def _change_advantage(turn: CampaignTurn, move: LoseAdvantage | RestoreAdvantage) -> None:
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


# The campaign clock


def _clock(turn: CampaignTurn, move: TickClock | RevealStage) -> None:
    """A tick of the campaign clock, or word of what it has struck (Q1, Q2)."""
    doom, rules = turn.state.doom, catalog_of(turn).rules.campaign
    if doom is None:
        refuse("not_yours", "That is not theirs to do.", "The Campaign Clock", ("actor",), move.actor)
    if isinstance(move, RevealStage):
        struck = stages_struck(doom.stage(rules))
        if move.stage not in struck:
            text = "The clock has not struck that."
            refuse("not_struck", text, "The Campaign Clock", ("stage",), move.stage.value)
        turn.happen(StageRevealed(stage=move.stage, words=move.words))
        return
    if doom.ticks >= rules.clock:
        refuse("clock_full", "It is midnight already.", "The Campaign Clock", ("kind",), doom.ticks)
    if move.cause is TickCause.ACTION_ROLL and not doom.offered:
        text = "No action roll was so low."
        refuse("no_low_roll", text, "The Campaign Clock [P9]", ("cause",))
    turn.happen(ClockTicked(cause=move.cause, audience=GM_ONLY))


def stages_struck(stage: Stage | None) -> tuple[Stage, ...]:
    """What the clock has struck so far."""
    stages = tuple(Stage)
    return () if stage is None else stages[: stages.index(stage) + 1]


# Forces and places


def _force(turn: CampaignTurn, move: AddForce | RevealForce | SettleForce) -> None:
    state = turn.state
    if isinstance(move, AddForce):
        _room(len(state.forces))
        _named(move.name, "name")
        force = Force(
            id=next_id(state, "force", secret=move.secret),
            name=move.name.strip(),
            magnitude=move.magnitude,
            text=move.text,
            secret=move.secret,
        )
        turn.happen(ForceCame(force=force, id=force.id))
        if move.goal.strip():
            turn.happen(GoalNoted(force=force.id, goal=move.goal.strip(), audience=GM_ONLY))
        return
    found = state.force(move.force)
    wanted = isinstance(move, RevealForce)
    if found is None or found.secret is not wanted or found.settled:
        refuse("unknown_target", "There is no such force.", "Forces", ("force",), move.force)
    if wanted:
        turn.happen(ForceRevealed(was=found.id, force=next_id(state, "force")))
    else:
        turn.happen(ForceSettled(force=found.id))


def _place(turn: CampaignTurn, move: AddPlace | RevealPlace) -> None:
    state = turn.state
    if isinstance(move, AddPlace):
        _room(len(state.places))
        _named(move.name, "name")
        name = next_id(state, "place", secret=move.secret)
        place = Place(id=name, name=move.name.strip(), text=move.text, secret=move.secret)
        turn.happen(PlaceCame(place=place, id=name))
        return
    found = state.place(move.place)
    if found is None or not found.secret:
        refuse("unknown_target", "There is no such place.", "The Map", ("place",), move.place)
    turn.happen(PlaceRevealed(was=found.id, place=next_id(state, "place")))


def _room(found: int) -> None:
    if found >= MOST_KNOWN:
        refuse("list_too_long", f"A story has at most {MOST_KNOWN}.", "table", (), found, MOST_KNOWN)


def _named(name: str, field: str) -> None:
    broken = tuple(name_problems(name, (field,)))
    if broken:
        raise Refused(Problems(broken))
