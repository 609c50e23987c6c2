"""Reactions: as much defense as the energy is good for, every blow that is offered, help for who needs it."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.ground.squares import Square, distance
from services.rules.engine.play import LegalMove
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.play.bots.roles import reserve, role_of
from services.rules.systems.forge_engine.play.moves import (
    AddDice,
    Dodge,
    Exert,
    FightMove,
    Parry,
    RaiseShield,
    Shift,
    StrikeBack,
)
from services.rules.systems.forge_engine.play.rules.exertions import DEBILITATING, LAST_RESOLVE
from services.rules.systems.forge_engine.play.rules.followups import KILLING
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight

ANOTHER_ATTACK = 3
"""Energy below which a combatant hardly attacks again this turn."""
MOST_ADDED = 3
"""Energy that is added at most to dice that lie on the table."""
ORDER = ("StrikeBack", "RaiseShield", "AddDice", "Parry", "Dodge", "Exert", "Shift")
"""Answers, those first that do most for their energy."""


def reply(state: Fight, ask: Ask) -> FightMove:
    """An answer to a question.

    Raises:
        ValueError: Nothing is of use, and silence is not an answer.
    """
    one = state.get(ask.actor)
    if one is not None:
        for offer in _ranked(ask):
            found = _answered(state, one, offer)
            if found is not None:
                return found
    if ask.silence is None:
        raise ValueError(f"{ask.id} takes an answer")
    silence: FightMove = ask.silence
    return silence


def _ranked(ask: Ask) -> Iterator[LegalMove]:
    """The offers that a bot knows of, the best kind first, and of a kind the one that takes most energy."""
    known = [offer for offer in ask.offers if offer.move["kind"] in ORDER]
    yield from sorted(known, key=lambda offer: (ORDER.index(str(offer.move["kind"])), -_most(offer)))


def _most(offer: LegalMove) -> int:
    return max((field.most or 0 for field in offer.fields), default=0)


def _least(offer: LegalMove) -> int:
    return max((field.least or 0 for field in offer.fields), default=0)


def _answered(fight: Fight, one: Combatant, offer: LegalMove) -> FightMove | None:
    move, most = offer.move, _most(offer)
    skill, ward = str(move.get("skill", "")), str(move.get("ward", ""))
    if ward and not _worth_warding(fight, one, ward):
        return None
    match move["kind"]:
        case "RaiseShield":
            return RaiseShield(actor=one.id, ward=ward)
        case "Parry":
            return Parry(actor=one.id, weapon=str(move["weapon"]), ward=ward)
        case "Dodge":
            return Dodge(actor=one.id, added=min(most, _for_defense(one)), skill=skill, ward=ward)
        case "StrikeBack":
            target, weapon = str(move.get("target", "")), str(move["weapon"])
            return StrikeBack(actor=one.id, skill=skill, weapon=weapon, added=most, target=target)
        case "AddDice":
            return _dice(fight, one, skill, most)
        case "Exert":
            return _exerted(one, skill, _least(offer), most, move.get("energy"))
        case "Shift":
            return _shifted(fight, one, offer, skill)
    return None


def _worth_warding(fight: Fight, one: Combatant, ward: str) -> bool:
    """Whether a combatant defends an ally: always in some roles, else one that is bloodied."""
    ally = fight.get(ward)
    return ally is not None and (role_of(fight, one).wards or ally.bloodied or one.passed)


def _for_defense(one: Combatant) -> int:
    """Energy for one defense: half of it where the turn is over, a third where it is still to come."""
    return max(1, one.usable // (2 if one.passed else 3))


def _dice(fight: Fight, one: Combatant, skill: str, most: int) -> AddDice | None:
    """Dice for a pool, beside what is kept back; two thirds of all energy at most are expended for them."""
    if skill == KILLING:
        strong = 3 * (one.expended + 1) <= 2 * one.profile.energy
        return AddDice(actor=one.id, skill=skill, added=0) if strong else None
    if one.usable <= reserve(fight, one) + 1:
        return None
    return AddDice(actor=one.id, skill=skill, added=min(most, MOST_ADDED))


def _exerted(one: Combatant, skill: str, least: int, most: int, asked: object) -> Exert | None:
    """Energy for an effect: what is asked for, or by the need."""
    if skill == LAST_RESOLVE:
        spare = one.profile.energy - one.expended - 1
        wanted = min(most if one.bloodied else least, one.profile.health - one.health, spare)
        return Exert(actor=one.id, skill=skill, energy=wanted) if wanted >= 1 else None
    if skill == DEBILITATING and one.usable - least < ANOTHER_ATTACK and not one.passed:
        return None
    energy = least or (asked if isinstance(asked, int) else 0)
    return Exert(actor=one.id, skill=skill, energy=energy)


def _shifted(fight: Fight, one: Combatant, offer: LegalMove, skill: str) -> Shift | None:
    """A step away from enemies, of oneself or of the target, once no further attack is to come."""
    if one.usable >= ANOTHER_ATTACK:
        return None
    squares = [square for field in offer.fields for square in field.squares]
    if not squares:
        return Shift(actor=one.id, skill=skill)
    away = max(squares, key=lambda square: (_nearest(fight, one, square), -square.y, -square.x))
    return Shift(actor=one.id, skill=skill, to=away)


def _nearest(fight: Fight, one: Combatant, square: Square) -> int:
    """Feet from a square to the nearest enemy that is up."""
    places = (foe.at for foe in fight.foes(one) if foe.up and foe.at is not None)
    return min((CELL * distance(square, at) for at in places), default=0)
