"""Every service of Hearthforge, and the pure rules they share.

Read in this order: `rules` (what the games are), `shared` (the I/O kit), then one
service (`dice`, `character`, `campaign`, `map`) and the `gateway` in front of them.
"""
