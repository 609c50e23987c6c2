"""How a game is played: the second half of a system, beside `engine.system`.

A scene is one run of a state machine that knows neither players' accounts nor chance nor time:

    begin(setup, cast) -> state               the opening position, or every broken rule
    legal(state, actor) -> moves              what may be done now, with bounds: enough to draw buttons
    rule(turn, move) -> steps                 the rules: what happens, dice and questions in their places
    evolve(state, event) -> state             folds one fact in; no dice, no choice, no failure
    view(state, viewer), sees(event, viewer)  what a viewer may know
    outcome(state)                            going on, or ended

A rule is a generator (`engine.steps`): it asks for dice and for answers when it needs them. `engine.driver`
runs it, the same way for a live table, for bots, matches and simulations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from services.rules.engine.codec import Codec, Json
from services.rules.engine.explain import Explained
from services.rules.engine.grid import Square
from services.rules.engine.problem import Problems
from services.rules.engine.sheet import Track

if TYPE_CHECKING:
    from services.rules.engine.steps import Ask, Steps, Turn

GM = "gm"
"""The actor of every move that is the game master's own."""

PLAYER = "player-"
"""What the id of an actor begins with who is a player without a character; see `AdmitsPlayers`."""

Faces = tuple[tuple[int, ...], ...]
"""The faces that fell, one tuple for each roll of a check, in its order."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may know of something, beside the game master, who knows everything.

    Attributes:
        everyone: Whether all at the table may.
        actors: Otherwise, those who play these.
    """

    everyone: bool = True
    actors: tuple[str, ...] = ()

    def __and__(self, other: Audience) -> Audience:
        """Those who belong to both."""
        if other.everyone:
            return self
        if self.everyone:
            return other
        return Audience(False, tuple(actor for actor in self.actors if actor in other.actors))

    def __or__(self, other: Audience) -> Audience:
        """Those who belong to either."""
        if self.everyone or other.everyone:
            return EVERYONE
        return Audience(False, tuple(dict.fromkeys((*self.actors, *other.actors))))


