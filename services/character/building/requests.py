"""What is asked about characters, with the bounds of each member."""

from dataclasses import dataclass
from typing import Annotated

from services.character.building.builds import Build
from services.character.packs.requests import PackId
from services.shared.bounds import Prose

MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class CreateCharacter:
    """A character to be made.

    Attributes:
        build: Its game, and in it all that the rules let a player choose.
        packs: Ids of the content packs that it is built under, in order; each in its newest version.
    """

    build: Build
    packs: tuple[PackId, ...] = ()


@dataclass(frozen=True, slots=True)
class UpdateCharacter:
    """A character to be built anew: the choices replace those of before as a whole.

    Attributes:
        id: Of the character.
        version: The version you saw.
        build: Its game, which stays the same, and the new choices.
        packs: Ids of the content packs that it is built under, in order, instead of those before. Left out,
            the packs stay, each in its newest version that you may see.
    """

    id: str
    version: int
    build: Build
    packs: tuple[PackId, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeleteCharacter:
    """A character to be deleted.

    Attributes:
        id: Of the character.
        version: The version you saw.
    """

    id: str
    version: int


@dataclass(frozen=True, slots=True)
class CreateRandomCharacter:
    """A character to be drawn by chance.

    Attributes:
        system: Slug of the game system.
        name: What it is called; drawn too when left out.
        concept: What kind of character, in the game's own terms, for instance the content id of a role; drawn
            too when left out. A wrong one is answered with all there are.
        seed: The same seed draws the same character; a fresh one when left out.
        packs: Ids of the content packs that it is built under, in order; each in its newest version.
    """

    system: str
    name: Annotated[str, Prose(MAX_TEXT)] | None = None
    concept: Annotated[str, Prose(MAX_TEXT)] | None = None
    seed: Annotated[str, Prose(MAX_TEXT, 1)] | None = None
    packs: tuple[PackId, ...] = ()
