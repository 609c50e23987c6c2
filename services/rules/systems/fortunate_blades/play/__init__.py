"""Encounters: what heroes try, what it risks, and what becomes of it.

Read in this order: `state`, `effects` (what lasts), `moves`, `causes`, `facts`, `setup`, `evolve`; `attempt`
(something a hero tries), `means` (what heroes have to spend), `windows` (when they may), `words`; `rules`,
`legal`; `view`, `tell`, `aftermath` (what stays with heroes), `bots`; `scene` puts them together.
"""
