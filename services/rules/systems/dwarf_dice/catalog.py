"""The game's content as frozen data: what the TOML files in `content` hold, and how it is found.

Numbers and names are the book's where it prints them; every sentence, and the Armory's patterns, are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from services.rules.engine.content import ContentError, Shelf, load_settings, load_shelf, slug_of
from services.rules.engine.effects import Stacking
from services.rules.engine.problem import RuleProblem
from services.rules.engine.wording import listed
from services.rules.systems.dwarf_dice.craft_odds import craft_odds
from services.rules.systems.dwarf_dice.forge import Blank, Smithy, blockers, room
from services.rules.systems.dwarf_dice.items import ArmoryItem, PrintedItem, Side, is_pattern, needs
from services.rules.systems.dwarf_dice.settings import TableRules, rules_problems

SLUG = "dwarf_dice"
LEAST_OF_A_SIDE = 7
BIG = 5
USUAL_VALUES = (1, 2, 3, BIG)


class PowerKind(Enum):
    """How often a power may be used: any number of times, or once in a game.

    Attributes:
        PASSIVE: Any number of times.
        ACTIVE: Once in a game.
    """

    PASSIVE = "passive"
    ACTIVE = "active"


class PowerEffect:
    """Content ids of powers, where a rule asks for one by name (`content/powers.toml`)."""

    MARK_OF_QUALITY = "dwarf_dice:power/mark-of-quality"
    FORGES_FURY = "dwarf_dice:power/forges-fury"
    FIERY_REBUKE = "dwarf_dice:power/fiery-rebuke"
    DARK_PACT = "dwarf_dice:power/dark-pact"
    ADAPTABILITY = "dwarf_dice:power/adaptability"
    FURIOUS_ASSAULT = "dwarf_dice:power/furious-assault"
    SHRINK_RAY = "dwarf_dice:power/shrink-ray"
    UPGRADE = "dwarf_dice:power/upgrade"


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A power of a champion (Champions and Powers), or what a power lays on others: it lasts on its bearer.

    What neither numbers nor tags say is a function of `play.rules.powers`.

    Attributes:
        id: Content id.
        name: The word for people.
        kind: How often it may be used.
        text: What it does, in the words of the card.
        adds: What it adds to its bearer's `hoard_dice`, `attack_dice` and `defence_dice`.
        forbids: What its bearer may not do: `craft`, `challenge`, `pass`; `*` for all of these.
        tags: What its bearer counts as: who `shrinks` an opponent's equal dice, who `forges_more`.
        ends: Names of what ends it at once: its bearer is `hurt`, or `fought` in a combat that is over.
        stacking: What several of its kind on one bearer add up to.
        rule: Where it stands in the book.
    """

    id: str
    name: str
    kind: PowerKind
    text: str
    adds: Mapping[str, int] = field(default_factory=dict)
    forbids: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    stacking: Stacking = Stacking.SUM
    rule: str = "Champions and Powers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """A champion of a clan (Champions and Powers).

    Attributes:
        id: Content id.
        name: The word for people.
        clan: The champion's clan.
        text: What the book says of the champion.
        passive: Content id of the power that may be used any number of times.
        active: Content id of the power that may be used once.
    """

    id: str
    name: str
    clan: str
    text: str
    passive: str
    active: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraCopies:
    """A cell of the chart: extra copies of each item of a value (Setup).

    Attributes:
        players: Players of the game.
        value: Value of the items.
        extra: Extra copies of each of them.
    """

    players: int
    value: int
    extra: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """What lies in the box (Contents; Setup).

    Attributes:
        fewest_players: The fewest who can play.
        most_players: The most who can play.
        dice: Resource dice in the box.
        cards: Armory cards; with the most players all of them are in play.
        extra_copies: The chart.
    """

    fewest_players: int
    most_players: int
    dice: int
    cards: int
    extra_copies: tuple[ExtraCopies, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Words that names are drawn from.

    Attributes:
        first: Names that dwarves are given.
        nicknames: Names that they have earned.
    """

    first: tuple[str, ...]
    nicknames: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The whole content.

    Attributes:
        champions: Who can be played.
        powers: What champions can do, and what that lays on others.
        armory: The cards that can be forged.
        box: What lies in the box.
        rules: The table's settings.
        names: Words for names.
    """

    champions: Shelf[Champion]
    powers: Shelf[Power]
    armory: Shelf[ArmoryItem]
    box: Box
    rules: TableRules
    names: Names

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf."""
        return (self.champions, self.powers, self.armory)

    def has(self, champion: str, power: str) -> bool:
        """Whether a champion has a power, used up or not; none is had before champions are dealt."""
        found = self.champions.get(champion)
        return found is not None and power in (found.passive, found.active)

    def cheapest(self, side: Side) -> str:
        """The cheapest item of a side: the Dagger, the Buckler (Adaptability)."""
        return min((item for item in self.armory if item.side is side), key=lambda item: item.value).id

    def extra_items(self) -> frozenset[str]:
        """What Adaptability forges beyond one item a side."""
        return frozenset(self.cheapest(side) for side in Side)

    def copies(self, players: int) -> Mapping[str, int]:
        """The Armory for so many players: copies of each item (Setup)."""
        return {item.id: item.copies + self.extra(players, item.value) for item in self.armory}

    def extra(self, players: int, value: int) -> int:
        """The chart: extra copies of each item of a value."""
        chart = self.box.extra_copies
        return next((it.extra for it in chart if (it.players, it.value) == (players, value)), 0)

    def value(self, items: tuple[str, ...]) -> int:
        """What cards come to."""
        armory = self.armory.entries
        return sum(armory[item].value for item in items)

    def in_order(self, items: tuple[str, ...]) -> tuple[str, ...]:
        """Cards in the order of the Armory."""
        return tuple(sorted(items, key=self.armory.ids.index))

    def names_of(self, items: tuple[str, ...]) -> str:
        """Cards in words: "Dagger and Buckler"."""
        return listed([self.armory[item].name for item in items]) or "nothing"


