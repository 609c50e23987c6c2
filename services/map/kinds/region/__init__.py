"""Kind E: a region of land for journeys, from the height of its ground to the weather over it.

Read in this order: `vocabulary` (its words), `model` (what a region is), `parameters`, `compiled` and `noise`
(numbers from a hash), `land` (heights and where water runs), `climate` (warmth, rain, biomes), `water` (lakes
and rivers), `siting` (where people settle), `ways` (roads and ferries), `names`, `features` (what else bears
a name, places of interest), `weather`, `generator` (all in order), `gates` (what every region must pass),
`canonical` (the map file), `travel` (questions of travellers), `render` (its picture), `view` and `graphql`
(in the graph), `geojson`, `schema`, `kind`.
"""
