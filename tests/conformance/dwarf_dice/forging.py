"""Cases of Crafting: Hoards, Nulls, patterns, what may be forged, the Armory, Upgrade!."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from services.rules.engine.conformance import Area
from services.rules.engine.grid import Square
from services.rules.systems.dwarf_dice.catalog import PowerEffect, own_catalog
from services.rules.systems.dwarf_dice.crafting import (
    hoarded,
    limit_problem,
    null_problems,
    one_aside,
    pacted,
    stock_problem,
)
from services.rules.systems.dwarf_dice.forge import Blank, Smithy, affordable, room, squares
from services.rules.systems.dwarf_dice.items import SQUARES, WIDTH, Side
from services.rules.systems.dwarf_dice.play.evolve import without
from services.rules.systems.dwarf_dice.powers import Step, mark_problem, pact_problem, upgrade_problem
from services.rules.systems.dwarf_dice.resources import Resource
from tests.conformance.dwarf_dice.reasons import Answer, Given, champion, item, no, ruled

STEPS = {
    "before the roll": Step.BEGUN,
    "after the roll": Step.HOARDED,
    "before Null placement": Step.HOARDED,
    "before the placement": Step.HOARDED,
    "after Null placement": Step.PLACED,
    "after the placement": Step.PLACED,
    "forging": Step.PLACED,
}
SIDES = {"offence": Side.OFFENCE, "defence": Side.DEFENCE}


def _hoard(given: Given) -> Answer:
    rolled = [Resource(sign) for sign in given["roll"]]
    dice = own_catalog().rules.hoard
    if len(rolled) != dice:
        return no(f"{dice} dice")
    hoard, power_left, answer = hoarded(rolled), bool(given.get("power_left", True)), Answer()
    crafter = champion(str(given.get("crafter", "")))
    if given.get("dark_pact"):
        own = crafter is not None and own_catalog().has(crafter.id, PowerEffect.DARK_PACT)
        problem = pact_problem(Step.HOARDED, Resource(given["dark_pact"]), own=own, power_left=power_left)
        if problem is not None:
            return ruled(problem)
        hoard, power_left = pacted(hoard, Resource(given["dark_pact"])), False
    marked = crafter is not None and own_catalog().has(crafter.id, PowerEffect.MARK_OF_QUALITY)
    if given.get("mark_of_quality"):
        if not marked:
            return no("Bron only")
        if mark_problem(hoard.nulls) is None:
            hoard = one_aside(hoard)
    metal, wood, alchemy = hoard.resources()
    return answer | {
        "legal": True,
        "resources": {"M": metal, "W": wood, "A": alchemy},
        "nulls_to_place": hoard.nulls,
        "nulls_set_aside": hoard.aside,
        "usable_spaces": SQUARES - hoard.nulls,
        "power_left": power_left,
    }


def _mark_of_quality(given: Given) -> Answer:
    hoards = (hoarded([Resource.NULL] * nulls) for nulls in given["nulls"])
    return {"set_aside": [int(mark_problem(hoard.nulls) is None) for hoard in hoards]}


def _dark_pact(given: Given) -> Answer:
    own = not given.get("another_player_hoards", False)
    step = STEPS.get(str(given.get("stage", "after the roll")), Step.HOARDED)
    resource = Resource(given.get("resource", given.get("dark_pact", "M")))
    return ruled(pact_problem(step, resource, own=own, power_left=bool(given.get("power_left", True))))


def _null_placement(given: Given) -> Answer:
    if "crafter" in str(given.get("placed_by", "")):
        return no("the left neighbour places")
    where = [Square(column, row) for row, column in given.get("spaces", ())]
    nulls = int(given.get("nulls", len(where)))
    return ruled(next(null_problems(nulls, where), None))


def lying(pattern: tuple[str, ...], forge: Sequence[str]) -> tuple[int, ...]:
    """The sets of squares on which dice that lie there pay for a pattern, wherever the Forge takes it.

    Args:
        pattern: Three rows of M, W and `.`.
        forge: Three rows of M, W, A, N and `.`, as the dice lie.
    """
    smithy = Smithy((Blank("it", Side.OFFENCE, pattern),), frozenset(), 0, shifting=True)
    signs = "".join(forge)

    def there(filled: int) -> tuple[int, int, int]:
        shown = [sign for square, sign in enumerate(signs) if filled >> square & 1]
        return shown.count("M"), shown.count("W"), shown.count("A")

    found = (
        way.squares
        for way in smithy.ways("it")
        if affordable(way.metal.bit_count(), 0, there(way.metal))
        and affordable(0, way.wood.bit_count(), there(way.wood))
    )
    return tuple(dict.fromkeys(found))


def _pattern_match(given: Given) -> Answer:
    found = lying(tuple(given["pattern"]), given["forge"])
    return {"matches": bool(found), "placements": len(found)}


def _forge_feasible(given: Given) -> Answer:
    """Free placement of the dice: the patterns fit beside the Nulls, and the dice suffice."""
    pool, patterns = given["pool"], [tuple(rows) for rows in given["patterns"]]
    blanks = tuple(
        Blank(str(place), Side.DEFENCE if place else Side.OFFENCE, rows)
        for place, rows in enumerate(patterns)
    )
    items = tuple(blank.id for blank in blanks)
    smithy = Smithy(blanks, frozenset(items[2:]), len(items[2:]), shifting=True)
    blocked = squares(row * WIDTH + column for row, column in given.get("nulls", ()))
    found = smithy.feasible(
        (pool.get("M", 0), pool.get("W", 0), pool.get("A", 0)), blocked, extra=len(items) > len(Side)
    )
    return {"feasible": not items or items in found}


def _forge_claim(given: Given) -> Answer:
    """Items that a player points out on the Forge."""
    claimed: Sequence[Given] = given["items"]
    names = [str(it["name"]) for it in claimed]
    limit = limit_problem(
        names,
        {str(it["name"]): SIDES[it["side"]] for it in claimed},
        extra=_extra(given),
        most_extra=own_catalog().rules.adaptability_items,
    )
    if limit is not None:
        return ruled(limit)
    taken: set[tuple[int, int]] = set()
    for it in claimed:
        spaces = [(row, column) for row, column in it["spaces"]]
        if not taken.isdisjoint(spaces) or len(set(spaces)) < len(spaces):
            return no("shared die")
        taken.update(spaces)
        where = squares(row * WIDTH + column for row, column in spaces)
        if where not in lying(tuple(it["pattern"]), given["forge"]):
            return no(f"{it['name']} does not match{_lying(it, spaces, where)}")
    stock = given.get("armory")
    if stock is not None and stock_problem(names, stock) is not None:
        return no("no copy left")
    return {"legal": True}


def _extra(given: Given) -> frozenset[str]:
    found = champion(str(given.get("champion", "")))
    catalog = own_catalog()
    if found is None or not catalog.has(found.id, PowerEffect.ADAPTABILITY):
        return frozenset()
    return frozenset(catalog.armory[it].name for it in catalog.extra_items())


def _lying(it: Given, spaces: Sequence[tuple[int, int]], where: int) -> str:
    """How the spaces lie, where that is what is wrong with them."""
    if where in room(tuple(it["pattern"])) or len(spaces) != 2:
        return ""
    (row, column), (other_row, other_column) = spaces
    far = (abs(row - other_row), abs(column - other_column))
    return {(0, 1): " (side by side)", (1, 0): " (side by side)", (1, 1): " (a diagonal)"}.get(far, "")


def _stock(given: Given) -> Answer:
    left, wanted = given["copies"] - given.get("taken", 0), given.get("forge", 1)
    name = str(given.get("item", "item"))
    if stock_problem([name] * wanted, {name: left}) is None:
        return {"legal": True}
    return no("no copy left" if left <= 0 else "one copy left" if left == 1 else f"{left} copies left")


def _armory_return(given: Given) -> Answer:
    attack, defence = tuple(given.get("attack_cards", ())), tuple(given.get("defence_cards", ()))
    back = list(attack + defence)
    kept: list[str] = []
    for key in ("hand", "attacker_hand", "defender_hand"):
        used = {"hand": attack + defence, "attacker_hand": attack, "defender_hand": defence}[key]
        kept += without(tuple(given.get(key, ())), used)
    if given.get("defeated") and own_catalog().rules.fallen_hand_returns:
        back, kept = back + kept, []
    back += given.get("defeated_hand", ())
    answer: Answer = {"returned": sorted(back), "kept": sorted(kept)}
    if "armory_before" in given:
        after: Counter[str] = Counter(given["armory_before"])
        after.update(back)
        after.subtract(given.get("forged", ()))
        answer["armory_after"] = dict(after)
    return answer


def _armory_total(given: Given) -> Answer:
    players, base = given["players"], given.get("base_copies", 1)
    counts: Mapping[str, int] = given["items_by_dice"]
    extra = own_catalog().extra
    return {"cards": sum(items * (base + extra(players, int(dice))) for dice, items in counts.items())}


def _extra_copies(given: Given) -> Answer:
    return {"extra": own_catalog().extra(given["players"], given["item_dice"])}


def _upgrade(given: Given) -> Answer:
    if given.get("hand") == [] or given.get("belinda_hand") == []:
        return no("empty hand")
    give, take = item(str(given.get("give", ""))), item(str(given.get("take", "")))
    hand = given.get("belinda_hand", given.get("hand"))
    if give is not None and hand is not None and give.name not in hand:
        return no("not in hand")
    if take is not None and take.name not in given.get("forged", [take.name]):
        return no("only the item just forged")
    own, forged = given.get("own_item_dice"), given.get("forged_item_dice")
    sides = (given.get("own_side", "offence"), given.get("forged_side", "offence"))
    rules = own_catalog().rules
    return ruled(
        upgrade_problem(
            own if own is not None else give.value if give is not None else 0,
            forged if forged is not None else take.value if take is not None else 0,
            gap=rules.upgrade_gap,
            same_side=sides[0] == sides[1],
            across_sides=rules.upgrade_across_sides,
            just_forged=bool(given.get("just_forged", True)),
            own_forging=given.get("forger") == "Belinda",
            power_left=bool(given.get("power_left", True)),
        )
    )


AREAS: Mapping[str, Area] = {
    "armory_return": _armory_return,
    "armory_total": _armory_total,
    "dark_pact": _dark_pact,
    "extra_copies": _extra_copies,
    "forge_claim": _forge_claim,
    "forge_feasible": _forge_feasible,
    "hoard": _hoard,
    "mark_of_quality": _mark_of_quality,
    "null_placement": _null_placement,
    "pattern_match": _pattern_match,
    "stock": _stock,
    "upgrade": _upgrade,
}
