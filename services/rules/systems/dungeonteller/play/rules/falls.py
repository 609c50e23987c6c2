"""Falling: one die for each pace, each success takes one Luck; Soft Landing saves (Hazards / Falling)."""

from __future__ import annotations

from services.rules.engine.explain import Explained, Part
from services.rules.engine.play import Roll
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.hazards import fall_loss
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.pools import as_roll, reaction
from services.rules.systems.dungeonteller.play.state import Being, Scene

SOFT_LANDING = "dungeonteller:power/soft-landing"


def fall_rolls(scene: Scene, catalog: Catalog, being: Being, paces: int) -> tuple[Roll, ...]:
    """Dice of a fall, and those of a soft landing for whoever can land softly."""
    if paces <= 0:
        return ()
    dice = Explained.of(Part(paces, f"{paces} paces deep", "Hazards / Falling [P8]"))
    return (as_roll(scene, "fall", being, "The fall", dice), *landing_rolls(scene, catalog, being))


def landing_rolls(scene: Scene, catalog: Catalog, being: Being) -> tuple[Roll, ...]:
    """Dice of a soft landing, for whoever has the power."""
    if SOFT_LANDING not in being.powers:
        return ()
    return (as_roll(scene, "land", being, "Soft Landing", reaction(scene, catalog, being, (Action.STUNT,))),)


def falls(desk: Desk, being_id: str, paces: int) -> Steps:
    """A being falls from a measured height: the dice of the fall say how much Luck it takes."""
    being = desk.being(being_id)
    yield from desk.roll(*fall_rolls(desk.scene, desk.catalog, being, paces))
    loses_to_fall(desk, being_id, desk.successes("fall"))


def loses_to_fall(desk: Desk, being_id: str, luck: int) -> None:
    """A fall takes Luck, less what a soft landing saves."""
    desk.come_down(being_id)
    desk.lose(being_id, fall_loss(luck, desk.successes("land")), "fall")
