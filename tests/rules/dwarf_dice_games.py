"""Games of Dwarf Dice for tests: a table that is set, moves and answers with dice that fall as told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.rules.engine.driver import state_hash
from services.rules.engine.play import CastMember, LegalMove, Roll, Viewer
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice import SYSTEM
from services.rules.systems.dwarf_dice.catalog import own_catalog
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay
from services.rules.systems.dwarf_dice.play.setup import Setup
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.settings import HouseRules

CATALOG = own_catalog()
PLAY = DwarfDicePlay(CATALOG)
FACES = {"M": 1, "W": 3, "A": 5, "N": 6}
ALL = Viewer(gm=True)


def item(name: str) -> str:
    return f"dwarf_dice:item/{name}"


def items(names: str) -> list[str]:
    """Cards named with blanks between."""
    return [item(name) for name in names.split()]


def champion(name: str) -> str:
    return f"dwarf_dice:champion/{name}"


def cast(*names: str) -> tuple[CastMember, ...]:
    """Champions by the names of the examples; each is an actor of that name."""
    return tuple(
        CastMember(id=name, sheet=SYSTEM.build(SYSTEM.examples[name], SYSTEM.content)) for name in names
    )


class Game:
    """A game that is played move by move and answer by answer, its dice given as letters."""

    def __init__(
        self, *names: str, house: HouseRules | None = None, play: DwarfDicePlay = PLAY, **setup: Any
    ) -> None:
        self.play = play
        decided = Setup(title="A Game", house=house or HouseRules(), **setup)
        opening = self.play.begin(decided, cast(*names))
        assert not isinstance(opening, Problems), str(opening)
        self.at = Position(self.play, opening)
        self.entered = 0

    @property
    def state(self) -> Table:
        """Where the game stands."""
        found: Table = self.at.state
        return found

    def asked(self) -> dict[str, str]:
        """Who is asked now, and what."""
        return {ask.actor: ask.id for ask in self.at.asks}

    def ask(self, actor: str) -> Ask:
        """The one question that somebody is asked."""
        (found,) = (ask for ask in self.at.asks if ask.actor == actor)
        return found

    def offers(self, actor: str) -> tuple[LegalMove, ...]:
        """What somebody may do now, answers included."""
        return self.at.legal(actor, ALL)

    def move(self, kind: str, actor: str, *, dice: Mapping[str, str] | None = None, **fields: Any) -> Taken:
        """Makes a move or gives an answer that is lawful, with exactly these dice."""
        return self.enter({"kind": kind, "actor": actor, **fields}, dice or {})

    def block(self, who: str, *dice: str) -> Taken:
        """Assigns dice."""
        return self.enter({"kind": "Block", "actor": who, "dice": list(dice)}, {})

    def enter(self, form: Mapping[str, Any], dice: Mapping[str, str]) -> Taken:
        """Makes a move or gives an answer in its JSON form."""
        taken = self._taken(form, dice)
        assert {roll.id for roll in taken.rolls} == set(dice)
        return taken

    def _taken(self, form: Mapping[str, Any], dice: Mapping[str, str]) -> Taken:
        def throw(roll: Roll) -> tuple[int, ...]:
            assert roll.id in dice, f"{roll.id} {roll.notation} was not expected to fall"
            return tuple(FACES[sign] for sign in dice[roll.id])

        self.entered += 1
        taken = self.at.take(self.play.move_codec.read(dict(form)), self.entered, throw)
        assert isinstance(taken, Taken), str(taken)
        self.at = taken.position
        return taken

    def refused(self, kind: str, actor: str, **fields: Any) -> tuple[str, ...]:
        """The codes of what is wrong with a move or an answer; nothing has changed."""
        return tuple(problem.code for problem in self.problems(kind, actor, fields))

    def problems(self, kind: str, actor: str, fields: Mapping[str, Any]) -> Problems:
        """What is wrong with a move or an answer; nothing has changed."""
        before = state_hash(self.play, self.state)
        found = self.at.enter(self.play.move_codec.read({"kind": kind, "actor": actor, **fields}), 0)
        assert isinstance(found, Problems), f"{kind} was allowed"
        assert state_hash(self.play, self.state) == before
        for problem in found:
            assert problem.rule
            assert problem.message.endswith((".", "!", "?"))
        return found

    def craft(self, who: str, hoard: str, *names: str) -> None:
        """A Crafting without Nulls."""
        self.move("Craft", who, dice={"hoard": hoard})
        self.move("Forge", who, items=[item(name) for name in names])

    def hand(self, who: str) -> list[str]:
        return [card.rpartition("/")[2] for card in self.state.fighter(who).hand]

    def left(self, who: str) -> int:
        return self.state.fighter(who).endurance

    def armed(self, **hands: str) -> None:
        """Gives hands, their cards named with blanks between, as if they had been forged."""
        assert self.at.waiting is None
        stock = dict(self.state.stock)
        fighters = []
        for one in self.state.fighters:
            cards = tuple(items(hands.get(one.id, "")))
            for card in cards:
                stock[card] -= 1
            fighters.append(replace(one, hand=self.play.catalog.in_order((*one.hand, *cards))))
        assert min(stock.values()) >= 0
        self.at = Position(self.play, replace(self.state, fighters=tuple(fighters), stock=stock))

    def fight(
        self,
        attacker: str,
        defender: str,
        attack: str,
        defence: str = "",
        dice: Mapping[str, str] | None = None,
    ) -> list[Taken]:
        """A challenge and both choices, of those who are asked, with exactly these dice."""
        fallen = dice or {}
        taken = [self._taken({"kind": "Challenge", "actor": attacker, "target": defender}, fallen)]
        for who, cards in ((attacker, attack), (defender, defence)):
            if self.asked().get(who) in ("attack", "defence"):
                taken.append(
                    self._taken({"kind": "ChooseCards", "actor": who, "cards": items(cards)}, fallen)
                )
        (revealed,) = (event for one in taken for event in one.events if type(event).__name__ == "Revealed")
        assert (list(revealed.attack), list(revealed.defence)) == (
            list(self.play.catalog.in_order(tuple(items(attack)))),
            list(self.play.catalog.in_order(tuple(items(defence)))),
        )
        assert {roll.id for one in taken for roll in one.rolls} == set(fallen)
        return taken
