"""Who has won: the final order by victory points, equal points sharing a place (H4)."""

from __future__ import annotations

from services.rules.engine.wording import counted, listed
from services.rules.systems.forgeborn.play.state import Ending, Game, Rank


def ranked(game: Game) -> tuple[Rank, ...]:
    """The order as it stands, the best first; those who share a place in seat order."""
    best_first = sorted(game.smiths, key=lambda smith: -smith.points)
    return tuple(
        Rank(
            smith=smith.id,
            rank=1 + sum(other.points > smith.points for other in game.smiths),
            points=smith.points,
        )
        for smith in best_first
    )


def winners(ranking: tuple[Rank, ...]) -> tuple[str, ...]:
    """Ids of those on the first place; several share the victory."""
    return tuple(rank.smith for rank in ranking if rank.rank == 1)


def order_text(game: Game, ranking: tuple[Rank, ...]) -> str:
    """The final order in a sentence or two."""
    names = {smith.id: smith.name for smith in game.smiths}
    first = [names[one] for one in winners(ranking)]
    won = f"{first[0]} wins" if len(first) == 1 else f"{listed(first)} share the victory"
    places = "; ".join(f"{rank.rank}. {names[rank.smith]}, {in_points(rank.points)}" for rank in ranking)
    return f"{won}. {places}."


def ending_text(game: Game, ending: Ending, reason: str, ranking: tuple[Rank, ...]) -> str:
    """Why a game is over, and its final order."""
    limit = game.settings.round_limit
    match ending:
        case Ending.DRAGON:
            why = "The Dragon is dead, and everybody else had one last turn."
        case Ending.ROUNDS:
            why = f"{limit} round{'s' if limit > 1 else ''} are played, and the Dragon lives."
        case Ending.CALLED_OFF:
            said = reason or "The game master called the game off"
            why = said if said.endswith((".", "!", "?")) else f"{said}."
    return f"{why} {order_text(game, ranking)}"


def in_points(points: int) -> str:
    """A number of victory points in words."""
    return counted(points, "point")
