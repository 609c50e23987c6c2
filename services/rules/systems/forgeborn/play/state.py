"""Where a game of Forgeborn stands: the realm, Smiths, Heroines, Artifacts and the turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from services.rules.engine.effects import Effect
from services.rules.systems.forgeborn.catalog import EffectKind, Form, Function, TableSettings
from services.rules.systems.forgeborn.drop import DroppedDie, RealmSettings
from services.rules.systems.forgeborn.geometry import Point
from services.rules.systems.forgeborn.links import LinkKind
from services.rules.systems.forgeborn.pools import DiceCount
from services.rules.systems.forgeborn.realm import PlaceKind

VAULT = ""
"""The holder of an Artifact that nobody holds: it lies in the Vault."""


class Phase(Enum):
    """The parts of a game (E1).

    Attributes:
        MAP: The realm is being made.
        PLAY: The Smiths take turns.
        LAST_TURNS: The Dragon is dead, and each other player has one last turn.
        OVER: The game is over.
    """

    MAP = "map"
    PLAY = "play"
    LAST_TURNS = "last_turns"
    OVER = "over"


class Ending(Enum):
    """Why a game is over.

    Attributes:
        DRAGON: The Dragon is dead, and all last turns are over.
        ROUNDS: The last round is over.
        CALLED_OFF: The game master called it off.
    """

    DRAGON = "dragon"
    ROUNDS = "rounds"
    CALLED_OFF = "called_off"


class Token(Enum):
    """The two kinds of tokens.

    Attributes:
        RESOURCE: Spent in creations.
        SECRET: Spent to learn what is hidden.
    """

    RESOURCE = "resource"
    SECRET = "secret"


class Why(Enum):
    """What victory points are given for (H1).

    Attributes:
        ARTIFACT: A new Artifact.
        HELP: Help with another Smith's Artifact.
        RUIN: A Ruin that was explored.
        DRAGON: The Dragon's death.
        FAVOUR: The Prince's favour.
    """

    ARTIFACT = "artifact"
    HELP = "help"
    RUIN = "ruin"
    DRAGON = "dragon"
    FAVOUR = "favour"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place of the realm as it is now.

    Attributes:
        id: `citadel`, `city`, `village-1` to `village-4`, `lair`, `ruin-1` and up, `forest`.
        kind: What kind of place it is.
        name: What it is called.
        at: Where it lies on the sheet, in thousandths of a unit.
        power: Power of its Conflict; none for the Forest and for a spent Ruin.
        spent: Whether it is a Ruin that was explored.
        danger: What guards or troubles it, in plain words.
    """

    id: str
    kind: PlaceKind
    name: str
    at: Point
    power: int | None
    spent: bool = False
    danger: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A Road or Trail between two places, for both directions.

    Attributes:
        start: Id of the place at one end.
        end: Id of the place at the other end.
        kind: Road or Trail.
    """

    start: str
    end: str
    kind: LinkKind

    def joins(self, place: str) -> bool:
        """Whether it has this place at one end."""
        return place in (self.start, self.end)

    def other(self, place: str) -> str:
        """The place at its other end."""
        return self.end if place == self.start else self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The realm the game is played on.

    Attributes:
        title: Name of the realm.
        width: Of the sheet, in thousandths of a unit.
        height: Of the sheet.
        rules: How its dice fall.
        dice: The dice that made it, in the order of dropping; Ruins found in play at the end.
        spots: The places.
        ways: Roads and Trails.
        on_map: Whether it is a stored map, which then changes along with the game.
    """

    title: str
    width: int
    height: int
    rules: RealmSettings
    dice: tuple[DroppedDie, ...] = ()
    spots: tuple[Spot, ...] = ()
    ways: tuple[Way, ...] = ()
    on_map: bool = False

    def find(self, place: str) -> Spot | None:
        """The place of this id."""
        for spot in self.spots:
            if spot.id == place:
                return spot
        return None

    def spot(self, place: str) -> Spot:
        """The place of this id.

        Raises:
            KeyError: There is none.
        """
        found = self.find(place)
        if found is None:
            raise KeyError(place)
        return found

    def ways_from(self, place: str) -> tuple[Way, ...]:
        """The ways one can follow from a place."""
        return tuple(way for way in self.ways if way.joins(place))


