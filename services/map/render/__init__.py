"""Pictures of map models: pure, deterministic bytes.

Read in this order: `svg` (text of SVG elements), `font` (the font that comes along) and `metrics` (width of
text), `shapes`, `labels` (where words stand); then a package for each look: `realm`, `region`, `story`,
`grid` (dungeons, caves, battle maps); last `raster` (PNG, WebP, thumbnails, tiles; flat pictures of cells).
"""
