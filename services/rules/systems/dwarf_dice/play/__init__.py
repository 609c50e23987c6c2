"""Games of Dwarf Dice: the state machine that `engine.play` asks of a game.

Read in this order: `setup` (how a game opens), `state`, `moves`, `events`, `evolve` (what it is made of),
`asking` (who is asked what, and when a window opens), `legality` (what is wrong with a move), `rolls`,
`desk`, `crafting_moves`, `combat_moves` and `rules` (what comes of it), `reckoning`, `chances` and `offers`
(buttons, with their odds), `lapsing` (the answers that stand for silence), `view` (who may know what),
`telling` and `summary` (words and cards), `homecoming` (what outlives a game), `steady_bot`, `outlook`,
`strong_bot` and `bots`, `drawing` and `picture`, and `scene`, which puts it all together.
"""
