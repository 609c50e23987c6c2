"""What keeps a combatant from acting, whatever it is about to do; each refuses with its rule."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.effects import forbidden
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, refuse
from services.rules.systems.forge_engine.conditions import CONDITIONS, barring
from services.rules.systems.forge_engine.play.effects import conditions_of, counts_as, rules
from services.rules.systems.forge_engine.play.state import Combatant, Fight, Phase

TURNS = "Combat Rounds and Turns / Turns"
TARGETS = "Attack Actions"


def actor_of(fight: Fight, who: str) -> Combatant:
    """The combatant who makes a move; refused where there is none."""
    one = fight.get(who)
    return one or refuse("not_yours", "That is not theirs to do.", TURNS, ("actor",), who)


def check_turn(fight: Fight, one: Combatant) -> None:
    """Refuses who cannot act now: out, before its first turn, or while another has priority (E4)."""
    if not one.up:
        refuse("cannot_act", f"{one.name} can do nothing.", TURNS, ("actor",), one.life.value)
    if not fight.may_act(one):
        refuse("not_your_turn", "Another combatant has priority.", TURNS, ("actor",), one.id)


def check_free(fight: Fight, one: Combatant) -> None:
    """Refuses actions of those who can do nothing but try to get free (Restrained)."""
    condition = barring(conditions_of(fight, one.id))
    if condition is not None:
        text = f"{condition.name}: nothing can be done but to get free."
        refuse("condition_bars", text, f"{CONDITIONS} / {condition.name}", ("actor",), condition.id)


def check_verb(fight: Fight, one: Combatant, verb: str) -> None:
    """Refuses what a condition forbids: to move, to run."""
    found = forbidden(fight.effects, rules(fight.catalog), one.id, verb, one.name)
    if found is not None:
        raise Refused(Problems((found,)))


def check_fight(fight: Fight) -> None:
    """Refuses what is done in a fight alone."""
    if fight.phase is not Phase.FIGHT:
        refuse("no_fight", "Nobody fights.", TURNS)


def check_calm(fight: Fight) -> None:
    """Refuses what takes longer than a fight leaves time for."""
    if fight.phase is not Phase.CALM:
        refuse("fight_on", "That takes longer than a fight leaves time for.", TURNS)


def known_target(fight: Fight, one: Combatant, target: str, path: str = "target") -> Combatant:
    """Another combatant whom one knows of and who takes part; refused alike for all others."""
    other = fight.get(target)
    if other is None or other.id == one.id or other.gone is not None or not fight.knows(one, other):
        known = tuple(each.id for each in targets(fight, one))
        refuse("unknown_target", "There is no such target.", TARGETS, (path,), target, known)
    return other


def targets(fight: Fight, one: Combatant) -> Iterator[Combatant]:
    """All others whom a combatant knows of and who take part."""
    return (each for each in fight.known(one) if each.id != one.id and each.gone is None)


def can_react(fight: Fight, one: Combatant) -> bool:
    """Whether a combatant can react: not while it runs, surprised before its first turn, or bound (R-95)."""
    if not one.up or one.running or fight.phase is not Phase.FIGHT:
        return False
    if (one.surprised and not one.started) or counts_as(fight, one.id, "no-reactions"):
        return False
    return barring(conditions_of(fight, one.id)) is None
