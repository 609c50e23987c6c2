"""A strong player: weighs every choice by the exact odds of its dice, and by the outlook it leads to.

It sees what its actor may know. Where hands are closed it counts cards: what is neither in the Armory nor in
its own hand is in another player's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from services.rules.engine.frozen import replace
from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice.catalog import Catalog, Forges
from services.rules.systems.dwarf_dice.combat import best_blocks, blow, dice_numbers
from services.rules.systems.dwarf_dice.crafting import Hoard, pacted, square_of
from services.rules.systems.dwarf_dice.forge import Items, null_sets, squares
from services.rules.systems.dwarf_dice.items import SQUARES, Side
from services.rules.systems.dwarf_dice.play.bots.endings import CombatDice, endings_of
from services.rules.systems.dwarf_dice.play.bots.outlook import Holding, holding, rivalry, standing, values
from services.rules.systems.dwarf_dice.play.bots.steady import steady_answer, steady_move
from services.rules.systems.dwarf_dice.play.champions import exchanges, extra_of, kept_from, targets
from services.rules.systems.dwarf_dice.play.evolve import without
from services.rules.systems.dwarf_dice.play.hands import best_total, equipment
from services.rules.systems.dwarf_dice.play.layout import null_squares
from services.rules.systems.dwarf_dice.play.moves import (
    Challenge,
    ChooseCards,
    Craft,
    DarkPact,
    Decline,
    Forge,
    ForgesFury,
    FuriousAssault,
    Move,
    Pass,
    PlaceNulls,
    Upgrade,
)
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.state import Fighter, Table
from services.rules.systems.dwarf_dice.resources import Resource

TYPICAL_HOARDS = (
    (4, 3, 1, 1),
    (3, 4, 1, 1),
    (3, 3, 2, 1),
    (3, 3, 1, 2),
    (4, 2, 1, 2),
    (2, 4, 1, 2),
    (2, 3, 2, 2),
    (3, 2, 1, 3),
)
"""What a Hoarding may come to: Metal, Wood, Alchemy and Nulls; each stands for an eighth of all."""

TYPICAL_NULLS = (1, 0, 5)
"""Squares on which a neighbour may put them, in order."""

Worths = tuple[tuple[int, ...], tuple[int, ...]]
"""Values of offensive and of defensive cards."""

PATIENCE = 10
"""Turns a player after which waiting any longer loses worth, so that nobody waits forever."""

IMPATIENCE = 0.01
"""What waiting loses of its worth with each turn from then on."""


NEVER = -1.0
"""The worth of what cannot be done."""


class StrongBot:
    """A strong player of one catalog's games; remembers what sets of items are worth, and nothing of a game.

    Args:
        catalog: The content.
        forges: The solvers.
    """

    def __init__(self, catalog: Catalog, forges: Forges) -> None:
        self.catalog = catalog
        self.forges = forges
        self._worths: dict[Items, Worths] = {}

    def worths(self, items: Items) -> Worths:
        """What items add to either side."""
        found = self._worths.get(items)
        if found is None:
            offence, defence = (values(items, side, self.catalog) for side in Side)
            found = self._worths[items] = (offence, defence)
        return found

    def move(self, state: Table, actor: str) -> Move | None:
        """The move of a strong player; None when it is not theirs to move.

        Args:
            state: The game as far as the actor may know it.
            actor: Who is to move.
        """
        if actor != state.turn or state.ending is not None or not state.dealt:
            return steady_move(state, actor, self.catalog, self.forges)
        seen = _Seen(state, actor, self)
        if state.crafting is None:
            return seen.turn()
        items, _ = seen.forging(state.crafting.hoard, null_squares(state.crafting))
        return Forge(actor=actor, items=items)

    def answer(self, state: Table, ask: Ask) -> Move:
        """The answer of a strong player.

        Args:
            state: The game as far as who is asked may know it.
            ask: The question.
        """
        match ask.id:
            case asks.PACT:
                return _Seen(state, ask.actor, self).pact()
            case asks.NULLS:
                return _Seen(state, ask.actor, self).nulls()
            case asks.UPGRADE:
                return _Seen(state, ask.actor, self).upgrade()
            case asks.ATTACK:
                return _Seen(state, ask.actor, self).attack()
            case asks.DEFENCE:
                return _Seen(state, ask.actor, self).defence()
            case asks.ASSAULT:
                return _Seen(state, ask.actor, self).assault()
            case asks.FURY:
                return _Seen(state, ask.actor, self).fury()
            case _:
                # What is left has one good answer: block all one can, set the Null aside, rebuke.
                return steady_answer(state, ask, self.catalog)


class _Seen:
    """A game as one player sees it, with what they work out.

    Args:
        state: What they may know.
        actor: Who they are.
        bot: Who plays for them.
    """

    def __init__(self, state: Table, actor: str, bot: StrongBot) -> None:
        catalog = bot.catalog
        self.state = state
        self.actor = actor
        self.catalog = catalog
        self.worths = bot.worths
        self.smithy = bot.forges.of(state.rules)
        self.most = state.rules.most_value
        self.crafted: dict[tuple[str, Worths], float] = {}
        self.forged: dict[str, dict[Items, float]] = {}
        self.adaptable = {one.id: bool(extra_of(state, one.id, catalog)) for one in state.living()}
        self.holdings = {one.id: holding(_counted(state, one, catalog), catalog) for one in state.living()}

    def stands(self, who: str, changed: dict[str, Holding], *, my_turn: bool = False) -> float:
        """How a player stands once these have changed."""
        me = changed.get(who) or self.holdings[who]
        if me.endurance <= 0:
            return 0.0
        foes = [changed.get(name) or it for name, it in self.holdings.items() if name != who]
        return standing(me, foes, self.most, my_turn=my_turn)

    # One's turn

    def turn(self) -> Move:
        """Crafting, or the best combat where that promises more."""
        free = {
            verb: kept_from(self.state, self.actor, verb, self.catalog) is None
            for verb in ("craft", "challenge")
        }
        strikes = [
            (self._strike_worth(target, cards), target)
            for target in targets(self.state, self.actor)
            for cards in self._different(Side.OFFENCE)
            if cards and free["challenge"]
        ]
        if not strikes:
            return Craft(actor=self.actor) if free["craft"] else Pass(actor=self.actor)
        craft = self._craft_worth() if free["craft"] else NEVER
        worth, target = max(strikes)
        late = max(0, self.state.turns - PATIENCE * len(self.state.fighters))
        return (
            Challenge(actor=self.actor, target=target)
            if worth > craft - late * IMPATIENCE
            else Craft(actor=self.actor)
        )

    def _craft_worth(self) -> float:
        """How one stands after a Hoarding like most."""
        found = 0.0
        for metal, wood, alchemy, nulls in TYPICAL_HOARDS:
            hoard = Hoard(metal=metal, wood=wood, alchemy=alchemy, nulls=0)
            found += self.forging(hoard, squares(TYPICAL_NULLS[:nulls]))[1]
        return found / len(TYPICAL_HOARDS)

    def _strike_worth(self, target: str, cards: tuple[str, ...]) -> float:
        """How one stands on average after attacking with these cards, the best defence against them."""
        guard = _best_cards(self.holdings[target].defence, self.most)
        return self._combat_worth(self.actor, target, values(cards, Side.OFFENCE, self.catalog), guard)

    def _combat_worth(
        self,
        attacker: str,
        defender: str,
        strike: tuple[int, ...],
        guard: tuple[int, ...],
        assault: bool = False,
    ) -> float:
        """How the actor stands on average after a combat with cards of these values."""
        one, other = self.holdings[attacker], self.holdings[defender]
        rules = self.state.rules
        rolled = dice_numbers(
            sum(strike),
            sum(guard),
            assault_cards=len(strike) if assault else 0,
            attacker_shrinks=one.traits.shrinks,
            defender_shrinks=other.traits.shrinks,
            shrink=rules.shrink_ray,
        )
        one = one._replace(offence=_less(one.offence, strike), power=one.power and not assault)
        other = other._replace(defence=_less(other.defence, guard))
        if other.furious:
            other = other._replace(power=False)
        # A fury that is held against an attack comes when it hurts most.
        furious = self.holdings[defender].furious
        dice = CombatDice(rolled.attack, rolled.defence, rules.faces, not furious)
        endings, shares = endings_of(dice, one.endurance, other.endurance, other.traits.rebukes)
        worths = self._ended({attacker: one, defender: other}, endings)
        return sum([share * worths[ending] for ending, share in shares])

    def _ended(self, fighting: dict[str, Holding], endings: tuple[tuple[int, int], ...]) -> list[float]:
        """How the actor stands once a combat has left both sides some Endurance.

        Args:
            fighting: What the attacker and the defender have then.
            endings: The Endurance that may be left to either.
        """
        attacker, defender = fighting
        everybody = {**self.holdings, **fighting}
        places = {attacker: 0, defender: 1}
        me, my_turn, my_place = everybody[self.actor], self.actor != attacker, places.get(self.actor)
        rivals = [
            (
                places.get(name),
                it.endurance,
                rivalry(it, me, self.most) if my_turn else rivalry(me, it, self.most),
            )
            for name, it in everybody.items()
            if name != self.actor
        ]
        found = []
        for ending in endings:
            mine = me.endurance if my_place is None else ending[my_place]
            if len(rivals) <= 1 and max(ending) <= 0:
                found.append(float(not my_turn))
                continue
            if mine <= 0:
                found.append(0.0)
                continue
            total, standing_foes = 0.0, 0
            for place, endurance, between in rivals:
                theirs = endurance if place is None else ending[place]
                if theirs > 0:
                    standing_foes += 1
                    total += 1 - between.outlook(theirs, mine) if my_turn else between.outlook(mine, theirs)
            found.append(total / standing_foes if standing_foes else 1.0)
        return found

    def _different(self, side: Side) -> tuple[tuple[str, ...], ...]:
        """Sets of one's cards that differ in what they are worth."""
        found: dict[tuple[int, ...], tuple[str, ...]] = {}
        for chosen in equipment(self.state, self.actor, side, self.catalog):
            found.setdefault(values(chosen, side, self.catalog), chosen)
        return tuple(found.values())

    # Crafting

    def forging(self, hoard: Hoard, blocked: int, *, who: str = "") -> tuple[Items, float]:
        """The best set of items of a crafter, and how they stand with it."""
        crafter = who or self.actor
        feasible = self.smithy.feasible(
            hoard.resources(),
            blocked,
            self.state.stock.items(),
            extra=self.adaptable[crafter],
        )
        chosen: Items = ()
        worth = self._crafted(crafter, ((), ()))
        forged = self.forged.setdefault(crafter, {})
        for items in feasible:
            promised = forged.get(items)
            if promised is None:
                promised = forged[items] = self._crafted(crafter, self.worths(items))
            if promised > worth:
                chosen, worth = items, promised
        return chosen, worth

    def _crafted(self, crafter: str, added: Worths) -> float:
        """How a crafter stands with cards of these values more."""
        key = (crafter, added)
        found = self.crafted.get(key)
        if found is None:
            mine = self.holdings[crafter]
            more = mine._replace(
                offence=tuple(sorted(mine.offence + added[0])),
                defence=tuple(sorted(mine.defence + added[1])),
            )
            found = self.crafted[key] = self.stands(crafter, {crafter: more})
        return found

    def _hindered(self, hoard: Hoard, who: str) -> tuple[int, float]:
        """The Nulls that hinder a crafter most, and how they then stand at best."""
        found = {blocked: self.forging(hoard, blocked, who=who)[1] for blocked in null_sets(hoard.nulls)}
        chosen = min(found, key=found.__getitem__)
        return chosen, found[chosen]

    def nulls(self) -> Move:
        """The Nulls where they hinder the crafter most."""
        crafting = self.state.at_work()
        blocked, _ = self._hindered(crafting.hoard, crafting.crafter)
        where = tuple(square_of(place) for place in range(SQUARES) if blocked >> place & 1)
        return PlaceNulls(actor=self.actor, squares=where)

    def pact(self) -> Move:
        """Dark Pact where it is worth more than its gem."""
        hoard, me = self.state.at_work().hoard, self.holdings[self.actor]
        _, kept = self._hindered(hoard, self.actor)
        self.holdings[self.actor] = me._replace(power=False)
        self.crafted.clear()
        self.forged.clear()
        made = {
            resource: self.forging(pacted(hoard, resource), 0)[1]
            for resource in (Resource.METAL, Resource.WOOD)
        }
        resource = max(made, key=made.__getitem__)
        if made[resource] <= kept:
            return Decline(actor=self.actor)
        return DarkPact(actor=self.actor, resource=resource)

    def upgrade(self) -> Move:
        """The exchange that helps most, if one is worth its gem."""
        forger = self.state.at_work().crafter
        me, them = self.state.fighter(self.actor), self.state.fighter(forger)
        them = _counted(self.state, them, self.catalog)

        def worth(pair: tuple[str, str]) -> float:
            give, take = pair
            mine = replace(me, hand=(*without(me.hand, (give,)), take))
            theirs = replace(them, hand=(*without(them.hand, (take,)), give))
            changed = {
                self.actor: holding(mine, self.catalog)._replace(power=False),
                forger: holding(theirs, self.catalog),
            }
            return self.stands(self.actor, changed, my_turn=True)

        pairs = exchanges(self.state, me, self.catalog)
        pair = max(pairs, key=worth, default=None)
        if pair is None or worth(pair) <= self.stands(self.actor, {}, my_turn=True):
            return Decline(actor=self.actor)
        return Upgrade(actor=self.actor, give=pair[0], take=pair[1])

    # Combat

    def attack(self) -> Move:
        """The cards that leave one standing best after an attack."""
        combat = self.state.engaged()
        choices = self._different(Side.OFFENCE)
        armed = [cards for cards in choices if cards]
        cards = max(armed or choices, key=lambda it: self._strike_worth(combat.defender, it))
        return ChooseCards(actor=self.actor, cards=cards)

    def defence(self) -> Move:
        """The cards that leave one standing best after the most that the attacker can bring."""
        combat = self.state.engaged()
        strike = _best_cards(self.holdings[combat.attacker].offence, self.most)
        cards = max(
            self._different(Side.DEFENCE),
            key=lambda it: self._combat_worth(
                combat.attacker, self.actor, strike, values(it, Side.DEFENCE, self.catalog)
            ),
        )
        return ChooseCards(actor=self.actor, cards=cards)

    def assault(self) -> Move:
        """Furious Assault where it is worth its gem."""
        combat = self.state.engaged()
        strike = values(combat.attack, Side.OFFENCE, self.catalog)
        guard = values(combat.defence, Side.DEFENCE, self.catalog)
        plain, assault = (
            self._combat_worth(self.actor, combat.defender, strike, guard, used) for used in (False, True)
        )
        return FuriousAssault(actor=self.actor) if assault > plain else Decline(actor=self.actor)

    def fury(self) -> Move:
        """Forge's Fury where it is worth its gem."""
        used, kept = (self._fury_worth(used=it) for it in (True, False))
        return ForgesFury(actor=self.actor) if used > kept else Decline(actor=self.actor)

    def _fury_worth(self, *, used: bool) -> float:
        combat = self.state.engaged()
        after = replace(combat, fury=(*combat.fury, self.actor)) if used else combat
        dice = (combat.attack_roll, combat.defence_roll)
        blocks = best_blocks(*dice, crits=after.crits, counters=after.counters)
        struck = blow(*dice, blocks, crits=after.crits, counters=after.counters)
        one, other = self.holdings[combat.attacker], self.holdings[combat.defender]
        strike = values(combat.attack, Side.OFFENCE, self.catalog)
        guard = values(combat.defence, Side.DEFENCE, self.catalog)
        one = one._replace(endurance=one.endurance - struck.counters, offence=_less(one.offence, strike))
        other = other._replace(
            endurance=other.endurance - struck.to_defender, defence=_less(other.defence, guard)
        )
        if used and self.actor == combat.attacker:
            one = one._replace(power=False)
        elif used:
            other = other._replace(power=False)
        fighting = {combat.attacker: one, combat.defender: other}
        (worth,) = self._ended(fighting, ((one.endurance, other.endurance),))
        return worth


