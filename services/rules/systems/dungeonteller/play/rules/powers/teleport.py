"""Powers that take their user past what stands in the way: Teleport through walls, Firewalk through fire."""

from __future__ import annotations

from services.rules.engine.grid import Square, distance
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.conditions import solid_grid
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import ClimbEnded
from services.rules.systems.dungeonteller.play.knowledge import in_the_way
from services.rules.systems.dungeonteller.play.rules.harm import harms, save_rolls, suffer
from services.rules.systems.dungeonteller.play.rules.moving import arrive
from services.rules.systems.dungeonteller.play.rules.power import Use, cast, failed, handles, lasting, tell
from services.rules.systems.dungeonteller.play.rules.powers.places import no_square
from services.rules.systems.dungeonteller.play.state import Effect, EffectKind

HOLDS = (EffectKind.PINNED, EffectKind.CAUGHT, EffectKind.TRAPPED)
"""What holds a being to the place they leave."""


@handles("teleport")
def teleport(desk: Desk, use: Use) -> Steps:
    """Teleport: to a square, a pace away at most for each success; what is solid or taken bounces them back.

    Whatever held its caster stays behind, and so does whoever its caster held.
    """
    if not use.move.squares:
        raise no_square(use)
    goal = use.move.squares[0]
    being = use.being
    blocked = _blocked(use, goal)
    met = () if blocked else harms(use.scene, use.catalog, being, goal, spared=use.scene.turn.suffered)
    successes = yield from cast(desk, use, also=save_rolls(use.scene, use.catalog, being, met))
    far = distance(being.at, goal)
    if not successes:
        failed(desk, use)
        return
    if successes < far:
        tell(desk, use, successes, targets=(being.id,), outcome="failed.far", number=far)
        return
    if blocked:
        tell(desk, use, successes, targets=(being.id,), outcome="failed.blocked")
        return
    for effect in desk.scene.effects:
        held = effect.bearer == being.id and effect.kind in HOLDS
        if held or (effect.kind == EffectKind.PINNED and effect.source == being.id):
            desk.lift(effect)
    if any(climb.being == being.id for climb in desk.scene.climbs):
        desk.do(ClimbEnded(being=being.id))
    tell(desk, use, successes, targets=(being.id,))
    arrive(desk, being.id, goal)
    for area in met:
        suffer(desk, being.id, area, desk.successes(f"save:{being.id}:{area.id}"))


@handles("firewalk")
def walk_in_fire(desk: Desk, use: Use) -> Steps:
    """Firewalk: Armor against fire for each success, for the scene (ruling P9); the best try counts."""
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    armor = (use.power.figures.armor or 0) * successes
    before = desk.scene.effects_on(being.id, EffectKind.FIREPROOF)
    best = max((armor, *(effect.amount for effect in before)))
    desk.lift_all(being.id, EffectKind.FIREPROOF)
    lasting(desk, use, Effect(id="", kind=EffectKind.FIREPROOF, bearer=being.id, amount=best))
    tell(desk, use, successes, targets=(being.id,), number=best)


def _blocked(use: Use, goal: Square) -> bool:
    """Whether nobody can appear on a square: off the map, solid, or a being is in the way there (P36)."""
    return not solid_grid(use.scene).open(goal) or goal in in_the_way(use.scene, use.catalog, use.being)
