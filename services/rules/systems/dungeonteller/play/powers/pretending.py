"""Tricks on eyes and ears: disguises, thrown voices, phantoms. How others see through them: `play.seeing`."""

from __future__ import annotations

from services.rules.engine.content import content_id
from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.catalog import SLUG
from services.rules.systems.dungeonteller.play.aiming import one, target_problem
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.powers.choosing import (
    one_being,
    own_side,
    square_for,
    words_problem,
)
from services.rules.systems.dungeonteller.play.state import Being, Creature, EffectKind
from services.rules.systems.dungeonteller.play.use import Use, cast, failed, handles, lasting, tell, too_big


@handles("disguise")
def disguise(use: Use) -> Plan | Problems:
    """Disguise: look like somebody else of human shape for the scene; the successes are how well.

    Whom, a target or the words say. A better disguise takes the place of the old one.
    """
    problem = words_problem(use)
    if problem is not None:
        return problem
    looks = use.move.words.strip() or "somebody else"
    if use.move.targets:
        model = one_being(use)
        if isinstance(model, Problems):
            return model
        unfit = too_big(use, model)
        if unfit is not None:
            return unfit
        looks = model.name

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            failed(desk, use)
            return
        being = use.being
        desk.lift_all(being.id, EffectKind.DISGUISED)
        lasting(
            desk,
            use,
            EffectKind.DISGUISED,
            being.id,
            successes,
            words=f"looks like {looks}",
            audience=own_side(being),
        )
        text = f"{being.name} looks like {looks} now. It takes Notice {successes} to see through it."
        tell(desk, use, text, successes, targets=(being.id,), audience=own_side(being))

    return cast(use, after)


@handles("voice-trick")
def throw_voice(use: Use) -> Plan | Problems:
    """Voice Trick: sound like somebody else, from somewhere else in the scene."""
    problem = words_problem(use)
    if problem is not None:
        return problem
    where = ""
    if use.move.squares:
        square = use.move.squares[0]
        if not use.scene.field.grid.holds(square):
            text = "The voice cannot come from outside the scene."
            return use.problem("square_out_of_sight", text, ("squares", 0), (square.x, square.y))
        where = f" from {square.x}, {square.y}"
    sound = use.move.words.strip() or "somebody else"

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            failed(desk, use)
            return
        being = use.being
        desk.lift_all(being.id, EffectKind.VOICE)
        words = f"sounds like {sound}{where}"
        lasting(desk, use, EffectKind.VOICE, being.id, successes, words=words, audience=own_side(being))
        text = f"{being.name} {words}. Whoever doubts it needs more than {successes} with Notice."
        tell(desk, use, text, successes, targets=(being.id,), audience=own_side(being))

    return cast(use, after)


@handles("phantom")
def make_phantom(use: Use) -> Plan | Problems:
    """Phantom: a silent picture of somebody smaller than a giant, moved by its maker within sight.

    It looks like the target, like a creature of the bestiary (`sort`), or like its maker.
    """
    model = _model(use)
    if isinstance(model, Problems):
        return model
    at = square_for(use, use.being.at)
    if isinstance(at, Problems):
        return at
    name, size = model

    def after(desk: Desk, successes: int) -> None:
        if not successes:
            failed(desk, use)
            return
        being = use.being
        phantom = Being(
            id=desk.number("phantom"),
            name=name,
            side=being.side,
            ratings=Ratings(),
            at=at,
            creature=Creature.PHANTOM,
            leader=being.id,
            size=size,
            sight=being.sight,
            move=being.move,
        )
        desk.set(phantom)
        lasting(
            desk,
            use,
            EffectKind.NOTE,
            phantom.id,
            successes,
            words="is only a picture",
            audience=own_side(being),
        )
        text = f"A silent {name} stands there. It takes Notice {successes + 1} to see through it."
        tell(desk, use, text, successes, targets=(phantom.id,), audience=own_side(being))

    return cast(use, after)


def _model(use: Use) -> tuple[str, Size] | Problems:
    """Name and size of what a phantom looks like."""
    if use.move.targets:
        target = use.move.targets[0]
        problem = target_problem(use.scene, use.being, target, ("targets", 0))
        if problem is not None:
            return one(problem)
        being = use.scene.being(target)
        assert being is not None
        return too_big(use, being) or (being.name, being.size)
    if not use.move.sort:
        return too_big(use, use.being) or (use.being.name, use.being.size)
    monster = use.catalog.monsters.get(use.move.sort) or use.catalog.monsters.get(
        content_id(SLUG, "monster", use.move.sort)
    )
    if monster is None:
        text = "There is no such creature."
        return use.problem("kind_unknown", text, ("sort",), use.move.sort)
    if monster.size is Size.GIANT:
        text = f"{monster.name} is too big for that."
        return use.problem("target_too_big", text, ("sort",), monster.size.value)
    return monster.name, monster.size
