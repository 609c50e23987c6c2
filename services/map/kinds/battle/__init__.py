"""Kind D: tactical battle maps on the five-foot grid: a dungeon room, a road, a village, a ruin, a forest.

Read in this order: `parameters` (what can be asked for), `generator`, `draft` (the map in the making),
`kernels` (the compiled loops), `landscape` (hills, water, roads, what grows), `scenes` (small things that
happened), `buildings` (houses), then the sites `country`, `village`, `ruin`, `hall_plan` and `hall`; `zones`
(starts and approaches), `names`; last `gates` and `proofs` (what every battle map must pass); `kind`.
"""
