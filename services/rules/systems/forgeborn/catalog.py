"""The game's content as frozen data: what the TOML files in `content` hold.

Names and numbers are the book's; every sentence is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from services.rules.engine.content import Shelf, load_settings, load_shelf
from services.rules.engine.effects import EffectRule
from services.rules.systems.forgeborn.drop import RealmSettings
from services.rules.systems.forgeborn.pools import DieSize

SLUG = "forgeborn"


class Form(Enum):
    """What an Artifact is (F3).

    Attributes:
        CLOTHING: Worn on the body.
        JEWELRY: Worn as an ornament.
        BLUNT_WEAPON: A hammer, a staff, a mace.
        RANGED_WEAPON: A bow, a sling, a spear to throw.
        BLADED_WEAPON: A sword, an axe, a knife.
    """

    CLOTHING = "clothing"
    JEWELRY = "jewelry"
    BLUNT_WEAPON = "blunt_weapon"
    RANGED_WEAPON = "ranged_weapon"
    BLADED_WEAPON = "bladed_weapon"


class Function(Enum):
    """What an Artifact does (F4).

    Attributes:
        KNOWLEDGE: Tells its bearer what others do not know.
        PERSUASION: Bends hearts and eyes its bearer's way.
        FORTUNE: Turns chance to its bearer's side.
        TRANSFORMATION: Changes its bearer into what the moment asks for.
        COMBAT: Strikes for its bearer.
    """

    KNOWLEDGE = "knowledge"
    PERSUASION = "persuasion"
    FORTUNE = "fortune"
    TRANSFORMATION = "transformation"
    COMBAT = "combat"


FORM_OF_DIE = dict(zip(DieSize, Form, strict=True))
"""What a die given up for the form makes of an Artifact."""

FUNCTION_OF_DIE = dict(zip(DieSize, Function, strict=True))
"""What a die given up for the function makes of it."""

DIE_OF_FORM = {form: size for size, form in FORM_OF_DIE.items()}
DIE_OF_FUNCTION = {function: size for size, function in FUNCTION_OF_DIE.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class DieEntry:
    """A size of dice.

    Attributes:
        id: Content id.
        size: Which size it is.
        price: Points it costs when it is bought.
        form: Id of the form it gives an Artifact when it is given up for that.
        function: Id of the function likewise.
    """

    id: str
    size: DieSize
    price: int
    form: str
    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormEntry:
    """A form of Artifacts.

    Attributes:
        id: Content id.
        form: Which form it is.
        name: The word for people.
        die: The die that pays for it; a Resource token pays for any.
        items: Things of this form.
    """

    id: str
    form: Form
    name: str
    die: DieSize
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionEntry:
    """A function of Artifacts.

    Attributes:
        id: Content id.
        function: Which function it is.
        name: The word for people.
        die: The die that pays for it; a Secret token pays for any.
        keywords: What it may be about.
        help: How an Artifact of this function helps, where nobody says it better.
    """

    id: str
    function: Function
    name: str
    die: DieSize
    keywords: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """What troubles a Village, or guards a Ruin.

    Attributes:
        id: Content id.
        name: The word for people.
        text: What it is, in plain words.
    """

    id: str
    name: str
    text: str


class EffectKind:
    """Content ids of what lasts, where a rule asks for it by name (`content/effects.toml`)."""

    SWAYED = "forgeborn:effect/swayed"
    GRANTED = "forgeborn:effect/granted"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What a table may settle otherwise; every default is the ruling.

    Attributes:
        budget: Faces of dice that a Smith may have at first (A5).
        normal_dice: Dice of one's own that are rolled without a sacrifice (D1).
        junk_below: A creation or recruiting with a lower total fails (F10, F12).
        forest_limit: The Forest gives dice that come to no more than this (F19).
        artifact_approval: Whether the game master approves each use of an Artifact before dice fall (P13).
        junk_takes_helpers_dice: Whether a helper loses what she sacrificed for junk (P15).
        failed_recruit_keeps_dice: Whether sacrificed dice are kept when nobody is recruited (P16).
        secret_ballot: Whether it stays secret how each one voted when all votes are in; until then it always
            does (P18).
        favour_points: Victory points for a token that the Prince gives (P21).
        most_heroines: Heroines of one player; 0 for any number (F11).
        round_limit: Rounds after which the game ends, the Dragon alive or not; 0 for no limit (P27).
        answer_seconds: How long the others have for a vote or for joining a creation; 0 for no limit.
        answers_open_to_gm: Whether the game master reads votes, and the dice of those who join, before all
            answers are in.
    """

    budget: int = 72
    normal_dice: int = 3
    junk_below: int = 5
    forest_limit: int = 9
    artifact_approval: bool = True
    junk_takes_helpers_dice: bool = True
    failed_recruit_keeps_dice: bool = True
    secret_ballot: bool = False
    favour_points: int = 0
    most_heroines: int = 0
    round_limit: int = 0
    answer_seconds: int = 0
    answers_open_to_gm: bool = False


