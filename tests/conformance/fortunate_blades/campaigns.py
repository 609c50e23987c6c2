"""Answers cases of campaigns: quests and their end, votes, advancement, advantages, the campaign clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.rules.engine.campaign import heard
from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.play import GM, CastMember
from services.rules.engine.position import Position
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.build import build
from services.rules.systems.fortunate_blades.campaign.facts import Answered, QuestEnded, TrackFilled
from services.rules.systems.fortunate_blades.campaign.moves import (
    AnswerQuestions,
    Ending,
    EndQuest,
    LearnTalent,
    PlanEncounter,
    RaiseAttribute,
    RollEntanglement,
    SpendExperience,
    TickCause,
    TickClock,
)
from services.rules.systems.fortunate_blades.campaign.scene import FortunateBladesCampaign
from services.rules.systems.fortunate_blades.campaign.state import (
    Campaign,
    Doom,
    Force,
    Member,
    Owned,
    Place,
    Quest,
    Question,
    Size,
)
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.choices import TradeChoice
from services.rules.systems.fortunate_blades.impact import LEVELS
from services.rules.systems.fortunate_blades.play.facts import EffectHad, FollowersLost, Rolled, Trained
from services.rules.systems.fortunate_blades.play.moves import Call, CauseHarm, Commit, SendFollowers, Stir
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    EffectLevel,
    Group,
    HarmLevel,
    Topic,
    TrainingTrack,
)
from tests.conformance.fortunate_blades.actions import ACT, advantages_of, attribute_of
from tests.conformance.fortunate_blades.reading import Answer, Given, only
from tests.conformance.fortunate_blades.stage import (
    CONTENT,
    EXAMPLE,
    NAMES,
    Played,
    Reply,
    clock,
    hero,
    played,
    refused,
    stage,
)

PLAY = FortunateBladesCampaign(CONTENT)
HERE = "place-1"
TOPICS = {"trustworthiness": Topic.TRUST, "dumb_bravery": Topic.BRAVERY}
"""Other words of the cases for what a roll is about."""


def campaign(heroes: int = 1, catalog: Catalog = CONTENT, **changes: Any) -> Campaign:
    """A campaign in the middle of a quest, of heroes without experience; `changes` are fields of it."""
    sheet = build(EXAMPLE, catalog)
    cast = tuple(CastMember(id=name, sheet=sheet) for name in NAMES[:heroes])
    opening = FortunateBladesCampaign(catalog).begin(PLAY.setups["lantern-road"], cast)
    assert not isinstance(opening, Problems)
    return replace(opening, **{"quest": _quest(Size.STANDARD), **changes})


def _quest(size: Size, encounters: int = 1) -> Quest:
    return Quest(
        id="quest-1", name="A case", kind=CONTENT.quest_kinds.ids[0], size=size, encounters=encounters
    )


def _made(
    state: Campaign,
    move: Any,
    faces: Mapping[str, Sequence[int]] | None = None,
    replies: Mapping[str, Reply] | None = None,
    catalog: Catalog = CONTENT,
) -> Played:
    return played(Position(FortunateBladesCampaign(catalog), state), move, faces, replies)


# Quests


def quest_size(given: Given) -> Answer:
    """The sizes at which a quest of so many encounters can be ended."""
    only(given, "encounters")
    state = campaign(quest=_quest(Size.STANDARD, given["encounters"]))
    over = next(each for each in PLAY.legal(state, GM) if each.id == "over:completed")
    size = next(each for each in over.fields if each.name == "size")
    return {"sizes": [each.value for each in size.choices]}


def quest_end(given: Given) -> Answer:
    """What a quest brings when it is ended, all saying the same to its questions."""
    only(given, "size", "yes", "force", "force_before", "track", "abandoned", "characters")
    size = Size(given["size"])
    force = Force(id="force-99", name="The case", reputation=given.get("force_before", 0))
    state = campaign(
        given.get("characters", 1),
        forces=(force,),
        track=given.get("track", 0),
        quest=replace(_quest(size, size.rules(CONTENT.rules.quests).least), force=force.id),
    )
    ending = Ending(given.get("abandoned", "completed"))
    said = {Question(each).value: True for each in given.get("yes", ())}
    made = _made(
        state,
        EndQuest(actor=GM, ending=ending, size=size),
        replies={"questions": _answering(lambda who: AnswerQuestions(actor=who, **said))},
    )
    ended, after = made.last(QuestEnded), _state(made)
    (each,) = {member.experience for member in after.heroes}
    found = after.force(force.id)
    assert found is not None
    return {
        "xp_each": each,
        "reputation": ended.reputation,
        "force_total": found.reputation,
        "track": after.track,
        "advantage": made.last(TrackFilled) is not None,
    }


def _answering(says: Callable[[str], Any]) -> Callable[[Ask], Any]:
    """The reply of each of a group."""
    return lambda ask: says(ask.actor)


def _state(made: Played) -> Campaign:
    found: Any = made.at.state
    assert isinstance(found, Campaign)
    return found


def vote(given: Given) -> Answer:
    """What a group says to a question of a quest's end; the last of the answers is the game master's."""
    only(given, "answers")
    answers = dict(zip((*NAMES[: len(given["answers"]) - 1], GM), given["answers"], strict=True))
    made = _made(
        campaign(len(answers) - 1),
        EndQuest(actor=GM, ending=Ending.MIDWAY, size=Size.STANDARD),
        replies={"questions": _answering(lambda who: AnswerQuestions(actor=who, memorable=answers[who]))},
    )
    found = next(each for each in made.of(Answered) if each.question is Question.MEMORABLE)
    return {"yes": found.agreed, "voted": found.voted}


# Advancement


def advancement(given: Given) -> Answer:
    """Experience and training of one hero, and what a full track is emptied for."""
    only(
        given,
        "track",
        "length",
        "filled",
        "xp",
        "raise",
        "value",
        "training",
        "when",
        "trades",
        "start_new_trade",
        "group",
        "split",
    )
    track = TrainingTrack(given.get("track", "talent"))
    catalog = _with_length(track, given.get("length"))
    at_end = given.get("when", "quest_end") == "quest_end"
    changes: dict[str, Any] = {} if not at_end else {"quest": None}
    state = campaign(catalog=catalog, **changes)
    state = replace(state, heroes=(_member(state.heroes[0], track, given, catalog),))
    if "split" in given:
        return _split(state, given, catalog)
    return _advanced(state, track, given, catalog)


def _with_length(track: TrainingTrack, length: int | None) -> Catalog:
    if length is None:
        return CONTENT
    name = "talent" if track is TrainingTrack.TALENT else "group"
    tracks = replace(CONTENT.rules.tracks, **{name: length})
    return replace(CONTENT, rules=replace(CONTENT.rules, tracks=tracks))


def _member(one: Member, track: TrainingTrack, given: Given, catalog: Catalog) -> Member:
    """The hero of a case."""
    ranks = dict(one.ranks)
    if "raise" in given:
        ranks[attribute_of(given["raise"])] = given.get("value", 0)
    if "group" in given:
        of_track = [each for each in Attribute if each.group.value == track.value]
        ranks |= dict(zip(of_track, given["group"], strict=True))
    trades = one.trades
    if "trades" in given:
        known = catalog.trades.ids[: given["trades"]]
        trades = tuple(TradeChoice(trade=each, talents=(catalog.trades[each].starting,)) for each in known)
    filled = given.get("filled", 0)
    if given.get("start_new_trade"):
        filled = catalog.rules.tracks.talent
    boxes = {**one.boxes, track: filled}
    return replace(one, ranks=ranks, trades=trades, boxes=boxes, experience=given.get("xp", 0))


def _split(state: Campaign, given: Given, catalog: Catalog) -> Answer:
    """Experience on several tracks."""
    for name, boxes in given["split"].items():
        move = SpendExperience(actor="A", track=TrainingTrack(name), boxes=boxes)
        made = _made(state, move, catalog=catalog)
        if made.problems is not None:
            return refused(made.error)
        state = _state(made)
    return {"legal": True}


def _advanced(state: Campaign, track: TrainingTrack, given: Given, catalog: Catalog) -> Answer:
    play = FortunateBladesCampaign(catalog)
    trained = [Trained(hero="A", track=track)] * given.get("training", 0)
    state = heard(play, state, "rest", trained).state
    state = _spent(state, track, catalog)
    answer: Answer = {"legal": True, "full": state.heroes[0].room(track, catalog) <= 0}
    moves: list[Any] = []
    if "raise" in given:
        moves = [RaiseAttribute(actor="A", attribute=attribute_of(given["raise"]))]
    elif track is TrainingTrack.TALENT and (answer["full"] or given.get("start_new_trade")):
        moves = [_learning(state.heroes[0], catalog, new=bool(given.get("start_new_trade")))]
    elif "group" in given and answer["full"]:
        of_track = [each for each in Attribute if each.group.value == track.value]
        moves = [RaiseAttribute(actor="A", attribute=each) for each in of_track]
    errors = []
    for move in moves:
        made = _made(state, move, catalog=catalog)
        if made.problems is None:
            state = _state(made)
        else:
            errors.append(made.error or "")
    state = _spent(state, track, catalog)
    after = state.heroes[0]
    if errors and errors[0].startswith("waits_for_"):
        answer |= {"new_talent": False, "waits_for": errors[0].removeprefix("waits_for_")}
    elif errors and ("raise" in given or track is TrainingTrack.TALENT):
        return refused(errors[0])
    elif moves and track is TrainingTrack.TALENT:
        answer["new_talent"] = True
    if "raise" in given:
        answer["new_value"] = after.ranks[attribute_of(given["raise"])]
    return {**answer, "filled": after.boxes[track], "trades": len(after.trades)}


def _spent(state: Campaign, track: TrainingTrack, catalog: Catalog) -> Campaign:
    """All experience on one track, as far as it has room."""
    one = state.heroes[0]
    boxes = min(one.experience, one.room(track, catalog))
    if boxes <= 0:
        return state
    return _state(_made(state, SpendExperience(actor="A", track=track, boxes=boxes), catalog=catalog))


def _learning(one: Member, catalog: Catalog, *, new: bool) -> LearnTalent:
    """The first talent there is: of a trade of the hero's own, or of a new one."""
    own = {each.trade: each.talents for each in one.trades}
    if new:
        trade = next(each for each in catalog.trades if each.id not in own)
        return LearnTalent(actor="A", trade=trade.id, talent=trade.starting)
    trade = catalog.trades[next(iter(own))]
    talent = next(each for each in trade.all_talents if each not in own[trade.id])
    return LearnTalent(actor="A", trade=trade.id, talent=talent)


