"""The tactical ground of scenes and maps: the one model of cells, edges, heights and light.

A `Ground` is a frozen value with a JSON form. What lies on it (creatures, things) is kept elsewhere:
questions name footprints, and squares that are taken. Distances, costs and budgets are in the units of the
ground's own `Measure`: paces in DungeonTeller, feet in Forge Engine. All of it needs the standard library
alone; the map service has compiled forms of the same questions for whole maps, which tests hold to these.

Read in this order: `squares` (squares, corners, edges, directions), `measure` (distances), `kinds` (terrains,
barriers, doors, lamps), `model` (what a ground is), `index` (its flat form, computed once), `footprint`
(creatures of n by n squares), `steps` and `walking` (reach and ways), `sight` (lines of sight), `cover`
(graded cover), `light`, `fog` (what is known by those who see), `areas` (the shapes of spells and blasts).
"""
