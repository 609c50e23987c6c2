"""Pictures of map models: pure, deterministic bytes.

Read in this order: `svg` (text of SVG elements), `metrics` (width of letters), then for a realm
`realm_layout` (what is drawn where) and `realm_svg` (the picture).
"""
