"""Kind A: the realm of Forgeborn, dropped with dice.

Read in this order: `model`, `generator` (parameters, how it is made and grows), `names`, `gates` (what every
realm must pass), `canonical` (the map file).
"""