@cache
def own_catalog() -> Catalog:
    """The content that comes with the game."""
    return load_catalog(files(__package__) / "content")


def load_catalog(folder: Traversable) -> Catalog:
    """Reads the content of a folder.

    Raises:
        ContentError: A file is malformed, or its Armory or settings are no game.
    """
    rules = load_settings(folder, "settings.toml", TableRules)
    box = load_settings(folder, "box.toml", Box)
    for broken in rules_problems(rules, box.dice):
        raise ContentError("settings.toml", broken.path, broken.message)
    printed = load_shelf(folder, "armory.toml", system=SLUG, kind="item", entry=PrintedItem)
    for broken in armory_problems(printed, box):
        raise ContentError("armory.toml", broken.path, f"{broken.message} ({broken.code})")
    entries = {item.id: _item(item, rules) for item in printed}
    return Catalog(
        champions=load_shelf(folder, "champions.toml", system=SLUG, kind="champion", entry=Champion),
        powers=load_shelf(folder, "powers.toml", system=SLUG, kind="power", entry=Power),
        armory=Shelf(SLUG, "item", "armory.toml", MappingProxyType(entries)),
        box=box,
        rules=rules,
        names=load_settings(folder, "names.toml", Names),
    )


def _item(printed: PrintedItem, rules: TableRules) -> ArmoryItem:
    metal, wood = needs(printed.pattern)
    shifting = rules.shifting
    return ArmoryItem(
        id=printed.id,
        name=printed.name,
        side=printed.side,
        pattern=printed.pattern,
        copies=printed.copies,
        text=printed.text,
        value=metal + wood,
        metal=metal,
        wood=wood,
        placements=len(room(printed.pattern, shifting=shifting)),
        blockers=blockers(printed.pattern, shifting=shifting),
        odds=craft_odds(printed.pattern, rules.faces, rules.hoard, shifting=shifting),
    )


def armory_problems(printed: Shelf[PrintedItem], box: Box) -> Iterator[RuleProblem]:
    """What makes cards no Armory (rulings of the small systems; checklist I3)."""
    rule = "Armory"
    for item in printed:
        slug = slug_of(item.id)
        if not is_pattern(item.pattern):
            text = "A pattern is three rows of three signs out of M, W and a dot, not all of them dots."
            found = "/".join(item.pattern)
            yield RuleProblem("pattern_malformed", text, rule, (slug, "pattern"), found)
            return
        metal, wood = needs(item.pattern)
        if (item.side is Side.OFFENCE and metal < wood) or (item.side is Side.DEFENCE and wood < metal):
            text = "Offence is mostly Metal, defence mostly Wood."
            yield RuleProblem("pattern_of_other_side", text, rule, (slug, "pattern"), f"{metal}M {wood}W")
        if metal + wood > box.dice // 2:
            text = "Nobody may bring so many dice into combat."
            yield RuleProblem("item_too_dear", text, rule, (slug, "pattern"), metal + wood, box.dice // 2)
        if item.copies < 1:
            text = "There is at least one copy."
            yield RuleProblem("copies_missing", text, rule, (slug, "copies"), item.copies, 1)
    for side in Side:
        values = sorted(sum(needs(item.pattern)) for item in printed if item.side is side)
        if len(values) < LEAST_OF_A_SIDE:
            text = f"Each side has at least {LEAST_OF_A_SIDE} items."
            yield RuleProblem("items_too_few", text, rule, (side.value,), len(values), LEAST_OF_A_SIDE)
        elif missing := sorted(set(USUAL_VALUES) - set(values)):
            text = "Each side has items of 1, 2 and 3 dice and a big one of 5."
            yield RuleProblem("value_missing", text, rule, (side.value,), tuple(missing), USUAL_VALUES)
        elif values[1] == values[0]:
            text = "One item of each side is the cheapest."
            yield RuleProblem("cheapest_unclear", text, rule, (side.value,), values[1])
    chart = {(it.players, it.value): it.extra for it in box.extra_copies}
    cards = sum(item.copies + chart.get((box.most_players, sum(needs(item.pattern))), 0) for item in printed)
    if cards != box.cards:
        text = "With the most players all cards of the box are in play."
        yield RuleProblem("cards_do_not_fit_box", text, rule, ("copies",), cards, box.cards)


@cache
def smithy(
    catalog_items: tuple[Blank, ...], extra: frozenset[str], most_extra: int, shifting: bool
) -> Smithy:
    """The solver for these items; built once."""
    return Smithy(catalog_items, extra, most_extra, shifting=shifting)


class Forges:
    """The solvers of a catalog, one for each way a table may forge."""

    def __init__(self, catalog: Catalog) -> None:
        self._blanks = tuple(Blank(item.id, item.side, item.pattern) for item in catalog.armory)
        self._extra = catalog.extra_items()
        self._known: dict[tuple[int, bool], Smithy] = {}

    def of(self, rules: TableRules) -> Smithy:
        """The solver for a table's rules."""
        key = (rules.adaptability_items, rules.shifting)
        if key not in self._known:
            self._known[key] = smithy(self._blanks, self._extra, *key)
        return self._known[key]
