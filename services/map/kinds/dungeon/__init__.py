"""Kind C: dungeons of rooms and corridors, with doors, secrets, traps, and a keyed legend.

Read in this order: `parameters` (what may be asked for), `generator` (how it all comes together), `plan` with
its kernels `lattice`, `ways` and `carving`, `roster` (roles and names), `outfit` with its kernels `dressing`
and `furnishing`, `keys` (doors and notes), `naming` and `themes` (the words), `gates` with its kernels in
`survey` and `routes` (what every dungeon must pass). `chance` is where kernels get random numbers, `kind`
puts all parts together.
"""
