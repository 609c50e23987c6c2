"""The picture of a region: an atlas page as SVG, and a plain relief as pixels.

Read in this order: `outlines` (lines around what is alike), `page` (where the region lies on the page),
`lines` (rivers and ways), `names` (the words), `scenery` (where mountains, trees and tufts stand), `glyphs`
(how they look), `signs` (settlements and places), `furniture` (frame, scale, legend), `picture` (all of it as
SVG), `raster` (the relief as pixels).
"""
