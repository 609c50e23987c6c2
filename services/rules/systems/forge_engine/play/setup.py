"""What the game master decides before a scene: the place, the adversaries, who is ambushed; how it opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from services.rules.engine.content import content_id
from services.rules.engine.effects import Effect
from services.rules.engine.frozen import replace
from services.rules.engine.ground.explored import Explored
from services.rules.engine.ground.kinds import Ambient
from services.rules.engine.ground.measure import FEET
from services.rules.engine.ground.model import MAX_GROUND_SIDE, Ground
from services.rules.engine.ground.squares import Square, distance
from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.engine.site import Site, plain_ground
from services.rules.systems.forge_engine.attributes import Attributes
from services.rules.systems.forge_engine.catalog import SLUG, Catalog
from services.rules.systems.forge_engine.play.effects import SADDLED, effect_id, is_ongoing, new_effect
from services.rules.systems.forge_engine.play.ground import free
from services.rules.systems.forge_engine.play.newcomer import newcomer
from services.rules.systems.forge_engine.play.secrecy import looked_around
from services.rules.systems.forge_engine.play.state import CELL, FOES, HEROES, Combatant, Fight
from services.rules.systems.forge_engine.pools.attack_given import Cover
from services.rules.systems.forge_engine.profile import Profile, profile_of_adversary, profile_of_sheet
from services.rules.systems.forge_engine.sheet import CharacterSheet

Starts = dict[str, tuple[Square | None, tuple[str, ...]]]
"""Where each stands by the setup's word, and the conditions it is under, by combatants' ids."""

RULE = "Combat Encounter Design"
DRIVING = "General Skills / Drive Skill"
VEHICLES = {"health": (1, 1_000), "pd": (1, 25), "speed": (0, 1_000), "size": (1, 12)}
"""The least and the most of a vehicle's figures."""
MOST_FOES, LONGEST_TITLE, LONGEST_NAME, FARTHEST = 40, 120, 80, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A plain grid.

    Attributes:
        width: Columns of 5 feet.
        height: Rows.
        solid: Squares that are wall.
        difficult: Squares of rough ground.
        light: Light all around.
        ground: The ground of a stored map in place of all that; None without one.
        heroes_at: Squares where the heroes start, the best first; empty for the left edge.
        foes_at: Squares where those against them start; empty for the right edge.
        explored: What the players know of it from the beginning, under fog; None without fog.
    """

    width: int = 20
    height: int = 12
    solid: tuple[Square, ...] = ()
    difficult: tuple[Square, ...] = ()
    light: Ambient = Ambient.BRIGHT
    ground: Ground | None = None
    heroes_at: tuple[Square, ...] = ()
    foes_at: tuple[Square, ...] = ()
    explored: Explored | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Foes:
    """Adversaries of one kind.

    Attributes:
        adversary: Content id of their block.
        count: How many.
        name: What they are called; empty for the block's title. Several are numbered, hidden ones are not.
        side: Whose allies they are.
        hidden: Whether the other sides do not know of them.
        at: Squares where they stand; those that lack start at the edge.
        conditions: Content ids of conditions that they are under.
        mount: Whether they may be ridden.
    """

    adversary: str
    count: int = 1
    name: str = ""
    side: str = FOES
    hidden: bool = False
    at: tuple[Square, ...] = ()
    conditions: tuple[str, ...] = ()
    mount: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Vehicle:
    """A vehicle that takes part as a thing; the book has none of its figures, so the game master states them.

    Attributes:
        name: What it is called.
        health: Damage that wrecks it.
        pd: Physical defense dice.
        speed: Feet that it is driven in a round, in steps of 5.
        size: Squares along one side of its space.
        side: Whose allies' it is at first; whoever gets in first drives it.
        cover: Cover that all aboard have.
        at: Where its top left square stands; None for wherever there is room.
    """

    name: str
    health: int
    pd: int
    speed: int
    size: int = 2
    side: str = HEROES
    cover: Cover = Cover.NONE
    at: Square | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroStart:
    """How a player's character starts.

    Attributes:
        character: Id of the cast member.
        at: Where it stands; None for wherever there is room.
        side: Whose ally it is.
        hidden: Whether the other sides do not know of it.
        conditions: Content ids of conditions that it is under.
    """

    character: str
    at: Square | None = None
    side: str = HEROES
    hidden: bool = False
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A scene before it begins.

    Attributes:
        title: What it is called.
        field: The grid; None where distances are stated.
        spread: Feet between the sides, where distances are stated.
        foes: Adversaries.
        heroes: How some of the cast start.
        vehicles: Vehicles that can be driven.
        open_end: Whether a fight goes on until the game master ends it, though one side alone is left in
            the open.
        patience: Seconds that there are for a reaction; None for no limit.
        critical: Whether critical failures are used; None for the table's own rule.
        site: The stored map that the field is of; None without one.
    """

    title: str
    field: Field | None = None
    spread: int = 30
    foes: tuple[Foes, ...] = ()
    heroes: tuple[HeroStart, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()
    open_end: bool = False
    patience: int | None = None
    critical: bool | None = None
    site: Site | None = None


def adversary(slug: str) -> str:
    """The content id of an adversary."""
    return content_id(SLUG, "adversary", slug)


SETUPS = {
    "skirmish": Setup(
        title="The Ford",
        field=Field(width=14, height=10),
        foes=(
            Foes(adversary=adversary("f6-grunt"), count=2, name="Raider"),
            Foes(adversary=adversary("f6-commander"), name="Chief"),
        ),
    ),
    "ambush": Setup(
        title="The Hollow Way",
        field=Field(
            width=16,
            height=8,
            difficult=tuple(Square(8, y) for y in range(8)),
            solid=(Square(6, 2), Square(6, 3)),
            light=Ambient.DIM,
        ),
        foes=(
            Foes(adversary=adversary("f6-grunt"), name="Outlaw"),
            Foes(adversary=adversary("f6-striker"), name="Outlaw", hidden=True),
            Foes(adversary=adversary("f6-grunt"), name="Outlaw", hidden=True),
        ),
        open_end=True,
    ),
    "alley": Setup(
        title="The Alley",
        spread=40,
        foes=(Foes(adversary=adversary("m6-striker"), count=2, name="Gunman"),),
    ),
}


SETUP_TEXTS = {
    "skirmish": "Two raiders and their chief hold a ford in the open.",
    "ambush": "An outlaw bars a sunken way at dusk; it ends when the table says so.",
    "alley": "Two gunmen in a narrow street, with distances in place of squares.",
}
"""What waits in each of them."""


def begin(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Fight | Problems:
    """The opening position: heroes in the order of the cast, then the adversaries; nobody fights yet.

    Args:
        setup: What the game master decided.
        cast: The players' characters.
        catalog: The content that the fight is played by.
    """
    problems = tuple(_problems(setup, cast, catalog))
    if problems:
        return Problems(problems)
    ground = None if setup.field is None else ground_of(setup.field)
    critical = catalog.settings.critical_failures if setup.critical is None else setup.critical
    fight = Fight(
        title=setup.title.strip(),
        combatants=(*_heroes(setup, cast, catalog), *_adversaries(setup, catalog), *_vehicles(setup)),
        ground=ground,
        spread=setup.spread,
        open_end=setup.open_end,
        patience=setup.patience,
        critical=critical,
        site=setup.site,
        catalog=catalog,
    )
    starts = _starts(setup, cast, catalog)
    if setup.field is not None:
        placed = _placed(fight, setup, setup.field, starts)
        if placed is None:
            text = "There is no room for all of them."
            return Problems((RuleProblem("no_room", text, "Establish Positions", ("field",)),))
        # They see from where they stand, and are put there before fog counts.
        fight = looked_around(replace(placed, explored=setup.field.explored))
    return _conditioned(fight, starts)


def ground_of(field: Field) -> Ground:
    """The ground of a field, in feet."""
    if field.ground is not None:
        return replace(field.ground, measure=FEET)
    return plain_ground(
        field.width, field.height, field.solid, field.difficult, ambient=field.light, measure=FEET
    )


def _heroes(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[Combatant]:
    starts = {start.character: start for start in setup.heroes}
    for member in cast:
        start = starts.get(member.id, HeroStart(character=member.id))
        one = as_combatant(member.id, member.sheet, catalog)
        yield replace(one, side=start.side, hidden=start.hidden)


def as_combatant(who: str, sheet: CharacterSheet, catalog: Catalog) -> Combatant:
    """A character as it enters a scene: with its health and the energy that is left."""
    one = newcomer(who, sheet.name, HEROES, profile_of_sheet(sheet, catalog))
    health = sheet.health_now
    return replace(
        one,
        character=True,
        health=health,
        dead=health <= -one.profile.health,
        expended=sheet.expended,
        fainted=sheet.expended >= one.profile.energy,
        energy=one.profile.energy - sheet.expended,
    )


def _adversaries(setup: Setup, catalog: Catalog) -> Iterator[Combatant]:
    """The adversaries; those in the open first, so that numbers tell nothing of those who hide."""
    number = 0
    for foes in sorted(setup.foes, key=lambda foes: foes.hidden):
        block = catalog.adversaries[foes.adversary]
        name = foes.name.strip() or block.title
        for place in range(1, foes.count + 1):
            number += 1
            called = f"{name} {place}" if foes.count > 1 and not foes.hidden else name
            profile = profile_of_adversary(block, catalog)
            yield replace(newcomer(f"foe-{number}", called, foes.side, profile), hidden=foes.hidden)


def _vehicles(setup: Setup) -> Iterator[Combatant]:
    """The vehicles: bodies without a will, that have no energy and take no turns."""
    for number, vehicle in enumerate(setup.vehicles, start=1):
        profile = Profile(
            attributes=Attributes(),
            energy=0,
            health=vehicle.health,
            pd=vehicle.pd,
            md=1,
            speed=vehicle.speed,
            reach=0,
            space=CELL * vehicle.size,
            initiative=0,
            hands=0,
        )
        yield replace(
            newcomer(f"vehicle-{number}", vehicle.name.strip(), vehicle.side, profile), vehicle=True
        )


def _starts(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Starts:
    """Where each starts and how: characters bring along the conditions that their sheets name."""
    found = {start.character: (start.at, start.conditions) for start in setup.heroes}
    for member in cast:
        at, conditions = found.get(member.id, (None, ()))
        borne = (line.id for line in member.sheet.conditions if line.id in catalog.conditions)
        found[member.id] = (at, tuple(dict.fromkeys((*borne, *conditions))))
    number = 0
    for foes in sorted(setup.foes, key=lambda foes: foes.hidden):
        for place in range(foes.count):
            number += 1
            at = foes.at[place] if place < len(foes.at) else None
            found[f"foe-{number}"] = (at, (*foes.conditions, *((SADDLED,) if foes.mount else ())))
    for number, vehicle in enumerate(setup.vehicles, start=1):
        cover = () if vehicle.cover is Cover.NONE else (effect_id(f"{vehicle.cover.value}-cover"),)
        found[f"vehicle-{number}"] = (vehicle.at, cover)
    return found


def _placed(fight: Fight, setup: Setup, field: Field, starts: Starts) -> Fight | None:
    """The fight with all on the grid: where the setup says, else at their own edge; None without room."""
    ground = fight.ground
    assert ground is not None
    # Whom the setup places comes first, so that nobody else takes the square.
    waiting = sorted(fight.combatants, key=lambda one: starts.get(one.id, (None, ()))[0] is None)
    for one in waiting:
        stated = starts.get(one.id, (None, ()))[0]
        edge = _edge(ground, field, one.side == HEROES)
        if stated is None:
            squares: Iterable[Square] = edge
        else:
            # A token of a stored map may stand where its creature has no room.
            squares = (stated,) if setup.site is None else chain((stated,), edge)
        everyone = replace(fight, combatants=tuple(replace(each, hidden=False) for each in fight.combatants))
        at = next((each for each in squares if free(everyone, replace(one, hidden=False), each)), None)
        if at is None:
            return None
        combatants = tuple(replace(each, at=at) if each.id == one.id else each for each in fight.combatants)
        fight = replace(fight, combatants=combatants)
    return fight


def _edge(ground: Ground, field: Field, heroes: bool) -> Iterator[Square]:
    """Squares where a side starts: those that the field names, and then all others, the nearest first."""
    named = field.heroes_at if heroes else field.foes_at
    yield from named
    goal = named[0] if named else Square(1 if heroes else ground.width - 2, ground.height // 2)
    squares = [Square(x, y) for y in range(ground.height) for x in range(ground.width)]
    yield from sorted(squares, key=lambda square: distance(goal, square))


def _conditioned(fight: Fight, starts: Starts) -> Fight:
    """The fight with the conditions that all begin with."""
    effects: list[Effect] = []
    for who, (_, conditions) in starts.items():
        for kind in conditions:
            so_far = replace(fight, effects=tuple(effects))
            effects.append(new_effect(so_far, kind, who, shaken_off=is_ongoing(fight.catalog, kind)))
    return replace(fight, effects=tuple(effects))


def _problems(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    if not cast:
        yield RuleProblem("cast_missing", "A scene takes a character.", RULE, ("cast",), 0, 1)
    if not 0 < len(setup.title.strip()) <= LONGEST_TITLE:
        text = f"A title has 1 to {LONGEST_TITLE} characters."
        yield RuleProblem("text_too_long", text, RULE, ("title",), len(setup.title), LONGEST_TITLE)
    if not 5 <= setup.spread <= FARTHEST or setup.spread % 5:
        yield RuleProblem("distance_out_of_range", "Feet, in steps of 5.", RULE, ("spread",), setup.spread)
    if setup.patience is not None and setup.patience < 1:
        yield RuleProblem(
            "patience_out_of_range", "At least a second.", RULE, ("patience",), setup.patience, 1
        )
    yield from _foe_problems(setup, catalog)
    yield from _vehicle_problems(setup)
    names = {member.id for member in cast}
    for index, start in enumerate(setup.heroes):
        if start.character not in names:
            text = "This character does not take part."
            yield RuleProblem(
                "character_unknown", text, RULE, ("heroes", index), start.character, tuple(names)
            )
        yield from _unknown_conditions(catalog, start.conditions, ("heroes", index, "conditions"))
    if setup.field is not None and setup.field.ground is None:
        for name, side in (("width", setup.field.width), ("height", setup.field.height)):
            if not 1 <= side <= MAX_GROUND_SIDE:
                text = f"A field has 1 to {MAX_GROUND_SIDE} squares a side."
                yield RuleProblem("field_out_of_range", text, RULE, ("field", name), side, MAX_GROUND_SIDE)


def _foe_problems(setup: Setup, catalog: Catalog) -> Iterator[RuleProblem]:
    if sum(foes.count for foes in setup.foes) > MOST_FOES:
        yield RuleProblem("too_many", f"At most {MOST_FOES} adversaries.", RULE, ("foes",), None, MOST_FOES)
    for index, foes in enumerate(setup.foes):
        path: KeyPath = ("foes", index)
        if foes.adversary not in catalog.adversaries:
            text = "There is no such adversary."
            yield RuleProblem("id_unknown", text, RULE, (*path, "adversary"), foes.adversary)
        if foes.count < 1:
            yield RuleProblem("count_out_of_range", "At least one.", RULE, (*path, "count"), foes.count, 1)
        if len(foes.name) > LONGEST_NAME:
            text = f"A name has at most {LONGEST_NAME} characters."
            yield RuleProblem("text_too_long", text, RULE, (*path, "name"), len(foes.name), LONGEST_NAME)
        yield from _unknown_conditions(catalog, foes.conditions, (*path, "conditions"))


def _vehicle_problems(setup: Setup) -> Iterator[RuleProblem]:
    if len(setup.vehicles) > MOST_FOES:
        text = f"At most {MOST_FOES} vehicles."
        yield RuleProblem("too_many", text, DRIVING, ("vehicles",), len(setup.vehicles), MOST_FOES)
    for index, vehicle in enumerate(setup.vehicles):
        path: KeyPath = ("vehicles", index)
        if not 0 < len(vehicle.name.strip()) <= LONGEST_NAME:
            text = f"A name has 1 to {LONGEST_NAME} characters."
            yield RuleProblem(
                "text_too_long", text, DRIVING, (*path, "name"), len(vehicle.name), LONGEST_NAME
            )
        for name, (least, most) in VEHICLES.items():
            figure = getattr(vehicle, name)
            if not least <= figure <= most or (name == "speed" and figure % CELL):
                text = f"From {least} to {most}{', in steps of 5' if name == 'speed' else ''}."
                yield RuleProblem("figure_out_of_range", text, DRIVING, (*path, name), figure, (least, most))


def _unknown_conditions(catalog: Catalog, conditions: Iterable[str], path: KeyPath) -> Iterator[RuleProblem]:
    for place, condition in enumerate(conditions):
        if condition not in catalog.conditions:
            yield RuleProblem("id_unknown", "There is no such condition.", RULE, (*path, place), condition)
