"""What a kind of map is to the map service.

    MapKind
    ├── filed     how its maps are kept: their file, their name, what of them players know
    ├── making    how they are made here, and what that costs; None for a kind that is only brought along
    │   └── wish  how they are asked for, where that differs from what they are made from
    ├── sheet     how they are drawn and written; None for a kind of cells, whose models are `GridMap`s
    ├── growth    how they grow in play
    ├── leading   how a scene leads them
    └── site      a map as the document that a scene is set on

Each part but `filed` may be left out: what it is asked for then is refused, or not offered. How to write a
kind is told in `services.map.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from services.map.curves import Costs
from services.map.generation.gate import Gate, GateReport
from services.map.generation.kind import Filed, Generator
from services.map.play.state import CarriedLight, Extent, MapState, Spot
from services.map.render.figures import Figure
from services.rules.engine.codec import Codec, Json
from services.rules.engine.json_schema import Schema
from services.rules.engine.problem import KeyPath, Problems, RuleProblem

ModelT = TypeVar("ModelT")
ParametersT = TypeVar("ParametersT")
SiteT = TypeVar("SiteT")
WishT = TypeVar("WishT")

OWN = "hearthforge-"
"""How the name of the format of every map file begins."""

Operation = Any
"""What a table asks of a map that grows: a frozen dataclass of its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WishForm(Generic[WishT, ParametersT]):
    """How maps of a kind are asked for, where that differs from what they are made from.

    Attributes:
        type: Frozen dataclass of a wish, in the words of the API.
        seed: The seed that a wish names itself, as text.
        check: Everything about a wish that must be refused before its parameters are made.
        parameters: The parameters that a sound wish stands for.
        drawn_seed: The seed of parameters for which none is named; None to have one drawn.
        path: The path in a wish of what has a path in the parameters.
    """

    type: type[WishT]
    seed: Callable[[WishT], str | None]
    check: Callable[[WishT], tuple[RuleProblem, ...]]
    parameters: Callable[[WishT], ParametersT]
    drawn_seed: Callable[[ParametersT], int | None]
    path: Callable[[KeyPath], KeyPath]


