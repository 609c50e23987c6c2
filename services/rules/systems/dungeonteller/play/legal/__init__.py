"""What a being, or the game master, may do now, as buttons.

Read in this order: `offer` (what every offer is made with), `turn` (the moves of a turn), `powers`, `things`
and `master` (the game master's own).
"""
