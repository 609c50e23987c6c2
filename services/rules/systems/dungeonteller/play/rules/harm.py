"""What the grid does to whoever stands in it or enters it: fire, ice, thorns, bad air, swarms, runes.

The harm of one area strikes a being once a turn: when it is made under them, when they enter it, or when
their turn begins in it. Dice against it are rolled with the move that brings it about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from services.rules.engine.grid import Square, distance
from services.rules.engine.play import Roll
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.conditions import smaller_than_giant, stone_armor, takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.effects import zone_rules
from services.rules.systems.dungeonteller.play.facts import ActionUsed, AreaEnded, Suffered
from services.rules.systems.dungeonteller.play.pools import (
    POISON_LOSS,
    as_roll,
    reaction,
)
from services.rules.systems.dungeonteller.play.sentences import sentences
from services.rules.systems.dungeonteller.play.state import (
    Area,
    AreaKind,
    Being,
    Effect,
    EffectKind,
    Scene,
)
from services.rules.systems.dungeonteller.powers import Zone

BRIAR_LOSS = 2
UNTOUCHED = (EffectKind.MIST, EffectKind.FLOATING)
"""Whoever is so is above what lies on the ground."""


def touches(scene: Scene, catalog: Catalog, area: Area, being: Being, at: Square) -> bool:
    """Whether an area does harm to a being on a square."""
    rule = zone_rules().get(area.kind)
    if rule is None or not rule.harmful or being.out or not takes_turns(being):
        return False
    if area.kind == AreaKind.TRAP_RUNE:
        return area.source != being.id and distance(area.squares[0], at) <= area.radius
    if at not in area.squares or (not smaller_than_giant(being) and spares_giants(catalog, area)):
        return False
    if scene.has(being.id, EffectKind.MIST):
        return False
    aloft = being.height > 0 or scene.has(being.id, *UNTOUCHED)
    return not aloft or rule.airborne


def spares_giants(catalog: Catalog, area: Area) -> bool:
    """Whether an area touches only those smaller than a giant: as its power says, or as is usual."""
    zone = _zone_of(catalog, area)
    return zone_rules()[area.kind].spares_giants if zone is None else zone.spares_giants


def harms_at_start(
    scene: Scene, catalog: Catalog, being: Being, *, passing: bool = False
) -> tuple[Area, ...]:
    """The areas that do harm to a being who begins a turn where they stand.

    Thorns catch and runes snap at whoever comes: those who stand there already have got out of the thorns
    with care, and a rune is for the first who passes (Briar Patch; Trap Rune).

    Args:
        scene: Where.
        catalog: The content.
        being: Who.
        passing: Whether the turn passes without anything, so that what only takes a turn takes nothing.
    """
    found = ((area, zone_rules()[area.kind]) for area in harms(scene, catalog, being, being.at))
    return tuple(area for area, rule in found if not (rule.on_coming or (passing and rule.loses_turn)))


def harms(
    scene: Scene, catalog: Catalog, being: Being, at: Square, *, spared: Iterable[str] = ()
) -> tuple[Area, ...]:
    """The areas that do harm to a being on a square, those spared left out."""
    return tuple(
        area for area in scene.areas if area.id not in spared and touches(scene, catalog, area, being, at)
    )


def save_rolls(
    scene: Scene, catalog: Catalog, being: Being, areas: Iterable[Area], *, prefix: str = "save"
) -> tuple[Roll, ...]:
    """Dice against the harm of areas; thorns take none."""
    return tuple(
        save_roll(scene, catalog, being, area.kind, f"{prefix}:{being.id}:{area.id}")
        for area in areas
        if zone_rules()[area.kind].saved_by is not None
    )


def save_roll(scene: Scene, catalog: Catalog, being: Being, kind: str, name: str) -> Roll:
    """Dice of a being against one kind of harm; dwarfs do well where Resist is rolled against a spell.

    Raises:
        ValueError: Nothing is rolled against it.
    """
    rule = zone_rules()[kind]
    action = rule.saved_by
    if action is None:
        raise ValueError(f"nothing is rolled against {rule.name}")
    holds = (rule.against,) if rule.against else ()
    dice = reaction(scene, catalog, being, (action,), situations=holds)
    label = f"{action.label} against {rule.name}"
    return as_roll(scene, name, being, label, dice)


def meet(desk: Desk, being_id: str, areas: Iterable[Area]) -> Steps:
    """A being rolls against all that does harm where they are, and suffers it."""
    found = tuple(areas)
    yield from desk.roll(*save_rolls(desk.scene, desk.catalog, desk.being(being_id), found))
    for area in found:
        suffer(desk, being_id, area, desk.successes(f"save:{being_id}:{area.id}"))


def suffer(desk: Desk, being_id: str, area: Area, saved: int) -> None:
    """Let an area do its harm to a being.

    Args:
        desk: The move it happens in.
        being_id: Whom.
        area: What.
        saved: Successes of the roll against it.
    """
    being = desk.being(being_id)
    own_turn = desk.scene.turn.whose == being_id
    if own_turn:
        desk.do(Suffered(being=being_id, area=area.id))
    rule = zone_rules()[area.kind]
    if area.kind in SPECIAL:
        SPECIAL[area.kind](desk, being, area, saved)
    elif rule.luck:
        loss = luck_taken(desk.catalog, area) - saved - toughness(desk.scene, being, area.kind)
        desk.say("harm", targets=(being_id,), successes=saved, words=rule.name)
        desk.lose(being_id, loss, area.kind)
    elif rule.catches:
        _catch(desk, being_id, area)
    elif saved:
        desk.say("harm.avoided", targets=(being_id,), words=rule.name)
    elif rule.loses_turn:
        code = f"turn_lost.{area.kind}"
        desk.say(code if code in sentences() else "turn_lost", targets=(being_id,))
        lose_turns(desk, being_id, 1)
    elif rule.poisons:
        poison(desk, being_id, area.source, area.cause)


def _catch(desk: Desk, being_id: str, area: Area) -> None:
    """A being is held where it is, once."""
    if desk.scene.has(being_id, EffectKind.CAUGHT):
        return
    desk.say("caught", targets=(being_id,))
    desk.put(
        Effect(
            id="",
            kind=EffectKind.CAUGHT,
            bearer=being_id,
            source=area.source,
            cause=area.cause,
            amount=0,
            about=area.id,
        )
    )


def luck_taken(catalog: Catalog, area: Area) -> int:
    """Luck an area takes from whoever does not save themselves: what its power says, or what is usual."""
    zone = _zone_of(catalog, area)
    return zone_rules()[area.kind].luck if zone is None or not zone.luck_lost else zone.luck_lost


def _zone_of(catalog: Catalog, area: Area) -> Zone | None:
    """What the power that made an area says of it; None of an area that none made."""
    power = catalog.powers.get(area.cause)
    return None if power is None else power.zone


def _trap(desk: Desk, being: Being, area: Area, saved: int) -> None:
    """A trap rune closes: one Muscle roll, as many successes as its maker had, else held for an hour."""
    desk.do(AreaEnded(area=area.id))
    if saved >= area.amount:
        desk.say("trap.escaped", targets=(being.id,))
        return
    desk.say("trap.held", targets=(being.id,))
    desk.put(
        Effect(
            id="",
            kind=EffectKind.TRAPPED,
            bearer=being.id,
            source=area.source,
            cause=area.cause,
            amount=0,
        )
    )


SPECIAL: Mapping[str, Callable[[Desk, Being, Area, int], None]] = {AreaKind.TRAP_RUNE: _trap}
"""What kinds do that their content cannot say: takes the desk, the being, the area, successes against it."""


def toughness(scene: Scene, being: Being, kind: str) -> int:
    """Luck of a fixed loss that stone, iron or Firewalk keep; worn armour keeps none (ruling P9)."""
    kept = max(stone_armor(scene, being), default=0)
    if kind == AreaKind.FIRE:
        kept += sum(effect.amount for effect in scene.effects_on(being.id, EffectKind.FIREPROOF))
    return kept


def lose_turns(desk: Desk, being_id: str, turns: int) -> None:
    """A being loses turns: what is left of their own at once, any further ones as they come."""
    turn = desk.scene.turn
    if turn.whose == being_id:
        desk.do(ActionUsed(being=being_id, limit=turn.paces))
        desk.come_down(being_id)
        turns -= 1
    if turns > 0:
        known = desk.scene.effects_on(being_id, EffectKind.LOSES_TURNS)
        if known:
            desk.change(known[0], known[0].amount + turns)
        else:
            desk.put(Effect(id="", kind=EffectKind.LOSES_TURNS, bearer=being_id, amount=turns))


def poison(desk: Desk, being_id: str, by: str, power: str) -> None:
    """A being is poisoned: two dice less on everything for the scene; twice makes it no worse."""
    desk.say("poisoned", targets=(being_id,), power=power)
    if not desk.scene.has(being_id, EffectKind.POISONED):
        desk.put(
            Effect(
                id="", kind=EffectKind.POISONED, bearer=being_id, source=by, cause=power, amount=POISON_LOSS
            )
        )
