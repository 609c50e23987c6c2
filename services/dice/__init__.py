"""The dice service: rolls dice, keeps every roll for ever, and tells the table as it happens.

Read ``service`` for what can be done, ``repository`` for who sees which rolls, then ``graphql``. What dice
notation means is in ``services.rules.dice``.
"""
