"""The scenes of Duel.

Read in this order: `state`, `moves`, `facts`, `evolve`, `setup`, `rules`, `legal`, `view`, `tell`, `bots`;
`scene` puts them together.
"""