EVERYONE = Audience()
GM_ONLY = Audience(everyone=False)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks on.

    Attributes:
        gm: Whether it is the game master, who sees everything.
        actors: Ids of the actors they play; none for a spectator.
    """

    gm: bool = False
    actors: frozenset[str] = frozenset()

    def may_know(self, audience: Audience) -> bool:
        """Whether something with this audience is for these eyes."""
        return self.gm or audience.everyone or not self.actors.isdisjoint(audience.actors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """Dice that a move takes.

    Attributes:
        id: Its name within the check: `attack`, `resist:orc-1`.
        actor: Who rolls.
        label: What for, in plain words: "Battle with longsword".
        dice: How many, and why.
        sides: Sides of each die.
        die: Name of a die with faces of its own, as the system's `DICE` has it, counted from 1; empty for
            dice that show numbers.
        audience: Who may know that it was rolled at all; anything but everyone is rolled in secret.
        odds: The roll in the notation of the odds, where it has a name: `dungeonteller:action(5)`.
    """

    id: str
    actor: str
    label: str
    dice: Explained
    sides: int = 6
    die: str = ""
    audience: Audience = EVERYONE
    odds: str = ""

    @property
    def notation(self) -> str:
        """The dice as notation: `5d6`, `9dresource`."""
        return f"{self.dice.value}d{self.die or self.sides}"


class FieldKind(Enum):
    """What a client asks for when a move needs more than a press of its button.

    Attributes:
        CHOICE: One of the `choices`.
        CHOICES: From `least` to `most` of the `choices`, each once.
        NUMBER: A whole number from `least` to `most`.
        SQUARE: One of the `squares`, or any where none are listed.
        SQUARES: From `least` to `most` squares, in their order.
        TEXT: Words of the player's own.
        FLAG: Yes or no.
    """

    CHOICE = "choice"
    CHOICES = "choices"
    NUMBER = "number"
    SQUARE = "square"
    SQUARES = "squares"
    TEXT = "text"
    FLAG = "flag"


class Disposition(Enum):
    """How an actor that can be chosen stands to the one who moves.

    Attributes:
        FOE: On another side, against them.
        NEUTRAL: On no side.
        FRIEND: On the same side, as they are themselves.
    """

    FOE = "foe"
    NEUTRAL = "neutral"
    FRIEND = "friend"


class ChoiceKind(Enum):
    """What a choice names.

    Attributes:
        ACTOR: An actor of the scene's card.
        ITEM: A thing: a weapon, a potion, a card of the hand.
        PLACE: A place of the game's map or story.
    """

    ACTOR = "actor"
    ITEM = "item"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values.

    Attributes:
        value: What goes into the move.
        label: What a button says.
        kind: What it names; None for anything else, such as a word or a number. Squares to choose from are
            fields of their own.
        disposition: How the actor that it names stands to the one who moves; None where one of them
            takes no side, as the game master, and where it names something else.
    """

    value: str
    label: str
    disposition: Disposition | None = None
    kind: ChoiceKind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveField:
    """Something a player decides about a move.

    Attributes:
        name: Key in the move.
        label: What to ask.
        kind: How to ask.
        choices: What there is to choose from.
        squares: The squares there are to choose from.
        least: Smallest number; or how many must be chosen.
        most: Largest number; or how many may be chosen.
        required: Whether the move is not whole without it.
    """

    name: str
    label: str
    kind: FieldKind
    choices: tuple[Choice, ...] = ()
    squares: tuple[Square, ...] = ()
    least: int | None = None
    most: int | None = None
    required: bool = True


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely something is that a player hopes for, or fears, when they choose.

    Attributes:
        id: Stable within the offer: `win`, `forge:greataxe`.
        label: In plain words, with what is assumed: "win this Conflict".
        chance: Exactly, from 0 to 1.
    """

    id: str
    label: str
    chance: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalMove:
    """A move that may be made now, ready for a button.

    Attributes:
        id: Stable within the list: `attack:battle`.
        actor: Who makes it.
        label: What the button says.
        text: What it does, in plain words.
        rule: Where the rule stands.
        move: The move in its JSON form, whole but for the fields.
        fields: What is still to be decided.
        cost: What it costs, in the game's words; empty when it is free.
        dice: Dice of its own roll before the other side's part; None when it takes none.
        odds: That roll in the notation of the odds.
        chances: How likely its results are, as far as the actor can know; computed when they are read where
            `offers.Deferred` keeps them.
        group: Key of one of the game's `move_groups`; this and what follows the frame fills in.
        weight: How far ahead it is shown, from 0 to 100, higher first.
        disposition: How those whom the move itself names stand to its actor; None for none, or some of each.
    """

    id: str
    actor: str
    label: str
    text: str
    rule: str
    move: Mapping[str, Any]
    fields: tuple[MoveField, ...] = ()
    cost: str = ""
    dice: Explained | None = None
    odds: str = ""
    chances: Sequence[Chance] = ()
    group: str = ""
    weight: int = 0
    disposition: Disposition | None = None


@dataclass(frozen=True, slots=True)
class MoveGroup:
    """Kinds of moves that a client shows under one heading.

    Attributes:
        key: A short word, stable within the game: `attack`.
        title: What the heading says.
        weights: Its kinds of moves, and how far ahead their offers are shown: from 0 to 100, higher first.
    """

    key: str
    title: str
    weights: Mapping[type[Any], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CastMember:
    """A player's character that takes part.

    Attributes:
        id: Its id, also the actor's.
        sheet: Its sheet, of the system's own type.
    """

    id: str
    sheet: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorCard:
    """What any client can draw of an actor in a scene.

    Attributes:
        id: The actor's id.
        name: What it is called at the table.
        side: "heroes", "foes" or whatever sides the game has.
        tracks: What of it goes up and down, such as Luck or health.
        conditions: Plain words: "knocked out", "asleep", "invisible for 2 turns".
        at: Where they stand, where the game has places to stand.
        character: Whether it is a player's character.
        size: Squares along one side of what it fills.
    """

    id: str
    name: str
    side: str
    tracks: tuple[Track, ...]
    conditions: tuple[str, ...] = ()
    at: Square | None = None
    character: bool = False
    size: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCard:
    """A question that play waits for.

    Attributes:
        id: Stable within the scene.
        actor: Who has to answer.
        question: In plain words.
        seconds: How long they have for it; None where the table waits.
    """

    id: str
    actor: str
    question: str
    seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCard:
    """What any client can draw of a scene.

    Attributes:
        title: What the game calls the scene.
        round: Counted from 1.
        turn: Whose turn it is; None between turns and after the end.
        actors: All who take part, as far as the viewer may know of them.
        prompts: The questions that are open.
        waiting_for: Everybody who may move now, in order.
    """

    title: str
    round: int
    turn: str | None
    actors: tuple[ActorCard, ...]
    prompts: tuple[PromptCard, ...] = ()
    waiting_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a scene stands.

    Attributes:
        ended: Whether it is over.
        winners: Actors or sides that won; several share it.
        text: Why, in plain words.
    """

    ended: bool = False
    winners: tuple[str, ...] = ()
    text: str = ""


