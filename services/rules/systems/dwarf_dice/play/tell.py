"""Facts in plain words, one sentence each."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from services.rules.engine.wording import counted, listed
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
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
    Wound,
)
from services.rules.systems.dwarf_dice.play.outcome import CALLED_OFF, victory
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.resources import Resource

HELD_BACK = {
    PowerEffect.DARK_PACT: "makes no pact",
    PowerEffect.MARK_OF_QUALITY: "leaves every Null in the Hoard",
    PowerEffect.UPGRADE: "keeps their own cards",
    PowerEffect.FURIOUS_ASSAULT: "holds the assault back",
    PowerEffect.FORGES_FURY: "holds the fury back",
    PowerEffect.FIERY_REBUKE: "does not rebuke",
}
WOUNDS = {
    Wound.CRIT: "A strike goes straight through the armour",
    Wound.HIT: "The blows land",
    Wound.COUNTER: "The block strikes back",
    Wound.REBUKE: "The fire bites",
}


def tell(state: Table, fact: Fact, catalog: Catalog) -> str:
    """One plain sentence; empty for what nobody needs to read.

    Args:
        state: Where the game stood before the fact.
        fact: What happened, as its reader may know it.
        catalog: The content.
    """

    name = _names(state)
    match fact:
        case Dealt():
            return _dealt(state, fact, catalog)
        case TurnBegan():
            return f"It is {name(fact.fighter)}'s turn."
        case Passed():
            return f"{name(fact.fighter)} waits."
        case Hoarded():
            return f"{name(fact.fighter)} hoards {shown(fact.rolled)}."
        case PactMade():
            found, into = f"{fact.nulls} Null{'s' * (fact.nulls > 1)}", fact.resource.name.capitalize()
            return f"A dark pact: {name(fact.fighter)} turns {found} into {into}!"
        case NullSetAside():
            return f"{name(fact.fighter)} sets a Null aside."
        case NullsPlaced():
            where = listed([_square(square.x, square.y) for square in fact.squares])
            return f"{name(fact.fighter)} blocks the Forge: Null on {where}."
        case Laid():
            return f"{name(fact.fighter)} lays out {catalog.names_of((fact.work.item,))}."
        case Lifted():
            return f"{name(fact.fighter)} clears {catalog.names_of((fact.work.item,))} off the Forge."
        case Forged():
            return f"{name(fact.fighter)} forges {catalog.names_of(fact.items)}."
        case Upgraded():
            give, take = catalog.names_of((fact.give,)), catalog.names_of((fact.take,))
            return f"Upgrade! {name(fact.fighter)} swaps {give} for {name(fact.forger)}'s {take}."
        case Declined():
            held_back = HELD_BACK.get(fact.power) or f"does not use {catalog.powers[fact.power].name}"
            return f"{name(fact.fighter)} {held_back}."
        case PowerUsed():
            return f"{name(fact.fighter)} uses {catalog.powers[fact.power].name}."
        case EffectBegan():
            return f"{name(fact.fighter)} is {catalog.powers[fact.effect.kind].name}."
        case TimeLimitSet():
            if fact.seconds is None:
                return "Questions wait as long as it takes."
            return f"Questions wait {fact.seconds} seconds."
        case Said():
            return fact.text if fact.text.endswith((".", "!", "?")) else f"{fact.text}."
        case Ended():
            return victory(state, fact.winner) if fact.winner else CALLED_OFF
        case _:
            return _tell_combat(state, fact, catalog)


def _tell_combat(
    state: Table,
    fact: Challenged
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
    name = _names(state)
    match fact:
        case Challenged():
            return f"{name(fact.attacker)} calls out {name(fact.defender)}!"
        case Revealed():
            attack, defence = catalog.names_of(fact.attack), catalog.names_of(fact.defence)
            return f"{name(fact.attacker)} swings {attack}, {name(fact.defender)} raises {defence}."
        case Assaulted():
            fewer = counted(fact.cards, "die", "dice")
            return f"A furious assault: {name(fact.fighter)} batters away {fewer} of the defence!"
        case DiceRolled():
            attack, defence = shown(fact.attack), shown(fact.defence)
            return f"{name(fact.attacker)} rolls {attack}; {name(fact.defender)} rolls {defence}."
        case FuryUsed():
            return f"The Forge's fury: {name(fact.fighter)} brushes {fact.dice} Alchemy aside!"
        case Blocked():
            dice = f"{len(fact.dice)} {'die' if len(fact.dice) == 1 else 'dice'}"
            return f"{name(fact.fighter)} blocks with {dice}."
        case Hurt():
            endurance = state.fighter(fact.fighter).endurance - fact.damage
            left = f"{endurance} Endurance left" if endurance > 0 else "no Endurance left"
            return f"{WOUNDS[fact.wound]}: {name(fact.fighter)} loses {fact.damage}, {left}."
        case Rebuked():
            what = "fire answers" if fact.hit else "only smoke answers"
            return f"{name(fact.fighter)} rebukes with {fact.shown.name.capitalize()}: {what}."
        case CardsReturned():
            return f"Back in the Armory: {catalog.names_of((*fact.attack, *fact.defence))}."
        case Fell():
            rest = f" and gives back {catalog.names_of(fact.cards)}" if fact.cards and fact.returned else ""
            return f"{name(fact.fighter)} is defeated{rest}."
        case _:
            assert_never(fact)


def _names(state: Table) -> Callable[[str], str]:
    """What fighters are called, by their ids."""

    def name(who: str) -> str:
        found = state.find(who)
        return who if found is None else found.name

    return name


def _dealt(state: Table, fact: Dealt, catalog: Catalog) -> str:
    found = zip(state.fighters, fact.champions, strict=True)
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
