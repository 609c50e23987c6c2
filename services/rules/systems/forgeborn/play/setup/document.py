"""What the game master decides before a game."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.systems.forgeborn.catalog import TableSettings
from services.rules.systems.forgeborn.drop import DroppedDie, RealmSettings, Sheet
from services.rules.systems.forgeborn.pools import DiceCount

RULINGS, REALM_RULINGS = TableSettings(), RealmSettings()

FEWEST, MOST = 2, 4
"""Players of a game (A1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A Smith that the game master leads.

    Attributes:
        dice: Hers, within the same budget as a player's.
    """

    name: str
    dice: DiceCount
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotPower:
    """A Power that is not that of the die."""

    place: str
    power: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotName:
    """What a place is called."""

    place: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the game master decides.

    Attributes:
        title: Of the game.
        players: Seats; those that no player takes are filled with rivals. More where the cast is larger.
        rivals: Smiths for those seats; rivals of the house sit where there are none.
        first: Id of the Smith who begins, `rival-1` and up for rivals; empty for the first of the cast (A3).
        realm_title: Name of the realm.
        width: Of the sheet, in thousandths of a unit.
        height: Of the sheet.
        realm: How its dice fall.
        drop: The dice as they lie, in the order of dropping, Ruins found later at the end; none to let them
            fall at the table.
        spent: Ids of Ruins that were explored already.
        powers: Powers that are not those of the dice.
        names: Names of places; the others get names of the book.
        settings: The table's settings.
        on_map: Whether the realm is a stored map that changes along with the game.
    """

    title: str
    players: int = FEWEST
    rivals: tuple[Rival, ...] = ()
    first: str = ""
    realm_title: str = "The Realm"
    width: int = Sheet().width
    height: int = Sheet().height
    realm: RealmSettings = REALM_RULINGS
    drop: tuple[DroppedDie, ...] = ()
    spent: tuple[str, ...] = ()
    powers: tuple[SpotPower, ...] = ()
    names: tuple[SpotName, ...] = ()
    settings: TableSettings = RULINGS
    on_map: bool = False


def seats(setup: Setup, cast: int) -> int:
    """How many sit at the table."""
    return min(MOST, max(setup.players, cast + len(setup.rivals), FEWEST))
