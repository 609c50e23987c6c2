"""DungeonTeller's scenes.

Read in this order: `moves` (what can be done), `state` and `lasting` (where a scene stands), `events` and
`evolve` (what happens, and what comes of it); `conditions`, `equipment` and `pools` (what holds just now, and
how many dice), `discretion` (who may know of what), `refusals`, `desk` (the verbs that rules are written in),
`question` (what a move asks on its way) and `aiming` (whom it may be aimed at); then `rules`, the package in
which each move and each power has its rule; `arriving`, `begin` and `setups`; and what others see of it all:
`offering`, `legal`, `thing_offers`, `offers`, `master_offers`, `summary`, `view`, `bots`, `homecoming`.
`scene` puts them together.
"""
