"""Kind C, its other half: caves of chambers, squeezes, pools and chasms.

Read in this order: `parameters` (what may be asked for), `generator` (how it all comes together),
`hollows`, `chambers` and `growth` (the kernels), `themes` and `legend` (the words), `gates` with its kernels
in `survey` (what every cave must pass); `kind`.
"""
