"""What the use of a power names: a sort, a square, a thing, a place for a new being."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from services.rules.engine.grid import Square
from services.rules.engine.play import EVERYONE, Audience
from services.rules.engine.problem import KeyPath, Problems
from services.rules.systems.dungeonteller.play.conditions import (
    fills_its_square,
    in_sight,
    solid_grid,
    taken_squares,
)
from services.rules.systems.dungeonteller.play.knowledge import in_the_way
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import Use, only_target
from services.rules.systems.dungeonteller.play.squares import free_square
from services.rules.systems.dungeonteller.play.state import Being, Scene, Side, Thing
from services.rules.systems.dungeonteller.play.targeting import target_problem, thing_called

MOST_WORDS = 300
"""Signs that may be said, asked or shown with a power."""


def own_side(being: Being) -> Audience:
    """Those who may know the truth about a trick: about a hero's all players, about others' the GM."""
    return EVERYONE if being.side is Side.HEROES else Audience(everyone=False, actors=(being.id,))


def may_know(being: Being, audience: Audience) -> bool:
    """Whether a being in the scene may know of something."""
    return audience.everyone or being.id in audience.actors or not being.hero


def sort_problem(use: Use, sorts: Iterable[str]) -> Problems | None:
    """That a power has no such sort."""
    known = tuple(sorts)
    if use.move.sort in known:
        return None
    text = f"Choose one: {', '.join(known)}."
    return use.problem("kind_unknown", text, ("sort",), use.move.sort, known)


def words_problem(use: Use, *, needed: bool = False) -> Problems | None:
    """That what is said is missing or too long."""
    found = len(use.move.words.strip())
    if needed and not found:
        return use.problem("words_missing", "Say something.", ("words",), use.move.words)
    if found > MOST_WORDS:
        text = f"Say it in {MOST_WORDS} signs."
        return use.problem("words_too_long", text, ("words",), found, MOST_WORDS)
    return None


def one_foe(use: Use, *, talker: bool = False) -> Being:
    """The one another being a power is aimed at.

    Args:
        use: The use of the power.
        talker: Whether it has to be a being who can talk: Talk 1 or more.
    """
    found = one_being(use)
    if found.id == use.being.id:
        raise use.refused("target_is_self", "Choose somebody else.", ("targets", 0), found.id)
    if found.out:
        raise use.refused("target_out", f"{found.name} is knocked out.", ("targets", 0), found.id)
    if talker and found.ratings.talk < 1:
        raise use.refused("needs_talk", f"{found.name} cannot talk.", ("targets", 0), found.ratings.talk, 1)
    return found


def one_being(use: Use) -> Being:
    """The one a being a power is aimed at, in sight."""
    target = only_target(use)
    refuse_if(target_problem(use.scene, use.being, target, ("targets", 0)))
    found = use.scene.being(target)
    assert found is not None
    return found


def thing_in_sight(use: Use, thing_id: str) -> Thing:
    """A thing the user knows of and sees: it lies in sight, or a being in sight has it."""
    path: KeyPath = ("targets", 0)
    thing = thing_called(use.scene, use.being, thing_id)
    if thing is None:
        raise use.refused("unknown_target", "There is nothing like that here.", path, thing_id)
    if thing.at is None:
        problem = target_problem(use.scene, use.being, thing.holder, path)
        if problem is not None:
            # Whoever is hidden is as unknown as what they carry.
            raise use.refused("unknown_target", "There is nothing like that here.", path, thing_id)
    elif not in_sight(use.scene, use.being.at, thing.at):
        raise use.refused("target_out_of_sight", f"The {thing.name} is out of sight.", path, thing_id)
    return thing


def square_for(use: Use, near: Square) -> Square:
    """Where something new appears: the square that was named, if it is free and in sight, or one nearby.

    Whoever the user does not know of does not make a square less free; where hidden beings take squares
    (ruling P36), what appears makes way for them.
    """
    taken = [*_standing(use, taken_squares(use.scene, use.being))]
    truly = [*_standing(use, in_the_way(use.scene, use.catalog, use.being))]
    grid = solid_grid(use.scene)
    if not use.move.squares:
        return free_square(grid, truly, near)
    path: KeyPath = ("squares", 0)
    wanted = use.move.squares[0]
    found = (wanted.x, wanted.y)
    if not grid.holds(wanted) or not in_sight(use.scene, use.being.at, wanted):
        raise use.refused("square_out_of_sight", "That place is out of sight.", path, found)
    if not grid.open(wanted) or any(being.at == wanted for being in taken):
        raise use.refused("square_not_free", "That place is not free.", path, found)
    return free_square(grid, truly, wanted)


def _standing(use: Use, squares: Collection[Square]) -> Iterator[Being]:
    """Whoever fills one of these squares, and the user themselves."""
    return (
        being
        for being in use.scene.beings
        if fills_its_square(being) and (being.at in squares or being.id == use.being.id)
    )


def unused_name(scene: Scene, name: str) -> str:
    """A name nobody in the scene has: the same with a number behind it where a being has it."""
    names = {being.name for being in scene.beings}
    if name not in names:
        return name
    return next(other for number in range(2, len(names) + 3) if (other := f"{name} {number}") not in names)
