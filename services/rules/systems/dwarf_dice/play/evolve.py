"""Folds facts into the state: no dice, no choice, no failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, assert_never

from services.rules.engine import effects
from services.rules.engine.frozen import replace
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.crafting import hoarded, one_aside, pacted
from services.rules.systems.dwarf_dice.play.effects import powers_of
from services.rules.systems.dwarf_dice.play.facts import (
    Assaulted,
    Blocked,
    CardsReturned,
    Challenged,
    Dealt,
    Declined,
    DiceRolled,
    EffectBegan,
    Ended,
    Fact,
    Fell,
    Forged,
    FuryUsed,
    Hoarded,
    Hurt,
    Laid,
    Lifted,
    NullSetAside,
    NullsPlaced,
    PactMade,
    Passed,
    PowerUsed,
    Rebuked,
    Revealed,
    Said,
    TimeLimitSet,
    TurnBegan,
    Upgraded,
)
from services.rules.systems.dwarf_dice.play.state import Combat, Crafting, Ending, Fighter, Table, Work


def evolve(state: Table, fact: Fact, catalog: Catalog) -> Table:
    """The state after one fact."""
    match fact:
        case Dealt():
            dealt = zip(state.fighters, fact.champions, strict=True)
            fighters = tuple(
                replace(one, champion=it, effects=powers_of(one.id, it, catalog)) for one, it in dealt
            )
            return replace(state, fighters=fighters)
        case TurnBegan():
            return _turn_began(state, fact, catalog)
        case (
            Hoarded()
            | PactMade()
            | NullSetAside()
            | NullsPlaced()
            | Laid()
            | Lifted()
            | Forged()
            | Upgraded()
        ):
            return _crafted(state, fact, catalog)
        case PowerUsed():
            return _used(state, fact.fighter, fact.power, catalog)
        case EffectBegan():
            return _changed(state, fact.fighter, effects=(*state.fighter(fact.fighter).effects, fact.effect))
        case TimeLimitSet():
            return replace(state, answer_seconds=fact.seconds)
        case Ended():
            return replace(state, ending=Ending(winner=fact.winner), crafting=None, combat=None)
        case Passed() | Declined() | Rebuked() | Said():
            return state
        case _:
            return _fought(state, fact, catalog)


def _turn_began(state: Table, fact: TurnBegan, catalog: Catalog) -> Table:
    rounds = (effects.RoundEnded(),) if fact.round > state.round else ()
    moments = (effects.TurnEnded(state.turn), *rounds, effects.TurnBegan(fact.fighter))
    return replace(
        _passed(state, catalog, *moments),
        turn=fact.fighter,
        turns=state.turns + 1,
        round=fact.round,
        crafting=None,
        combat=None,
    )


def _crafted(
    state: Table,
    fact: Hoarded | PactMade | NullSetAside | NullsPlaced | Laid | Lifted | Forged | Upgraded,
    catalog: Catalog,
) -> Table:
    match fact:
        case Hoarded():
            hoard = hoarded(fact.rolled)
            return replace(state, crafting=Crafting(crafter=fact.fighter, rolled=fact.rolled, hoard=hoard))
        case PactMade():
            hoard = pacted(state.at_work().hoard, fact.resource)
            state = _used(state, fact.fighter, PowerEffect.DARK_PACT, catalog)
            return _crafting(state, hoard=hoard)
        case NullSetAside():
            return _crafting(state, hoard=one_aside(state.at_work().hoard))
        case NullsPlaced():
            hoard = replace(state.at_work().hoard, nulls=0)
            return _crafting(state, nulls=fact.squares, hoard=hoard)
        case Laid():
            return _crafting(state, works=(*state.at_work().works, fact.work))
        case Lifted():
            return _crafting(state, works=_without_last(state.at_work().works, fact.work))
        case Forged():
            hand = (*state.fighter(fact.fighter).hand, *fact.items)
            state = _changed(state, fact.fighter, hand=_sorted(state, hand))
            taken = Counter(fact.items)
            stock = {item: copies - taken[item] for item, copies in state.stock.items()}
            return replace(_crafting(state, works=(), forged=fact.items), stock=stock)
        case Upgraded():
            own = (*without(state.fighter(fact.fighter).hand, (fact.give,)), fact.take)
            theirs = (*without(state.fighter(fact.forger).hand, (fact.take,)), fact.give)
            state = _changed(state, fact.fighter, hand=_sorted(state, own))
            state = _used(state, fact.fighter, PowerEffect.UPGRADE, catalog)
            return _changed(state, fact.forger, hand=_sorted(state, theirs))
        case _:
            assert_never(fact)


def _fought(
    state: Table,
    fact: Challenged | Revealed | Assaulted | DiceRolled | FuryUsed | Blocked | Hurt | CardsReturned | Fell,
    catalog: Catalog,
) -> Table:
    match fact:
        case Challenged():
            return replace(state, combat=Combat(attacker=fact.attacker, defender=fact.defender))
        case Revealed():
            return _combat(state, revealed=True, attack=fact.attack, defence=fact.defence)
        case Assaulted():
            state = _used(state, fact.fighter, PowerEffect.FURIOUS_ASSAULT, catalog)
            return _combat(state, assault=True)
        case DiceRolled():
            return _combat(state, attack_roll=fact.attack, defence_roll=fact.defence)
        case FuryUsed():
            fury = (*state.engaged().fury, fact.fighter)
            return _combat(_used(state, fact.fighter, PowerEffect.FORGES_FURY, catalog), fury=fury)
        case Blocked():
            return _combat(state, blocks=fact.dice)
        case Hurt():
            left = state.fighter(fact.fighter).endurance - fact.damage
            state = _changed(state, fact.fighter, endurance=left)
            return _passed(state, catalog, effects.Triggered(fact.fighter, "hurt"))
        case CardsReturned():
            for who, cards in ((fact.attacker, fact.attack), (fact.defender, fact.defence)):
                state = _changed(state, who, hand=without(state.fighter(who).hand, cards))
            fought = (effects.Triggered(who, "fought") for who in (fact.attacker, fact.defender))
            state = _passed(state, catalog, *fought)
            return replace(state, stock=_restocked(state.stock, (*fact.attack, *fact.defence)))
        case Fell():
            state = _changed(state, fact.fighter, out=True, hand=(), face_down=0)
            state = _changed(state, fact.by, felled=state.fighter(fact.by).felled + 1)
            if fact.returned:
                return replace(state, stock=_restocked(state.stock, fact.cards))
            return replace(state, lost=(*state.lost, *fact.cards))
        case _:
            assert_never(fact)


def without(hand: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """A hand less these cards, each as often as it is named."""
    left = list(hand)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def _without_last(works: tuple[Work, ...], work: Work) -> tuple[Work, ...]:
    place = len(works) - 1 - works[::-1].index(work)
    return (*works[:place], *works[place + 1 :])


def _restocked(stock: Mapping[str, int], cards: tuple[str, ...]) -> Mapping[str, int]:
    back = Counter(cards)
    return {item: copies + back[item] for item, copies in stock.items()}


def _sorted(state: Table, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards in the order of the Armory, which is the order of its stock."""
    order = {item: place for place, item in enumerate(state.stock)}
    return tuple(sorted(cards, key=order.__getitem__))


def _used(state: Table, who: str, power: str, catalog: Catalog) -> Table:
    """The gem leaves an active power (Active Power)."""
    return _passed(state, catalog, effects.Used(who, power))


def _passed(state: Table, catalog: Catalog, *moments: effects.Moment) -> Table:
    """What lasts on fighters when these moments have passed."""
    for one in state.fighters:
        left = effects.going_on(one.effects, catalog.powers.entries, *moments)
        if left != one.effects:
            state = _changed(state, one.id, effects=left)
    return state


def _changed(state: Table, who: str, **changes: Any) -> Table:
    found: tuple[Fighter, ...] = tuple(
        replace(one, **changes) if one.id == who else one for one in state.fighters
    )
    return replace(state, fighters=found)


def _crafting(state: Table, **changes: Any) -> Table:
    return replace(state, crafting=replace(state.at_work(), **changes))


def _combat(state: Table, **changes: Any) -> Table:
    return replace(state, combat=replace(state.engaged(), **changes))
