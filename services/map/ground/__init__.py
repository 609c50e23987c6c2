"""The ground of a grid map, for questions: ways, distance, sight, cover, light and what a scene begins with.

The model, its words and its rules are those of `services.rules.engine.ground`, which the scenes of the games
use; here a stored map is turned into it, and into arrays that answer for a whole map at once.

Read in this order: `model` (the ground and its arrays), `walls` and `doors` (what thin walls and doors stop),
`building` (from a map to its ground), `kernels` (the compiled loops of one cell), `footprints` (those of
larger creatures), `measured` (those of other measures), `walking` (costs and ways), `lines`, `cover` and
`sight` (visible cells, lines of sight, cover), `areas`, `light`, `at_hand` (grounds asked for lately).
"""
