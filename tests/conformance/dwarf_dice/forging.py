"""Cases of Crafting: Hoards, Nulls, patterns, what may be forged, the Armory, Upgrade!."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from services.rules.engine.conformance import Area
from services.rules.systems.dwarf_dice.catalog import PowerEffect, own_catalog
from services.rules.systems.dwarf_dice.crafting import limit_problem, stock_problem
from services.rules.systems.dwarf_dice.forge import Blank, Smithy, affordable, room, squares
from services.rules.systems.dwarf_dice.items import SQUARES, WIDTH, Side
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.powers import Step
from tests.conformance.dwarf_dice.games import Case, Seat, card_id, sat_down
from tests.conformance.dwarf_dice.reasons import Answer, Given, broken, champion, item, no, ruled

PLENTY = "MMMMMWWWW"
"""A Hoard without Nulls."""

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


def _craft(given: Given, nulls: int, *, crafter: str = "Gor", neighbour: str = "Belinda") -> Case:
    """A Crafting whose Hoard shows so many Nulls."""
    seats = [
        Seat(id="crafter", champion=crafter, power_left=bool(given.get("power_left", True))),
        Seat(id="neighbour", champion=neighbour, power_left=bool(given.get("power_left", True))),
    ]
    game = sat_down(seats, dice={"hoard": "N" * nulls + PLENTY[: 9 - nulls]})
    game.enter("Craft", "crafter")
    return game


def _hoard(given: Given) -> Answer:
    """A Hoard with the powers that the crafter uses; Grim sits beside whoever crafts in Grim's stead."""
    crafter = str(given.get("crafter", "Gor"))
    seats = [
        Seat(id="crafter", champion=crafter, power_left=bool(given.get("power_left", True))),
        Seat(id="neighbour", champion="Gor" if crafter == "Grim" else "Grim"),
    ]
    game = sat_down(seats, dice={"hoard": given["roll"]})
    if len(given["roll"]) != game.state.rules.hoard:
        return no(f"{game.state.rules.hoard} dice")
    game.enter("Craft", "crafter")
    if given.get("dark_pact"):
        who = "crafter" if crafter == "Grim" else "neighbour"
        refused = game.use("DarkPact", who, Step.HOARDED, resource=given["dark_pact"])
        if refused is not None:
            return broken(refused)
    if given.get("mark_of_quality") and game.asked("mark"):
        game.enter("MarkOfQuality", "crafter")
    game.decline()
    crafting = game.state.at_work()
    metal, wood, alchemy = crafting.hoard.resources()
    placed = crafting.hoard.nulls + len(crafting.nulls)
    return {
        "legal": True,
        "resources": {"M": metal, "W": wood, "A": alchemy},
        "nulls_to_place": placed,
        "nulls_set_aside": crafting.hoard.aside,
        "usable_spaces": SQUARES - placed,
        "power_left": game.state.fighter("crafter").power_left,
    }


def _mark_of_quality(given: Given) -> Answer:
    """One Crafting of Bron's after another; the Nulls that are left go to the first squares."""
    set_aside = []
    game = sat_down([Seat(id="bron", champion="Bron"), Seat(id="gor", champion="Gor")])
    for nulls in given["nulls"]:
        game.dice = {"hoard": "N" * nulls + PLENTY[: 9 - nulls]}
        game.enter("Craft", "bron")
        if game.asked("mark"):
            game.enter("MarkOfQuality", "bron")
        set_aside.append(game.state.at_work().hoard.aside)
        left = game.state.at_work().hoard.nulls
        if left:
            game.enter("PlaceNulls", "gor", squares=_squares(OUTER_SPACES[:left]))
        game.dice = {"hoard": PLENTY[:9]}
        for kind, who in (("FinishForging", "bron"), ("Craft", "gor"), ("FinishForging", "gor")):
            game.enter(kind, who)
    return {"set_aside": set_aside}


def _dark_pact(given: Given) -> Answer:
    step = STEPS.get(str(given.get("stage", "after the roll")), Step.HOARDED)
    resource = given.get("resource", given.get("dark_pact", "M"))
    if given.get("another_player_hoards", False):
        game, who = _craft(given, 2, neighbour="Grim"), "neighbour"
    else:
        game, who = _craft(given, 2, crafter="Grim"), "crafter"
    if step is Step.PLACED:
        game.decline()
        game.enter("PlaceNulls", "neighbour", squares=_squares(OUTER_SPACES[:2]))
    refused = game.use("DarkPact", who, step, resource=resource)
    return {"legal": True} if refused is None else broken(refused)


OUTER_SPACES = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))


def _squares(spaces: Iterable[Sequence[int]]) -> list[dict[str, int]]:
    """Spaces as cases have them, row and column, as a move names squares."""
    return [{"x": column, "y": row} for row, column in spaces]


def _null_placement(given: Given) -> Answer:
    spaces = given.get("spaces", ((0, 0),))
    nulls = int(given.get("nulls", len(spaces)))
    who = "crafter" if "crafter" in str(given.get("placed_by", "")) else "neighbour"
    game = _craft(given, nulls)
    if nulls == 0 and not spaces:
        return {"legal": not game.asked("nulls")}
    refused = game.enter("PlaceNulls", who, squares=_squares(spaces))
    if refused is not None and refused.codes == ("move_waits",):
        return no("the left neighbour places")
    return {"legal": True} if refused is None else broken(refused)


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
    """Daggers that Gor forges, as many as the Armory may have."""
    left, wanted = given["copies"] - given.get("taken", 0), given.get("forge", 1)
    game = _with_stock({"Dagger": left})
    refused = game.enter("Forge", "crafter", items=[card_id("Dagger")] * wanted)
    if refused is None:
        return {"legal": True}
    there = next(problem.allowed for problem in refused if problem.code == "out_of_stock")
    return no({0: "no copy left", 1: "one copy left"}.get(cast(int, there), f"{there} copies left"))


