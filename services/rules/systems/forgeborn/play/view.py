"""What somebody may know: everything but how others have voted while votes are still out (P18)."""

from __future__ import annotations

from dataclasses import replace

from services.rules.engine.play import Viewer
from services.rules.systems.forgeborn.play.events import Event, VoteCast
from services.rules.systems.forgeborn.play.state import Game
from services.rules.systems.forgeborn.play.waiting import (
    Ballot,
    Voting,
)


def view(game: Game, viewer: Viewer) -> Game:
    """The game as a viewer may know it: of the votes their own, of the others' only that they are in."""
    question = game.question
    if viewer.gm or not isinstance(question, Voting):
        return game

    def shown(ballot: Ballot) -> Ballot:
        return ballot if ballot.smith in viewer.actors else replace(ballot, agree=None)

    return replace(game, question=replace(question, ballots=tuple(map(shown, question.ballots))))


def sees(event: Event, viewer: Viewer) -> Event | None:
    """An event as a viewer may know it."""
    if isinstance(event, VoteCast) and not viewer.gm and event.smith not in viewer.actors:
        return replace(event, agree=None)
    return event
