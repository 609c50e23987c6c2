"""Many maps from the command line: ``infra/maps --kind dungeon --count 500 --out DIR``.

The maps are made here, by as many processes as there are cores, or ordered as a batch from a running product
(``--url``). Either way the same order gives the same files, named as in the product's batches, and an index
of them, ``maps.ndjson``. What is in the folder already is not made again. Read in this order:

1. ``refusals``   why nothing, or not all, was made: a tree of exceptions, and the lines it is told in
2. ``orders``     from the words of the command line to an order that is found sound, before any work
3. ``folder``     the folder: whole files only, the index, what is left to be made, one run at a time
4. ``progress``   the bar on a terminal, and the plain lines elsewhere
5. ``making``     one map and its files, in whichever process
6. ``workshop``   all of them, by processes of one's own
7. ``ordering``   all of them, by a running product over REST
8. ``listing``    the kinds there are, and their parameters
9. ``runs``       one run from its order to its exit code; ``command`` reads the arguments and begins it
"""
