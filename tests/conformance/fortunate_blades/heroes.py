"""Answers cases of making a hero, and of what a hero carries, by building heroes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from services.rules.engine.problem import Problems
from services.rules.systems.fortunate_blades import SYSTEM
from services.rules.systems.fortunate_blades.catalog import (
    SLUG,
    Armor,
    Background,
    Blade,
    Catalog,
    Gear,
    Trade,
)
from services.rules.systems.fortunate_blades.choices import (
    BackgroundChoice,
    BladeChoice,
    CarriedGear,
    HeroChoices,
    QuestChoice,
    Ranks,
    TradeChoice,
)
from services.rules.systems.fortunate_blades.gear import slots_used, use_problem
from services.rules.systems.fortunate_blades.packs import PACKS, ContentPack
from services.rules.systems.fortunate_blades.sheet import HeroSheet
from services.rules.systems.fortunate_blades.terms import Group, Magnitude, TalentUse
from tests.conformance.fortunate_blades.lists import talent
from tests.conformance.fortunate_blades.reading import Answer, Given, only

HERO = SYSTEM.examples["witch"]
MOST = 9
"""Talents that each entry of a made-up pack offers; a case takes as many as it says."""


def _id(kind: str, slug: str) -> str:
    return f"{SLUG}:{kind}/{slug}"


def _talents(slug: str, many: int) -> tuple[str, ...]:
    return tuple(_id("talent", f"{slug}-{number}") for number in range(many))


def _extended(pack: ContentPack) -> Catalog:
    """The content with a pack in it, which must be a sound one."""
    found = PACKS.check(pack, SYSTEM.content)
    if isinstance(found, Problems):
        raise AssertionError(f"the case's own content is wrong: {found}")
    return PACKS.extend(SYSTEM.content, pack)


def creation(given: Given) -> Answer:
    """Every rule that a hero of these choices breaks."""
    only(given, "backgrounds", "trades", "blade_talents", "attributes", "personal_quest", "name")
    for one in given["backgrounds"]:
        only(one, "id", "talents")
    for one in given["trades"]:
        only(one, "has_starting_talent", "talents")
    ids = sorted({one["id"] for one in given["backgrounds"]})
    trades = [f"made-{place}" for place, _ in enumerate(given["trades"])]
    slugs = [*ids, *trades, "made-blade"]
    words: dict[str, Any] = {"text": "made", "name": "made"}
    pack = ContentPack(
        talents=tuple(talent(f"{slug}-{number}") for slug in slugs for number in range(MOST)),
        backgrounds=tuple(
            Background(id=_id("background", slug), complication="made", talents=_talents(slug, MOST), **words)
            for slug in ids
        ),
        trades=tuple(
            Trade(
                id=_id("trade", slug),
                starting=_talents(slug, 1)[0],
                talents=_talents(slug, MOST)[1:],
                **words,
            )
            for slug in trades
        ),
        blades=(Blade(id=_id("blade", "made-blade"), talents=_talents("made-blade", MOST), **words),),
    )
    choices = HeroChoices(
        name="Made" if given["name"] else "",
        backgrounds=_backgrounds(given["backgrounds"]),
        trades=tuple(
            _trade(slug, one["talents"], has_starting=one["has_starting_talent"])
            for slug, one in zip(trades, given["trades"], strict=True)
        ),
        blade=BladeChoice(
            blade=_id("blade", "made-blade"), talents=_talents("made-blade", given["blade_talents"])
        ),
        ranks=Ranks(**{name.lower(): rank for name, rank in given["attributes"].items()}),
        quest=QuestChoice(words="Made" if given["personal_quest"] else ""),
    )
    built = SYSTEM.build(choices, _extended(pack))
    errors = sorted(set(built.codes)) if isinstance(built, Problems) else []
    return {"valid": not errors, "errors": errors}


def _backgrounds(given: list[Given]) -> tuple[BackgroundChoice, ...]:
    """The backgrounds; the same one a second time has other talents, which are not had twice."""
    taken: dict[str, int] = {}
    found = []
    for one in given:
        first = taken.get(one["id"], 0)
        taken[one["id"]] = first + one["talents"]
        ids = _talents(one["id"], first + one["talents"])[first:]
        found.append(BackgroundChoice(background=_id("background", one["id"]), talents=ids))
    return tuple(found)


def _trade(slug: str, many: int, *, has_starting: bool) -> TradeChoice:
    first = 0 if has_starting else 1
    return TradeChoice(trade=_id("trade", slug), talents=_talents(slug, many + first)[first:])


def gear(given: Given) -> Answer:
    """Slots, uses and armour of what a hero carries."""
    only(given, "items", "talent_slots", "carriers", "use", "place", "item_uses", "used", "armor")
    if "armor" in given:
        return _armor(given)
    if "items" in given:
        return _slots(given)
    uses, used, name = given.get("item_uses"), given.get("used", 0), given.get("use", "thing")
    thing = Gear(id=_id("gear", f"made-{name}"), name=name, text=name, uses=uses)
    place = given.get("place", "slot")
    carried = CarriedGear(gear=thing.id, used=used, within="" if place == "slot" else _id("gear", str(place)))
    sheet = _carrying((carried,), ContentPack(gear=(thing,)), extra=place)
    problem = use_problem(carried, thing)
    ready = isinstance(sheet, HeroSheet) and sheet.gear[0].ready
    return {
        "legal": ready,
        "error": None if problem is None else problem.code,
        "exhausted": isinstance(sheet, HeroSheet) and sheet.gear[0].uses_left == 0,
    }


def _carrying(
    carried: tuple[CarriedGear, ...], pack: ContentPack, *, extra: Any = "slot"
) -> HeroSheet | Problems:
    """A hero who carries these things, and the container that they are in."""
    container = () if extra == "slot" else (CarriedGear(gear=_id("gear", str(extra))),)
    return SYSTEM.build(replace(HERO, gear=(*carried, *container)), _extended(pack))


def _slots(given: Given) -> Answer:
    carriers = given.get("carriers", 1)
    things = tuple(
        Gear(id=_id("gear", f"made-{place}"), name=name, text=name, slots=slots)
        for place, (name, slots) in enumerate(given["items"])
    )
    carried = tuple(CarriedGear(gear=thing.id, carriers=carriers) for thing in things)
    more = given.get("talent_slots", 0)
    roomy = talent("made-roomy", use=TalentUse.ALWAYS, adds={"slots": more}) if more else talent("made-none")
    blade = Blade(id=_id("blade", "made"), name="made", text="made", talents=(roomy.id,))
    pack = ContentPack(talents=(roomy,), blades=(blade,), gear=things)
    hero = replace(HERO, gear=carried, blade=BladeChoice(blade=blade.id, talents=(roomy.id,)))
    catalog = _extended(pack)
    built = SYSTEM.build(hero, catalog)
    # A hero's own slots hold a share of what several carry; the case asks for all that they take.
    whole = tuple(replace(one, carriers=1) for one in carried)
    return {
        "slots_used": slots_used(whole, catalog).value,
        "valid": not isinstance(built, Problems),
        "error": built.codes[0] if isinstance(built, Problems) else None,
    }


def _armor(given: Given) -> Answer:
    """A hero who wears armour and nothing else: what it adds to Saves, and the slots it takes."""
    armor = Armor(magnitude=Magnitude(given["armor"]), against=Group.MENTAL)
    own = [thing for thing in SYSTEM.content.gear if thing.armor == armor]
    sheet = SYSTEM.build(replace(HERO, gear=(CarriedGear(gear=own[0].id),)), SYSTEM.content)
    assert isinstance(sheet, HeroSheet)
    bonus = next(line.armor.value for line in sheet.groups if line.group is Group.MENTAL)
    return {"save_bonus": bonus, "slots": sheet.slots_used.value}
