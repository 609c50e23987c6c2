"""Harm as it befalls: Saves against it, the slots it fills, the Mark of the last one (Harm; F, G)."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.steps import Step, Steps
from services.rules.systems.fortunate_blades.harm import fortune_for, lessened, placed
from services.rules.systems.fortunate_blades.mechanics import save_odds
from services.rules.systems.fortunate_blades.play.causes import Cause, Why
from services.rules.systems.fortunate_blades.play.facts import (
    FollowersLost,
    FortuneGained,
    Harmed,
    HarmThreatened,
    Rolled,
    Saved,
    Unharmed,
)
from services.rules.systems.fortunate_blades.play.means import save_bonus
from services.rules.systems.fortunate_blades.play.moves import MakeSave, SendFollowers, TakeMark
from services.rules.systems.fortunate_blades.play.renown import followers
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.rules.fortune import d20, gained, spend
from services.rules.systems.fortunate_blades.play.rules.marks import defeated, marked
from services.rules.systems.fortunate_blades.play.windows import DiceFell, GameTurn, catalog_of
from services.rules.systems.fortunate_blades.rolls import SIDES, Result, save
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat:
    """Harm that is about to befall a hero.

    Attributes:
        hero: Id of the hero.
        group: Its type.
        level: How grave it is.
        words: What it is.
        close: The least total of a Save that is Close.
        clear: The least total that is Clear.
        called: Whether the game master calls for the Save, which then is free.
        less: Levels that Aid or a talent takes off.
    """

    hero: str
    group: Group
    level: HarmLevel
    words: str
    close: int
    clear: int
    called: bool
    less: int = 0


def befallen(turn: GameTurn, threat: Threat) -> Steps:
    """Harm befalls a hero: a Save at once, if any, and what is left of it (G1 to G6)."""
    level = lessened(threat.level, threat.less)
    if level is None:
        turn.happen(Unharmed(hero=threat.hero))
        return
    turn.happen(HarmThreatened(hero=threat.hero, group=threat.group, level=level, words=threat.words))
    (answer,) = yield from turn.ask(asks.save(turn.state, threat, catalog_of(turn)))
    people = followers(turn.state, catalog_of(turn))
    if isinstance(answer, SendFollowers) and people is not None:
        turn.happen(FollowersLost(hero=threat.hero, advantage=people.id), Unharmed(hero=threat.hero))
        return
    if isinstance(answer, MakeSave):
        levels = yield from _saved(turn, threat, answer)
        left = lessened(level, levels)
    else:
        left = level
    if left is None:
        turn.happen(Unharmed(hero=threat.hero))
        return
    yield from taken(turn, threat.hero, left, threat.group, threat.words)


def _saved(turn: GameTurn, threat: Threat, answer: MakeSave) -> Step[int | None]:
    """A Save: what it takes off the Harm, and what it costs or brings (G3 to G5, P5).

    Returns:
        Levels that are taken off; None for all of them.
    """
    who, gains = threat.hero, catalog_of(turn).rules.gains
    spend(turn, who, answer.fortune * catalog_of(turn).rules.costs.point, Why.SAVE)
    bonus = save_bonus(turn.state, who, threat.group).value + answer.fortune
    odds = save_odds(bonus, threat.close, threat.clear)
    dice = Explained.of(Part(1, "Save", "Making a Save"))
    ((natural,),) = yield from turn.roll(d20("save", who, f"Save ({threat.group.value})", dice, odds))
    turn.happen(Rolled(hero=who, natural=natural, total=natural + bonus, save=True))
    fell = DiceFell(hero=who, natural=natural, total=natural + bonus, close=threat.close, clear=threat.clear)
    if natural != SIDES:
        fell = yield from turn.window(fell)
    found = save(natural, fell.total - natural, threat.close, threat.clear)
    turn.happen(Saved(hero=who, result=found.result, levels=found.levels))
    if found.levels is None:
        yield from gained(turn, who, gains.save_natural_20_die, Why.SAVE)
    elif not threat.called and found.result is not Result.MISS:
        yield from _gambled(turn, who)
    return found.levels


def _gambled(turn: GameTurn, who: str) -> Steps:
    """A Save of the player's own choice costs a die of Fortune, never more than there is (P5)."""
    sides = catalog_of(turn).rules.costs.save_die
    dice = Explained.of(Part(1, "Save", "Making a Save"))
    ((face,),) = yield from turn.roll(
        Roll(id=f"cost:{who}", actor=who, label="Fortune for the Save", dice=dice, sides=sides)
    )
    spend(turn, who, face, Why.SAVE)


def taken(turn: GameTurn, who: str, level: HarmLevel, group: Group, words: str) -> Steps:
    """Harm takes a slot, or climbs to where there is one; beyond heroic the hero is Defeated (F2, F3, P4)."""
    state = turn.state
    found = placed(state.hero(who).slots, state.slots(who), level)
    if found.defeats:
        yield from defeated(turn, who)
        return
    levels = catalog_of(turn).rules.effect.minor_harm_levels if found.level is HarmLevel.MINOR else 1
    turn.happen(Harmed(hero=who, group=group, level=found.level, words=words, levels=levels))
    if found.marks:
        yield from marked(turn, who, Cause.HARM_FULL, words)


def run_out(turn: GameTurn) -> Steps:
    """Heroes without Fortune take Harm for some, or leave the encounter with a Mark (E12)."""
    catalog = catalog_of(turn)
    for hero in turn.state.heroes:
        while (one := turn.state.find(hero.id)) is not None and one.fortune == 0:
            (answer,) = yield from turn.ask(asks.ran_out(turn.state, one, catalog))
            if isinstance(answer, TakeMark):
                yield from marked(turn, one.id, Cause.FORTUNE_RAN_OUT, answer.words)
                continue
            points = fortune_for(answer.level, catalog.rules.gains)
            turn.happen(FortuneGained(hero=one.id, points=points, why=Why.HARM_TAKEN))
            yield from taken(turn, one.id, answer.level, answer.group, answer.words)
