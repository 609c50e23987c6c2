"""Champions and Powers: what the use of each comes to, and the window in which it answers.

`own_windows` is the list of all of them. Who may be asked and what stands in `asks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from services.rules.engine.problem import Problems, RuleProblem
from services.rules.engine.steps import Ask, Refused, Step
from services.rules.engine.windows import Reaction, Windows
from services.rules.systems.dwarf_dice.catalog import Catalog, PowerEffect
from services.rules.systems.dwarf_dice.play import dice
from services.rules.systems.dwarf_dice.play.effects import lasting
from services.rules.systems.dwarf_dice.play.facts import (
    Assaulted,
    Declined,
    FuryUsed,
    NullSetAside,
    PactMade,
    PowerUsed,
    Rebuked,
    Upgraded,
    Wound,
)
from services.rules.systems.dwarf_dice.play.moves import (
    Answer,
    DarkPact,
    Decline,
    FieryRebuke,
    ForgesFury,
    FuriousAssault,
    MarkOfQuality,
    Upgrade,
    UsePower,
)
from services.rules.systems.dwarf_dice.play.rules import asks
from services.rules.systems.dwarf_dice.play.rules.asks import closed_window
from services.rules.systems.dwarf_dice.play.rules.defeat import hurt
from services.rules.systems.dwarf_dice.play.rules.windows import (
    CardsRevealed,
    DiceLie,
    GameTurn,
    HoardRolled,
    ItemsForged,
    Struck,
)
from services.rules.systems.dwarf_dice.play.state import Table
from services.rules.systems.dwarf_dice.powers import Step as Stage
from services.rules.systems.dwarf_dice.powers import rebukes
from services.rules.systems.dwarf_dice.resources import Resource


def unasked(state: Table, move: Answer, catalog: Catalog) -> NoReturn:
    """Refuses an answer while no question is open.

    Raises:
        Refused: Always.
    """
    stage = Stage.BEGUN if state.crafting is None else Stage.PLACED
    text = "Nobody has asked them that."
    found = type(move).__name__
    nothing = RuleProblem("nothing_asked", text, "Order of Play", ("kind",), found, ())
    raise Refused(Problems((closed_window(state, move, stage, catalog) or nothing,)))


def dark_pact(turn: GameTurn, window: HoardRolled, answer: DarkPact) -> HoardRolled:
    """Grim Undermine: all Nulls of one's own Hoard become Metal, or all become Wood (Dark Pact; P4)."""
    hoard = turn.state.at_work().hoard
    turn.happen(PactMade(fighter=answer.actor, resource=answer.resource, nulls=hoard.nulls + hoard.aside))
    return window


def mark_of_quality(turn: GameTurn, window: HoardRolled, answer: MarkOfQuality) -> HoardRolled:
    """Bron Steelshaper: one Null of each Hoard may be set aside (Mark of Quality)."""
    turn.happen(NullSetAside(fighter=answer.actor))
    return window


def upgrade(turn: GameTurn, window: ItemsForged, answer: Upgrade) -> ItemsForged:
    """Belinda Blunderbuss: a card of one's hand for one just forged (Upgrade!; P12)."""
    give, take = answer.give, answer.take
    turn.happen(Upgraded(fighter=answer.actor, forger=window.crafter, give=give, take=take))
    return window


def furious_assault(turn: GameTurn, window: CardsRevealed, answer: FuriousAssault) -> CardsRevealed:
    """Gor Skymaul: the defender rolls one die less for each card of the attack (Furious Assault; P7)."""
    turn.happen(Assaulted(fighter=answer.actor, cards=len(turn.state.engaged().attack)))
    return window


def forges_fury(turn: GameTurn, window: DiceLie, answer: ForgesFury) -> DiceLie:
    """Bron Steelshaper: the opponent's Alchemy is set aside for this combat (Forge's Fury)."""
    aside = dice.theirs(turn.state.engaged(), answer.actor).count(Resource.ALCHEMY)
    turn.happen(FuryUsed(fighter=answer.actor, dice=aside))
    return window


