"""One plain sentence for each fact of an encounter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from services.rules.engine.wording import counted
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play import facts
from services.rules.systems.fortunate_blades.play.causes import Cause, Why
from services.rules.systems.fortunate_blades.play.facts import (
    Fact,
)
from services.rules.systems.fortunate_blades.play.moves import Benefit
from services.rules.systems.fortunate_blades.play.state import Encounter

Names = Callable[[str], str]
Teller = Callable[[Encounter, Any, Names, Catalog], str | None]

SPENT: Mapping[Why, str] = {
    Why.AID: "to Aid",
    Why.LUCKY: "to be Lucky",
    Why.POINTS: "on the roll",
    Why.EFFECT: "to raise the Effect",
    Why.LIFT: "on a lift",
    Why.HARM_ROLL: "so that the roll can be made",
    Why.SAVE: "on the Save",
    Why.TALENT: "on a talent",
    Why.BREAK: "on a Lucky Break",
}
"""What Fortune is spent for, in words."""

HELPED: Mapping[Benefit, str] = {
    Benefit.LUCKY: "the roll is Lucky",
    Benefit.EFFECT: "its Effect is one level higher",
    Benefit.PROTECT: "a Miss does less harm",
}
CAUSES: Mapping[Cause, str] = {
    Cause.HARM_FULL: "can bear no more Harm",
    Cause.FORTUNE_RAN_OUT: "has run out of Fortune",
    Cause.CLEAR_A_ROLL: "clears the roll at a price",
}


def tell(state: Encounter, fact: Fact, catalog: Catalog) -> str:
    """The sentence for a fact; empty where nobody needs to read it."""
    known = {one.id: one.name for one in state.heroes} | {one.id: one.name for one in state.clocks}

    def named(who: str) -> str:
        return known.get(who, who)

    parts: tuple[Teller, ...] = (_rolls, _spending, _hardships, _encounter)
    for part in parts:
        sentence = part(state, fact, named, catalog)
        if sentence is not None:
            return sentence
    return ""


def said(words: str) -> str:
    """Words of a player or the game master, as the end of a sentence."""
    return f": {words.strip().rstrip('.!?')}." if words.strip() else "."


def _rolls(state: Encounter, fact: Any, named: Names, catalog: Catalog) -> str | None:
    match fact:
        case facts.Tried():
            at = f" at {named(fact.clock)}" if fact.clock else ""
            return f"{named(fact.hero)} tries {fact.attribute.label}{at}{said(fact.words)}"
        case facts.RollCalled():
            return f"A roll is called for{said(fact.risk)}"
        case facts.NumbersSet():
            return f"Close at {fact.close}, Clear at {fact.clear}."
        case facts.NoRollNeeded():
            return "It just happens." if fact.possible else "That cannot be done."
        case facts.HardBargainOffered():
            return f"It can be had without a roll{said(fact.price)}"
        case facts.BargainAnswered():
            return f"{named(fact.hero)} {'takes' if fact.taken else 'declines'} the bargain."
        case facts.BackedOut():
            return f"{named(fact.hero)} does something else after all."
        case facts.Rolled():
            return f"{named(fact.hero)} rolls {fact.natural}, {fact.total} in all."
        case facts.Resolved():
            by = f", by {fact.missed_by}" if fact.missed_by else ""
            return f"{named(fact.hero)}: {fact.result.value.capitalize()}{by}."
        case facts.EffectHad():
            return f"The Effect on {named(fact.clock)}: {fact.level.value}."
        case facts.Lifted():
            lifted = f"{named(fact.helper)} lifts {named(fact.hero)} to {fact.result.value.capitalize()}"
            return f"{lifted}{said(fact.words)}"
        case facts.GroupCalled():
            return f"Everybody is to roll{said(fact.risk)}"
        case facts.GroupAgreed():
            return "They make it a Group Action." if fact.together else "Each rolls alone."
        case facts.StoryRolled():
            return f"The game master rolls {fact.total}, {fact.result.value.capitalize()}{said(fact.words)}"
    return None


def _spending(state: Encounter, fact: Any, named: Names, catalog: Catalog) -> str | None:
    match fact:
        case facts.Aided():
            return f"{named(fact.helper)} helps {named(fact.hero)}, {HELPED[fact.benefit]}{said(fact.words)}"
        case facts.ActionGiven():
            return f"It takes {named(fact.helper)}'s next action."
        case facts.TalentUsed():
            return f"{named(fact.hero)} uses {catalog.talents[fact.talent].name}."
        case facts.FortuneSpent():
            on = f", for {named(fact.on)}" if fact.on else ""
            spent = f"{named(fact.hero)} spends {fact.points} Fortune {SPENT.get(fact.why, '')}{on}"
            return f"{spent}{said(fact.words)}"
        case facts.PreparedSpent():
            return f"{named(fact.hero)} has prepared for this: {fact.points} Fortune."
        case facts.FortuneGained():
            return f"{named(fact.hero)} gains {fact.points} Fortune."
        case facts.FactStated():
            return f"{named(fact.hero)} states a Fact, {catalog.facts[fact.fact].name}{said(fact.words)}"
        case facts.LuckPassedOn():
            return f"{named(fact.hero)}'s next roll is Lucky."
        case facts.ToolUsed() | facts.ToolLost():
            tool = state.hero(fact.hero).tool(fact.tool)
            what = "something" if tool is None else tool.name
            verb = "loses" if isinstance(fact, facts.ToolLost) else "uses up some of"
            return f"{named(fact.hero)} {verb} {what}."
        case facts.BreakWanted():
            return f"{named(fact.hero)} hopes for a Lucky Break{said(fact.words)}"
        case facts.BreakAnswered():
            return "The Lucky Break comes." if fact.cost else "It does not come, and costs nothing."
    return None


def _hardships(state: Encounter, fact: Any, named: Names, catalog: Catalog) -> str | None:
    match fact:
        case facts.ConsequenceCame():
            kind = fact.consequence.value.replace("_", " ")
            whom = f" for {named(fact.hero)}" if fact.hero else ""
            return f"A consequence{whom} ({kind}){said(fact.words)}"
        case facts.ConsequenceDrawn():
            return f"The consequence is to be: {fact.consequence.value.replace('_', ' ')}."
        case facts.HarmThreatened():
            level = fact.level.value.capitalize()
            threat = f"{level} {fact.group.value} Harm threatens {named(fact.hero)}"
            return f"{threat}{said(fact.words)}"
        case facts.FollowersLost():
            return f"{catalog.advantages[fact.advantage].name} is lost for {named(fact.hero)}'s sake."
        case facts.Saved():
            return f"{named(fact.hero)} saves: {fact.result.value.capitalize()}."
        case facts.Harmed():
            harm = f"{named(fact.hero)} takes {fact.level.value} {fact.group.value} Harm"
            return f"{harm}{said(fact.words)}"
        case facts.Unharmed():
            return f"Nothing of it is left for {named(fact.hero)}."
        case facts.HarmHealed():
            return f"A Harm of {named(fact.hero)}'s heals by a level."
        case facts.Marked():
            return f"{named(fact.hero)} {CAUSES[fact.cause]}, and takes a Mark{said(fact.words)}"
        case facts.Defeated():
            return f"{named(fact.hero)} is Defeated."
        case facts.Revived():
            return f"{named(fact.hero)} is out, and may return another day, changed."
        case facts.Retired():
            gone = "is gone from the story" if fact.at_once else "will retire when this is over"
            return f"{named(fact.hero)} {gone}."
        case facts.WentOut():
            act = catalog.final_acts[fact.act].name
            return f"{named(fact.hero)} goes out in a Blaze of Glory, {act}{said(fact.words)}"
    return None


def _encounter(state: Encounter, fact: Any, named: Names, catalog: Catalog) -> str | None:
    match fact:
        case facts.ClockStarted():
            return f"{fact.clock.name}: a clock of {counted(fact.clock.size, 'tick')}."
        case facts.ClockMoved():
            way = "filled" if fact.ticks > 0 else "taken off"
            ticks = counted(abs(fact.ticks), "tick")
            return f"{named(fact.clock)}: {ticks} {'is' if abs(fact.ticks) == 1 else 'are'} {way}."
        case facts.Rested():
            return f"{named(fact.hero)} rests ({fact.activity.value}){said(fact.words)}"
        case facts.Trained():
            return f"{named(fact.hero)} trains ({fact.track.value})."
        case facts.FortunePrepared():
            return f"{named(fact.hero)} lays by {fact.points} Fortune for {fact.event}."
        case facts.Engaged():
            return f"{named(fact.hero)} opens the encounter."
        case facts.Positioned():
            way = "harder" if fact.steps > 0 else "easier"
            how = f"{named(fact.hero)}'s rolls are {counted(abs(fact.steps), 'set')} {way}"
            return f"{how}{said(fact.words)}"
        case facts.EnemiesActed():
            return f"{named(fact.clock)} strikes back."
        case facts.RoundEnded():
            return f"Round {state.round} is over."
        case facts.Challenged():
            one, other = named(fact.attacker), named(fact.defender)
            return f"{one} goes head to head with {other}{said(fact.goal)}"
        case facts.GoalStated():
            return f"{named(fact.hero)} wants something else{said(fact.goal)}"
        case facts.OutcomesStated():
            return "The game master says what becomes of it either way."
        case facts.ConflictDecided():
            return f"They do not agree, and {named(fact.hero)} decides{said(fact.words)}"
        case facts.ConflictWon():
            won = f"{named(fact.winner)} succeeds against {named(fact.loser)}"
            return f"{won}{said(fact.consequence)}"
        case facts.EncounterEnded():
            return f"The encounter is over{said(fact.words)}"
    return None
