"""The one font of all pictures: three faces, their widths, and the lines that put them into an SVG.

The font is Hearthforge Serif: Alegreya 2.009 (https://github.com/huertatipografica/Alegreya), cut down to
Latin, Latin Extended-A and typographic signs, with lining figures in place of old-style ones, under the SIL
Open Font License in `OFL.txt`. The `.ttf` files are what pictures in pixels are painted with (kerning in a
plain `kern` table, no other layout rules), the smaller `.woff2` files (Latin alone) go into SVG.
`metrics.json` holds every width and kern of the `.ttf` files; a test compares them.

Read in this order: `faces` (the files), `letters` (widths and kerning); `services.map.render.metrics` is what
layouts ask.
"""
