"""What is decided before an encounter, and how it opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.clocks import Clock, ClockKind
from services.rules.systems.fortunate_blades.condition import harm_room
from services.rules.systems.fortunate_blades.harm import BORNE
from services.rules.systems.fortunate_blades.play import effects
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero, Prepared, Safety, Tool
from services.rules.systems.fortunate_blades.sheet import GearLine, HeroSheet
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel, Range, Tag

LONGEST = 200
MOST_HEROES = 6
LEAST_SECONDS, MOST_SECONDS = 5, 7 * 24 * 60 * 60
ENCOUNTERS = "Encounters"
OPEN, SECRET = "clock", "secret"
"""The two series of ids that clocks have: what is secret leaves no gap in the open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSetup:
    """A clock that is drawn before the encounter.

    Attributes:
        name: What it stands for.
        size: How many ticks fill it.
        type: Its kind.
        filled: How many are filled when the encounter begins.
        hidden: Whether the game master keeps it secret.
        only: What alone has an Effect on it: groups of attributes, or sources such as `magic`; empty for all.
        resistant: Groups whose Effect is lower on it.
        immune: Groups that have no Effect on it.
        away: How far off it is; None where distance is of no account.
    """

    name: str
    size: int
    type: ClockKind = ClockKind.ENEMY
    filled: int = 0
    hidden: bool = False
    only: tuple[str, ...] = ()
    resistant: tuple[Group, ...] = ()
    immune: tuple[Group, ...] = ()
    away: Range | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EncounterSetup:
    """What a game master decides before an encounter.

    Attributes:
        title: What it is called.
        clocks: The clocks of it.
        place: Where it happens, a place of the story map or any words; empty where that is open.
        answer_seconds: How long questions to players wait; None for as long as it takes.
        resistant_levels: Levels of Effect that Resistance takes off; None for the table's own (P1).
        advantages: Content ids of the party's advantages.
        here: Content ids of those of them that are at this place.
        quest_begins: Whether it is the first of its Quest: Fortune is full, and talents that are used up for
            a Quest can be used again (E1).
        rest: How safe it is, for a rest between encounters; None for an encounter.
    """

    title: str
    clocks: tuple[ClockSetup, ...]
    place: str = ""
    answer_seconds: int | None = None
    resistant_levels: int | None = None
    advantages: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    quest_begins: bool = False
    rest: Safety | None = None


SETUPS: Mapping[str, EncounterSetup] = MappingProxyType(
    {
        "wolves": EncounterSetup(
            title="Wolves at the Ford",
            clocks=(ClockSetup(name="The Pack", size=6, away=Range.CLOSE),),
            place="The Ford of Ashes",
        ),
        "vault": EncounterSetup(
            title="Under the Drowned Vault",
            clocks=(
                ClockSetup(name="The Sealed Door", size=4, type=ClockKind.CHALLENGE),
                ClockSetup(name="The Rising Water", size=8, type=ClockKind.LOOMING),
                ClockSetup(
                    name="The Thing in the Silt",
                    size=8,
                    hidden=True,
                    immune=(Group.MENTAL,),
                    resistant=(Group.PHYSICAL,),
                ),
            ),
            answer_seconds=120,
        ),
        "court": EncounterSetup(
            title="The Court of Whispers",
            clocks=(
                ClockSetup(
                    name="The Chamberlain", size=6, type=ClockKind.CHALLENGE, only=(Group.SPIRITUAL.value,)
                ),
                ClockSetup(name="Scandal", size=6, type=ClockKind.LOOMING, hidden=True),
            ),
            answer_seconds=300,
        ),
        "camp": EncounterSetup(
            title="A Fire under the Overhang",
            clocks=(ClockSetup(name="The Map of the Deep", size=8, type=ClockKind.PROJECT),),
            rest=Safety.RISKY,
        ),
    }
)


SETUP_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "wolves": "A pack closes in on a ford.",
        "vault": "A sealed door, and water that rises.",
        "court": "A chamberlain who is to be won over by words alone.",
        "camp": "A night under a rock, not a safe one: two actions each, and a map to work on.",
    }
)
"""What waits in each of them."""

