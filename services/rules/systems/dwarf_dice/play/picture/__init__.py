"""The table as a picture: the Forge, the Armory on both sides of it, and the champions around."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

from services.rules.engine.board import NAMESPACE, clean
from services.rules.engine.wording import counted
from services.rules.systems.dwarf_dice.catalog import Catalog
from services.rules.systems.dwarf_dice.items import WIDTH, Side
from services.rules.systems.dwarf_dice.play.layout import laid_at
from services.rules.systems.dwarf_dice.play.outcome import outcome
from services.rules.systems.dwarf_dice.play.picture import svg
from services.rules.systems.dwarf_dice.play.picture.svg import box, card, card_back, dice_row, die, gem, text
from services.rules.systems.dwarf_dice.play.state import Combat, Fighter, Table
from services.rules.systems.dwarf_dice.resources import Resource

WIDE, HIGH = 1200, 800
COLUMN = 200
"""Width of the Armory on either side."""
PANEL_WIDE, PANEL_HIGH = 380, 222
SQUARE = 74
"""Side of a square of the Forge."""
FORGE_X, FORGE_Y = (WIDE - WIDTH * SQUARE) / 2, 312
INK_OUT = "#a3342c"
"""Ink of what there is no more of."""
SEATS = ((212, 62), (608, 62), (608, 566), (212, 566))
"""Where up to four champions sit, clockwise from the top left."""


def picture(state: Table, catalog: Catalog) -> str:
    """A game, or what a viewer sees of it, as the text of an SVG file."""
    root = Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {WIDE} {HIGH}",
            "width": str(WIDE),
            "height": str(HIGH),
            "role": "img",
            "font-family": svg.FONT,
        },
    )
    SubElement(root, "title").text = clean(state.title)
    SubElement(root, "desc").text = clean(described(state, catalog))
    box(root, 0, 0, WIDE, HIGH, fill="#e9dcc0")
    heading = svg.shortened(state.title, 60)
    text(root, WIDE / 2, 40, heading, 26, anchor="middle", bold=True)
    _armory(root, state, catalog, Side.OFFENCE, 8)
    _armory(root, state, catalog, Side.DEFENCE, WIDE - COLUMN + 2)
    for one, (x, y) in zip(state.fighters, SEATS, strict=False):
        _fighter(root, (x, y), one, state, catalog)
    _forge(root, state)
    _hoard(root, state)
    if state.combat is not None:
        _combat(root, state, state.combat, catalog)
    if state.ending is not None:
        _ending(root, outcome(state).text)
    return tostring(root, encoding="unicode")


def described(state: Table, catalog: Catalog) -> str:
    """The picture in words."""
    told = [f"Round {state.round}."]
    for one in state.fighters:
        hand = [catalog.names_of((held,)) for held in one.hand]
        hidden = [f"{one.face_down} face down"] if one.face_down else []
        holds = ", ".join((*hand, *hidden)) or "no cards"
        how = "is out" if one.out else f"has {one.endurance} Endurance and {holds}"
        told.append(f"{one.name} {how}.")
    if state.ending is not None:
        told.append(outcome(state).text)
    return " ".join(told)


def _armory(root: Element, state: Table, catalog: Catalog, side: Side, x: float) -> None:
    """One side of the Armory: patterns, values and the copies that are left."""
    colour = svg.OFFENCE if side is Side.OFFENCE else svg.DEFENCE
    group = SubElement(root, "g")
    text(group, x + 4, 60, side.value.capitalize(), 17, fill=colour, bold=True)
    items = [item for item in catalog.armory if item.side is side]
    step = min(84, (HIGH - 90) / len(items))
    for place, item in enumerate(items):
        y = 72 + place * step
        left = state.stock[item.id]
        row = SubElement(group, "g", {} if left else {"opacity": "0.4"})
        box(row, x, y, COLUMN - 10, step - 8, fill=svg.PAPER, edge=(colour, 1), round_=5)
        svg.pattern(row, x + 8, y + 8, (step - 24) / WIDTH, item.pattern)
        beside = x + step - 4
        text(row, beside, y + 24, svg.shortened(item.name, 15), 13, bold=True)
        text(row, beside, y + 42, counted(item.value, "die", "dice"), 12)
        text(row, beside, y + 60, f"{left} left", 12, fill=svg.PALE if left else INK_OUT)


def _fighter(
    root: Element, corner: tuple[float, float], one: Fighter, state: Table, catalog: Catalog
) -> None:
    """A champion: name, Endurance Tracker, gem and hand."""
    x, y = corner
    group = SubElement(root, "g", {"opacity": "0.45"} if one.out else {})
    turn = one.id == state.turn and state.ending is None
    edge = ("#7b3f8c", 3) if turn else (svg.PALE, 1)
    box(
        group,
        x,
        y,
        PANEL_WIDE,
        PANEL_HIGH,
        fill=svg.PAPER,
        edge=edge,
        round_=8,
    )
    text(group, x + 12, y + 25, ("▸ " if turn else "") + svg.shortened(one.name, 28), 17, bold=True)
    champion = catalog.champions.get(one.champion)
    text(group, x + 12, y + 44, "no champion yet" if champion is None else champion.name, 12, fill=svg.PALE)
    if champion is not None:
        active = catalog.powers[champion.active].name
        gem(group, x + PANEL_WIDE - 18, y + 20, 7, left=one.power_left)
        text(group, x + PANEL_WIDE - 32, y + 25, active, 12, anchor="end")
    _tracker(group, x + 12, y + 56, one, state.rules.endurance)
    if one.out:
        text(group, x + PANEL_WIDE - 14, y + 44, "out", 14, anchor="end", fill=INK_OUT, bold=True)
    _hand(group, x + 12, y + 92, one, catalog)


def _tracker(group: Element, x: float, y: float, one: Fighter, full: int) -> None:
    """The Endurance Tracker, from full to 0, with the gem where it stands."""
    step = min(28, (PANEL_WIDE - 24) / (full + 1))
    stands = min(max(one.endurance, 0), full)
    for place, number in enumerate(range(full, -1, -1)):
        here = number == stands
        fill = "#7b3f8c" if here else svg.STONE if number < stands else "none"
        box(group, x + place * step, y, step - 4, 22, fill=fill, edge=(svg.PALE, 1), round_=4)
        ink = "#ffffff" if here else svg.INK
        text(group, x + place * step + step / 2 - 2, y + 16, str(number), 12, anchor="middle", fill=ink)


def _hand(group: Element, x: float, y: float, one: Fighter, catalog: Catalog) -> None:
    """The cards of a hand in three columns, smaller where they are many."""
    count = len(one.hand) + one.face_down
    rows = max(4, -(-count // 3))
    wide, high = (PANEL_WIDE - 24) / 3, (PANEL_HIGH - 98) / rows
    for place in range(count):
        at = (x + place % 3 * wide, y + place // 3 * high, wide - 5, high - 4)
        if place < len(one.hand):
            item = catalog.armory[one.hand[place]]
            fill = svg.OFFENCE if item.side is Side.OFFENCE else svg.DEFENCE
            card(group, *at, item.name, item.value, fill)
        else:
            card_back(group, *at)


def _forge(root: Element, state: Table) -> None:
    """The Forge with what lies on it."""
    group = SubElement(root, "g")
    side = WIDTH * SQUARE
    box(group, FORGE_X - 8, FORGE_Y - 8, side + 16, side + 16, fill="#5c4a3a", round_=10)
    crafting = state.crafting
    for place in range(WIDTH * WIDTH):
        x, y = FORGE_X + place % WIDTH * SQUARE, FORGE_Y + place // WIDTH * SQUARE
        box(group, x + 2, y + 2, SQUARE - 4, SQUARE - 4, fill="#b7a487", edge=(svg.INK, 1), round_=6)
    if crafting is None:
        return
    for square in crafting.nulls:
        x, y = FORGE_X + square.x * SQUARE, FORGE_Y + square.y * SQUARE
        die(group, x + 10, y + 10, SQUARE - 20, Resource.NULL)
    for number, work in enumerate(crafting.works, start=1):
        laid = laid_at(work)
        for place in range(WIDTH * WIDTH):
            if laid.squares >> place & 1:
                x, y = FORGE_X + place % WIDTH * SQUARE, FORGE_Y + place // WIDTH * SQUARE
                shows = Resource.METAL if laid.metal >> place & 1 else Resource.WOOD
                die(group, x + 10, y + 10, SQUARE - 20, shows)
                text(group, x + SQUARE - 22, y + 24, str(number), 12, fill="#ffffff", bold=True)


def _hoard(root: Element, state: Table) -> None:
    """The Hoard, on the left of the Forge."""
    crafting = state.crafting
    if crafting is None:
        return
    x, y = 222, FORGE_Y
    group = SubElement(root, "g")
    text(
        group,
        x,
        y + 4,
        f"Hoard of {svg.shortened(state.fighter(crafting.crafter).name, 20)}",
        14,
        bold=True,
    )
    end = dice_row(group, x, y + 16, 40, crafting.rolled, a_row=5)
    hoard = crafting.hoard
    left = f"{hoard.metal} Metal, {hoard.wood} Wood, {hoard.alchemy} Alchemy"
    text(group, x, end + 16, left, 13)
    waits = [f"{hoard.nulls} Null to place"] if hoard.nulls else []
    waits += [f"{hoard.aside} Null aside"] if hoard.aside else []
    text(group, x, end + 36, ", ".join(waits), 13, fill=INK_OUT)


def _combat(root: Element, state: Table, combat: Combat, catalog: Catalog) -> None:
    """The combat, on the right of the Forge: cards and dice of both sides."""
    x, y = FORGE_X + WIDTH * SQUARE + 24, FORGE_Y - 6
    group = SubElement(root, "g")
    sides = (
        ("Attack", combat.attacker, combat.attack, combat.attack_roll, svg.OFFENCE),
        ("Defence", combat.defender, combat.defence, combat.defence_roll, svg.DEFENCE),
    )
    for word, who, cards, dice, colour in sides:
        name = svg.shortened(state.fighter(who).name, 20)
        text(group, x, y + 12, f"{word}: {name}", 14, fill=colour, bold=True)
        names = catalog.names_of(cards) if combat.revealed else "is choosing"
        text(group, x, y + 30, svg.shortened(names, 40), 12)
        counting = combat.crits if word == "Attack" else combat.counters
        aside = frozenset(
            place for place, shows in enumerate(dice) if shows is Resource.ALCHEMY and not counting
        )
        dice_row(group, x, y + 40, 34, dice, a_row=6, faint=aside)
        if word == "Defence":
            for place in combat.blocks:
                box(group, x + place * 39.1 - 2, y + 38, 38, 38, edge=("#2f7d4f", 3), round_=7)
        y += 112


def _ending(root: Element, words: str) -> None:
    box(root, 330, HIGH / 2 - 40, WIDE - 660, 64, fill=svg.PAPER, edge=("#7b3f8c", 3), round_=10)
    line = svg.shortened(words, 58)
    text(root, WIDE / 2, HIGH / 2, line, 20, anchor="middle", bold=True)
