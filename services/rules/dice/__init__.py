"""Dice: what to roll, how it is written, where faces come from, what came of it.

Read in this order: `pool` (dice as data), `notation` (text to pool and back), `stream` (named sources of
faces), `roll` (pool and stream to a result that explains itself). Nothing here knows a game, and every face
comes from the stream the caller gave.
"""
