"""The odds of dice: in closed form for the usual rolls, for any expression by convolution and sweeps.

A game asks for its own rolls in closed form; these are handed on here. For any other expression, read in this
order:

    subdistribution    a random number whose weights may leave a bounded rest out, and what comes to nothing
    single_die         one die: rerolls, lowest and highest values, explosions
    dice_mixture       all dice of a term as a mixture of groups of independent ones
    selection          keeping and dropping as stages that dice pass in the order of their values
    weights_by_total   ways by total, packed into one long number or sparse
    sweep              dynamic programming over the values of dice that lie together
    pools              totals of pools, their highest die, opposed dice
    exact              an expression to its distribution
    budget             sizes of distributions, and what operations on them take
    pool_cost, cost    how much work an expression is, before it is done
    monte_carlo        an estimate from rolls with a stream of faces
    summary            chances as they are shown: outcomes, mean, quantiles
    cumulative         chances of all whole totals
    percentile         where one total stands
    comparison         how often one roll comes to more than another
"""

from services.rules.dice.odds.closed_form import (
    PRECISION,
    PoolOdds,
    Truncated,
    at_least_successes,
    exploding_sum,
    fixed_pool,
    keep_highest,
    keep_lowest,
    net_successes,
    opposed_pool,
    successes,
    sum_against,
    sum_of_dice,
)

__all__ = [
    "PRECISION",
    "PoolOdds",
    "Truncated",
    "at_least_successes",
    "exploding_sum",
    "fixed_pool",
    "keep_highest",
    "keep_lowest",
    "net_successes",
    "opposed_pool",
    "successes",
    "sum_against",
    "sum_of_dice",
]
