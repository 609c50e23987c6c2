"""Where a game stands: the champions, the Armory's stock, and the Crafting or combat under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from services.rules.engine.grid import Square
from services.rules.systems.dwarf_dice.crafting import Hoard
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.table_rules import TableRules


class Stage(Enum):
    """What play waits for.

    Attributes:
        DEAL: Champions are still to be dealt.
        TURN: Crafting or Combat.
        PACT: Whether the crafter uses Dark Pact.
        MARK: Whether the crafter sets a Null aside.
        NULLS: Where the left neighbour places the Nulls.
        FORGE: What the crafter forges.
        UPGRADE: Whether an opponent uses Upgrade!.
        CHOICE: The cards of both sides.
        READY: The attacker's dice, or Furious Assault before them.
        FURY: Whether a side uses Forge's Fury.
        BLOCK: Which dice block.
        REBUKE: Whether the defender uses Fiery Rebuke.
        OVER: Nothing; the game is over.
    """

    DEAL = "deal"
    TURN = "turn"
    PACT = "pact"
    MARK = "mark"
    NULLS = "nulls"
    FORGE = "forge"
    UPGRADE = "upgrade"
    CHOICE = "choice"
    READY = "ready"
    FURY = "fury"
    BLOCK = "block"
    REBUKE = "rebuke"
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """Somebody at the table, with their champion.

    Attributes:
        champion: Content id of the champion; empty until it is dealt.
        character: Whether it is a player's character; otherwise a rival that the game master leads.
        endurance: May stand below 0 after the last combat.
        power_left: Whether the gem still lies on the Active Power.
        hand: Cards, in the order of the Armory.
        face_down: Cards of the hand that this view does not show.
        out: Whether they are defeated.
        felled: How many they have defeated.
    """

    id: str
    name: str
    champion: str
    character: bool
    endurance: int
    power_left: bool = True
    hand: tuple[str, ...] = ()
    face_down: int = 0
    out: bool = False
    felled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """An item that lies on the Forge.

    Attributes:
        item: Content id.
        at: The Forge as nine signs, row by row, `.` where the item is not: `MMW......`.
    """

    item: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Crafting:
    """A Crafting under way.

    Attributes:
        crafter: Who crafts.
        rolled: The dice as they fell.
        hoard: What there is to forge with, Nulls that wait and Nulls set aside.
        nulls: Squares with a Null.
        works: What lies on the Forge.
        forged: What was forged, once that is done.
        asked: Who was asked for Upgrade! already.
    """

    crafter: str
    rolled: tuple[Resource, ...]
    hoard: Hoard
    nulls: tuple[Square, ...] = ()
    works: tuple[Work, ...] = ()
    forged: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat:
    """A combat under way.

    Attributes:
        attack_in: Whether the attacker has chosen.
        attack: The attacker's cards; secret until both are in.
        defence_in: Whether the defender has chosen.
        defence: The defender's cards; secret until both are in.
        revealed: Whether both have revealed.
        assault: Whether Furious Assault was used.
        attack_roll: The attacker's dice as they show.
        defence_roll: The defender's dice as they show.
        fury: Who used Forge's Fury.
        asked: Who was asked for Forge's Fury already.
        blocks: Places of the defending dice that block.
        taken: Damage the defender has taken.
    """

    attacker: str
    defender: str
    attack_in: bool = False
    attack: tuple[str, ...] = ()
    defence_in: bool = False
    defence: tuple[str, ...] = ()
    revealed: bool = False
    assault: bool = False
    attack_roll: tuple[Resource, ...] = ()
    defence_roll: tuple[Resource, ...] = ()
    fury: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    blocks: tuple[int, ...] = ()
    taken: int = 0

    @property
    def crits(self) -> bool:
        """Whether the attacker's Alchemy counts."""
        return self.defender not in self.fury

    @property
    def counters(self) -> bool:
        """Whether the defender's Alchemy counts."""
        return self.attacker not in self.fury


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a game ended.

    Attributes:
        winners: Who won; nobody when it was called off.
        text: Why.
        called_off: Whether the game master called it off.
    """

    winners: tuple[str, ...]
    text: str
    called_off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game of Dwarf Dice.

    Attributes:
        rules: What it is played by.
        fighters: Everybody, clockwise, the defeated too.
        stock: Copies left in the Armory, by item.
        lost: Cards that left the game with a defeated champion (P11, where the table plays so).
        stage: What play waits for.
        turn: Whose turn it is.
        turns: How many turns have begun.
        round: Counted from 1; a new one begins when the turn comes past the first seat.
        answer_seconds: How long questions wait; None for as long as it takes.
        crafting: The Crafting under way.
        combat: The combat under way.
        ending: How it ended.
    """

    title: str
    rules: TableRules
    fighters: tuple[Fighter, ...]
    stock: Mapping[str, int]
    stage: Stage
    turn: str
    lost: tuple[str, ...] = ()
    turns: int = 1
    round: int = 1
    answer_seconds: int | None = None
    crafting: Crafting | None = None
    combat: Combat | None = None
    ending: Ending | None = None

    def find(self, who: str) -> Fighter | None:
        """Somebody at the table, if there is such a one."""
        return next((it for it in self.fighters if it.id == who), None)

    def fighter(self, who: str) -> Fighter:
        """Somebody who is surely at the table.

        Raises:
            KeyError: There is nobody of this id.
        """
        for it in self.fighters:
            if it.id == who:
                return it
        raise KeyError(who)

    def seats(self) -> tuple[str, ...]:
        """Everybody's id, clockwise."""
        return tuple(it.id for it in self.fighters)

    def out(self) -> tuple[str, ...]:
        """Who is defeated."""
        return tuple(it.id for it in self.fighters if it.out)

    def living(self) -> tuple[Fighter, ...]:
        """Who still stands, clockwise."""
        return tuple(it for it in self.fighters if not it.out)

    def at_work(self) -> Crafting:
        """The Crafting under way.

        Raises:
            ValueError: There is none.
        """
        if self.crafting is None:
            raise ValueError("nobody is crafting")
        return self.crafting

    def engaged(self) -> Combat:
        """The combat under way.

        Raises:
            ValueError: There is none.
        """
        if self.combat is None:
            raise ValueError("nobody is fighting")
        return self.combat
