"""The realm of Forgeborn as a kind of map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.map.generation.gate import GateReport
from services.map.generation.realm import generator
from services.map.generation.realm.canonical import canonical_bytes, from_canonical
from services.map.generation.realm.generator import RealmParameters
from services.map.generation.realm.model import GENERATOR_VERSION, RealmMap
from services.rules.engine.codec import Codec
from services.rules.engine.problem import RuleProblem


class RealmKind:
    """Makes realms; see `services.map.generation.kind.Kind`. Everybody at the table dropped the dice, so
    nothing on it is secret."""

    slug = "forgeborn_realm"
    generator_version = GENERATOR_VERSION
    codec: Codec[RealmParameters] = Codec(RealmParameters, "map/forgeborn-realm-parameters")
    secretive = False

    def check(self, parameters: RealmParameters) -> tuple[RuleProblem, ...]:
        """Everything that is wrong with some parameters; the seed comes beside them."""
        seeded = parameters if parameters.seed is not None else replace(parameters, seed=0)
        return generator.check_parameters(seeded)

    def draw(self, parameters: RealmParameters, seed: int, attempt: int) -> RealmMap:
        """One drop and what it makes."""
        return generator.draw(parameters, seed, attempt)

    def inspect(self, model: RealmMap) -> GateReport:
        """Runs every gate, the growth by one Ruin included."""
        return generator.inspect_all(model)

    def title(self, model: RealmMap) -> str:
        """The realm's name."""
        return model.title

    def to_bytes(self, model: RealmMap) -> bytes:
        """The map file."""
        return canonical_bytes(model)

    def from_data(self, data: Mapping[str, Any]) -> RealmMap:
        """The realm whose file was read."""
        return from_canonical(data)

    def for_players(self, model: RealmMap) -> RealmMap:
        """The same realm."""
        return model


KIND = RealmKind()
