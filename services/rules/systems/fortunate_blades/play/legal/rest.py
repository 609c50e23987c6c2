"""What heroes may do at rest, as buttons."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.buttons import button, choice_field, text_field
from services.rules.engine.play import LegalMove
from services.rules.systems.fortunate_blades.choices import LONGEST_NAME
from services.rules.systems.fortunate_blades.harm import lessened
from services.rules.systems.fortunate_blades.play.effects import harms_of
from services.rules.systems.fortunate_blades.play.legal.answers import told
from services.rules.systems.fortunate_blades.play.moves import (
    Loot,
    Prepare,
    Recover,
    TellStory,
    Train,
    Wait,
    WorkOn,
)
from services.rules.systems.fortunate_blades.play.state import Encounter, Hero
from services.rules.systems.fortunate_blades.terms import TrainingTrack

RULE = "Taking a Rest"


def legal(state: Encounter, hero: Hero) -> Iterator[LegalMove]:
    """The actions of a rest; none where it is not safe, or two have been taken."""
    who = hero.id
    if not state.may_rest(who):
        return
    yield button(Loot(actor=who), "loot", "Loot", "Search, or value and identify.", RULE, told())
    yield button(
        TellStory(actor=who), "story", "Tell a story", "1d4 and one more Fortune.", "Telling Stories", told()
    )
    for one in state.present():
        filled = state.slots(one.id)
        for effect, level, group in harms_of(state.effects, one.id):
            less = lessened(level, 1)
            if less is None or filled[less] < one.slots[less]:
                move = Recover(actor=who, target=one.id, harm=effect.id)
                label = f"Recover {one.name}'s {level.value} {group.value} Harm"
                yield button(move, f"recover:{effect.id}", label, "It is one level less.", RULE)
    tracks = ((each.value, each.value.capitalize()) for each in TrainingTrack)
    which = choice_field("track", "Which track?", tracks)
    train = Train(actor=who, track=TrainingTrack.TALENT)
    yield button(train, "train", "Train", "It fills a box.", RULE, which)
    event = text_field("event", "For what?", LONGEST_NAME)
    text = "One Fortune is laid by, for that alone."
    yield button(Prepare(actor=who, event=""), "prepare", "Prepare", text, "Preparation", event, told())
    for clock in state.projects():
        work = WorkOn(actor=who, clock=clock.id)
        yield button(work, f"project:{clock.id}", f"Work on {clock.name}", "Two ticks.", RULE)
    yield button(Wait(actor=who), "wait", "Do nothing", "Let an action go by.", RULE)
