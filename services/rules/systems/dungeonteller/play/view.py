"""What a being may know of a scene (Actions / Notice, Sneak; Secret Message; runes nobody sees).

The game master knows everything. A player knows what their own heroes know: hidden creatures only when one of
them has found them, secret rolls and notes never; under fog, of the place what the party has seen and of
beings those that it sees (`fog`). Whoever only watches knows what everybody knows.
"""

from __future__ import annotations

from services.rules.engine.frozen import replace
from services.rules.engine.identity import remembered
from services.rules.engine.play import EVERYONE, Viewer
from services.rules.systems.dungeonteller.play.facts import (
    ActionUsed,
    Arrived,
    Event,
    Hid,
    JobAdded,
    LuckChanged,
    PaceLimited,
    SpellWorkedUp,
    Suffered,
    ThingAdded,
)
from services.rules.systems.dungeonteller.play.fog import Known, sees_being, without_lock
from services.rules.systems.dungeonteller.play.state import (
    Being,
    Duration,
    Effect,
    Field,
    Job,
    Scene,
    Thing,
    Turn,
)

UNSEEN = "unseen"
"""The cause of a change of Luck, for those who may not know by whom."""

NEEDED_UNKNOWN = 0
"""Shown in place of the successes a job takes where the game master keeps them to themselves."""


def knows_being(scene: Scene, viewer: Viewer, being: Being) -> bool:
    """Whether a viewer knows of a being."""
    if viewer.gm or (being.hidden is None and not scene.field.fog):
        return True
    if not sees_being(scene, being, viewer.actors):
        return False
    if being.hidden is None:
        return True
    if not viewer.actors.isdisjoint((*being.found_by, being.id, being.leader)):
        return True
    own = (one for one in scene.beings if one.id in viewer.actors)
    return any(one.side is being.side for one in own)


def knows_thing(viewer: Viewer, thing: Thing, place: Known) -> bool:
    """Whether a viewer knows of a thing, with what the party knows of the place."""
    if viewer.gm:
        return True
    found = thing.hidden is None or not viewer.actors.isdisjoint(thing.found_by)
    return found and place.thing(thing)


def view(scene: Scene, viewer: Viewer) -> Scene:
    """The scene without everything that a viewer may not know."""
    if viewer.gm:
        return scene
    beings = tuple(
        being if being.hidden is None else _being(being, viewer)
        for being in scene.beings
        if knows_being(scene, viewer, being)
    )
    place = Known(scene.field, viewer.actors)
    known = {being.id for being in beings}
    unknown = {being.id for being in scene.beings} - known
    things = _things(scene.things, scene.field, viewer)
    if len(things) < len(scene.things):
        unknown |= {thing.id for thing in scene.things} - {thing.id for thing in things}
    if any(thing.holder in unknown for thing in things):
        things = tuple(thing for thing in things if thing.holder not in unknown)
    return replace(
        scene,
        beings=beings,
        field=place.field(),
        turn=_turn(scene.turn, known),
        effects=tuple(
            _effect(effect, unknown)
            for effect in scene.effects
            if viewer.may_know(effect.audience) and effect.bearer not in unknown
        ),
        areas=tuple(
            replace(
                area,
                squares=place.squares(area.squares),
                source="" if area.source in unknown else area.source,
                lasts=_lasts(area.lasts, unknown),
            )
            for area in scene.areas
            if viewer.may_know(area.audience) and area.bearer not in unknown and place.area(area)
        ),
        jobs=tuple(
            _job(job)
            for job in scene.jobs
            if viewer.may_know(job.audience) and place.job(job) and job.door not in unknown
        ),
        things=things,
        climbs=tuple(climb for climb in scene.climbs if climb.being in known),
        departed=tuple(gone for gone in scene.departed if gone.being.player in viewer.actors),
        counter=0,
        secrets=0,
    )


def _being(being: Being, viewer: Viewer) -> Being:
    """A being without what only those who found them may know: who else did."""
    if being.hidden is None:
        return being
    return replace(being, found_by=tuple(one for one in being.found_by if one in viewer.actors))


def _effect(effect: Effect, unknown: set[str]) -> Effect:
    """What lasts on a being, without all that tells of those a viewer does not know: its words name them."""
    if unknown.isdisjoint((effect.source, effect.about)):
        lasts = _lasts(effect.lasts, unknown)
        return effect if lasts is effect.lasts else replace(effect, lasts=lasts)
    return replace(
        effect,
        source="" if effect.source in unknown else effect.source,
        about="" if effect.about in unknown else effect.about,
        lasts=_lasts(effect.lasts, unknown),
        words="",
    )


def _lasts(lasts: Duration, unknown: set[str]) -> Duration:
    return replace(lasts, of="") if lasts.of in unknown else lasts


@remembered(16)
def _things(things: tuple[Thing, ...], field: Field, viewer: Viewer) -> tuple[Thing, ...]:
    """The things that a viewer knows of, as they know them."""
    place = Known(field, viewer.actors)
    return tuple(_thing(thing, viewer) for thing in things if knows_thing(viewer, thing, place))


def _thing(thing: Thing, viewer: Viewer) -> Thing:
    """A thing without its worth, which takes an appraisal, its lock, and those who found it."""
    found_by = tuple(one for one in thing.found_by if one in viewer.actors)
    open_thing = without_lock(thing)
    if (thing.value, thing.appraise, thing.found_by) == (None, 1, found_by):
        return open_thing
    return replace(open_thing, value=None, appraise=1, found_by=found_by)


def _job(job: Job) -> Job:
    """A job without the successes it takes, where these are not shown; once it is done, everybody knows."""
    if job.shown:
        return job
    return replace(job, shown=True) if job.total >= job.needed > 0 else replace(job, needed=NEEDED_UNKNOWN)


def _turn(turn: Turn, known: set[str]) -> Turn:
    """The turn order without those nobody knows of; while one of them moves, it is nobody's turn."""
    if turn.order and known.issuperset(turn.order):
        return turn
    order = tuple(one for one in turn.order if one in known)
    if turn.whose in known or not turn.order:
        place = order.index(turn.whose) if order else 0
        return replace(turn, order=order, place=place)
    return Turn(round=turn.round, order=("", *order))


def sees(event: Event, viewer: Viewer) -> Event | None:
    """An event as a viewer may know it; None for one that they may not know of."""
    if viewer.gm:
        return event
    if not viewer.may_know(event.audience):
        return None
    match event:
        case JobAdded():
            return replace(event, job=_job(event.job))
        case ThingAdded():
            return replace(event, thing=_thing(event.thing, viewer))
        case Arrived():
            return replace(event, being=_being(event.being, viewer))
        case Hid():
            return replace(event, found_by=tuple(one for one in event.found_by if one in viewer.actors))
        case LuckChanged():
            return _luck(event, viewer)
        case ActionUsed() | PaceLimited() | SpellWorkedUp() | Suffered():
            # The view of the turn says so; told by itself, it would name who slips out of sight with it.
            return None
        case _:
            return event


def _luck(event: LuckChanged, viewer: Viewer) -> LuckChanged:
    """Luck that changed, without its cause for those who may not know it, nor who else may."""
    if viewer.may_know(event.cause_for):
        return replace(event, cause_for=EVERYONE)
    return replace(event, cause=UNSEEN, words="", by="", cause_for=EVERYONE)
