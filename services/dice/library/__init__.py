"""A table's own words: dice, saved rolls, whose notation it writes.

Read ``requests`` (what is asked), ``checks`` and ``variables`` (which words are allowed), ``repository`` (all
SQL); then the use cases ``dice``, ``macros`` and ``settings``; ``lexicons`` makes of all that what a text
means at a table; ``service`` is the door to all of it, and ``graphql`` shows it.
"""
