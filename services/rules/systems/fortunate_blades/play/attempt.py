"""Something that a hero tries: what is known of it on its way from the game master's call to its result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from services.rules.engine.explain import Explained, Part
from services.rules.systems.fortunate_blades.catalog import Catalog, Talent
from services.rules.systems.fortunate_blades.clocks import Clock
from services.rules.systems.fortunate_blades.impact import (
    Impact,
    level_part,
    out_of_range,
    quality_part,
    range_part,
    steps_off,
)
from services.rules.systems.fortunate_blades.play import effects, renown
from services.rules.systems.fortunate_blades.play.moves import Benefit, Luck
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.rolls import Mode, shifted
from services.rules.systems.fortunate_blades.talents import counted, talent_parts
from services.rules.systems.fortunate_blades.terms import (
    Attribute,
    EffectLevel,
    HarmLevel,
    Quality,
    Quantity,
    Tag,
    Topic,
)

UNHINDERED = {
    HarmLevel.MINOR: Tag.UNHINDERED_MINOR,
    HarmLevel.SERIOUS: Tag.UNHINDERED_SERIOUS,
    HarmLevel.HEROIC: Tag.UNHINDERED_HEROIC,
}
"""What makes a roll free of Harm of a level."""


PRIMO_GEAR, SIEGE_WEAPONS = "primo-gear", "siege-weapons"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A hero's attempt.

    Attributes:
        hero: Id of the hero.
        attribute: What with.
        clock: Id of the clock that it is aimed at; empty for none.
        tool: Id of the gear that is used; empty for none.
        numbers: Close and Clear, before positioning and a Devil's Bargain.
        shown: Whether players see the numbers.
        luck: What the game master deems the roll to be.
        level: The Effect that the game master names; None for that of the gear.
        bargain: What a Devil's Bargain would add; empty for none.
        event: The event that it is about.
        topic: What it is about, where the renown of the party counts.
        at_home: Whether one level more of Effect is taken, at home, in place of being Lucky.
        followers: Whether the party's people Aid it.
        benefits: What Aid brings.
        aid: What the helpers' talents add: to the roll, and to the Effect.
        bargained: Whether the Devil's Bargain is taken.
        points: Fortune that is added.
        bought_luck: Whether Fortune makes it Lucky.
        talents: Content ids of the talents that the player names.
        mark: The Mark that clears it without a die; None where dice fall.
        free: Whether it just happens, without a roll.
    """

    hero: str
    attribute: Attribute
    clock: str = ""
    tool: str = ""
    numbers: tuple[int, int] = (0, 0)
    shown: bool = True
    luck: Luck = Luck.NORMAL
    level: EffectLevel | None = None
    bargain: str = ""
    event: str = ""
    topic: Topic | None = None
    at_home: bool = False
    followers: bool = False
    benefits: tuple[Benefit, ...] = ()
    aid: tuple[tuple[Quantity, Part], ...] = ()
    bargained: bool = False
    points: int = 0
    bought_luck: bool = False
    talents: tuple[str, ...] = ()
    mark: str | None = None
    free: bool = False

    def aids(self, quantity: Quantity) -> tuple[Part, ...]:
        """What helpers' talents add to a quantity."""
        return tuple(part for name, part in self.aid if name is quantity)


def talents_of(hero: Hero, attempt: Attempt, catalog: Catalog) -> tuple[Talent, ...]:
    """The talents that count for an attempt."""
    return tuple(counted(hero.talents, catalog.talents, attempt.attribute, attempt.talents))


def hindered(state: Encounter, attempt: Attempt, level: HarmLevel, catalog: Catalog) -> bool:
    """Whether Harm of a level weighs on an attempt, if there is any: a talent may set it aside."""
    tag = UNHINDERED[level]
    return not any(tag in talent.tags for talent in talents_of(state.hero(attempt.hero), attempt, catalog))


def difficulty(state: Encounter, attempt: Attempt) -> tuple[int, int]:
    """Close and Clear, after positioning and a Devil's Bargain, which is one set easier."""
    steps = effects.positioning(state.effects, attempt.hero) - attempt.bargained
    return shifted(*attempt.numbers, steps) if steps else attempt.numbers


