"""Rolls of dice: asked for, made, kept for ever, hidden and revealed, told.

Read in this order:

1. ``requests``      what is asked
2. ``reader``        what that means: at whose table, which words, which numbers
3. ``repository``    all SQL, and with it who sees which rolls
4. ``pending``       the rolls of a request before they are made
5. ``evaluation``    what dice come to; ``transcript`` is what is told of it, ``replay`` reads it out again
6. ``keeper``        keeps a roll: its row, its receipt, the news of it (``events``)
7. ``reservations``  rolls that are much work, evaluated in a worker process
8. ``scene_draws``   dice that scenes take
9. ``pricing``       what all this costs
10. ``service``      the use cases, and ``graphql`` shows them
"""
