"""The rules of a game: the dice of a move, and what comes of it when they fall."""

from __future__ import annotations

from services.rules.engine.play import Check, Faces
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.play import combat_moves, crafting_moves
from services.rules.systems.dwarf_dice.play.desk import Desk
from services.rules.systems.dwarf_dice.play.events import (
    Assaulted,
    Dealt,
    Declined,
    Ended,
    Event,
    Laid,
    Lifted,
    NullSetAside,
    NullsPlaced,
    PactMade,
    Passed,
    Said,
    TimeLimitSet,
    Upgraded,
)
from services.rules.systems.dwarf_dice.play.legality import die_name, problems
from services.rules.systems.dwarf_dice.play.moves import (
    Block,
    CallOff,
    Challenge,
    ChooseCards,
    Craft,
    DarkPact,
    Deal,
    Decline,
    FieryRebuke,
    FinishForging,
    Forge,
    ForgesFury,
    FuriousAssault,
    Lay,
    Lift,
    MarkOfQuality,
    Move,
    Pass,
    PlaceNulls,
    RollDice,
    Say,
    SetTimeLimit,
    Upgrade,
)
from services.rules.systems.dwarf_dice.play.rolls import ATTACK, DEFENCE, dice_of, permutation, shown
from services.rules.systems.dwarf_dice.play.state import Ending, Stage, Table, Work


def check(state: Table, move: Move, catalog: Catalog, forges: Forges) -> Check | Problems:
    """The dice a move takes, or every rule it breaks."""
    broken = problems(state, move, catalog, forges)
    return Problems(broken) if broken else dice_of(state, move, catalog)


def decide(
    state: Table, move: Move, faces: Faces, catalog: Catalog, forges: Forges
) -> tuple[Event, ...] | Problems:
    """What happens when a move's dice fall so."""
    broken = problems(state, move, catalog, forges)
    if broken:
        return Problems(broken)
    desk = Desk(state, catalog)
    if state.combat is not None:
        _fight(desk, move, faces)
    else:
        _craft(desk, move, faces)
    return tuple(desk.events)


def _craft(desk: Desk, move: Move, faces: Faces) -> None:
    match move:
        case Deal():
            dealt = permutation(faces[0][0], desk.catalog.champions.ids)
            desk.do(Dealt(champions=dealt[: len(desk.state.fighters)]))
            desk.wait(Stage.TURN)
        case Craft():
            crafting_moves.hoard(desk, shown(desk.state, faces[0]))
        case Challenge():
            combat_moves.challenge(desk, move.target)
        case Pass():
            desk.do(Passed(fighter=move.actor))
            desk.next_turn()
        case DarkPact():
            hoard = desk.state.at_work().hoard
            nulls = hoard.nulls + hoard.aside
            desk.do(PactMade(fighter=move.actor, resource=move.resource, nulls=nulls))
            crafting_moves.craft_on(desk, crafting_moves.after(Stage.PACT))
        case MarkOfQuality():
            desk.do(NullSetAside(fighter=move.actor))
            crafting_moves.craft_on(desk, crafting_moves.after(Stage.MARK))
        case PlaceNulls():
            desk.do(NullsPlaced(fighter=move.actor, squares=move.squares))
            desk.wait(Stage.FORGE)
        case Lay():
            desk.do(Laid(fighter=move.actor, work=Work(item=move.item, at=move.at)))
        case Lift():
            last = next(it for it in reversed(desk.state.at_work().works) if it.item == move.item)
            desk.do(Lifted(fighter=move.actor, work=last))
        case FinishForging():
            crafting_moves.forge(desk, tuple(work.item for work in desk.state.at_work().works))
        case Forge():
            crafting_moves.forge(desk, move.items)
        case Upgrade():
            forger = desk.state.at_work().crafter
            desk.do(Upgraded(fighter=move.actor, forger=forger, give=move.give, take=move.take))
            crafting_moves.upgrade_on(desk)
        case Decline():
            _decline(desk, move)
        case _:
            _master(desk, move)


def _fight(desk: Desk, move: Move, faces: Faces) -> None:
    match move:
        case ChooseCards():
            combat_moves.choose(desk, move.actor, move.cards)
        case FuriousAssault():
            cards = len(desk.state.engaged().attack)
            desk.do(Assaulted(fighter=move.actor, cards=cards))
            desk.wait(Stage.READY)
        case RollDice():
            names = dice_of(desk.state, move, desk.catalog).names()
            fell = {name: shown(desk.state, dice) for name, dice in zip(names, faces, strict=True)}
            combat_moves.clash(desk, fell.get(ATTACK, ()), fell.get(DEFENCE, ()))
        case ForgesFury():
            combat_moves.fury(desk, move.actor)
        case Block():
            roll = desk.state.engaged().defence_roll
            places = tuple(place for place in range(len(roll)) if die_name(place) in move.dice)
            combat_moves.block(desk, places)
        case FieryRebuke():
            combat_moves.rebuke(desk, move.actor, shown(desk.state, faces[0])[0])
        case Decline():
            _decline(desk, move)
        case _:
            _master(desk, move)


def _decline(desk: Desk, move: Decline) -> None:
    stage = desk.state.stage
    desk.do(Declined(fighter=move.actor, stage=stage))
    match stage:
        case Stage.PACT | Stage.MARK:
            crafting_moves.craft_on(desk, crafting_moves.after(stage))
        case Stage.UPGRADE:
            crafting_moves.upgrade_on(desk)
        case Stage.FURY:
            combat_moves.fury_on(desk)
        case _:
            combat_moves.part(desk)


def _master(desk: Desk, move: Move) -> None:
    match move:
        case SetTimeLimit():
            desk.do(TimeLimitSet(seconds=move.seconds))
        case Say():
            desk.do(Said(text=move.text.strip()))
        case CallOff():
            text = "The game master called the game off."
            desk.do(Ended(ending=Ending(winners=(), text=text, called_off=True)))
        case _:
            raise AssertionError(f"{type(move).__name__} is not made at this stage")
