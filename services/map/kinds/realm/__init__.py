"""Kind A: the realm of Forgeborn, dropped with dice.

Read in this order: `model`, `generator` (parameters, how it is made and grows), `names`, `gates` (what every
realm must pass), `canonical` (the map file), `wish` (how it is asked for), `growth`, `leading` and `site`
(its game on it), `render` (its picture), `view` and `graphql` (in the graph), `geojson`, `schema`, `kind`.
"""
