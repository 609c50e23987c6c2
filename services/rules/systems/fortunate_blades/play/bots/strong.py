"""A player who spends Fortune where it changes a result, and keeps some for Saves."""

from __future__ import annotations

from typing import Any

from services.rules.engine.bots import Bot
from services.rules.engine.play import LegalMove
from services.rules.engine.sampling import Choose
from services.rules.engine.steps import Ask
from services.rules.systems.fortunate_blades.catalog import Catalog
from services.rules.systems.fortunate_blades.play.bots import steady
from services.rules.systems.fortunate_blades.play.moves import (
    Aid,
    Benefit,
    Boost,
    Commit,
    Lift,
    MakeSave,
    Move,
    RaiseEffect,
    StateFact,
    TakeHarm,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.terms import Group, HarmLevel

RESERVE = 2
"""Fortune that is kept for Saves."""
RICH = 5
"""Fortune from which a roll is made Lucky, or another's is."""
WORTH = 3
"""The most points that a better result is worth."""


def strong_bot(catalog: Catalog) -> Bot:
    """The bot with a catalog."""

    def move(state: Encounter, actor: str, _choose: Choose) -> Move | None:
        return steady.bot(state, actor, catalog)

    def answer(state: Encounter, ask: Ask, _choose: Choose) -> Move:
        found = _answer(state, ask, catalog)
        return steady.reply(state, ask, catalog) if found is None else found

    text = "Spends Fortune where it changes a result, helps others, and keeps some for Saves."
    return Bot(id="strong", version=1, text=text, move=move, answer=answer)


def _answer(state: Encounter, ask: Ask, catalog: Catalog) -> Move | None:
    """An answer; None where the plain one will do."""
    hero = state.find(ask.actor)
    if hero is None:
        return None
    name, _, _ = ask.id.partition(":")
    offers = {offer.id: offer for offer in ask.offers}
    match name:
        case "commit" if hero.fortune >= RICH and "roll:lucky" in offers:
            return Commit(actor=hero.id, lucky=True)
        case "aid" if hero.fortune > RICH and "aid:fortune" in offers:
            return _aided(hero, offers["aid:fortune"])
        case "boost":
            return _boosted(hero, offers.get("boost"))
        case "effect":
            return _raised(hero, offers["raise"], catalog)
        case "lift" if hero.fortune > RESERVE:
            return Lift(actor=hero.id, target=offers["lift"].fields[0].choices[0].value)
        case "save":
            return _saved(hero, offers)
        case "natural_20" if hero.fortune >= RICH and "fact" in offers:
            best = max(catalog.facts.entries.values(), key=lambda fact: fact.ticks)
            return StateFact(actor=hero.id, fact=best.id)
        case "ran_out":
            return _borne(hero, offers)
    return None


def _aided(hero: Hero, offer: LegalMove) -> Move | None:
    """Aid for Fortune that makes a roll Lucky, if that is not given yet."""
    given = {choice.value for field in offer.fields if field.name == "benefit" for choice in field.choices}
    lucky = Benefit.LUCKY.value in given
    return Aid(actor=hero.id, benefit=Benefit.LUCKY, pay=True) if lucky else None


def _boosted(hero: Hero, offer: LegalMove | None) -> Move | None:
    """The points to the next better result, if they are few, and the reserve is left."""
    if offer is None or not offer.chances:
        return None
    points = min(int(chance.id.rpartition("+")[2]) for chance in offer.chances)
    if points > WORTH or hero.fortune - points < RESERVE:
        return None
    return Boost(actor=hero.id, points=points)


def _raised(hero: Hero, offer: LegalMove, catalog: Catalog) -> Move | None:
    """One level more of Effect, with Fortune to spare."""
    spare = hero.fortune - catalog.rules.costs.effect >= RICH
    return RaiseEffect(actor=hero.id, levels=offer.fields[0].least or 1) if spare else None


def _saved(hero: Hero, offers: dict[str, LegalMove]) -> Move | None:
    """Every Save that can be made, with a point where there are plenty."""
    offer = offers.get("save")
    if offer is None or (offer.cost and hero.fortune <= 1):
        return None
    most = next((field.most or 0 for field in offer.fields if field.name == "fortune"), 0)
    return MakeSave(actor=hero.id, fortune=min(1, most) if hero.fortune > RICH else 0)


def _borne(hero: Hero, offers: dict[str, Any]) -> Move | None:
    """Serious Harm where it weighs least, or minor; no other, which takes the hero nearer to the end."""
    weakest = min(
        Group,
        key=lambda group: max(
            rank for attribute, rank in hero.attributes.items() if attribute.group is group
        ),
    )
    for level in (HarmLevel.SERIOUS, HarmLevel.MINOR):
        if f"harm:{level.value}" in offers:
            return TakeHarm(actor=hero.id, level=level, group=weakest)
    return None
