"""Tricks on eyes and ears: disguises, thrown voices, phantoms. Seen through in `rules.tricks`."""

from __future__ import annotations

import re

from services.rules.engine.content import content_id
from services.rules.engine.problem import KeyPath, Problems
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.bestiary import Size, Tag
from services.rules.systems.dungeonteller.catalog import SLUG, called
from services.rules.systems.dungeonteller.play.conditions import human_like
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    tell,
    too_big,
)
from services.rules.systems.dungeonteller.play.rules.powers.targets import (
    one_being,
    own_side,
    square_for,
    words_problem,
)
from services.rules.systems.dungeonteller.play.secrecy import known_to_all
from services.rules.systems.dungeonteller.play.state import Being, Creature, Effect, EffectKind
from services.rules.systems.dungeonteller.play.targeting import target_problem

ARTICLE = re.compile(r"^(a|an|the)\s+", re.IGNORECASE)


@handles("disguise")
def disguise(desk: Desk, use: Use) -> Steps:
    """Disguise: look like another being of human shape for the scene; the successes are how well.

    Whom, a target or the words say; words that name a creature of the bestiary mean that creature. A better
    disguise takes the place of the old one.
    """
    refuse_if(words_problem(use))
    looks, about = use.move.words.strip() or "somebody else", ""
    if use.move.targets:
        model = one_being(use)
        unfit = _not_human(use, model.name, ("targets", 0)) if not human_like(use.catalog, model) else None
        unfit = unfit or too_big(use, model)
        looks, about = model.name, model.id
    else:
        unfit = _unfit_words(use, looks)
    refuse_if(unfit)
    # Whoever may not know of the model is not told whom the disguise is like.
    audience = own_side(use.being) & known_to_all(use.scene, (about,))
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    desk.lift_all(being.id, EffectKind.DISGUISED)
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.DISGUISED,
            bearer=being.id,
            amount=successes,
            about=about,
            words=looks,
            audience=audience,
        ),
    )
    targets = (being.id, about) if about else (being.id,)
    tell(desk, use, successes, targets=targets, words=looks, audience=audience)


def _unfit_words(use: Use, words: str) -> Problems | None:
    """That words name a creature nobody can be disguised as: "a wolf", "the hill giant"."""
    named = called(use.catalog.monsters, ARTICLE.sub("", words))
    if named is None:
        return None
    if not named.has(Tag.HUMANLIKE):
        return _not_human(use, named.name, ("words",))
    if named.size is Size.GIANT:
        text = f"{named.name} is too big for that."
        return use.problem("target_too_big", text, ("words",), named.size.value)
    return None


def _not_human(use: Use, name: str, path: KeyPath) -> Problems:
    return use.problem("target_not_humanlike", f"{name} has no human shape.", path, name)


@handles("voice-trick")
def throw_voice(desk: Desk, use: Use) -> Steps:
    """Voice Trick: sound like another being, from somewhere else in the scene."""
    refuse_if(words_problem(use))
    where = ""
    if use.move.squares:
        square = use.move.squares[0]
        if not use.scene.field.grid.holds(square):
            text = "The voice cannot come from outside the scene."
            raise use.refused("square_out_of_sight", text, ("squares", 0), (square.x, square.y))
        where = f" from {square.x}, {square.y}"
    sound = use.move.words.strip() or "somebody else"
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    desk.lift_all(being.id, EffectKind.VOICE)
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.VOICE,
            bearer=being.id,
            amount=successes,
            words=sound,
            audience=own_side(being),
        ),
    )
    tell(desk, use, successes, targets=(being.id,), words=f"{sound}{where}", audience=own_side(being))


@handles("phantom")
def make_phantom(desk: Desk, use: Use) -> Steps:
    """Phantom: a silent picture of a being smaller than a giant, moved by its maker within sight.

    It looks like the target, like a creature of the bestiary (`sort`), or like its maker.
    """
    model = _model(use)
    at = square_for(use, use.being.at)
    name, size, kind = model
    successes = yield from cast(desk, use)
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
        kind=kind,
        creature=Creature.PHANTOM,
        leader=being.id,
        size=size,
        sight=being.sight,
        move=being.move,
    )
    desk.arrive(phantom)
    audience = own_side(being)
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.NOTE,
            bearer=phantom.id,
            amount=successes,
            audience=audience,
        ),
    )
    tell(desk, use, successes, targets=(phantom.id,), number=successes + 1, audience=audience)


def _model(use: Use) -> tuple[str, Size, str]:
    """Name, size and kind of what a phantom looks like."""
    if use.move.targets:
        target = use.move.targets[0]
        refuse_if(target_problem(use.scene, use.being, target, ("targets", 0)))
        being = use.scene.being(target)
        assert being is not None
        refuse_if(too_big(use, being))
        return being.name, being.size, being.kind
    if not use.move.sort:
        refuse_if(too_big(use, use.being))
        return use.being.name, use.being.size, use.being.kind
    monster = use.catalog.monsters.get(use.move.sort) or use.catalog.monsters.get(
        content_id(SLUG, "monster", use.move.sort)
    )
    if monster is None:
        text = "There is no such creature."
        raise use.refused("kind_unknown", text, ("sort",), use.move.sort)
    if monster.size is Size.GIANT:
        text = f"{monster.name} is too big for that."
        raise use.refused("target_too_big", text, ("sort",), monster.size.value)
    return monster.name, monster.size, monster.id
