"""Games in which cases are played: a table as a case has it, with cards that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from services.rules.engine.content import Shelf
from services.rules.engine.driver import Thrower
from services.rules.engine.effects import Until
from services.rules.engine.play import CastMember, Roll
from services.rules.engine.position import Position, Taken
from services.rules.engine.problem import Problems
from services.rules.systems.dwarf_dice.build import build
from services.rules.systems.dwarf_dice.catalog import SLUG, Catalog, own_catalog
from services.rules.systems.dwarf_dice.choices import ChampionChoices
from services.rules.systems.dwarf_dice.items import ArmoryItem, Side, needs
from services.rules.systems.dwarf_dice.play.facts import CardsReturned, Fell
from services.rules.systems.dwarf_dice.play.rules.asks import closed_window
from services.rules.systems.dwarf_dice.play.scene import DwarfDicePlay
from services.rules.systems.dwarf_dice.play.setup import Setup
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.powers import Step
from tests.conformance.dwarf_dice.reasons import champion

FACES = {"M": 1, "W": 3, "A": 5, "N": 6}
POWERS = ("pact", "mark", "upgrade", "assault", "fury", "rebuke")
"""Questions that are about a power."""

Cards = Sequence[tuple[str, int]]
"""Cards as cases have them: name and value."""


def card_id(name: str) -> str:
    """What a card of a case is called by its game."""
    return f"{SLUG}:item/{name.lower().replace(' ', '-')}"


def stocked(
    cards: Iterable[tuple[str, int, Side]], patterns: Mapping[str, tuple[str, ...]] | None = None
) -> Catalog:
    """The game's content with these cards in the Armory, beside its own or in their place.

    Args:
        cards: Name, value and side of each.
        patterns: What they look like, by name; like any card of their side where a case does not say.
    """
    catalog = own_catalog()
    entries = dict(catalog.armory.entries)
    for name, value, side in cards:
        like = next(it for it in catalog.armory if it.side is side)
        card = replace(like, id=card_id(name), name=name, side=side, value=value)
        if patterns is not None:
            metal, wood = needs(patterns[name])
            card = replace(card, pattern=patterns[name], metal=metal, wood=wood)
        entries[card.id] = card
    armory: Shelf[ArmoryItem] = Shelf(SLUG, "item", "armory.toml", MappingProxyType(entries))
    return replace(catalog, armory=armory)


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A player at the table of a case.

    Attributes:
        champion: Their champion by first name; any that is left when it is empty.
        cards: Their hand.
    """

    id: str
    champion: str = ""
    endurance: int = 6
    power_left: bool = True
    out: bool = False
    offence: Cards = ()
    defence: Cards = ()


