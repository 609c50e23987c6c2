"""Kind B: the story map of Fortunate Blades, a sketch that grows in play.

What a story map holds, how it is named and what players may know of it is the game's:
`services.rules.systems.fortunate_blades.story_map`. Read in this order: `parameters`, `land` (where there is
water), `sites` (where the places lie), `ways` (how they hang together, and who walks them), `scenery` (woods,
hills and rivers), `ids`, `growth` (where what play adds is put), `site` and `leading`
(a campaign on the map), `gates` (what every map must pass),
`canonical` (the map file), `generator` (all of it in order), `render` (its picture), `view` and `graphql` (in
the graph), `schema`, `kind`.
"""
