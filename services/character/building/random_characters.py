"""Characters drawn by chance: the same seed draws the same one, whoever asks."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import shake_256
from itertools import count

from services.character.building.builds import Build, Built, broken_rules, build, unknown_system
from services.character.building.requests import CreateRandomCharacter
from services.rules.dice.stream import ByteStream
from services.rules.engine.problem import Problems
from services.rules.engine.system import AnySystem
from services.shared.problems import InvalidInput

SEED_BYTES = 16


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


def draw(systems: Mapping[str, AnySystem], wish: CreateRandomCharacter, fresh: str) -> Drawn:
    """Draw a character and build it.

    Args:
        systems: the games that can be played, by slug.
        wish: what is asked for; its packs are in the games already.
        fresh: the seed for a wish that names none.

    Raises:
        InvalidInput: the game draws none, or rules are broken: each is named, in the words of the wish.
    """
    system = systems.get(wish.system)
    if system is None:
        raise unknown_system(systems, wish.system, "system")
    if system.random is None:
        able = ", ".join(slug for slug, other in systems.items() if other.random is not None)
        text = "This game draws no characters by chance."
        raise InvalidInput.single("NOTHING_TO_DRAW", text, "system", found=wish.system, allowed=able)
    seed = fresh if wish.seed is None else wish.seed
    choices = system.random(_stream(f"{system.slug}:{seed}"), system.content, wish.name, wish.concept)
    if isinstance(choices, Problems):
        raise broken_rules(choices, [])
    wanted = Build(system.slug, choices)
    try:
        return Drawn(seed, wanted, build(systems, wanted))
    except InvalidInput as refused:
        # The path of an issue leads through the build that the caller has never seen.
        raise InvalidInput([replace(found, path=found.path[2:]) for found in refused.issues]) from refused


def _stream(name: str) -> ByteStream:
    blocks = count()
    return ByteStream(lambda size: shake_256(f"{next(blocks)}:{name}".encode()).digest(size))
