"""Questions about odds: asked, paid for, answered here or in a worker process, and kept.

The mathematics is `services.rules.dice.odds`. Read in this order:

    requests      what is asked, and ``problem`` what may be said instead of an answer
    tasks         questions and answers as they travel between processes
    workers       the worker processes, their limits of time and memory
    cache         answers that are kept, and those that are being made
    engine        answers questions: from what is kept, here, or in a worker
    picture       odds as plots
    pricing       what telling and drawing costs
    service       the use cases, and ``graphql`` shows them

No roll at a table ever comes from here.
"""
