"""Players of a fight: one that reacts and plays each role as its weapons ask for, and the game master's.

Grunts and commanders close in and keep some energy to dodge; strikers and shooters put all they have into
attacks; who is bare-handed draws. Every one of them sees what its combatant may know, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from services.rules.dice.odds import opposed_pool
from services.rules.engine.bots import Bot
from services.rules.engine.frozen import replace
from services.rules.engine.ground.model import Ground
from services.rules.engine.ground.squares import Square
from services.rules.engine.ground.walking import reach
from services.rules.engine.play import GM, LegalMove
from services.rules.engine.steps import Ask
from services.rules.systems.forge_engine.conditions import STOOD_UP, barring
from services.rules.systems.forge_engine.conditions import Walk as Stretch
from services.rules.systems.forge_engine.play.arms import reach_feet
from services.rules.systems.forge_engine.play.effects import (
    HELD,
    PRONE,
    bears,
    conditions_of,
    hands_do,
    hands_used,
    rules,
    shakeable,
)
from services.rules.systems.forge_engine.play.ground import apart, blocked, covered
from services.rules.systems.forge_engine.play.legal.attacks import fires_of, most_energy
from services.rules.systems.forge_engine.play.legal.movement import goals
from services.rules.systems.forge_engine.play.legal.spells import in_view
from services.rules.systems.forge_engine.play.moves import (
    AddDice,
    Approach,
    Attack,
    BeginFight,
    Cast,
    Dodge,
    EndScene,
    Escape,
    Exert,
    FightMove,
    Minor,
    MinorUse,
    Parry,
    Pass,
    RaiseShield,
    Reload,
    Reveal,
    ShakeOff,
    Stand,
    StrikeBack,
    Walk,
)
from services.rules.systems.forge_engine.play.rules.attack import planned
from services.rules.systems.forge_engine.play.rules.bonuses import with_bonuses
from services.rules.systems.forge_engine.play.rules.energy import affords, cost_of
from services.rules.systems.forge_engine.play.rules.grapple import SHAKE
from services.rules.systems.forge_engine.play.rules.minor import minor_cost, reload_cost, ways_of
from services.rules.systems.forge_engine.play.rules.movement import feet_left, move_cost
from services.rules.systems.forge_engine.play.rules.spells import castable, is_attack
from services.rules.systems.forge_engine.play.state import CELL, Combatant, Fight, Phase
from services.rules.systems.forge_engine.play.strike import Strike, pools_of, spell_attribute
from services.rules.systems.forge_engine.pools.attack_given import Cover
from services.rules.systems.forge_engine.profile import Weapon
from services.rules.systems.forge_engine.rolls import SIDES

LONGEST = 60
"""Rounds after which the game master calls a fight off."""


@lru_cache(maxsize=4096)
def mean(action: int, defense: int) -> float:
    """Successes on average."""
    return float(opposed_pool(action, defense, SIDES).successes.mean)


@dataclass(frozen=True, slots=True)
class Plan:
    """An attack that could be made, and what it is worth.

    Attributes:
        move: The move.
        cost: Energy in all.
        worth: Damage on average of all such attacks that the energy pays for.
    """

    move: FightMove
    cost: int
    worth: float


def bot(state: Fight, actor: str) -> FightMove | None:
    """The move of a combatant, or of the game master; None when there is nothing to do."""
    if state.over:
        return None
    if actor == GM:
        return _master(state)
    one = state.get(actor)
    if one is None or state.phase is not Phase.FIGHT or not state.may_act(one):
        return None
    foes = tuple(foe for foe in state.foes(one) if foe.up)
    if not foes or state.rounds.round > LONGEST:
        return None
    return _freed(state, one) or _fighting(state, one, foes) or Pass(actor=actor, rest=True)


def _master(state: Fight) -> FightMove | None:
    """Begins the fight; lets those who hide step out after a round; ends what is decided or drawn out."""
    sides = {one.side for one in state.combatants if one.up}
    if state.phase is Phase.CALM:
        return BeginFight(actor=GM) if len(sides) > 1 else EndScene(actor=GM, text="Nothing is left to do.")
    hiding = next((one for one in state.combatants if one.hidden and one.up), None)
    if hiding is not None and (state.rounds.round > 1 or len(state.sides_up()) < 2):
        return Reveal(actor=GM, who=hiding.id)
    if len(sides) < 2 or state.rounds.round > LONGEST:
        return EndScene(actor=GM, text="The fight is over.")
    return None


def _freed(fight: Fight, one: Combatant) -> FightMove | None:
    """Breaking free, shaking off what hurts most, getting up."""
    if bears(fight, one.id, *HELD) is not None:
        most = min(one.profile.attributes.strength, one.usable - cost_of(fight, one).value)
        if most > 0:
            return Escape(actor=one.id, added=most)
    if barring(conditions_of(fight, one.id)) is not None:
        return None
    spare = one.usable - one.profile.action_energy
    if spare >= 2 and SHAKE not in one.uses:
        for effect in shakeable(fight, one.id):
            return ShakeOff(actor=one.id, effect=effect.id, energy=min(3, spare))
    up = move_cost(fight, one, Stretch(distance=0, stand=True)).value
    lies = bears(fight, one.id, PRONE) is not None
    if lies and feet_left(fight, one) >= STOOD_UP and affords(one, up):
        return Stand(actor=one.id)
    return None


def reserve(one: Combatant) -> int:
    """Energy that a combatant keeps for reactions: those who hold the line more than those who strike."""
    if one.profile.role in ("striker", "caster"):
        return 0
    return min(one.profile.attributes.agility, one.profile.energy // 5)


def _fighting(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    if barring(conditions_of(fight, one.id)) is not None:
        return None
    plans = tuple(_plans(fight, one, foes))
    if plans:
        return max(plans, key=lambda plan: plan.worth).move
    return _made_ready(fight, one, foes) or _nearer(fight, one, foes)


def _plans(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> Iterator[Plan]:
    budget = one.usable - reserve(one)
    for weapon in one.profile.weapons:
        if not (one.ready(weapon) and hands_do(fight, one, weapon)):
            continue
        for fire in fires_of(fight, one, weapon):
            for foe in foes:
                move = Attack(actor=one.id, weapon=weapon.id, target=foe.id, fire=fire)
                plain = planned(fight, one, weapon, move)
                most = one.profile.attributes.of(weapon.attribute)
                yield from _priced(fight, one, plain, most, budget, foe)
    if hands_used(fight, one) < one.profile.hands:
        for spell in castable(fight, one):
            if is_attack(spell) and spell.area is None:
                for foe in in_view(fight, one, spell):
                    if foe.up:
                        plain = Strike(id="plan", attacker=one.id, spell=spell.id, targets=(foe.id,))
                        yield from _priced(fight, one, plain, spell_attribute(one, spell), budget, foe)


def _priced(
    fight: Fight, one: Combatant, plain: Strike, attribute: int, budget: int, foe: Combatant
) -> Iterator[Plan]:
    """The attack with each amount of energy that it may take."""
    found = most_energy(fight, plain, attribute)
    if found is None:
        return
    item = plain.weapon and one.weapon(plain.weapon)
    if isinstance(item, Weapon) and item.item and item.kind.value == "explosive" and item.id not in one.armed:
        return
    cost, most = found
    for added in range(max(0, min(most, budget - cost)) + 1):
        strike = with_bonuses(fight, replace(plain, added=added))
        pools = pools_of(fight, strike, foe.id)
        if cost + added < 1 or not pools.action.value or (plain.spell and not added):
            continue
        hits = mean(pools.action.value, pools.defense.value)
        times = max(1, budget // max(1, cost + added))
        worth = min(hits * times, foe.health + 1) + (0.2 * hits * times)
        allies = sum(fight.find(each).side == one.side for each in plain.targets)
        others = len(plain.targets) - 1 - 3 * allies
        yield Plan(_move_of(strike), cost + added, worth * (1 + max(-1, others)) / (1 + 0.1 * foe.health))


def _move_of(strike: Strike) -> FightMove:
    if strike.spell:
        return Cast(actor=strike.attacker, spell=strike.spell, target=strike.targets[0], added=strike.added)
    return Attack(
        actor=strike.attacker,
        weapon=strike.weapon,
        target=strike.targets[0],
        added=strike.added,
        fire=strike.fire,
    )


def _made_ready(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    """Reloads what is empty; draws what reaches a foe from here."""
    for weapon in one.profile.weapons:
        if one.ready(weapon) and one.shots(weapon.id) == 0 and not one.empty(weapon):
            for way in ways_of(fight.catalog, weapon):
                cost = reload_cost(fight, one, weapon, way)
                if cost is not None and affords(one, cost.value):
                    return Reload(actor=one.id, weapon=weapon.id, way=way)
    if not affords(one, minor_cost(fight, one).value) or one.minors > 2:
        return None
    near = min(apart(fight, one, foe) for foe in foes)
    drawn = [
        each for each in one.profile.weapons if not each.natural and one.ready(each) and not one.empty(each)
    ]
    if any(reach_feet(fight, one, each) >= near for each in drawn):
        return None
    spare = one.profile.hands - hands_used(fight, one)
    for weapon in one.profile.weapons:
        fits = not weapon.natural and weapon.id not in one.held and one.left(weapon) > 0
        if fits and weapon.hands <= spare and (reach_feet(fight, one, weapon) >= near or not drawn):
            return Minor(actor=one.id, use=MinorUse.DRAW, item=weapon.id)
    return None


def _nearer(fight: Fight, one: Combatant, foes: tuple[Combatant, ...]) -> FightMove | None:
    """Goes to where the best weapon reaches the nearest foe."""
    if any(
        effect.bearer == one.id and "move" in rules(fight.catalog)[effect.kind].forbids
        for effect in fight.effects
    ):
        return None
    usable = (weapon for weapon in one.profile.weapons if one.ready(weapon) and not one.empty(weapon))
    reaching = max(reach_feet(fight, one, weapon) for weapon in usable)
    if fight.ground is None:
        return _approaching(fight, one, foes, reaching)
    open_to = dict(goals(fight, one, run=False))
    if not open_to or one.at is None:
        return None
    found = reach(fight.ground, one.footprint(), None, blocked(fight, one))
    ends = sorted(
        (cost, square.y, square.x, foe.id)
        for foe in foes
        for square in _around(fight.ground, foe, reaching)
        if (cost := found.cost(square)) is not None
    )
    end = next((Square(x, y) for _, y, x, foe in ends if _sees(fight, one, Square(x, y), foe)), None)
    if end is None:
        return None
    way = found.way(end) or ()
    steps = [square for square in way if square in open_to]
    return Walk(actor=one.id, to=steps[-1]) if steps else None


def _sees(fight: Fight, one: Combatant, at: Square, foe: str) -> bool:
    """Whether a foe could be attacked from a square."""
    return covered(fight, replace(one, at=at), fight.find(foe)) is not Cover.TOTAL


def _around(ground: Ground, foe: Combatant, feet: int) -> Iterator[Square]:
    """The squares of a ground within some feet of a foe."""
    if foe.at is None:
        return
    far, size = feet // CELL, foe.size
    for x in range(max(0, foe.at.x - far), min(ground.width, foe.at.x + size + far)):
        for y in range(max(0, foe.at.y - far), min(ground.height, foe.at.y + size + far)):
            yield Square(x, y)


def _approaching(
    fight: Fight, one: Combatant, foes: tuple[Combatant, ...], reaching: int
) -> FightMove | None:
    foe = min(foes, key=lambda each: apart(fight, one, each))
    wanted = apart(fight, one, foe) - max(reaching, CELL)
    feet = min(wanted, feet_left(fight, one)) // CELL * CELL
    while feet > 0:
        if affords(one, move_cost(fight, one, Stretch(distance=feet)).value):
            return Approach(actor=one.id, target=foe.id, feet=feet)
        feet -= CELL
    return None


# Answers


def reply(state: Fight, ask: Ask) -> FightMove:
    """An answer: as much defense as the energy is good for, and every blow that is offered."""
    one = state.get(ask.actor)
    if one is None:
        return _first(ask)
    for offer in ask.offers:
        found = _answered(state, one, offer)
        if found is not None:
            return found
    return ask.silence if ask.silence is not None else _first(ask)


def _first(ask: Ask) -> FightMove:
    if ask.silence is not None:
        found: FightMove = ask.silence
        return found
    raise ValueError(f"{ask.id} takes an answer")


def _answered(fight: Fight, one: Combatant, offer: LegalMove) -> FightMove | None:
    most = max((field.most or 0 for field in offer.fields), default=0)
    move = offer.move
    match move["kind"]:
        case "RaiseShield":
            return RaiseShield(actor=one.id, ward=str(move.get("ward", "")))
        case "Parry":
            return Parry(actor=one.id, weapon=str(move["weapon"]), ward=str(move.get("ward", "")))
        case "Dodge":
            energy = min(most, max(1, one.usable // (2 if one.passed else 3)))
            skill, ward = str(move.get("skill", "")), str(move.get("ward", ""))
            return Dodge(actor=one.id, added=energy, skill=skill, ward=ward)
        case "StrikeBack":
            skill, target = str(move["skill"]), str(move.get("target", ""))
            return StrikeBack(
                actor=one.id, skill=skill, weapon=str(move["weapon"]), added=most, target=target
            )
        case "AddDice" if one.usable > reserve(one) + 1:
            return AddDice(actor=one.id, skill=str(move["skill"]), added=min(most, 2))
        case "Exert":
            least = max((field.least or 0 for field in offer.fields), default=0)
            return Exert(actor=one.id, skill=str(move["skill"]), energy=int(move.get("energy", least)))
    return None


STRONG = Bot(
    id="strong",
    version=1,
    text="Strikes where it hurts most for its energy, closes in, reloads, breaks free, dodges.",
    move=lambda state, actor, _choose: bot(state, actor),
    answer=lambda state, ask, _choose: reply(state, ask),
)
