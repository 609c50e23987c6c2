"""What is asked of a simulation: openings, who plays them, how often, and what is changed about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from services.rules.engine.codec import Codec

EVERYBODY = "*"
"""The subject of a policy for all who have none of their own."""

MOST_RUNS = 10_000_000
MOST_MOVES = 5_000
MOST_CASES = 64
"""Cases of one request: the opening itself, its variants, the cells of its sweep, and what worth is asked
of."""

MOST_SCENES, MOST_CAST, MOST_CHANGES = 8, 12, 16
SEED_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPack:
    """A pack of a table's own content that the scenes are played with, or a character is built under.

    Attributes:
        document: What it holds, as it is kept: with its type and version; in a file, also as its published
            schema has it. None for one of the scenes' packs that a character is built under too, which is
            meant by its id and version.
        id: Id of the table's pack; empty for one of a file.
        version: The version of it that this is.
        name: What it is called.
    """

    document: Any
    id: str = ""
    version: int = 1
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A character that takes part; it is named by an example, by choices, by a sheet, or by both of the
    latter.

    Attributes:
        id: Its id in the scenes.
        example: Name of one of the game's examples.
        choices: What a player has chosen, in the game's own form; it is built by the rules.
        sheet: A finished sheet, in its stored form: with choices, what the rules have built of these. A day
            of several scenes begins each one with a sheet without choices as it is.
        packs: The packs that it is built under, in order, with choices of its own; None for those of the
            scenes.
    """

    id: str
    example: str | None = None
    choices: Any = None
    sheet: Any = None
    packs: tuple[PlayedPack, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A scene as it begins. What it is made of is named in exactly one of three ways.

    Attributes:
        setup_name: Name of one of the game's setups.
        setup: What a game master decides before a scene, in the game's own form.
        state: A position to go on from, in its stored form; it has its cast.
        site: A stored map that it is laid out on, in its stored form.
        rest: Key of the rest that the cast takes before it, of those that the game has (`DayRest`); None for
            none. The first scene of a day has none, and neither has a position to go on from.
    """

    setup_name: str | None = None
    setup: Any = None
    state: Any = None
    site: Any = None
    rest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """One value that is replaced.

    Attributes:
        pointer: Where it stands, as an RFC 6901 pointer into the request: `/scenes/0/setup/foes/1/count`,
            `/cast/0/sheet/luck`, `/policies/heroes`.
        value: What stands there instead; in place of the whole `/cast` or of one of it, characters as the
            request names them.
    """

    pointer: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A named change, compared with the opening itself.

    Attributes:
        name: What it is called; each name once.
        changes: What is replaced.
    """

    name: str
    changes: tuple[Replacement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A value that is swept.

    Attributes:
        pointer: Where it stands.
        values: What stands there, one after another.
    """

    pointer: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """When enough runs were played: as soon as the 95 % interval of a figure is narrow enough.

    Attributes:
        figure: The name under which it is told: `won@side:heroes`, `rounds`.
        half_width: Half the width of the interval, in the figure's own unit (of a share, 0.01 is one per
            cent).
    """

    figure: str
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationRequest:
    """A question to be answered by playing.

    Attributes:
        system: Slug of the game.
        scenes: The scenes, one after another; several make a day, in which what one scene changes about the
            characters is taken into the next one: they stay as they are, until they rest. A day ends with a
            scene that others than the cast win.
        cast: The characters that take part in every scene.
        packs: The packs of a table's own content that all scenes are played with, in order.
        policies: Who plays whom: a bot and its version (`strong@1`) for an actor's id, a side, or `*` for all
            others. Without a version `strong` is the strongest bot of the game, whichever that is, and
            `random` the one that makes any legal move; the answer names them in full. Who has none is played
            by the game's own simple player.
        runs: How many runs are played at least; with a precision, at most. Whole blocks are played.
        precision: When fewer are enough.
        variants: Changes that are compared with the opening on the same dice.
        sweep: One or two values that go through a list each; every combination is a case.
        worth: Pointers to whole numbers; of each, what one more of it changes.
        seed: What the dice are derived from; the same seed, the same dice.
        most_moves: Moves after which a scene is given up.
    """

    system: str
    scenes: tuple[Opening, ...]
    cast: tuple[Member, ...] = ()
    packs: tuple[PlayedPack, ...] = ()
    policies: Mapping[str, str] = field(default_factory=dict)
    runs: int = 1_000
    precision: Precision | None = None
    variants: tuple[Variant, ...] = ()
    sweep: tuple[Axis, ...] = ()
    worth: tuple[str, ...] = ()
    seed: str = ""
    most_moves: int = 2_000

    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {"runs": (1, MOST_RUNS), "most_moves": (1, MOST_MOVES)}


REQUEST_CODEC = Codec(SimulationRequest, "simulation/request")
