"""Kind B: the story map of Fortunate Blades, a sketch that grows in play.

Read in this order: `model` (what a story map is), `parameters`, `land` (where there is water), `sites` (where
the places lie), `ways` (how they hang together, and who walks them), `scenery` (woods, hills and rivers),
`places` (what each place is), `details` (what it is like), `names`, `forces`, `ids`, `operations` and
`growth` (what play adds), `secrets` (what players may know), `gates` (what every map must pass), `canonical`
(the map file), `generator` (all of it in order), `render` (its picture), `view` and `graphql` (in the graph),
`schema`, `kind`.
"""
