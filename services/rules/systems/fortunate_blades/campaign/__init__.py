"""Campaigns of Fortunate Blades: a party, the forces of its story, and its quests one after the other.

The game master offers quests; the group votes, sets out, and plays encounters and rests as scenes that are
begun from here. At a quest's end five questions are put to all, experience and reputation are counted, and
heroes advance. The campaign clock, secret forces, their goals and the truth of quests are the game master's
alone. Read in this order: `state`, `moves`, `facts`, `setup`, `turn`, `asks`, `rules`, `scenes`, `evolve`,
`legal`, `view`, `tell`, `chronicle`, `bots`; `scene` puts them together.
"""