@dataclass(kw_only=True)
class Case:
    """A game that a case is played in.

    Attributes:
        at: Where it stands.
        events: Everything that has happened.
        rolled: The dice that fell, by the roll's name: how many.
    """

    catalog: Catalog
    at: Position
    dice: Mapping[str, Sequence[str]] = field(default_factory=dict)
    events: list[Any] = field(default_factory=list)
    rolled: dict[str, int] = field(default_factory=dict)

    @property
    def state(self) -> Table:
        """Where the game stands."""
        found: Table = self.at.state
        return found

    def enter(self, kind: str, actor: str, **fields: Any) -> Problems | None:
        """Makes a move or gives an answer; what it breaks where it is refused."""
        move = self.at.play.move_codec.read({"kind": kind, "actor": actor, **fields})
        taken = self.at.take(move, len(self.events), self._throw())
        if isinstance(taken, Problems):
            return taken
        self._keep(taken)
        return None

    def asked(self, question: str) -> bool:
        """Whether a question is open."""
        return any(ask.id == question for ask in self.at.asks)

    def use(self, kind: str, actor: str, step: Step, **fields: Any) -> Problems | None:
        """Uses a power; of a player who is asked nothing, the rule that closes its window is named.

        Args:
            kind: The move that uses it.
            actor: Whose power.
            step: How far the case says that things have come.
            fields: The rest of the move.
        """
        refused = self.enter(kind, actor, **fields)
        if refused is None or refused.codes != ("move_waits",):
            return refused
        move = self.at.play.move_codec.read({"kind": kind, "actor": actor, **fields})
        closed = closed_window(self.state, move, step, self.catalog)
        return refused if closed is None else Problems((closed,))

    def decline(self) -> None:
        """Has everybody decline every power that they are asked about next."""
        while self.at.asks and self.at.asks[0].id in POWERS:
            self.enter("Decline", self.at.asks[0].actor)

    def returned(self) -> list[str]:
        """Names of the cards that went back to the Armory, those of a combat first."""
        cards: list[str] = []
        for event in self.events:
            if isinstance(event, CardsReturned):
                cards += (*event.attack, *event.defence)
            elif isinstance(event, Fell) and event.returned:
                cards += event.cards
        return [self.catalog.armory[card].name for card in cards]

    def hand(self, who: str) -> list[str]:
        """Names of the cards in a hand."""
        return [self.catalog.armory[card].name for card in self.state.fighter(who).hand]

    def _keep(self, taken: Taken) -> None:
        self.at = taken.position
        self.events += taken.events
        self.rolled |= {roll.id: roll.dice.value for roll in taken.rolls}

    def _throw(self) -> Thrower:
        def throw(roll: Roll) -> tuple[int, ...]:
            shown = [*self.dice.get(roll.id, ())]
            blank = ["N"] * max(0, roll.dice.value - len(shown))
            return tuple(FACES[sign] for sign in (*shown, *blank)[: roll.dice.value])

        return throw


def sat_down(
    seats: Sequence[Seat],
    *,
    turn: str = "",
    dice: Mapping[str, Sequence[str]] | None = None,
    stored: Iterable[tuple[str, int, Side]] = (),
    patterns: Mapping[str, tuple[str, ...]] | None = None,
    change: Callable[[Table], Table] | None = None,
) -> Case:
    """A game of these, who hold what the case names.

    Args:
        seats: Everybody, clockwise.
        turn: Whose turn it is; the first one's when it is empty.
        dice: What dice show, by the roll's name; those that are left out show Nulls.
        stored: Cards of the Armory beside its own: name, value and side.
        patterns: What these look like, by name, where it matters.
        change: What else is otherwise than at the beginning.
    """
    named = [
        (name, value, side)
        for seat in seats
        for side, cards in ((Side.OFFENCE, seat.offence), (Side.DEFENCE, seat.defence))
        for name, value in cards
    ]
    catalog = stocked([*stored, *named], patterns)
    play = DwarfDicePlay(catalog)
    taken = [found.id for seat in seats if (found := champion(seat.champion)) is not None]
    left = iter([each for each in catalog.champions.ids if each not in taken])
    cast = []
    for seat in seats:
        found = champion(seat.champion)
        choices = ChampionChoices(name=seat.id, champion=next(left) if found is None else found.id)
        cast.append(CastMember(id=seat.id, sheet=build(choices, catalog)))
    state = play.begin(Setup(title="A case", first=turn), tuple(cast))
    if isinstance(state, Problems):
        raise ValueError(str(state))
    fighters = tuple(_seated(one, seat) for one, seat in zip(state.fighters, seats, strict=True))
    state = replace(state, fighters=fighters)
    return Case(
        catalog=catalog, at=Position(play, state if change is None else change(state)), dice=dice or {}
    )


def _seated(one: Fighter, seat: Seat) -> Fighter:
    hand = tuple(card_id(name) for name, _ in (*seat.offence, *seat.defence))
    powers = tuple(it for it in one.effects if seat.power_left or it.lasts.until is not Until.USED)
    return replace(one, endurance=seat.endurance, effects=powers, out=seat.out, hand=hand)
