"""How a scene begins: the game master's setup, the heroes that come, the creatures that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from services.rules.engine.content import slug_of
from services.rules.engine.grid import MAX_SIDE, Grid, Square
from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.companions import Bond, Companion
from services.rules.systems.dungeonteller.hazards import Climate, cold_loss
from services.rules.systems.dungeonteller.play.arriving import (
    companion_being,
    companions_of,
    helped_by,
    hero_being,
    monster_being,
)
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.equipment import warmest
from services.rules.systems.dungeonteller.play.placing import free_square, start_square
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Field,
    Job,
    Load,
    Reflex,
    Scene,
    Side,
    Thing,
    Turn,
)
from services.rules.systems.dungeonteller.powers import Light

WIDTH, HEIGHT = 20, 12
MOST_CREATURES = 40
MOST_DAYS = 365
SECONDS = (5, 7 * 24 * 60 * 60)
"""The shortest and the longest time that questions may wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a scene is set.

    Attributes:
        width: Paces from left to right.
        height: Paces from top to bottom.
        solid: Squares nobody can stand in or see through.
        light: How bright it is where nothing shines.
        climate: How cold it is.
        flammable: Squares on which fire goes on burning.
        stone: Whether it is solid stone, for runes.
        situations: Content ids of what holds for everybody: `situation/woods`.
        notes: The game master's own notes.
        heroes_at: Squares where heroes start, the first ones first; the left side when empty.
        creatures_at: Squares where creatures start; the right side when empty.
    """

    width: int = WIDTH
    height: int = HEIGHT
    solid: tuple[Square, ...] = ()
    light: Light = Light.BRIGHT
    climate: Climate = Climate.MILD
    flammable: tuple[Square, ...] = ()
    stone: bool = True
    situations: tuple[str, ...] = ()
    notes: str = ""
    heroes_at: tuple[Square, ...] = ()
    creatures_at: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Creatures:
    """Creatures of one kind.

    Attributes:
        monster: Content id.
        count: How many.
        name: Their name, with a number where there are several; empty for the creature's own.
        at: Where they stand; creatures beyond this list stand on the far side.
        side: Whose side they are on.
        hidden: Notice successes it takes to find them; None for plain view.
        surprised: They have not seen the heroes yet.
    """

    monster: str
    count: int = 1
    name: str = ""
    at: tuple[Square, ...] = ()
    side: Side = Side.FOES
    hidden: int | None = None
    surprised: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroStart:
    """Where a hero starts, and whether they dodge by themselves."""

    hero: str
    at: Square | None = None
    reflex: Reflex = Reflex.ASK


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a game master decides before a scene.

    Attributes:
        order: Ids of heroes in the order they agreed on; those left out follow as they come (ruling P15).
        cold_days: Days the heroes have spent in this climate already (Hazards / Cold and Freezing).
        answer_seconds: How long questions wait; None for as long as it takes.
        answers_open_to_gm: Whether the game master reads who dodges before all who were asked have answered.
    """

    title: str
    place: Place = Place()
    creatures: tuple[Creatures, ...] = ()
    heroes: tuple[HeroStart, ...] = ()
    order: tuple[str, ...] = ()
    jobs: tuple[Job, ...] = ()
    things: tuple[Thing, ...] = ()
    cold_days: int = 0
    answer_seconds: int | None = None
    answers_open_to_gm: bool = False


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Scene | Problems:
    """The opening position: heroes on the left, creatures on the right, heroes first (ruling P15)."""
    problems = (*_problems(setup, cast, catalog), *_seconds_problems(setup))
    if problems:
        return Problems(problems)
    place = setup.place
    field = Field(
        grid=Grid(place.width, place.height, place.solid),
        light=place.light,
        climate=place.climate,
        flammable=place.flammable,
        stone=place.stone,
        situations=place.situations,
        notes=place.notes,
    )
    beings: list[Being] = []
    starts = {start.hero: start for start in setup.heroes}
    for member in cast:
        start = starts.get(member.id, HeroStart(hero=member.id))
        at = start.at or start_square(field.grid, beings, place.heroes_at, Square(0, place.height // 2))
        beings.append(hero_being(member.id, member.sheet, catalog, at, start.reflex))
    numbers: Counter[str] = Counter()
    for group in setup.creatures:
        monster = catalog.monsters[group.monster]
        for index in range(group.count):
            far = Square(place.width - 1, place.height // 2)
            at = (
                group.at[index]
                if index < len(group.at)
                else start_square(field.grid, beings, place.creatures_at, far)
            )
            name = group.name or monster.name
            # Hidden ones are counted apart: a gap in the numbers of the others would betray them.
            word = "hidden" if group.hidden is not None else slug_of(monster.id)
            numbers[word] += 1
            shown = f"{name} {index + 1}" if group.count > 1 else name
            beings.append(
                monster_being(
                    f"{word}-{numbers[word]}",
                    monster,
                    catalog,
                    at,
                    name=shown,
                    side=group.side,
                    hidden=group.hidden,
                    surprised=group.surprised,
                )
            )
    things = (*setup.things, *_carried(cast, catalog))
    beings = list(_with_companions(beings, cast, catalog, field.grid, len(things)))
    agreed = list(dict.fromkeys(setup.order))
    agreed += [member.id for member in cast if member.id not in agreed]
    led = {hero: [one.id for one in beings if one.leader == hero and takes_turns(one)] for hero in agreed}
    heroes = [one for hero in agreed for one in (hero, *led[hero])]
    # A hidden creature has its turns once somebody knows of it: a pause in the order would betray it.
    others = [
        one.id for one in beings if not (one.hero or one.leader) and one.hidden is None and takes_turns(one)
    ]
    laden = (_laden(being, things, tuple(beings)) for being in beings)
    return Scene(
        title=setup.title.strip(),
        field=field,
        beings=tuple(_chilled(being, things, setup, catalog) for being in laden),
        turn=Turn(order=(*heroes, *others)),
        jobs=setup.jobs,
        things=things,
        counter=len(things) + sum(bool(being.leader) for being in beings),
        answer_seconds=setup.answer_seconds,
        answers_open_to_gm=setup.answers_open_to_gm,
    )


def _with_companions(
    beings: list[Being], cast: tuple[CastMember, ...], catalog: Catalog, grid: Grid, number: int
) -> Iterator[Being]:
    """Everybody, and behind them the companions that heroes bring, each beside its hero.

    Args:
        beings: Heroes and creatures.
        cast: The heroes' cards.
        catalog: The content.
        grid: The place.
        number: The last number given to anything.
    """
    people = {being.id: being for being in beings}
    for member in cast:
        for line in member.sheet.companions:
            number += 1
            owner = people[member.id]
            companion = Companion(monster=line.monster, bond=line.bond, name=line.name)
            beside = (
                owner.at if line.bond is Bond.FAMILIAR else free_square(grid, [*people.values()], owner.at)
            )
            being = companion_being(f"{line.bond.value}-{number}", companion, owner, catalog, beside)
            people[being.id] = being
            if line.bond is Bond.FAMILIAR:
                people[owner.id] = helped_by(owner, being, catalog)
    yield from people.values()


def _laden(being: Being, things: tuple[Thing, ...], beings: tuple[Being, ...]) -> Being:
    """A hero with the list of what and whom they came with, so that it can be told what they bring home."""
    if not being.hero:
        return being
    load = carried(being, things)
    return replace(
        being,
        brought=tuple(Load(item, count) for item, count in sorted(load.items())),
        came_with=companions_of(being.id, beings),
    )


def _chilled(being: Being, things: tuple[Thing, ...], setup: Setup, catalog: Catalog) -> Being:
    """A hero as the cold has left them: less Luck, which does not come back there (ruling P29).

    Whoever has gear against the cold wears the warmest where it is cold.
    """
    climate = setup.place.climate
    if not being.hero or climate is Climate.MILD:
        return being
    carried = (thing.item for thing in things if thing.holder == being.id)
    worn = warmest(catalog, climate, carried)
    lost = min(cold_loss(climate, setup.cold_days, worn), being.max_luck)
    return replace(being, cold=lost, luck=being.max_luck - lost)


def carried(being: Being, things: tuple[Thing, ...]) -> Counter[str]:
    """What somebody carries, by content id."""
    found: Counter[str] = Counter(arm.item for arm in being.arms if not arm.natural)
    for thing in things:
        if thing.holder == being.id and thing.item:
            found[thing.item] += thing.count
    return found


def _carried(cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[Thing]:
    """What heroes carry beside weapons and the armour they wear, as things in their hands."""
    number = 0
    for member in cast:
        for line in member.sheet.items:
            if line.worn:
                continue
            number += 1
            treasure = catalog.treasures.get(line.id)
            yield Thing(
                id=f"thing-{number}",
                name=line.name,
                item=line.id,
                count=line.count,
                value=None if treasure is None else treasure.gold,
                appraise=1 if treasure is None else treasure.appraise,
                magical=treasure is not None and treasure.magic,
                holder=member.id,
            )


def _seconds_problems(setup: Setup) -> Iterator[RuleProblem]:
    """What is wrong with the time limit of questions."""
    seconds, (least, most) = setup.answer_seconds, SECONDS
    if seconds is not None and not least <= seconds <= most:
        text = f"A time limit is from {least} seconds to {most} (a week), or none."
        yield RuleProblem("seconds_out_of_range", text, "time limit", ("answer_seconds",), seconds, SECONDS)


def _problems(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    place = setup.place
    if not setup.title.strip():
        yield RuleProblem("title_missing", "A scene needs a title.", "scene", ("title",), setup.title)
    if not (1 <= place.width <= MAX_SIDE and 1 <= place.height <= MAX_SIDE):
        yield RuleProblem(
            "place_too_big",
            f"A place has from 1 to {MAX_SIDE} paces a side.",
            "Moving",
            ("place",),
            (place.width, place.height),
            (1, MAX_SIDE),
        )
        return
    if not 0 <= setup.cold_days <= MOST_DAYS:
        text = f"From 0 to {MOST_DAYS} days."
        yield RuleProblem(
            "out_of_range",
            text,
            "Hazards / Cold and Freezing",
            ("cold_days",),
            setup.cold_days,
            (0, MOST_DAYS),
        )
    grid = Grid(place.width, place.height, place.solid)
    ids = [member.id for member in cast]
    if not ids:
        yield RuleProblem("no_heroes", "A scene needs a hero.", "What You Need to Play")
    wanted: list[tuple[KeyPath, str]] = [(("order", index), hero) for index, hero in enumerate(setup.order)]
    wanted += [(("heroes", index, "hero"), start.hero) for index, start in enumerate(setup.heroes)]
    for path, hero in wanted:
        if hero not in ids:
            yield RuleProblem(
                "hero_unknown", "This hero does not take part.", "scene", path, hero, tuple(ids)
            )
    count = 0
    taken: set[Square] = set()
    squares: list[tuple[KeyPath, Square]] = [
        (("heroes", index, "at"), start.at)
        for index, start in enumerate(setup.heroes)
        if start.at is not None
    ]
    for index, group in enumerate(setup.creatures):
        if group.monster not in catalog.monsters:
            yield RuleProblem(
                "monster_unknown",
                "There is no such creature.",
                "bestiary",
                ("creatures", index, "monster"),
                group.monster,
                catalog.monsters.ids,
            )
        if group.count < 1:
            yield RuleProblem(
                "count_out_of_range",
                "At least one.",
                "bestiary",
                ("creatures", index, "count"),
                group.count,
                1,
            )
        count += max(group.count, 0)
        squares += [(("creatures", index, "at", place), at) for place, at in enumerate(group.at)]
    if count > MOST_CREATURES:
        yield RuleProblem(
            "too_many_creatures",
            f"At most {MOST_CREATURES} creatures fit into a scene.",
            "bestiary",
            ("creatures",),
            count,
            MOST_CREATURES,
        )
    for path, at in squares:
        if not grid.open(at) or at in taken:
            text = "Somebody stands there already." if at in taken else "Nobody can stand there."
            yield RuleProblem("square_not_free", text, "Moving", path, (at.x, at.y))
        taken.add(at)
    names = [*(job.id for job in setup.jobs), *(thing.id for thing in setup.things)]
    for index, name in enumerate(names):
        if not name or name in names[:index]:
            yield RuleProblem("id_taken", "Every job and thing has an id of its own.", "scene", (), name)
