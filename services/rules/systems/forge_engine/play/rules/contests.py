"""Tests that the game master calls for: contests for one goal, pursuit, morale (Running Attribute Tests).

They take no energy: what is contested is longer than an action, or none at all.
"""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.play import EVERYONE
from services.rules.engine.steps import Steps, refuse
from services.rules.systems.forge_engine.attributes import Attribute
from services.rules.systems.forge_engine.conditions import test_successes
from services.rules.systems.forge_engine.play.effects import conditions_of
from services.rules.systems.forge_engine.play.facts import Contested
from services.rules.systems.forge_engine.play.moves import Contest, Morale
from services.rules.systems.forge_engine.play.rules.attribute_test import (
    TESTS,
    fixed_test,
    free_dice,
    skill_id,
    worded,
)
from services.rules.systems.forge_engine.play.rules.dice import pool
from services.rules.systems.forge_engine.play.rules.energy import FightTurn
from services.rules.systems.forge_engine.play.rules.master import anyone
from services.rules.systems.forge_engine.play.secrecy import known_to
from services.rules.systems.forge_engine.play.state import Life
from services.rules.systems.forge_engine.rolls import Winner
from services.rules.systems.forge_engine.rolls import contest as read_contest

PURSUITS, MORALE = "Game Mastering / Pursuits", "Game Mastering / Morale"
INSIGHT = skill_id("insight")


def contest(turn: FightTurn, move: Contest) -> Steps:
    """Both roll for what both want; the highest die decides, and a tie leaves things as they are (R-48)."""
    one, other = anyone(turn.state, move.one, "one"), anyone(turn.state, move.other, "other")
    if one.id == other.id:
        refuse("unknown_target", "A contest takes two.", TESTS, ("other",), move.other)
    if move.skill and move.skill not in turn.state.catalog.skills:
        refuse("id_unknown", "There is no such skill.", TESTS, ("skill",), move.skill)
    for each, path in ((one, "one"), (other, "other")):
        if each.life is not Life.UP:
            refuse("cannot_act", f"{each.name} can do nothing.", TESTS, (path,), each.life.value)
    what = worded(turn.state.catalog, move.attribute, move.skill)
    mine, theirs = (free_dice(turn.state, each, move.attribute, move.skill) for each in (one, other))
    odds = f"forge_engine:contest({mine.value}, {theirs.value})"
    # Dice against one who is secret would betray it, so those alone who know of both see any.
    secret = other.id if other.secret else one.id
    seen = known_to(turn.state, secret) or EVERYONE
    rolls = (pool(turn, "contest", one.id, what, mine, odds), pool(turn, "contest", other.id, what, theirs))
    faces, against = yield from turn.roll(*(replace(each, audience=seen) for each in rolls))
    found = read_contest(faces, against)
    who, loser, ahead = one, other, found.instigator
    if found.winner is Winner.RIVAL:
        who, loser, ahead = other, one, found.rival
    ahead = test_successes(ahead, conditions_of(turn.state, who.id))
    turn.happen(Contested(who=who.id, against=loser.id, what=what, successes=ahead))


def morale(turn: FightTurn, move: Morale) -> Steps:
    """Intelligence (Insight): whoever fails has had enough, and flees or surrenders as it is played."""
    one = anyone(turn.state, move.who)
    if one.life is not Life.UP or one.gone is not None:
        refuse("cannot_act", f"{one.name} does not fight.", MORALE, ("who",), one.life.value)
    if not 2 <= move.difficulty <= 10:
        text = "A difficulty is from 2 to 10."
        refuse("difficulty_out_of_range", text, MORALE, ("difficulty",), move.difficulty, (2, 10))
    dice = free_dice(turn.state, one, Attribute.INTELLIGENCE, INSIGHT)
    yield from fixed_test(turn, one, "Morale", dice, move.difficulty)
