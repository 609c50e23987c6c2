"""Lays out fights for cases: combatants with the figures that a case says, dice that fall as it says.

Nothing here knows a rule: figures that a case leaves out are ample or least, whichever keeps out of its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from services.rules.engine.conformance import UnsupportedCaseError
from services.rules.engine.driver import Made, make
from services.rules.engine.play import GM, Roll
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Ask
from services.rules.engine.turns import Rounds
from services.rules.systems.forge_engine.attributes import Attribute, Attributes
from services.rules.systems.forge_engine.catalog import own_catalog
from services.rules.systems.forge_engine.choices import SkillRating
from services.rules.systems.forge_engine.equipment import EquipmentKind
from services.rules.systems.forge_engine.play.effects import new_effect
from services.rules.systems.forge_engine.play.facts import EnergyRegained, TurnBegan
from services.rules.systems.forge_engine.play.moves import Attack, FightMove, Pass
from services.rules.systems.forge_engine.play.newcomer import newcomer
from services.rules.systems.forge_engine.play.scene import PLAY
from services.rules.systems.forge_engine.play.state import FOES, HEROES, Combatant, Fight, Phase
from services.rules.systems.forge_engine.profile import Profile, Weapon

CATALOG = own_catalog()
Given = Mapping[str, Any]
Answer = dict[str, Any]
Faces = Mapping[str, Sequence[int]]

HERO, FOE, ALLY = "hero", "foe", "ally"
AMPLE = 60
"""Energy, speed, health and distances that a case says nothing of."""
FAR = 1_000

TIES = {HERO: 9, ALLY: 5}

FactT = TypeVar("FactT")


def only(given: Given, *keys: str) -> None:
    """Lets no key of a case pass that an adapter does not read."""
    if not given.keys() <= set(keys):
        raise UnsupportedCaseError(f"nothing is known of {sorted(given.keys() - set(keys))}")


def condition_id(name: str) -> str:
    """The content id of a condition that a case names."""
    found = next((one.id for one in CATALOG.conditions if one.name == name), None)
    if found is None:
        raise UnsupportedCaseError(f"no condition is called {name!r}")
    return found


def named(ids: Sequence[str]) -> list[str]:
    """The names of conditions."""
    return [CATALOG.conditions[one].name for one in ids]


def club(rating: int = 1, cost: int = 0) -> Weapon:
    """A weapon with given figures."""
    return Weapon(
        id="club",
        name="Club",
        kind=EquipmentKind.MELEE,
        attribute=Attribute.STRENGTH,
        cost=cost,
        rating=rating,
    )


def profile(**figures: Any) -> Profile:
    """A profile with ample energy, health and speed, and least attributes."""
    ample = {
        "attributes": Attributes(),
        "energy": AMPLE,
        "health": AMPLE,
        "pd": 1,
        "md": 1,
        "speed": FAR,
        "reach": 5,
        "initiative": 1,
        "weapons": (club(),),
    }
    return Profile(**{**ample, **figures})


def fighter(who: str, side: str, figures: Profile | None = None, **now: Any) -> Combatant:
    """A combatant whose turns have begun."""
    made = newcomer(who, who.capitalize(), side, figures or profile())
    return replace(made, started=True, **now)


def hero(figures: Profile | None = None, **now: Any) -> Combatant:
    """The combatant that a case is about."""
    return fighter(HERO, HEROES, figures, **now)


def fight(
    *combatants: Combatant,
    phase: Phase = Phase.FIGHT,
    spread: int = 5,
    conditions: Mapping[str, Sequence[str]] | None = None,
) -> Fight:
    """A fight without a grid; a foe and an ally stand by where a case names none, so that it goes on.

    Args:
        combatants: Those that a case is about, in the order of initiative.
        phase: Whether they fight.
        spread: Feet between the sides.
        conditions: Names of conditions, by the ids of those who are under them.
    """
    ids = {one.id for one in combatants}
    others = [fighter(ALLY, HEROES)] if ALLY not in ids else []
    others += [fighter(FOE, FOES)] if FOE not in ids else []
    everyone = (*combatants, *others)
    found = Fight(
        title="A case",
        combatants=everyone,
        phase=phase,
        spread=spread,
        rounds=Rounds(tuple(one.id for one in everyone)),
    )
    for who, names in (conditions or {}).items():
        for name in names:
            effect = new_effect(found, condition_id(name), who, shaken_off=True)
            found = replace(found, effects=(*found.effects, effect))
    return found


def thrower(faces: Faces) -> Callable[[Roll], tuple[int, ...]]:
    """Dice that show a case's faces, by what a roll's id begins with; all others show ones."""

    def throw(roll: Roll) -> tuple[int, ...]:
        name = roll.id.partition(":")[0]
        if name.startswith("tie") and not any(key.startswith("tie") for key in faces):
            # Who is level is told apart by further dice, one way or the other.
            return (TIES.get(roll.actor, 1),)
        said = faces.get(roll.id.rpartition(":")[0], faces.get(name, ()))
        return tuple([*said, *[1] * roll.dice.value][: roll.dice.value])

    return throw


def silent(_state: Fight, ask: Ask) -> Any:
    """Says nothing."""
    return ask.silence


def tried(
    state: Fight, move: FightMove, faces: Faces | None = None, answer: Callable[..., Any] = silent
) -> Made | None:
    """Makes a move; None where it is refused."""
    made = make(PLAY, state, move, thrower(faces or {}), answer)
    return None if isinstance(made, Problems) else made


def made(
    state: Fight, move: FightMove, faces: Faces | None = None, answer: Callable[..., Any] = silent
) -> Made:
    """Makes a move that a case takes for granted."""
    found = make(PLAY, state, move, thrower(faces or {}), answer)
    if isinstance(found, Problems):
        raise UnsupportedCaseError(str(found))
    return found


def facts(found: Made, kind: type[FactT]) -> list[FactT]:
    """What happened of one kind."""
    return [event for event in found.events if isinstance(event, kind)]


def used(before: Fight, after: Fight, who: str = HERO) -> int:
    """Energy that a combatant has less."""
    return before.find(who).usable - after.find(who).usable


def until_turn(
    state: Fight, who: str = HERO, turns: int = 1, faces: Faces | None = None
) -> tuple[Fight, list[Any]]:
    """Lets everybody pass until so many turns of a combatant have begun; returns what happened too."""
    happened: list[Any] = []
    for _ in range(200):
        begun = sum(isinstance(event, TurnBegan) and event.who == who for event in happened)
        if begun >= turns or PLAY.outcome(state).ended:
            return state, happened
        first = state.priority()
        if first is None:
            break
        found = made(state, Pass(actor=first.id, rest=True), faces)
        state = found.state
        happened += found.events
    raise UnsupportedCaseError("the turn never comes")


def regained(happened: Sequence[Any], who: str = HERO) -> EnergyRegained | None:
    """How energy came back to a combatant, where it did."""
    found = [event for event in happened if isinstance(event, EnergyRegained) and event.who == who]
    return found[-1] if found else None


def asked_when_attacked(state: Fight) -> Iterator[str]:
    """The reactions that the hero is offered when the foe attacks."""
    offered: list[str] = []

    def answer(_state: Fight, ask: Ask) -> Any:
        if ask.actor == HERO:
            offered.extend(str(offer.move["kind"]) for offer in ask.offers)
        return ask.silence

    foe = replace(state.find(FOE), started=True, passed=True)
    state = replace(state, combatants=tuple(foe if one.id == FOE else one for one in state.combatants))
    made(state, Attack(actor=FOE, weapon="club", target=HERO), {}, answer)
    return iter(offered)


def skilled(*skills: tuple[str, int]) -> tuple[SkillRating, ...]:
    """Skills with their ratings."""
    return tuple(SkillRating(skill=skill, rating=rating) for skill, rating in skills)


def three(maximum: int) -> Attributes:
    """Attributes whose three highest come to a maximum."""
    least, over = divmod(maximum, 3)
    if least < 1:
        raise UnsupportedCaseError(f"no three attributes come to {maximum}")
    return Attributes(strength=least + (over > 0), agility=least + (over > 1), stamina=least)


MASTER = GM
