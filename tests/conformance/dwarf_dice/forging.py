"""Cases of Crafting: Hoards, Nulls, patterns, what may be forged, the Armory, Upgrade!."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import cast

from services.rules.engine.conformance import Area, UnsupportedCaseError
from services.rules.engine.play import Viewer
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.catalog import own_catalog
from services.rules.systems.dwarf_dice.items import SQUARES, WIDTH, Side
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.powers import Step
from tests.conformance.dwarf_dice.games import Case, Seat, card_id, sat_down
from tests.conformance.dwarf_dice.reasons import Answer, Given, broken, item, no

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


def _forge(
    items: Iterable[tuple[str, Side, Sequence[str]]],
    dice: str,
    nulls: Iterable[Sequence[int]] = (),
    *,
    champion: str = "",
    most_extra: int | None = None,
    stock: Mapping[str, int] | None = None,
) -> Case:
    """A crafter before the Forge, all Nulls placed.

    Args:
        items: Cards by name, side and pattern; there are plenty of each, and no others.
        dice: The Hoard, all but the Nulls.
        nulls: Spaces on which they lie.
        champion: The crafter's.
        most_extra: How many additional items the table allows to Adaptability.
        stock: Copies in the Armory, by name, where they are counted.
    """
    cards, spaces = tuple(items), tuple(nulls)
    patterns = {name: tuple(rows) for name, _, rows in cards}
    copies = {card_id(name): PLENTY_OF_COPIES for name in patterns}
    copies |= {card_id(name): count for name, count in (stock or {}).items()}

    def laid_out(table: Table) -> Table:
        rules = replace(table.rules, hoard=len(dice) + len(spaces))
        if most_extra is not None:
            rules = replace(rules, adaptability_items=most_extra)
        return replace(table, rules=rules, stock=dict.fromkeys(table.stock, 0) | copies)

    game = sat_down(
        [Seat(id="crafter", champion=champion), Seat(id="neighbour")],
        dice={"hoard": dice + "N" * len(spaces)},
        stored=[(name, sum(map(len, "".join(rows).split("."))), side) for name, side, rows in cards],
        patterns=patterns,
        change=laid_out,
    )
    game.enter("Craft", "crafter")
    game.decline()
    if game.asked("nulls"):
        refused = game.enter("PlaceNulls", "neighbour", squares=_squares(spaces))
        if refused is not None:
            raise UnsupportedCaseError(str(refused))
    return game


PLENTY_OF_COPIES = 9


def _pattern_match(given: Given) -> Answer:
    """Where dice that lie there pay for a pattern, among all the ways in which the game offers to lay it."""
    game = _forge([("It", Side.OFFENCE, given["pattern"])], "A" * SQUARES)
    offers = game.at.legal("crafter", Viewer(gm=True))
    ways = [
        choice.value
        for offer in offers
        if offer.move["kind"] == "Lay" and offer.move["item"] == card_id("It")
        for field in offer.fields
        for choice in field.choices
    ]
    lie = "".join(given["forge"])
    found = {_places(way) for way in ways if all(map(_stands_for, lie, way))}
    return {"matches": bool(found), "placements": len(found)}


def _stands_for(die: str, sign: str) -> bool:
    """Whether a die that lies there can be laid as that sign; Alchemy is laid as either."""
    return sign in (".", *SIGNS.get(die, ()))


SIGNS = {"M": "M", "W": "W", "A": "MW"}
"""What a die can be laid as."""


def _places(signs: str) -> tuple[int, ...]:
    return tuple(place for place, sign in enumerate(signs) if sign != ".")


def _forge_feasible(given: Given) -> Answer:
    """Free placement of the dice: the patterns fit beside the Nulls, and the dice suffice."""
    patterns, pool = given["patterns"], given["pool"]
    if len(patterns) > len(ONE_OF_EACH):
        raise UnsupportedCaseError(f"{len(patterns)} items at once")
    items = [(*card, rows) for card, rows in zip(ONE_OF_EACH, patterns, strict=False)]
    dice = "".join(sign * int(pool.get(sign, 0)) for sign in "MWA")
    game = _forge(items, dice, given.get("nulls", ()), champion="Gor", most_extra=len(ONE_OF_EACH))
    refused = game.enter("Forge", "crafter", items=[card_id(name) for name, _, _ in items])
    if refused is not None and not NOT_TOGETHER & set(refused.codes):
        raise UnsupportedCaseError(str(refused))
    return {"feasible": refused is None}


NOT_TOGETHER = {"resources_short", "no_room", "extra_of_other_kind"}
"""Why items that are there cannot be forged at once."""

ONE_OF_EACH = (
    ("Blade", Side.OFFENCE),
    ("Shield", Side.DEFENCE),
    ("Buckler", Side.DEFENCE),
    ("Dagger", Side.OFFENCE),
)
"""One item a side, and those that Adaptability adds."""


def _forge_claim(given: Given) -> Answer:
    """Items that a player lays out on the Forge, each on its spaces."""
    claimed: Sequence[Given] = given["items"]
    lie = "".join(given["forge"])
    cards = [(str(it["name"]), SIDES[it["side"]], it["pattern"]) for it in claimed]
    ids = [card_id(name) for name, _, _ in cards]
    nulls = [divmod(place, WIDTH) for place, die in enumerate(lie) if die == "N"]
    dice = "".join(die for die in lie if die in SIGNS)
    champion = str(given.get("champion", ""))
    at_once, game = (_forge(cards, dice, nulls, champion=champion) for _ in range(2))
    together = at_once.enter("Forge", "crafter", items=ids)
    if together is not None and not {"resources_short", "no_room"} & set(together.codes):
        return broken(together)
    for it, card in zip(claimed, ids, strict=True):
        spaces = [(row, column) for row, column in it["spaces"]]
        refused = _laid(game, card, lie, spaces)
        if len(set(spaces)) < len(spaces) or (refused and "square_taken" in refused.codes):
            return no("shared die")
        if refused is not None:
            return no(f"{it['name']} does not match{_lying(refused, spaces)}")
    if "armory" in given:
        counted = _forge(cards, dice, nulls, champion=champion, stock=given["armory"])
        lacking = counted.enter("Forge", "crafter", items=ids)
        if lacking is not None and "out_of_stock" in lacking.codes:
            return no("no copy left")
    return {"legal": True}


def _laid(game: Case, card: str, lie: str, spaces: Sequence[tuple[int, int]]) -> Problems | None:
    """Lays a card on its spaces, each Alchemy as what makes it fit; what is wrong where nothing does."""
    places = {row * WIDTH + column for row, column in spaces}
    signs = [SIGNS.get(die, ".") if place in places else "." for place, die in enumerate(lie)]
    refused = None
    for at in map("".join, product(*signs)):
        refused = game.enter("Lay", "crafter", item=card, at=at)
        if refused is None:
            return None
    return refused


def _lying(refused: Problems, spaces: Sequence[tuple[int, int]]) -> str:
    """How two spaces lie, where that is what is wrong with them."""
    places = tuple(sorted(row * WIDTH + column for row, column in spaces))
    allowed = [cast("Sequence[str]", problem.allowed) for problem in refused if problem.path == ("at",)]
    if len(spaces) != 2 or any(_places(way) == places for ways in allowed for way in ways):
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
"""The card of an attacker who has none in the case."""


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
