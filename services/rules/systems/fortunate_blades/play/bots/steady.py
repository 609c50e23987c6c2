"""The simple player of every encounter, heroes and game master alike; it leaves nothing to chance."""

from __future__ import annotations

from services.rules.engine.play import GM
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.clocks import Clock, ClockKind
from services.rules.systems.fortunate_blades.play.attempt import Attempt, harm_price, impact
from services.rules.systems.fortunate_blades.play.effects import gravest_to_heal
from services.rules.systems.fortunate_blades.play.moves import (
    Act,
    Call,
    CauseHarm,
    Enable,
    EndEncounter,
    EnemyTurn,
    Engage,
    Enough,
    MakeSave,
    Move,
    Price,
    Recover,
    Retire,
    Reward,
    ShowClock,
    StateOutcomes,
    TellStory,
    Twist,
    Wait,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero, Safety
from services.rules.systems.fortunate_blades.rolls import Difficulty
from services.rules.systems.fortunate_blades.terms import Attribute, Consequence, Group

PATIENCE = 30
"""Rounds after which the game master lets an encounter go."""


def bot(state: Encounter, actor: str, catalog: Catalog) -> Move | None:
    """Act where it does most; the game master shows what lurks after round 1, and plays the enemies."""
    if state.ended:
        return None
    if actor == GM:
        return _master(state)
    hero = state.find(actor)
    if hero is None:
        return None
    if state.rest is not None:
        return _rest(state, hero) if state.may_rest(actor) else None
    if not state.engaged:
        return Engage(actor=actor, attribute=_best(state, hero, catalog))
    return _act(state, hero, catalog) if state.may_act(actor) else None


def _rest(state: Encounter, hero: Hero) -> Move:
    """Recover what can be recovered; else tell a story."""
    harm = gravest_to_heal(state.effects, hero.id, hero.slots)
    return TellStory(actor=hero.id) if harm is None else Recover(actor=hero.id, target=hero.id, harm=harm.id)


def _master(state: Encounter) -> Move | None:
    if state.round > PATIENCE or state.rest is Safety.UNSAFE:
        return EndEncounter(actor=GM, words="Night falls, and both sides let go.")
    lurking = [each for each in state.clocks if each.hidden and each.kind is ClockKind.ENEMY]
    if lurking and state.round > 1:
        return ShowClock(actor=GM, clock=lurking[0].id)
    enemies = state.enemies()
    if state.heroes_done() and enemies:
        return EnemyTurn(actor=GM, clock=enemies[0].id)
    return None


def _act(state: Encounter, hero: Hero, catalog: Catalog) -> Move:
    """The attribute and gear that promise most on the clock that is nearest to its end, of those that Harm
    leaves the hero; nothing where it leaves none.
    """
    ways = [
        (clock, attribute, tool)
        for clock in state.targets()
        if not (clock.reversed and not clock.filled)
        for attribute in Attribute
        if _can_pay(state, hero, attribute, catalog)
        for tool in ("", *(each.id for each in hero.tools if each.uses != 0))
    ]
    if not ways:
        return Wait(actor=hero.id)
    clock, attribute, tool = max(ways, key=lambda way: _promise(state, hero, way, catalog))
    return Act(actor=hero.id, attribute=attribute, clock=clock.id, tool=tool)


def _can_pay(state: Encounter, hero: Hero, attribute: Attribute, catalog: Catalog) -> bool:
    """Whether Harm lets the hero try something, at a price that leaves some Fortune."""
    cost = harm_price(state, Attempt(hero=hero.id, attribute=attribute), catalog)
    return not cost or cost < hero.fortune


def _promise(
    state: Encounter, hero: Hero, way: tuple[Clock, Attribute, str], catalog: Catalog
) -> tuple[int, int, int]:
    """What a way of acting promises: ticks and rank together, then the clock that is most urgent."""
    clock, attribute, tool = way
    attempt = Attempt(hero=hero.id, attribute=attribute, clock=clock.id, tool=tool)
    ticks = impact(state, attempt, catalog).ticks
    worth = 2 * ticks + hero.attributes[attribute] if ticks else -9
    urgent = clock.filled if clock.reversed else clock.size - clock.filled
    return (worth, -urgent if not clock.reversed else urgent - clock.size, -len(tool))


def _best(state: Encounter, hero: Hero, catalog: Catalog) -> Attribute:
    return max(
        Attribute,
        key=lambda each: (
            -harm_price(state, Attempt(hero=hero.id, attribute=each), catalog),
            hero.attributes[each],
        ),
    )


def reply(state: Encounter, ask: Ask, catalog: Catalog) -> Move:
    """A simple answer: the game master calls for a concerning roll and causes the usual Harm; players roll as
    things stand, save themselves where that is free or cheap, and retire when they are Defeated.
    """
    name, _, _ = ask.id.partition(":")
    match name:
        case "call":
            return Call(actor=GM, difficulty=Difficulty.CONCERNING)
        case "consequence":
            return _consequence(state, ask, catalog)
        case "price":
            return Price(actor=GM, cost=catalog.rules.costs.break_least)
        case "outcomes":
            return StateOutcomes(actor=GM)
        case "reward":
            return Reward(actor=GM)
        case "defeat":
            return Retire(actor=ask.actor)
        case "pay" if state.hero(ask.actor).fortune > 1:
            return Enable(actor=ask.actor)
        case "save" if state.hero(ask.actor).fortune > 1:
            return MakeSave(actor=ask.actor)
    silence: Move = ask.silence
    return silence


def _consequence(state: Encounter, ask: Ask, catalog: Catalog) -> Move:
    """The usual Harm for the hero with most Fortune; no more of it than is due."""
    ids = {offer.id for offer in ask.offers}
    if "enough" in ids:
        return Enough(actor=GM)
    if Consequence.HARM.value not in ids:
        kinds = (kind for kind in Consequence if kind.value in ids)
        return Twist(actor=GM, consequence=next(kinds, Consequence.UNWELCOME_TRUTH))
    whom = max(state.present(), key=lambda each: each.fortune)
    return CauseHarm(
        actor=GM,
        target=whom.id,
        group=Group.PHYSICAL,
        level=catalog.rules.harm.usual,
        difficulty=Difficulty.SIMPLE,
    )
