"""What play may add to a story map or change on it, as far as that does not depend on where things lie.

The refusals of all growth are here too. What is drawn on the sheet (places, ways, terrain) is laid out by the
map service. (Fortunate Blades, "The Map", "Places", "Forces".)
"""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.chance import Chance
from services.rules.engine.problem import Finding, RuleProblem
from services.rules.systems.fortunate_blades.story_map import forces
from services.rules.systems.fortunate_blades.story_map.model import (
    StoryForce,
    StoryMap,
    StoryNote,
    StoryPlace,
)
from services.rules.systems.fortunate_blades.story_map.operations import (
    StoryAddForce,
    StoryChangePlace,
    StoryNotePlace,
    StoryRemoveForce,
    StoryRevealForce,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryBringer, StoryStanding

LONGEST_NAME = 40
LONGEST_TEXT = 400
MOST_PLACES = 120
MOST_FORCES = 60
MOST_PATHS = 240
MOST_TERRAINS = 80
MOST_NOTES = 40
MOST_POINTS = 200
MOST_LINES = 8
"""Facts or agents of one force."""


class Refused(Exception):
    """One or more rules are broken; whoever carries an operation out answers with the problems."""

    def __init__(self, *problems: RuleProblem) -> None:
        super().__init__()
        self.problems = problems


def note_place(model: StoryMap, growth: StoryNotePlace) -> StoryMap:
    """The map with a note about a place."""
    place = place_of(model, growth.place)
    return noted(model, place, checked_text(growth.text, "text", least=1), growth.secret)


def change_place(model: StoryMap, growth: StoryChangePlace) -> StoryMap:
    """The map with another detail of a place, and a note about it if there is one."""
    changed = replace(place_of(model, growth.place), detail=growth.detail)
    return noted(with_place(model, changed), changed, checked_text(growth.note, "note"), False)


def reveal_force(model: StoryMap, growth: StoryRevealForce) -> StoryMap:
    """The map after players heard of a secret force."""
    force = force_of(model, growth.force)
    if force.standing is not StoryStanding.SECRET:
        raise refusal("story_force_not_secret", "Players know of this force.", "force", force.id)
    return with_force(model, replace(force, standing=StoryStanding.KNOWN))


def remove_force(model: StoryMap, growth: StoryRemoveForce) -> StoryMap:
    """The map after a force went out of the story."""
    force = force_of(model, growth.force)
    if force.standing is StoryStanding.SETTLED:
        raise refusal("story_force_settled", "This force is done with already.", "force", force.id)
    ending = checked_text(growth.ending, "ending")
    return with_force(model, replace(force, standing=StoryStanding.SETTLED, ending=ending))


def add_force(model: StoryMap, growth: StoryAddForce, id: str, chance: Chance) -> StoryMap:
    """The map with one more force; what was left open is drawn.

    Args:
        model: The map so far.
        growth: What is wanted.
        id: Of the force.
        chance: Of the force.
    """
    check_room(len(model.forces), MOST_FORCES, "forces")
    taken = {force.name for force in model.forces}
    name = checked_name(growth.name, taken, "name")
    if growth.peril and growth.known:
        message = "The force behind the peril is the game master's secret."
        raise refusal("story_peril_is_secret", message, "known", True, False)
    for what, lines in (("facts", growth.facts), ("agents", growth.agents)):
        if len(lines) > MOST_LINES:
            raise refusal("story_too_many", f"At most {MOST_LINES}.", what, len(lines), MOST_LINES)
    facts = tuple(checked_text(line, "facts", least=1) for line in growth.facts)
    agents = tuple(checked_text(line, "agents", least=1) for line in growth.agents)
    goal = checked_text(growth.goal, "goal")
    if growth.seat:
        place_of(model, growth.seat, "seat")
    older = [force.sort for force in model.forces]
    sort = growth.sort or forces.choose_sort(
        model.scale, model.tones, older, peril=growth.peril, stream=chance
    )
    drawn = forces.draw_force(
        sort,
        taken,
        chance,
        id=id,
        standing=StoryStanding.KNOWN if growth.known else StoryStanding.SECRET,
        brought=StoryBringer.PLAY,
        peril=growth.peril,
        seats=(),
    )
    force = replace(
        drawn,
        name=name or drawn.name,
        magnitude=growth.magnitude or drawn.magnitude,
        involvement=growth.involvement or drawn.involvement,
        ethic=growth.ethic or drawn.ethic,
        facts=facts or drawn.facts,
        goal=goal or drawn.goal,
        agents=agents or drawn.agents,
        seat=growth.seat,
    )
    return replace(model, forces=(*model.forces, force))


def place_of(model: StoryMap, id: str, what: str = "place") -> StoryPlace:
    """The place with an id.

    Raises:
        Refused: There is none.
    """
    place = model.place(id)
    if place is None:
        raise refusal("story_no_such_place", "There is no such place.", what, id)
    return place


def force_of(model: StoryMap, id: str) -> StoryForce:
    """The force with an id.

    Raises:
        Refused: There is none.
    """
    force = model.force(id)
    if force is None:
        raise refusal("story_no_such_force", "There is no such force.", "force", id)
    return force


def with_place(model: StoryMap, place: StoryPlace) -> StoryMap:
    """The map with a place as it is now."""
    return replace(model, places=tuple(place if one.id == place.id else one for one in model.places))


def with_force(model: StoryMap, force: StoryForce) -> StoryMap:
    """The map with a force as it is now."""
    return replace(model, forces=tuple(force if one.id == force.id else one for one in model.forces))


def noted(model: StoryMap, place: StoryPlace, text: str, secret: bool) -> StoryMap:
    """The map with a further note about a place; the same map where the note is empty."""
    if not text:
        return model
    check_room(len(place.notes), MOST_NOTES, "notes")
    return with_place(model, replace(place, notes=(*place.notes, StoryNote(text, secret))))


def check_room(found: int, most: int, what: str) -> None:
    """Raises `Refused` where a map holds as many things of a sort as it may."""
    if found >= most:
        raise refusal("story_too_many", f"A story map holds at most {most} {what}.", what, found, most)


def checked_name(name: str, taken: set[str], what: str) -> str:
    """A name without the spaces around it; empty for a made one.

    Raises:
        Refused: It is not a line of printable characters, or something else has it.
    """
    text = name.strip()
    if len(text) > LONGEST_NAME or not text.isprintable():
        message = f"A name is one line of at most {LONGEST_NAME} characters."
        raise refusal("story_name_malformed", message, what, len(text), LONGEST_NAME)
    if text and text in taken:
        raise refusal("story_name_taken", "Something else is called so.", what, text)
    return text


def checked_text(text: str, what: str, *, least: int = 0) -> str:
    """A text without the spaces around it.

    Raises:
        Refused: It is too long, too short, or not printable.
    """
    text = text.strip()
    plain = text.replace("\n", " ").isprintable()
    if not least <= len(text) <= LONGEST_TEXT or not plain:
        message = f"A text has {least} to {LONGEST_TEXT} characters."
        raise refusal("story_text_malformed", message, what, len(text), (least, LONGEST_TEXT))
    return text


def refusal(code: str, message: str, what: str, found: Finding = None, allowed: Finding = None) -> Refused:
    """A broken rule of growth, about one part of what was asked for."""
    return Refused(RuleProblem(code, message, "play", (what,), found, allowed))