def fiery_rebuke(turn: GameTurn, window: Struck, answer: FieryRebuke) -> Step[Struck]:
    """Grim Undermine: who was attacked and hurt rolls one die against the attacker (Fiery Rebuke; P10)."""
    who = answer.actor
    (faces,) = yield from turn.roll(dice.rebuke_roll(turn.state, who))
    (shown,) = dice.shown(turn.state, faces)
    hit = rebukes(shown)
    turn.happen(Rebuked(fighter=who, shown=shown, hit=hit))
    yield from hurt(turn, window.attacker, int(hit), Wound.REBUKE, by=who)
    return window


# Who is asked


def crafter(_turn: GameTurn, window: HoardRolled) -> Iterator[tuple[str, ...]]:
    """Who crafts."""
    yield (window.crafter,)


def opponents(turn: GameTurn, window: ItemsForged) -> Iterator[tuple[str, ...]]:
    """Everybody else who still stands, clockwise from the crafter, one after the other."""
    fighters = turn.state.fighters
    place = turn.state.seats().index(window.crafter)
    for seat in (*fighters[place + 1 :], *fighters[:place]):
        if not seat.out:
            yield (seat.id,)


def attacker(_turn: GameTurn, window: CardsRevealed) -> Iterator[tuple[str, ...]]:
    """Who attacks."""
    yield (window.attacker,)


def both(_turn: GameTurn, window: DiceLie) -> Iterator[tuple[str, ...]]:
    """The attacker, then the defender."""
    yield (window.attacker,)
    yield (window.defender,)


def defender(_turn: GameTurn, window: Struck) -> Iterator[tuple[str, ...]]:
    """Who was attacked."""
    yield (window.defender,)


def own_windows() -> Windows:
    """What answers in each window of the game: Dark Pact before the Mark of Quality, where both can."""
    windows = Windows(lasting)
    answers = (
        (HoardRolled, PowerEffect.DARK_PACT, crafter, dark_pact, asks.pact),
        (HoardRolled, PowerEffect.MARK_OF_QUALITY, crafter, mark_of_quality, asks.mark),
        (ItemsForged, PowerEffect.UPGRADE, opponents, upgrade, asks.upgrade),
        (CardsRevealed, PowerEffect.FURIOUS_ASSAULT, attacker, furious_assault, asks.assault),
        (DiceLie, PowerEffect.FORGES_FURY, both, forges_fury, asks.fury),
        (Struck, PowerEffect.FIERY_REBUKE, defender, fiery_rebuke, asks.rebuke),
    )
    for window, power, who, use, ask in answers:
        windows.reacts(window, answering(power, who, use, ask))
    return windows


def answering(
    power: str,
    who: Callable[[Any, Any], Iterable[tuple[str, ...]]],
    use: Callable[[Any, Any, Any], Any],
    ask: Callable[[Any, Any, str], Ask | None] | None = None,
) -> Reaction:
    """A power that those who have it may use in a window, or decline.

    Args:
        power: Content id.
        who: Takes the turn and the window; returns ids in groups, as `Reaction.who`.
        use: Takes the turn, the window and the answer; returns the window, as `Reaction.react`.
        ask: The question, as `Reaction.ask`; whether to use it, where it has none of its own.
    """

    def react(turn: GameTurn, window: Any, answer: Answer) -> Any:
        if isinstance(answer, Decline):
            turn.happen(Declined(fighter=answer.actor, power=power))
            return None
        if isinstance(answer, UsePower):
            turn.happen(PowerUsed(fighter=answer.actor, power=power))
        return use(turn, window, answer)

    return Reaction(
        who=who,
        ask=ask or (lambda turn, _window, actor: asks.use(turn, actor, power)),
        react=react,
    )
