"""What generators of maps share: pure, no I/O, no ambient randomness.

Read in this order: `stream` (named random streams from one seed), `gate` (what a map has to pass), `kind`
(how maps of a kind are kept and made), `limits` (what is wrong with parameters), `grid` (the model of maps in
cells). The generators themselves are in `services.map.kinds`.
"""
