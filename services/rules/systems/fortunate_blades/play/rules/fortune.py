"""Fortune spent and gained, before a roll and after it (Fortune; checklist E)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.steps import Ask, Step, Steps, refuse
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.fortunate_blades.fortune import short_of
from services.rules.systems.fortunate_blades.impact import Impact
from services.rules.systems.fortunate_blades.play.attempt import Attempt
from services.rules.systems.fortunate_blades.play.causes import Why
from services.rules.systems.fortunate_blades.play.facts import (
    FactStated,
    FortuneGained,
    FortuneSpent,
    LuckPassedOn,
    Rolled,
    TalentUsed,
)
from services.rules.systems.fortunate_blades.play.means import commit_cost, price, rerolls
from services.rules.systems.fortunate_blades.play.moves import (
    Aid,
    Boost,
    Commit,
    Decline,
    Enable,
    RaiseEffect,
    Reroll,
    StateFact,
)
from services.rules.systems.fortunate_blades.play.rules import asks
from services.rules.systems.fortunate_blades.play.state import Hero
from services.rules.systems.fortunate_blades.play.windows import (
    DiceFell,
    GameTurn,
    PriceWanted,
    Succeeded,
    catalog_of,
)
from services.rules.systems.fortunate_blades.rolls import SIDES
from services.rules.systems.fortunate_blades.talents import counted, talent_parts
from services.rules.systems.fortunate_blades.terms import Quantity


def d20(roll: str, hero: str, label: str, dice: Explained, odds: str = "") -> Roll:
    """A d20, or two."""
    return Roll(id=f"{roll}:{hero}", actor=hero, label=label, dice=dice, sides=SIDES, odds=odds)


def gained(turn: GameTurn, hero: str, sides: int, why: Why, more: int = 0) -> Steps:
    """A die of Fortune, and what talents add to it."""
    dice = Explained.of(Part(1, "Fortune", "Fortune"))
    ((face,),) = yield from turn.roll(
        Roll(id=f"fortune:{hero}", actor=hero, label="Fortune gained", dice=dice, sides=sides)
    )
    turn.happen(FortuneGained(hero=hero, points=face + more, why=why))


def add_points(turn: GameTurn, hero: str, points: int, on: str, words: str = "") -> None:
    """Spends Fortune to add to a roll, one's own or another's (E5)."""
    cost = points * catalog_of(turn).rules.costs.point
    spend(turn, hero, cost, Why.POINTS, on=on, words=words)


def spend(turn: GameTurn, hero: str, points: int, why: Why, *, on: str = "", words: str = "") -> None:
    """Spends Fortune, as far as there is any; nothing happens where none is spent."""
    points = min(points, turn.state.hero(hero).fortune)
    if points > 0:
        turn.happen(FortuneSpent(hero=hero, points=points, why=why, on=on if on != hero else "", words=words))


def price_of(turn: GameTurn, hero: str, quantity: Quantity, cost: int) -> int:
    """What something costs a hero: talents may make it cheaper, never less than nothing."""
    return price(turn.state.hero(hero), quantity, cost, catalog_of(turn))


def sum_of(hero: Hero, quantity: Quantity, turn: GameTurn) -> int:
    """What a hero's talents that always count add to a quantity."""
    talents = counted(hero.talents, catalog_of(turn).talents)
    return sum(part.value for part in talent_parts(talents, quantity))


# Heroic Harm: a roll takes Fortune (P3)


def payers(turn: GameTurn, wanted: PriceWanted) -> Iterable[tuple[str, ...]]:
    """The hero first, then the others one after the other."""
    who = wanted.attempt.hero
    return ((who,), *((one.id,) for one in turn.state.others(who)))


def pay_or_not(turn: GameTurn, wanted: PriceWanted, who: str) -> Ask | None:
    """The question to a hero who could pay for the roll; none once one has paid."""
    hero = turn.state.find(who)
    if wanted.paid or hero is None or hero.fortune < wanted.cost:
        return None
    return asks.pay(turn.state, wanted, who)


def paid(turn: GameTurn, wanted: PriceWanted, answer: Enable | Decline) -> PriceWanted | None:
    """What paying does."""
    if isinstance(answer, Decline):
        return None
    spend(turn, answer.actor, wanted.cost, Why.HARM_ROLL, on=wanted.attempt.hero)
    return replace(wanted, paid=True)


# After the dice: points, and a second roll


def boosters(turn: GameTurn, fell: DiceFell) -> Iterable[tuple[str, ...]]:
    """The one who rolled first, then the others one after the other."""
    return ((fell.hero,), *((one.id,) for one in turn.state.others(fell.hero)))


