"""Tracks and rests, as the graph shows them."""

from collections.abc import Sequence

import strawberry

from services.rules.engine.play import Choice
from services.rules.engine.tracks import AnyTracks, RestAction, TrackKind, TrackState


@strawberry.type(description="One of several kinds.")
class TrackEntry:
    """What a rise of a track names."""

    key: str = strawberry.field(description="Stable within the track: what `moveCharacterTracks` takes.")
    label: str = strawberry.field(description="The word for people.")

    @classmethod
    def of(cls, choice: Choice) -> "TrackEntry":
        """Show a choice."""
        return cls(key=choice.value, label=choice.label)


@strawberry.type(description="A track of a game's characters that moves outside scenes too.")
class GameTrack:
    """Move it with ``moveCharacterTracks``."""

    key: str = strawberry.field(description="Stable within the game: `luck`.")
    label: str = strawberry.field(description="The game's word for it.")
    unit: str = strawberry.field(description="What it counts, of one.")
    at_least: str = strawberry.field(description="What it means to stand at its least, in plain words.")
    at_most: str = strawberry.field(description="What it means to stand at its most, in plain words.")
    source: str = strawberry.field(description="The section of the book.")
    entries: list[TrackEntry] = strawberry.field(
        description="The kinds of what it counts, of which each rise names one; none where all are alike."
    )

    @classmethod
    def of(cls, kind: TrackKind) -> "GameTrack":
        """Show a track."""
        return cls(
            key=kind.key,
            label=kind.label,
            unit=kind.unit,
            at_least=kind.at_least,
            at_most=kind.at_most,
            source=kind.source,
            entries=[TrackEntry.of(each) for each in kind.entries],
        )


@strawberry.type(description="A rest that the characters of a game can take outside scenes.")
class GameRest:
    """Take it with ``restCharacter``."""

    key: str = strawberry.field(description="Stable within the game: `short`.")
    label: str = strawberry.field(description="What a heading says.")
    text: str = strawberry.field(description="What it restores, in plain words.")
    source: str = strawberry.field(description="The section of the book.")
    most_actions: int = strawberry.field(
        description="How many actions it has, of those that `Character.rests` lists; 0 for none."
    )


def game_rests(tracks: AnyTracks) -> list[GameRest]:
    """Show the rests of a game, the slightest first."""
    return [
        GameRest(
            key=each.rest.key,
            label=each.rest.name,
            text=each.rest.text,
            source=each.rest.source,
            most_actions=each.most_actions,
        )
        for each in tracks.rests
    ]


@strawberry.type(description="Where a track of a character stands just now.")
class CharacterTrack:
    """With what running scenes have changed so far, like the sheet."""

    key: str = strawberry.field(description="Stable within the game.")
    label: str = strawberry.field(description="The game's word for it.")
    current: int = strawberry.field(description="Where it stands.")
    least: int = strawberry.field(description="The least it can stand at.")
    most: int = strawberry.field(description="The most it can stand at.")
    full: int = strawberry.field(description="Where it stands when nothing has moved it.")


def character_tracks(tracks: AnyTracks, states: Sequence[TrackState]) -> list[CharacterTrack]:
    """Show where the tracks of a character stand."""
    labels = {kind.key: kind.label for kind in tracks.kinds}
    return [
        CharacterTrack(
            key=each.key,
            label=labels[each.key],
            current=each.current,
            least=each.least,
            most=each.most,
            full=each.full,
        )
        for each in states
    ]


@strawberry.type(description="Something that a character can do at a rest.")
class RestActionOffer:
    """Send its key to ``restCharacter``."""

    key: str = strawberry.field(description="Stable within the rest.")
    label: str = strawberry.field(description="What a button says.")
    text: str = strawberry.field(description="What it does, in plain words.")
    choices: list[TrackEntry] = strawberry.field(
        description="One of them is to be chosen; none where there is nothing to choose."
    )
    words: str = strawberry.field(description="What to say in words; empty where there is nothing to say.")
    words_needed: bool = strawberry.field(description="Whether it is not whole without words.")

    @classmethod
    def of(cls, action: RestAction) -> "RestActionOffer":
        """Show an action."""
        return cls(
            key=action.key,
            label=action.label,
            text=action.text,
            choices=[TrackEntry.of(each) for each in action.choices],
            words=action.words,
            words_needed=action.words_needed,
        )


@strawberry.type(description="A rest that a character can take outside scenes, with what it can do at it.")
class RestOffer:
    """Take it with ``restCharacter``."""

    rest: GameRest = strawberry.field(description="The rest.")
    actions: list[RestActionOffer] = strawberry.field(
        description="What the character can do at it as it is now; none for a rest without actions."
    )
