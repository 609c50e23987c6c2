"""Events in plain words, one sentence each."""

from __future__ import annotations

from typing import assert_never

from services.rules.systems.dwarf_dice.catalog import Catalog, listed
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
    Wound,
)
from services.rules.systems.dwarf_dice.play.state import Stage, Table
from services.rules.systems.dwarf_dice.resources import Resource

HELD_BACK = {
    Stage.PACT: "makes no pact",
    Stage.MARK: "leaves every Null in the Hoard",
    Stage.UPGRADE: "keeps their own cards",
    Stage.FURY: "holds the fury back",
    Stage.REBUKE: "does not rebuke",
}
WOUNDS = {
    Wound.CRIT: "A strike goes straight through the armour",
    Wound.HIT: "The blows land",
    Wound.COUNTER: "The block strikes back",
    Wound.REBUKE: "The fire bites",
}


def tell(state: Table, event: Event, catalog: Catalog) -> str:
    """One plain sentence; empty for what nobody needs to read.

    Args:
        state: Where the game stood before the event.
        event: What happened, as its reader may know it.
        catalog: The content.
    """

    def name(who: str) -> str:
        found = state.find(who)
        return who if found is None else found.name

    match event:
        case Dealt():
            return _dealt(state, event, catalog)
        case Waiting():
            return ""
        case TurnBegan():
            return f"It is {name(event.fighter)}'s turn."
        case Passed():
            return f"{name(event.fighter)} waits."
        case Hoarded():
            return f"{name(event.fighter)} hoards {shown(event.rolled)}."
        case PactMade():
            found = f"{event.nulls} Null{'s' * (event.nulls > 1)}"
            return (
                f"A dark pact: {name(event.fighter)} turns {found} into {event.resource.name.capitalize()}!"
            )
        case NullSetAside():
            return f"{name(event.fighter)} sets a Null aside."
        case NullsPlaced():
            where = listed([_square(square.x, square.y) for square in event.squares])
            return f"{name(event.fighter)} blocks the Forge: Null on {where}."
        case Laid():
            return f"{name(event.fighter)} lays out {catalog.names_of((event.work.item,))}."
        case Lifted():
            return f"{name(event.fighter)} clears {catalog.names_of((event.work.item,))} off the Forge."
        case Forged() if event.items:
            return f"{name(event.fighter)} forges {catalog.names_of(event.items)}."
        case Forged():
            return f"{name(event.fighter)} forges nothing."
        case Upgraded():
            give, take = catalog.names_of((event.give,)), catalog.names_of((event.take,))
            return f"Upgrade! {name(event.fighter)} swaps {give} for {name(event.forger)}'s {take}."
        case Declined():
            return f"{name(event.fighter)} {HELD_BACK.get(event.stage, 'holds back')}."
        case TimeLimitSet():
            if event.seconds is None:
                return "Questions wait as long as it takes."
            return f"Questions wait {event.seconds} seconds."
        case Said():
            return event.text if event.text.endswith((".", "!", "?")) else f"{event.text}."
        case Ended():
            return event.ending.text
        case _:
            return _tell_combat(state, event, catalog)


def _tell_combat(
    state: Table,
    event: Challenged
    | Chosen
    | Revealed
    | Assaulted
    | DiceRolled
    | FuryUsed
    | Blocked
    | Hurt
    | Rebuked
    | CardsReturned
    | Fell,
    catalog: Catalog,
) -> str:
    def name(who: str) -> str:
        found = state.find(who)
        return who if found is None else found.name

    match event:
        case Challenged():
            return f"{name(event.attacker)} calls out {name(event.defender)}!"
        case Chosen() if event.hidden:
            return f"{name(event.fighter)} has chosen."
        case Chosen():
            return f"{name(event.fighter)} chooses {catalog.names_of(event.cards)}."
        case Revealed():
            combat = state.engaged()
            attack, defence = catalog.names_of(event.attack), catalog.names_of(event.defence)
            return f"{name(combat.attacker)} swings {attack}, {name(combat.defender)} raises {defence}."
        case Assaulted():
            fewer = f"{event.cards} {'die' if event.cards == 1 else 'dice'}"
            return f"A furious assault: {name(event.fighter)} batters away {fewer} of the defence!"
        case DiceRolled():
            combat = state.engaged()
            return (
                f"{name(combat.attacker)} rolls {shown(event.attack)}; "
                f"{name(combat.defender)} rolls {shown(event.defence)}."
            )
        case FuryUsed():
            return f"The Forge's fury: {name(event.fighter)} brushes {event.dice} Alchemy aside!"
        case Blocked():
            dice = f"{len(event.dice)} {'die' if len(event.dice) == 1 else 'dice'}"
            return f"{name(event.fighter)} blocks with {dice}."
        case Hurt():
            left = f"{event.endurance} Endurance left" if event.endurance > 0 else "no Endurance left"
            return f"{WOUNDS[event.wound]}: {name(event.fighter)} loses {event.damage}, {left}."
        case Rebuked():
            what = "fire answers" if event.hit else "only smoke answers"
            return f"{name(event.fighter)} rebukes with {event.shown.name.capitalize()}: {what}."
        case CardsReturned():
            return f"Back in the Armory: {catalog.names_of((*event.attack, *event.defence))}."
        case Fell():
            rest = (
                f" and gives back {catalog.names_of(event.cards)}" if event.cards and event.returned else ""
            )
            return f"{name(event.fighter)} is defeated{rest}."
        case _:
            assert_never(event)


def _dealt(state: Table, event: Dealt, catalog: Catalog) -> str:
    found = zip(state.fighters, event.champions, strict=True)
    return (
        f"The lots fall: {listed([f'{one.name} plays {catalog.champions[it].name}' for one, it in found])}."
    )


def shown(dice: tuple[Resource, ...]) -> str:
    """Dice in words: "4 Metal, 3 Wood and 2 Null"."""
    counts = [(dice.count(resource), resource.name.capitalize()) for resource in Resource]
    return listed([f"{count} {word}" for count, word in counts if count]) or "no dice"


def _square(x: int, y: int) -> str:
    """A square in words: "top left"."""
    row, column = ("top", "middle", "bottom")[y], ("left", "centre", "right")[x]
    return f"{row} {column}"
