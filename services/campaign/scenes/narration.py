"""What happened, in plain words, for each pair of eyes; and who may know who did it.

The words are written down when a move is made: nobody has to play a scene again to read its log, and what
was said stays said. Each event has an entry::

    {"gm": "...", "all": "..." or null, "by": {"chr_...": "..." or null}}

``all`` is for those who play nobody, ``by`` for the player of a character where that differs; null is for
those to whom nothing happened.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from services.campaign.scenes.history import VOID
from services.campaign.scenes.models import SceneMove
from services.campaign.scenes.participant import Participant
from services.rules.engine.play import EVERYONE, GM, AnyPlay, Audience, Viewer
from services.rules.engine.steps import Happened

Told = list[dict[str, Any]]

ANYBODY = "*"
"""Instead of those who may know of a move."""

GM_EYES = Viewer(gm=True)
NO_EYES = Viewer()


def tell(play: AnyPlay, happened: Iterable[Happened], cast: Sequence[str]) -> Told:
    """Put events into words.

    Args:
        play: the game.
        happened: the events in their order, and the states that they happened to.
        cast: ids of the players' characters.
    """
    told: Told = []
    for before, event in happened:

        def words(eyes: Viewer, state: Any = before, event: Any = event) -> str | None:
            seen = play.sees(event, eyes)
            return None if seen is None else play.tell(state, seen)

        told.append(_entry(words, cast))
    return told


def retold(told: Told, cast: Sequence[str]) -> Told:
    """Put the taking back of a move into words, for those who knew of the move."""

    def words(eyes: Viewer) -> str | None:
        if not any(sentence(entry, eyes) is not None for entry in told):
            return None
        before = " ".join(sentences(told, eyes))
        return f"Taken back: {before}" if before else "A move is taken back."

    return [_entry(words, cast)]


def remark(text: str) -> Told:
    """Put something into words for GMs alone."""
    return [{"gm": text, "all": None, "by": {}}]


def sentences(told: Told, eyes: Viewer) -> list[str]:
    """Return what these eyes may read."""
    return [text for entry in told if (text := sentence(entry, eyes))]


def is_open(play: AnyPlay, happened: Iterable[Happened]) -> bool:
    """Tell whether everybody at the table may know that something happened."""
    return any(event.audience.everyone and play.sees(event, NO_EYES) is not None for _, event in happened)


def knows(row: SceneMove, who: Participant) -> bool:
    """Tell whether a member may know that there was this move at all."""
    if who.gm or row.seq is not None:
        return True
    if row.kind == VOID:
        return False
    return row.account == who.account or any(sentence(entry, who.eyes) is not None for entry in row.told)


def hearers(told: Told) -> list[str]:
    """Return the characters whose players may know of a hidden move."""
    return sorted({actor for entry in told for actor, text in entry["by"].items() if text is not None})


def heard_by(told: Told, account: str) -> str:
    """Writes down who beside GMs may know of a hidden move, for a database to narrow by; ``knows`` decides.

    Args:
        told: what happened.
        account: who made the move.

    Returns:
        ``ANYBODY``, or ids of the account and of characters between blanks.
    """
    if any(entry["all"] is not None for entry in told):
        return ANYBODY
    return f" {' '.join((account, *hearers(told)))} "


def movers(play: AnyPlay, states: Sequence[Any], actor: str, cast: Sequence[str]) -> Audience:
    """Find out who may know that it was this actor who moved: whoever saw them before or sees them after.

    Args:
        play: the game.
        states: before and after the move.
        actor: who moved.
        cast: ids of the players' characters.
    """

    def sees(eyes: Viewer) -> bool:
        cards = (play.card(play.view(state, eyes)) for state in states)
        return any(actor == each.id for card in cards for each in card.actors)

    if actor == GM or sees(NO_EYES):
        return EVERYONE
    return Audience(
        everyone=False, actors=tuple(each for each in cast if sees(Viewer(actors=frozenset({each}))))
    )


def _entry(words: Callable[[Viewer], str | None], cast: Sequence[str]) -> dict[str, Any]:
    everyone = words(NO_EYES)
    own = {actor: words(Viewer(actors=frozenset({actor}))) for actor in cast}
    return {
        "gm": words(GM_EYES),
        "all": everyone,
        "by": {actor: text for actor, text in own.items() if text != everyone},
    }


def sentence(entry: Mapping[str, Any], eyes: Viewer) -> str | None:
    """Return what these eyes may read of one event; None where it did not happen as far as they can tell."""
    everyone: str | None = entry["all"]
    if eyes.gm:
        told: str | None = entry["gm"]
        return told
    own = [entry["by"].get(actor, everyone) for actor in sorted(eyes.actors)] or [everyone]
    known = [text for text in own if text is not None]
    # Who plays several characters is told what the one who knows more may know.
    return next((text for text in known if text != everyone), known[0] if known else None)
