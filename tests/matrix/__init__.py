"""Every operation asked by every role, with every input spoiled, and fifty times at once.

The services run in the tests' own process, each put together by its own composition root; a tenth of this goes
through the real gateway in ``tests/platform``. Read in this order:

1. ``in_process``      the house: five services, a door, and a maker of maps
2. ``reception``       the door, which stands where the gateway stands; ``subgraph_part`` what it asks of whom
3. ``requests``        a sound request for each operation; ``map_requests`` those of maps
4. ``test_visibility`` the tables of who sees what, of the graph and of the REST face
5. ``canary``          what strangers ask for that is not theirs; ``test_canary`` that they are not told
"""
