"""The game master's moves as offers, with everything in the scene to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services.rules.engine.buttons import squares_field
from services.rules.engine.ground.fog_by_hand import TEXTS, VERBS, offered
from services.rules.engine.ground.kinds import DoorState
from services.rules.engine.play import GM, Choice, FieldKind, LegalMove, MoveField
from services.rules.systems.dungeonteller.actions import Action
from services.rules.systems.dungeonteller.catalog import Catalog
from services.rules.systems.dungeonteller.play.doors import is_found
from services.rules.systems.dungeonteller.play.rules.doors import state_of
from services.rules.systems.dungeonteller.play.rules.master import DANGERS, MASTER
from services.rules.systems.dungeonteller.play.state import Area, Effect, Job, Scene, Side, Thing

MOST_OFFERED = 20
WHY = MoveField(name="why", label="Why?", kind=FieldKind.TEXT, required=False)


def offers(scene: Scene, catalog: Catalog) -> tuple[LegalMove, ...]:
    """What the game master may do now; nothing once the scene is over."""
    return () if scene.ended is not None else tuple(_offers(scene, catalog))


def _offers(scene: Scene, catalog: Catalog) -> Iterator[LegalMove]:
    yield from _words(scene)
    yield from _additions(scene, catalog)
    yield from _strikes(scene)
    yield from _decisions(scene)
    yield from _doors(scene)
    yield from _fog(scene)
    yield from _ends(scene)


def _words(scene: Scene) -> Iterator[LegalMove]:
    """What is said, noted and noticed in secret."""
    being = _choice("being", "Whom?", _everybody(scene))
    yield _offer("tell", "Say", "Tell everybody something.", _text("text", "What?"), kind="Tell")
    yield _offer("note", "Note", "For your eyes alone.", _text("text", "What?"), kind="Tell", secret=True)
    yield _offer(
        "look_out", "Secret Notice", "Roll somebody's Notice; nobody hears of it.", being, kind="LookOut"
    )


def _additions(scene: Scene, catalog: Catalog) -> Iterator[LegalMove]:
    """What is brought in: a job, a creature, a thing."""
    yield _job(scene, catalog)
    if len(scene.beings) < 2 * MOST_OFFERED:
        monsters = tuple(Choice(monster.id, monster.name) for monster in catalog.monsters)
        sides = tuple(Choice(side.value, side.value.capitalize()) for side in Side)
        yield _offer(
            "creature",
            "Bring a creature",
            "It comes in on the far side.",
            _choice("monster", "Which?", monsters),
            _choice("side", "On whose side?", sides),
            kind="AddCreature",
        )
    yield _offer(
        "thing",
        "Give a thing",
        "Treasure, or anything else.",
        _text("name", "What is it?"),
        _choice("holder", "Who gets it?", _everybody(scene)),
        _number("gold", "How much gold is it?", 0, MOST_OFFERED),
        kind="AddThing",
    )


def _job(scene: Scene, catalog: Catalog) -> LegalMove:
    """A job, under an id that none has yet."""
    taken = {job.id for job in scene.jobs}
    new = next(name for number in range(1, len(taken) + 2) if (name := f"job-{number}") not in taken)
    actions = tuple(Choice(action.value, action.label) for action in Action if action is not Action.MAGIC)
    return _offer(
        "job",
        "Set a job",
        "Something that takes successes.",
        _text("name", "What is to be done?"),
        _choice("action", "With which action?", actions),
        _number("needed", "How many successes?", 1, MOST_OFFERED),
        MoveField(
            name="situations",
            label="What is it about?",
            kind=FieldKind.CHOICES,
            choices=tuple(Choice(one.id, one.name) for one in catalog.situations),
            least=0,
            most=len(catalog.situations),
            required=False,
        ),
        kind="AddJob",
        id=new,
    )


def _strikes(scene: Scene) -> Iterator[LegalMove]:
    """The dangers that strike a being."""
    being = _choice("being", "Whom?", _everybody(scene))
    for danger, field in _dangers().items():
        text = "A danger strikes."
        yield _offer(
            f"danger:{danger}", danger.capitalize(), text, being, field, kind="Danger", danger=danger
        )


def _decisions(scene: Scene) -> Iterator[LegalMove]:
    """What is set by hand: who is out, how much Luck is left, who is seen."""
    text = "Everybody sees that you decided it."
    yield _offer(
        "place",
        "Decide: knocked out, or up again",
        text,
        _choice("being", "Whom?", _everybody(scene)),
        MoveField(name="out", label="Knocked out?", kind=FieldKind.FLAG),
        WHY,
        kind="Overrule",
    )
    lucky = tuple(Choice(one.id, one.name) for one in scene.beings if one.luck is not None)
    if lucky:
        yield _offer(
            "luck",
            "Decide: Luck",
            text,
            _choice("being", "Whose?", lucky),
            _number("luck", "How much?", 0, MOST_OFFERED),
            WHY,
            kind="Overrule",
        )
    hidden = tuple(Choice(one.id, one.name) for one in scene.beings if one.hidden is not None)
    if hidden:
        field = _choice("being", "Whom?", hidden)
        yield _offer("show", "Show", "Everybody sees it now.", field, kind="Overrule", shown=True)


def _doors(scene: Scene) -> Iterator[LegalMove]:
    """How each door of the stored map may be set."""
    for each in scene.field.map_doors:
        secret, now = not is_found(scene.field, each), state_of(scene, each)
        blocked = any(being.at in each.door.squares for being in scene.beings)
        for state, verb in DOOR_VERBS.items():
            if (state is not now or secret) and not (blocked and state is not DoorState.OPEN):
                text = "It is secret no more." if secret else f"It is {state.value} then."
                move = {"door": each.door.id, "state": state.value}
                offer_id = f"door:{each.door.id}:{state.value}"
                yield _offer(offer_id, f"{verb} {each.name}", text, kind="SetDoor", **move)


DOOR_VERBS = {DoorState.OPEN: "Open", DoorState.CLOSED: "Shut", DoorState.LOCKED: "Lock"}
"""What offers say for how a door is set."""


def _fog(scene: Scene) -> Iterator[LegalMove]:
    """What of the place may be uncovered, and what covered."""
    field = scene.field
    for known, squares in offered(field.known if field.fog else None, field.grid.ground):
        name, verb = VERBS[known].lower(), VERBS[known]
        which = squares_field("squares", "Which squares?", squares, 1, len(squares))
        yield _offer(f"fog:{name}", f"{verb} squares", TEXTS[known], which, kind="ChangeFog", known=known)


def _ends(scene: Scene) -> Iterator[LegalMove]:
    """What is taken out of the scene, and its end."""
    lasting: tuple[Effect | Area | Job | Thing, ...] = (
        *scene.effects,
        *scene.areas,
        *scene.jobs,
        *scene.things,
    )
    gone = (
        *(Choice(one.id, one.name) for one in scene.beings if not one.hero),
        *(Choice(one.id, one.id) for one in lasting),
    )
    if gone:
        yield _offer(
            "remove", "Take away", "Out of the scene.", _choice("what", "What?", gone), WHY, kind="Remove"
        )
    yield _offer("end", "End the scene", "It is over.", WHY, kind="EndScene")


def _everybody(scene: Scene) -> tuple[Choice, ...]:
    return tuple(Choice(being.id, being.name) for being in scene.beings)


def _dangers() -> dict[str, MoveField]:
    fields = {
        "fall": _number("feet", "How many feet?", 5, 100),
        "luck": _number("amount", "How much Luck?", 1, MOST_OFFERED),
        "poison": _number("amount", "How many successes save?", 1, 5),
        "fire": MoveField(name="why", label="What burns?", kind=FieldKind.TEXT, required=False),
    }
    return {danger: fields[danger] for danger in DANGERS}


def _offer(
    offer_id: str, label: str, text: str, *fields: MoveField, kind: str, danger: str = "", **move: Any
) -> LegalMove:
    if danger:
        move = {**move, "danger": danger}
    return LegalMove(
        id=offer_id,
        actor=GM,
        label=label,
        text=text,
        rule=MASTER,
        move={"kind": kind, "actor": GM, **move},
        fields=fields,
    )


def _choice(name: str, label: str, choices: tuple[Choice, ...]) -> MoveField:
    return MoveField(name=name, label=label, kind=FieldKind.CHOICE, choices=choices)


def _number(name: str, label: str, least: int, most: int) -> MoveField:
    return MoveField(name=name, label=label, kind=FieldKind.NUMBER, least=least, most=most)


def _text(name: str, label: str) -> MoveField:
    return MoveField(name=name, label=label, kind=FieldKind.TEXT)
