"""Games of Dwarf Dice: the state machine that `engine.play` asks of a game.

Read in this order: `setup` (how a game opens), `state`, `moves`, `facts`, `evolve` (what it is made of);
`effects` (what lasts on fighters: their powers), `dice`, `hands`, `layout` and `champions` (what falls, what
is held, what lies on the Forge, and who may do what); `rules` (what happens, a file for each section of the
book, and the windows in which powers answer); `legal` (buttons, with their odds); `view` and `tell` (who may
know what, in pictures of a client's own and in words); `outcome` (how a game ends, and what outlives it);
`bots` and `picture`; and `scene`, which puts it all together.
"""
