"""What clients send to and see of scenes."""

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from services.gateway.rest.contract import Asked, Int32, LegalMove, Reasons, Ref, Shown, Square, said

SCENE, HERO = "scn_01jd8x6m3v5q7r9t0w2y4z6a8c", "chr_01jd8x6m3v5q7r9t0w2y4z6a8c"


class NewScene(Asked):
    """A scene to be started."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"system": "dungeonteller", "setup": "bonfire", "characters": [HERO]}]
        }
    )

    system: str = Field(description="Slug of the game, as `/v1/systems` lists it.")
    setup: str | dict[str, Any] = Field(
        description="The name of one of the game's own setups; or one of yours, in the game's own JSON form."
    )
    characters: list[str] = Field(
        default_factory=list,
        description="Characters at the table that take part, up to 50.",
        json_schema_extra={"maxItems": 50},
    )
    map_id: str | None = Field(
        None,
        description="A map that the game is played on, and that you run: the scene is set there as the map "
        "is now. Some games lead their map from then on: it follows the scene until that is over.",
    )
    title: str | None = Field(
        None,
        description="Up to 120 characters; the game's own without it.",
        json_schema_extra={"minLength": 1, "maxLength": 120},
    )


class NewMove(Asked):
    """A move to be made."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"expectedSeq": 7, "move": {"kind": "Go", "actor": HERO, "to": {"x": 4, "y": 6}, "run": True}}
            ]
        }
    )

    expected_seq: Int32 = Field(
        description="The scene's `seq` that you saw; for an answer, any since the question was asked."
    )
    move: dict[str, Any] = Field(
        description="The move in the game's own JSON form, as `legalMoves` hands it out, with its fields."
    )
    entropy: str | None = Field(
        None,
        description="16 to 64 random bytes of your own for the dice, in hexadecimal or base64url, made anew "
        "for each move.",
    )


class BotMove(Asked):
    """A move that a bot is to choose."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"expectedSeq": 7, "actor": "werewolf-1", "bot": "steady"}]}
    )

    expected_seq: Int32 = Field(description="The scene's `seq` that you saw.")
    actor: str = said("An actor that you may move.", minLength=1)
    bot: str | None = Field(
        None, description="Id of one of the scene's `bots`; the game's own simple player without it."
    )


class Undoing(Asked):
    """The last move that still stands is to be taken back."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"expectedSeq": 7}]})

    expected_seq: Int32 = Field(description="The scene's `seq` that you saw.")


class SceneLine(Shown):
    """A scene in a list."""

    id: str
    title: str
    system: str = Field(description="Slug of the game.")
    seq: int = Field(
        description="How many moves there were that everybody may know of; name it when you move."
    )
    created_at: datetime
    ended_at: datetime | None = Field(description="When it was over; null while it runs.")


class SceneOutcome(Shown):
    """Whether a scene is over, and how."""

    ended: bool
    winners: list[str] = Field(description="Actors or sides that won; several share it.")
    text: str = Field(description="Why, in plain words.")


class ActorTrack(Shown):
    """Something of an actor that goes up and down: Luck."""

    name: str
    current: int
    maximum: int


class Actor(Shown):
    """One of those who take part, as any client can draw them."""

    id: str
    name: str
    side: str
    tracks: list[ActorTrack]
    conditions: list[str] = Field(description='Plain words: "knocked out", "asleep".')
    at: Square | None = Field(description="Where they stand, where the game has places to stand.")
    character: bool = Field(description="Whether it is a player's character.")


class Prompt(Shown):
    """A question that the scene waits for."""

    id: str
    actor: str = Field(description="Who is asked.")
    question: str
    seconds: int | None = Field(
        description="How long they have for it, see `deadlines`; null where the table waits."
    )


class Deadline(Shown):
    """Until when a question waits; then the game's own answer for those who give none is made."""

    prompt: str = Field(description="Id of the question, one of the card's prompts.")
    at: datetime


