"""DungeonTeller's scenes.

Read in this order: `moves` (what can be done), `state` and `lasting` (where a scene stands), `events` and
`evolve` (what happens, and what comes of it); `conditions`, `equipment` and `pools` (what holds just now, and
how many dice), `discretion` (who may know of what) and `desk` (where a move is worked out); then the moves:
`turns`, `going`, `harm`, `falls`, `aiming`, `fighting`, `feats`, `gear`, `doors`, `trying`, `seeing`,
`holding`, `carrying`, `answering`, `use` with `powers`, `master`; `rules` (which plan a move has);
`arriving`, `begin` and `setups`; and what others see of it all: `questions`, `offering`, `legal`,
`thing_offers`, `offers`, `master_offers`, `summary`, `view`, `bots`, `homecoming`. `scene` puts them
together.
"""
