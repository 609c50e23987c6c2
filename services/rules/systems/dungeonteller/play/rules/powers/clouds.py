"""Powers that fill a piece of the grid: fog, a swarm, and of our own design darkness and fireball (P14)."""

from __future__ import annotations

from services.rules.engine.grid import Square, around
from services.rules.engine.play import Roll
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.conditions import solid_grid
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.rules.harm import save_roll, toughness
from services.rules.systems.dungeonteller.play.rules.power import Use, cast, failed, handles, magic_of, tell
from services.rules.systems.dungeonteller.play.rules.powers.patches import drive_out, saves_on, strike
from services.rules.systems.dungeonteller.play.rules.powers.places import (
    chosen_square,
    open_block,
    standing_on,
)
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Creature,
    Duration,
    EffectKind,
)

VERMIN = tuple(kind for kind, rule in zone_rules().items() if rule.swarm)
"""What can be called (Call Vermin)."""


@handles("fog-cloud")
def spread_fog(desk: Desk, use: Use) -> Steps:
    """Fog Cloud: all within 10 paces lose a Notice and a Shoot die for each success; the fog stays there."""
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    reach = around(solid_grid(desk.scene), use.being.at, use.power.figures.radius or 0)
    tell(desk, use, successes)
    _fill(desk, use, AreaKind.FOG, tuple(sorted(reach)), amount=successes)


@handles("darkness")
def spread_darkness(desk: Desk, use: Use) -> Steps:
    """Darkness (ruling P14): a dark ball around a square in sight, for the scene; only bright light helps."""
    middle = chosen_square(use)
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    reach = around(solid_grid(desk.scene), middle, use.power.figures.radius or 0)
    tell(desk, use, successes)
    _fill(desk, use, AreaKind.DARKNESS, tuple(sorted(reach)))


@handles("call-vermin")
def call_vermin(desk: Desk, use: Use) -> Steps:
    """Call Vermin: a swarm two paces across that stands still, a turn and a Luck for each success.

    The square chosen is its top left one; what of it would be in a wall is left out.
    """
    kind = use.move.sort
    if kind not in VERMIN:
        raise use.refused("kind_unknown", "Choose what to call.", ("sort",), kind, VERMIN)
    corner = chosen_square(use)
    squares = open_block(use, corner)
    successes = yield from cast(desk, use, also=saves_on(use, kind, squares))
    if not successes:
        failed(desk, use)
        return
    tell(desk, use, successes, words=kind)
    lasts = desk.for_turns(use.being.id, successes)
    swarm = _fill(desk, use, kind, squares, luck=successes, lasts=lasts)
    strike(desk, use, (swarm,), squares)


@handles("fireball")
def throw_fireball(desk: Desk, use: Use) -> Steps:
    """Fireball (ruling P14): everybody on a block of three squares each way loses Luck as in a fire.

    Stunt keeps it off, as it does a fire's, and what keeps a fire off helps. It melts ice and burns thorns.
    """
    middle = chosen_square(use)
    zone = use.power.zone
    assert zone is not None and zone.saved_by is not None
    reach = (use.power.figures.across or 1) // 2
    squares = open_block(use, Square(middle.x - reach, middle.y - reach))
    caught = tuple(being for being in standing_on(use, squares) if _can_burn(use, being))

    saves = tuple(_against_fireball(use, being, squares) for being in caught if _saves_itself(being))
    successes = yield from cast(desk, use, also=saves)
    if not successes:
        failed(desk, use)
        return
    open_ones = tuple(being.id for being in caught if being.hidden is None)
    tell(desk, use, successes, targets=open_ones)
    drive_out(desk, AreaKind.FIRE, squares)
    for being in caught:
        if desk.scene.being(being.id) is not None:
            saved = desk.successes(_save(being, squares)) + toughness(desk.scene, being, AreaKind.FIRE)
            desk.lose(being.id, zone.luck_lost - saved, use.power.id)


def _can_burn(use: Use, being: Being) -> bool:
    """Whether a ball of fire does anything to a being; familiars are as safe as in every other fire."""
    if being.out or being.creature is Creature.FAMILIAR:
        return False
    return not use.scene.has(being.id, EffectKind.MIST)


def _saves_itself(being: Being) -> bool:
    return being.creature in (Creature.PERSON, Creature.PET, Creature.MINION)


def _save(being: Being, squares: tuple[Square, ...]) -> str:
    return f"save:{being.id}:{squares.index(being.at)}"


def _against_fireball(use: Use, being: Being, squares: tuple[Square, ...]) -> Roll:
    return save_roll(use.scene, use.catalog, being, AreaKind.FIRE, _save(being, squares))


def _fill(
    desk: Desk,
    use: Use,
    kind: str,
    squares: tuple[Square, ...],
    *,
    amount: int = 0,
    luck: int | None = None,
    lasts: Duration | None = None,
) -> Area:
    return desk.lay(
        Area(
            id=desk.number(kind),
            kind=kind,
            squares=squares,
            source=use.being.id,
            cause=use.power.id,
            amount=amount,
            luck=luck,
            lasts=lasts or Duration(),
            strength=magic_of(use),
        )
    )
