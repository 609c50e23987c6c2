"""The moves of one's own turn, and the game master's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from services.rules.engine.content import slug_of
from services.rules.engine.play import GM, Choice, FieldKind, LegalMove, MoveField
from services.rules.engine.wording import counted
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.crafting import limit_problem
from services.rules.systems.dwarf_dice.forge import affordable
from services.rules.systems.dwarf_dice.items import WIDTH, ArmoryItem, Side
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import extra_of, options, targets
from services.rules.systems.dwarf_dice.play.hands import strength
from services.rules.systems.dwarf_dice.play.layout import null_squares, work_squares
from services.rules.systems.dwarf_dice.play.legal import chances
from services.rules.systems.dwarf_dice.play.setup import LEAST_SECONDS, MOST_SECONDS, TITLE_LENGTH
from services.rules.systems.dwarf_dice.play.state import Table


def legal(state: Table, actor: str, catalog: Catalog, forges: Forges) -> tuple[LegalMove, ...]:
    """What this actor may do now; empty when it is not theirs to move."""
    if state.ending is not None:
        return ()
    if actor == GM:
        return tuple(_master_moves())
    if actor != state.turn:
        return ()
    if not state.dealt:
        return (_deal(actor, catalog),)
    if state.crafting is not None:
        return tuple(_forging(state, actor, catalog, forges))
    return tuple(_turn(state, actor, catalog))


def _master_moves() -> Iterator[LegalMove]:
    rule = "game master"
    seconds = MoveField(
        name="seconds",
        label="How many seconds? Leave it out for no limit.",
        kind=FieldKind.NUMBER,
        least=LEAST_SECONDS,
        most=MOST_SECONDS,
        required=False,
    )
    yield LegalMove(
        id="time-limit",
        actor=GM,
        label="Set time limit",
        text="How long questions wait; then the usual answer stands.",
        rule=rule,
        move={"kind": "SetTimeLimit", "actor": GM},
        fields=(seconds,),
    )
    words = MoveField(name="text", label="What?", kind=FieldKind.TEXT, least=1, most=TITLE_LENGTH)
    yield LegalMove(
        id="say",
        actor=GM,
        label="Say",
        text="Say something to the table.",
        rule=rule,
        move={"kind": "Say", "actor": GM},
        fields=(words,),
    )
    yield LegalMove(
        id="call-off",
        actor=GM,
        label="Call off",
        text="The game ends; nobody wins.",
        rule=rule,
        move={"kind": "CallOff", "actor": GM},
    )


def _deal(actor: str, catalog: Catalog) -> LegalMove:
    return LegalMove(
        id="deal",
        actor=actor,
        label="Deal champions",
        text="Everybody gets a champion by chance.",
        rule="Setup",
        move={"kind": "Deal", "actor": actor},
        dice=dice.lots_roll(actor, catalog).dice,
        chances=chances.of_dealing(catalog),
    )


def _turn(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    able = options(state, actor, catalog)
    if "craft" in able:
        yield _craft(state, actor, catalog)
    if "challenge" in able:
        yield from _challenges(state, actor, catalog)
    if "pass" in able:
        yield LegalMove(
            id="pass",
            actor=actor,
            label="Pass",
            text="Leave the turn unused.",
            rule="P17",
            move={"kind": "Pass", "actor": actor},
            cost="your turn",
        )


def _craft(state: Table, actor: str, catalog: Catalog) -> LegalMove:
    roll = dice.hoard_roll(state, actor, catalog)
    return LegalMove(
        id="craft",
        actor=actor,
        label="Craft",
        text=f"Hoard with {roll.dice.value} dice, then forge.",
        rule="Crafting",
        move={"kind": "Craft", "actor": actor},
        cost="your turn",
        dice=roll.dice,
        odds=roll.odds,
        chances=chances.before_hoarding(state, roll.dice.value, catalog),
    )


def _challenges(state: Table, actor: str, catalog: Catalog) -> Iterator[LegalMove]:
    me = state.fighter(actor)
    most = strength(me, Side.OFFENCE, state, catalog)
    for target in targets(state, actor):
        foe = state.fighter(target)
        yield LegalMove(
            id=f"challenge:{target}",
            actor=actor,
            label=f"Challenge {foe.name}",
            text=f"Call {foe.name} out; you can bring up to {most} dice.",
            rule="Combat",
            move={"kind": "Challenge", "actor": actor, "target": target},
            cost="your turn",
            chances=chances.of_attack(state, me, foe, most, catalog),
        )


def _forging(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Iterator[LegalMove]:
    works = tuple(work.item for work in state.at_work().works)
    if works:
        label, text = f"Forge {catalog.names_of(works)}", "Take the cards of what lies on the Forge."
    else:
        label, text = "Forge nothing", "End your turn with nothing forged."
    form = {"kind": "FinishForging", "actor": actor}
    yield LegalMove(id="finish", actor=actor, label=label, text=text, rule="Forging", move=form)
    for work in dict.fromkeys(works):
        name = catalog.armory[work].name
        yield LegalMove(
            id=f"lift:{slug_of(work)}",
            actor=actor,
            label=f"Lift {name}",
            text=f"Clear {name} off the Forge.",
            rule="Forging",
            move={"kind": "Lift", "actor": actor, "item": work},
        )
    yield from _items(state, actor, catalog, forges)
    if not works:
        yield from _sets_of_items(state, actor, catalog, forges)


def _items(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Iterator[LegalMove]:
    """Each item that can be laid out beside what lies on the Forge."""
    crafting, smithy = state.at_work(), forges.of(state.rules)
    filled = null_squares(crafting) | work_squares(crafting)
    extra = extra_of(state, actor, catalog)
    for item in catalog.armory:
        if not _may_be_added(state, extra, item, catalog):
            continue
        ways = tuple(_way(way.signs()) for way in smithy.ways(item.id, filled))
        if ways:
            yield LegalMove(
                id=f"lay:{slug_of(item.id)}",
                actor=actor,
                label=f"Lay out {item.name}",
                text=f"{counted(item.value, 'die', 'dice')} of {item.side.value}.",
                rule="Forging",
                move={"kind": "Lay", "actor": actor, "item": item.id},
                fields=(MoveField(name="at", label="Where?", kind=FieldKind.CHOICE, choices=ways),),
            )


def _may_be_added(state: Table, extra: frozenset[str], item: ArmoryItem, catalog: Catalog) -> bool:
    """Whether stock, dice and the limit allow one more item, wherever it would lie."""
    crafting = state.at_work()
    works = tuple(work.item for work in crafting.works)
    if state.stock[item.id] <= works.count(item.id):
        return False
    items = (*works, item.id)
    metal = sum(catalog.armory[it].metal for it in items)
    wood = sum(catalog.armory[it].wood for it in items)
    if not affordable(metal, wood, crafting.hoard.resources()):
        return False
    sides = {it: catalog.armory[it].side for it in items}
    return limit_problem(items, sides, extra=extra, most_extra=state.rules.adaptability_items) is None


def _sets_of_items(state: Table, actor: str, catalog: Catalog, forges: Forges) -> Iterator[LegalMove]:
    """Each set of items that can be forged at once."""
    crafting = state.at_work()
    feasible = forges.of(state.rules).feasible(
        crafting.hoard.resources(),
        null_squares(crafting),
        state.stock.items(),
        extra=bool(extra_of(state, actor, catalog)),
    )
    for items in feasible:
        yield LegalMove(
            id=f"forge:{'+'.join(slug_of(it) for it in items)}",
            actor=actor,
            label=f"Forge {catalog.names_of(items)}",
            text=f"Wherever there is room: {catalog.value(items)} dice in all.",
            rule="Forging",
            move={"kind": "Forge", "actor": actor, "items": list(items)},
        )


@cache
def _way(signs: str) -> Choice:
    """A way to lay an item, row by row; there are few hundred of them."""
    rows = (signs[row : row + WIDTH] for row in range(0, len(signs), WIDTH))
    return Choice(signs, " / ".join(rows))
