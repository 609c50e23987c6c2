"""What characters gain between sessions: proposed by the player, approved or refused by the game master.

Read ``advancement`` for the rules, ``approval`` for who may approve what, then ``service``.
"""
