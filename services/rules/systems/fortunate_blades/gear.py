"""What a hero carries: slots, containers, uses and armour (Gear; Armor)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.fortunate_blades.catalog import Catalog, Gear
from services.rules.systems.fortunate_blades.choices import CarriedGear
from services.rules.systems.fortunate_blades.sheet import GearLine
from services.rules.systems.fortunate_blades.terms import Group

GEAR_RULE = "Gear"
ARMOR_RULE = "Armor"
MOST_CARRIERS = 20
MOST_THINGS = 100


def known(gear: Iterable[CarriedGear], catalog: Catalog) -> tuple[tuple[CarriedGear, Gear], ...]:
    """The things that the content knows, each with its entry."""
    found = ((carried, catalog.gear.get(carried.gear)) for carried in gear)
    return tuple((carried, thing) for carried, thing in found if thing is not None)


def slots_used(gear: Iterable[CarriedGear], catalog: Catalog) -> Explained:
    """The slots of the hero's own that are taken; of what several carry together, an equal share (P1).

    Shares of all things with equally many carriers are added up before they are rounded up.
    """
    parts: list[Part] = []
    alone = [(one, thing) for one, thing in known(gear, catalog) if not one.within and thing.slots]
    for carriers in sorted({one.carriers for one, _ in alone}):
        things = [thing for one, thing in alone if one.carriers == carriers]
        if carriers <= 1:
            parts += [Part(thing.slots, thing.name, GEAR_RULE) for thing in things]
        else:
            share = -(-sum(thing.slots for thing in things) // carriers)
            names = ", ".join(thing.name for thing in things)
            parts.append(Part(share, f"{names}, carried by {carriers}", GEAR_RULE))
    return Explained.of(*parts)


def use_problem(carried: CarriedGear, thing: Gear, path: KeyPath = ()) -> RuleProblem | None:
    """The rule that keeps a thing from being used at once: it is packed away, or used up (P3, P4)."""
    if carried.within:
        text = f"{thing.name} is packed away, and must be put into a slot first."
        return RuleProblem("not_in_slot", text, GEAR_RULE, (*path, "within"), carried.within, "")
    if thing.uses is not None and carried.used >= thing.uses:
        text = f"{thing.name} is used up, and must be bought or charged again."
        return RuleProblem("exhausted", text, GEAR_RULE, (*path, "used"), carried.used, thing.uses - 1)
    return None


def gear_lines(gear: Iterable[CarriedGear], catalog: Catalog) -> Iterator[GearLine]:
    """The things as a sheet shows them."""
    for carried, thing in known(gear, catalog):
        container = catalog.gear.get(carried.within)
        yield GearLine(
            id=thing.id,
            name=thing.name,
            slots=thing.slots,
            within="" if container is None else container.name,
            quality=thing.quality,
            effect=thing.quality.effect,
            range=thing.range,
            uses_left=None if thing.uses is None else thing.uses - carried.used,
            ready=use_problem(carried, thing) is None,
        )


def armor_bonus(gear: Iterable[CarriedGear], group: Group, catalog: Catalog) -> Explained:
    """What armour adds to Saves against a type of Harm: the best that is worn (P5, P18)."""
    worn = [
        Part(thing.armor.bonus, thing.name, ARMOR_RULE)
        for carried, thing in known(gear, catalog)
        if thing.armor is not None and thing.armor.against is group and use_problem(carried, thing) is None
    ]
    return Explained.of(*sorted(worn, key=lambda part: -part.value)[:1])


def gear_problems(gear: Sequence[CarriedGear], slots: int, catalog: Catalog) -> Iterator[RuleProblem]:
    """What is wrong with what a hero carries.

    Args:
        gear: The things.
        slots: Slots that the hero has.
        catalog: The content.
    """
    if len(gear) > MOST_THINGS:
        text = f"At most {MOST_THINGS} things can be written down."
        yield RuleProblem("too_many_things", text, GEAR_RULE, ("gear",), len(gear), MOST_THINGS)
        return
    for place, carried in enumerate(gear):
        yield from _thing_problems(carried, ("gear", place), catalog)
    used = slots_used(gear, catalog).value
    if used > slots:
        text = f"These things take {used} slots, and there are {slots}."
        yield RuleProblem("too_many_slots", text, GEAR_RULE, ("gear",), used, slots)
    yield from _container_problems(gear, catalog)


def _thing_problems(carried: CarriedGear, path: KeyPath, catalog: Catalog) -> Iterator[RuleProblem]:
    thing = catalog.gear.get(carried.gear)
    if thing is None:
        text = "There is no such thing."
        yield RuleProblem("gear_unknown", text, GEAR_RULE, (*path, "gear"), carried.gear, catalog.gear.ids)
        return
    most = thing.uses or 0
    if not 0 <= carried.used <= most:
        text = "A thing is used from 0 times to as often as it can be."
        yield RuleProblem("uses_out_of_range", text, GEAR_RULE, (*path, "used"), carried.used, (0, most))
    if not 1 <= carried.carriers <= MOST_CARRIERS:
        text = f"From 1 to {MOST_CARRIERS} can carry a thing together."
        bounds = (1, MOST_CARRIERS)
        yield RuleProblem(
            "carriers_out_of_range", text, GEAR_RULE, (*path, "carriers"), carried.carriers, bounds
        )


def _container_problems(gear: Sequence[CarriedGear], catalog: Catalog) -> Iterator[RuleProblem]:
    """What is wrong with what is packed away: each container of a kind that is carried has its slots (P3)."""
    had = {
        thing.id: sum(one.gear == thing.id and not one.within for one in gear) * thing.holds
        for _, thing in known(gear, catalog)
        if thing.holds
    }
    filled: dict[str, int] = {}
    for place, carried in enumerate(gear):
        if not carried.within:
            continue
        path: KeyPath = ("gear", place, "within")
        thing = catalog.gear.get(carried.gear)
        if not had.get(carried.within):
            text = "A thing can be packed into a container that is carried as well."
            owned = tuple(one for one, room in had.items() if room)
            yield RuleProblem("container_missing", text, GEAR_RULE, path, carried.within, owned)
        elif thing is not None and thing.holds:
            text = "A container is not packed into another."
            yield RuleProblem("container_nested", text, GEAR_RULE, path, carried.within, "")
        elif thing is not None:
            filled[carried.within] = filled.get(carried.within, 0) + thing.slots
    for container, taken in filled.items():
        if taken > had[container]:
            text = f"{catalog.gear[container].name} has {had[container]} slots, and {taken} are packed in."
            yield RuleProblem("container_full", text, GEAR_RULE, ("gear",), taken, had[container])
