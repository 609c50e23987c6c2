"""Forging: what is laid on the Forge, and what its crafter takes from it."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.frozen import replace
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Refused, Steps, Turn, refuse
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.crafting import limit_problem, stock_problem
from services.rules.systems.dwarf_dice.forge import affordable, placement
from services.rules.systems.dwarf_dice.play.champions import extra_of
from services.rules.systems.dwarf_dice.play.facts import Fact, Forged, Laid, Lifted
from services.rules.systems.dwarf_dice.play.layout import null_squares, work_squares
from services.rules.systems.dwarf_dice.play.moves import Forge, Lay, Lift
from services.rules.systems.dwarf_dice.play.rules.order_of_play import next_turn
from services.rules.systems.dwarf_dice.play.rules.windows import ItemsForged
from services.rules.systems.dwarf_dice.play.state import Table, Work

RULE = "Forging"


def lay(turn: Turn[Table, Fact], move: Lay, catalog: Catalog, forges: Forges) -> None:
    """Lays dice on the Forge that show an item."""
    wrong = tuple(_lay_problems(turn.state, move, catalog, forges))
    if wrong:
        raise Refused(Problems(wrong))
    turn.happen(Laid(fighter=move.actor, work=Work(item=move.item, at=move.at)))


def lift(turn: Turn[Table, Fact], move: Lift) -> None:
    """Takes an item off the Forge again; of several the one laid last."""
    works = turn.state.at_work().works
    last = next((work for work in reversed(works) if work.item == move.item), None)
    if last is None:
        items = tuple(work.item for work in works)
        refuse("not_on_forge", "That does not lie on the Forge.", RULE, ("item",), move.item, items)
    turn.happen(Lifted(fighter=move.actor, work=last))


def finish(turn: Turn[Table, Fact], catalog: Catalog) -> Steps:
    """Takes the cards of what lies on the Forge."""
    yield from _take(turn, tuple(work.item for work in turn.state.at_work().works), catalog)


def forge(turn: Turn[Table, Fact], move: Forge, catalog: Catalog, forges: Forges) -> Steps:
    """Forges items at once, wherever they fit."""
    wrong = tuple(_forge_problems(turn.state, move, catalog, forges))
    if wrong:
        raise Refused(Problems(wrong))
    yield from _take(turn, move.items, catalog)


def _take(turn: Turn[Table, Fact], items: tuple[str, ...], catalog: Catalog) -> Steps:
    """The cards go to the hand, the dice leave the Forge, others may answer, and the turn ends."""
    turn.happen(Forged(fighter=turn.state.turn, items=catalog.in_order(items)))
    if items:
        yield from turn.window(ItemsForged(crafter=turn.state.turn))
    next_turn(turn)


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
        return RuleProblem("resources_short", text, RULE, ("items",), f"{metal}M {wood}W", there)
    return None


def _lay_problems(state: Table, move: Lay, catalog: Catalog, forges: Forges) -> Iterator[RuleProblem]:
    unknown = tuple(_unknown_items((move.item,), "item", catalog))
    if unknown:
        yield from unknown
        return
    crafting = state.at_work()
    items = (*(work.item for work in crafting.works), move.item)
    together = _items_problem(state, items, catalog, move.actor)
    if together is not None:
        yield replace(together, path=("item",))
    laid, smithy = placement(move.at), forges.of(state.rules)
    nulls, taken = null_squares(crafting), work_squares(crafting)
    free = smithy.ways(move.item, nulls | taken)
    allowed = tuple(way.signs() for way in free)
    if laid is None:
        text = "The Forge is nine signs, row by row, out of M, W and a dot."
        yield RuleProblem("forge_malformed", text, RULE, ("at",), move.at, allowed)
        return
    if laid not in smithy.ways(move.item):
        text = "That is not how the card looks, however it is turned."
        yield RuleProblem("pattern_differs", text, f"{RULE}; P2", ("at",), move.at, allowed)
    if laid.squares & nulls:
        text = "A Null lies in the way."
        yield RuleProblem("square_has_null", text, "Null Rune", ("at",), move.at, allowed)
    if laid.squares & taken:
        text = "No die is part of two items."
        yield RuleProblem("square_taken", text, RULE, ("at",), move.at, allowed)


def _forge_problems(state: Table, move: Forge, catalog: Catalog, forges: Forges) -> Iterator[RuleProblem]:
    unknown = tuple(_unknown_items(move.items, "items", catalog))
    if unknown:
        yield from unknown
        return
    together = _items_problem(state, move.items, catalog, move.actor)
    if together is not None:
        yield together
        return
    smithy, blocked = forges.of(state.rules), null_squares(state.at_work())
    if not smithy.fits(catalog.in_order(move.items), blocked):
        text = "They do not fit on the Forge together."
        allowed = tuple(item for item in move.items if smithy.fits((item,), blocked))
        yield RuleProblem("no_room", text, RULE, ("items",), move.items, allowed)
