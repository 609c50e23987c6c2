"""The questions of a game: who is asked what, what answers it, and what silence means.

Those about powers belong to a window (`windows`): each returns None for who cannot use the power then.

With a time limit, silence means: no power, Nulls on the first squares, the most dice in attack, no cards in
defence, the best blocks. Without one the table waits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from services.rules.engine.buttons import button
from services.rules.engine.frozen import replace
from services.rules.engine.offers import Deferred
from services.rules.engine.play import LegalMove
from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect, PowerKind
from services.rules.systems.dwarf_dice.combat import best_blocks, choice_problems
from services.rules.systems.dwarf_dice.crafting import OUTER_SQUARES, null_problems
from services.rules.systems.dwarf_dice.items import Side
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.champions import (
    exchanges,
    may_assault,
    may_rage,
    may_rebuke,
)
from services.rules.systems.dwarf_dice.play.effects import has
from services.rules.systems.dwarf_dice.play.hands import Cards, cards_of, equipment, hand_is_seen, most_dice
from services.rules.systems.dwarf_dice.play.legal import answers
from services.rules.systems.dwarf_dice.play.moves import (
    Answer,
    Block,
    ChooseCards,
    DarkPact,
    Decline,
    FieryRebuke,
    ForgesFury,
    FuriousAssault,
    MarkOfQuality,
    PlaceNulls,
    Upgrade,
    UsePower,
)
from services.rules.systems.dwarf_dice.play.rules.windows import (
    CardsRevealed,
    DiceLie,
    GameTurn,
    HoardRolled,
    ItemsForged,
    Struck,
    catalog_of,
)
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.powers import (
    Step,
    assault_problem,
    fury_problem,
    mark_problem,
    pact_problem,
    rebuke_problem,
    spent_problem,
    upgrade_problem,
)
from services.rules.systems.dwarf_dice.seats import next_seat

PACT, MARK, NULLS, UPGRADE, USE = "pact", "mark", "nulls", "upgrade", "use"
ATTACK, DEFENCE, ASSAULT, FURY, BLOCK, REBUKE = "attack", "defence", "assault", "fury", "block", "rebuke"

CHOOSING = "Choosing Equipment"
EQUIPPING = {Side.OFFENCE: ATTACK, Side.DEFENCE: DEFENCE}
Broken = Callable[[Any], Iterable[RuleProblem]]
"""The rules that an answer breaks."""


def pact(turn: GameTurn, _window: HoardRolled, who: str) -> Ask | None:
    """Dark Pact, before Nulls are set aside or placed."""
    state, catalog = turn.state, catalog_of(turn)
    if not state.at_work().hoard.nulls or not has(state.fighter(who), PowerEffect.DARK_PACT):
        return None

    def broken(answer: Answer) -> Iterator[RuleProblem]:
        if isinstance(answer, DarkPact):
            wrong = pact_problem(Step.HOARDED, answer.resource)
            if wrong is not None:
                yield wrong

    return Ask(
        id=PACT,
        actor=who,
        question="Dark Pact: turn your Nulls into Metal or Wood?",
        offers=Deferred(lambda: answers.of_pact(state, who, catalog)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        accepts=_judged(broken),
        explains=_closed(state, Step.HOARDED, catalog),
    )


def mark(turn: GameTurn, _window: HoardRolled, who: str) -> Ask | None:
    """Mark of Quality, before the Nulls are placed."""
    state, catalog = turn.state, catalog_of(turn)
    if not state.at_work().hoard.nulls or not has(state.fighter(who), PowerEffect.MARK_OF_QUALITY):
        return None
    return Ask(
        id=MARK,
        actor=who,
        question="Mark of Quality: set a Null aside?",
        offers=Deferred(lambda: answers.of_mark(state, who, catalog)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        explains=_closed(state, Step.HOARDED, catalog),
    )


def null_runes(state: Table, catalog: Catalog) -> Ask:
    """The squares of the Nulls, asked of the next living neighbour (Null Rune; P3)."""
    nulls = state.at_work().hoard.nulls
    who = next_seat(state.seats(), state.turn, state.out())

    def offers() -> Iterator[LegalMove]:
        yield answers.of_nulls(state, who, catalog)

    first_squares = PlaceNulls(actor=who, squares=OUTER_SQUARES[:nulls])
    return Ask(
        id=NULLS,
        actor=who,
        question="Where do the Nulls lie?",
        offers=Deferred(offers) if nulls < len(OUTER_SQUARES) else tuple(offers()),
        silence=None if state.answer_seconds is None else first_squares,
        seconds=state.answer_seconds,
        accepts=_judged(lambda answer: null_problems(nulls, answer.squares)),
        explains=_closed(state, Step.HOARDED, catalog),
    )


def upgrade(turn: GameTurn, _window: ItemsForged, who: str) -> Ask | None:
    """Upgrade!, after a Forging.

    Where hands are closed, whoever has the power and a card is asked, so that being asked betrays nothing.
    """
    state, catalog = turn.state, catalog_of(turn)
    me = state.fighter(who)
    seen = hand_is_seen(me, state)
    if not has(me, PowerEffect.UPGRADE) or (seen and not exchanges(state, me, catalog)):
        return None
    return Ask(
        id=UPGRADE,
        actor=who,
        question="Upgrade!: trade a card for one just forged?",
        offers=Deferred(lambda: answers.of_upgrade(state, who, catalog)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        closed=not seen,
        accepts=_judged(lambda answer: _upgrade_problems(state, answer, catalog)),
        explains=_closed(state, Step.PLACED, catalog),
    )


def _upgrade_problems(state: Table, answer: Answer, catalog: Catalog) -> Iterator[RuleProblem]:
    if not isinstance(answer, Upgrade):
        return
    hand, forged = state.fighter(answer.actor).hand, state.at_work().forged
    if answer.give not in hand:
        text = "That card is not in hand."
        yield RuleProblem("card_not_in_hand", text, "Upgrade!", ("give",), answer.give, hand)
    if answer.take not in forged:
        just = upgrade_problem(0, 0, gap=0, just_forged=False)
        if just is not None:
            yield RuleProblem(just.code, just.message, just.rule, just.path, answer.take, forged)
    if answer.give in hand and answer.take in forged:
        give, take = catalog.armory[answer.give], catalog.armory[answer.take]
        found = upgrade_problem(
            give.value,
            take.value,
            gap=state.rules.upgrade_gap,
            same_side=give.side is take.side,
            across_sides=state.rules.upgrade_across_sides,
        )
        if found is not None:
            yield found


def attack(state: Table, catalog: Catalog) -> Ask:
    """The attacker's secret choice (Choosing Equipment)."""
    who = state.engaged().attacker
    choices = equipment(state, who, Side.OFFENCE, catalog)
    offers = Deferred(lambda: answers.of_attack(state, choices, catalog))
    return _equipping(state, who, Side.OFFENCE, choices, offers, catalog)


