"""Forge Engine's fights: a state machine of facts, driven by rules that are generators.

Read in this order: `setup`, `state`, `moves`, `facts` (what a scene is made of), `effects` (what lasts),
`ground` (distances, cover, ways), `strike` (an attack and its pools), `rules`, `evolve`; `legal` (offers),
`secrecy`, `view`, `tell`, `bots`; `site` (stored maps), `home` (what stays with characters), `scene`.
"""
