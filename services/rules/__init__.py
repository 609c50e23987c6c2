"""What the games are: pure, standard library only, no clock, no ambient randomness.

Read in this order:

1. `dice`: dice as data, the notation people type, faces from a named stream, results that explain themselves.
2. `engine`: what every game system offers and the words it offers it in (problems, explained numbers,
   content, codec, sheet, registry).
3. `systems/<slug>`: one folder a game.
"""
