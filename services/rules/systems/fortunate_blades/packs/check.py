"""Checks a pack beside the content it is to be added to; what is short is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from services.rules.engine.content import CONTENT_ID, Shelf
from services.rules.engine.packs import FindingKind, PackFinding, PackReport
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.fortunate_blades.catalog import (
    SLUG,
    Background,
    Blade,
    Catalog,
    Loot,
    Talent,
    Trade,
)
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME, LONGEST_TEXT
from services.rules.systems.fortunate_blades.packs.entries import ContentPack, HouseRules, ListName
from services.rules.systems.fortunate_blades.packs.shelves import entries, extend, shelf_of
from services.rules.systems.fortunate_blades.terms import Quantity, Tag
from services.rules.systems.fortunate_blades.world import seed_problems

PACK_RULE = "Content packs"
MOST_ENTRIES = 500
MOST_ADDED = 10
MOST_COST = 9
MOST_SLOTS = 200
USUAL_BONUS = 3
DIE = range(1, 7)
"""Faces of the entanglement die (P9)."""


BOUNDS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "fortune": (1, 30),
        "slots": (1, 20),
        "ranks": (0, 12),
        "resistant_levels": (1, 2),
        "serious_harm": (0, 4),
        "group_track": (1, 30),
        "talent_track": (1, 30),
    }
)


def check(pack: ContentPack, catalog: Catalog) -> PackReport | Problems:
    """Everything that is wrong with a pack beside some content; else what there is to know about it."""
    if problems := tuple(_too_many(pack)):
        return Problems(problems)
    extended = extend(catalog, pack)
    problems = (
        *_id_problems(pack, catalog),
        *_text_problems(pack),
        *_reference_problems(extended, pack),
        *_talent_problems(pack.talents),
        *_figure_problems(pack),
        *_rule_problems(pack.rules),
        *shortages(extended, pack),
    )
    if problems:
        return Problems(problems)
    added = tuple(entry.id for name in ListName for entry in entries(pack, name))
    return PackReport(adds=added, findings=tuple(_findings(pack)))


def _too_many(pack: ContentPack) -> Iterator[RuleProblem]:
    for name in ListName:
        found = len(entries(pack, name))
        if found > MOST_ENTRIES:
            text = f"A list of a pack has at most {MOST_ENTRIES} entries."
            yield RuleProblem("too_many_entries", text, PACK_RULE, (name.value,), found, MOST_ENTRIES)
        for place, entry in enumerate(entries(pack, name)[:MOST_ENTRIES]):
            for inner in ("talents", "on", "tags"):
                length, path = len(getattr(entry, inner, ())), (name.value, place, inner)
                if length > MOST_ENTRIES:
                    text = "This list is far too long."
                    yield RuleProblem("list_too_long", text, PACK_RULE, path, length, MOST_ENTRIES)


def _id_problems(pack: ContentPack, catalog: Catalog) -> Iterator[RuleProblem]:
    for name in ListName:
        shelf = shelf_of(catalog, name)
        wanted, seen = f"{SLUG}:{shelf.kind}/", set[str]()
        for place, entry in enumerate(entries(pack, name)):
            path: KeyPath = (name.value, place, "id")
            if not CONTENT_ID.fullmatch(entry.id) or not entry.id.startswith(wanted):
                text = "An id has the game, the kind of its list, and a name in lower-case words."
                found, allowed = entry.id[:LONGEST_NAME], f"{wanted}..."
                yield RuleProblem("id_malformed", text, PACK_RULE, path, found, allowed)
            elif entry.id in seen:
                yield RuleProblem("id_repeated", "The pack has it twice.", PACK_RULE, path, entry.id)
            elif entry.id in shelf and name not in pack.replaces:
                text = "The content has an entry of this id already."
                yield RuleProblem("id_taken", text, PACK_RULE, path, entry.id)
            seen.add(entry.id)


_TEXTS = (("name", LONGEST_NAME), ("text", LONGEST_TEXT))
_MORE_TEXTS = ("complication", "question", "secret", "when")


def _text_problems(pack: ContentPack) -> Iterator[RuleProblem]:
    for name in ListName:
        for place, entry in enumerate(entries(pack, name)):
            for field, longest in _TEXTS:
                path: KeyPath = (name.value, place, field)
                length = len(getattr(entry, field).strip())
                if not 1 <= length <= longest:
                    text = f"From 1 to {longest} characters are needed."
                    yield RuleProblem("text_out_of_range", text, PACK_RULE, path, length, (1, longest))
            for field in _MORE_TEXTS:
                length = len(getattr(entry, field, ""))
                if length > LONGEST_TEXT:
                    text, at = f"At most {LONGEST_TEXT} characters fit.", (name.value, place, field)
                    yield RuleProblem("text_out_of_range", text, PACK_RULE, at, length, (0, LONGEST_TEXT))


def _reference_problems(extended: Catalog, pack: ContentPack) -> Iterator[RuleProblem]:
    """References of the pack, and of what it leaves in place, to what there is not (any more)."""
    for name, field, place, found, shelf in _references(extended, pack):
        if found not in shelf:
            text = f"There is no such {shelf.kind.replace('_', ' ')}."
            path: KeyPath = ("replaces",) if place < 0 else (name.value, place, *field)
            yield RuleProblem("reference_unknown", text, PACK_RULE, path, found[:LONGEST_NAME])


Reference = tuple[ListName, KeyPath, int, str, Shelf[Any]]


def _references(extended: Catalog, pack: ContentPack) -> Iterator[Reference]:
    """Every reference of the content: its list, field and place in the pack (-1 for none), and its shelf."""
    for name in (ListName.BACKGROUNDS, ListName.TRADES, ListName.BLADES, ListName.LOOT):
        places = {entry.id: place for place, entry in enumerate(entries(pack, name))}
        for entry in shelf_of(extended, name):
            place = places.get(entry.id, -1)
            for field, found in _referred(entry):
                shelf: Shelf[Any] = extended.gear if name is ListName.LOOT else extended.talents
                yield name, field, place, found, shelf


def _referred(entry: Any) -> Iterator[tuple[KeyPath, str]]:
    match entry:
        case Trade():
            yield ("starting",), entry.starting
            yield from ((("talents", place), one) for place, one in enumerate(entry.talents))
        case Background() | Blade():
            yield from ((("talents", place), one) for place, one in enumerate(entry.talents))
        case Loot() if entry.gear:
            yield ("gear",), entry.gear


def _talent_problems(talents: Sequence[Talent]) -> Iterator[RuleProblem]:
    quantities, tags = tuple(Quantity), tuple(Tag)
    for place, talent in enumerate(talents):
        path: KeyPath = ("talents", place)
        for quantity, value in talent.adds.items():
            if quantity not in quantities:
                text = "Nothing reads such a quantity."
                yield RuleProblem("quantity_unknown", text, PACK_RULE, (*path, "adds"), quantity, quantities)
            elif not -MOST_ADDED <= value <= MOST_ADDED or value == 0:
                text, bounds = f"From -{MOST_ADDED} to {MOST_ADDED}, and not 0.", (-MOST_ADDED, MOST_ADDED)
                at = (*path, "adds", quantity)
                yield RuleProblem("figure_out_of_range", text, PACK_RULE, at, value, bounds)
        for at_tag, tag in enumerate(talent.tags):
            if tag not in tags:
                text = "No rule asks for such a tag."
                yield RuleProblem("tag_unknown", text, PACK_RULE, (*path, "tags", at_tag), tag, tags)
        if not talent.adds and not talent.tags:
            text = "A talent adds something, or has a tag."
            yield RuleProblem("talent_does_nothing", text, PACK_RULE, path, talent.id)
        if not 0 <= talent.cost <= MOST_COST:
            text, bounds = f"One use costs from 0 to {MOST_COST} Fortune.", (0, MOST_COST)
            yield RuleProblem("figure_out_of_range", text, PACK_RULE, (*path, "cost"), talent.cost, bounds)


def _figures(pack: ContentPack) -> Iterator[tuple[KeyPath, int, tuple[int, int]]]:
    """Every further figure of a pack with its bounds."""
    for place, act in enumerate(pack.final_acts):
        for field in ("ticks", "fortune", "heals"):
            yield ("final_acts", place, field), getattr(act, field), (0, 20)
    for place, fact in enumerate(pack.facts):
        yield ("facts", place, "ticks"), fact.ticks, (0, MOST_ADDED)
    for place, one in enumerate(pack.entanglements):
        yield ("entanglements", place, "face"), one.face, (DIE[0], DIE[-1])
    for place, thing in enumerate(pack.gear):
        yield ("gear", place, "slots"), thing.slots, (0, MOST_SLOTS)
        yield ("gear", place, "holds"), thing.holds, (0, MOST_SLOTS)
        if thing.uses is not None:
            yield ("gear", place, "uses"), thing.uses, (1, MOST_SLOTS)


def _figure_problems(pack: ContentPack) -> Iterator[RuleProblem]:
    for path, found, bounds in _figures(pack):
        if not bounds[0] <= found <= bounds[1]:
            text = f"It is from {bounds[0]} to {bounds[1]}."
            yield RuleProblem("figure_out_of_range", text, PACK_RULE, path, found, bounds)
    for place, act in enumerate(pack.final_acts):
        if not (act.fills or act.ticks or act.fortune or act.heals):
            text = "A final act does something."
            yield RuleProblem("act_does_nothing", text, PACK_RULE, ("final_acts", place), act.id)
    for place, fact in enumerate(pack.facts):
        if not (fact.ticks or fact.lucky):
            text = "A fact does something."
            yield RuleProblem("fact_does_nothing", text, PACK_RULE, ("facts", place), fact.id)
    for name in (ListName.PLACES, ListName.FORCES):
        for place, seed in enumerate(entries(pack, name)):
            yield from seed_problems(seed, (name.value, place))
    for place, thing in enumerate(pack.gear):
        for at_tag, tag in enumerate(thing.tags):
            if tag not in tuple(Tag):
                text, path = "No rule asks for such a tag.", ("gear", place, "tags", at_tag)
                yield RuleProblem("tag_unknown", text, PACK_RULE, path, tag, tuple(Tag))


def _rule_problems(house: HouseRules | None) -> Iterator[RuleProblem]:
    for name, bounds in BOUNDS.items() if house is not None else ():
        found = getattr(house, name)
        if found is not None and not bounds[0] <= found <= bounds[1]:
            text = f"It is from {bounds[0]} to {bounds[1]}."
            yield RuleProblem("figure_out_of_range", text, PACK_RULE, ("rules", name), found, bounds)


def shortages(catalog: Catalog, pack: ContentPack) -> Iterator[RuleProblem]:
    """Lists with fewer entries than a table can play with (J9); of trades, the talents of each as well.

    Args:
        catalog: The content with the pack in it.
        pack: The pack, for the place of a trade in it.
    """
    least = catalog.rules.minimums
    needed = (
        (ListName.BACKGROUNDS, least.backgrounds),
        (ListName.TRADES, least.trades),
        (ListName.BLADES, least.blades),
        (ListName.PERSONAL_QUESTS, least.personal_quests),
        (ListName.FINAL_ACTS, least.final_acts),
        (ListName.FACTS, least.facts),
    )
    for name, fewest in needed:
        found = len(shelf_of(catalog, name))
        if found < fewest:
            text = f"A table needs at least {fewest}."
            yield RuleProblem("too_few_entries", text, PACK_RULE, (name.value,), found, fewest)
    for place, trade in enumerate(pack.trades):
        had = len(set(trade.all_talents))
        if had < least.talents_per_trade:
            text = f"A trade has at least {least.talents_per_trade} talents."
            path = (ListName.TRADES.value, place, "talents")
            yield RuleProblem("too_few_entries", text, PACK_RULE, path, had, least.talents_per_trade)
    for name in (ListName.BACKGROUNDS, ListName.BLADES):
        for place, entry in enumerate(entries(pack, name)):
            if not entry.talents:
                text, path = "It offers at least one talent.", (name.value, place, "talents")
                yield RuleProblem("too_few_entries", text, PACK_RULE, path, 0, 1)
    for name in (ListName.PLACES, ListName.FORCES, ListName.LOOT, ListName.GEAR):
        if not len(shelf_of(catalog, name)):
            text = "A table needs at least one."
            yield RuleProblem("too_few_entries", text, PACK_RULE, (name.value,), 0, 1)
    faces = {one.face for one in catalog.entanglements}
    if missing := tuple(face for face in DIE if face not in faces):
        text = "Each face of the d6 brings an entanglement."
        yield RuleProblem(
            "face_missing", text, PACK_RULE, (ListName.ENTANGLEMENTS.value,), missing, tuple(DIE)
        )


def _findings(pack: ContentPack) -> Iterator[PackFinding]:
    for place, thing in enumerate(pack.gear):
        if thing.armor is not None and thing.slots != thing.armor.bonus:
            yield PackFinding(
                kind=FindingKind.DIFFERENCE,
                code="armor_slots_differ",
                message="Armour takes as many slots as it adds to Saves; special armour may not.",
                rule="Armor [P5]",
                path=("gear", place, "slots"),
                stated=thing.slots,
                computed=thing.armor.bonus,
                working=f"{thing.armor.magnitude.value} armour: {thing.armor.bonus}",
            )
    for place, talent in enumerate(pack.talents):
        high = [quantity for quantity, value in talent.adds.items() if abs(value) > USUAL_BONUS]
        for quantity in high:
            yield PackFinding(
                kind=FindingKind.ADVICE,
                code="talent_is_strong",
                message=f"More than {USUAL_BONUS} outweighs what an attribute can be.",
                rule="The Attributes",
                path=("talents", place, "adds", quantity),
                stated=talent.adds[quantity],
            )
