"""What a map is asked to be, checked before any work is done, in the words of the API."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.map.exports.schemas import parameters_schema
from services.map.generation.kind import MAX_SEED
from services.map.registry import GENERATORS, making_of
from services.rules.engine.codec import Json
from services.rules.engine.forms import spelled
from services.rules.engine.json_schema import Schema
from services.rules.engine.problem import RuleProblem
from services.rules.engine.spelling import PUBLISHED
from services.shared.problems import Issue
from services.shared.wording import camel, clipped, finding

MAX_ISSUES = 100
_SEED_DIGITS = len(str(MAX_SEED))


@dataclass(frozen=True, slots=True)
class Wish:
    """A map to be made.

    Attributes:
        kind: slug of its kind.
        parameters: what its kind is asked for by.
        seed: in decimal digits; drawn when None.
    """

    kind: str
    parameters: Any
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """A wish found sound: what a worker is told.

    Attributes:
        kind: slug of the kind.
        parameters: the kind's own.
        seed: 0 to 2**63 - 1.
    """

    kind: str
    parameters: Any
    seed: int

    def document(self) -> dict[str, Any]:
        """Give its JSON form."""
        parameters = GENERATORS[self.kind].codec.dump(self.parameters)
        return {"kind": self.kind, "parameters": parameters, "seed": str(self.seed)}

    @classmethod
    def load(cls, document: Mapping[str, Any]) -> "Order":
        """Read its JSON form."""
        kind = document["kind"]
        return cls(kind, GENERATORS[kind].codec.load(document["parameters"]), int(document["seed"]))

    @property
    def asked(self) -> Json:
        """The parameters in the words of the API, as they would be asked for."""
        return spelled(GENERATORS[self.kind].codec.type, self.parameters, PUBLISHED, properties=False)


def checked(wish: Wish, drawn_seed: int) -> Order | list[Issue]:
    """Turn a wish into what the generator accepts, or name everything that is wrong with it.

    Args:
        wish: what is asked for.
        drawn_seed: the seed to use when the wish names none.
    """
    base = ("map", camel(wish.kind))
    making = making_of(wish.kind)
    issues = seed_issues(wish.seed, ("seed",))
    parameters, seed, form = wish.parameters, wish.seed, making.wish
    if form is not None:
        own_seed = form.seed(parameters)
        issues += seed_issues(own_seed, (*base, "seed"))
        issues += [issue(problem, base) for problem in form.check(parameters)]
        if issues:
            return issues
        seed = own_seed if own_seed is not None else seed
        parameters = form.parameters(parameters)
        if seed is None:
            given = form.drawn_seed(parameters)
            drawn_seed = drawn_seed if given is None else given
    for problem in making.generator.check(parameters)[:MAX_ISSUES]:
        path = problem.path if form is None else form.path(problem.path)
        issues.append(issue(replace(problem, path=path), base))
    return issues or Order(wish.kind, parameters, int(seed) if seed is not None else drawn_seed)


def issue(problem: RuleProblem, base: Sequence[str]) -> Issue:
    """Tell a broken rule; its path is spelled as in the API."""
    return Issue(
        code=problem.code,
        message=problem.message,
        path=[*base, *(camel(str(step)) for step in problem.path)],
        rule=problem.rule or None,
        found=finding(problem.found),
        allowed=finding(problem.allowed),
    )


def file_issue(problem: RuleProblem, base: Sequence[str]) -> Issue:
    """Tell a fault of a file; its path is spelled as in the file."""
    return replace(issue(problem, base), path=[*base, *map(str, problem.path)])


def seed_issues(seed: str | None, path: Sequence[str]) -> list[Issue]:
    """Find out whether a text is no seed."""
    # isdecimal alone would also take the digits of other scripts.
    if seed is None or (
        seed.isascii() and seed.isdecimal() and len(seed) <= _SEED_DIGITS and int(seed) <= MAX_SEED
    ):
        return []
    return [
        Issue(
            code="map_seed",
            message=f"A seed is a whole number from 0 to {MAX_SEED} in decimal digits.",
            path=list(path),
            found=clipped(seed),
            allowed=f"0..{MAX_SEED}",
        )
    ]


def described_parameters(slug: str) -> Schema:
    """Describe a kind's parameters as a JSON Schema, as its published file does."""
    return parameters_schema(making_of(slug).asked, slug)


def draw_seed() -> int:
    """Draws a seed for who names none, from 0 to ``MAX_SEED``."""
    return secrets.randbelow(MAX_SEED + 1)
