"""What is asked about odds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from services.dice.library.variables import MAX_VARIABLES, Variable
from services.rules.dice.notation import Dialect
from services.rules.dice.odds.monte_carlo import MOST_SAMPLES
from services.shared.bounds import Between, Count

COMPARED = Count(1, 8)
"""Expressions of one comparison."""

GIVEN = Count(0, MAX_VARIABLES)
"""Values of variables in one question."""

QUANTILES = Count(0, 20)
"""Quantiles of one answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What all questions have in common.

    Attributes:
        variables: values of the notation's variables.
        campaign: id of the campaign whose own dice and dialect are meant; None for the viewer's own.
        dialect: whose notation it is; None for the place's own.
        sample: how many rolls are to be sampled; None to reckon exactly.
        seed: names the generator of samples.
        quantiles: where quantiles are wanted, from 0 to 1; None for the usual ones.
    """

    variables: Annotated[tuple[Variable, ...], GIVEN] = ()
    campaign: str | None = None
    dialect: Dialect | None = None
    sample: Annotated[int, Between(1, MOST_SAMPLES)] | None = None
    seed: int = 0
    quantiles: Annotated[tuple[float, ...], QUANTILES] | None = None
