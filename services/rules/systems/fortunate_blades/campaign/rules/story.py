"""What the story is made of: the campaign clock, forces, places (The Campaign Clock; Forces; Q)."""

from __future__ import annotations

from services.rules.engine.play import GM_ONLY
from services.rules.engine.problem import Problems
from services.rules.engine.steps import Refused, refuse
from services.rules.systems.fortunate_blades.campaign.facts import (
    ClockTicked,
    ForceCame,
    ForceRevealed,
    ForceSeated,
    ForceSettled,
    GoalNoted,
    PlaceCame,
    PlaceChanged,
    PlaceRevealed,
    StageRevealed,
)
from services.rules.systems.fortunate_blades.campaign.moves import (
    AddForce,
    AddPlace,
    ChangePlace,
    RevealForce,
    RevealPlace,
    RevealStage,
    SeatForce,
    SettleForce,
    TickCause,
    TickClock,
)
from services.rules.systems.fortunate_blades.campaign.setup import next_id, word_problems
from services.rules.systems.fortunate_blades.campaign.state import (
    Force,
    Place,
    Stage,
)
from services.rules.systems.fortunate_blades.campaign.turn import (
    CampaignTurn,
    catalog_of,
    check_room,
    named,
)
from services.rules.systems.fortunate_blades.story_map.vocabulary import StoryDetail, StoryMagnitude


def clock(turn: CampaignTurn, move: TickClock | RevealStage) -> None:
    """A tick of the campaign clock, or word of what it has struck (Q1, Q2)."""
    doom, rules = turn.state.doom, catalog_of(turn).rules.campaign
    if doom is None:
        refuse("not_yours", "That is not theirs to do.", "The Campaign Clock", ("actor",), move.actor)
    if isinstance(move, RevealStage):
        struck = stages_struck(doom.stage(rules))
        if move.stage not in struck:
            text = "The clock has not struck that."
            refuse("not_struck", text, "The Campaign Clock", ("stage",), move.stage.value)
        turn.happen(StageRevealed(stage=move.stage, words=move.words))
        return
    if doom.ticks >= rules.clock:
        refuse("clock_full", "It is midnight already.", "The Campaign Clock", ("kind",), doom.ticks)
    if move.cause is TickCause.ACTION_ROLL and not doom.offered:
        text = "No action roll was so low."
        refuse("no_low_roll", text, "The Campaign Clock [P9]", ("cause",))
    turn.happen(ClockTicked(cause=move.cause, audience=GM_ONLY))


def stages_struck(stage: Stage | None) -> tuple[Stage, ...]:
    """What the clock has struck so far."""
    stages = tuple(Stage)
    return () if stage is None else stages[: stages.index(stage) + 1]


# Forces and places


def force(turn: CampaignTurn, move: AddForce | RevealForce | SettleForce | SeatForce) -> None:
    state = turn.state
    if isinstance(move, AddForce):
        check_room(len(state.forces))
        named(move.name, "name")
        wrong = tuple(word_problems(move.magnitude, StoryMagnitude, ("magnitude",)))
        if wrong:
            raise Refused(Problems(wrong))
        force = Force(
            id=next_id(state, "force", secret=move.secret),
            name=move.name.strip(),
            magnitude=move.magnitude,
            text=move.text,
            secret=move.secret,
        )
        turn.happen(ForceCame(force=force, id=force.id))
        if move.goal.strip():
            turn.happen(GoalNoted(force=force.id, goal=move.goal.strip(), audience=GM_ONLY))
        return
    if isinstance(move, SeatForce):
        _seat(turn, move)
        return
    found = state.force(move.force)
    wanted = isinstance(move, RevealForce)
    if found is None or found.secret is not wanted or found.settled:
        refuse("unknown_target", "There is no such force.", "Forces", ("force",), move.force)
    if wanted:
        turn.happen(ForceRevealed(was=found.id, force=next_id(state, "force")))
    else:
        turn.happen(ForceSettled(force=found.id))


def _seat(turn: CampaignTurn, move: SeatForce) -> None:
    """A force works from a place; who knows of both may know that."""
    found, place = turn.state.force(move.force), turn.state.place(move.place or "")
    if found is None or found.settled:
        refuse("unknown_target", "There is no such force.", "Forces", ("force",), move.force)
    if move.place and place is None:
        refuse("unknown_target", "There is no such place.", "The Map", ("place",), move.place)
    turn.happen(ForceSeated(force=found.id, place="" if place is None else place.id))


def place(turn: CampaignTurn, move: AddPlace | RevealPlace | ChangePlace) -> None:
    state = turn.state
    if isinstance(move, AddPlace):
        check_room(len(state.places))
        named(move.name, "name")
        name = next_id(state, "place", secret=move.secret)
        place = Place(id=name, name=move.name.strip(), text=move.text, secret=move.secret)
        turn.happen(PlaceCame(place=place, id=name))
        return
    found = state.place(move.place)
    if isinstance(move, ChangePlace):
        wrong = tuple(word_problems(move.detail, StoryDetail, ("detail",)))
        if wrong:
            raise Refused(Problems(wrong))
        if found is None:
            refuse("unknown_target", "There is no such place.", "The Map", ("place",), move.place)
        turn.happen(PlaceChanged(place=found.id, detail=move.detail, words=move.words.strip()))
        return
    if found is None or not found.secret:
        refuse("unknown_target", "There is no such place.", "The Map", ("place",), move.place)
    turn.happen(PlaceRevealed(was=found.id, place=next_id(state, "place")))
