"""Pictures in pixels: SVG painted, grid maps laid out flat, encoded, cut into tiles, made small.

Read in this order: `limits` (how large a picture may be), `encode` (PNG and WebP), `tiles` and `thumbnail`.
The painter of SVG: `style` (what attributes say), `path_data` (shapes as paths), `servers` (gradients and
patterns), `typeset` (text), `grain` (the one filter), `painter`. The flat pictures for virtual tabletops:
`floor_palette` (colors of the themes), `textures` (what a cell looks like), `flat`.
"""
