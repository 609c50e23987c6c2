"""Simulations: scenes that bots play by the thousand, to tell how likely each end is.

The question and its answer are those of ``services.rules.engine.simulation``; no game is named here. Read in
this order: ``requests`` (what can be asked), ``question`` (what is asked, with the sheets, maps and positions
that it names, in the form that is played), ``versions`` (by which rules), ``tasks`` (what takes long, in
worker processes of the service), ``start`` (from the request to the job), ``models`` (what is kept),
``budget`` (who pays), ``turn`` and ``work`` (what a worker notes of its turn, block by block), ``service``
(reading, following, cancelling and deleting), ``runs`` (one run told, or opened as a scene), ``erasure``.
All SQL is in ``repository``. The worker's side is
``workers.simulations``.

A simulation is a whole of the jobs table with a few lanes as its parts, so that as many workers can play at
once. Blocks of runs are claimed one after another by whichever lane has its turn; a block that was played is
added to the row of the simulation when all before it are there, and its own row goes. What was added is
counted once, whatever is killed, and rows stay few however many runs are asked for.
"""
