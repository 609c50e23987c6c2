"""Gear in use: which rolls it serves, and that what is good for one roll is used up by it (Stuff / Gear)."""

from __future__ import annotations

from collections.abc import Iterable

from services.rules.engine.problem import RuleProblem
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.bonuses import Bonus
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.checks import Moment, fits
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import ThingGone, ThingSpent
from services.rules.systems.dungeonteller.play.state import Being, Scene, Thing

RULE = "Stuff / Gear"


def carried(scene: Scene, being: Being) -> tuple[str, ...]:
    """Content ids of what a being carries, each once."""
    return tuple(dict.fromkeys(thing.item for thing in scene.things if thing.holder == being.id))


def served(catalog: Catalog, item: str, action: Action, moment: Moment) -> tuple[Bonus, ...]:
    """The dice that gear adds to a roll; none where it serves something else."""
    gear = catalog.gear.get(item)
    if gear is None:
        return ()
    return tuple(bonus for bonus in gear.bonuses if bonus.dice > 0 and fits(bonus, action, moment))


def gear_problem(
    scene: Scene, catalog: Catalog, being: Being, gear: Iterable[str], action: Action, moment: Moment
) -> RuleProblem | None:
    """Why gear cannot be used for a roll: nobody has it, or it serves something else."""
    owned = carried(scene, being)
    for index, item in enumerate(gear):
        if item not in owned:
            text = f"{being.name} does not have that."
            return RuleProblem("item_not_owned", text, "Stuff", ("gear", index), item, owned)
        if not served(catalog, item, action, moment):
            text = "That does not help here."
            serving = tuple(one for one in owned if served(catalog, one, action, moment))
            return RuleProblem("gear_does_not_help", text, RULE, ("gear", index), item, serving)
    return None


def use_up(desk: Desk, being_id: str, gear: Iterable[str], action: Action, moment: Moment) -> None:
    """Gear has served a roll: what is good for one is used up."""
    for item in dict.fromkeys(gear):
        if any(bonus.once for bonus in served(desk.catalog, item, action, moment)):
            use_one(desk, being_id, item)


def use_one(desk: Desk, being_id: str, item: str) -> None:
    """One thing of a kind is used up."""
    spend(desk, next(one for one in desk.scene.things if one.holder == being_id and one.item == item))


def spend(desk: Desk, thing: Thing) -> None:
    """One of a thing is used up; the last one is gone."""
    desk.do(ThingSpent(thing=thing.id, left=thing.count - 1))
    if thing.count <= 1:
        desk.do(ThingGone(thing=thing.id))