SETTING_BOUNDS: dict[str, tuple[int, int]] = {
    "budget": (1, 720),
    "normal_dice": (1, 12),
    "junk_below": (5, 60),
    "forest_limit": (1, 60),
    "favour_points": (0, 10),
    "most_heroines": (0, 100),
    "round_limit": (0, 1000),
    "answer_seconds": (0, 86_400),
}
"""What each number of the settings may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Names for Smiths, Heroines, Villages and Ruins.

    Attributes:
        names: Names to draw from.
    """

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The game's content.

    Attributes:
        dice: The five sizes.
        forms: What Artifacts are.
        functions: What they do.
        threats: What troubles Villages.
        guardians: What guards Ruins.
        effects: What lasts on Smiths and Heroines.
        words: Names.
        settings: A table's settings.
        realm: How a realm's dice fall.
    """

    dice: Shelf[DieEntry]
    forms: Shelf[FormEntry]
    functions: Shelf[FunctionEntry]
    threats: Shelf[Danger]
    guardians: Shelf[Danger]
    effects: Shelf[EffectRule]
    words: Words
    settings: TableSettings
    realm: RealmSettings

    def shelves(self) -> tuple[Shelf[Any], ...]:
        """Every shelf."""
        return (self.dice, self.forms, self.functions, self.threats, self.guardians, self.effects)

    def form(self, form: Form) -> FormEntry:
        """The entry of a form."""
        return next(entry for entry in self.forms if entry.form is form)

    def function(self, function: Function) -> FunctionEntry:
        """The entry of a function."""
        return next(entry for entry in self.functions if entry.function is function)


def load_catalog(folder: Traversable) -> Catalog:
    """Reads the content of a folder.

    Raises:
        ContentError: A file is missing or does not fit.
    """
    return Catalog(
        dice=load_shelf(folder, "dice.toml", system=SLUG, kind="die", entry=DieEntry),
        forms=load_shelf(folder, "forms.toml", system=SLUG, kind="form", entry=FormEntry),
        functions=load_shelf(folder, "functions.toml", system=SLUG, kind="function", entry=FunctionEntry),
        threats=load_shelf(folder, "threats.toml", system=SLUG, kind="threat", entry=Danger),
        guardians=load_shelf(folder, "guardians.toml", system=SLUG, kind="guardian", entry=Danger),
        effects=load_shelf(folder, "effects.toml", system=SLUG, kind="effect", entry=EffectRule),
        words=load_settings(folder, "names.toml", Words),
        settings=load_settings(folder, "settings.toml", TableSettings),
        realm=load_settings(folder, "realm.toml", RealmSettings),
    )


@cache
def own_catalog() -> Catalog:
    """The content that comes with the game."""
    return load_catalog(files(__package__) / "content")
