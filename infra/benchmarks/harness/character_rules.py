"""What characters cost one core: the rules of Forge Engine, asked as services ask them, but no service."""

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from hashlib import shake_256
from itertools import count
from typing import Any, TypeVar

from infra.benchmarks.harness.cases import BenchFailure, Sample
from infra.benchmarks.harness.rounds import Measure
from services.rules.dice.stream import ByteStream
from services.rules.engine import library
from services.rules.engine.content import Shelf
from services.rules.engine.library import Wanted
from services.rules.engine.problem import Problems
from services.rules.engine.spelling import PUBLISHED
from services.rules.systems.forge_engine import SYSTEM
from services.rules.systems.forge_engine.catalog import Catalog
from services.rules.systems.forge_engine.choices import CharacterChoices, SkillRating
from services.rules.systems.forge_engine.pools.attack_given import AttackGiven, DefenseGiven, PoolSkill
from services.rules.systems.forge_engine.pools.attack_odds import AttackQuestion, attack_odds

T = TypeVar("T")

GROWN, HALF_MADE = "fire-caller", "wasteland-scavenger"
"""Examples: one that has developed and has CP to spend, and one with points left from creation."""
PACK = "book-examples"
MOST_SKILLS = 210
"""About as many as fit into the choices that a request may send."""
SEARCHED = Wanted(search="fire")
ATTACK = AttackQuestion(
    attack=AttackGiven(
        weapon="forge_engine:equipment/historical-longsword",
        attribute=5,
        added=5,
        skills=(PoolSkill(name="Melee Weapons", rating=5),),
    ),
    defense=DefenseGiven(dice=5),
)


@dataclass(frozen=True, slots=True)
class Task:
    """Something that the rules are asked.

    Attributes:
        name: of the case.
        run: asks it once; gives how much there is in the answer.
        counted: what that is a number of.
        batch: how often it is asked for one time of what is too quick to be timed alone.
    """

    name: str
    run: Callable[[], int]
    counted: str
    batch: int = 1

    @property
    def measure(self) -> Measure:
        """Asks again and again, timed by this process's time on a processor."""

        async def measured(seconds: float) -> Sample:
            end = time.perf_counter() + seconds
            took: list[float] = []
            while not took or time.perf_counter() < end:
                began = time.process_time()
                for _ in range(self.batch):
                    self.run()
                took.append(time.process_time() - began)
            return Sample(sum(took), [spent * 1000 / self.batch for spent in took], batch=self.batch)

        return measured


def tasks() -> list[Task]:
    """Give all that is measured."""
    catalog, grown, half_made = SYSTEM.content, SYSTEM.examples[GROWN], SYSTEM.examples[HALF_MADE]
    named, largest = CharacterChoices(name="Somebody"), _largest(half_made)
    guide, advance, draw, packs = SYSTEM.guide, SYSTEM.advance, SYSTEM.random, SYSTEM.packs
    assert guide is not None and advance is not None and draw is not None and packs is not None
    sheet, codec, pack = _whole(SYSTEM.build(grown, catalog)), SYSTEM.sheet_codec, packs.examples[PACK]
    document = codec.dump(sheet)

    def offers(choices: CharacterChoices) -> int:
        return sum(len(step.offers) for step in guide.steps(choices, catalog))

    def found(content: Catalog) -> int:
        return len(_whole(library.search(content, SEARCHED, PUBLISHED)).hits)

    return [
        Task("build of a character", lambda: len(_whole(SYSTEM.build(grown, catalog)).checks), "checks", 5),
        Task("sheet written as JSON", lambda: len(codec.dump(sheet)), "parts", 5),
        Task("sheet read from JSON", lambda: len(codec.load(document).checks), "checks", 5),
        Task("all steps of the guide, a character half made", lambda: offers(half_made), "offers"),
        Task("all steps of the guide, nothing but a name", lambda: offers(named), "offers"),
        Task("all steps of the guide, as much as can be sent", lambda: offers(largest), "offers"),
        Task("what a character could be given or buy", lambda: len(advance.offers(grown, catalog)), "offers"),
        Task(
            "a character by chance", lambda: len(_whole(draw(_dice(), catalog, None, None)).skills), "skills"
        ),
        Task("check of a pack", lambda: len(_whole(packs.check(pack, catalog)).adds), "adds", 5),
        Task("content with a pack in it", lambda: len(packs.extend(catalog, pack).traits), "traits", 20),
        Task("search through all content, for the first time", lambda: found(_unread(catalog)), "hits"),
        Task("search through all content", lambda: found(catalog), "hits", 20),
        Task(
            "odds of an attack by energy",
            lambda: len(_whole(attack_odds(ATTACK, catalog)).table),
            "energies",
            5,
        ),
    ]


def _whole(answer: T | Problems) -> T:
    """Give an answer.

    Raises:
        BenchFailure: it is a refusal.
    """
    if isinstance(answer, Problems):
        raise BenchFailure(f"the rules refuse: {answer}")
    return answer


def _largest(choices: CharacterChoices) -> CharacterChoices:
    """Give a character with so many skills that hardly more can be sent, and all points left."""
    by_field = next(skill.id for skill in SYSTEM.content.skills if skill.by_field)
    more = (SkillRating(skill=by_field, rating=0, field=f"field {number}") for number in range(MOST_SKILLS))
    return replace(choices, skills=tuple(more))


def _dice() -> ByteStream:
    """Give dice that always fall alike."""
    blocks = count()
    return ByteStream(lambda size: shake_256(b"bench %d" % next(blocks)).digest(size))


def _unread(catalog: Catalog) -> Catalog:
    """Give the same content, nothing of which has been looked through yet.

    What is known of a shelf is known of that very one, not of another one with the same entries.
    """
    parts = {part.name: getattr(catalog, part.name) for part in fields(catalog)}
    shelves: dict[str, Any] = {name: replace(part) for name, part in parts.items() if isinstance(part, Shelf)}
    return replace(catalog, **shelves)
