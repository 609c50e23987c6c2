"""What stands on a map, seen from above: one function for each kind of prop.

Read `library` first: it looks a kind up and says in which layer it lies. `furniture` holds what people use
indoors, `outdoors` what grows and is built under the sky, `underground` what dungeons and caves hold. A glyph
is drawn around its middle, `w` by `h` units, its front to the south; a variant from 0 to 3 tells trees
and stones from their neighbours.
"""
