"""Builds the sheet of a Smith from choices, or names every rule they break.

Book: Creating Master Smiths of the Forge.
"""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.explain import Explained, Part
from services.rules.engine.problem import KeyPath, Problems, RuleProblem
from services.rules.engine.sheet import RollableCheck, Track
from services.rules.systems.forgeborn.catalog import SLUG, Catalog
from services.rules.systems.forgeborn.choices import BOOK, LONGEST_NAME, LONGEST_TEXT, SmithChoices
from services.rules.systems.forgeborn.pools import (
    ASCENDING,
    MOST_OF_A_SIZE,
    SIDES,
    DiceCount,
    DieSize,
    notation,
)
from services.rules.systems.forgeborn.sheet import SmithSheet

MOST_POINTS = 100_000
MOST_PLAYERS = 4
MOST_CHRONICLE = 1_000
MOST_WORKS = 200


def build(choices: SmithChoices, catalog: Catalog) -> SmithSheet | Problems:
    """The sheet of these choices, or every rule they break (A5, A6)."""
    problems = tuple(_problems(choices, catalog))
    if problems:
        return Problems(problems)
    budget = catalog.settings.budget
    faces = spent_faces(choices.dice)
    return SmithSheet(
        system=SLUG,
        name=choices.name.strip(),
        tracks=(Track("faces", "Faces of dice", faces.value, budget),),
        checks=tuple(_checks(choices.dice, catalog)),
        description=choices.description.strip(),
        dice=choices.dice,
        faces=faces,
        left=budget - faces.value,
        games=len(choices.chronicle),
        victories=sum(entry.rank == 1 for entry in choices.chronicle),
        chronicle=choices.chronicle,
    )


def spent_faces(dice: DiceCount) -> Explained:
    """The faces of some dice, size by size."""
    return Explained.of(
        *(
            Part(dice.count(size) * SIDES[size], notation((size,) * dice.count(size)), BOOK)
            for size in dice.owned()
        )
    )


def text_problems(
    text: str, path: KeyPath, *, longest: int, needed: bool, what: str
) -> Iterator[RuleProblem]:
    """What is wrong with a name, which is one line, or with a description, which may be several."""
    if needed and not text.strip():
        yield RuleProblem("text_missing", f"{what} is needed.", "table", path, text, (1, longest))
    if len(text) > longest:
        message = f"{what} has at most {longest} characters."
        yield RuleProblem("text_too_long", message, "table", path, len(text), longest)
    line = text.replace("\n", " ") if longest >= LONGEST_TEXT else text
    if not line.isprintable():
        yield RuleProblem("text_unprintable", f"{what} is plain text.", "table", path, ascii(text))


def dice_problems(dice: DiceCount, budget: int, path: KeyPath) -> Iterator[RuleProblem]:
    """What is wrong with a Smith's first dice."""
    sound = True
    for size in ASCENDING:
        count = dice.count(size)
        if not 0 <= count <= MOST_OF_A_SIZE:
            sound = False
            text = f"There are from 0 to {MOST_OF_A_SIZE} dice of a size."
            bounds = (0, MOST_OF_A_SIZE)
            yield RuleProblem("dice_out_of_range", text, BOOK, (*path, size.value), count, bounds)
    if sound and dice.faces() > budget:
        text = f"These dice have {dice.faces()} faces, and {budget} may be spent."
        yield RuleProblem("budget_exceeded", text, BOOK, path, dice.faces(), budget)


def _problems(choices: SmithChoices, catalog: Catalog) -> Iterator[RuleProblem]:
    yield from text_problems(choices.name, ("name",), longest=LONGEST_NAME, needed=True, what="A name")
    about = choices.description
    yield from text_problems(
        about, ("description",), longest=LONGEST_TEXT, needed=False, what="A description"
    )
    yield from dice_problems(choices.dice, catalog.settings.budget, ("dice",))
    if len(choices.chronicle) > MOST_CHRONICLE:
        text, found = f"A chronicle has at most {MOST_CHRONICLE} games.", len(choices.chronicle)
        yield RuleProblem("chronicle_too_long", text, "table", ("chronicle",), found, MOST_CHRONICLE)
    for place, entry in enumerate(choices.chronicle):
        path: KeyPath = ("chronicle", place)
        yield from text_problems(
            entry.title, (*path, "title"), longest=4 * LONGEST_NAME, needed=False, what="A title"
        )
        numbers = (
            ("points", entry.points, (0, MOST_POINTS)),
            ("players", entry.players, (1, MOST_PLAYERS)),
            ("rank", entry.rank, (1, MOST_PLAYERS)),
        )
        for name, found, bounds in numbers:
            if not bounds[0] <= found <= bounds[1]:
                text = f"It is from {bounds[0]} to {bounds[1]}."
                yield RuleProblem("chronicle_out_of_range", text, "table", (*path, name), found, bounds)
        if len(entry.artifacts) > MOST_WORKS:
            text, found = f"At most {MOST_WORKS} works are written down.", len(entry.artifacts)
            yield RuleProblem("chronicle_too_long", text, "table", (*path, "artifacts"), found, MOST_WORKS)


def _checks(dice: DiceCount, catalog: Catalog) -> Iterator[RollableCheck]:
    normal = catalog.settings.normal_dice
    best = dice.best(normal)
    reading = "It wins when it reaches the sum of one d12 for each point of Power."
    if best:
        why = Explained.of(Part(len(best), "her best dice", "Conflict Rolls"))
        yield RollableCheck("conflict", "Conflict", notation(best), reading, why)
    if dice.total() > normal:
        every = dice.best(dice.total())
        why = Explained.of(
            Part(normal, "her best dice", "Conflict Rolls"),
            Part(len(every) - normal, "sacrificed", "Conflict Rolls"),
        )
        name = "Conflict with everything sacrificed"
        yield RollableCheck("conflict-all", name, notation(every), reading, why)
    limit = catalog.settings.forest_limit
    wished = (DieSize.D6, DieSize.D6)
    why = Explained.of(Part(len(wished), "dice wished for", "Commune with the Spirits of the Forest"))
    text = f"A sum of {limit} or less gives these dice; a higher one costs a die."
    yield RollableCheck("forest", "Wish for 2d6 in the Forest", notation(wished), text, why)
