"""The odds of dice: exactly where that can be done in time, estimated from samples where it is asked for.

Read in this order:

    reckoned      what is known of a number: its chances, what comes to nothing, what was not followed
    falls         how the dice of one term may fall: rerolls, unique faces, explosions
    sweep         goes through the values of a pool once and keeps count: what selections keep
    pools         what a pool of dice comes to, its highest die, opposed dice
    exact         an expression into what is known of it
    cost          how much work that is, before it is done
    sample        an estimate from rolls of a seeded generator
    answer        chances as they are shown: outcomes, mean, quantiles
    tasks         what a worker process is asked
    workers       the worker process, its limits of time and memory
    cache         what was reckoned before, and questions being reckoned now
    service       the use cases

No roll at a table ever comes from here.
"""