class Bot(Shown):
    """A way of playing the game that may be asked for a move."""

    id: str = Field(description="Stable within the game: `random`, `steady`, `strong`.")
    version: int = Field(description="Raised whenever it would play otherwise.")
    text: str = Field(description="How it plays, in plain words.")


class SceneCard(Shown):
    """What any client can draw of a scene."""

    round: int = Field(description="Counted from 1.")
    turn: str | None = Field(description="Whose turn it is; null between turns and after the end.")
    actors: list[Actor]
    prompts: list[Prompt]
    waiting_for: list[str] = Field(description="Everybody who may move now, in order.")


class SceneState(Shown):
    """Where a scene stands, as you may know it."""

    json_: dict[str, Any] = Field(alias="json", description="In the game's own JSON form.")


class SceneOpening(Shown):
    """A scene that may be begun from what a game keeps of the campaign: its name is a setup of the game."""

    name: str = Field(description="Stable while it is on offer.")
    text: str = Field(description="What it is, in plain words.")


class Scene(SceneLine):
    """One run of a game's rules at a table; seen by its members, each as far as they may know."""

    campaign: Ref | None
    characters: list[Ref | None] = Field(description="The players' characters that take part.")
    outcome: SceneOutcome
    card: SceneCard | None = Field(description="null when this installation no longer has the game.")
    state: SceneState | None
    map: Ref | None = Field(description="The stored map that it was set on, if any.")
    board_url: str | None = Field(
        description="Where its picture lies, as you may know it; null where the game draws none."
    )
    begun_from: Ref | None = Field(
        description="What the game keeps of the campaign, where this scene was begun from that."
    )
    openings: list[SceneOpening] = Field(description="The scenes that you may begin from here, as a GM.")
    deadlines: list[Deadline] = Field(
        description="Until when questions wait that have a limit, the first to end first."
    )
    bots: list[Bot] = Field(description="Who can be asked for a move, the weakest first.")
    my_actors: list[str] = Field(description="The actors that you may move.")
    cursor: str = Field(description="Names the place behind the last move that you may know of.")
    legal_moves: list[LegalMove] = Field(description="What your actors may do now.")


class MoveRoll(Shown):
    """Dice of a move: how they fell, and why there were so many."""

    label: str = Field(description="What for.")
    actor: str = Field(description="Who rolled.")
    notation: str = Field(description="The dice: `5d6`.")
    dice: Reasons
    faces: list[int] = Field(description="In the order in which they fell.")
    secret: bool = Field(description="Whether others at the table know nothing of it.")
    odds: str | None = Field(description="The roll as an expression for `/v1/odds`.")
    roll: Ref | None = Field(
        description="The roll itself, with its receipt; null when you may not see it there."
    )


class SceneEvent(Shown):
    """Something that happened."""

    kind: str = Field(description="What, for programs.")
    json_: dict[str, Any] = Field(alias="json", description="In the game's own JSON form.")


class SceneMove(Shown):
    """Something that was done in a scene, as you may know it."""

    cursor: str = Field(description="Names its place: ask for what comes behind it with `after`.")
    seq: int | None = Field(
        description="Counts 1, 2, 3, ... without gaps; null for a move that others know nothing of."
    )
    kind: Literal["MOVE", "UNDO", "VOID"]
    actor: str | None = Field(description="Who moved: an actor's id, or `gm`; null when you may not know.")
    account: Ref | None = Field(description="Who sent it.")
    by_gm: bool
    lapsed: bool = Field(
        description="Whether the table's clock made it, for somebody who did not answer in time."
    )
    undone: bool = Field(description="Whether it was taken back.")
    text: str = Field(description="What happened, in plain words.")
    sentences: list[str] = Field(description="The same, a sentence for each event.")
    rolls: list[MoveRoll] = Field(description="The dice that you may know of.")
    events: list[SceneEvent] = Field(description="What happened, as far as you may know.")
    move: dict[str, Any] | None = Field(
        description="The move in the game's own JSON form, for GMs and who sent it."
    )
    created_at: datetime


class Moved(SceneMove):
    """What was done; look at the scene again to see what may be done next."""

    scene: SceneLine | None = Field(description="The scene as it is now.")