def defence(state: Table, catalog: Catalog) -> Ask:
    """The defender's secret choice (Choosing Equipment)."""
    who = state.engaged().defender
    choices = equipment(state, who, Side.DEFENCE, catalog)
    offers = Deferred(lambda: answers.of_defence(state, choices, catalog))
    return _equipping(state, who, Side.DEFENCE, choices, offers, catalog)


def _equipping(
    state: Table,
    who: str,
    side: Side,
    choices: Sequence[Cards],
    offers: Deferred[LegalMove],
    catalog: Catalog,
) -> Ask:
    """One side's choice. Whose open hand leaves nothing to choose is not asked."""
    silence = None
    if state.answer_seconds is not None:
        cards = most_dice(choices, catalog) if side is Side.OFFENCE else ()
        silence = ChooseCards(actor=who, cards=cards)
    verb = "attack" if side is Side.OFFENCE else "defend"
    return Ask(
        id=EQUIPPING[side],
        actor=who,
        question=f"What do you {verb} with?",
        offers=offers if len(choices) > 1 else tuple(offers),
        silence=silence,
        seconds=state.answer_seconds,
        closed=not hand_is_seen(state.fighter(who), state),
        open_to_gm=state.rules.choices_open_to_gm,
        accepts=_judged(lambda answer: _choice_problems(state, side, answer, catalog)),
        explains=_closed(state, Step.BEGUN, catalog),
    )


