"""The odds of dice: exactly where that can be done in time, estimated from samples where it is asked for.

Read in this order:

    reckoned      what is known of a number: its chances, what comes to nothing, what was not followed
    falls         how one die may fall: rerolls, lowest and highest values, explosions
    lying         how all dice of a term may lie
    stages, rows  selections as stages that dice pass; ways by total
    sweep         goes through the values of dice that lie together, and keeps count
    pools         what a pool of dice comes to, its highest die, opposed dice
    exact         an expression into what is known of it
    sizes, pool_cost, cost      how much work that is, before it is done
    sample        an estimate from rolls of a seeded generator
    answer        chances as they are shown: outcomes, mean, quantiles
    tasks         questions and answers as they travel between processes
    workers       the worker process, its limits of time and memory
    cache         what was reckoned before, and what is being reckoned now
    engine        answers questions: from what is kept, here, or in the worker
    picture       odds as charts
    service       the use cases

No roll at a table ever comes from here.
"""
