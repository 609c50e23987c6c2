"""DungeonTeller's scenes.

Read in this order: `moves` (what can be done), `state` and `lasting` (where a scene stands), `events` and
`evolve` (what happens, and what comes of it); `conditions` and `pools` (what holds just now, and how many
dice), `desk` (where a move is worked out) with `discretion` (what stays among those who know); then the
moves: `turns`, `going`, `harm`, `falls`, `aiming`, `fighting`, `trying`, `seeing`, `holding`, `carrying`,
`answering`, `use` with `powers`, `master`; `rules` (which plan a move has); `begin` and `setups`; and what
others see of it all: `questions`, `legal`, `offers`, `master_offers`, `summary`, `view`, `bots`,
`homecoming`. `scene` puts them together.
"""
