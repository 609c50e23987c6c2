"""Maps: made from a seed or from dropped dice, kept, drawn and exported.

Read in this order: `generation` (pure: seed and parameters to a map model), `render` (map model to SVG), then
the service around them.
"""
