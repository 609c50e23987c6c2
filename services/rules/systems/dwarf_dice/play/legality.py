"""What is wrong with a move: whose turn it is, what play waits for, and the rules of each move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from services.rules.engine.play import GM
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges, PowerEffect
from services.rules.systems.dwarf_dice.combat import choice_problems
from services.rules.systems.dwarf_dice.crafting import limit_problem, null_problems, place_of, stock_problem
from services.rules.systems.dwarf_dice.forge import Placement, affordable, placement, squares
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play.asking import asked, blockers, cards_of, laid_out, step_of
from services.rules.systems.dwarf_dice.play.moves import (
    Block,
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
    MasterMove,
    Move,
    Pass,
    PlaceNulls,
    RollDice,
    Say,
    SetTimeLimit,
    Upgrade,
)
from services.rules.systems.dwarf_dice.play.setup import TITLE_LENGTH, seconds_problems
from services.rules.systems.dwarf_dice.play.state import Stage, Table, Work
from services.rules.systems.dwarf_dice.powers import (
    assault_problem,
    fury_problem,
    mark_problem,
    pact_problem,
    rebuke_problem,
    spent_problem,
    upgrade_problem,
)
from services.rules.systems.dwarf_dice.seating import legal_targets

WHEN: dict[type, tuple[Stage, ...]] = {
    Deal: (Stage.DEAL,),
    Craft: (Stage.TURN,),
    Challenge: (Stage.TURN,),
    Pass: (Stage.TURN,),
    DarkPact: (Stage.PACT,),
    MarkOfQuality: (Stage.MARK,),
    PlaceNulls: (Stage.NULLS,),
    Lay: (Stage.FORGE,),
    Lift: (Stage.FORGE,),
    FinishForging: (Stage.FORGE,),
    Forge: (Stage.FORGE,),
    Upgrade: (Stage.UPGRADE,),
    ChooseCards: (Stage.CHOICE,),
    FuriousAssault: (Stage.READY,),
    RollDice: (Stage.READY,),
    ForgesFury: (Stage.FURY,),
    Block: (Stage.BLOCK,),
    FieryRebuke: (Stage.REBUKE,),
    Decline: (Stage.PACT, Stage.MARK, Stage.UPGRADE, Stage.FURY, Stage.REBUKE),
}
"""What each move answers to."""

POWERS: dict[type, PowerEffect] = {
    DarkPact: PowerEffect.DARK_PACT,
    MarkOfQuality: PowerEffect.MARK_OF_QUALITY,
    Upgrade: PowerEffect.UPGRADE,
    FuriousAssault: PowerEffect.FURIOUS_ASSAULT,
    ForgesFury: PowerEffect.FORGES_FURY,
    FieryRebuke: PowerEffect.FIERY_REBUKE,
}
"""The power each of these moves uses."""

ORDER_RULE = "Order of Play"


def problems(state: Table, move: Move, catalog: Catalog, forges: Forges) -> tuple[RuleProblem, ...]:
    """Every rule a move breaks; empty when it is lawful."""
    if state.ending is not None:
        return (RuleProblem("game_over", "The game is over.", "Damage and Defeat", ("kind",), "over"),)
    if isinstance(move, MasterMove):
        return tuple(_master_problems(move))
    at_all = _actor_problem(state, move) or _power_problem(state, move, catalog)
    if at_all is not None:
        return (at_all,)
    timely = _timing_problem(state, move, catalog)
    return (timely,) if timely is not None else tuple(_own_problems(state, move, catalog, forges))


def _master_problems(move: MasterMove) -> Iterator[RuleProblem]:
    if move.actor != GM:
        text = "That is for the game master to do."
        yield RuleProblem("not_theirs", text, "game master", ("actor",), move.actor, GM)
        return
    match move:
        case SetTimeLimit():
            yield from seconds_problems(move.seconds, ("seconds",))
        case Say() if not move.text.strip() or len(move.text) > TITLE_LENGTH:
            text = f"A remark has from 1 to {TITLE_LENGTH} signs."
            allowed = (1, TITLE_LENGTH)
            yield RuleProblem("text_length", text, "game master", ("text",), len(move.text), allowed)
        case _:
            return


def _actor_problem(state: Table, move: Move) -> RuleProblem | None:
    if move.actor == GM:
        text, seats = "That is for the players to do.", state.seats()
        return RuleProblem("not_theirs", text, ORDER_RULE, ("actor",), GM, seats)
    fighter = state.find(move.actor)
    if fighter is None:
        text = "Nobody at this table has this id."
        return RuleProblem("actor_unknown", text, ORDER_RULE, ("actor",), move.actor, state.seats())
    if fighter.out:
        text = "The defeated are out of the game."
        living = tuple(one.id for one in state.living())
        return RuleProblem("defeated", text, "Damage and Defeat", ("actor",), move.actor, living)
    return None


def _power_problem(state: Table, move: Move, catalog: Catalog) -> RuleProblem | None:
    """Why this power cannot be used by this player at this time."""
    power = POWERS.get(type(move))
    if power is None:
        return None
    me, step = state.fighter(move.actor), step_of(state)
    if not catalog.has(me.champion, power):
        text, rule = "That is another champion's power.", "Champions and Powers"
        able = tuple(one.id for one in state.fighters if catalog.has(one.champion, power))
        return RuleProblem("power_not_theirs", text, rule, ("actor",), move.actor, able)
    combat, crafting = state.combat, state.crafting
    fighting = combat is not None and move.actor in (combat.attacker, combat.defender)
    match move:
        case DarkPact():
            own = crafting is not None and crafting.crafter == me.id
            return pact_problem(step, move.resource, own=own, power_left=me.power_left)
        case FuriousAssault():
            attacking = combat is not None and combat.attacker == me.id
            return assault_problem(step, attacking=attacking, power_left=me.power_left)
        case ForgesFury():
            return fury_problem(step, fighting=fighting, power_left=me.power_left)
        case FieryRebuke() if combat is not None:
            return rebuke_problem(attacked=combat.defender == me.id, damage=combat.taken)
        case Upgrade() if crafting is not None and crafting.crafter == me.id:
            return upgrade_problem(0, 0, gap=0, own_forging=True)
        case Upgrade():
            return spent_problem(me.power_left)
        case MarkOfQuality() if crafting is not None:
            return mark_problem(crafting.hoard.nulls)
        case _:
            return None


def _timing_problem(state: Table, move: Move, catalog: Catalog) -> RuleProblem | None:
    stages = WHEN[type(move)]
    combat = state.combat
    if isinstance(move, ChooseCards) and combat is not None:
        if combat.revealed:
            text = "Both sides have revealed their cards."
            return RuleProblem("already_revealed", text, "Choosing Equipment", ("kind",), True, False)
        own = {combat.attacker: combat.attack_in, combat.defender: combat.defence_in}
        if own.get(move.actor):
            text = "They have chosen already."
            left = tuple(who for who, chosen in own.items() if not chosen)
            return RuleProblem("already_chosen", text, "Choosing Equipment", ("actor",), move.actor, left)
    waiting = asked(state, catalog)
    if state.stage not in stages:
        text = "Play waits for something else."
        allowed = tuple(stage.value for stage in stages)
        return RuleProblem("not_now", text, ORDER_RULE, ("kind",), state.stage.value, allowed)
    if move.actor not in waiting:
        text = "It is not for them to move now."
        return RuleProblem("not_their_turn", text, ORDER_RULE, ("actor",), move.actor, waiting)
    return None


def _own_problems(state: Table, move: Move, catalog: Catalog, forges: Forges) -> Iterator[RuleProblem]:
    match move:
        case Challenge():
            yield from _challenge_problems(state, move, catalog)
        case Pass() if not state.rules.may_pass:
            text = "A turn is Crafting or Combat; nobody passes."
            yield RuleProblem("no_passing", text, "P17", ("kind",), "Pass", ("Craft", "Challenge"))
        case PlaceNulls():
            yield from null_problems(state.at_work().hoard.nulls, move.squares)
        case Lay():
            yield from _lay_problems(state, move, catalog, forges)
        case Lift() if move.item not in (items := tuple(it.item for it in state.at_work().works)):
            text = "That does not lie on the Forge."
            yield RuleProblem("not_on_forge", text, "Forging", ("item",), move.item, items)
        case Forge():
            yield from _forge_problems(state, move, catalog, forges)
        case Upgrade():
            yield from _upgrade_problems(state, move, catalog)
        case ChooseCards():
            yield from _choice_problems(state, move, catalog)
        case Block():
            yield from _block_problems(state, move)
        case _:
            return


def _challenge_problems(state: Table, move: Challenge, catalog: Catalog) -> Iterator[RuleProblem]:
    rule = "Choosing Equipment"
    hand = state.fighter(move.actor).hand
    if not any(catalog.armory[card].side is Side.OFFENCE for card in hand):
        text = "Combat needs an offensive card in hand."
        yield RuleProblem("no_offence", text, "Combat", ("actor",), 0, 1)
    allowed = targets(state, move.actor)
    if move.target in allowed:
        return
    found = state.find(move.target)
    if found is None or found.out or move.target == move.actor:
        text = "Nobody of this id can be called out."
        yield RuleProblem("target_unknown", text, rule, ("target",), move.target, allowed)
    else:
        text = "The one with the lowest Endurance cannot be called out."
        yield RuleProblem("target_lowest", text, f"{rule}; P14", ("target",), move.target, allowed)


def targets(state: Table, attacker: str) -> tuple[str, ...]:
    """Whom somebody may call out."""
    endurance = {one.id: one.endurance for one in state.living()}
    return legal_targets(endurance, attacker, attacker_counts=state.rules.attacker_counts_for_lowest)


def extra_of(state: Table, who: str, catalog: Catalog) -> frozenset[str]:
    """What somebody may forge beyond one item a side (Adaptability)."""
    adaptable = catalog.has(state.fighter(who).champion, PowerEffect.ADAPTABILITY)
    return catalog.extra_items() if adaptable else frozenset()


def _unknown_items(items: tuple[str, ...], path: str, catalog: Catalog) -> Iterator[RuleProblem]:
    for item in dict.fromkeys(items):
        if item not in catalog.armory:
            text = "The Armory has no such card."
            yield RuleProblem("item_unknown", text, "Armory", (path,), item, catalog.armory.ids)


def _items_problem(state: Table, items: tuple[str, ...], catalog: Catalog, who: str) -> RuleProblem | None:
    """Why these cannot be forged together, wherever they lie: stock, limit, dice."""
    found = stock_problem(items, state.stock) or limit_problem(
        items,
        {item: catalog.armory[item].side for item in items},
        extra=extra_of(state, who, catalog),
        most_extra=state.rules.adaptability_items,
    )
    if found is not None:
        return found
    metal = sum(catalog.armory[item].metal for item in items)
    wood = sum(catalog.armory[item].wood for item in items)
    if not affordable(metal, wood, state.at_work().hoard.resources()):
        text = "The dice do not suffice for that."
        there = "{}M {}W {}A".format(*state.at_work().hoard.resources())
        return RuleProblem("resources_short", text, "Forging", ("items",), f"{metal}M {wood}W", there)
    return None


def _lay_problems(state: Table, move: Lay, catalog: Catalog, forges: Forges) -> Iterator[RuleProblem]:
    unknown = tuple(_unknown_items((move.item,), "item", catalog))
    if unknown:
        yield from unknown
        return
    items = (*(work.item for work in state.at_work().works), move.item)
    together = _items_problem(state, items, catalog, move.actor)
    if together is not None:
        yield replace(together, path=("item",))
    laid, smithy = placement(move.at), forges.of(state.rules)
    free = smithy.ways(move.item, null_squares(state) | work_squares(state))
    allowed = tuple(way.signs() for way in free)
    if laid is None:
        text = "The Forge is nine signs, row by row, out of M, W and a dot."
        yield RuleProblem("forge_malformed", text, "Forging", ("at",), move.at, allowed)
        return
    if laid not in smithy.ways(move.item):
        text = "That is not how the card looks, however it is turned."
        yield RuleProblem("pattern_differs", text, "Forging; P2", ("at",), move.at, allowed)
    if laid.squares & null_squares(state):
        yield RuleProblem(
            "square_has_null", "A Null lies in the way.", "Null Rune", ("at",), move.at, allowed
        )
    if laid.squares & work_squares(state):
        text = "No die is part of two items."
        yield RuleProblem("square_taken", text, "Forging", ("at",), move.at, allowed)


def null_squares(state: Table) -> int:
    """The squares with a Null, as a set of squares."""
    places = (place_of(square) for square in state.at_work().nulls)
    return squares(place for place in places if place is not None)


def work_squares(state: Table) -> int:
    """The squares that are part of an item, as a set of squares."""
    found = 0
    for work in state.at_work().works:
        found |= laid_at(work).squares
    return found


def laid_at(work: Work) -> Placement:
    """Where an item lies."""
    return placement(work.at) or Placement(0, 0)


def _forge_problems(state: Table, move: Forge, catalog: Catalog, forges: Forges) -> Iterator[RuleProblem]:
    unknown = tuple(_unknown_items(move.items, "items", catalog))
    if unknown:
        yield from unknown
        return
    together = _items_problem(state, move.items, catalog, move.actor)
    if together is not None:
        yield together
        return
    smithy, blocked = forges.of(state.rules), null_squares(state)
    if not smithy.fits(catalog.in_order(move.items), blocked):
        text, alone = "They do not fit on the Forge together.", [(it,) for it in move.items]
        allowed = tuple(it[0] for it in alone if smithy.fits(it, blocked))
        yield RuleProblem("no_room", text, "Forging", ("items",), move.items, allowed)


def _upgrade_problems(state: Table, move: Upgrade, catalog: Catalog) -> Iterator[RuleProblem]:
    hand, forged = state.fighter(move.actor).hand, state.at_work().forged
    if move.give not in hand:
        text = "That card is not in hand."
        yield RuleProblem("card_not_in_hand", text, "Upgrade!", ("give",), move.give, hand)
    if move.take not in forged:
        just = upgrade_problem(0, 0, gap=0, just_forged=False)
        if just is not None:
            yield RuleProblem(just.code, just.message, just.rule, just.path, move.take, forged)
    if move.give in hand and move.take in forged:
        give, take = catalog.armory[move.give], catalog.armory[move.take]
        found = upgrade_problem(
            give.value,
            take.value,
            gap=state.rules.upgrade_gap,
            same_side=give.side is take.side,
            across_sides=state.rules.upgrade_across_sides,
        )
        if found is not None:
            yield found


def _choice_problems(state: Table, move: ChooseCards, catalog: Catalog) -> Iterator[RuleProblem]:
    attacking = state.engaged().attacker == move.actor
    side = Side.OFFENCE if attacking else Side.DEFENCE
    me = state.fighter(move.actor)
    hand, able = Counter(me.hand), cards_of(me, side, catalog)
    for place, card in enumerate(move.cards):
        if move.cards[: place + 1].count(card) > hand[card]:
            text = "That card is not in hand."
            yield RuleProblem("card_not_in_hand", text, "Choosing Equipment", ("cards", place), card, able)
        elif catalog.armory[card].side is not side:
            text = "Attackers choose offensive cards, defenders defensive ones."
            yield RuleProblem("card_of_other_side", text, "Choosing Equipment", ("cards", place), card, able)
    values = [catalog.armory[card].value if card in catalog.armory else 0 for card in move.cards]
    rules = state.rules
    yield from choice_problems(
        values, attacking=attacking, most=rules.most_value, needs_card=rules.attack_needs_card
    )


def die_name(place: int) -> str:
    """What a defending die is called in a move."""
    return f"die-{place + 1}"


def _block_problems(state: Table, move: Block) -> Iterator[RuleProblem]:
    able = tuple(die_name(place) for place in blockers(state))
    for place, die in enumerate(move.dice):
        path = ("dice", place)
        if die not in able:
            text = "That die cannot block: only Wood and Alchemy do."
            yield RuleProblem("die_cannot_block", text, "ATTACK!", path, die, able)
        elif die in move.dice[:place]:
            text = "Each die blocks once."
            yield RuleProblem("die_blocks_twice", text, "ATTACK!", path, die, able)
    most = min(len(able), len(laid_out(state)))
    if len(move.dice) > most:
        text = "There are not so many attacking dice to block."
        yield RuleProblem("blocks_too_many", text, "ATTACK!", ("dice",), len(move.dice), most)
    if not state.rules.free_blocks and len(move.dice) < most:
        text = "At this table the defender blocks all they can."
        yield RuleProblem("blocks_too_few", text, "P9", ("dice",), len(move.dice), most)
