"""What can be asked of simulations."""

from dataclasses import dataclass
from typing import Annotated, NewType

from services.campaign.scenes.requests import MAX_PACKS, MAX_TITLE, PackId
from services.rules.engine.simulation.request import (
    MOST_CASES,
    MOST_CAST,
    MOST_CHANGES,
    MOST_MOVES,
    MOST_RUNS,
    MOST_SCENES,
    SEED_LENGTH,
)
from services.shared.bounds import Between, Count, Line

SceneId = NewType("SceneId", str)
MAX_NAME = 120
MAX_POINTER = 400
MAX_POLICIES = 40
MAX_CASE = 4_000
"""Characters of a case's name, which names pointers and values of a sweep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedScene:
    """A scene as it begins: of `setupName`, `setup` and `fromScene`, exactly one.

    Attributes:
        setup_name: Name of one of the game's setups.
        setup: What is decided before a scene, in the game's JSON form; `sceneRules` has the schema.
        from_scene: Id of a scene of the campaign: it is played on from where it stands now, with its packs.
        map_id: A map that you run: the scene is laid out there as the map is now.
        rest: Key of the rest that the characters take before it, as `sceneRules` lists those of the game;
            omitted, they come as the scene before has left them. The first scene has none.
    """

    setup_name: str | None = None
    setup: object | None = None
    from_scene: SceneId | None = None
    map_id: str | None = None
    rest: Annotated[str, Line(40)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCharacter:
    """A character that takes part: of `example`, `choices` and `characterId`, exactly one.

    Attributes:
        id: Its id in the scenes; a `characterId` is its own.
        example: Name of one of the game's examples.
        choices: What a player has chosen, in the game's JSON form.
        character_id: Id of a character at the campaign's table, as it is now.
    """

    id: Annotated[str, Line(40)] | None = None
    example: str | None = None
    choices: object | None = None
    character_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPolicy:
    """The bot that plays an actor, or all of a side.

    Attributes:
        subject: An actor's id, a side, or `*` for all who have no policy of their own.
        bot: One of the game's bots and its version: `strong@1`. Without a version, in every game: `strong` is
            the strongest of its bots, `random` the one that makes any legal move.
    """

    subject: Annotated[str, Line(MAX_NAME)]
    bot: Annotated[str, Line(80)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedValue:
    """A value of the question that is replaced.

    Attributes:
        pointer: Where it stands, as an RFC 6901 pointer into the question with all that it names:
            `/scenes/0/setup/creatures/0/monster`, `/cast/0/sheet/luck`, `/policies/heroes`.
        value: What stands there instead.
    """

    pointer: Annotated[str, Line(MAX_POINTER)]
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationVariant:
    """A named change, compared with the question itself on the same dice.

    Attributes:
        name: What it is called; each name once.
        changes: What is replaced.
    """

    name: Annotated[str, Line(MAX_NAME)]
    changes: Annotated[tuple[ReplacedValue, ...], Count(1, MOST_CHANGES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationAxis:
    """A value that goes through a list.

    Attributes:
        pointer: Where it stands.
        values: What stands there, one after another.
    """

    pointer: Annotated[str, Line(MAX_POINTER)]
    values: Annotated[tuple[object, ...], Count(1, MOST_CASES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationPrecision:
    """When enough was played: as soon as the 95 % interval of a figure is narrow enough.

    Attributes:
        figure: The name under which it is told: `won@side:heroes`, `rounds`.
        half_width: Half the width of the interval, in its own unit; of a share, 0.01 is one per cent.
    """

    figure: Annotated[str, Line(MAX_NAME)]
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSimulation:
    """A question that bots are to answer by playing.

    Attributes:
        campaign_id: For whose table (GM); omitted, for yourself: then with examples, choices and setups only.
        system: Slug of the game.
        scenes: The scenes, one after another; several make a day, in which what one scene changes about the
            characters is taken into the next one: they stay as they are, until they rest.
        cast: The characters that take part in every scene.
        packs: Ids of content packs that are shared with the campaign, in order, each in its newest version:
            all scenes are played with them as they are now. Left out, all of its game, the oldest first; an
            empty list is the book alone. With `fromScene` they are that scene's, and left out here.
        policies: Who plays whom; who has none is played by the game's own simple player.
        runs: How many runs are played at least; with a precision, at most.
        precision: When fewer are enough.
        variants: Changes that are compared with the question itself.
        sweep: One or two values that go through a list each; every combination is a case.
        worth: Pointers to whole numbers; of each, what one more of it changes.
        seed: What the dice are derived from; the same seed, the same dice.
        most_moves: Moves after which a scene is given up.
    """

    campaign_id: str | None = None
    system: str
    scenes: Annotated[tuple[SimulatedScene, ...], Count(1, MOST_SCENES)]
    cast: Annotated[tuple[SimulatedCharacter, ...], Count(0, MOST_CAST)] = ()
    packs: Annotated[tuple[PackId, ...], Count(0, MAX_PACKS)] | None = None
    policies: Annotated[tuple[SimulationPolicy, ...], Count(0, MAX_POLICIES)] = ()
    runs: Annotated[int, Between(1, MOST_RUNS)] = 1_000
    precision: SimulationPrecision | None = None
    variants: Annotated[tuple[SimulationVariant, ...], Count(0, MOST_CASES)] = ()
    sweep: Annotated[tuple[SimulationAxis, ...], Count(0, 2)] = ()
    worth: Annotated[tuple[str, ...], Count(0, MOST_CASES)] = ()
    seed: Annotated[str, Line(SEED_LENGTH, least=0)] = ""
    most_moves: Annotated[int, Between(1, MOST_MOVES)] = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSimulationRun:
    """A run of a simulation that is to be played on as a scene (GM).

    Attributes:
        id: Of the simulation; it has ended, and was asked for a campaign.
        number: Number of the run, from 0.
        case: Name of the case; the question itself when omitted.
        scene: Which scene of a day, by its place from 0; it begins as the run's scenes and rests before it
            have left the characters.
        moves: After how many moves of that scene the new one begins; 0 is where it begins.
        title: What the scene is called; the game's own title when omitted.
    """

    id: str
    number: Annotated[int, Between(0, MOST_RUNS)]
    case: Annotated[str, Line(MAX_CASE, least=0)] | None = None
    scene: Annotated[int, Between(0, MOST_SCENES - 1)] = 0
    moves: Annotated[int, Between(0, MOST_MOVES)] = 0
    title: Annotated[str, Line(MAX_TITLE)] | None = None


@dataclass(frozen=True, slots=True)
class DeleteSimulation:
    """A simulation that is to be deleted with all that was found out.

    Attributes:
        id: Of the simulation.
    """

    id: str


@dataclass(frozen=True, slots=True)
class CancelSimulation:
    """A simulation that is to end now; what was found out so far stays.

    Attributes:
        id: Of the simulation.
    """

    id: str
