"""Folds events into the state: no dice, no choice, no failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from services.rules.systems.dwarf_dice.crafting import hoarded, one_aside, pacted
from services.rules.systems.dwarf_dice.play.events import (
    Assaulted,
    Blocked,
    CardsReturned,
    Challenged,
    Chosen,
    Dealt,
    Declined,
    DiceRolled,
    Ended,
    Event,
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
    Rebuked,
    Revealed,
    Said,
    TimeLimitSet,
    TurnBegan,
    Upgraded,
    Waiting,
)
from services.rules.systems.dwarf_dice.play.state import Combat, Crafting, Fighter, Stage, Table, Work


def evolve(state: Table, event: Event) -> Table:
    """The state after one event."""
    match event:
        case Dealt():
            dealt = zip(state.fighters, event.champions, strict=True)
            return replace(state, fighters=tuple(replace(one, champion=it) for one, it in dealt))
        case Waiting():
            return replace(state, stage=event.stage)
        case TurnBegan():
            return replace(
                state,
                turn=event.fighter,
                turns=state.turns + 1,
                round=event.round,
                stage=Stage.TURN,
                crafting=None,
                combat=None,
            )
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
            return _crafted(state, event)
        case Declined():
            return _declined(state, event)
        case TimeLimitSet():
            return replace(state, answer_seconds=event.seconds)
        case Ended():
            return replace(state, ending=event.ending, stage=Stage.OVER, crafting=None, combat=None)
        case Passed() | Rebuked() | Said():
            return state
        case _:
            return _fought(state, event)


def _crafted(
    state: Table,
    event: Hoarded | PactMade | NullSetAside | NullsPlaced | Laid | Lifted | Forged | Upgraded,
) -> Table:
    match event:
        case Hoarded():
            hoard = hoarded(event.rolled)
            return replace(state, crafting=Crafting(crafter=event.fighter, rolled=event.rolled, hoard=hoard))
        case PactMade():
            hoard = pacted(state.at_work().hoard, event.resource)
            return _crafting(_changed(state, event.fighter, power_left=False), hoard=hoard)
        case NullSetAside():
            return _crafting(state, hoard=one_aside(state.at_work().hoard))
        case NullsPlaced():
            hoard = replace(state.at_work().hoard, nulls=0)
            return _crafting(state, nulls=event.squares, hoard=hoard)
        case Laid():
            return _crafting(state, works=(*state.at_work().works, event.work))
        case Lifted():
            return _crafting(state, works=_without_last(state.at_work().works, event.work))
        case Forged():
            hand = (*state.fighter(event.fighter).hand, *event.items)
            state = _changed(state, event.fighter, hand=_sorted(state, hand))
            taken = Counter(event.items)
            stock = {item: copies - taken[item] for item, copies in state.stock.items()}
            return replace(_crafting(state, works=(), forged=event.items), stock=stock)
        case Upgraded():
            own = (*without(state.fighter(event.fighter).hand, (event.give,)), event.take)
            theirs = (*without(state.fighter(event.forger).hand, (event.take,)), event.give)
            state = _changed(state, event.fighter, hand=_sorted(state, own), power_left=False)
            state = _changed(state, event.forger, hand=_sorted(state, theirs))
            return _crafting(state, asked=(*state.at_work().asked, event.fighter))
        case _:
            assert_never(event)


def _fought(
    state: Table,
    event: Challenged
    | Chosen
    | Revealed
    | Assaulted
    | DiceRolled
    | FuryUsed
    | Blocked
    | Hurt
    | CardsReturned
    | Fell,
) -> Table:
    match event:
        case Challenged():
            return replace(state, combat=Combat(attacker=event.attacker, defender=event.defender))
        case Chosen() if event.fighter == state.engaged().attacker:
            return _combat(state, attack_in=True, attack=event.cards)
        case Chosen():
            return _combat(state, defence_in=True, defence=event.cards)
        case Revealed():
            return _combat(state, revealed=True, attack=event.attack, defence=event.defence)
        case Assaulted():
            return _combat(_changed(state, event.fighter, power_left=False), assault=True)
        case DiceRolled():
            return _combat(state, attack_roll=event.attack, defence_roll=event.defence)
        case FuryUsed():
            fury = (*state.engaged().fury, event.fighter)
            asked = (*state.engaged().asked, event.fighter)
            return _combat(_changed(state, event.fighter, power_left=False), fury=fury, asked=asked)
        case Blocked():
            return _combat(state, blocks=event.dice)
        case Hurt():
            state = _changed(state, event.fighter, endurance=event.endurance)
            combat = state.engaged()
            return _combat(state, taken=combat.taken + event.damage * (event.fighter == combat.defender))
        case CardsReturned():
            combat = state.engaged()
            for who, cards in ((combat.attacker, event.attack), (combat.defender, event.defence)):
                state = _changed(state, who, hand=without(state.fighter(who).hand, cards))
            return replace(state, stock=_restocked(state.stock, (*event.attack, *event.defence)))
        case Fell():
            state = _changed(state, event.fighter, out=True, hand=(), face_down=0)
            state = _changed(state, event.by, felled=state.fighter(event.by).felled + 1)
            if event.returned:
                return replace(state, stock=_restocked(state.stock, event.cards))
            return replace(state, lost=(*state.lost, *event.cards))
        case _:
            assert_never(event)


def _declined(state: Table, event: Declined) -> Table:
    if event.stage is Stage.UPGRADE:
        return _crafting(state, asked=(*state.at_work().asked, event.fighter))
    if event.stage is Stage.FURY:
        return _combat(state, asked=(*state.engaged().asked, event.fighter))
    return state


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


def _changed(state: Table, who: str, **changes: Any) -> Table:
    found: tuple[Fighter, ...] = tuple(
        replace(one, **changes) if one.id == who else one for one in state.fighters
    )
    return replace(state, fighters=found)


def _crafting(state: Table, **changes: Any) -> Table:
    return replace(state, crafting=replace(state.at_work(), **changes))


def _combat(state: Table, **changes: Any) -> Table:
    return replace(state, combat=replace(state.engaged(), **changes))