def _with_stock(copies: Mapping[str, int]) -> Case:
    """Gor before the Forge at a table of two additional items, with so many copies in the Armory."""
    stock = {card_id(name): left for name, left in copies.items()}

    def stored(table: Table) -> Table:
        rules = replace(table.rules, adaptability_items=2)
        return replace(table, rules=rules, stock={**table.stock, **stock})

    seats = [Seat(id="crafter", champion="Gor"), Seat(id="neighbour", champion="Grim")]
    dice = {"hoard": "MMMMMWWWA"}
    game = sat_down(seats, dice=dice, change=stored)
    game.enter("Craft", "crafter")
    return game


SPARE = "Spare Dagger"
"""What somebody attacks with who has no card in the case."""


def _valued(names: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, found.value) for name in names if (found := item(name)) is not None]


def _armory_return(given: Given) -> Answer:
    """What a combat, or a Forging, does to hands and Armory."""
    before: Mapping[str, int] = given.get("armory_before", {})
    if "forged" in given:
        game = _with_stock(before)
        game.enter("Forge", "crafter", items=[card_id(name) for name in given["forged"]])
        return {"armory_after": {name: game.state.stock[card_id(name)] for name in before}}
    attack, defence = list(given.get("attack_cards", ())), list(given.get("defence_cards", ()))
    held = _valued(given.get("hand", attack))
    sides = {
        side: [each for each in held if (found := item(each[0])) and found.side is side] for side in Side
    }
    offence = sides[Side.OFFENCE] or [(SPARE, 1)]
    seats = [
        Seat(
            id="attacker",
            champion="Bron",
            endurance=1 if given.get("defeated") else 6,
            offence=offence,
            defence=sides[Side.DEFENCE],
        ),
        Seat(id="defender", champion="Grim", defence=_valued(defence)),
    ]
    stock = {card_id(name): copies for name, copies in before.items()}
    game = sat_down(
        seats,
        dice={"attack": "M", "rebuke": "M"},
        change=lambda it: replace(it, stock={**it.stock, **stock}),
    )
    game.enter("Challenge", "attacker", target="defender")
    for question, who, cards in (("attack", "attacker", attack), ("defence", "defender", defence)):
        if game.asked(question):
            game.enter("ChooseCards", who, cards=[card_id(name) for name in cards])
    if game.asked("block"):
        game.enter("Block", "defender", dice=[])
    if game.asked("rebuke"):
        game.enter("FieryRebuke" if given.get("defeated") else "Decline", "defender")
    kept = [*game.hand("attacker"), *game.hand("defender")]
    answer: Answer = {
        "returned": sorted(name for name in game.returned() if name != SPARE),
        "kept": sorted(kept),
    }
    if before:
        answer["armory_after"] = {name: game.state.stock[card_id(name)] for name in before}
    return answer


def _armory_total(given: Given) -> Answer:
    players, base = given["players"], given.get("base_copies", 1)
    counts: Mapping[str, int] = given["items_by_dice"]
    extra = own_catalog().extra
    return {"cards": sum(items * (base + extra(players, int(dice))) for dice, items in counts.items())}


def _extra_copies(given: Given) -> Answer:
    return {"extra": own_catalog().extra(given["players"], given["item_dice"])}


def _upgrade(given: Given) -> Answer:
    """An opponent's Forging, or Belinda's own, and the exchange that she asks for."""
    give_side, take_side = (SIDES[given.get(f"{whose}_side", "offence")] for whose in ("own", "forged"))
    give, take = str(given.get("give", "Own Card")), str(given.get("take", "Forged Card"))
    forged = list(given.get("forged", [take] if given.get("just_forged", True) else ["Other Card"]))
    own_value = _value(give, given.get("own_item_dice"))
    held = given.get("belinda_hand", given.get("hand", [give]))
    named = {
        give: (give, own_value, give_side),
        take: (take, _value(take, given.get("forged_item_dice")), take_side),
        "Other Card": ("Other Card", 3, take_side),
    }
    forger = "belinda" if given.get("forger") == "Belinda" else "gor"
    hand = [named[name] for name in held if name in named]
    # Who has nothing to exchange at all is not asked; a big card is always one to exchange.
    hand += [("Big Card", 5, Side.OFFENCE)] if held and forger == "gor" else []
    stored = [named.get(name, (name, _value(name, None), Side.DEFENCE)) for name in [*forged, take]]
    seats = [
        Seat(id="gor", champion="Gor"),
        Seat(
            id="belinda",
            champion="Belinda",
            power_left=bool(given.get("power_left", True)),
            offence=[(name, value) for name, value, side in hand if side is Side.OFFENCE],
            defence=[(name, value) for name, value, side in hand if side is Side.DEFENCE],
        ),
    ]
    game = sat_down(seats, turn=forger, dice={"hoard": "MMMMMWWWA"}, stored=stored)
    game.enter("Craft", forger)
    exchange = {"give": card_id(give), "take": card_id(take)}
    if forger == "gor":
        game.enter("Forge", forger, items=[card_id(name) for name in forged])
    if not game.asked("upgrade") and not game.state.fighter("belinda").hand:
        return no("empty hand")
    refused = game.use("Upgrade", "belinda", Step.PLACED, **exchange)
    if refused is None:
        return {"legal": True}
    if "not_just_forged" in refused.codes and "forged" in given:
        return no("only the item just forged")
    return broken(refused)


def _value(name: str, dice: int | None) -> int:
    """What a card comes to: as the case has it, or as the Armory does."""
    found = item(name)
    return dice if dice is not None else 1 if found is None else found.value


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
