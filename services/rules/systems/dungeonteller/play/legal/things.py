"""The moves with things that a being may make now: wielding, taking, drinking, giving (Stuff)."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.grid import around
from services.rules.engine.play import Choice, FieldKind, LegalMove, MoveField
from services.rules.systems.dungeonteller.play.legal.offer import Offering
from services.rules.systems.dungeonteller.play.moves import Drink, Give, Take, Wedge, Wield
from services.rules.systems.dungeonteller.play.rules.doors import is_shut_door, moves_a_door
from services.rules.systems.dungeonteller.play.rules.gear import RULE
from services.rules.systems.dungeonteller.play.targeting import TOUCH


def things(make: Offering) -> Iterator[LegalMove]:
    """Wielding, taking, drinking, wedging doors and giving."""
    yield from _wielding(make)
    being, scene = make.being, make.scene
    lying = tuple(
        Choice(thing.id, thing.name)
        for thing in scene.things
        if thing.at is not None and make.fits(Take(actor=being.id, thing=thing.id))
    )
    if lying:
        field = MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=lying)
        yield make.offer("take", "Take", "Take what lies beside you.", "Stuff", (field,), kind="Take")
    drinks = tuple(
        Choice(thing.id, thing.name)
        for thing in scene.things
        if thing.holder == being.id and make.fits(Drink(actor=being.id, thing=thing.id))
    )
    if drinks:
        field = MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=drinks)
        yield make.offer("drink", "Drink", "It gives Luck back.", "Stuff", (field,), kind="Drink")
    yield from _doors(make)
    yield from _gifts(make)


def _wielding(make: Offering) -> Iterator[LegalMove]:
    """A weapon taken in hand, or all of them put away."""
    being = make.being
    arms = tuple(
        Choice(arm.id, arm.name)
        for arm in being.arms
        if not arm.natural and make.fits(Wield(actor=being.id, arms=(arm.id,)))
    )
    if arms:
        field = MoveField(
            name="arms",
            label="What?",
            kind=FieldKind.CHOICES,
            choices=arms,
            least=0,
            most=1,
            required=False,
        )
        yield make.offer("wield", "Take in hand", "Two hands, no more.", "Stuff", (field,), kind="Wield")


def _gifts(make: Offering) -> Iterator[LegalMove]:
    """A thing handed to whoever is within reach, or laid down."""
    being, scene = make.being, make.scene
    own = [(thing.id, thing.name) for thing in scene.things if thing.holder == being.id]
    own += [(arm.id, arm.name) for arm in being.arms if not arm.natural]
    carried = tuple(Choice(*pair) for pair in own if make.fits(Give(actor=being.id, thing=pair[0])))
    if carried:
        takers = (
            other
            for other in scene.beings
            if other.id != being.id
            and other.at in around(scene.field.grid, being.at, TOUCH)
            and make.fits(Give(actor=being.id, thing=carried[0].value, to=other.id))
        )
        fields = (
            MoveField(name="thing", label="What?", kind=FieldKind.CHOICE, choices=carried),
            MoveField(
                name="to",
                label="To whom?",
                kind=FieldKind.CHOICE,
                choices=(Choice("", "Lay it down"), *make.marked(takers, friends_first=True)),
                required=False,
            ),
        )
        yield make.offer("give", "Give", "Give a thing away, or lay it down.", "Stuff", fields, kind="Give")


def _doors(make: Offering) -> Iterator[LegalMove]:
    """Wedging doors within reach."""
    being, scene = make.being, make.scene
    names = [(job.id, job.name) for job in scene.jobs if moves_a_door(job) and not job.door]
    names += [(thing.id, thing.name) for thing in scene.things if is_shut_door(scene, thing)]
    doors = tuple(Choice(*pair) for pair in names if make.fits(Wedge(actor=being.id, door=pair[0])))
    if doors:
        field = MoveField(name="door", label="Which door?", kind=FieldKind.CHOICE, choices=doors)
        text = "With an iron spike, which is used up. Moving the door takes more Muscle then."
        yield make.offer("wedge", "Wedge a door", text, RULE, (field,), kind="Wedge")
