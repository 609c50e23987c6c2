"""How a scene begins: the game master's setup, the heroes that come, the creatures that wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from services.rules.engine.content import slug_of
from services.rules.engine.frozen import replace
from services.rules.engine.grid import Grid, Square
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.companions import Bond, Companion
from services.rules.systems.dungeonteller.hazards import Climate, cold_loss
from services.rules.systems.dungeonteller.play.arrivals import (
    companion_being,
    companions_of,
    familiar_dice,
    hero_being,
    monster_being,
)
from services.rules.systems.dungeonteller.play.conditions import takes_turns
from services.rules.systems.dungeonteller.play.equipment import carried_items, warmest
from services.rules.systems.dungeonteller.play.fog import looked_around
from services.rules.systems.dungeonteller.play.setup.document import HeroStart, Place, Setup
from services.rules.systems.dungeonteller.play.setup.problems import setup_problems
from services.rules.systems.dungeonteller.play.squares import free_square, start_square
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Field,
    Load,
    Scene,
    Thing,
    Turn,
)


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Scene | Problems:
    """The opening position: heroes on the left, creatures on the right, heroes first (ruling P15)."""
    problems = tuple(setup_problems(setup, cast, catalog))
    if problems:
        return Problems(problems)
    field = _field(setup.place)
    beings = _heroes(setup, cast, catalog, field.grid)
    beings += _creatures(setup, catalog, field.grid, beings)
    things = (*setup.things, *_carried(cast, catalog))
    everyone = tuple(_with_companions(beings, cast, catalog, field.grid, len(things)))
    laden = (_laden(being, things, everyone) for being in everyone)
    opening = Scene(
        title=setup.title.strip(),
        field=field,
        beings=tuple(_chilled(being, things, setup, catalog) for being in laden),
        turn=Turn(order=_order(setup, cast, everyone)),
        jobs=setup.jobs,
        things=things,
        counter=len(things) + sum(bool(being.leader) for being in everyone),
        answer_seconds=setup.answer_seconds,
        answers_open_to_gm=setup.answers_open_to_gm,
    )
    return looked_around(opening)


def _field(place: Place) -> Field:
    return Field(
        grid=Grid(place.width, place.height, place.solid, place.ground),
        light=place.light,
        climate=place.climate,
        flammable=place.flammable,
        stone=place.stone,
        situations=place.situations,
        notes=place.notes,
        fog=place.fog,
        explored=place.explored if place.fog else "",
        shared=place.shared,
        explored_by=place.explored_by if place.fog else {},
        doors=place.doors,
        map_doors=place.map_doors,
    )


def _heroes(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog, grid: Grid) -> list[Being]:
    """The heroes, where the game master puts them, else side by side on the left."""
    beings: list[Being] = []
    starts = {start.hero: start for start in setup.heroes}
    left = Square(0, grid.height // 2)
    kept = {at for group in setup.creatures for at in group.at}
    kept |= {start.at for start in setup.heroes if start.at is not None}
    for member in cast:
        start = starts.get(member.id, HeroStart(hero=member.id))
        at = start.at or start_square(grid, beings, setup.place.heroes_at, left, kept)
        beings.append(hero_being(member.id, member.sheet, catalog, at, start.reflex))
    return beings


def _creatures(setup: Setup, catalog: Catalog, grid: Grid, heroes: list[Being]) -> list[Being]:
    """The creatures, where the game master puts them, else side by side on the right.

    Hidden ones are counted apart: a gap in the numbers of the others would betray them.
    """
    beings: list[Being] = []
    numbers: Counter[str] = Counter()
    right = Square(grid.width - 1, grid.height // 2)
    kept = {at for group in setup.creatures for at in group.at}
    for group in setup.creatures:
        monster = catalog.monsters[group.monster]
        word = "hidden" if group.hidden is not None else slug_of(monster.id)
        name = group.name or monster.name
        for index in range(group.count):
            numbers[word] += 1
            placed = group.at[index] if index < len(group.at) else None
            being = monster_being(
                f"{word}-{numbers[word]}",
                monster,
                catalog,
                placed or start_square(grid, [*heroes, *beings], setup.place.creatures_at, right, kept),
            )
            beings.append(
                replace(
                    being,
                    name=f"{name} {index + 1}" if group.count > 1 else name,
                    side=group.side,
                    hidden=group.hidden,
                    surprised=group.surprised,
                )
            )
    return beings


def _order(setup: Setup, cast: tuple[CastMember, ...], beings: Iterable[Being]) -> tuple[str, ...]:
    """Who has turns: the heroes as agreed, each with whom they lead, and the creatures (ruling P15).

    A hidden creature has its turns once a hero knows of it: a pause in the order would betray it.
    """
    having = [being for being in beings if takes_turns(being)]
    agreed = dict.fromkeys((*setup.order, *(member.id for member in cast)))
    heroes = [one for hero in agreed for one in (hero, *(led.id for led in having if led.leader == hero))]
    others = (one.id for one in having if not (one.hero or one.leader) and one.hidden is None)
    return (*heroes, *others)


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
                bonuses = (*owner.bonuses, *familiar_dice(being, catalog))
                people[owner.id] = replace(owner, bonuses=bonuses, powers=(*owner.powers, *being.lends))
    yield from people.values()


def _laden(being: Being, things: tuple[Thing, ...], beings: tuple[Being, ...]) -> Being:
    """A hero with the list of what and whom they came with, so that it can be told what they bring home."""
    if not being.hero:
        return being
    load = carried_items(being, things)
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
    gear = (thing.item for thing in things if thing.holder == being.id)
    worn = warmest(catalog, climate, gear)
    lost = min(cold_loss(climate, setup.cold_days, worn), being.max_luck)
    return replace(being, cold=lost, luck=being.max_luck - lost)


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
