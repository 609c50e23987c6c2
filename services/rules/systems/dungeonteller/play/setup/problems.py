"""What is wrong with a setup, each with its path."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.grid import MAX_SIDE, Grid, Square
from services.rules.engine.ground.fog import is_written
from services.rules.engine.play import CastMember
from services.rules.engine.problem import KeyPath, RuleProblem
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.setup.document import Setup

MOST_CREATURES = 40
MOST_DAYS = 365
SECONDS = (5, 7 * 24 * 60 * 60)
"""The shortest and the longest time that questions may wait."""


def setup_problems(setup: Setup, cast: tuple[CastMember, ...], catalog: Catalog) -> Iterator[RuleProblem]:
    """Yields everything that is wrong with a setup, for these heroes."""
    if not setup.title.strip():
        yield RuleProblem("title_missing", "A scene needs a title.", "scene", ("title",), setup.title)
    yield from _seconds(setup)
    place = setup.place
    if not (1 <= place.width <= MAX_SIDE and 1 <= place.height <= MAX_SIDE):
        text = f"A place has from 1 to {MAX_SIDE} paces a side."
        found = (place.width, place.height)
        yield RuleProblem("place_too_big", text, "Moving", ("place",), found, (1, MAX_SIDE))
        return
    ground = place.ground
    if ground is not None and (ground.width, ground.height) != (place.width, place.height):
        text, found = "A ground is as large as the place.", (ground.width, ground.height)
        allowed = (place.width, place.height)
        yield RuleProblem("ground_of_another_size", text, "Moving", ("place", "ground"), found, allowed)
        return
    if not 0 <= setup.cold_days <= MOST_DAYS:
        text, rule = f"From 0 to {MOST_DAYS} days.", "Hazards / Cold and Freezing"
        yield RuleProblem("out_of_range", text, rule, ("cold_days",), setup.cold_days, (0, MOST_DAYS))
    yield from _heroes(setup, tuple(member.id for member in cast))
    yield from _creatures(setup, catalog)
    yield from _squares(setup)
    yield from _ids(setup)
    yield from _explored(setup)


def _explored(setup: Setup) -> Iterator[RuleProblem]:
    """The cells that players know from the beginning: hexadecimal digits, no more than the place has bits."""
    place = setup.place
    size, message = place.width * place.height, "Explored cells are hexadecimal digits, a bit for each cell."
    sets: dict[KeyPath, str] = {("place", "explored"): place.explored}
    sets |= {("place", "explored_by", hero): text for hero, text in place.explored_by.items()}
    for path, text in sets.items():
        if not is_written(text, size):
            yield RuleProblem("explored_malformed", message, "scene", path, len(text), size)


def _seconds(setup: Setup) -> Iterator[RuleProblem]:
    """The time limit of questions."""
    seconds, (least, most) = setup.answer_seconds, SECONDS
    if seconds is not None and not least <= seconds <= most:
        text = f"A time limit is from {least} seconds to {most} (a week), or none."
        yield RuleProblem("seconds_out_of_range", text, "time limit", ("answer_seconds",), seconds, SECONDS)


def _heroes(setup: Setup, cast: tuple[str, ...]) -> Iterator[RuleProblem]:
    if not cast:
        yield RuleProblem("no_heroes", "A scene needs a hero.", "What You Need to Play", ("cast",), 0, 1)
    wanted: list[tuple[KeyPath, str]] = [(("order", index), hero) for index, hero in enumerate(setup.order)]
    wanted += [(("heroes", index, "hero"), start.hero) for index, start in enumerate(setup.heroes)]
    for path, hero in wanted:
        if hero not in cast:
            yield RuleProblem("hero_unknown", "This hero does not take part.", "scene", path, hero, cast)


def _creatures(setup: Setup, catalog: Catalog) -> Iterator[RuleProblem]:
    for index, group in enumerate(setup.creatures):
        path = ("creatures", index)
        if group.monster not in catalog.monsters:
            text, known = "There is no such creature.", catalog.monsters.ids
            yield RuleProblem("monster_unknown", text, "bestiary", (*path, "monster"), group.monster, known)
        if group.count < 1:
            text = "At least one."
            yield RuleProblem("count_out_of_range", text, "bestiary", (*path, "count"), group.count, 1)
    count = sum(max(group.count, 0) for group in setup.creatures)
    if count > MOST_CREATURES:
        text = f"At most {MOST_CREATURES} creatures fit into a scene."
        yield RuleProblem("too_many_creatures", text, "bestiary", ("creatures",), count, MOST_CREATURES)


def _squares(setup: Setup) -> Iterator[RuleProblem]:
    """Places that are named for heroes and creatures: one for each, and nothing solid there."""
    place = setup.place
    grid = Grid(place.width, place.height, place.solid, place.ground)
    squares: list[tuple[KeyPath, Square]] = [
        (("heroes", index, "at"), start.at)
        for index, start in enumerate(setup.heroes)
        if start.at is not None
    ]
    for index, group in enumerate(setup.creatures):
        squares += [(("creatures", index, "at", number), at) for number, at in enumerate(group.at)]
    taken: set[Square] = set()
    for path, at in squares:
        if not grid.open(at) or at in taken:
            text = "Somebody stands there already." if at in taken else "Nobody can stand there."
            yield RuleProblem("square_not_free", text, "Moving", path, (at.x, at.y))
        taken.add(at)


def _ids(setup: Setup) -> Iterator[RuleProblem]:
    names = [*(job.id for job in setup.jobs), *(thing.id for thing in setup.things)]
    for index, name in enumerate(names):
        if not name or name in names[:index]:
            yield RuleProblem("id_taken", "Every job and thing has an id of its own.", "scene", (), name)
