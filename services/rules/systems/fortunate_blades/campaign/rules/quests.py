"""Quests from their offer to what they bring (Quests; End of the Quest; M, P9)."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine.play import GM, GM_ONLY
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, refuse
from services.rules.systems.fortunate_blades.campaign import asks
from services.rules.systems.fortunate_blades.campaign.facts import (
    Answered,
    ClockTicked,
    EncounterPlanned,
    Entangled,
    ForceCame,
    QuestBegun,
    QuestEnded,
    QuestOffered,
    RestAllowed,
    TrackFilled,
    TruthNoted,
)
from services.rules.systems.fortunate_blades.campaign.moves import (
    AllowRest,
    Ending,
    EndQuest,
    OfferQuest,
    PlanEncounter,
)
from services.rules.systems.fortunate_blades.campaign.setup import name_problems, next_id
from services.rules.systems.fortunate_blades.campaign.state import (
    Campaign,
    Force,
    Plan,
    Quest,
    Question,
    Size,
)
from services.rules.systems.fortunate_blades.campaign.turn import (
    CampaignTurn,
    catalog_of,
    chosen_by_all,
    die,
    named,
)
from services.rules.systems.fortunate_blades.catalog import Catalog

MOST_OFFERED = 8


def offer(turn: CampaignTurn, move: OfferQuest) -> Steps:
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
        ((face,),) = yield from turn.roll(die("quest", "What is it about?", sides))
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


def call_vote(turn: CampaignTurn) -> Steps:
    """The players choose a quest (R1, R3)."""
    state = turn.state
    if state.quest is not None or not state.offered:
        refuse("nothing_to_choose", "There is no quest to choose.", "Quests")
    offers = {each.id: each.name for each in state.offered}
    quest = yield from chosen_by_all(turn, "quest", "Which quest?", offers)
    turn.happen(QuestBegun(quest=quest))


def prepare(turn: CampaignTurn, move: PlanEncounter | AllowRest) -> None:
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


def end_quest(turn: CampaignTurn, move: EndQuest) -> Steps:
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
        named(move.new_force, "new_force")
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


def entangle(turn: CampaignTurn) -> Steps:
    """A d6 in secret; on its highest face the campaign clock moves (P9)."""
    doom, catalog = turn.state.doom, catalog_of(turn)
    if doom is None or not doom.entangled:
        refuse("no_entanglement", "It is rolled once after a quest.", "Entanglements [P9]")
    sides = max(each.face for each in catalog.entanglements)
    ((face,),) = yield from turn.roll(die("entanglement", "Entanglement", sides, secret=True))
    found = tuple(each.id for each in catalog.entanglements if each.face == face)
    turn.happen(Entangled(entanglement=found[turn.state.quests_ended % len(found)], audience=GM_ONLY))
    rules = catalog.rules.campaign
    if face == rules.entanglement_face and doom.ticks < rules.clock:
        turn.happen(ClockTicked(audience=GM_ONLY))