SIEGE = "siege-weapons"
SIEGE_WEAPONS = Tool(id="siege", name="Siege weapons", sources=(SIEGE,))


def begin(setup: EncounterSetup, cast: tuple[CastMember, ...], catalog: Catalog) -> Encounter | Problems:
    """The opening position, or every rule the setup breaks."""
    broken = tuple(_problems(setup, cast, catalog))
    if broken:
        return Problems(broken)
    levels = catalog.rules.effect.resistant_levels
    state = Encounter(
        title=setup.title.strip(),
        place=setup.place.strip(),
        heroes=tuple(_entered(hero_of(member, catalog, setup.advantages), setup) for member in cast),
        clocks=numbered(setup.clocks),
        answer_seconds=setup.answer_seconds,
        resistant_levels=levels if setup.resistant_levels is None else setup.resistant_levels,
        advantages=setup.advantages,
        here=setup.here,
        rest=setup.rest,
        engaged=setup.rest is not None,
    )
    return _with_harms(state, cast, catalog)


def _entered(hero: Hero, setup: EncounterSetup) -> Hero:
    """A hero as the encounter finds them: all Fortune where a Quest begins."""
    if not setup.quest_begins:
        return hero
    return replace(hero, fortune=hero.full_fortune, used=())


def numbered(clocks: tuple[ClockSetup, ...]) -> tuple[Clock, ...]:
    """The clocks of a setup under the ids of their series."""
    found: list[Clock] = []
    for each in clocks:
        found.append(
            Clock(
                id=next_id(tuple(found), hidden=each.hidden),
                name=each.name.strip(),
                kind=each.type,
                size=each.size,
                filled=each.filled,
                hidden=each.hidden,
                only=each.only,
                resistant=each.resistant,
                immune=each.immune,
                away=each.away,
            )
        )
    return tuple(found)


def next_id(clocks: tuple[Clock, ...], *, hidden: bool) -> str:
    """The id of the next clock: one beyond the highest of its series."""
    series = SECRET if hidden else OPEN
    taken = [int(each.id.rpartition("-")[2]) for each in clocks if each.id.startswith(f"{series}-")]
    return f"{series}-{max(taken, default=0) + 1}"


def hero_of(member: CastMember, catalog: Catalog, advantages: tuple[str, ...] = ()) -> Hero:
    """A cast member as a hero of the encounter; the party's siege weapons are at every hero's hand."""
    sheet: HeroSheet = member.sheet
    room = harm_room(sheet.harm_slots)
    return Hero(
        id=member.id,
        name=sheet.name,
        attributes={line.attribute: line.rank.value for line in sheet.attributes},
        saves={line.group: line.save for line in sheet.groups},
        armor={line.group: line.armor.value for line in sheet.groups},
        slots={level: room[level] for level in BORNE},
        full_fortune=sheet.fortune.value,
        fortune=sheet.fortune_left,
        prepared=tuple(Prepared(event=each.event, points=each.points) for each in sheet.prepared),
        tools=(*_tools(sheet, catalog), *(SIEGE_WEAPONS,) * any(SIEGE in each for each in advantages)),
        talents=tuple(line for line in sheet.talents if line.active),
        used=sheet.used_talents,
        marks=sheet.marks,
    )


def _tools(sheet: HeroSheet, catalog: Catalog) -> tuple[Tool, ...]:
    """What can be acted with at once: the Fortunate Blade, which is magic, and what is in one's own slots."""
    blade = sheet.blade
    own = Tool(
        id="blade",
        name=blade.name or blade.item,
        quality=blade.quality,
        reach=blade.range,
        sources=(Tag.MAGIC.value,),
    )
    ready = [line for line in sheet.gear if line.ready and line.slots and line.uses_left != 0]
    gear = tuple(_tool(place, line, catalog) for place, line in enumerate(ready, start=1))
    return (*(own,) * blade.held, *gear)


