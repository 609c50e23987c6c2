"""Lanterns as a kind of map: drawn from a seed, lit in play, one of them known to the game master alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from services.map.curves import Costs, Curve
from services.map.generation.gate import Gate, GateReport
from services.map.generation.kind import MapFileError, canonical_bytes
from services.map.generation.limits import range_problems
from services.map.generation.stream import Stream
from services.map.kind import Growth, Leading, Making, MapKind, Piece, Sheet, WishForm
from services.map.play.state import MapState, Spot
from services.map.render.figures import Figure
from services.rules.engine.codec import Codec, Json, decode
from services.rules.engine.json_schema import Schema, headed
from services.rules.engine.problem import KeyPath, Problems, RuleProblem

FORMAT = "hearthforge-lanterns"


@dataclass(frozen=True, slots=True)
class Lantern:
    """A lantern.

    Attributes:
        id: Its id.
        x: Units from the left.
        y: Units from the top.
        lit: Whether it burns.
        secret: Whether players know nothing of it.
    """

    id: str
    x: int
    y: int
    lit: bool = False
    secret: bool = False


@dataclass(frozen=True, slots=True)
class LanternMap:
    """Lanterns on a sheet."""

    seed: int
    width: int
    height: int
    lanterns: tuple[Lantern, ...]


@dataclass(frozen=True, slots=True)
class LanternParameters:
    """What lanterns are hung by.

    Attributes:
        width: Width of the sheet, 10 to 100.
        height: Height of the sheet, 10 to 100.
        count: How many lanterns, 1 to 9.
    """

    width: int = 20
    height: int = 10
    count: int = 3


@dataclass(frozen=True, slots=True)
class LanternWish:
    """Lanterns to be hung.

    Attributes:
        seed: A number as text.
        many: Whether there are nine.
        across: Width of the sheet.
    """

    seed: str | None = None
    many: bool = False
    across: int = 20


@dataclass(frozen=True, slots=True)
class LightLantern:
    """Lights a lantern.

    Attributes:
        lantern: Its id.
    """

    lantern: str


@dataclass(frozen=True, slots=True)
class LanternSite:
    """Lanterns as a scene is played on them."""

    lanterns: tuple[Lantern, ...]


class LanternGenerator:
    """Hangs lanterns."""

    slug = "lanterns"
    secretive = True
    generator_version = 1
    codec: Codec[LanternParameters] = Codec(LanternParameters, "toy/lantern-parameters")

    def check(self, parameters: LanternParameters) -> tuple[RuleProblem, ...]:
        """What is wrong with the size of the sheet."""
        return tuple(range_problems("lantern_sheet", "width", parameters.width, 10, 100))

    def draw(self, parameters: LanternParameters, seed: int, attempt: int) -> LanternMap:
        """Lanterns at random spots, the last of them secret."""
        stream = Stream(seed, "lanterns", attempt)
        lanterns = tuple(
            Lantern(f"lantern-{n}", stream.below(parameters.width), stream.below(parameters.height))
            for n in range(1, parameters.count + 1)
        )
        hidden = (*lanterns[:-1], replace(lanterns[-1], secret=True))
        return LanternMap(seed, parameters.width, parameters.height, hidden)

    def inspect(self, model: LanternMap) -> GateReport:
        """A new map is dark."""
        faults = tuple(f"{one.id} is lit" for one in model.lanterns if one.lit)
        return GateReport((Gate("dark", faults),))

    def title(self, _model: LanternMap) -> str:
        """All have one name."""
        return "Lanterns"

    def to_bytes(self, model: LanternMap) -> bytes:
        """The map file."""
        return canonical_bytes({"format": FORMAT, **asdict(model)})

    def from_data(self, data: Mapping[str, Any]) -> LanternMap:
        """The map whose file was read."""
        if data.get("format") != FORMAT:
            raise MapFileError("these are no lanterns")
        found: LanternMap = decode(LanternMap, {name: data[name] for name in data if name != "format"})
        return found

    def for_players(self, model: LanternMap) -> LanternMap:
        """The lanterns that are not secret."""
        return replace(model, seed=0, lanterns=tuple(one for one in model.lanterns if not one.secret))


def _draw(model: LanternMap, figures: Sequence[Figure]) -> str:
    names = ",".join([one.id for one in model.lanterns] + [figure.name for figure in figures])
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><title>{names}</title></svg>'


def _grow(model: LanternMap, operation: LightLantern) -> LanternMap | Problems:
    if operation.lantern not in {one.id for one in model.lanterns}:
        message = "There is no such lantern."
        return Problems((RuleProblem("lantern_unknown", message, "play", ("lantern",), operation.lantern),))
    lit = (replace(one, lit=one.lit or one.id == operation.lantern) for one in model.lanterns)
    return replace(model, lanterns=tuple(lit))


def _unplayed(model: LanternMap) -> LanternMap:
    return replace(model, lanterns=tuple(replace(one, lit=False) for one in model.lanterns))


def _pieces(model: LanternMap, _site: LanternSite) -> tuple[Piece, ...]:
    burning = (one for one in model.lanterns if one.lit)
    return tuple(Piece(id=one.id, name="Flame", color="#ffaa00", at=Spot(one.x, one.y)) for one in burning)


def _site(model: LanternMap, _state: MapState) -> dict[str, Json]:
    return SITE_CODEC.dump(LanternSite(model.lanterns))


def _schema() -> Schema:
    return headed(FORMAT, {"type": "object"})


def _path(path: KeyPath) -> KeyPath:
    return ("across",) if path == ("width",) else path


SITE_CODEC: Codec[LanternSite] = Codec(LanternSite, "toy/lantern-site")
GENERATOR = LanternGenerator()
KIND: MapKind[LanternMap] = MapKind(
    place=99,
    about="Lanterns along a way.",
    filed=GENERATOR,
    making=Making(
        generator=GENERATOR,
        costs=Costs(
            making=Curve(1), drawing=Curve(2), painting=Curve(4), geojson=Curve(8), sizes=((20, 10),)
        ),
        wish=WishForm(
            type=LanternWish,
            seed=lambda wish: wish.seed,
            check=lambda _wish: (),
            parameters=lambda wish: LanternParameters(wish.across, count=9 if wish.many else 3),
            drawn_seed=lambda _parameters: 77,
            path=_path,
        ),
    ),
    sheet=Sheet(
        format=FORMAT,
        schema=_schema,
        extent=lambda model: (float(model.width), float(model.height)),
        draw=_draw,
        words=lambda _model: Gate("labels", ()),
        geojson=lambda model: b'{"lanterns":%d}' % len(model.lanterns),
        peopled=True,
    ),
    growth=Growth(operations=(LightLantern,), grow=_grow, unplayed=_unplayed),
    leading=Leading(
        codec=SITE_CODEC,
        follow=lambda model, site: replace(model, lanterns=site.lanterns),
        pieces=_pieces,
    ),
    site=_site,
)