def mode(state: Encounter, attempt: Attempt, catalog: Catalog) -> Mode:
    """Whether an attempt is Lucky or Unlucky, by all that makes it so."""
    own = talent_parts(talents_of(state.hero(attempt.hero), attempt, catalog), Quantity.LUCKY)
    lucky = [
        attempt.luck is Luck.LUCKY,
        attempt.bought_luck,
        Benefit.LUCKY in attempt.benefits,
        effects.lucky(state.effects, attempt.hero) > 0,
        any(part.value > 0 for part in own),
        attempt.topic in renown.topics_of(state, catalog),
        renown.lucky_here(state, catalog, effect=attempt.at_home),
        attempt.followers,
    ]
    harmed = effects.unlucky(state.effects, attempt.hero, attempt.attribute.group) > 0
    unlucky = [
        attempt.luck is Luck.UNLUCKY,
        harmed and hindered(state, attempt, HarmLevel.SERIOUS, catalog),
        any(part.value < 0 for part in own),
    ]
    return Mode.of(sum(lucky), sum(unlucky))


def bonus(state: Encounter, attempt: Attempt, catalog: Catalog) -> Explained:
    """What is added to the die, and why."""
    hero = state.hero(attempt.hero)
    found = Explained.of(
        Part(hero.attributes[attempt.attribute], attempt.attribute.label, "The Attributes"),
        *talent_parts(talents_of(hero, attempt, catalog), Quantity.ROLL),
        *attempt.aids(Quantity.AID_ROLL),
    )
    return found.plus(attempt.points, "Fortune", "Fortune") if attempt.points else found


def harm_price(state: Encounter, attempt: Attempt, catalog: Catalog) -> int:
    """The Fortune that an attempt takes because of Harm: heroic Harm asks for some, or for Aid (P3); serious
    Harm does where the table has it so (P2).
    """
    costs, group = catalog.rules.costs, attempt.attribute.group
    price = 0
    if effects.unlucky(state.effects, attempt.hero, group):
        price += costs.serious_harm * hindered(state, attempt, HarmLevel.SERIOUS, catalog)
    if not attempt.benefits and effects.needs_fortune_or_aid(state.effects, attempt.hero, group):
        price += costs.heroic_harm * hindered(state, attempt, HarmLevel.HEROIC, catalog)
    return price


def protection(state: Encounter, attempt: Attempt, catalog: Catalog) -> int:
    """Levels less of a Harm that an attempt brings its hero, by talents."""
    own = talents_of(state.hero(attempt.hero), attempt, catalog)
    return sum(part.value for part in talent_parts(own, Quantity.PROTECT))


def impact(state: Encounter, attempt: Attempt, catalog: Catalog) -> Impact:
    """The Effect of an attempt if it succeeds, before Fortune and a natural 20."""
    hero, settings = state.hero(attempt.hero), catalog.rules.effect
    clock, tool = state.clock(attempt.clock), hero.tool(attempt.tool)
    talents = talents_of(hero, attempt, catalog)
    tags = {tag for talent in talents for tag in talent.tags} | set(tool.sources if tool else ())
    base = quality_part(tool.quality if tool else Quality.SIMPLE)
    if tool is None and attempt.level is None:
        base = level_part(EffectLevel.STANDARD)
    levels = [base if attempt.level is None else level_part(attempt.level)]
    if tool is not None and state.has(PRIMO_GEAR):
        levels.append(Part(1, "Primo Gear", "Party Advantages"))
    if attempt.at_home:
        levels.append(Part(1, "At home", "Party Advantages"))
    levels += talent_parts(talents, Quantity.EFFECT)
    levels += attempt.aids(Quantity.AID_EFFECT)
    if Benefit.EFFECT in attempt.benefits:
        levels.append(Part(1, "Aid", "Aid"))
    if hindered(state, attempt, HarmLevel.MINOR, catalog):
        levels += effects.levels_of(state.effects, attempt.hero, attempt.attribute.group)
    if clock is None:
        return Impact(Explained.of(*levels))
    if attempt.attribute.group in clock.resistant and Tag.UNRESISTED not in tags:
        levels.append(Part(-state.resistant_levels, "Resistant", "Clocks & Effect [P1]"))
    forgiven = sum(part.value for part in talent_parts(talents, Quantity.RANGE))
    steps = steps_off(tool.reach if tool else None, clock.away, forgiven)
    if steps:
        levels.append(range_part(steps, settings))
    stopped = _stopped(clock, attempt, tags)
    if not stopped and out_of_range(steps, settings):
        stopped = "It is out of range."
    if tool is not None and SIEGE_WEAPONS in tool.sources:
        # Against what nothing else would hurt they have their Effect; against all else three times it.
        return Impact(Explained.of(*levels), times=1 if stopped else 3)
    return Impact(Explained.of(*levels), stopped)


def _stopped(clock: Clock, attempt: Attempt, tags: Iterable[str]) -> str:
    """Why an attempt has no Effect on a clock whatever is spent; empty where it may."""
    if attempt.attribute.group in clock.immune:
        return f"It is immune to what is {attempt.attribute.group.value}."
    if not clock.admits(attempt.attribute.group.value, *tags):
        return "Only something else has an Effect on it."
    return ""
