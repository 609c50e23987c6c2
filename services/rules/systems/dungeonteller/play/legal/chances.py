"""Exact chances of offers, for each target, from the scene as the mover's player knows it.

What is hidden from the player is not in that scene, and so counts in no chance; for the game master's own
actors it is the true scene. They are computed when they are read: bots, which play by other figures, never
do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from services.rules.dice.odds import net_successes
from services.rules.engine.explain import Explained
from services.rules.engine.frozen import replace
from services.rules.engine.offers import Deferred
from services.rules.engine.play import Chance, Choice, LegalMove, Roll
from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.mechanics import SIDES
from services.rules.systems.dungeonteller.play.legal.offer import Offering
from services.rules.systems.dungeonteller.play.moves import UsePower
from services.rules.systems.dungeonteller.play.pools import SPELL, ActionRoll, attack_dice, pool, reaction
from services.rules.systems.dungeonteller.play.rules.battle import ATTACKS, share_of, whole_pool
from services.rules.systems.dungeonteller.play.rules.dodge import may_dodge
from services.rules.systems.dungeonteller.play.rules.power import Use, worked_up
from services.rules.systems.dungeonteller.play.state import Arm, Being
from services.rules.systems.dungeonteller.powers import Attack, Power


@lru_cache(maxsize=4096)
def more_than(dice: int, against: int, faces: int, needed: int = 1) -> Fraction:
    """The chance of so many successes more than the other side's dice have.

    Args:
        dice: Dice of the actor.
        against: Dice of the other side; 0 where nobody rolls.
        faces: Faces of a die that succeed.
        needed: By how many; 0 and less where successes worked up before are enough for a tie.
    """
    return net_successes(dice, against, SIDES, faces).at_least(needed)


def told(offer: LegalMove, work_out: Callable[..., Iterable[Chance]], *given: Any) -> LegalMove:
    """An offer with chances that are computed when they are read.

    Args:
        offer: The offer.
        work_out: Computes them.
        given: What it is called with.
    """
    return replace(offer, chances=Deferred(partial(work_out, *given)))


def of_rolls(make: Offering, rolls: Iterable[Roll], before: int = 0) -> tuple[Chance, ...]:
    """The chances of an actor's own roll: one success, or one more than each who rolls against it.

    Args:
        make: Makes the offers.
        rolls: The dice that fall together.
        before: Successes worked up before.
    """
    rolls = tuple(rolls)
    own = next((roll for roll in rolls if roll.actor == make.being.id), None)
    if own is None:
        return ()
    others = [roll for roll in rolls if roll.id.partition(":")[0] in ("against", "hold")]
    if not others:
        chance = _more_than(make, own.dice, None, before)
        return (Chance("success", "1 success or more", chance),)
    names = {being.id: being.name for being in make.scene.beings}
    return tuple(
        Chance(
            f"win:{roll.actor}",
            f"more successes than {names[roll.actor]}",
            _more_than(make, own.dice, roll.dice, before),
        )
        for roll in others
    )


def of_attack(
    make: Offering,
    target: Being,
    attack: Attack,
    arm: Arm | None,
    theirs: Explained | None = None,
    before: int = 0,
) -> Iterator[Chance]:
    """The chances to hit a target that stands still, and one that dodges where it can.

    Args:
        make: Makes the offers.
        target: Whom it strikes.
        attack: How it hits.
        arm: What is fought with.
        theirs: What the target rolls against it; None where it rolls nothing.
        before: Successes worked up before.
    """
    for dodging in _dodging(make, target, attack):
        dice = attack_dice(make.scene, make.catalog, make.being, target, attack, arm, dodging, 0)
        if not isinstance(dice, RuleProblem):
            yield _hit(target, _more_than(make, dice, theirs, before), dodging=dodging)


def of_attacks(
    make: Offering, action: Action, arm: Arm | None, aims: Sequence[tuple[Choice, tuple[Roll, ...]]]
) -> Iterator[Chance]:
    """The chances of Battle or Shoot at beings, things and swarms; the latter two have no Armor.

    Args:
        make: Makes the offers.
        action: Battle or Shoot.
        arm: What is fought with.
        aims: What may be struck, each with the dice that fall first.
    """
    for target, rolls in aims:
        being = make.scene.being(target.value)
        if being is not None:
            yield from of_attack(make, being, ATTACKS[action], arm)
        else:
            chances = (_more_than(make, roll.dice, None) for roll in rolls)
            yield from (Chance(f"hit:{target.value}", f"hit {target.label}", chance) for chance in chances)


def of_power(make: Offering, power: Power, move: UsePower, targets: Iterable[str]) -> tuple[Chance, ...]:
    """The chances of a power against each of its targets; none for one that meets no resistance.

    Args:
        make: Makes the offers.
        power: The power.
        move: Its use, as an example.
        targets: Ids of all whom it may be aimed at.
    """
    beings = [being for one in targets if (being := make.scene.being(one)) is not None]
    before = before_of(make, power, move)
    attack = power.attack if power.attack is not None and power.attack.action in power.roll else None
    if attack is None:
        opposed = beings if power.opposed_by else ()
        return tuple(chance for each in opposed for chance in _opposed(make, power, each, before))
    if (power.figures.targets or 1) > 1:
        return tuple(chance for each in beings for chance in _shared(make, power, attack, each, move.arm))
    blows = (_blow(make, power, attack, each, move.arm, before) for each in beings)
    return tuple(chance for blow in blows for chance in blow)


def before_of(make: Offering, power: Power, move: UsePower) -> int:
    """Successes worked up before that the use of a power adds."""
    return worked_up(make.scene, Use(make.scene, make.catalog, make.being, power, move))


def _opposed(make: Offering, power: Power, target: Being, before: int) -> Iterator[Chance]:
    """A power against a target's own roll; nothing where its dice could not be rolled after a free blow."""
    own = pool(make.scene, make.catalog, make.being, ActionRoll(power.roll, against=target))
    if not isinstance(own, RuleProblem):
        chance = _more_than(make, own, _theirs(make, power, target), before)
        yield Chance(f"win:{target.id}", f"more successes than {target.name}", chance)


