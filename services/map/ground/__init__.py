"""The ground of a grid map, for questions: ways, distance, sight, cover, light and what a scene begins with.

The rules themselves are those of `services.rules.engine.grid`, which the scenes of the games use; here a
stored map is turned into them, and into arrays that answer for a whole map at once.

Read in this order: `model` (the ground as arrays), `walls` and `doors` (what thin walls and doors stop),
`building` (from a map to its ground), `kernels` (the compiled loops), `walking` (costs and ways), `sight`
(visible cells, line of sight, cover, areas), `light`, `distances` (cells, paces, feet), `scene` (what a scene
begins with).
"""
