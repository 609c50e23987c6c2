"""The model that dungeons, caves, battle maps and imports share: cells of five feet and what is on them.

Read in this order: `terrain` (what a cell can be), `model` (the map), `canonical` (the map file), `secrets`
(what players may know).
"""
