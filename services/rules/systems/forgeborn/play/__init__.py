"""Forgeborn's games.

Read in this order: `state` (where a game stands), `moves` (what can be done), `facts` (what happens) and
`evolve` (which folds it); `effects` (what lasts on Smiths and Heroines); `setup` (how it begins, and stored
realms), `ground` (the realm in play); `rules` (a file for each chapter of the book; who may react to a
Conflict stands in `rules/conflict`); what they share: `rolls` (the dice), `offers` (moves as buttons),
`chances`, `ranks`; then `legal` (what may be done), `view` (what may be known and drawn), `tell`,
`chronicle`, `bots`, `picture`. `scene` puts them together.
"""