def boost_or_not(turn: GameTurn, fell: DiceFell, who: str) -> Ask | None:
    """The question to a hero whose Fortune, or that of all who are asked from here on, could make it better.

    Where the numbers are hidden, every hero with Fortune is asked, so that no question betrays them.
    """
    state, hero = turn.state, turn.state.find(who)
    if hero is None:
        return None
    order = [each for (each,) in boosters(turn, fell)]
    point = catalog_of(turn).rules.costs.point
    left = sum(state.hero(each).fortune // point for each in order[order.index(who) :])
    useful = hero.fortune >= point and (not fell.shown or 0 < fell.short <= left)
    again = rerolls(hero, fell, catalog_of(turn)) if who == fell.hero else ()
    return (
        asks.boost(fell, hero, state.answer_seconds, most=hero.fortune // point * useful, rerolls=again)
        if useful or again
        else None
    )


def boosted(turn: GameTurn, fell: DiceFell, answer: Boost | Reroll | Decline) -> Step[DiceFell | None]:
    """What Fortune, or a second roll, does to a roll."""
    match answer:
        case Boost():
            add_points(turn, answer.actor, answer.points, fell.hero, answer.words)
            return replace(fell, total=fell.total + answer.points)
        case Reroll():
            return (yield from _rolled_again(turn, fell, answer))
    return None


def _rolled_again(turn: GameTurn, fell: DiceFell, answer: Reroll) -> Step[DiceFell]:
    """A second d20 by a talent; the better one is kept."""
    talent = catalog_of(turn).talents[answer.talent]
    turn.happen(TalentUsed(hero=answer.actor, talent=answer.talent))
    spend(turn, answer.actor, talent.cost, Why.TALENT)
    dice = Explained.of(Part(1, talent.name, talent.rule))
    ((face,),) = yield from turn.roll(d20("reroll", fell.hero, f"Second roll: {talent.name}", dice))
    if face <= fell.natural:
        return fell
    total = fell.total + face - fell.natural
    turn.happen(Rolled(hero=fell.hero, natural=face, total=total, save=fell.attempt is None))
    return replace(fell, natural=face, total=total)


# After a success: Effect, and what a natural 20 brings


def raiser(turn: GameTurn, done: Succeeded) -> Iterable[tuple[str, ...]]:
    """The hero whose roll it is."""
    return ((done.hero,),)


def raise_or_not(turn: GameTurn, done: Succeeded, who: str) -> Ask | None:
    """The question to a hero who could raise the Effect, while the clock has room for more."""
    hero, costs = turn.state.find(who), catalog_of(turn).rules.costs
    if hero is None or done.ticks >= done.room:
        return None
    cost = price(hero, Quantity.COST_EFFECT, costs.effect, catalog_of(turn))
    most = min(hero.fortune // cost if cost else done.room, done.room)
    return asks.raise_effect(turn.state, done, who, cost, most) if most > 0 else None


def raised(turn: GameTurn, done: Succeeded, answer: RaiseEffect | Decline) -> Succeeded | None:
    """What Fortune does to the Effect."""
    if isinstance(answer, Decline):
        return None
    cost = price_of(turn, answer.actor, Quantity.COST_EFFECT, catalog_of(turn).rules.costs.effect)
    spend(turn, answer.actor, answer.levels * cost, Why.EFFECT)
    return replace(done, levels=answer.levels)


def natural_20(turn: GameTurn, attempt: Attempt, impact: Impact) -> Step[Impact]:
    """A natural 20 doubles the Effect, and brings a Fact or Fortune, as its player likes (A6, P17)."""
    settings, gains = catalog_of(turn).rules.effect, catalog_of(turn).rules.gains
    impact = replace(impact, times=impact.times * settings.natural_20_times)
    hero = turn.state.find(attempt.hero)
    if hero is None:
        return impact
    (answer,) = yield from turn.ask(asks.fact_or_fortune(turn.state, attempt, catalog_of(turn)))
    if isinstance(answer, StateFact):
        fact = catalog_of(turn).facts[answer.fact]
        turn.happen(FactStated(hero=hero.id, fact=fact.id, words=answer.words))
        if fact.lucky:
            turn.happen(LuckPassedOn(hero=answer.target or hero.id))
        return replace(impact, more=impact.more + fact.ticks)
    more = sum_of(hero, Quantity.GAIN_NATURAL_20, turn)
    yield from gained(turn, hero.id, gains.natural_20_die, Why.NATURAL_20, more)
    return impact


def refuse_late(turn: GameTurn, hero: Hero, move: Aid | Boost | RaiseEffect | Enable | Commit) -> NoReturn:
    """Refuses what is spent on a roll when no question waits for it: there is no Fortune for it, or no such
    roll.

    Raises:
        Refused: Always.
    """
    catalog = catalog_of(turn)
    costs = catalog.rules.costs
    match move:
        case Aid():
            cost = price(hero, Quantity.COST_AID, costs.aid, catalog) * move.pay
        case Boost():
            cost = move.points * costs.point
        case RaiseEffect():
            cost = move.levels * price(hero, Quantity.COST_EFFECT, costs.effect, catalog)
        case Enable():
            cost = costs.heroic_harm
        case Commit():
            cost = commit_cost(hero, (), catalog, lucky=move.lucky, points=move.fortune)
    wrong = short_of(hero.fortune, cost)
    if wrong is not None:
        refuse(wrong.code, wrong.message, wrong.rule, wrong.path, wrong.found, wrong.allowed)
    refuse("too_late", "There is no such roll now.", "The Roll", ("kind",))


def open_windows(windows: Windows) -> None:
    """Registers who may spend Fortune, and when."""
    windows.reacts(PriceWanted, Reaction(who=payers, ask=pay_or_not, react=paid))
    windows.reacts(DiceFell, Reaction(who=boosters, ask=boost_or_not, react=boosted))
    windows.reacts(Succeeded, Reaction(who=raiser, ask=raise_or_not, react=raised))
