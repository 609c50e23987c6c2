"""How maps of a kind are kept and made: what they are made from, how an attempt is drawn, what it must pass.

    parameters, seed -> draw(attempt 0, 1, ...) -> inspect -> the first that passes every gate

`make` runs this for any kind. A generator is pure: the same parameters, seed and generator version make the
same model, and so the same bytes, in every process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import orjson

from services.map.generation.gate import Gate, GateReport
from services.rules.engine.codec import Codec
from services.rules.engine.problem import Problems, RuleProblem

MAX_SEED = 2**63 - 1
MAX_ATTEMPTS = 32

Data = dict[str, Any]

ParametersT = TypeVar("ParametersT")
ModelT = TypeVar("ModelT")
ModelT_co = TypeVar("ModelT_co", covariant=True)


class MapFileError(ValueError):
    """A map file that is not of its kind and format version; says what is wrong where."""


class Filed(Protocol[ModelT]):
    """How maps of one kind are kept, whether they were made here or brought along."""

    @property
    def slug(self) -> str:
        """Its name for programs: `dungeon`."""

    @property
    def secretive(self) -> bool:
        """Whether its maps hold what players must not know; then its seed is secret too."""

    def inspect(self, model: ModelT) -> GateReport:
        """Runs every gate over a map, with code of their own."""

    def title(self, model: ModelT) -> str:
        """The map's name."""

    def to_bytes(self, model: ModelT) -> bytes:
        """The map file, JSON: the same bytes for equal maps, in every process."""

    def from_data(self, data: Mapping[str, Any]) -> ModelT:
        """The map whose file was read as plain data.

        Raises:
            MapFileError: The data is no map of this kind and format.
        """

    def for_players(self, model: ModelT) -> ModelT:
        """The map without what only the game master knows."""


class Generator(Filed[ModelT], Protocol[ParametersT, ModelT]):
    """How maps of one kind are made here."""

    @property
    def generator_version(self) -> int:
        """Raised whenever the same seed and parameters would make another model."""

    @property
    def codec(self) -> Codec[ParametersT]:
        """Reads and writes its parameters as JSON; they are a frozen dataclass whose fields all have
        defaults, and never hold the seed."""

    def check(self, parameters: ParametersT) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters, with paths; cheap, whatever they are."""

    def draw(self, parameters: ParametersT, seed: int, attempt: int) -> ModelT:
        """One attempt at a map, from the sub-seed of this attempt."""


AnyGenerator = Generator[Any, Any]


@dataclass(frozen=True, slots=True)
class Made(Generic[ModelT]):
    """A map, the gates it passed, and how many attempts that took."""

    model: ModelT
    report: GateReport
    attempts: int


def make(
    generator: Generator[ParametersT, ModelT],
    parameters: ParametersT,
    seed: int,
    further: Callable[[ModelT], Gate] | None = None,
) -> Made[ModelT] | Problems:
    """Makes a map; an attempt that fails a gate is drawn again from the next sub-seed.

    Args:
        generator: Of the kind.
        parameters: Of the map.
        seed: 0 to 2**63 - 1.
        further: One more gate, for what a kind cannot know of itself, such as how its names are drawn.

    Returns:
        The map with its gate report; every problem of the parameters; or `map_gates_failed` with the faults
        of the last attempt when none passed.
    """
    problems = [*_seed_problems(seed), *generator.check(parameters)]
    if problems:
        return Problems(tuple(problems))
    faults: tuple[str, ...] = ()
    for attempt in range(MAX_ATTEMPTS):
        model = generator.draw(parameters, seed, attempt)
        report = generator.inspect(model)
        if report.passed and further is not None:
            report = replace(report, gates=(*report.gates, further(model)))
        if report.passed:
            return Made(model, report, attempt + 1)
        faults = report.faults
    message = "No attempt passed every gate."
    return Problems((RuleProblem("map_gates_failed", message, "maps", (), faults[:10]),))


def _seed_problems(seed: int) -> list[RuleProblem]:
    if 0 <= seed <= MAX_SEED:
        return []
    message = f"A seed is a whole number from 0 to {MAX_SEED}."
    return [RuleProblem("map_seed_out_of_range", message, "parameters", ("seed",), seed, (0, MAX_SEED))]


def canonical_bytes(data: Mapping[str, Any]) -> bytes:
    """A map file: keys sorted, no white space, the shortest form of each number; equal maps, equal bytes."""
    return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)
