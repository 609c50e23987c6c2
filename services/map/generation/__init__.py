"""Map models from seeds and parameters: pure, no I/O, no ambient randomness.

Read in this order: `stream` (named random streams from one seed), `gate` (what a map has to pass), `kind`
(what a kind of map is, and how one is made); then the kinds, each with parameters, generator and gates:
`realm` (Forgeborn), `story` (Fortunate Blades), `grid` (the model of cells) with `dungeon`, `cave` and
`battle`, and `region`.
"""