ONGOING = Outcome()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a scene has changed about a character that outlives it, all of it since the scene began.

    Attributes:
        character: Id of the cast member.
        data: In the system's own JSON form; `absorb` reads it.
        text: In plain words, for the log.
    """

    character: str
    data: Mapping[str, Json] = field(default_factory=dict)
    text: str = ""


class MoveBase(Protocol):
    """What every move has. Moves are frozen dataclasses; several kinds make a union."""

    @property
    def actor(self) -> str:
        """Who makes it: an actor's id, or `gm`."""


class EventBase(Protocol):
    """What every event has. Events are frozen dataclasses; several kinds make a union."""

    @property
    def audience(self) -> Audience:
        """Who may know of it."""


SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT", bound=MoveBase)
EventT = TypeVar("EventT", bound=EventBase)


@runtime_checkable
class GamePlay(Protocol[SetupT, StateT, MoveT, EventT]):
    """One game's scenes. Every function is pure: same arguments, same answer."""

    @property
    def setup_codec(self) -> Codec[SetupT]:
        """What a game master decides before a scene, to JSON and back."""

    @property
    def state_codec(self) -> Codec[StateT]:
        """States to JSON and back."""

    @property
    def move_codec(self) -> Codec[MoveT]:
        """Moves to JSON and back; of a union, each with its `kind`."""

    @property
    def event_codec(self) -> Codec[EventT]:
        """Events to JSON and back; of a union, each with its `kind`."""

    @property
    def move_groups(self) -> tuple[MoveGroup, ...]:
        """The groups that offers are shown under, in order; each kind of move stands in one of them."""

    @property
    def setups(self) -> Mapping[str, SetupT]:
        """Named setups that begin with any of the system's examples as their cast; at least one."""

    def begin(self, setup: SetupT, cast: tuple[CastMember, ...]) -> StateT | Problems:
        """The opening position, or every rule the setup breaks."""

    def legal(self, state: StateT, actor: str) -> tuple[LegalMove, ...]:
        """What this actor may do now; empty when it is not theirs to move. For `gm`: the GM's own moves."""

    def rule(self, turn: Turn[StateT, EventT], move: MoveT) -> Steps:
        """What happens when a move is made: a generator of what it needs; see `engine.steps`.

        Every rule that the move breaks is refused (`Refused`) before its first need and before anything
        happens.
        """

    def evolve(self, state: StateT, event: EventT) -> StateT:
        """The state after one event. Total: it takes every event that `rule` lets happen in this state."""

    def outcome(self, state: StateT) -> Outcome:
        """Whether the scene is over, and how."""

    def view(self, state: StateT, viewer: Viewer) -> StateT:
        """The state with everything taken out that the viewer may not know."""

    def sees(self, event: EventT, viewer: Viewer) -> EventT | None:
        """The event as the viewer may know it; None where it never happened as far as they can tell."""

    def tell(self, state: StateT, event: EventT) -> str:
        """One plain sentence for the log; empty for an event nobody needs to read.

        Args:
            state: The state before the event.
            event: The event, already as its reader may know it.
        """

    def known_to(self, state: StateT, actor: str) -> Audience | None:
        """Who may know of an actor, or of anything else that may be hidden, beside the game master.

        Args:
            state: The state.
            actor: What an `ActorId` names.

        Returns:
            Everyone where nobody hides; None where the state holds nothing of this id.
        """

    def card(self, state: StateT) -> SceneCard:
        """What any client can draw of a state (of a view: of what its viewer may know)."""

    def changes(self, state: StateT) -> tuple[Change, ...]:
        """What the scene has changed so far about the characters that took part: asked of every state and of
        views of it; what stands behind its last event stays with them.
        """

    def absorb(self, choices: Any, data: Mapping[str, Json]) -> Any:
        """A character's choices with a `Change` of a scene taken in; applied once, and never fails."""

    def led_by(self, state: StateT, actor: str) -> str:
        """Whose player moves this actor: the id of the cast member it is, or is led by, or `gm`."""

    def bot(self, state: StateT, actor: str) -> MoveT | None:
        """A simple player's move for this actor (or `gm`); None when there is nothing for them to do."""

    def reply(self, state: StateT, ask: Ask) -> MoveT:
        """A simple player's answer to a question.

        Args:
            state: What the one who is asked may know.
            ask: The question.
        """


AnyPlay = GamePlay[Any, Any, Any, Any]
"""Play whose types the caller does not know."""


@runtime_checkable
class AdmitsPlayers(Protocol):
    """Play in which players may act without a character, each under an id of their own (see `PLAYER`)."""

    def admits_players(self, state: Any) -> bool:
        """Whether they may act now."""


@runtime_checkable
class Pictured(Protocol):
    """Play whose states can be drawn."""

    def picture(self, state: Any) -> str:
        """A state (or a view) as the text of an SVG file: a title, a description, nothing from elsewhere."""
