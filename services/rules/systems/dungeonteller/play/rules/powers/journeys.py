"""Powers that send a being or something off: the floating eye, the flying steed."""

from __future__ import annotations

from dataclasses import dataclass

from services.rules.engine.steps import Steps
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.conditions import is_friend, solid_grid, takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk
from services.rules.systems.dungeonteller.play.facts import Ended
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
from services.rules.systems.dungeonteller.play.rules.powers.targets import sort_problem, words_problem
from services.rules.systems.dungeonteller.play.rules.turn import end_turn
from services.rules.systems.dungeonteller.play.state import Being, Creature, Effect, EffectKind, Ending, Scene
from services.rules.systems.dungeonteller.play.targeting import target_problem, touch_problem

UNSEEN = {"seen": 0, "map": 1, "never_seen": 2}
"""Successes lost because the destination is not known well (More Wizard Powers / Create Hippogriff)."""

MADE_FOR_A_SCENE = (Creature.EYE, Creature.PHANTOM, Creature.WISP)
"""What never goes home with anybody."""

MILES = 25
"""Miles for each success left, and each of them takes an hour (ruling P24)."""


@handles("eye")
def send_eye(desk: Desk, use: Use) -> Steps:
    """Eye: a floating eye beside its owner for one turn a success, with Sneak 3 and the owner's Notice.

    It has no Luck: one success destroys it, and no Luck cuts its Notice dice (ruling P23).
    """
    start = use.being.at
    if use.move.squares:
        wanted = use.move.squares[0]
        refuse_if(touch_problem(use.being, wanted, "That place", ("squares", 0)))
        if not solid_grid(use.scene).open(wanted):
            text = "That place is not free."
            raise use.refused("square_not_free", text, ("squares", 0), (wanted.x, wanted.y))
        start = wanted
    successes = yield from cast(desk, use)
    if not successes:
        failed(desk, use)
        return
    owner = desk.being(use.being.id)
    eye = Being(
        id=desk.number("eye"),
        name=f"{owner.name}'s Eye",
        side=owner.side,
        ratings=Ratings(notice=owner.ratings.notice, sneak=use.power.figures.sneak or 0),
        at=start,
        height=1,
        creature=Creature.EYE,
        leader=owner.id,
        size=Size.SMALL,
        sight=owner.sight,
        move=owner.move,
    )
    desk.arrive(eye)
    lasting(
        desk,
        use,
        Effect(
            id="",
            kind=EffectKind.NOTE,
            bearer=owner.id,
            amount=successes,
            lasts=desk.for_turns(owner.id, successes),
            about=eye.id,
        ),
    )
    tell(desk, use, successes, targets=(eye.id,))


@dataclass(frozen=True, slots=True)
class Journey:
    """How far a hippogriff carries its riders: 25 miles an hour, one hour for each success left."""

    successes: int

    @property
    def miles(self) -> int:
        """Miles, if the destination is as far."""
        return MILES * self.successes

    @property
    def hours(self) -> int:
        """Hours that takes (ruling P24)."""
        return self.successes


@handles("create-hippogriff")
def create_hippogriff(desk: Desk, use: Use) -> Steps:
    """Create Hippogriff: the caster and one friend beside them fly off at once, and leave the scene.

    A place seen only on a map costs one success, one never seen costs two. The caster's turn ends with it.
    """
    refuse_if(sort_problem(use, UNSEEN) or words_problem(use))
    riders = _riders(use)
    successes = yield from cast(desk, use)
    journey = Journey(max(0, successes - UNSEEN[use.move.sort]))
    if not journey.successes:
        failed(desk, use)
        return
    goal = f" to {use.move.words.strip()}" if use.move.words.strip() else ""
    ids = (use.being.id, *(rider.id for rider in riders))
    outcome = "together" if riders else ""
    tell(desk, use, journey.successes, targets=ids, outcome=outcome, number=journey.miles, words=goal)
    for being in _leaving(desk.scene, (use.being, *riders)):
        if being.id != use.being.id:
            desk.vanish(being.id, home=being.creature not in MADE_FOR_A_SCENE)
    yield from end_turn(desk, use.being.id)
    desk.vanish(use.being.id, home=True)
    if not any(being.hero for being in desk.scene.beings):
        desk.do(Ended(why=Ending.FLOWN_AWAY))


def _riders(use: Use) -> tuple[Being, ...]:
    """The companion who comes along, if one does."""
    most = (use.power.figures.riders or 1) - 1
    if len(use.move.targets) > most:
        text = "The hippogriff carries one friend."
        raise use.refused("too_many_targets", text, ("targets",), len(use.move.targets), most)
    found = []
    for index, target in enumerate(use.move.targets):
        refuse_if(target_problem(use.scene, use.being, target, ("targets", index), touch=True))
        rider = use.scene.being(target)
        assert rider is not None
        if rider.id == use.being.id or not is_friend(rider, use.being) or not takes_turns(rider):
            text = "Take a friend along."
            raise use.refused("target_not_friend", text, ("targets", index), rider.id)
        refuse_if(too_big(use, rider))
        found.append(rider)
    return tuple(found)


def _leaving(scene: Scene, riders: tuple[Being, ...]) -> tuple[Being, ...]:
    """Everybody who is gone with the riders: their familiars come along, what their magic made goes out."""
    made = (Creature.FAMILIAR, *MADE_FOR_A_SCENE)
    ids = {rider.id for rider in riders}
    return tuple(
        being for being in scene.beings if being.id in ids or (being.leader in ids and being.creature in made)
    )
