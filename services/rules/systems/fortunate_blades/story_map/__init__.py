"""The story map of Fortunate Blades: what the game knows of it. The map service lays it out and draws it.

Read in this order: `vocabulary` (its words), `model` (what a story map is), `premise` (how a story begins),
`places` (what each place is), `details` (what it is like), `names`, `forces`, `operations` and `growth` (what
play adds), `secrets` (what players may know).
"""