# Advantages


def advantage_use(given: Given) -> Answer:
    """A roll, or a Harm, in an encounter that is begun from a campaign with an advantage."""
    only(given, "advantage", "topic", "there", "monument_stands", "use", "harm", "choice")
    (advantage,) = advantages_of([given["advantage"]])
    there, stands = given.get("there", True), given.get("monument_stands", True)
    owned = Owned(advantage=advantage, place=HERE, lost=not stands)
    places = (Place(id=HERE, name="Here"), Place(id="place-2", name="Elsewhere"))
    quest = replace(_quest(Size.STANDARD), place=HERE if there else "place-2")
    opened = campaign(advantages=(owned,), places=places, quest=quest)
    order = PLAY.scenes(_aboard(opened, bool(there)))["encounter"].setup
    state = stage(hero(fortune=60), clocks=(clock(1), clock(2)), advantages=order.advantages, here=order.here)
    if "use" in given:
        return _sacrificed(state, given)
    topic = given.get("topic")
    about = None if topic is None else TOPICS.get(topic) or Topic(topic)
    at_home = given.get("choice") == "effect"
    made = played(
        state,
        ACT,
        {"roll": [15, 15]},
        {
            "call": Call(actor=GM, close=5, spread=5, topic=about),
            "commit": Commit(actor="A", at_home=at_home),
        },
    )
    if made.problems is not None:
        return refused(made.error)
    dice = made.roll("roll:A")
    lucky = dice is not None and dice.dice.parts[-1].source == "Lucky"
    usual = LEVELS.index(EffectLevel.STANDARD)
    return {
        "mode": "lucky" if lucky else "normal",
        "effect_levels": LEVELS.index(made.last(EffectHad).level) - usual,
    }


