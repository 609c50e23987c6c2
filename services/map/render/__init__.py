"""Pictures of map models: pure, deterministic bytes.

Read in this order: `svg` (text of SVG elements), `font` (the font that comes along) and `metrics` (width of
text), `shapes`, `labels` (where words stand), `legibility` (the gate over them), `chart` and `figures` (what
sheets share); then `grid`, the look of maps in cells; last `raster` (PNG, WebP, thumbnails, tiles; flat
pictures of cells). Sheets are drawn by their kinds.
"""
