"""Simulations: a scene, or a day of scenes, played by bots many times; what came out, with its error.

Read in this order: `figures` (what a game says can be measured), `rests` (between the scenes of a day),
`request` (what is asked), `bounds` (of what size), `changes` (values of an opening replaced by pointer),
`names` (of swept values), `cases` (a request laid out: the opening itself and every change of it),
`campaigns` (scenes that are begun from a campaign), `days` (what is taken from scene to scene), `run` (one
run to whole numbers), `tally` (runs added up), `blocks` (which runs belong together, and when enough is
enough), `exact` (every way the dice can fall, where these are few), `grades` (how dangerous the book calls a
scene), `estimates`, `report` and `rows` (the answer), `story` (one run told move by move).

Everything is pure. A run is named by the request's seed and its number, so that whoever plays it comes to the
same figures; runs are played in fixed blocks, and blocks are added up as whole numbers, in any order. What is
told is decided on the blocks from the first one on, without a gap: one worker and fifty tell the same.
"""