def _aboard(state: Campaign, there: bool) -> Campaign:
    """The campaign with its next encounter prepared on board of the party's vehicle, if that is there."""
    return _state(_made(state, PlanEncounter(actor=GM, title="A case", clock="A case", size=8, aboard=there)))


def _sacrificed(state: Any, given: Given) -> Answer:
    """A Harm, and followers who are lost in its place."""
    if given["use"] != "sacrifice":
        raise UnsupportedCaseError(f"nothing is known of {given['use']!r}")
    level = HarmLevel(given["harm"])
    harm = CauseHarm(actor=GM, target="A", group=Group.PHYSICAL, level=level, close=30)
    made = played(state, Stir(actor=GM), replies={"consequence": harm, "save": SendFollowers(actor="A")})
    if made.problems is not None:
        return refused(made.error)
    borne = [each.value for each, filled in made.state.slots("A").items() if filled]
    return {
        "harm": next(iter(borne), "none"),
        "followers_lost": made.last(FollowersLost) is not None and not made.state.has("following"),
    }


# The campaign clock


def campaign_clock(given: Given) -> Answer:
    """The campaign clock after what may move it, and what it has struck."""
    only(given, "ticks", "event", "d6", "d20", "gm_agrees")
    state = campaign(doom=Doom(ticks=given["ticks"], entangled=True))
    agrees = given.get("gm_agrees", True)
    match given.get("event"):
        case "entanglement":
            state = _state(_made(state, RollEntanglement(actor=GM), {"entanglement": [given["d6"]]}))
        case "action_roll":
            low = Rolled(hero="A", natural=given["d20"], total=given["d20"])
            state = heard(PLAY, state, "encounter", [low]).state
            if agrees:
                state = _state(_made(state, TickClock(actor=GM, cause=TickCause.ACTION_ROLL)))
        case "gm_decides":
            state = _state(_made(state, TickClock(actor=GM))) if agrees else state
        case None:
            pass
        case other:
            raise UnsupportedCaseError(f"nothing is known of {other!r}")
    assert state.doom is not None
    stage_ = state.doom.stage(CONTENT.rules.campaign)
    return {"ticks": state.doom.ticks, "stage": None if stage_ is None else stage_.value}