@dataclass(frozen=True, slots=True, kw_only=True)
class Making(Generic[ModelT, ParametersT]):
    """How maps of a kind are made here.

    Attributes:
        generator: Makes them. Its parameters have a `width` and a `height`, which prices are computed from.
        costs: The processor time that making and drawing them takes.
        wish: How they are asked for; by their parameters when None.
    """

    generator: Generator[ParametersT, ModelT]
    costs: Costs
    wish: WishForm[Any, ParametersT] | None = None

    @property
    def asked(self) -> type[Any]:
        """The frozen dataclass that they are asked for by."""
        return self.generator.codec.type if self.wish is None else self.wish.type


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Generic[ModelT]):
    """How maps are drawn and written that are a sheet of paper, measured in units of their own.

    Attributes:
        format: The `format` that their files name: `hearthforge-region`. All begin with `hearthforge-`, by
            which map files are told from others.
        schema: Writes the JSON Schema of their files.
        extent: Width and height of a map in its units.
        draw: Draws a map as SVG, with the figures on it.
        words: The gate over the words of its picture.
        geojson: Writes a map as GeoJSON; None where there is no such export.
        peopled: Whether pictures show the tokens on a map as figures.

    Raises:
        ValueError: The format's name is not one of a map file.
    """

    format: str
    schema: Callable[[], Schema]
    extent: Callable[[ModelT], tuple[float, float]]
    draw: Callable[[ModelT, Sequence[Figure]], str]
    words: Callable[[ModelT], Gate]
    geojson: Callable[[ModelT], bytes] | None = None
    peopled: bool = False

    def __post_init__(self) -> None:
        if not self.format.startswith(OWN):
            raise ValueError(f"the format of a map file begins with {OWN}, not {self.format!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth(Generic[ModelT]):
    """How maps themselves grow in play, by the rules of their game.

    Attributes:
        operations: Frozen dataclasses of all that can be asked for. Their names are those of edits in the
            API, so that no two kinds share one.
        grow: The map after an operation, or every broken rule.
        unplayed: The map as its gates knew it before play; None where the gates hold for played maps too.
    """

    operations: tuple[type[Any], ...]
    grow: Callable[[ModelT, Operation], ModelT | Problems]
    unplayed: Callable[[ModelT], ModelT] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a game that stands on the map.

    Attributes:
        id: Of the actor in the scene.
        name: What it is called.
        color: As "#rrggbb".
        at: Where its token lies.
        size: Cells along one side.
        hidden: Whether only game masters know of it.
        side: Whose side it is on: the game's own word.
        on_turn: Whether it is its turn.
        conditions: Words for what it suffers.
        light: Light it carries.
    """

    id: str
    name: str
    color: str
    at: Spot
    size: int = 1
    hidden: bool = False
    side: str = ""
    on_turn: bool = False
    conditions: tuple[str, ...] = ()
    light: CarriedLight | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading(Generic[ModelT, SiteT]):
    """How a scene leads a map: the document that its game tells of it becomes the map.

    Attributes:
        codec: Reads the game's document.
        follow: The map as the document has it. Raises `ValueError` where the document is of another map.
        pieces: The pieces on the map after that, each with a free spot.
        state: What else of the state of play follows: doors, lights, fog. The state has the tokens already,
            and the text is the scene's id; None where nothing else does.
    """

    codec: Codec[SiteT]
    follow: Callable[[ModelT, SiteT], ModelT]
    pieces: Callable[[ModelT, SiteT], tuple[Piece, ...]]
    state: Callable[[MapState, ModelT, SiteT, str], MapState] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapKind(Generic[ModelT]):
    """One kind of map, put together from its parts: what a package of `services.map.kinds` calls `KIND`.

    Attributes:
        place: Where it stands in lists of kinds: those of a lower number come first.
        about: What its maps are maps of, a sentence for people.
        filed: How its maps are kept.
        making: How its maps are made here.
        sheet: How its maps are drawn and written; None for a kind of cells.
        growth: How its maps grow in play.
        leading: How a scene leads its maps. A kind of cells needs none: every game on squares leads its maps.
        site: A map, as play has left it, as the document that a scene is set on. A kind of cells needs none:
            its maps are squares for any game.

    Raises:
        TypeError: Its maps are made otherwise than they are kept.
    """

    place: int
    about: str
    filed: Filed[ModelT]
    making: Making[ModelT, Any] | None = None
    sheet: Sheet[ModelT] | None = None
    growth: Growth[ModelT] | None = None
    leading: Leading[ModelT, Any] | None = None
    site: Callable[[ModelT, MapState], dict[str, Json]] | None = None

    def __post_init__(self) -> None:
        if self.making is not None and self.making.generator is not self.filed:
            raise TypeError(f"{self.slug}: what makes its maps is not what keeps them")

    @property
    def slug(self) -> str:
        """Its name for programs: `dungeon`."""
        return self.filed.slug

    @property
    def secretive(self) -> bool:
        """Whether its maps hold what players must not know."""
        return self.filed.secretive

    @property
    def cells(self) -> bool:
        """Whether its maps have cells, and so ground, sight and fog."""
        return self.sheet is None

    def extent(self, model: ModelT) -> Extent:
        """How far a map goes."""
        if self.sheet is None:
            grid: Any = model
            return Extent(grid.width, grid.height, cells=True)
        return Extent(*self.sheet.extent(model), cells=False)

    def inspect_played(self, model: ModelT) -> GateReport:
        """Runs every gate over a map that may have been played on."""
        unplayed = None if self.growth is None else self.growth.unplayed
        return self.filed.inspect(model if unplayed is None else unplayed(model))


AnyMapKind = MapKind[Any]
"""A kind whose models the caller does not know, as the registry hands it out."""
