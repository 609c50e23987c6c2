"""A Smith on paper: the dice to tick off, and lines for what a game brings."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.explain import Explained
from services.rules.systems.forgeborn.catalog import Catalog
from services.rules.systems.forgeborn.pools import ASCENDING
from services.rules.systems.forgeborn.sheet import SmithSheet

BOX = "☐"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDice:
    """The dice of one size, a box for each.

    Attributes:
        size: What the dice are called: d6.
        count: How many there are.
        boxes: A box to tick for each.
    """

    size: str
    count: int
    boxes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardMake:
    """What a die of a size makes of an Artifact, and costs.

    Attributes:
        size: What the die is called: d6.
        price: What it costs.
        form: The form that it makes.
        function: The function that it makes.
    """

    size: str
    price: int
    form: str
    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SmithCard:
    """A Smith on one card.

    Attributes:
        name: What the Smith is called.
        description: Who the Smith is, in the player's words.
        faces: Faces spent, and why.
        dice: Her dice, a box for each.
        best: Her best dice, in notation.
        makes: The forge's table: what each size pays for.
        tokens: Lines for tokens, points and Artifacts, left empty for the game.
        chronicle: The games she has played, a line each.
    """

    name: str
    description: str
    faces: Explained
    dice: tuple[CardDice, ...]
    best: str
    makes: tuple[CardMake, ...]
    tokens: tuple[str, ...]
    chronicle: tuple[str, ...]


def smith_card(sheet: SmithSheet, catalog: Catalog) -> SmithCard:
    """The card of a Smith."""
    best = next((check.notation for check in sheet.checks if check.id == "conflict"), "none")
    return SmithCard(
        name=sheet.name,
        description=sheet.description,
        faces=sheet.faces,
        dice=tuple(
            CardDice(size=size.value, count=sheet.dice.count(size), boxes=BOX * sheet.dice.count(size))
            for size in ASCENDING
        ),
        best=best,
        makes=tuple(
            CardMake(
                size=entry.size.value,
                price=entry.price,
                form=catalog.forms[entry.form].name,
                function=catalog.functions[entry.function].name,
            )
            for entry in catalog.dice
        ),
        tokens=("Victory points", "Resource tokens", "Secret tokens", "Artifacts", "Heroines", "Grants"),
        chronicle=tuple(
            f"{entry.title}: {entry.points} points, place {entry.rank} of {entry.players}"
            + (f"; made {', '.join(entry.artifacts)}" if entry.artifacts else "")
            for entry in sheet.chronicle
        ),
    )
