"""Campaigns of Duel: a feud of the heroes of a table with a rival, duel by duel.

The rival can be met in a duel begun from the feud. Each hit on them is remembered when it happens; who was
hit as often as they have Nerve has had enough, and the feud is over. All heroes can agree to let it rest.
Read in this order: `state`, `moves`, `facts`, `setup`, `rules`, `evolve`, `tell`; `scene` puts them together.
"""
