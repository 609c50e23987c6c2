"""Powers that send somebody or something off: the floating eye, the flying steed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from services.rules.engine.problem import Problems
from services.rules.systems.dungeonteller.actions import Ratings
from services.rules.systems.dungeonteller.bestiary import Size
from services.rules.systems.dungeonteller.play.aiming import one, target_problem, touch_problem
from services.rules.systems.dungeonteller.play.conditions import is_friend, solid_grid, takes_turns
from services.rules.systems.dungeonteller.play.desk import Desk, Plan
from services.rules.systems.dungeonteller.play.events import Ended
from services.rules.systems.dungeonteller.play.moves import EndTurn
from services.rules.systems.dungeonteller.play.powers.choosing import sort_problem, words_problem
from services.rules.systems.dungeonteller.play.state import Being, Creature, EffectKind, Scene
from services.rules.systems.dungeonteller.play.turns import plan_end
from services.rules.systems.dungeonteller.play.use import Use, cast, failed, handles, lasting, tell, too_big

UNSEEN = {"seen": 0, "map": 1, "never_seen": 2}
"""Successes lost because the destination is not known well (More Wizard Powers / Create Hippogriff)."""

MILES = 25
"""Miles for each success left, and each of them takes an hour (ruling P24)."""


@handles("eye")
def send_eye(use: Use) -> Plan | Problems:
    """Eye: a floating eye beside its owner for one turn a success, with Sneak 3 and the owner's Notice.

    It has no Luck: one success destroys it, and no Luck cuts its Notice dice (ruling P23).
    """
    start = use.being.at
    if use.move.squares:
        wanted = use.move.squares[0]
        far = touch_problem(use.being, wanted, "That place", ("squares", 0))
        if far is not None:
            return one(far)
        if not solid_grid(use.scene).open(wanted):
            text = "That place is not free."
            return use.problem("square_not_free", text, ("squares", 0), (wanted.x, wanted.y))
        start = wanted

    def after(desk: Desk, successes: int) -> None:
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
        desk.set(eye)
        lasting(
            desk,
            use,
            EffectKind.NOTE,
            owner.id,
            successes,
            desk.for_turns(owner.id, successes),
            other=eye.id,
            words="sees through a floating eye",
        )
        turns = "1 turn" if successes == 1 else f"{successes} turns"
        tell(desk, use, f"{eye.name} floats off for {turns}.", successes, targets=(eye.id,))

    return cast(use, after)


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
def create_hippogriff(use: Use) -> Plan | Problems:
    """Create Hippogriff: the caster and one friend beside them fly off at once, and leave the scene.

    A place seen only on a map costs one success, one never seen costs two. The caster's turn ends with it.
    """
    problem = sort_problem(use, UNSEEN) or words_problem(use)
    if problem is not None:
        return problem
    riders = _riders(use)
    if isinstance(riders, Problems):
        return riders
    ending = plan_end(_without(use, riders), use.catalog, EndTurn(actor=use.being.id))
    if isinstance(ending, Problems):
        return ending

    def after(desk: Desk, successes: int) -> None:
        journey = Journey(max(0, successes - UNSEEN[use.move.sort]))
        if not journey.successes:
            failed(desk, use)
            return
        names = " and ".join((use.being.name, *(rider.name for rider in riders)))
        verb = "fly" if riders else "flies"
        goal = f" to {use.move.words.strip()}" if use.move.words.strip() else ""
        tell(
            desk,
            use,
            f"{names} {verb} off{goal}: up to {journey.miles} miles in {journey.hours} hours.",
            journey.successes,
            targets=(use.being.id, *(rider.id for rider in riders)),
        )
        for being in _leaving(desk.scene, (use.being, *riders)):
            if being.id != use.being.id:
                desk.vanish(being.id)
        ending.resolve(desk)
        desk.vanish(use.being.id)
        if not any(being.hero for being in desk.scene.beings):
            desk.do(Ended(why="All heroes have flown away."))

    return cast(use, after, also=ending.rolls)


def _riders(use: Use) -> tuple[Being, ...] | Problems:
    """The companion who comes along, if one does."""
    most = (use.power.figures.riders or 1) - 1
    if len(use.move.targets) > most:
        text = "The hippogriff carries one friend."
        return use.problem("too_many_targets", text, ("targets",), len(use.move.targets), most)
    found = []
    for index, target in enumerate(use.move.targets):
        problem = target_problem(use.scene, use.being, target, ("targets", index), touch=True)
        if problem is not None:
            return one(problem)
        rider = use.scene.being(target)
        assert rider is not None
        if rider.id == use.being.id or not is_friend(rider, use.being) or not takes_turns(rider):
            text = "Take a friend along."
            return use.problem("target_not_friend", text, ("targets", index), rider.id)
        unfit = too_big(use, rider)
        if unfit is not None:
            return unfit
        found.append(rider)
    return tuple(found)


def _leaving(scene: Scene, riders: tuple[Being, ...]) -> tuple[Being, ...]:
    """Everybody who is gone with the riders: their familiars come along, what their magic made goes out."""
    made = (Creature.FAMILIAR, Creature.EYE, Creature.PHANTOM, Creature.WISP)
    ids = {rider.id for rider in riders}
    return tuple(
        being for being in scene.beings if being.id in ids or (being.leader in ids and being.creature in made)
    )


def _without(use: Use, riders: tuple[Being, ...]) -> Scene:
    """The scene as it is when the companion is gone, to see whose turn comes next."""
    gone = {rider.id for rider in riders}
    turn = use.scene.turn
    order = tuple(one for one in turn.order if one not in gone)
    place = order.index(use.being.id) if use.being.id in order else 0
    return replace(
        use.scene,
        beings=tuple(being for being in use.scene.beings if being.id not in gone),
        turn=replace(turn, order=order, place=place),
    )
