"""Forgeborn's games.

Read in this order: `waiting` and `state` (where a game stands), `moves` (what can be done), `events` and
`evolve` (what happens, and what comes of it); `ground` (the realm in play), `begin`, `setups` and `sites`
(how it begins, and the stored map); `where` (whose turn, which place), `rolling` (the dice), `desk`
(where a move is worked out); then the moves: `conflict`, `creation`, `vault`, `wandering`, `master`;
`rules` (which plan a move has); `scoring`; and what others see of it all: `chances`, `offers`,
`citadel_offers`, `answer_offers`, `legal`, `questions`, `summary`, `telling`, `view`. `scene` puts them
together.
"""