def _choice_problems(
    state: Table, side: Side, answer: ChooseCards, catalog: Catalog
) -> Iterator[RuleProblem]:
    me = state.fighter(answer.actor)
    hand, able = Counter(me.hand), cards_of(me, side, catalog)
    for place, card in enumerate(answer.cards):
        if answer.cards[: place + 1].count(card) > hand[card]:
            text = "That card is not in hand."
            yield RuleProblem("card_not_in_hand", text, CHOOSING, ("cards", place), card, able)
        elif catalog.armory[card].side is not side:
            text = "Attackers choose offensive cards, defenders defensive ones."
            yield RuleProblem("card_of_other_side", text, CHOOSING, ("cards", place), card, able)
    values = [catalog.armory[card].value if card in catalog.armory else 0 for card in answer.cards]
    rules = state.rules
    attacking = side is Side.OFFENCE
    yield from choice_problems(
        values, attacking=attacking, most=rules.most_value, needs_card=rules.attack_needs_card
    )


def assault(turn: GameTurn, _window: CardsRevealed, who: str) -> Ask | None:
    """Furious Assault, after the reveal and before the dice."""
    state, catalog = turn.state, catalog_of(turn)
    if not may_assault(state):
        return None
    return Ask(
        id=ASSAULT,
        actor=who,
        question="Furious Assault: batter their defence before the dice fall?",
        offers=Deferred(lambda: answers.of_assault(state, who, catalog)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        explains=_closed(state, Step.REVEALED, catalog),
    )


def fury(turn: GameTurn, _window: DiceLie, who: str) -> Ask | None:
    """Forge's Fury, once the dice of both have fallen and before crits strike."""
    state, catalog = turn.state, catalog_of(turn)
    if not may_rage(state, who):
        return None
    return Ask(
        id=FURY,
        actor=who,
        question="Forge's Fury: set their Alchemy aside?",
        offers=Deferred(lambda: answers.of_fury(state, who)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        explains=_closed(state, Step.ROLLED, catalog),
    )


def block(state: Table, catalog: Catalog) -> Ask:
    """Which dice block (ATTACK!; P9); with none left to choose nobody is asked."""
    combat = state.engaged()
    able, struck = dice.blockers(combat), len(dice.laid_out(combat))

    def offers() -> Iterator[LegalMove]:
        yield answers.of_block(state)

    silence = None if state.answer_seconds is None else best_block(state)
    return Ask(
        id=BLOCK,
        actor=combat.defender,
        question="Which dice block?",
        offers=Deferred(offers) if state.rules.free_blocks or struck < len(able) else tuple(offers()),
        silence=silence,
        seconds=state.answer_seconds,
        accepts=_judged(lambda answer: _block_problems(state, answer)),
        explains=_closed(state, Step.RESOLVED, catalog),
    )


def best_block(state: Table) -> Block:
    """As many blocks as can be, with Alchemy first."""
    combat = state.engaged()
    places = best_blocks(
        combat.attack_roll, combat.defence_roll, crits=combat.crits, counters=combat.counters
    )
    return Block(actor=combat.defender, dice=tuple(dice.die_name(place) for place in places))


def _block_problems(state: Table, answer: Block) -> Iterator[RuleProblem]:
    combat = state.engaged()
    able = tuple(dice.die_name(place) for place in dice.blockers(combat))
    for place, die in enumerate(answer.dice):
        path = ("dice", place)
        if die not in able:
            text = "That die cannot block: only Wood and Alchemy do."
            yield RuleProblem("die_cannot_block", text, "ATTACK!", path, die, able)
        elif die in answer.dice[:place]:
            text = "Each die blocks once."
            yield RuleProblem("die_blocks_twice", text, "ATTACK!", path, die, able)
    most = min(len(able), len(dice.laid_out(combat)))
    if len(answer.dice) > most:
        text = "There are not so many attacking dice to block."
        yield RuleProblem("blocks_too_many", text, "ATTACK!", ("dice",), len(answer.dice), most)
    if not state.rules.free_blocks and len(answer.dice) < most:
        text = "At this table the defender blocks all they can."
        yield RuleProblem("blocks_too_few", text, "P9", ("dice",), len(answer.dice), most)


def rebuke(turn: GameTurn, window: Struck, who: str) -> Ask | None:
    """Fiery Rebuke, once the damage is done."""
    state, catalog = turn.state, catalog_of(turn)
    if not may_rebuke(state, window.taken):
        return None
    return Ask(
        id=REBUKE,
        actor=who,
        question="Fiery Rebuke: roll a die against the attacker?",
        offers=Deferred(lambda: answers.of_rebuke(state, who)),
        silence=_declined(state, who),
        seconds=state.answer_seconds,
        explains=_closed(state, Step.RESOLVED, catalog),
    )


def use(turn: GameTurn, who: str, power: str) -> Ask | None:
    """Whether to use a power that has no question of its own."""
    if not has(turn.state.fighter(who), power):
        return None
    entry = catalog_of(turn).powers[power]
    cost = answers.GEM if entry.kind is PowerKind.ACTIVE else ""
    yes = button(UsePower(actor=who, power=power), "use", entry.name, entry.text, entry.name)
    no = button(Decline(actor=who), "decline", "Do not use it", "All stays as it is.", entry.name)
    return Ask(
        id=USE,
        actor=who,
        question=f"{entry.name}: use it?",
        offers=(replace(yes, cost=cost), no),
        silence=_declined(turn.state, who),
        seconds=turn.state.answer_seconds,
    )


# Answers that are refused

POWERS: dict[type, str] = {
    DarkPact: PowerEffect.DARK_PACT,
    MarkOfQuality: PowerEffect.MARK_OF_QUALITY,
    Upgrade: PowerEffect.UPGRADE,
    FuriousAssault: PowerEffect.FURIOUS_ASSAULT,
    ForgesFury: PowerEffect.FORGES_FURY,
    FieryRebuke: PowerEffect.FIERY_REBUKE,
}
"""The power each of these answers uses."""


def closed_window(state: Table, move: Any, step: Step, catalog: Catalog) -> RuleProblem | None:
    """Why a power cannot be used now; None where its window is just not open, or the move uses none.

    Args:
        state: Where the game stands.
        move: The move that would use it.
        step: How far the Crafting or combat has come.
        catalog: The content.
    """
    power = POWERS.get(type(move))
    if power is None:
        return None
    me = state.fighter(move.actor)
    if not catalog.has(me.champion, power):
        text, rule = "That is another champion's power.", "Champions and Powers"
        able = tuple(one.id for one in state.fighters if catalog.has(one.champion, power))
        return RuleProblem("power_not_theirs", text, rule, ("actor",), move.actor, able)
    combat, crafting = state.combat, state.crafting
    crafts = crafting is not None and crafting.crafter == me.id
    match move:
        case DarkPact():
            return pact_problem(step, move.resource, own=crafts, power_left=me.power_left)
        case FuriousAssault():
            attacking = combat is None or combat.attacker == me.id
            return assault_problem(step, attacking=attacking, power_left=me.power_left)
        case ForgesFury():
            fighting = combat is not None and me.id in (combat.attacker, combat.defender)
            return fury_problem(step, fighting=fighting, power_left=me.power_left)
        case FieryRebuke():
            attacked = combat is None or combat.defender == me.id
            return rebuke_problem(attacked=attacked)
        case Upgrade() if crafts:
            return upgrade_problem(0, 0, gap=0, own_forging=True)
        case Upgrade():
            return spent_problem(me.power_left)
        case _:
            return None if crafting is None else mark_problem(crafting.hoard.nulls)


def _judged(broken: Broken) -> Callable[[Any], Problems | None]:
    """Names the rules that an answer of a kind that is offered breaks."""

    def problems(answer: Any) -> Problems | None:
        found = tuple(broken(answer))
        return Problems(found) if found else None

    return problems


def _closed(state: Table, step: Step, catalog: Catalog) -> Callable[[Any], Problems | None]:
    """Names the rule that keeps an answer of another kind out: its window is not open now."""

    def problems(answer: Any) -> Problems | None:
        closed = closed_window(state, answer, step, catalog)
        return None if closed is None else Problems((closed,))

    return problems


def _declined(state: Table, who: str) -> Decline | None:
    """What silence means where a power is asked about: it is not used."""
    return None if state.answer_seconds is None else Decline(actor=who)
