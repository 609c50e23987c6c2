"""Games of Dwarf Dice for tests: a table that is set, moves with dice that fall as told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.driver import Made, make, scripted, state_hash
from services.rules.engine.play import CastMember
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice import SYSTEM
from services.rules.systems.dwarf_dice.catalog import own_catalog
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay
from services.rules.systems.dwarf_dice.play.setup import Setup
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.table_rules import HouseRules

CATALOG = own_catalog()
PLAY = DwarfDicePlay(CATALOG)
FACES = {"M": 1, "W": 3, "A": 5, "N": 6}


def item(name: str) -> str:
    return f"dwarf_dice:item/{name}"


def champion(name: str) -> str:
    return f"dwarf_dice:champion/{name}"


def cast(*names: str) -> tuple[CastMember, ...]:
    """Champions by the names of the examples; each is an actor of that name."""
    return tuple(
        CastMember(id=name, sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content)) for name in names
    )


class Game:
    """A game that is played move by move, its dice given as letters."""

    def __init__(self, *names: str, house: HouseRules | None = None, **setup: Any) -> None:
        decided = Setup(title="A Game", house=house or HouseRules(), **setup)
        opening = PLAY.begin(decided, cast(*names))
        assert not isinstance(opening, Problems), str(opening)
        self.state: Table = opening

    def move(self, kind: str, actor: str, *, dice: Mapping[str, str] | None = None, **fields: Any) -> Made:
        """Makes a move that is lawful."""
        return self._made({"kind": kind, "actor": actor, **fields}, dice)

    def block(self, who: str, *dice: str) -> Made:
        """Assigns dice."""
        return self._made({"kind": "Block", "actor": who, "dice": list(dice)}, None)

    def _made(self, form: Mapping[str, Any], dice: Mapping[str, str] | None) -> Made:
        move = PLAY.move_codec.read(dict(form))
        check = PLAY.check(self.state, move)
        assert not isinstance(check, Problems), str(check)
        fallen = dice or {}
        assert set(check.names()) == set(fallen)
        faces = tuple(tuple(FACES[sign] for sign in fallen[name]) for name in check.names())
        made = make(PLAY, self.state, move, scripted(faces))
        assert isinstance(made, Made), str(made)
        self.state = made.state
        return made

    def refused(self, kind: str, actor: str, **fields: Any) -> tuple[str, ...]:
        """The codes of what is wrong with a move; nothing has changed."""
        before = state_hash(PLAY, self.state)
        move = PLAY.move_codec.read({"kind": kind, "actor": actor, **fields})
        found = PLAY.check(self.state, move)
        assert isinstance(found, Problems), f"{kind} was allowed"
        assert PLAY.decide(self.state, move, ()) == found
        assert state_hash(PLAY, self.state) == before
        for problem in found:
            assert problem.rule
            assert problem.message.endswith((".", "!", "?"))
        return found.codes

    def craft(self, who: str, hoard: str, *items: str) -> None:
        """A Crafting without Nulls."""
        self.move("Craft", who, dice={"hoard": hoard})
        self.move("Forge", who, items=[item(name) for name in items])

    def hand(self, who: str) -> list[str]:
        return [card.rpartition("/")[2] for card in self.state.fighter(who).hand]

    def left(self, who: str) -> int:
        return self.state.fighter(who).endurance

    def armed(self, **hands: str) -> None:
        """Gives hands, their cards named with blanks between, as if they had been forged."""
        stock = dict(self.state.stock)
        fighters = []
        for one in self.state.fighters:
            cards = tuple(item(name) for name in hands.get(one.id, "").split())
            for card in cards:
                stock[card] -= 1
            fighters.append(replace(one, hand=CATALOG.in_order((*one.hand, *cards))))
        assert min(stock.values()) >= 0
        self.state = replace(self.state, fighters=tuple(fighters), stock=stock)

    def fight(self, attacker: str, defender: str, attack: str, defence: str = "") -> None:
        """A challenge and both choices."""
        self.move("Challenge", attacker, target=defender)
        self.move("ChooseCards", attacker, cards=[item(name) for name in attack.split()])
        combat = self.state.combat
        assert combat is not None
        if not combat.revealed:
            self.move("ChooseCards", defender, cards=[item(name) for name in defence.split()])
