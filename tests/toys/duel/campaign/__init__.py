"""Campaigns of Duel: a feud between the heroes of a table and the rivals that they provoke, duel by duel.

A rival who was provoked can be met in a duel begun from the feud. Each hit on a rival is remembered when it
happens; a rival who was hit as often as they have Nerve has had enough, and the feud is over when all have.
Read in this order: `state`, `moves`, `facts`, `setup`, `rules`, `evolve`, `tell`; `scene` puts them together.
"""
