"""Spells cast as reactions, once against each attack (Magic Skills; P4, P5).

Retributive Strike strikes at an adjacent enemy before its attack falls; Deflecting Word makes the attack
dearer by its successes, or ends it. Both take a free hand, and the caster must perceive the attacker, which
whoever attacks steps out of hiding for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services.rules.engine.buttons import button, number_field
from services.rules.engine.effects import on
from services.rules.engine.explain import Explained
from services.rules.engine.explain import Part as Dice
from services.rules.engine.frozen import replace
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Ask, Step
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.play.effects import effect_id, hands_used
from services.rules.systems.forge_engine.play.facts import EffectEnded, Reacted
from services.rules.systems.forge_engine.play.ground import apart
from services.rules.systems.forge_engine.play.moves import Decline, Exert, StrikeBack
from services.rules.systems.forge_engine.play.rules.attack import strike_through
from services.rules.systems.forge_engine.play.rules.defense import most_added
from services.rules.systems.forge_engine.play.rules.energy import FightTurn, affords, pay
from services.rules.systems.forge_engine.play.rules.outcomes import spell_id
from services.rules.systems.forge_engine.play.rules.reactions import ReactionRule, Role, once
from services.rules.systems.forge_engine.play.state import Combatant, Fight
from services.rules.systems.forge_engine.play.strike import Declared, Strike, spell_attribute
from services.rules.systems.forge_engine.pools.attack_pool import ADJACENT

MAGIC = "Magic Skills"
RETRIBUTIVE, DEFLECTING = spell_id("retributive-strike"), spell_id("deflecting-word")
KEPT_OFF = effect_id("deflecting-word")


def _offers(name: str) -> Callable[[Fight, Declared, Combatant], Iterator[LegalMove]]:
    """A spell at an enemy in range who attacks the caster."""
    spell = own_catalog().spells[name]

    def offers(fight: Fight, window: Declared, one: Combatant) -> Iterator[LegalMove]:
        attacker = fight.find(window.strike.attacker)
        if once(one, name) in window.done or attacker.side == one.side or not attacker.up:
            return
        near = apart(fight, one, attacker) <= max(spell.range, ADJACENT)
        most = most_added(fight, one, spell_attribute(one, spell))
        if not near or most < 1 or hands_used(fight, one) >= one.profile.hands:
            return
        field = number_field("added", "How much energy?", 1, most)
        move = StrikeBack(actor=one.id, skill=name, weapon="", added=1, target=attacker.id)
        yield button(move, name, f"{spell.name}: {attacker.name}", spell.summary, MAGIC, field)

    return offers


def _cast_back(turn: FightTurn, window: Declared, move: StrikeBack) -> Step[Declared]:
    """The spell strikes first; the attack goes on if its maker still can."""
    one = turn.state.find(move.actor)
    turn.happen(Reacted(who=one.id, how=turn.state.catalog.spells[move.skill].name, dice=0))
    strike = Strike(
        id=f"cast-back-{one.id}",
        attacker=one.id,
        spell=move.skill,
        targets=(window.strike.attacker,),
        added=move.added,
        reaction=True,
    )
    yield from strike_through(turn, strike)
    return replace(window, done=(*window.done, once(one, move.skill)))


def _deflect(turn: FightTurn, window: Declared, move: StrikeBack) -> Step[Declared]:
    """The attacker pays 1 energy for each success, or its whole attack comes to nothing."""
    window = yield from _cast_back(turn, window, move)
    attacker = window.strike.attacker
    words = [each for each in on(turn.state.effects, attacker, KEPT_OFF) if each.source == move.actor]
    for word in words:
        turn.happen(EffectEnded(effect=word.id, bearer=attacker, what=KEPT_OFF))
    asked = sum(word.amount for word in words)
    if not asked:
        return window
    paid = yield from _pays(turn, attacker, move.actor, asked)
    return window if paid else replace(window, failed=True)


def _pays(turn: FightTurn, who: str, source: str, asked: int) -> Step[bool]:
    one, none = turn.state.find(who), Decline(actor=who)
    if not one.up or not affords(one, asked):
        return False
    go_on = Exert(actor=who, skill=DEFLECTING, energy=asked)
    question = Ask(
        id=f"deflected:{who}:{len(turn.happened)}",
        actor=who,
        question=f"{turn.state.find(source).name} keeps you off by a word. Pay?",
        offers=(
            button(go_on, "pay", f"Pay {asked} energy", "Your attack goes on.", MAGIC),
            button(none, "decline", "Let it fail", "Your attack comes to nothing.", MAGIC),
        ),
        silence=none,
        seconds=turn.state.patience,
    )
    (answer,) = yield from turn.ask(question)
    if isinstance(answer, Exert):
        pay(turn, who, "pressing on", Explained.of(Dice(asked, "Deflecting Word", MAGIC)))
        return True
    return False


SPELLS = tuple(
    ReactionRule(
        window=Declared,
        role=Role.DEFENDER,
        answer=StrikeBack,
        offers=_offers(name),
        react=react,
        skill=name,
    )
    for name, react in ((RETRIBUTIVE, _cast_back), (DEFLECTING, _deflect))
)
"""Spells that people react with."""
