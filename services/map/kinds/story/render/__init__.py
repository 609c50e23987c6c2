"""The story map as a picture: a page of a traveler's journal, in ink and thin colors.

Read in this order: `pen` (lines drawn by an unsteady hand), `signs` (what places look like), `layout` (what
stands where), `legibility` (the gate for words), `scenery` (sea, woods, hills), `furniture` (paper, title,
forces), `picture` (all of it).
"""
