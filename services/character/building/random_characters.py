"""Characters drawn by chance: the same seed draws the same one, whoever asks."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import shake_256
from itertools import count

from services.character.building.builds import Build, Built, build, issue
from services.rules.dice.stream import ByteStream
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput, Issue
from services.shared.wording import unwritable

MAX_TEXT = 200
SEED_BYTES = 16


@dataclass(frozen=True, slots=True)
class Wish:
    """A character to be drawn by chance.

    Attributes:
        system: slug of the game system.
        name: what it is called; drawn too when None.
        concept: what kind of character, in the game's own terms; drawn too when None.
        seed: what it is drawn from, 1 to 200 characters; a fresh one when None.
        packs: ids of the packs that its content is extended by, in order.
    """

    system: str
    name: str | None = None
    concept: str | None = None
    seed: str | None = None
    packs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance, and then the rules, made of a wish.

    Attributes:
        seed: draws the same character again, for the same name and concept.
        wanted: the choices that were drawn.
        built: what the rules made of them.
    """

    seed: str
    wanted: Build
    built: Built


def fresh_seed() -> str:
    """Draw a seed that nobody can guess."""
    return secrets.token_hex(SEED_BYTES)


def draw(systems: Mapping[str, AnySystem], wish: Wish, fresh: str) -> Drawn | InvalidInput:
    """Draw a character and build it; every broken rule is named at once, in the words of the wish.

    Args:
        systems: the games that can be played, by slug.
        wish: what is asked for.
        fresh: the seed for a wish that names none.
    """
    issues = list(_issues(wish))
    if issues:
        return InvalidInput.of(issues)
    system = systems.get(wish.system)
    if system is None:
        known = ", ".join(systems)
        return InvalidInput.single(
            "SYSTEM_UNKNOWN", "There is no such game system.", "system", found=wish.system, allowed=known
        )
    if system.random is None:
        able = ", ".join(slug for slug, other in systems.items() if other.random is not None)
        return InvalidInput.single(
            "NOTHING_TO_DRAW",
            "This game draws no characters by chance.",
            "system",
            found=wish.system,
            allowed=able,
        )
    seed = fresh if wish.seed is None else wish.seed
    choices = system.random(_stream(f"{system.slug}:{seed}"), system.content, wish.name, wish.concept)
    if isinstance(choices, Problems):
        return InvalidInput.of([issue(problem, []) for problem in choices])
    wanted = Build(system.slug, choices)
    built = build(systems, wanted)
    if isinstance(built, InvalidInput):
        # The path of an issue leads through the build that the caller has never seen.
        return InvalidInput.of([replace(found, path=found.path[2:]) for found in built.issues])
    return Drawn(seed, wanted, built)


def _stream(name: str) -> ByteStream:
    blocks = count()
    return ByteStream(lambda size: shake_256(f"{next(blocks)}:{name}".encode()).digest(size))


def _issues(wish: Wish) -> Iterator[Issue]:
    texts = {"system": wish.system, "name": wish.name, "concept": wish.concept, "seed": wish.seed}
    for field, text in texts.items():
        if text is None:
            continue
        yield from unwritable(text, [field])
        least = 1 if field == "seed" else 0
        if not least <= len(text) <= MAX_TEXT:
            yield Issue(
                code="LENGTH",
                message=f"It must have {least} to {MAX_TEXT} characters.",
                path=[field],
                found=str(len(text)),
                allowed=f"{least}..{MAX_TEXT}",
            )
