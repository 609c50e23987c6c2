"""Pictures of grid maps: dungeons, caves, battle maps and imported maps, as SVG.

Read in this order: `look` (what a user may choose) and `palette` (the colours of each style); `outline`
(cells to loops and runs), `noise` (chance from places) and `pen` (strokes); then what is on the cells, from
the ground up: `textures`, `ground`, `relief`, `hatching`, `walls`, `signs` (doors, stairs, traps), `props`,
`scenery`, `lettering`; then the page: `writing`, `legend`, `sheet`; and last `picture`, which puts it all
together.
"""
