"""How fast the product is, as ratios that hold on any machine: ``infra/bench NAME``.

Every module of this package is one benchmark, found by its file name: it says in the first line of its
docstring what it measures, in ``SECONDS`` how long it takes unless told otherwise, and its function
``run(seconds)`` gives ``Case`` objects. ``harness`` is what benchmarks are made of; read in this order:

1. ``harness.cases``    a measured case, its target, the line it is printed as; medians and percentiles
2. ``harness.rounds``   measures contenders in turns, so that noise of the machine hits all of them alike
3. ``harness.batches``  measures what is too quick to be timed one by one; ``harness.comparisons`` tells of
   one thing done by several; ``harness.peers`` runs those of them that live in Node, from ``peers/``
4. ``harness.load``     a small HTTP client, several times as fast as anything measured (``harness.trivial``
   is the server that this is checked against)
5. ``harness.product``  a product of one's own for the time of a benchmark
6. ``harness.evening``  players at a table, with all that they need to be asked about
7. ``harness.dice_*``   what ``dice`` measures: rolls, odds, a table that rolls, a history of a million rolls
8. ``harness.bot_scenes`` and ``harness.tables``  what ``games`` measures: scenes on the rules alone, and at
   tables of a product; ``harness.buckets`` keeps its cost limits from refusing anything; ``harness.sim_runs``
   what ``sim`` adds to the former: simulations beside scenes that are only played, and from end to end;
   ``harness.exact_setups`` what ``exact`` asks: questions that have exact answers
9. ``harness.map_*``    what ``maps`` measures: maps by one core, what a thousand are like, the memory of a
   batch, pictures and batches of a product
10. ``harness.character_rules`` and ``harness.character_product``  what ``characters`` measures: the rules of
   Forge Engine, and what players ask a product about their characters
11. ``harness.command``  ``infra/bench`` from its arguments to its exit code

Numbers of one run may be compared with each other; numbers of two runs only on a quiet machine.
"""