def _counted(state: Table, fighter: Fighter, catalog: Catalog) -> Fighter:
    """A fighter with the cards they must be holding: what is nowhere else, as many as lie face down."""
    if not fighter.face_down:
        return fighter
    unseen = Counter(catalog.copies(len(state.fighters)))
    unseen.subtract(state.stock)
    unseen.subtract(state.lost)
    for one in state.fighters:
        unseen.subtract(one.hand)
    hidden = tuple(unseen.elements())
    step = max(1, len(hidden) // fighter.face_down)
    return replace(fighter, hand=hidden[::step][: fighter.face_down], face_down=0)


@lru_cache(maxsize=4096)
def _best_cards(cards: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Values of cards that come to the most there can be."""
    wanted = best_total(cards, most)
    return next(it for it in _sums(cards[::-1], wanted))


def _sums(cards: tuple[int, ...], wanted: int) -> Iterator[tuple[int, ...]]:
    if wanted == 0:
        yield ()
        return
    for place, value in enumerate(cards):
        if value <= wanted:
            for others in _sums(cards[place + 1 :], wanted - value):
                yield tuple(sorted((value, *others)))


@lru_cache(maxsize=1 << 14)
def _less(cards: tuple[int, ...], used: tuple[int, ...]) -> tuple[int, ...]:
    left = list(cards)
    for value in used:
        if value in left:
            left.remove(value)
    return tuple(left)