def _theirs(make: Offering, power: Power, target: Being) -> Explained:
    situations = (SPELL,) if power.spell else ()
    return reaction(make.scene, make.catalog, target, power.opposed_by, situations=situations)


def _blow(
    make: Offering, power: Power, attack: Attack, target: Being, arm: str, before: int
) -> Iterator[Chance]:
    """One blow, less what the target rolls against it."""
    theirs = _theirs(make, power, target) if power.opposed_by else None
    yield from of_attack(make, target, attack, arm_called(make.being, arm), theirs, before)


def _shared(make: Offering, power: Power, attack: Attack, target: Being, arm: str) -> Iterator[Chance]:
    """A part of a pool that is shared evenly; the foe named first meets the odd die (ruling P21)."""
    whole = whole_pool(make.scene, make.catalog, make.being, attack, arm_called(make.being, arm))
    if isinstance(whole, RuleProblem):
        return
    groups = power.figures.targets or 1
    for part in sorted({whole.value // groups, -(-whole.value // groups)} - {0}, reverse=True):
        for dodging in _dodging(make, target, attack):
            dice = share_of(make.scene, make.catalog, make.being, target, attack, part, dodging=dodging)
            hit = _hit(target, _more_than(make, dice, None), dodging=dodging)
            yield Chance(f"{hit.id}:{part}", f"{hit.label}, with {part} of the dice", hit.chance)


def arm_called(being: Being, arm: str) -> Arm | None:
    """What of a being has this id."""
    return next((each for each in being.arms if each.id == arm), None)


def _dodging(make: Offering, target: Being, attack: Attack) -> tuple[bool, ...]:
    return (False, True) if attack.dodge_counts and may_dodge(make.scene, target) else (False,)


def _hit(target: Being, chance: Fraction, *, dodging: bool) -> Chance:
    return Chance(
        f"{'dodged' if dodging else 'hit'}:{target.id}",
        f"hit {target.name}, who dodges" if dodging else f"hit {target.name}",
        chance,
    )


def _more_than(make: Offering, dice: Explained, theirs: Explained | None, before: int = 0) -> Fraction:
    faces = len(make.catalog.settings.lucky_faces)
    return more_than(dice.value, 0 if theirs is None else theirs.value, faces, 1 - before)
