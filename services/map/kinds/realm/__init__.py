"""Kind A: the realm of Forgeborn, dropped with dice.

What a realm is, its rules and its names are the game's: `services.rules.systems.forgeborn`. Read in this
order: `model`, `generator` (parameters, how it is made and grows), `gates` (what every realm must pass),
`canonical` (the map file), `wish` (how it is asked for), `growth`, `leading` and `site` (its game on it),
`render` (its picture), `view` and `graphql` (in the graph), `geojson`, `schema`, `kind`.
"""