def _tool(place: int, line: GearLine, catalog: Catalog) -> Tool:
    return Tool(
        id=f"gear-{place}",
        name=line.name,
        quality=line.quality,
        reach=line.range,
        sources=catalog.gear[line.id].tags,
        uses=line.uses_left,
        gear=line.id,
    )


def _with_harms(state: Encounter, cast: tuple[CastMember, ...], catalog: Catalog) -> Encounter:
    """The opening with the Harm that heroes bring along."""
    found = [
        (member.id, harm)
        for member in cast
        for harm in member.sheet.harms
        if harm.level is not HarmLevel.LETHAL
    ]
    lasting = tuple(
        effects.harm(number, who, harm.level, harm.group, harm.words, catalog.rules.effect.minor_harm_levels)
        for number, (who, harm) in enumerate(found, start=1)
    )
    return replace(state, effects=lasting, begun=len(lasting))


def _problems(setup: EncounterSetup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    if not setup.title.strip():
        yield RuleProblem("title_missing", "An encounter needs a title.", ENCOUNTERS, ("title",))
    for part, said in (("title", setup.title), ("place", setup.place)):
        if len(said) > LONGEST:
            text = f"At most {LONGEST} signs fit."
            yield RuleProblem(f"{part}_too_long", text, ENCOUNTERS, (part,), len(said), LONGEST)
    if not 1 <= len(cast) <= MOST_HEROES:
        code = "cast_too_large" if cast else "cast_missing"
        text = f"From 1 to {MOST_HEROES} heroes take part."
        yield RuleProblem(code, text, ENCOUNTERS, ("cast",), len(cast), (1, MOST_HEROES))
    trials = any(each.type in (ClockKind.ENEMY, ClockKind.CHALLENGE) for each in setup.clocks)
    if not trials and setup.rest is None:
        text = "There is an enemy or a challenge to overcome."
        yield RuleProblem("clocks_missing", text, ENCOUNTERS, ("clocks",), len(setup.clocks), 1)
    for place, each in enumerate(setup.clocks):
        yield from clock_problems(each.name, each.size, each.filled, catalog, ("clocks", place))
    seconds, levels = setup.answer_seconds, setup.resistant_levels
    if seconds is not None and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        text = f"A time limit is from {LEAST_SECONDS} seconds to {MOST_SECONDS} (a week), or none."
        allowed = (LEAST_SECONDS, MOST_SECONDS)
        yield RuleProblem("seconds_out_of_range", text, "time limit", ("answer_seconds",), seconds, allowed)
    for field, names, allowed_ids in (
        ("advantages", setup.advantages, catalog.advantages.ids),
        ("here", setup.here, setup.advantages),
    ):
        for place, name in enumerate(names):
            if name not in allowed_ids:
                text = "The party has no such advantage."
                yield RuleProblem(
                    "advantage_unknown", text, "Party Advantages", (field, place), name, allowed_ids
                )
    if levels not in (None, 1, 2):
        text = "Resistance takes off 1 or 2 levels."
        yield RuleProblem("resistance_unknown", text, "P1", ("resistant_levels",), levels, (1, 2))


def clock_problems(
    name: str, size: int, filled: int, catalog: Catalog, path: tuple[str | int, ...] = ()
) -> Iterator[RuleProblem]:
    """What is wrong with a clock that is drawn."""
    most = catalog.rules.clocks.most
    if not 1 <= size <= most:
        text = f"A clock has from 1 to {most} ticks."
        yield RuleProblem("size_out_of_range", text, "Clocks & Effect", (*path, "size"), size, (1, most))
    elif not 0 <= filled < size:
        text = "A clock begins with a tick that is free."
        yield RuleProblem(
            "filled_out_of_range", text, "Clocks & Effect", (*path, "filled"), filled, (0, size - 1)
        )
    if not name.strip() or len(name) > LONGEST:
        text = f"A clock has a name of up to {LONGEST} signs."
        yield RuleProblem("name_missing", text, "Clocks & Effect", (*path, "name"), len(name), (1, LONGEST))
