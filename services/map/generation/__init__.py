"""Map models from seeds and parameters: pure, no I/O, no ambient randomness.

Read in this order: `stream` (named random streams from one seed), `realm` (parameters, the realm's model, how
it is made), `names` (place names), `gates` (what every finished map must pass), `canonical` (the map file).
"""