@dataclass(frozen=True, slots=True, kw_only=True)
class Smith:
    """A Master Smith, who is a player's, or a rival that the game master leads.

    Attributes:
        id: Unique in the game.
        name: What they are called.
        description: In the player's words.
        character: Whether it is a player's character.
        color: Of her pieces, as "#rrggbb".
        dice: Their own dice.
        place: Where she is; empty until there is a realm.
        came_from: The place she came from last; empty when she has not moved yet.
        resource: Resource tokens.
        secret: Secret tokens.
        points: Victory points.
        effects: What lasts on her: the Prince's favour, his grants.
    """

    id: str
    name: str
    description: str
    character: bool
    color: str
    dice: DiceCount
    place: str = ""
    came_from: str = ""
    resource: int = 0
    secret: int = 0
    points: int = 0
    effects: tuple[Effect, ...] = ()

    @property
    def swayed_on(self) -> int | None:
        """The turn on which she swayed the Prince; none before."""
        return next((it.since for it in self.effects if it.kind == EffectKind.SWAYED), None)

    @property
    def grants(self) -> tuple[str, ...]:
        """Ids of the Artifacts in the Vault that the Prince has granted her."""
        return tuple(it.about for it in self.effects if it.kind == EffectKind.GRANTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heroine:
    """A Heroine; points and tokens that she earns are her Smith's.

    Attributes:
        id: Unique in the game.
        name: What she is called.
        description: In the player's words.
        smith: Id of the Smith who recruited her.
        dice: Her own dice.
        place: Id of the place where she is.
        effects: What lasts on her.
    """

    id: str
    name: str
    description: str
    smith: str
    dice: DiceCount
    place: str
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """An Artifact of wondrous power.

    Attributes:
        id: Unique in the game.
        name: What its maker calls it.
        form: What it is.
        function: What it does.
        dice: The dice that it adds to a roll; its Power is their number.
        power: The number of its dice; never changes.
        maker: Id of the Smith who made it.
        holder: Id of the Smith or Heroine who has it; empty while it lies in the Vault.
    """

    id: str
    name: str
    form: Form
    function: Function
    dice: DiceCount
    power: int
    maker: str
    holder: str = VAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Whose turn it is, and how far it has come.

    Attributes:
        number: Turns since the game began, this one included.
        round: Rounds likewise.
        smith: Id of the Smith whose player has it.
        actor: Who acts in it: the Smith or one Heroine; empty until one of them does.
        moved: Whether the free move by Road is used.
    """

    number: int
    round: int
    smith: str
    actor: str = ""
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Victory points that a Smith was given (K5).

    Attributes:
        smith: Id of the Smith.
        points: How many.
        why: What for.
        what: Id of the Artifact, or of the place; empty for a favour.
        turn: Number of the turn.
    """

    smith: str
    points: int
    why: Why
    what: str
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A place in the final order; equal points share it.

    Attributes:
        smith: Id of the Smith.
        rank: Counted from 1.
        points: Victory points in the end.
    """

    smith: str
    rank: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Where a game stands.

    Attributes:
        title: What the game is called at the table.
        phase: Which part of the game it is in.
        settings: What was agreed before it began.
        ground: The realm: its places, ways and Ruins.
        smiths: In seat order.
        turn: Whose turn it is, and what of it is done; null between turns.
        first: Id of the Smith who begins.
        heroines: All Heroines who were recruited.
        artifacts: All Artifacts there are.
        last_turns: Ids of those who have a last turn before them, in its order.
        slayer: Id of the Smith whose player slew the Dragon; empty while it lives.
        scores: Every victory point, as it was given.
        ranking: The final order, once the game is over.
        ending: Why it is over; none while it goes on.
        reason: Why it was called off, in the game master's words.
        scene: What the game master described last.
    """

    title: str
    phase: Phase
    settings: TableSettings
    ground: Ground
    smiths: tuple[Smith, ...]
    turn: Turn
    first: str
    heroines: tuple[Heroine, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    last_turns: tuple[str, ...] = ()
    slayer: str = ""
    scores: tuple[Score, ...] = ()
    ranking: tuple[Rank, ...] = ()
    ending: Ending | None = None
    reason: str = ""
    scene: str = ""

    def find_smith(self, who: str) -> Smith | None:
        """The Smith of this id."""
        for smith in self.smiths:
            if smith.id == who:
                return smith
        return None

    def find(self, who: str) -> Smith | Heroine | None:
        """The Smith or Heroine of this id."""
        everybody: tuple[Smith | Heroine, ...] = (*self.smiths, *self.heroines)
        for one in everybody:
            if one.id == who:
                return one
        return None

    def smith(self, who: str) -> Smith:
        """The Smith of this id.

        Raises:
            KeyError: There is none.
        """
        found = self.find_smith(who)
        if found is None:
            raise KeyError(who)
        return found

    def actor(self, who: str) -> Smith | Heroine:
        """The Smith or Heroine of this id.

        Raises:
            KeyError: There is none.
        """
        found = self.find(who)
        if found is None:
            raise KeyError(who)
        return found

    def player_of(self, who: str) -> str:
        """Id of the Smith whose player moves a Smith or Heroine; empty where there is nobody of that id."""
        found = self.find(who)
        if found is None:
            return ""
        return found.smith if isinstance(found, Heroine) else found.id

    def of(self, smith: str) -> tuple[Heroine, ...]:
        """A Smith's Heroines."""
        return tuple(one for one in self.heroines if one.smith == smith)

    def others(self, smith: str) -> tuple[Smith, ...]:
        """The other Smiths, in the order of their seats from her left."""
        place = [one.id for one in self.smiths].index(smith)
        return (*self.smiths[place + 1 :], *self.smiths[:place])

    def find_artifact(self, artifact: str) -> Artifact | None:
        """The Artifact of this id."""
        return next((one for one in self.artifacts if one.id == artifact), None)

    def artifact(self, artifact: str) -> Artifact:
        """The Artifact of this id.

        Raises:
            KeyError: There is none.
        """
        found = self.find_artifact(artifact)
        if found is None:
            raise KeyError(artifact)
        return found

    def held_by(self, holder: str) -> tuple[Artifact, ...]:
        """What a Smith or Heroine holds; `VAULT` for what lies in the Vault."""
        return tuple(one for one in self.artifacts if one.holder == holder)
