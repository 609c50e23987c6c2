"""Powers of words and minds: tongues, duress, whispers, the sense for malice, lies that are believed."""

from __future__ import annotations

from services.rules.engine.grid import Square, distance
from services.rules.engine.play import Audience
from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.play.conditions import foes_of, is_friend, knows_of, takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.refusals import refuse_if
from services.rules.systems.dungeonteller.play.rules.power import (
    Use,
    cast,
    failed,
    handles,
    lasting,
    only_target,
    tell,
)
from services.rules.systems.dungeonteller.play.rules.powers.targets import one_foe, own_side, words_problem
from services.rules.systems.dungeonteller.play.state import Being, Duration, Effect, EffectKind, Scene, Until

COMPASS = {
    (0, -1): "north",
    (1, -1): "north-east",
    (1, 0): "east",
    (1, 1): "south-east",
    (0, 1): "south",
    (-1, 1): "south-west",
    (-1, 0): "west",
    (-1, -1): "north-west",
    (0, 0): "right here",
}


@handles("tongues")
def speak_in_tongues(desk: Desk, use: Use) -> Steps:
    """Tongues: for the scene, speak with everybody who can talk at all."""
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    being = use.being
    desk.lift_all(being.id, EffectKind.TONGUES)
    lasting(desk, use, Effect(id="", kind=EffectKind.TONGUES, bearer=being.id, amount=successes))
    tell(desk, use, successes, targets=(being.id,))


@handles("duress")
def put_under_duress(desk: Desk, use: Use) -> Steps:
    """Duress: Resist against Resist; who loses owes one true answer."""
    refuse_if(words_problem(use))
    target = one_foe(use, talker=True)
    question = use.move.words.strip()
    successes = yield from cast(desk, use, versus=target)
    if not successes:
        tell(desk, use, 0, targets=(target.id,))
        return
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.NOTE,
            bearer=target.id,
            amount=successes,
            lasts=Duration(Until.KEPT),
            words=question,
        ),
    )
    outcome = "" if question else "unasked"
    tell(desk, use, successes, targets=(target.id,), outcome=outcome, words=question)


@handles("deceive")
def deceive(desk: Desk, use: Use) -> Steps:
    """Deceive, the imp's spell: one foe who can talk believes one lie for the scene (ruling P14)."""
    refuse_if(words_problem(use))
    target = one_foe(use, talker=True)
    lie = use.move.words.strip() or "a lie"
    successes = yield from cast(desk, use, versus=target)
    if not successes:
        tell(desk, use, 0, targets=(target.id,))
        return
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.NOTE,
            bearer=target.id,
            amount=successes,
            words=lie,
            audience=own_side(use.being),
        ),
    )
    tell(desk, use, successes, targets=(target.id,), words=lie, audience=own_side(use.being))


@handles("secret-message")
def send_message(desk: Desk, use: Use) -> Steps:
    """Secret Message: a whisper that one friend in the scene hears, and nobody else."""
    refuse_if(words_problem(use, needed=True))
    target = only_target(use)
    friend = use.scene.being(target)
    if friend is None or not knows_of(use.being, friend):
        raise use.refused("unknown_target", "There is nobody like that here.", ("targets", 0), target)
    if friend.id == use.being.id or not is_friend(friend, use.being):
        raise use.refused("target_not_friend", "Choose a friend.", ("targets", 0), target)
    alone = Audience(everyone=False, actors=(use.being.id, friend.id))
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    tell(desk, use, successes)
    said = use.move.words.strip()
    tell(desk, use, successes, targets=(friend.id,), outcome="words", words=said, audience=alone)


@handles("sense-malice")
def sense_malice(desk: Desk, use: Use) -> Steps:
    """Sense Malice: presence, direction, distance and number of enemies within 20 paces, hidden ones too.

    Enemies are those of the other side, and whoever means harm without being a friend. What is learnt, the
    paladin alone is told.
    """
    successes = yield from cast(desk, use)
    being = use.being
    if not successes:
        failed(desk, use)
        return
    tell(desk, use, successes, targets=(being.id,))
    near = enemies_near(desk.scene, being, use.power.figures.radius or 0)
    alone = Audience(everyone=False, actors=(being.id,))
    for learnt, words in list(_senses(being, near).items())[:successes]:
        tell(
            desk,
            use,
            successes,
            targets=(being.id,),
            outcome=learnt,
            number=len(near),
            words=words,
            audience=alone,
        )


def enemies_near(scene: Scene, being: Being, paces: int) -> tuple[Being, ...]:
    """Enemies within so many paces, the nearest first, whether seen or not."""
    foes = {foe.id for foe in foes_of(scene, being)}
    found = [
        other
        for other in scene.beings
        if (other.id in foes or ("malicious" in other.tags and not is_friend(other, being)))
        and not other.out
        and takes_turns(other)
        and distance(being.at, other.at) <= paces
    ]
    return tuple(sorted(found, key=lambda other: distance(being.at, other.at)))


def _senses(being: Being, near: tuple[Being, ...]) -> dict[str, str]:
    """What there is to learn, in the order in which successes tell it, each with its words."""
    if not near:
        return {"nobody": ""}
    nearest: dict[str, int] = {}
    for other in near:
        nearest.setdefault(direction(being.at, other.at), distance(being.at, other.at))
    far = ", ".join(f"{paces} paces ({where})" for where, paces in nearest.items())
    return {"presence": "", "direction": ", ".join(nearest), "distance": far, "number": ""}


def direction(start: Square, goal: Square) -> str:
    """The nearest of the eight directions of the compass; up is north."""
    dx, dy = goal.x - start.x, goal.y - start.y
    steep, flat = abs(dy) > 2 * abs(dx), abs(dx) > 2 * abs(dy)
    step = (0 if steep else (dx > 0) - (dx < 0), 0 if flat else (dy > 0) - (dy < 0))
    return COMPASS[step]
