"""Simulations from the command line: ``infra/simulate --system dungeonteller --setup crypt --cast
dwarf,elf``.

Scenes are played here, by as many processes as there are cores, without a product. The same question has the
same answer, however many processes play. Read in this order:

1. ``question``  from the words of the command line, or a file, to a question that is found sound
2. ``pool``      blocks of runs, played by processes of one's own
3. ``remote``    the same question put to a running product
4. ``output``    the answer as a table, JSON, CSV and SVG
5. ``command``   reads the arguments and does all that
"""
