"""Plots as SVG text: pure, the same text for the same figures, without scripts and without foreign fonts.

Every plot can be read on light and dark pages and on a phone, tells its figures in words (``title``,
``desc``), and tells nothing by colour alone. Read in this order:

1. ``sheet``      what is drawn on: texts, bars, lines; escaping and colours
2. ``frame``      what plots have in common: headings, axes, legends, numbers in words
3. ``spreads``    distributions: one with its chances of at least each value, or several on one axis
4. ``counts``     counts beside those that were to be expected
5. ``curves``     several curves, each with its intervals
6. ``intervals``  values with their intervals, one below the other
7. ``cells``      a heat map: a value for each pair of two others
"""
