"""Where a game stands: the champions, the Armory's stock, and the Crafting or combat under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.engine.effects import Effect, Until
from services.rules.engine.grid import Square
from services.rules.systems.dwarf_dice.crafting import Hoard
from services.rules.systems.dwarf_dice.resources import Resource
from services.rules.systems.dwarf_dice.settings import TableRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A fighter at the table, with their champion.

    Attributes:
        id: Unique at the table.
        name: Of the fighter.
        champion: Content id of the champion; empty until it is dealt.
        character: Whether it is a player's character; otherwise a rival that the game master leads.
        endurance: May stand below 0 after the last combat.
        hand: Cards, in the order of the Armory.
        face_down: Cards of the hand that this view does not show.
        out: Whether they are defeated.
        felled: How many they have defeated.
        effects: What lasts on them: their champion's powers, an active one until it is used.
    """

    id: str
    name: str
    champion: str
    character: bool
    endurance: int
    hand: tuple[str, ...] = ()
    face_down: int = 0
    out: bool = False
    felled: int = 0
    effects: tuple[Effect, ...] = ()

    @property
    def power_left(self) -> bool:
        """Whether the gem still lies on the Active Power."""
        if not self.champion:
            return True
        return any(it.cause == self.champion and it.lasts.until is Until.USED for it in self.effects)

    @property
    def cards(self) -> int:
        """How many cards the hand holds, whether they are seen or not."""
        return len(self.hand) + self.face_down


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
    """

    crafter: str
    rolled: tuple[Resource, ...]
    hoard: Hoard
    nulls: tuple[Square, ...] = ()
    works: tuple[Work, ...] = ()
    forged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat:
    """A combat under way. Before the reveal it holds neither side's cards: a choice is not in the state.

    Attributes:
        attacker: Id of the one who called.
        defender: Id of the one who was called out.
        revealed: Whether both have revealed their cards.
        attack: The attacker's cards.
        defence: The defender's cards.
        assault: Whether Furious Assault was used.
        attack_roll: The attacker's dice as they show.
        defence_roll: The defender's dice as they show.
        fury: Who used Forge's Fury.
        blocks: Places of the defending dice that block.
    """

    attacker: str
    defender: str
    revealed: bool = False
    attack: tuple[str, ...] = ()
    defence: tuple[str, ...] = ()
    assault: bool = False
    attack_roll: tuple[Resource, ...] = ()
    defence_roll: tuple[Resource, ...] = ()
    fury: tuple[str, ...] = ()
    blocks: tuple[int, ...] = ()

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
        winner: Who won; empty where the game master called it off.
    """

    winner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game of Dwarf Dice.

    Attributes:
        title: What the game is called at the table.
        rules: What it is played by.
        fighters: Everybody, clockwise, the defeated too.
        stock: Copies left in the Armory, by item.
        turn: Whose turn it is; before champions are dealt, who deals them.
        lost: Cards that left the game with a defeated champion (P11, where the table plays so).
        turns: How many turns have begun.
        round: Counted from 1; a new one begins when the turn comes past the first seat.
        answer_seconds: How long questions wait; None for as long as it takes.
        crafting: The Crafting under way: once the Nulls lie, the crafter forges.
        combat: The combat under way.
        ending: How it ended.
    """

    title: str
    rules: TableRules
    fighters: tuple[Fighter, ...]
    stock: Mapping[str, int]
    turn: str
    lost: tuple[str, ...] = ()
    turns: int = 1
    round: int = 1
    answer_seconds: int | None = None
    crafting: Crafting | None = None
    combat: Combat | None = None
    ending: Ending | None = None

    @property
    def dealt(self) -> bool:
        """Whether everybody has a champion."""
        return all(it.champion for it in self.fighters)

    def find(self, who: str) -> Fighter | None:
        """The fighter of this id; None where there is none."""
        return next((it for it in self.fighters if it.id == who), None)

    def fighter(self, who: str) -> Fighter:
        """The fighter of an id that is surely at the table.

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
