"""What simulations measure of Forgeborn: points and where they came from, tokens, Conflicts, Artifacts."""

from __future__ import annotations

from collections.abc import Iterator

from services.rules.engine.simulation.figures import Amount, Figure, FigureKind
from services.rules.systems.forgeborn.play.facts import ArtifactMade, Fact, Fought, HeroineJoined, Scored
from services.rules.systems.forgeborn.play.state import Game, Why

POINTS, RESOURCE, SECRET, SLAYER = "points", "resource_tokens", "secret_tokens", "slayer"
FOUGHT, CONFLICTS_WON, MADE, RECRUITED = "conflicts", "conflicts_won", "artifacts", "heroines"

FIGURES = (
    Figure(
        key=POINTS,
        name="Victory points",
        unit="points",
        text="Victory points at the end.",
        by_round=True,
    ),
    *(
        Figure(key=f"points_{why.value}", name=f"Points: {name}", unit="points", text=text)
        for why, name, text in (
            (Why.ARTIFACT, "own Artifacts", "Victory points for new Artifacts."),
            (Why.HELP, "help", "Victory points for help with others' Artifacts."),
            (Why.RUIN, "Ruins", "Victory points for Ruins that were explored."),
            (Why.DRAGON, "the Dragon", "Victory points for the Dragon's death."),
            (Why.FAVOUR, "the Prince's favour", "Victory points for the Prince's favour."),
        )
    ),
    Figure(key=RESOURCE, name="Resource tokens left", unit="tokens", text="Resource tokens at the end."),
    Figure(key=SECRET, name="Secret tokens left", unit="tokens", text="Secret tokens at the end."),
    Figure(
        key=SLAYER,
        name="Slew the Dragon",
        unit="runs",
        text="Whether the Smith's side slew the Dragon.",
        kind=FigureKind.SHARE,
    ),
    Figure(key=FOUGHT, name="Conflicts", unit="Conflicts", text="How many Conflicts were fought."),
    Figure(key=CONFLICTS_WON, name="Conflicts won", unit="Conflicts", text="How many of them were won."),
    Figure(key=MADE, name="Artifacts made", unit="Artifacts", text="How many Artifacts the Smith made."),
    Figure(key=RECRUITED, name="Heroines", unit="Heroines", text="How many Heroines the Smith recruited."),
)
"""Forgeborn's own figures."""


def measure(game: Game) -> Iterator[Amount]:
    """Yield how every Smith stands."""
    for smith in game.smiths:
        yield Amount(POINTS, smith.id, smith.points)
        yield Amount(RESOURCE, smith.id, smith.resource)
        yield Amount(SECRET, smith.id, smith.secret)
        yield Amount(SLAYER, smith.id, int(game.slayer == smith.id))


def count(game: Game, event: Fact) -> Iterator[Amount]:
    """Yield what an event adds; what a Heroine does is counted for her Smith."""
    match event:
        case Scored():
            yield Amount(f"points_{event.why.value}", event.smith, event.points)
        case Fought():
            smith = game.player_of(event.who)
            yield Amount(FOUGHT, smith, 1)
            yield Amount(CONFLICTS_WON, smith, int(event.won))
        case ArtifactMade():
            yield Amount(MADE, event.maker, 1)
        case HeroineJoined():
            yield Amount(RECRUITED, event.smith, 1)
