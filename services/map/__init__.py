"""Maps: made from a seed or from dropped dice, kept, played on, drawn and exported.

Read in this order: `generation` (pure: seed and parameters to a map model), `render` (map model to pictures),
`exports` (to and from other programs), `ground` (ways, sight, cover, light: questions asked of a grid map),
`play` (what lies on a map at the table), `board` (a map with what lies on it), then the service around them:
`service` (having maps made), `batches`, `table` (playing), `showing` (pictures and exports), `importing`.
"""
