"""Encounters: what heroes try, what it risks, and what becomes of it.

Read in this order: `state`, `effects` (what lasts), `moves`, `facts`, `setup`, `evolve`; `attempt` (something
a hero tries), `means` (what heroes have to spend), `windows` (when they may); `rules`, `legal`; `view`,
`tell`, `aftermath` (what stays with heroes), `bots`; `scene` puts them together.
"""
